package form

import (
	"strings"
	"testing"
)

// What is broken in the schema of a field is said beside it, and where nothing
// can be right, nothing is.
func TestABrokenFieldIsCalledThat(t *testing.T) {
	for schema, want := range map[string]struct {
		note  string
		never bool
	}{
		`{"type":"string","enum":[]}`:                   {"the schema allows no value here: enum is empty", true},
		`{"type":"integer","minimum":5,"maximum":1}`:    {"the schema allows no value here: minimum is more than maximum", true},
		`{"type":"string","minLength":5,"maxLength":1}`: {"the schema allows no value here: minLength is more than maxLength", true},
		`{"type":"array","minItems":2,"maxItems":1}`:    {"the schema allows no value here: minItems is more than maxItems", true},
		`{"anyOf":[]}`:                                          {"the schema is broken: anyOf is empty", false},
		`{"oneOf":5}`:                                           {"the schema is broken: oneOf is no list", false},
		`{"type":[]}`:                                           {"the schema is broken: type is empty", false},
		`{"type":"number","multipleOf":0}`:                      {"the schema is broken: multipleOf is not more than 0", false},
		`{"type":"number","minimum":"5"}`:                       {"the schema is broken: minimum is no number", false},
		`{"type":"string","pattern":5}`:                         {"the schema is broken: pattern is no text", false},
		`{"type":"string","maxLength":-1}`:                      {"the schema is broken: maxLength is no count", false},
		`{"type":"integer","minLength":5,"maxLength":1}`:        {"", false}, // which is about texts
		`{"type":"number","minimum":1,"exclusiveMinimum":true}`: {"", false}, // draft 4
		`{"type":"number","minimum":1,"maximum":1}`:             {"", false},
	} {
		f := New(ParseSchema([]byte(`{"type":"object","properties":{"x":` + schema + `}}`)).For(Answer))
		n := f.Root.Kids()[0]
		if n.Note != want.note {
			t.Errorf("%s: the note is %q, want %q", schema, n.Note, want.note)
		}
		if !n.Writes() {
			continue
		}
		n.Input.Set("3")
		n.Typed()
		if why := n.Problem(); strings.HasPrefix(why, neverWords) != want.never {
			t.Errorf("%s: 3 has the problem %q", schema, why)
		}
	}
}

// A null is all that a field of the type null can be.
func TestANullIsAChoiceOfOne(t *testing.T) {
	for _, schema := range []string{`{"type":"null"}`, `{"type":["null"]}`} {
		f := New(ParseSchema([]byte(`{"type":"object","required":["x"],"properties":{"x":` + schema + `}}`)).For(Answer))
		n := f.Root.Kids()[0]
		if n.Kind != Choice || n.Words() != "always null" || n.Problem() != "required" {
			t.Errorf("%s: %v, %q, %q", schema, n.Kind, n.Words(), n.Problem())
		}
		n.Turn(1)
		if got := string(f.JSON()); got != `{"x":null}` {
			t.Errorf("%s: %s", schema, got)
		}
	}
}
