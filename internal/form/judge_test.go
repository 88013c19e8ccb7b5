package form

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// What is wrong is said in plain words where it is, whatever keyword says so.
func TestEveryKeywordIsHeeded(t *testing.T) {
	requirements.Rows(t, "ELI-34", "ELI-35")
	const obj = `"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"n":{"type":"number"},"l":{"type":"array"},"o":{"type":"object"}}`
	for _, tt := range []struct{ schema, value, want string }{
		{`"not":{"required":["a","b"]}`, `{"a":"x"}`, ``},
		{`"not":{"required":["a","b"]}`, `{"a":"x","b":"y"}`, `the whole: not all of "a" and "b" may be filled in`},
		{`"not":{"required":["a"]}`, `{"a":"x"}`, `a: must be left out`},
		{`"properties":{"a":{"type":"string","not":{"const":"x"}}}`, `{"a":"x"}`, `a: must not be "x"`},
		{`"properties":{"a":{"type":"string","not":{"pattern":"^x"}}}`, `{"a":"xy"}`, `a: must not match the pattern ^x`},
		{`"properties":{"a":{"not":{"type":["string","null"]}}}`, `{"a":null}`, `a: must not be text or null`},
		{`"properties":{"a":{"type":"string","not":{"minLength":2,"maxLength":3}}}`, `{"a":"xy"}`, `a: must not be of the kind that the schema rules out`},

		{`"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["n"]}`, `{"a":"x"}`, `b: required, given the other members`},
		{`"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]},"else":{"required":["n"]}`, `{}`, `n: required, given the other members`},
		{`"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"required":["b"]}`, `{"a":"y"}`, ``},
		{`"if":{"properties":{"a":{"const":"x"}},"required":["a"]},"then":{"properties":{"n":{"minimum":5}}}`, `{"a":"x","n":1}`, `n: at least 5, given the other members`},

		{`"dependentRequired":{"a":["b"]}`, `{"a":"x"}`, `b: required, as "a" is filled in`},
		{`"dependentRequired":{"a":["b"]}`, `{"b":"x"}`, ``},
		{`"dependencies":{"a":["b"]}`, `{"a":"x"}`, `b: required, as "a" is filled in`},
		{`"dependencies":{"a":{"required":["n"]}}`, `{"a":"x"}`, `n: required, given the other members`},
		{`"dependentSchemas":{"a":{"properties":{"b":{"minLength":3}}}}`, `{"a":"x","b":"y"}`, `b: at least 3 characters; this has 1, given the other members`},

		{`"properties":{"l":{"type":"array","contains":{"const":"x"}}}`, `{"l":["y"]}`, `l: at least 1 item must be "x"; this has 0`},
		{`"properties":{"l":{"type":"array","contains":{"type":"number"},"minContains":2}}`, `{"l":["y",1]}`, `l: at least 2 items must be a number; this has 1`},
		{`"properties":{"l":{"type":"array","contains":{"type":"number"},"maxContains":1}}`, `{"l":[1,2]}`, `l: at most 1 item may be a number; this has 2`},
		{`"properties":{"l":{"type":"array","contains":{"minimum":3,"type":"number"}}}`, `{"l":[]}`, `l: at least 1 item must be of the kind that the schema asks for; this has 0`},
		{`"properties":{"l":{"type":"array","uniqueItems":true}}`, `{"l":[{"a":1,"b":2},{"b":2.0,"a":1e0}]}`, `l: each item once: 1 and 2 are the same`},
		{`"properties":{"l":{"prefixItems":[{"type":"number"},{"type":"string"}],"items":false}}`, `{"l":[1,2]}`, `l > 2: must be text`},
		{`"properties":{"l":{"prefixItems":[{"type":"number"}],"items":false}}`, `{"l":[1,2]}`, `l > 2: the schema allows nothing here`},
		{`"properties":{"l":{"prefixItems":[{"type":"number"}],"unevaluatedItems":false}}`, `{"l":[1,2]}`, `l > 2: the schema allows nothing here`},

		{`"properties":{"o":{"type":"object","propertyNames":{"maxLength":3},"additionalProperties":true}}`, `{"o":{"long name":1}}`, `o > long name: its name: at most 3 characters; this has 9`},
		{`"properties":{"o":{"type":"object","minProperties":1,"additionalProperties":true}}`, `{"o":{}}`, `o: at least 1 member; this has 0`},
		{`"properties":{"o":{"type":"object","maxProperties":1,"additionalProperties":true}}`, `{"o":{"a":1,"b":2}}`, `o: at most 1 member; this has 2`},
		{`"minProperties":1`, `{}`, `the whole: at least 1 member; this has 0`},
		{`"properties":{"o":{"type":"object","patternProperties":{"^n_":{"type":"number"},"^t_":{"type":"string"}}}}`, `{"o":{"n_a":1,"t_a":2}}`, `o > t_a: must be text`},
		{`"additionalProperties":false`, `{"zz":1}`, `zz: the schema allows no member of this name`},
		{`"allOf":[{"properties":{"c":{"type":"string"}}}],"unevaluatedProperties":false`, `{"a":"x","c":"y","d":1}`, `d: the schema allows no member of this name`},

		{`"anyOf":[{"required":["a"]},{"required":["b","n"]}]`, `{"b":"x"}`, `the whole: fill in "a" or "b" and "n"`},
		{`"anyOf":[{"required":["a"]},{"required":["b"]}]`, `{"a":"x","b":"y"}`, ``},
		{`"oneOf":[{"required":["a"]},{"required":["b"]}]`, `{"a":"x","b":"y"}`, `the whole: fill in only one of these: "a" or "b"`},
		{`"properties":{"v":{"oneOf":[{"type":"object","properties":{"n":{"type":"string"}},"required":["n"]},{"type":"object","properties":{"i":{"type":"integer","not":{"const":13}}},"required":["i"]}]}}`, `{"v":{"i":13}}`, `v > i: must not be 13`},
		{`"properties":{"v":{"oneOf":[{"type":"object","properties":{"n":{"type":"string"}},"maxProperties":1},{"type":"string"}]}}`, `{"v":{"n":"x","o":1}}`, `v: at most 1 member; this has 2`},
		{`"properties":{"n":{"oneOf":[{"type":"number","multipleOf":3},{"type":"number","multipleOf":5}]}}`, `{"n":15}`, `n: fits more than one of the kinds that the schema has for it; only one may fit`},
		{`"properties":{"n":{"type":"number","multipleOf":0.01}}`, `{"n":0.07}`, ``},
		{`"properties":{"n":{"type":"number","multipleOf":0.01}}`, `{"n":0.075}`, `n: a multiple of 0.01`},
		{`"allOf":[{"properties":{"n":{"minimum":1}}},{"properties":{"n":{"minimum":5}}}]`, `{"n":3}`, `n: at least 5`},
		{`"properties":{"a":{"const":{"x":1,"y":[2]}}}`, `{"a":{"x":1e0,"y":[2.0]}}`, ``},
		{`"properties":{"a":{"enum":[1,2,3,4,5,6,"7"]}}`, `{"a":8}`, `a: must be 1, 2, 3, 4, 5 or 2 others`},
		{`"properties":{"a":{"anyOf":[{"type":"string"},{"type":"boolean"},{"type":"null"}]}}`, `{"a":8}`, `a: must be text, true or false or null`},
		{`"properties":{"o":{"type":"object","properties":{"p":{"type":"object","required":["q"],"additionalProperties":{}}}}}`, `{"o":{"p":{}}}`, `o > p > q: required`},
		{`"properties":{"a":{"type":"string","nullable":true,"minLength":3}}`, `{"a":null}`, ``},
	} {
		schema := "{" + obj + "," + tt.schema + "}"
		if strings.HasPrefix(tt.schema, `"properties"`) {
			schema = "{" + tt.schema + "}"
		}
		s := ParseSchema([]byte(schema))
		for _, use := range []Use{Arguments, Answer} {
			f := New(s.For(use)).load(t, tt.value)
			n, why := f.Problem()
			got := ""
			if n != nil {
				got = strings.Join(names(n), " > ") + ": " + why
			}
			if got != tt.want && (use == Arguments || (got == "") != (tt.want == "")) {
				t.Errorf("%s\n%s\nuse %d: %q, want %q", tt.schema, tt.value, use, got, tt.want)
			}
		}
		if not := New(s).Unchecked(); len(not) > 0 {
			t.Errorf("%s: not checked: %q", tt.schema, not)
		}
	}
}

