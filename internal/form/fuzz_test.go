package form

import "testing"

// Whatever the schema says, a value that a form takes comes back as it was, also
// when each node writes its own part; and what the form says of it never fails.
func FuzzRoundTrip(f *testing.F) {
	for _, raw := range corpus(f) {
		f.Add(raw, []byte(`{"name":"x","path":null,"edits":[{"oldText":1}],"more":[1.0,-0,1e400]}`))
	}
	f.Add([]byte(`{"$ref":"#"}`), []byte(`{}`))
	f.Add([]byte(`{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"null"}]}}}`), []byte(`{"a":1}`))
	f.Add([]byte(`{"properties":{"a":{"$ref":"#"},"b":{"anyOf":[{"$ref":"#"},{"type":"string"}]}},"required":["a"]}`), []byte(`{"a":{"a":{"b":"x"}},"b":{"c":1}}`))
	f.Add([]byte(`{"properties":{"a":{"type":"array","items":{"enum":["x","y"]},"uniqueItems":true}}}`), []byte(`{"a":["y","x"]}`))
	f.Add([]byte(`{"if":{"not":{"$ref":"#"}},"then":{"contains":{"$ref":"#"}},"else":{"unevaluatedProperties":{"$ref":"#"}}}`), []byte(`{"a":[{}]}`))
	f.Add([]byte(`{"oneOf":[{"required":["a"]},{"not":{"required":["a"]}}],"dependencies":{"a":["b"]},"patternProperties":{"(":{}},"propertyNames":{"pattern":"^(?=x)"}}`), []byte(`{"a":1}`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		s := ParseSchema(schema)
		for _, use := range []Use{Arguments, Answer, AnswerJune2025} {
			form := New(s.For(use))
			describe(form)
			if form.SetJSON(value) != nil {
				return
			}
			if kindOf(value) == 0 {
				value = []byte("{}")
			}
			if got, want := exact(t, form.JSON()), exact(t, value); got != want {
				t.Fatalf("%s came back as %s", want, got)
			}
			describe(form)
			form.forget()
			if got, want := exact(t, form.JSON()), exact(t, value); got != want {
				t.Fatalf("written anew: %s, want %s", got, want)
			}
		}
	})
}

func describe(f *Form) {
	f.Problem()
	f.Whole()
	f.Unchecked()
	for i, r := range f.Rows() {
		if i > 200 {
			break
		}
		r.Node.Words()
		r.Node.Problem()
		r.Node.DefaultFits()
	}
}

// Any value is checked by any schema without a crash, and in bounded time.
func FuzzCheck(f *testing.F) {
	for _, raw := range corpus(f) {
		f.Add(raw, []byte(`{"name":"x","path":null,"edits":[{"oldText":1}],"more":[1.0,-0,1e400]}`))
	}
	f.Add([]byte(`{"$defs":{"a":{"$anchor":"x","items":{"$ref":"#x"}}},"$ref":"#x"}`), []byte(`[[[]]]`))
	f.Add([]byte(`{"$schema":"http://json-schema.org/draft-06/schema#","const":1}`), []byte(`2`))
	f.Add([]byte(`false`), []byte(`{"a":1,"a":2}`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		if r := Check(t.Context(), schema, value); r.Refused != "" && len(r.Findings) > 0 {
			t.Fatalf("refused, and found wrong: %q", r)
		}
	})
}
