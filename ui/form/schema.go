// Package form is the form for the arguments of a call: what a JSON schema asks
// for, what was typed, what is wrong with it, and the JSON that comes out. It
// draws nothing.
package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Kind is what a field holds.
type Kind uint8

// The kinds of field.
const (
	Text Kind = iota
	Number
	Integer
	Boolean
	Enum
	Other // an object, a list or a mixture: only the raw JSON shows it
)

// Spec is what the schema says about a field. Name, Title, About and Options
// are foreign text.
type Spec struct {
	Name, Title, About string
	Kind               Kind
	Required           bool
	Default            []byte // raw JSON; nil: none

	Options []string // of an Enum, as they are shown
	values  [][]byte // of an Enum, raw JSON

	Nested string // of Other, what it is: "an object"

	Min, Max             *float64
	AboveMin, BelowMax   *float64 // exclusive
	MinLength, MaxLength *int
	Pattern              string
}

// Schema is a schema of an object.
type Schema struct {
	Fields []Spec
	// Nested says in words why the schema cannot be a form; empty: it can.
	Nested   string
	skeleton []byte
}

// property is what is read of a property's schema.
type property struct {
	Type             json.RawMessage   `json:"type"`
	Title            string            `json:"title"`
	Description      string            `json:"description"`
	Default          json.RawMessage   `json:"default"`
	Enum             []json.RawMessage `json:"enum"`
	EnumNames        []string          `json:"enumNames"`
	Const            json.RawMessage   `json:"const"`
	OneOf            []json.RawMessage `json:"oneOf"`
	AnyOf            []json.RawMessage `json:"anyOf"`
	Ref              string            `json:"$ref"`
	Minimum          *float64          `json:"minimum"`
	Maximum          *float64          `json:"maximum"`
	ExclusiveMinimum json.RawMessage   `json:"exclusiveMinimum"`
	ExclusiveMaximum json.RawMessage   `json:"exclusiveMaximum"`
	MinLength        *int              `json:"minLength"`
	MaxLength        *int              `json:"maxLength"`
	Pattern          string            `json:"pattern"`
	Properties       json.RawMessage   `json:"properties"`
}

// fieldsMost bounds a form; a schema with more is edited as JSON.
const fieldsMost = 100

// ParseSchema reads a schema of an object. One that is missing or not to be
// understood has no fields; what it wants can still be written as JSON.
func ParseSchema(raw []byte) Schema {
	var top struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if len(raw) == 0 || json.Unmarshal(raw, &top) != nil {
		return Schema{skeleton: []byte("{}")}
	}
	members, err := ParseObject(top.Properties)
	if err != nil {
		return Schema{skeleton: []byte("{}")}
	}
	required := map[string]bool{}
	for _, r := range top.Required {
		required[r] = true
	}
	var s Schema
	for _, m := range members {
		spec := parseProperty(m.Name, m.Value)
		spec.Required = required[m.Name]
		if spec.Kind == Other && s.Nested == "" {
			s.Nested = fmt.Sprintf("%q is %s", m.Name, spec.Nested)
		}
		s.Fields = append(s.Fields, spec)
	}
	if len(s.Fields) > fieldsMost {
		s.Nested = fmt.Sprintf("there are %d arguments", len(s.Fields))
	}
	s.skeleton = skeleton(members, required, 0)
	return s
}

// parseProperty reads the schema of one property.
func parseProperty(name string, raw []byte) Spec {
	var p property
	if err := json.Unmarshal(raw, &p); err != nil {
		return Spec{Name: name, Kind: Other, Nested: "of a kind that belay does not know"}
	}
	s := Spec{
		Name: name, Title: p.Title, About: p.Description, Min: p.Minimum, Max: p.Maximum,
		AboveMin: floatOf(p.ExclusiveMinimum), BelowMax: floatOf(p.ExclusiveMaximum),
		MinLength: p.MinLength, MaxLength: p.MaxLength, Pattern: p.Pattern,
	}
	if len(p.Default) > 0 {
		s.Default = p.Default
	}
	if options, names, ok := optionsOf(&p); ok {
		s.Kind, s.values, s.Options = Enum, options, names
		return s
	}
	switch typeOf(p.Type) {
	case "string":
		s.Kind = Text
	case "number":
		s.Kind = Number
	case "integer":
		s.Kind = Integer
	case "boolean":
		s.Kind = Boolean
	case "object":
		s.Kind, s.Nested = Other, "an object"
	case "array":
		s.Kind, s.Nested = Other, "a list"
	default:
		s.Kind, s.Nested = Other, "of more than one kind"
	}
	return s
}

