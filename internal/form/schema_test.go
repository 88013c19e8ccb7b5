package form

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestKinds(t *testing.T) {
	for _, tt := range []struct {
		schema string
		kind   Kind
		words  string
	}{
		{`{"type":"string"}`, Text, "text"},
		{`{"type":"string","minLength":2,"maxLength":4}`, Text, "text, 2 to 4 characters"},
		{`{"type":"string","format":"uuid"}`, Text, "text, format uuid"},
		{`{"minLength":3}`, Text, "text, at least 3 characters"},
		{`{"type":["string","null"]}`, Text, "text, or null"},
		{`{"type":"string","nullable":true}`, Text, "text, or null"},
		{`{"anyOf":[{"type":"string","maxLength":1},{"type":"null"}]}`, Text, "text, at most 1 character, or null"},
		{`{"type":"number","exclusiveMinimum":0,"maximum":1.5}`, Number, "number, more than 0, at most 1.5"},
		{`{"type":"number","minimum":0,"exclusiveMinimum":0}`, Number, "number, more than 0"},
		{`{"type":"number","minimum":1,"exclusiveMinimum":0}`, Number, "number, at least 1"},
		{`{"type":"number","maximum":5,"exclusiveMaximum":5}`, Number, "number, less than 5"},
		{`{"type":"number","maximum":4,"exclusiveMaximum":5}`, Number, "number, at most 4"},
		{`{"type":"integer","exclusiveMinimum":0,"maximum":9007199254740991}`, Integer, "whole number, more than 0"},
		{`{"type":"integer","exclusiveMinimum":-9007199254740992,"exclusiveMaximum":9007199254740992}`, Integer, "whole number"},
		{`{"type":"number","exclusiveMaximum":9007199254740992}`, Number, "number, less than 9007199254740992"},
		{`{"maximum":5}`, Number, "number, at most 5"},
		{`{"type":"integer","minimum":1,"maximum":10,"multipleOf":3}`, Integer, "whole number, 1 to 10, a multiple of 3"},
		{`{"type":"boolean"}`, Choice, "true or false"},
		{`{"enum":["a","b"]}`, Choice, "one of 2"},
		{`{"type":["string","null"],"enum":["a",null]}`, Choice, "one of 2"},
		{`{"anyOf":[{"const":"a"},{"const":"b"},{"type":"null"}]}`, Choice, "one of 3"},
		{`{"anyOf":[{"type":"boolean"},{"type":"null"}]}`, Choice, "true or false"},
		{`{"anyOf":[{"enum":["a","b"]},{"enum":["c"]}]}`, Choice, "one of 3"},
		{`{"const":"a"}`, Choice, "always a"},
		{`{"type":"array","items":{"enum":["a","b"]},"minItems":1}`, Many, "any of 2, at least 1 option"},
		{`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}`, Many, "any of 1"},
		{`{"type":"array","items":{"$ref":"#/$defs/color"}}`, Many, "any of 2"},
		{`{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":2,"uniqueItems":true}`, List, "list of texts, 2 items, each once"},
		{`{"type":"array"}`, List, "list"},
		{`{"items":{"type":"object"}}`, List, "list of objects"},
		{`{"type":"object","properties":{"a":{}}}`, Object, "object"},
		{`{"additionalProperties":{"type":"string"}}`, Object, "object"},
		{`{"oneOf":[{"type":"string"},{"type":"integer"}]}`, Variant, "one of 2 kinds"},
		{`{"type":["string","integer","null"]}`, Variant, "one of 2 kinds, or null"},
		{`{"$ref":"#/$defs/short"}`, Text, "text, at most 3 characters"},
		{`{"$ref":"#/$defs/short","minLength":1}`, Text, "text, 1 to 3 characters"},
		{`{"$ref":"#/definitions/a~1b"}`, Integer, "whole number"},
		{`{"$ref":"#/definitions/a%20b"}`, Number, "number"},
		{`{"$ref":"#/properties/deep/items/0"}`, Choice, "true or false"},
		{`{"allOf":[{"type":"string"},{"minLength":1},{"$ref":"#/$defs/short"}]}`, Text, "text, 1 to 3 characters"},
		{`{"type":"object","properties":{"a":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, Object, "object"},
		{`{}`, JSON, "any JSON; text stands in double quotes"},
		{`true`, JSON, "any JSON; text stands in double quotes"},
		{`{"type":"null"}`, Choice, "always null"},
	} {
		f := of(`{"properties":{"x":` + tt.schema + `,"deep":{"items":[{"type":"boolean"}]}},
			"$defs":{"short":{"type":"string","maxLength":3},"color":{"enum":["red","blue"]}},"definitions":{"a/b":{"type":"integer"},"a b":{"type":"number"}}}`)
		n := f.Root.kids[0]
		if n.Kind != tt.kind || n.Words() != tt.words || n.Note != "" {
			t.Errorf("%s: kind %d, %q, note %q; want kind %d, %q", tt.schema, n.Kind, n.Words(), n.Note, tt.kind, tt.words)
		}
	}
}

func TestAllOfIsMerged(t *testing.T) {
	f := of(`{"allOf":[{"type":"object","properties":{"a":{"type":"string"},"b":{"minLength":2}},"required":["a"]},
		{"properties":{"b":{"type":"string","maxLength":3},"c":{"type":"integer"}},"required":["b"]}],"required":["c"]}`)
	for _, name := range []string{"a", "b", "c"} {
		if !f.at(t, name).Required {
			t.Errorf("%s is not required", name)
		}
	}
	if got, want := f.at(t, "b").Words(), "text, 2 to 3 characters"; got != want {
		t.Errorf("b is %s, want %s", got, want)
	}
}

// Only the member that cannot be shown is JSON, and its note says why.
func TestWhatCannotBeShown(t *testing.T) {
	for schema, want := range map[string]string{
		`false`:                                 "the schema allows nothing here",
		`17`:                                    "this is no schema",
		`[]`:                                    "this is no schema",
		`{"type":"strnig"}`:                     "the schema names a type that does not exist: strnig",
		`{"$ref":"#/nowhere"}`:                  `the schema refers to something that is not in it: "#/nowhere"`,
		`{"$ref":"https://example.com/s.json"}`: "the schema refers to another one, which belay does not fetch: https://example.com/s.json",
		`{"$ref":"#/properties/bad"}`:           "the schema leads to itself, or to too much",
		`{"allOf":[{"type":"string"},{"type":"number"}]}`: "the schema contradicts itself",
		`{"$ref":"#/$defs/laughs9"}`:                      "the schema leads to itself, or to too much",
	} {
		var laughs strings.Builder
		for i := range 10 {
			fmt.Fprintf(&laughs, `"laughs%d":{"allOf":[%s]},`, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"$ref":"#/$defs/laughs%d"},`, i-1), 10), ","))
		}
		f := of(`{"properties":{"bad":` + schema + `,"good":{"type":"string"}},"$defs":{` + laughs.String() + `"laughs-1":{"title":"ha"}}}`)
		bad, good := f.at(t, "bad"), f.at(t, "good")
		if bad.Kind != JSON || bad.Note != want {
			t.Errorf("%s: kind %d, note %q, want %q", schema, bad.Kind, bad.Note, want)
		}
		if good.Kind != Text {
			t.Errorf("%s makes its neighbour of kind %d", schema, good.Kind)
		}
		f.load(t, `{"bad":{"x":[1.0]},"good":"g"}`)
		f.means(t, `{"bad":{"x":[1.0]},"good":"g"}`)
	}
}

