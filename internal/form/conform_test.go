package form

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func (r Report) String() string {
	var words []string
	for _, f := range r.Findings {
		words = append(words, strings.TrimPrefix(f.Where+": "+f.Why, ": "))
	}
	if r.Refused != "" {
		words = append(words, "refused: "+r.Refused)
	}
	for _, u := range r.Unchecked {
		words = append(words, "unchecked: "+u)
	}
	return strings.Join(words, "; ")
}

// Any value is checked by the whole of a schema, and a schema that names no
// dialect is one of 2020-12.
func TestAValueIsCheckedByASchema(t *testing.T) {
	requirements.Rows(t, "SRV-11", "SRV-47")
	const rows = `{"type":"object","required":["rows"],"properties":{"rows":{"type":"array","items":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"}}}}}}`
	for _, tt := range []struct{ schema, value, want string }{
		{rows, `{"rows":[{"n":1},{"n":2}]}`, ``},
		{rows, `{"rows":[{"n":1},{"n":"2"},{}]}`, `"rows" > 2 > "n": must be a whole number; "rows" > 3 > "n": required`},
		{rows, `[]`, `must be an object`},
		{rows, `null`, `must be an object`},
		{`{"type":"number","minimum":3}`, `2`, `at least 3`},
		{`{"type":["string","null"]}`, `null`, ``},
		{`{"prefixItems":[{"type":"number"}],"items":false}`, `[1,2]`, `2: the schema allows nothing here`},
		{`{"$defs":{"a":{"type":"string"}},"items":{"$ref":"#/$defs/a"},"uniqueItems":true}`, `["x",7]`, `2: must be text`},
		{`{"$defs":{"a":{"$anchor":"word","type":"string"}},"items":{"$ref":"#word"}}`, `["x",7]`, `2: must be text`},
		{`{"$ref":"#/$defs/a","minLength":3,"$defs":{"a":{"type":"string"}}}`, `"xy"`, `at least 3 characters; this has 2`},
		{`{"properties":{"a":true},"unevaluatedProperties":false}`, `{"a":1,"b":2}`, `"b": the schema allows no member of this name`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `"b": required, as "a" is filled in`},
		{`{"type":"string","format":"date"}`, `"yesterday"`, ``}, // a remark, no rule
		{`true`, `7`, ``},
		{`false`, `7`, `the schema allows nothing here`},
		{`{}`, `7`, ``},
		{`null`, `7`, `refused: null is no schema`},
		{`{"a":1,"a":2}`, `7`, `refused: the schema is broken: line 1: a member occurs twice: "a"`},
		{`{"properties":{"a":{"$ref":"https://example.com/s"}}}`, `{"a":1}`, `unchecked: the schema at https://example.com/s, which belay does not fetch`},
		{`{"type":"intger"}`, `"x"`, `unchecked: the type intger, which JSON Schema does not have`},
		{`{"pattern":"^(?!foo)"}`, `"foobar"`, `unchecked: the pattern ^(?!foo)`},
		{`{"$ref":"#"}`, `7`, `refused: a value that is this large, or this deep, against this schema`},
		{`{"type":"string"}`, `"` + strings.Repeat("x", checkMost) + `"`, `refused: a value of more than 4 MB is too much to check`},
	} {
		if got := Check(t.Context(), []byte(tt.schema), []byte(tt.value)).String(); got != tt.want {
			t.Errorf("%.80s by %s: %q, want %q", tt.value, tt.schema, got, tt.want)
		}
	}
	if r := Check(t.Context(), []byte(`{"items":{"type":"string"}}`), []byte("["+strings.TrimSuffix(strings.Repeat("1,", 1000), ",")+"]")); len(r.Findings) != faultsMost || !r.More {
		t.Errorf("%d findings, more: %v", len(r.Findings), r.More)
	}
}

