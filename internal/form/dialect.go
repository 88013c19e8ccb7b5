package form

import "strings"

// dialect is a version of JSON Schema.
type dialect struct {
	name string
	path string // of its address, below json-schema.org
	lone bool   // what stands beside a $ref does not count
}

// dialects are those that values are checked by, the newest first. That is also
// the dialect of a schema that names none.
var dialects = []dialect{
	{name: "2020-12", path: "draft/2020-12/schema"},
	{name: "2019-09", path: "draft/2019-09/schema"},
	{name: "draft-07", path: "draft-07/schema", lone: true},
	{name: "draft-06", path: "draft-06/schema", lone: true},
}

// newer are the keywords that a dialect does not have, by the dialect that came
// after it and brought them.
var newer = map[string][]string{
	"2020-12":  {"prefixItems", "$dynamicRef"},
	"2019-09":  {"dependentRequired", "dependentSchemas", "unevaluatedItems", "unevaluatedProperties", "minContains", "maxContains", "$recursiveRef"},
	"draft-07": {"if", "then", "else"},
}

// Dialects names the dialects of JSON Schema that values are checked by, the one
// of a schema that names none first.
func Dialects() []string {
	names := make([]string, len(dialects))
	for i, d := range dialects {
		names[i] = d.name
	}
	return names
}

// dialect is the dialect that the schema is written in. When that is none that
// belay knows, refused says so; the words may quote the schema.
func (d *document) dialect() (is dialect, refused string) {
	named := d.member(d.raw, "$schema")
	if kindOf(named) != '"' {
		return dialects[0], ""
	}
	address := shownOf(named)
	name := strings.TrimSuffix(strings.TrimSuffix(address, "#"), "/")
	for _, scheme := range []string{"http://", "https://"} {
		name = strings.TrimPrefix(name, scheme)
	}
	path, official := strings.CutPrefix(name, "json-schema.org/")
	if official && path == "schema" { // whatever is the latest
		return dialects[0], ""
	}
	for _, d := range dialects {
		if official && path == d.path {
			return d, ""
		}
	}
	if official {
		address = strings.TrimPrefix(strings.TrimSuffix(path, "/schema"), "draft/")
	}
	return dialect{}, NoDialect + nameWords(address, 40)
}

// NoDialect begins the note about a schema in a dialect that belay does not know.
const NoDialect = "dialect not supported: "

// has reports whether the dialect has a keyword. What it does not have means nothing
// in it.
func (d dialect) has(keyword string) bool {
	for _, other := range dialects {
		if other.name == d.name {
			return true
		}
		for _, k := range newer[other.name] {
			if k == keyword {
				return false
			}
		}
	}
	return true
}