// optionsOf finds an enumeration in any of the ways in which MCP servers write
// one: enum, enum with enumNames, oneOf or anyOf of constants.
func optionsOf(p *property) (values [][]byte, names []string, ok bool) {
	for i, v := range p.Enum {
		name := scalarText(v)
		if i < len(p.EnumNames) {
			name = p.EnumNames[i]
		}
		values, names = append(values, v), append(names, name)
	}
	if len(values) > 0 {
		return values, names, scalars(values)
	}
	for _, v := range append(p.OneOf, p.AnyOf...) {
		var option struct {
			Const json.RawMessage `json:"const"`
			Title string          `json:"title"`
		}
		if json.Unmarshal(v, &option) != nil || len(option.Const) == 0 {
			return nil, nil, false
		}
		if option.Title == "" {
			option.Title = scalarText(option.Const)
		}
		values, names = append(values, option.Const), append(names, option.Title)
	}
	return values, names, len(values) > 0 && scalars(values)
}

func scalars(values [][]byte) bool {
	for _, v := range values {
		if v = bytes.TrimSpace(v); len(v) == 0 || v[0] == '{' || v[0] == '[' {
			return false
		}
	}
	return true
}

// scalarText is a string without its quotes, and any other value as it is.
func scalarText(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil && len(raw) > 0 && bytes.TrimSpace(raw)[0] == '"' {
		return s
	}
	return string(bytes.TrimSpace(raw))
}

// typeOf is the type of a schema; of a list of types, the only one besides
// null.
func typeOf(raw []byte) string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return one
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		return ""
	}
	for _, t := range many {
		switch {
		case t == "null":
		case one == "":
			one = t
		default:
			return ""
		}
	}
	return one
}

func floatOf(raw []byte) *float64 {
	var f float64
	if len(raw) == 0 || json.Unmarshal(raw, &f) != nil {
		return nil
	}
	return &f
}

// skeletonDepth is how far nested objects are written out.
const skeletonDepth = 4

// Skeleton is an object with what the schema requires, to be filled in.
func (s Schema) Skeleton() []byte { return Indent(s.skeleton) }

func skeleton(members []Member, required map[string]bool, depth int) []byte {
	var out []Member
	for _, m := range members {
		if required[m.Name] {
			out = append(out, Member{m.Name, example(m.Value, depth)})
		}
	}
	return AppendObject(nil, out)
}

// example is a value that a schema could mean: its default, the first of its
// options, or an empty one of its kind.
func example(raw []byte, depth int) []byte {
	var p property
	if json.Unmarshal(raw, &p) != nil {
		return []byte("null")
	}
	if len(p.Default) > 0 {
		return p.Default
	}
	if values, _, ok := optionsOf(&p); ok {
		return values[0]
	}
	switch typeOf(p.Type) {
	case "string":
		return []byte(`""`)
	case "number", "integer":
		return []byte("0")
	case "boolean":
		return []byte("false")
	case "array":
		return []byte("[]")
	case "object":
		var o struct {
			Required []string `json:"required"`
		}
		members, err := ParseObject(p.Properties)
		if err != nil || depth >= skeletonDepth || json.Unmarshal(raw, &o) != nil {
			return []byte("{}")
		}
		required := map[string]bool{}
		for _, r := range o.Required {
			required[r] = true
		}
		return skeleton(members, required, depth+1)
	}
	return []byte("null")
}

// Indent writes JSON over several lines; what is no JSON stays as it is.
func Indent(raw []byte) []byte {
	v := jsontext.Value(bytes.Clone(raw))
	if err := v.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true)); err != nil {
		return raw
	}
	return bytes.TrimRight(v, "\n")
}

// Plural writes a number of things.
func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, strings.TrimSpace(word))
}
