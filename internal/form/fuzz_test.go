package form

import "testing"

// fuzzedBytes bounds what a fuzzer tries. The engine makes every input short that
// reaches something new, by about as many tries as the square of its length: long
// ones keep it busy for a minute each, in which nothing else is tried.
const fuzzedBytes = 160

var uses = []Use{Arguments, Answer, AnswerJune2025}

// Whatever the schema says, a value that a form takes comes back as it was, also
// when each node writes its own part; and what the form says of it never fails.
func FuzzRoundTrip(f *testing.F) {
	for i, s := range [][2]string{
		{`{"properties":{"name":{"type":"string"},"path":{"type":["string","null"]}},"required":["name"]}`, `{"name":"x","path":null,"more":[1.0,-0,1e400]}`},
		{`{"properties":{"edits":{"type":"array","items":{"type":"object","properties":{"oldText":{"type":"string"}}}}}}`, `{"edits":[{"oldText":1}]}`},
		{`{"$ref":"#"}`, `{}`},
		{`{"properties":{"a":{"anyOf":[{"$ref":"#/properties/a"},{"type":"null"}]}}}`, `{"a":1}`},
		{`{"properties":{"a":{"$ref":"#"},"b":{"anyOf":[{"$ref":"#"},{"type":"string"}]}},"required":["a"]}`, `{"a":{"a":{"b":"x"}},"b":{"c":1}}`},
		{`{"properties":{"a":{"type":"array","items":{"enum":["x","y"]},"uniqueItems":true}}}`, `{"a":["y","x"]}`},
		{`{"if":{"not":{"$ref":"#"}},"then":{"contains":{"$ref":"#"}},"else":{"unevaluatedProperties":{"$ref":"#"}}}`, `{"a":[{}]}`},
		{`{"oneOf":[{"required":["a"]},{"not":{"required":["a"]}}],"dependencies":{"a":["b"]},"patternProperties":{"(":{}}}`, `{"a":1}`},
		{`{"propertyNames":{"pattern":"^(?=x)"},"prefixItems":[{"const":1}],"$defs":{"a":{"minimum":2}}}`, `{"a":1}`},
	} {
		f.Add(uint8(i), []byte(s[0]), []byte(s[1]))
	}
	f.Fuzz(func(t *testing.T, use uint8, schema, value []byte) {
		if len(schema)+len(value) <= fuzzedBytes {
			comesBack(t, uses[int(use)%len(uses)], schema, value)
		}
	})
}

// The same holds for the schemas of the corpus, which are longer.
func TestRoundTripOfTheCorpus(t *testing.T) {
	for name, raw := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			for _, use := range uses {
				comesBack(t, use, raw, []byte(`{"name":"x","path":null,"edits":[{"oldText":1}],"more":[1.0,-0,1e400]}`))
			}
		})
	}
}

// comesBack gives a form a value, and takes it back.
func comesBack(t *testing.T, use Use, schema, value []byte) {
	t.Helper()
	form := New(ParseSchema(schema).For(use))
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
		r.Node.DoesDefaultFit()
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
