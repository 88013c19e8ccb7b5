package form

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// typeOf makes a type of the keywords of a schema.
func (d *document) typeOf(k *keywords) *Type {
	t := &Type{Title: shownOf(k.get("title")), About: shownOf(k.get("description"))}
	if raw := k.get("default"); raw != nil {
		t.Default, _ = compact(raw)
	}
	t.Secret = boolOf(k.get("writeOnly")) || strings.EqualFold(stringOf(k.get("format")), "password")
	t.Note, t.never = d.broken(k), d.isEmpty(k)
	types, null := d.typesOf(k)
	t.Nullable = null
	if d.choice(t, k) || d.variants(t, k) {
		return t
	}
	switch len(types) {
	case 0:
		if only := d.names(k.get("type")); null && (stringOf(k.get("type")) == "null" || len(only) > 0) {
			t.Kind, t.Fixed = Choice, true
			t.setOptions([]Option{{Title: "null", Value: []byte("null")}})
			return t
		}
		t.Kind = impliedKind(k)
	case 1:
		t.Kind = kindNames[types[0]]
	default:
		t.Kind = Variant
		for _, name := range types {
			one := &keywords{slices.Clone(k.all), indexOf(k.all)}
			one.set("type", Quote(name))
			one.drop("default")
			t.Variants = append(t.Variants, Branch{typeWords[name], d.lazily(one.json())})
		}
		return t
	}
	d.details(t, k)
	return t
}

var kindNames = map[string]Kind{
	"string": Text, "number": Number, "integer": Integer, "boolean": Choice, "array": List, "object": Object,
}

var typeWords = map[string]string{
	"string": "text", "number": "number", "integer": "whole number", "boolean": "true or false", "array": "list", "object": "object",
}

// typesOf are the types of a schema without null, and whether null is one.
// A type that JSON schema does not have is none.
func (d *document) typesOf(k *keywords) (types []string, null bool) {
	null = boolOf(k.get("nullable"))
	for _, n := range d.typeNames(k) {
		if _, ok := kindNames[n]; ok && !slices.Contains(types, n) {
			types = append(types, n)
		}
		null = null || n == "null"
	}
	return types, null
}

// typeNames are the types that a schema names, also those that JSON schema does not have.
func (d *document) typeNames(k *keywords) []string {
	if s, ok := unquote(k.get("type")); ok {
		return []string{s}
	}
	return d.names(k.get("type"))
}

// impliedKind is the kind of a schema that names no type.
func impliedKind(k *keywords) Kind {
	switch {
	case k.has("properties", "additionalProperties", "patternProperties"):
		return Object
	case k.has("items", "prefixItems", "minItems", "maxItems"):
		return List
	case k.has("minLength", "maxLength", "pattern", "format"):
		return Text
	case k.has(numberLimits...):
		return Number
	}
	return JSON
}

// details reads what belongs to the kind.
func (d *document) details(t *Type, k *keywords) {
	switch t.Kind {
	case Text:
		t.cross(k, "minLength", "maxLength")
		t.MinLength, t.MaxLength = countOf(k.get("minLength")), countOf(k.get("maxLength"))
		t.Pattern, t.Format = stringOf(k.get("pattern")), shownOf(k.get("format"))
		if t.Pattern != "" {
			if t.re, t.size = d.compile(t.Pattern); t.re == nil {
				t.Note = "not checked here: the pattern " + patternWords(t.Pattern, shownMost)
			}
		}
	case Number, Integer:
		t.cross(k, "minimum", "maximum")
		t.Min, t.Max, t.Multiple = decimalOf(k.get("minimum")), decimalOf(k.get("maximum")), decimalOf(k.get("multipleOf"))
		t.AboveMin, t.BelowMax = decimalOf(k.get("exclusiveMinimum")), decimalOf(k.get("exclusiveMaximum"))
		if boolOf(k.get("exclusiveMinimum")) { // draft 4
			t.AboveMin, t.Min = t.Min, nil
		}
		if boolOf(k.get("exclusiveMaximum")) {
			t.BelowMax, t.Max = t.Max, nil
		}
	case Choice: // a boolean
		t.setOptions(t.withNull([]Option{{Title: "true", Value: []byte("true")}, {Title: "false", Value: []byte("false")}}))
	case List:
		t.cross(k, "minItems", "maxItems")
		d.list(t, k)
	case Object:
		d.object(t, k)
	case JSON:
		if s := stringOf(k.get("type")); s != "" && s != "null" {
			t.Note = "the schema names a type that does not exist: " + nameWords(s, shownMost)
		}
	case Many, Variant:
	}
}