// A schema is checked by the dialect that it names: what that does not have means
// nothing, and one that nobody knows is named.
func TestSchemasHaveDialects(t *testing.T) {
	requirements.Rows(t, "SRV-47", "SRV-48")
	const rules = `,"if":{"type":"number"},"then":{"minimum":5},"dependentRequired":{"a":["b"]},"prefixItems":[{"type":"string"}]}`
	for dialect, want := range map[string][3]bool{ // whether it knows if, dependentRequired and prefixItems
		``: {true, true, true},
		`https://json-schema.org/draft/2020-12/schema`: {true, true, true},
		`https://json-schema.org/schema`:               {true, true, true},
		`http://json-schema.org/draft/2019-09/schema#`: {true, true, false},
		`http://json-schema.org/draft-07/schema#`:      {true, false, false},
		`https://json-schema.org/draft-07/schema`:      {true, false, false},
		`http://json-schema.org/draft-06/schema#`:      {false, false, false},
	} {
		schema := `{"$comment":""` + rules
		if dialect != "" {
			schema = `{"$schema":"` + dialect + `"` + rules
		}
		for i, value := range []string{`3`, `{"a":1}`, `[1]`} {
			if got := Check(t.Context(), []byte(schema), []byte(value)); (len(got.Findings) > 0) != want[i] || got.Refused != "" {
				t.Errorf("%s by %s: %q", value, dialect, got)
			}
		}
	}
	for address, name := range map[string]string{
		`http://json-schema.org/draft-04/schema#`:      "draft-04",
		`http://json-schema.org/draft-03/schema`:       "draft-03",
		`https://json-schema.org/draft/2030-01/schema`: "2030-01",
		`https://example.com/mine`:                     "https://example.com/mine",
	} {
		schema := fmt.Sprintf(`{"$schema":%q,"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, address)
		if got := Check(t.Context(), []byte(schema), []byte(`{}`)).String(); got != "refused: dialect not supported: "+name {
			t.Errorf("%s: %q", address, got)
		}
		f := of(schema)
		if f.Root.Note != "dialect not supported: "+name || f.Empty() {
			t.Errorf("%s: the form says %q", address, f.Root.Note)
		}
		if err := f.SetJSON([]byte(`{"a":7,"b":[1]}`)); err != nil || string(f.JSON()) != `{"a":7,"b":[1]}` {
			t.Errorf("%s: %s, %v", address, f.JSON(), err)
		}
		if n, why := f.Problem(); n != nil {
			t.Errorf("%s: %s", address, why)
		}
	}
	if !slices.Equal(Dialects(), []string{"2020-12", "2019-09", "draft-07", "draft-06"}) {
		t.Errorf("%q", Dialects())
	}
}

// Keywords that no field can show, and that nobody knows, lose nothing: the value
// comes back as it was.
func TestUnknownKeywordsLoseNothing(t *testing.T) {
	requirements.Rows(t, "SRV-50")
	const schema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","$defs":{"address":{"type":"object","properties":{"street":{"type":"string"}}}},` +
		`"properties":{"name":{"type":"string","x-widget":"fancy"},"address":{"$ref":"#/$defs/address"},"odd":{"x-kind":"matrix","contentSchema":{"type":"array"}},` +
		`"tuple":{"prefixItems":[{"type":"number"},{"not":{"type":"null"}}]}},"additionalProperties":false,"x-whole":[1]}`
	for _, value := range []string{
		`{"name":"n","address":{"street":"s","zip":{"a":[1.50]}},"odd":{"deep":[[1,2],{"x":null}]},"tuple":[1,{"y":1e2}]}`,
		`{"odd":1.0,"tuple":[]}`,
		`{"odd":"text","extra":[true]}`,
	} {
		f := of(schema)
		if err := f.SetJSON([]byte(value)); err != nil {
			t.Fatalf("%s: %v", value, err)
		}
		if got := string(f.JSON()); got != value {
			t.Errorf("%s came back as %s", value, got)
		}
		f.forget()
		if got, want := exact(t, f.JSON()), exact(t, []byte(value)); got != want {
			t.Errorf("written anew: %s, want %s", got, want)
		}
	}
	f := of(schema)
	if odd := f.Root.kids[slices.IndexFunc(f.Root.kids, func(n *Node) bool { return n.Name == "odd" })]; odd.Kind != JSON {
		t.Errorf("what nobody knows is shown as %v", odd.Kind)
	}
}