func TestSchemasThatAreNone(t *testing.T) {
	for raw, note := range map[string]bool{
		``: false, ` `: false, `{}`: false, `true`: false, `{"type":"object"}`: false, `{"type":"object","properties":{}}`: false,
		`null`: true, `[]`: true, `{`: true, `false`: true, `{"type":"string"}`: true, `{"properties":[]}`: true, `{"$ref":"#"}`: true,
		`{"type":"object","type":"object"}`: true,
	} {
		f := of(raw)
		f.means(t, `{}`)
		if got := f.Root.Note != ""; got != note || len(f.Rows()) > 0 || f.Empty() == note {
			t.Errorf("%q: note %q, %d rows, empty: %v", raw, f.Root.Note, len(f.Rows()), f.Empty())
		}
		f.load(t, `{"a":1.0}`)
		f.means(t, `{"a":1.0}`)
	}
}

// A schema that contains itself is read as far as it is opened.
func TestRecursiveSchemas(t *testing.T) {
	f := of(`{"$ref":"#/$defs/node","$defs":{"node":{"type":"object","required":["name"],"properties":{
		"name":{"type":"string"},"next":{"$ref":"#/$defs/node"},"kids":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`)
	if got := len(f.Rows()); got != 3 {
		t.Errorf("%d rows before anything is opened", got)
	}
	f.load(t, `{"name":"a","next":{"name":"b","next":{"name":"c"}},"kids":[{"name":"d","kids":[{"name":"e"}]}]}`)
	f.at(t, "next.next.name").typeIn("C")
	f.at(t, "kids.0.kids.0").Add(f.at(t, "kids.0"))
	f.means(t, `{"name":"a","next":{"name":"b","next":{"name":"C"}},"kids":[{"name":"d","kids":[{"name":"e"}]}]}`)
	// What is required and contains itself, many times over, is not opened without
	// end.
	var many strings.Builder
	var names []string
	for i := range 50 {
		fmt.Fprintf(&many, `"p%d":{"$ref":"#"},`, i)
		names = append(names, fmt.Sprintf(`"p%d"`, i))
	}
	f = of(`{"type":"object","properties":{` + strings.TrimSuffix(many.String(), ",") + `},"required":[` + strings.Join(names, ",") + `]}`)
	if f.nodes > 2*opensMost {
		t.Errorf("%d nodes", f.nodes)
	}
}

