package mcp

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestWhatAToolMayMirror(t *testing.T) {
	requirements.Rows(t, "HTM-27", "HTM-28", "HTM-29", "HTM-30", "HTM-32")
	one := func(annotation, rest string) string {
		return `{"type":"object","properties":{"a":{"x-mcp-header":` + annotation + rest + `}}}`
	}
	many := func(n int) (schema, mirrors string) {
		var properties, all []string
		for i := range n {
			properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","x-mcp-header":"H%d"}`, i, i))
			all = append(all, fmt.Sprintf("Mcp-Param-H%d=p%d", i, i))
		}
		return `{"properties":{` + strings.Join(properties, ",") + `}}`, strings.Join(all, " ")
	}
	most, mostMirrors := many(maxMirrors)
	tooMany, _ := many(maxMirrors + 1)
	for _, tt := range []struct{ schema, want, why string }{
		{most, mostMirrors, ""},
		{tooMany, "", "more than 100 parameters"},
		{one(`"`+strings.Repeat("h", maxMirrorHeader)+`"`, `,"type":"string"`), "Mcp-Param-" + strings.Repeat("h", maxMirrorHeader) + "=a", ""},
		{one(`"`+strings.Repeat("h", maxMirrorHeader+1)+`"`, `,"type":"string"`), "", "x-mcp-header of a has 257 bytes; belay sends at most 256"},
		{`{"type":"object","properties":{"a":{"type":"string"}}}`, "", ""},
		{one(`"Region"`, `,"type":"string"`), "Mcp-Param-Region=a", ""},
		{one(`"n"`, `,"type":"integer"`), "Mcp-Param-n=a", ""},
		{one(`"b!#$%&'*+-.^_|~9"`, `,"type":"boolean"`), "Mcp-Param-b!#$%&'*+-.^_|~9=a", ""},
		{`{"properties":{"a":{"type":"object","properties":{"b":{"properties":{"c":{"type":"string","x-mcp-header":"C"}}}}}}}`, "Mcp-Param-C=a.b.c", ""},
		{`{"properties":{"a":{"type":"string","x-mcp-\u0068eader":"Region"}}}`, "Mcp-Param-Region=a", ""},
		// A parameter may be called as the keyword is, and values are no schemas.
		{`{"properties":{"x-mcp-header":{"type":"string"},"b":{"default":{"x-mcp-header":""},"enum":[{"x-mcp-header":""}],"const":{"x-mcp-header":""}}}}`, "", ""},
		{one(`""`, `,"type":"string"`), "", "empty"},
		{one(`"a b"`, `,"type":"string"`), "", "HTTP token"},
		{one(`"a:b"`, `,"type":"string"`), "", "HTTP token"},
		{one(`"Région"`, `,"type":"string"`), "", "HTTP token"},
		{one(`"a\tb"`, `,"type":"string"`), "", "HTTP token"},
		{one(`"a\rb"`, `,"type":"string"`), "", "HTTP token"},
		{one(`"a\nb"`, `,"type":"string"`), "", "HTTP token"},
		{one(`7`, `,"type":"string"`), "", "not a string"},
		{one(`null`, `,"type":"string"`), "", "not a string"},
		{one(`"N"`, `,"type":"number"`), "", `"number"`},
		{one(`"N"`, `,"type":"array"`), "", `"array"`},
		{one(`"N"`, `,"type":"object"`), "", `"object"`},
		{one(`"N"`, `,"type":"null"`), "", `"null"`},
		{one(`"N"`, `,"type":["string","null"]`), "", `["string","null"]`},
		{one(`"N"`, ``), "", "no type"},
		{`{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"string","x-mcp-header":"REGION"}}}`, "", "a and b"},
		{`{"properties":{"a":{"type":"string","x-mcp-header":"R"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"r"}}}}}`, "", "a and b.c"},
		{`{"type":"string","x-mcp-header":"Root"}`, "", "no steps of properties"},
		{`{"properties":{"a":` + strings.Repeat(`{"properties":{"a":`, 70) + `{"type":"string","x-mcp-header":"A"}` + strings.Repeat("}}", 70) + `}}`, "", "deeper"},
	} {
		list, why := mirrorsOf([]byte(tt.schema))
		var got []string
		for _, m := range list {
			got = append(got, m.Header+"="+m.Name())
		}
		if strings.Join(got, " ") != tt.want || (why == "") != (tt.why == "") || !strings.Contains(why, tt.why) {
			t.Errorf("%s\n%q, %q", tt.schema, got, why)
		}
	}
	deep := Mirror{Path: []string{"a", strings.Repeat("b", 1e5), "c"}}
	if want := "a." + strings.Repeat("b", 398) + "…"; deep.Name() != want {
		t.Errorf("a long path reads %q", deep.Name())
	}
	const annotated = `{"type":"string","x-mcp-header":"A"}`
	for _, form := range []string{
		`"items":%s`, `"items":[%s]`, `"prefixItems":[%s]`, `"additionalProperties":%s`, `"oneOf":[{},%s]`, `"anyOf":[%s]`, `"allOf":[%s]`,
		`"not":%s`, `"if":%s`, `"then":%s`, `"else":%s`, `"$defs":{"a":%s}`, `"definitions":{"a":%s}`, `"patternProperties":{".":%s}`,
		`"dependentSchemas":{"a":%s}`, `"contains":%s`, `"propertyNames":%s`, `"unevaluatedProperties":%s`, `"unevaluatedItems":%s`, `"contentSchema":%s`,
		`"additionalItems":%s`, `"dependencies":{"a":%s}`,
	} {
		for _, inner := range []string{annotated, `{"properties":{"a":` + annotated + `}}`} {
			for _, schema := range []string{`{` + form + `}`, `{"properties":{"p":{` + form + `}}}`} {
				schema = fmt.Sprintf(schema, inner)
				if _, why := mirrorsOf([]byte(schema)); !strings.Contains(why, "no steps of properties") {
					t.Errorf("%s: %q", schema, why)
				}
			}
		}
	}
}
