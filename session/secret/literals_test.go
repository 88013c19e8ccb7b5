package secret

import (
	"encoding/json"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// JSON in a text is JSON afterwards, whatever number in it is a secret by its name.
func TestALiteralInATextStaysJSON(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	mask := unkeyed.With(Value{"DEBUG", "true"}, Value{"TRACE", "false"})
	for object, want := range map[string]string{
		`{"secret": 0}`: `{"secret": 0}`, `{"secret": 7}`: `{"secret": 0}`, `{"pin":12,"n":12}`: `{"pin":-0,"n":12}`, `{"cvv":123}`: `{"cvv":0.0}`, `{"pin":1234}`: `{"pin":""}`, `{"pin" : 123456 }`: `{"pin" : "**" }`,
		`{"debug":true,"x":true}`: `{"debug":"","x":true}`, `{"a":[{"pin":12345678}]}`: `{"a":[{"pin":"****"}]}`, "{\n\t\"pin\": 51\n}": "{\n\t\"pin\": -0\n}",
	} {
		line := func(object string) string {
			return `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + quotePlain(object) + `}]}}`
		}
		if got := mask.RedactText(line(object)); got != line(want) {
			t.Errorf("%s, want %s", got, line(want))
		}
	}
	for _, object := range []string{`{"secret":7,"cvv":123,"pin":1234,"cardNumber":4111111111111111,"debug":true,"trace":false,"x":1}`} {
		text := object
		for depth := range nestings {
			got := mask.RedactText("so: " + text)
			if got = strings.TrimPrefix(got, "so: "); !json.Valid([]byte(got)) || strings.Contains(got, "1234") || len(got) != len(text) {
				t.Errorf("%d deep: %s", depth, got)
			}
			inner := got
			for range depth {
				if err := json.Unmarshal([]byte(inner), &inner); err != nil {
					t.Fatal(err)
				}
			}
			var all map[string]any
			if err := json.Unmarshal([]byte(inner), &all); err != nil || len(all) != 7 || all["cvv"] == 123.0 || all["secret"] == 7.0 || all["debug"] == true || all["trace"] == false {
				t.Errorf("%d deep: %s, %v", depth, inner, err)
			}
			text = quotePlain(text)
		}
	}
	for _, text := range []string{`pin: 1234`, `the pin is "x": pin=1234`} { // no JSON
		if got, want := mask.RedactText(text), strings.Replace(text, "1234", "****", 1); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