// Variants in variants of a schema that contains itself cost no more than the
// value has levels.
func TestDeepVariantsAreCheap(t *testing.T) {
	f := of(`{"properties":{"x":{"$ref":"#/$defs/e"}},"$defs":{"e":{"anyOf":[
		{"type":"object","properties":{"not":{"$ref":"#/$defs/e"}},"required":["not"]},
		{"type":"object","properties":{"and":{"$ref":"#/$defs/e"}},"required":["and"]},
		{"type":"object","properties":{"or":{"$ref":"#/$defs/e"}},"required":["or"]},
		{"type":"array","items":{"$ref":"#/$defs/e"}},{"type":"string"}]}}}`)
	value := `"x"`
	for i := range 300 {
		value = fmt.Sprintf([]string{`{"not":%s}`, `{"and":%s}`, `[%s]`}[i%3], value)
	}
	f.load(t, `{"x":`+value+`}`)
	f.forget()
	f.means(t, `{"x":`+value+`}`)
	if n, why := f.Problem(); n != nil {
		t.Errorf("problem %q", why)
	}
}

func TestHugeSchemasAndValues(t *testing.T) {
	var p strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&p, `"p%04d":{"type":"string","description":"d"},`, i)
	}
	f := of(`{"properties":{` + strings.TrimSuffix(p.String(), ",") + `}}`)
	if got := len(f.Rows()); got != 1000 {
		t.Errorf("%d rows for 1000 properties", got)
	}
	f.at(t, "p0999").typeIn("x")
	f.means(t, `{"p0999":"x"}`)

	options := make([]string, 10_000)
	for i := range options {
		options[i] = fmt.Sprintf(`"option %05d"`, i)
	}
	f = props(`"e":{"enum":[` + strings.Join(options, ",") + `]},"m":{"type":"array","items":{"enum":[` + strings.Join(options, ",") + `]}}`)
	e, m := f.at(t, "e"), f.at(t, "m")
	e.Filter.Set("N 0777")
	e.Filtered()
	if got := len(e.Found()); got != 10 {
		t.Errorf("%d options found", got)
	}
	e.Turn(1)
	m.Filter.Set("09999")
	m.Filtered()
	m.Toggle()
	m.ClearFilter()
	f.means(t, `{"e":"option 07771","m":["option 09999"]}`)

	list := `{"l":[` + strings.TrimSuffix(strings.Repeat("1.0,", 100_000), ",") + `]}`
	f = props(`"l":{"type":"array","items":{"type":"number"}}`)
	f.load(t, list)
	f.means(t, list)
	if l := f.at(t, "l"); !l.AsJSON() {
		t.Error("a list of 100,000 items became 100,000 fields")
	}
}