// names are the way to a node.
func names(n *Node) (all []string) {
	for ; n.Up() != nil; n = n.Up() {
		switch {
		case n.IsMovable():
			all = append([]string{fmt.Sprint(n.Index() + 1)}, all...)
		case n.Name != "":
			all = append([]string{n.Name}, all...)
		}
	}
	if all == nil {
		return []string{"the whole"}
	}
	return all
}

// What cannot be checked is named, and leads to no false word.
func TestWhatCannotBeCheckedIsNamed(t *testing.T) {
	requirements.Rows(t, "SEC-13", "SEC-15")
	for _, tt := range []struct{ schema, value, want string }{
		{`{"not":{"$ref":"https://example.com/s"}}`, `{"a":1}`, "the schema at https://example.com/s, which belay does not fetch"},
		{`{"if":{"$ref":"other.json"},"then":{"required":["x"]}}`, `{}`, "the schema at other.json, which belay does not fetch"},
		{`{"oneOf":[{"required":["a"]},{"$ref":"#/nowhere"}],"dependentSchemas":{"a":{"$ref":"#/nowhere"}}}`, `{"a":1}`, `the schema refers to something that is not in it: "#/nowhere"`},
		{`{"patternProperties":{"^(?=x)":{"type":"string"}},"additionalProperties":false}`, `{"x":1}`, "members that are named like ^(?=x)"},
		{`{"propertyNames":{"pattern":"^(?!x)"}}`, `{"x":1}`, "the pattern ^(?!x)"},
		{`{"$dynamicRef":"#meta","unevaluatedProperties":false}`, `{"x":1}`, "$dynamicRef"},
		{`{"$ref":"#"}`, `{}`, "a value that is this large, or this deep, against this schema"},
		{`{"allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}}}`, `{}`, "a value that is this large, or this deep, against this schema"},
	} {
		f := of(tt.schema).load(t, tt.value)
		if n, why := f.Problem(); n != nil {
			t.Errorf("%s: %s", tt.schema, why)
		}
		if got := strings.Join(f.Unchecked(), "; "); got != tt.want {
			t.Errorf("%s: not checked: %q, want %q", tt.schema, got, tt.want)
		}
	}
}

