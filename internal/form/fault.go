package form

import (
	"fmt"
	"slices"
	"strings"
)

// kindFault says that a value is another one altogether than those that the rule
// takes, or "".
func (r *rule) kindFault(v *datum) string {
	if r.typed && !r.takesKind(v) {
		return "must be " + r.kindWords()
	}
	if r.listed != nil && !r.lists(v) {
		return "must be " + listedWords(r.listed)
	}
	return ""
}

// lists reports whether the value is one of those that the rule names.
func (r *rule) lists(v *datum) bool {
	return r.values[v.same()]
}

func (r *rule) takesKind(v *datum) bool {
	has := func(name string) bool { return slices.Contains(r.types, name) }
	switch v.kind {
	case 'n':
		return r.null
	case 't':
		return has("boolean")
	case '"':
		return has("string")
	case '0':
		return has("number") || has("integer") && parseDecimal(string(v.raw)).isWhole()
	case '[':
		return has("array")
	case '{':
		return has("object")
	}
	return false
}

// kindWords are the kinds of a rule that names them: "text or null".
func (r *rule) kindWords() string { return either(r.kinds()) }

func (r *rule) kinds() (words []string) {
	for _, name := range r.types {
		words = append(words, typeArticles[name])
	}
	if r.null {
		words = append(words, "null")
	}
	return words
}

var typeArticles = map[string]string{
	"string": "text", "number": "a number", "integer": "a whole number", "boolean": "true or false", "array": "a list", "object": "an object",
}

// either writes alternatives: "a, b or c".
func either(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return strings.Join(words, "")
}

// listedWords names some values.
func listedWords(values [][]byte) string {
	const most = 5
	var words []string
	for _, v := range values[:min(most, len(values))] {
		words = append(words, jsonWords(v))
	}
	switch {
	case len(values) == 0:
		return "none: the schema names no value"
	case len(values) > most:
		words = append(words, plural(len(values)-most, "other"))
	}
	return either(words)
}

func nothingHere(at []step) string {
	if n := len(at); n > 0 && at[n-1].name != "" {
		return "the schema allows no member of this name"
	}
	return "the schema allows nothing here"
}

// forbidden is the fault of a value that keeps a rule that it must not keep.
func (r *rule) forbidden() fault {
	switch {
	case r.only == "required" && len(r.required) == 1:
		return fault{at: []step{{name: r.required[0]}}, why: "must be left out"}
	case r.only == "required" && len(r.required) > 1:
		return fault{why: "not all of " + allOf(r.required) + " may be filled in"}
	case r.only == "enum", r.only == "const":
		return fault{why: "must not be " + listedWords(r.listed)}
	case r.only == "type":
		return fault{why: "must not be " + r.kindWords()}
	case r.only == "pattern":
		return fault{why: "must not match the pattern " + patternWords(r.text.Pattern, shownMost)}
	}
	return fault{why: "must not be of the kind that the schema rules out"}
}

// allOf names members: "a and b".
func allOf(names []string) string {
	words := make([]string, len(names))
	for i, n := range names {
		words[i] = quoted(n)
	}
	return strings.Join(words, " and ")
}

// asItem says what the items of a list are that keep the rule.
func (r *rule) asItem() string {
	switch {
	case r.only == "enum", r.only == "const":
		return listedWords(r.listed)
	case r.only == "type":
		return r.kindWords()
	case r.only == "":
		return "of any kind"
	}
	return "of the kind that the schema asks for"
}

// fillIn says which members alternatives ask for that do nothing else, or "".
func fillIn(all []*rule) string {
	var words []string
	for _, r := range all {
		if r == nil || r.only != "required" || len(r.required) == 0 {
			return ""
		}
		words = append(words, allOf(r.required))
	}
	return "fill in " + either(words)
}

func tooManyFit(all []*rule) string {
	if why := fillIn(all); why != "" {
		return strings.Replace(why, "fill in", "fill in only one of these:", 1)
	}
	return "fits more than one of the kinds that the schema has for it; only one may fit"
}

// eitherWords says what a value must be that none of the alternatives takes.
func eitherWords(all []*rule) string {
	var listed [][]byte
	var words []string
	for _, r := range all {
		switch {
		case r == nil:
		case r.listed != nil:
			listed = append(listed, r.listed...)
		case r.typed:
			for _, w := range r.kinds() {
				if !slices.Contains(words, w) {
					words = append(words, w)
				}
			}
		default:
			return "fits none of the kinds that the schema has for it"
		}
	}
	if len(listed) > 0 {
		words = append([]string{listedWords(listed)}, words...)
	}
	return "must be " + either(words)
}

// twice says which of some values are the same, or "".
func twice(keys []string) string {
	first := make(map[string]int, len(keys))
	for i, k := range keys {
		if k == "" {
			continue
		}
		if at, ok := first[k]; ok {
			return fmt.Sprintf("each item once: %d and %d are the same", at+1, i+1)
		}
		first[k] = i
	}
	return ""
}