func (d *document) list(t *Type, k *keywords) {
	t.MinItems, t.MaxItems, t.Unique = countOf(k.get("minItems")), countOf(k.get("maxItems")), boolOf(k.get("uniqueItems"))
	items := k.get("items")
	first := k.get("prefixItems")
	if kindOf(items) == '[' { // before draft 2020
		first, items = items, k.get("additionalItems")
	}
	if parts, err := d.items(first); err == nil {
		for _, p := range parts {
			t.prefix = append(t.prefix, d.lazily(p))
		}
	}
	if items == nil {
		return
	}
	t.items = d.lazily(items)
	if len(t.prefix) > 0 || kindOf(items) != '{' {
		return
	}
	ki, err := d.keywords(items, 0)
	if err != nil {
		return
	}
	var of Type
	if d.choice(&of, ki) && of.Kind == Choice && !of.Fixed && !of.Nullable {
		t.Kind = Many
		t.setOptions(of.Options)
	}
}

// propsMost is how many properties anybody fills in one by one.
const propsMost = 3000

const tooManyProps = NotShown + "the properties, which are more than 3,000"

func (d *document) object(t *Type, k *keywords) {
	members, err := d.members(k.get("properties"))
	if err != nil {
		t.Note = "the properties of the schema are broken"
	}
	names, whole := d.required(k.get("required"))
	if !whole {
		t.Note = cmp.Or(t.Note, "the schema names what is required in a broken way")
	}
	required := map[string]bool{}
	for _, name := range names {
		required[name] = true
	}
	switch {
	case len(members) > propsMost || len(names) > propsMost:
		t.Note, members, names = tooManyProps, nil, nil
	case !d.effort.take(2 * (len(members) + len(names))):
		t.Note, members, names = errTooMuch.Error(), nil, nil
	}
	for _, m := range members {
		t.Props = append(t.Props, Prop{Name: m.Name, Required: required[m.Name], lazy: d.lazily(m.Value)})
		delete(required, m.Name)
	}
	for _, name := range names { // required, and not described
		if required[name] {
			delete(required, name)
			t.Props = append(t.Props, Prop{Name: name, Required: true, typ: &Type{}})
		}
	}
	other := k.get("additionalProperties")
	if patterns, err := d.members(k.get("patternProperties")); err == nil && len(patterns) > 0 {
		other = []byte("true")
		if len(patterns) == 1 {
			other = patterns[0].Value
		}
	}
	if t.free = other == nil && len(t.Props) == 0; t.free {
		other = []byte("true")
	}
	if other != nil && string(bytes.TrimSpace(other)) != "false" {
		t.other = d.lazily(other)
	}
}

// required are the names that "required" lists, and whether it is a list of
// names and nothing else. A boolean is that of draft 3, which stands with the
// member itself.
func (d *document) required(raw []byte) (names []string, whole bool) {
	items, err := d.items(raw)
	if err != nil {
		return nil, raw == nil || kindOf(raw) == 't'
	}
	whole = true
	for _, item := range items {
		name, ok := unquote(item)
		if !ok {
			whole = false
			continue
		}
		names = append(names, name)
	}
	return names, whole
}

