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

// A secret of the schema is one also within a field that is written as JSON.
func TestSecretsOfTheSchemaWithinJSON(t *testing.T) {
	const schema = `{"properties":{"auth":{"type":"object","properties":{"a":{"type":"string","format":"password"},"in":{"type":"array","items":{"type":"object","properties":{"b":{"writeOnly":true}}}}}}}}`
	for text, want := range map[string][]string{
		`{"a":"hunter22"}`:              {"a"},
		`{"a":1,"in":[{"b":2},{}]}`:     {"a", "b"},
		`{"in":[{"c":2}]}`:              {"b"},
		`[]`:                            nil,
		`{"a":`:                         nil,
		` `:                             nil,
		"{\n  \"c\": \"plain text\"\n}": nil,
	} {
		f, err := form.Read(t.Context(), []byte(schema), form.Arguments, form.Beside)
		if err != nil {
			t.Fatal(err)
		}
		n := f.Root.Kids()[0]
		if !n.Flip() {
			t.Fatal("it is not shown as JSON")
		}
		n.Input.Set(text)
		n.Typed()
		got := Names(f.Root)
		for _, name := range want {
			if !slices.Contains(got, name) {
				t.Errorf("%s: %q are secret, and not %q", text, got, name)
			}
		}
	}
}

// A default of what is no secret by itself may have one in it.
func TestSecretsInDefaults(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object","default":{"api_key":"k"}}`:                                                          true,
		`{"type":"object","properties":{"p":{"type":"string","format":"password"}},"default":{"p":"k"}}`:       true,
		`{"default":[{"user":{"password":"k"}}]}`:                                                              true,
		`{"type":"object","properties":{"p":{"type":"string"}},"default":{"p":"k"}}`:                           false,
		`{"type":"object","properties":{"save_password":{"type":"boolean"}},"default":{"save_password":true}}`: false,
		`{"type":"object","properties":{"p":{"type":"string","format":"password"}},"default":{"q":"k"}}`:       false,
		`{"type":"object","properties":{"p":{"type":"string","format":"password","default":"k"}}}`:             false,
	} {
		f, err := form.Read(t.Context(), []byte(`{"properties":{"a":`+schema+`}}`), form.Arguments, form.Beside)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Judged{}).IsInDefault(f.Root.Kids()[0]); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
}
