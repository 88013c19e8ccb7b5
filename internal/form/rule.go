package form

import (
	"errors"
	"regexp"
	"slices"
	"strings"
)

// rule is a schema as a value is checked against it: the whole of it, unlike a
// [Type], which is what a form can show. A nil rule takes everything.
type rule struct {
	never bool   // false as a schema
	blind bool   // something in it cannot be checked
	only  string // the one keyword that it has, or "several"

	nullable bool // a null passes, whatever else is said
	typed    bool
	types    []string
	null     bool

	listed [][]byte        // the only values
	values map[string]bool // the same, to find one

	text, number, list *Type // limits

	all, anyOf, oneOf []*rule
	not               *rule
	cond, then, other *rule

	prefix    []*rule
	items     *rule
	contains  *rule
	least     int
	most      *int
	restItems *rule // unevaluatedItems

	props      map[string]*rule
	patterns   []patternRule
	rest       *rule // additionalProperties
	names      *rule
	minMembers *int
	maxMembers *int
	required   []string
	needs      []dependency
	restProps  *rule // unevaluatedProperties
}

type patternRule struct {
	re   *regexp.Regexp
	size int
	rule *rule
}

// steps is how many it takes to match a name.
func (p *patternRule) steps(name string) int { return 1 + len(name)*p.size/16 }

// dependency is what is asked for because the member called name is there.
type dependency struct {
	name  string
	names []string
	rule  *rule
}

// rules are those of a whole schema. They are made when a value is first checked.
type rules struct {
	doc     *document
	root    *rule
	made    bool
	refs    map[string]*rule
	dialect dialect
	remarks bool // a format is but a remark
	tracks  bool // somewhere it counts what was looked at before

	unchecked []string // what belay cannot check, in words; foreign
}

// schemaDepth bounds how deeply the parts of a schema are nested.
const schemaDepth = 200

const tooLarge = "all of a schema that is this large"

// get makes the rules, once.
func (s *rules) get() *rule {
	if !s.made {
		s.made, s.refs = true, map[string]*rule{}
		raw := s.doc.raw
		if string(raw) == "false" {
			s.root = &rule{never: true}
			return s.root
		}
		if _, err := s.doc.members(raw); err != nil || kindOf(raw) != '{' {
			return nil // the form says it
		}
		var refused string
		if s.dialect, refused = s.doc.dialect(); refused != "" {
			return nil // … and this
		}
		s.refs["#"] = &rule{}
		*s.refs["#"] = *s.make(raw, 0)
		s.root = s.refs["#"]
	}
	return s.root
}

func (s *rules) skip(what string) {
	const most = 8
	if !slices.Contains(s.unchecked, what) && len(s.unchecked) < most {
		s.unchecked = append(s.unchecked, what)
	}
}

// rule makes the rule of a schema, nil for one that takes everything.
func (s *rules) rule(raw []byte, depth int) *rule {
	switch {
	case string(raw) == "false":
		return &rule{never: true}
	case kindOf(raw) != '{':
		return nil
	}
	return s.make(raw, depth)
}

// make makes the rule of a schema that is an object.
func (s *rules) make(raw []byte, depth int) *rule {
	r := &rule{least: 1}
	members, err := s.doc.members(raw)
	if err == nil && (depth > schemaDepth || !s.doc.effort.take(4+2*len(members))) {
		err = errTooMuch
	}
	switch {
	case errors.Is(err, errTooMuch):
		s.skip(tooLarge)
		return &rule{blind: true}
	case err != nil:
		s.skip("a part of the schema in which a member occurs twice")
		return &rule{blind: true}
	}
	k := keywordsOf(slices.DeleteFunc(slices.Clone(members), func(m Member) bool { return !s.dialect.has(m.Name) }))
	if ref, ok := unquote(k.get("$ref")); ok {
		r.all = append(r.all, s.ref(ref, depth))
		if s.dialect.lone {
			return r
		}
	}
	for _, name := range []string{"$dynamicRef", "$recursiveRef"} {
		if k.has(name) {
			s.skip(name)
			r.blind = true
		}
	}
	s.only(r, k)
	s.values(r, k)
	s.logic(r, k, depth)
	s.lists(r, k, depth)
	s.objects(r, k, depth)
	return r
}

// ref is the rule that a reference leads to.
func (s *rules) ref(ref string, depth int) *rule {
	if r, ok := s.refs[ref]; ok {
		return r
	}
	r := &rule{}
	s.refs[ref] = r
	target, err := s.doc.lookup(ref)
	if err != nil {
		what := err.Error()
		switch {
		case errors.Is(err, errTooMuch):
			what = tooLarge
		case !strings.HasPrefix(ref, "#"):
			what = "the schema at " + nameWords(ref, 200) + ", which belay does not fetch"
		}
		s.skip(what)
		r.blind = true
		return r
	}
	if made := s.rule(target, depth+1); made != nil {
		*r = *made
	}
	return r
}

// only names the keyword of a rule that has just one, for the words about it.
func (s *rules) only(r *rule, k *keywords) {
	for _, m := range k.all {
		switch m.Name {
		case "title", "description", "default", "examples", "$comment":
		default:
			if r.only != "" {
				r.only = "several"
				return
			}
			r.only = m.Name
		}
	}
}