// A large schema and a large value cost no more than is allowed.
func TestTheWorkIsBounded(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	var deep strings.Builder
	for range 5000 {
		deep.WriteString(`{"not":`)
	}
	deep.WriteString("{}" + strings.Repeat("}", 5000))
	f := of(deep.String()).load(t, `{}`)
	if f.Problem(); len(f.Unchecked()) == 0 {
		t.Error("nothing tells that a schema this deep is not checked")
	}

	f = of(`{"anyOf":[`+strings.Repeat(`{"type":"string"},`, 1_000_000)+`{}]}`).load(t, `{}`)
	if f.Root.Note != TooLarge {
		t.Error("nothing tells that a schema with a million parts is not read")
	}

	// Alternatives in alternatives: without a bound this would end never.
	defs := `"d0":{"type":"string"}`
	for i := range 60 {
		defs += fmt.Sprintf(`,"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i+1, i, i)
	}
	f = of(`{"properties":{"a":{"not":{"$ref":"#/$defs/d60"}}},"$defs":{`+defs+`}}`).load(t, `{"a":1}`)
	if n, why := f.Problem(); n != nil || len(f.Unchecked()) == 0 {
		t.Errorf("alternatives without end: %s", why)
	}

	value := `{"l":[` + strings.Repeat(`"x",`, 20_000) + `1]}`
	f = of(`{"properties":{"l":{"items":{"anyOf":[{"const":"x"},{"type":"number","minimum":2}]}}}}`).load(t, value)
	if _, lacks := f.Whole(); lacks || f.full {
		t.Error("a value this large is looked at whole for each frame")
	}
	if n, why := f.Problem(); n == nil {
		t.Errorf("what is wrong in a large value is not found: %s", why)
	}
}

// What was found stands until the value changes, and is found anew then.
func TestAProblemFollowsTheValue(t *testing.T) {
	f := of(`{"properties":{"a":{"type":"string"},"b":{"type":"string","pattern":"^x"}},"dependentRequired":{"a":["b"]},"minProperties":1}`)
	a, b := f.at(t, "a"), f.at(t, "b")
	if why, lacks := f.Whole(); why != "at least 1 member; this has 0" || !lacks {
		t.Errorf("the empty object: %q, lacks %v", why, lacks)
	}
	for _, step := range []struct {
		do   func()
		want string // at b
	}{
		{func() { a.typeIn("1") }, `required, as "a" is filled in`},
		{func() { b.typeIn("y") }, "does not match the pattern ^x"},
		{func() { b.typeIn("x") }, ""},
		{func() { b.Unset() }, `required, as "a" is filled in`},
		{func() { a.Unset() }, ""},
	} {
		step.do()
		if got := b.Problem(); got != step.want {
			t.Errorf("%s: %q, want %q", f.JSON(), got, step.want)
		}
	}
}

// A long text is not matched again for each frame, and one that is too long for
// its pattern not at all.
func TestALongTextIsMatchedOnce(t *testing.T) {
	f := of(`{"properties":{"a":{"type":"string","pattern":"^(x|y)*$"}}}`)
	a := f.at(t, "a").typeIn(strings.Repeat("x", 1<<20) + "z")
	if why := a.Problem(); why == "" || a.IsTooLong() {
		t.Errorf("a text of a megabyte: %q, too long: %v", why, a.IsTooLong())
	}
	if n := testing.AllocsPerRun(10, func() { a.Problem() }); n > 0 {
		t.Errorf("asked again, what is wrong is worked out again: %v allocations", n)
	}
	a.typeIn(strings.Repeat("x", 1<<24) + "z")
	if why := a.Problem(); why != "" || !a.IsTooLong() {
		t.Errorf("a text of 16 megabytes: %q, too long: %v", why, a.IsTooLong())
	}
	a.typeIn("x")
	if a.Problem() != "" || a.IsTooLong() {
		t.Error("a short text is taken for a long one")
	}
}
