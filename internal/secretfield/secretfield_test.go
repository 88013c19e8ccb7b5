package secretfield

import (
	"slices"
	"testing"

	"belay/internal/form"
)

// What the schema says is a secret is one, whatever its kind and name, and wherever it
// is in the form: writeOnly, and the format password.
func TestSecretsOfTheSchemaAreConcealed(t *testing.T) {
	for schema, want := range map[string][]string{
		`{"properties":{"a":{"type":"string","writeOnly":true},"b":{"type":"string","writeOnly":false}}}`:                                                                           {"a"},
		`{"properties":{"a":{"type":"integer","writeOnly":true},"b":{"enum":["x","y"],"writeOnly":true},"c":{"format":"Password"}}}`:                                                {"a", "b", "c"},
		`{"properties":{"a":{"$ref":"#/$defs/s"}},"$defs":{"s":{"type":"string","writeOnly":true}}}`:                                                                                {"a"},
		`{"properties":{"a":{"anyOf":[{"type":"string","writeOnly":true},{"type":"null"}]}},"required":["a"]}`:                                                                      {"a"},
		`{"properties":{"a":{"type":"array","items":{"type":"string","writeOnly":true},"default":["x","y"]}},"required":["a"]}`:                                                     {"a"},
		`{"properties":{"a":{"type":"array","items":{"type":"object","properties":{"k":{"type":"string","format":"password"}}},"default":[{"k":"1"},{"k":"2"}]}},"required":["a"]}`: {"k"},
	} {
		f, err := form.Read(t.Context(), []byte(schema), form.Arguments, form.Beside)
		if err != nil {
			t.Fatal(err)
		}
		if got := Names(f.Root); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}