// Variants without a title are told apart by their members, by what they
// enumerate, and in the end by their places. The same one twice is one.
func TestNamesOfVariants(t *testing.T) {
	for variants, want := range map[string][]string{
		`{"type":"object","properties":{"x":{"type":"string"}}},
			{"type":"object","properties":{"a":{},"b":{},"c":{},"d":{}},"required":["a","b","c","d"]},
			{"type":"object"}`: {"with x", "with a, b, c, …", "object"},
		`{"type":"number","const":1},{"enum":["a","b","c","d"]},{"properties":{"$meta":{}}}`:                                          {"1", "a, b, c, …", "with $meta"},
		`{"type":"string"},{"type":"string"},{"type":"object"}`:                                                                       {"text", "object"},
		`{"type":"array","items":{"type":"string"}},{"type":"integer"},{"type":"array","items":{"type":"string"},"uniqueItems":true}`: {"list of texts 1", "whole number", "list of texts 2"},
	} {
		s := ParseSchema([]byte(`{"properties":{"v":{"anyOf":[` + variants + `]}}}`))
		var names []string
		for _, b := range s.root.Props[0].Type().Variants {
			names = append(names, b.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%q, want %q", names, want)
		}
	}
}

// A schema that is another one or null may be that other one.
func TestNothingButItself(t *testing.T) {
	for _, self := range []string{
		`{"anyOf":[{"$ref":"#/properties/a"},{"type":"null"}]}`,
		`{"oneOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}`,
		`{"title":"x","anyOf":[{"anyOf":[{"$ref":"#/properties/a"}]}]}`,
	} {
		f := props(`"a":`+self).load(t, `{"a":[1]}`)
		if n := f.at(t, "a"); !n.AsJSON() || n.Note != errTooMuch.Error() {
			t.Errorf("%s: %q", self, n.Note)
		}
		f.means(t, `{"a":[1]}`)
	}
}

// Options that would look alike, or like nothing, are named by their JSON.
func TestOptionsAreToldApart(t *testing.T) {
	for schema, want := range map[string][]string{
		`{"enum":[1,"1",null,true,"",1.0]}`:                                           {"1", `"1"`, "null", "true", `""`},
		`{"enum":["null",null,"a"," a"," "]}`:                                         {`"null"`, "null", `"a"`, `" a"`, `" "`},
		`{"enum":["\"1\"","1",1]}`:                                                    {`"\"1\""`, `"1"`, "1"},
		`{"oneOf":[{"const":"x","title":"A"},{"const":"y","title":"A"},{"const":2}]}`: {`"x"`, `"y"`, "2"},
		`{"enum":["a","b"],"enumNames":["","B"]}`:                                     {`"a"`, "B"},
		`{"const":""}`: {`""`},
	} {
		var got []string
		for _, o := range props(`"e":`+schema).at(t, "e").Options {
			got = append(got, o.Title)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", schema, got, want)
		}
	}
}

// What is broken in a schema is said, and what is not broken in it holds.
func TestABrokenSchemaIsNamed(t *testing.T) {
	for schema, note := range map[string]string{
		`[]`:                                     "[] is no schema",
		`null`:                                   "null is no schema",
		`"x"`:                                    `"x" is no schema`,
		`{"properties":{"a":{}},"required":"a"}`: "the schema names what is required in a broken way",
		`{"properties":{"a":{}},"required":["a",3,"zz"]}`:   "the schema names what is required in a broken way",
		`{"properties":{"a":{}},"required":["a","zz"]}`:     "",
		`{"properties":{"a":{"required":true}}}`:            "",
		`{"properties":{"a":{}},"required":[]}`:             "",
		`{"properties":[],"required":{"a":true},"type":[]}`: "the properties of the schema are broken",
	} {
		f := of(schema)
		if f.Root.Note != note {
			t.Errorf("%s: the note is %q, want %q", schema, f.Root.Note, note)
		}
		if f.Empty() != (len(f.Rows()) == 0 && note == "") {
			t.Errorf("%s: Empty is %v", schema, f.Empty())
		}
	}
	f := of(`{"properties":{"a":{},"b":{}},"required":["a",3,"zz"]}`)
	for name, required := range map[string]bool{"a": true, "b": false, "zz": true} {
		if f.at(t, name).Required != required {
			t.Errorf("%s required: %v", name, !required)
		}
	}
}
