package secret

import (
	"encoding/json"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// The default in the schema of a secret is one, whatever says that the schema is of a secret, and in
// whatever order. The rest of a schema stays.
func TestTheDefaultOfASecretIsMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	for _, marked := range []string{
		`{"properties":{"api_key":{"type":"string","default":"«w0rd9»","description":"for it"}}}`,
		`{"properties":{"api_key":{"default":"«w0rd9»"}}}`,
		`{"properties":{"a":{"default":"«w0rd9»","type":"string","writeOnly":true}}}`,
		`{"properties":{"a":{"writeOnly":true,"default":"«w0rd9»"}}}`,
		`{"properties":{"a":{"type":"string","format":"password","default":"«w0rd9»"}}}`,
		`{"properties":{"a":{"type":"string","default":"«w0rd9»","title":"Your password"}}}`,
		`{"properties":{"password":{"enum":["abc","abd"],"default":"«abd»"}}}`,
		`{"properties":{"auth":{"type":"object","default":{"api_key":"«w0rd9»","user":"joe"},"properties":{"api_key":{"type":"string","default":"«w0»"},"user":{"type":"string","default":"joe"}}}}}`,
		`{"properties":{"credentials":{"type":"object","properties":{"user":{"type":"string","default":"«joe»"}}}}}`,
		`{"properties":{"passwords":{"type":"array","items":{"type":"string"},"default":["«w0rd9»","«w0»"]}}}`,
		`{"$defs":{"apiKey":{"type":"string","default":"«w0rd9»"}}}`,
		`{"properties":{"a":{"type":"string","default":"joe","title":"Name"},"default":{"type":"string","default":"joe"}}}`,
		`{"properties":{"secret":{"type":"object","properties":{"default":{"type":"string","description":"for it"}}}}}`,
		`{"properties":{"password":{"type":"string","title":"Password","minLength":8}}}`,
	} {
		for _, form := range []string{
			`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","title":"Change a password","inputSchema":%}]}}`,
			`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"m","requestedSchema":%}}`,
		} {
			text := strings.Replace(form, "%", strings.NewReplacer("«", "", "»", "").Replace(marked), 1)
			var want strings.Builder
			for i, part := range strings.Split(strings.Replace(form, "%", marked, 1), "«") {
				secret, rest, _ := strings.Cut(part, "»")
				if i == 0 {
					secret, rest = "", part
				}
				want.WriteString(strings.Repeat("*", len(secret)) + rest)
			}
			if got := string(unkeyed.Redact([]byte(text))); got != want.String() {
				t.Errorf("is   %s\nwant %s", got, want.String())
			}
		}
	}
}

// A number is one as well.
func TestTheDefaultOfASecretNumberIsMasked(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	const text = `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","inputSchema":{"properties":{"pin":{"type":"integer","default":471100},"n":{"type":"integer","default":47},"save_password":{"type":"boolean","default":true}}}}]}}`
	got := unkeyed.Redact([]byte(text))
	if want := strings.Replace(text, "471100", `"****"`, 1); string(got) != want || !json.Valid(got) {
		t.Errorf("is   %s\nwant %s", got, want)
	}
}