// choice makes t a Choice if the schema enumerates the values in any of the ways
// that are in use: const, enum, enum with enumNames, oneOf or anyOf of these.
func (d *document) choice(t *Type, k *keywords) bool {
	if k.has("properties", "items") {
		return false
	}
	options, fixed := d.enumerated(k, optionsMost+1)
	for _, group := range []string{"oneOf", "anyOf"} {
		if options != nil {
			break
		}
		parts, err := d.items(k.get(group))
		if err != nil {
			continue
		}
		for _, p := range parts {
			kp, err := d.keywords(p, 0)
			if err != nil {
				return false
			}
			if stringOf(kp.get("type")) == "null" {
				t.Nullable = true
				continue
			}
			some, _ := d.enumerated(kp, optionsMost+1)
			if some == nil {
				return false
			}
			if options = append(options, some...); len(options) > optionsMost {
				break
			}
		}
	}
	if options == nil {
		return false
	}
	if len(options) > optionsMost {
		t.Kind, t.Note = JSON, tooManyOptions
		return true
	}
	t.Kind, t.Fixed = Choice, fixed
	t.setOptions(t.withNull(options))
	return true
}

// withNull adds null to the options where it is allowed and not among them.
func (t *Type) withNull(options []Option) []Option {
	isNull := func(o Option) bool { return kindOf(o.Value) == 'n' }
	if !t.Nullable || slices.ContainsFunc(options, isNull) {
		return options
	}
	return append(options, Option{Title: "null", Value: []byte("null")})
}

// enumerated are the values that const and enum name, so many at most.
func (d *document) enumerated(k *keywords, most int) (options []Option, fixed bool) {
	if c := k.get("const"); c != nil {
		title := shownOf(k.get("title"))
		if title == "" {
			title = scalarText(c)
		}
		return []Option{{Title: title, Value: c}}, true
	}
	values, err := d.items(k.get("enum"))
	if err != nil {
		return nil, false
	}
	names := d.names(k.get("enumNames"))
	if len(names) != len(values) {
		names = nil
	}
	values = values[:min(len(values), most)]
	if !d.effort.take(3 * len(values)) {
		return nil, false
	}
	for i, v := range values {
		o := Option{Title: scalarText(v), Value: v}
		if names != nil {
			o.Title = names[i]
		}
		options = append(options, o)
	}
	return options, false
}

// variants makes t a Variant if the schema is one of several others. What it says
// itself holds for all of them.
func (d *document) variants(t *Type, k *keywords) bool {
	const most = 1000 // nobody chooses among more
	for _, group := range []string{"oneOf", "anyOf"} {
		parts, err := d.items(k.get(group))
		if err != nil || len(parts) == 0 || len(parts) > most || d.requiresOnly(parts) {
			continue
		}
		base := &keywords{slices.Clone(k.all), indexOf(k.all)}
		for _, name := range []string{group, "title", "description", "default"} {
			base.drop(name)
		}
		var branches []Branch
		seen := map[string]bool{}
		for _, p := range parts {
			if !d.effort.take(2 + len(p)/8) {
				return false
			}
			c := canon(p)
			if seen[c] {
				continue
			}
			seen[c] = true
			if one, err := d.keywords(p, 0); err == nil && stringOf(one.get("type")) == "null" {
				t.Nullable = true
				continue
			}
			raw := p
			if len(base.all) > 0 {
				raw = AppendObject(nil, []Member{{"allOf", appendArray(nil, [][]byte{p, base.json()})}})
			}
			branches = append(branches, Branch{d.branchName(p, len(branches)+1), d.lazily(raw)})
		}
		if len(branches) == 1 { // it, or null
			only := *branches[0].lazy.get()
			only.Title, only.About = cmp.Or(t.Title, only.Title), cmp.Or(t.About, only.About)
			only.Nullable = only.Nullable || t.Nullable
			if t.Default != nil {
				only.Default = t.Default
			}
			*t = only
			return true
		}
		if number(branches); len(branches) > 1 {
			t.Kind, t.Variants = Variant, branches
			return true
		}
	}
	return false
}

// requiresOnly reports whether alternatives do no more than ask for some of the
// members: the server checks those.
func (d *document) requiresOnly(parts [][]byte) bool {
	for _, p := range parts {
		members, err := d.members(p)
		if err != nil {
			return false
		}
		for _, m := range members {
			if !slices.Contains([]string{"required", "title", "description", "not"}, m.Name) {
				return false
			}
		}
	}
	return true
}