// values reads what is said about values that have no others in them.
func (s *rules) values(r *rule, k *keywords) {
	r.nullable = boolOf(k.get("nullable"))
	r.types, r.null = s.doc.typesOf(k)
	r.typed = k.has("type") && (len(r.types) > 0 || r.null)
	for _, name := range s.doc.typeNames(k) {
		if _, known := kindNames[name]; !known && name != "null" {
			s.skip("the type " + patternWords(name, 100) + ", which JSON Schema does not have")
		}
	}
	if c := k.get("const"); c != nil {
		r.listed = [][]byte{c}
	} else if values, err := s.doc.items(k.get("enum")); err == nil {
		r.listed = values
	}
	s.list(r)
	if k.has("minLength", "maxLength", "pattern", "format") {
		r.text = &Type{Kind: Text}
		s.doc.details(r.text, k)
		if s.remarks {
			r.text.Format = ""
		}
		if r.blind = r.blind || r.text.Pattern != "" && r.text.re == nil; r.blind {
			s.skip("the pattern " + patternWords(r.text.Pattern, 200))
		}
	}
	if k.has(numberLimits...) {
		r.number = &Type{Kind: Number}
		s.doc.details(r.number, k)
		for _, name := range numberLimits {
			if kindOf(k.get(name)) == '0' && len(k.get(name)) > limitMost {
				s.skip("a number of more than 500 digits")
			}
		}
	}
}

// list remembers the only values that a rule takes, so that a value is found among
// them at once.
func (s *rules) list(r *rule) {
	size := 0
	for _, one := range r.listed {
		size += 3 + len(one)/8
	}
	if len(r.listed) == 0 {
		return
	}
	if !s.doc.effort.take(size) {
		s.skip(tooLarge)
		r.blind, r.listed = true, nil
		return
	}
	r.values = make(map[string]bool, len(r.listed))
	for _, one := range r.listed {
		r.values[sameText(one)] = true
	}
}

// required are the names that a list has.
func (s *rules) required(raw []byte) []string {
	names, _ := s.doc.required(raw)
	if !s.doc.effort.take(len(names)) {
		s.skip(tooLarge)
		return nil
	}
	return names
}

// numberLimits are the keywords with a number that numbers are compared with.
var numberLimits = []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}

func (s *rules) logic(r *rule, k *keywords, depth int) {
	r.all = append(r.all, s.several(k.get("allOf"), depth)...)
	r.anyOf = s.several(k.get("anyOf"), depth)
	r.oneOf = s.several(k.get("oneOf"), depth)
	r.not = s.some(k.get("not"), depth)
	if r.cond = s.some(k.get("if"), depth); r.cond != nil {
		r.then, r.other = s.rule(k.get("then"), depth+1), s.rule(k.get("else"), depth+1)
	}
}

func (s *rules) several(raw []byte, depth int) (all []*rule) {
	parts, err := s.doc.items(raw)
	if err != nil {
		return nil
	}
	for _, p := range parts {
		all = append(all, s.rule(p, depth+1))
	}
	return all
}

func (s *rules) lists(r *rule, k *keywords, depth int) {
	items, first := k.get("items"), k.get("prefixItems")
	if kindOf(items) == '[' { // before draft 2020
		first, items = items, k.get("additionalItems")
	}
	r.prefix = s.several(first, depth)
	r.items = s.some(items, depth)
	if r.contains = s.some(k.get("contains"), depth); r.contains != nil {
		if n := countOf(k.get("minContains")); n != nil {
			r.least = *n
		}
		r.most = countOf(k.get("maxContains"))
	}
	if k.has("minItems", "maxItems", "uniqueItems") {
		r.list = &Type{
			Kind: List, MinItems: countOf(k.get("minItems")), MaxItems: countOf(k.get("maxItems")), Unique: boolOf(k.get("uniqueItems")),
		}
	}
	r.restItems = s.some(k.get("unevaluatedItems"), depth)
	s.tracks = s.tracks || r.restItems != nil
}

// some makes a rule that takes everything: its presence matters, as that of an
// empty schema does.
func (s *rules) some(raw []byte, depth int) *rule {
	if c := kindOf(raw); c != '{' && c != 't' {
		return nil
	}
	if r := s.rule(raw, depth+1); r != nil {
		return r
	}
	return &rule{}
}

func (s *rules) objects(r *rule, k *keywords, depth int) {
	if members, err := s.doc.members(k.get("properties")); err == nil && len(members) > 0 {
		r.props = make(map[string]*rule, len(members))
		for _, m := range members {
			r.props[m.Name] = s.rule(m.Value, depth+1)
		}
	}
	whole := true
	if members, err := s.doc.members(k.get("patternProperties")); err == nil {
		for _, m := range members {
			re, size := s.doc.compile(m.Name)
			if re == nil {
				s.skip("members that are named like " + patternWords(m.Name, 200))
				whole, r.blind = false, true
				continue
			}
			r.patterns = append(r.patterns, patternRule{re, size, s.rule(m.Value, depth+1)})
		}
	}
	if whole { // otherwise nobody knows which members are the others
		r.rest = s.some(k.get("additionalProperties"), depth)
		r.restProps = s.some(k.get("unevaluatedProperties"), depth)
		s.tracks = s.tracks || r.restProps != nil
	}
	r.names = s.rule(k.get("propertyNames"), depth+1)
	r.minMembers, r.maxMembers = countOf(k.get("minProperties")), countOf(k.get("maxProperties"))
	r.required = s.required(k.get("required"))
	for _, keyword := range []string{"dependentRequired", "dependentSchemas", "dependencies"} {
		members, err := s.doc.members(k.get(keyword))
		if err != nil {
			continue
		}
		for _, m := range members {
			names := s.required(m.Value)
			r.needs = append(r.needs, dependency{m.Name, names, s.rule(m.Value, depth+1)})
		}
	}
}
