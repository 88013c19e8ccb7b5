package form

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// generator makes values of a schema. It reads the schema by itself.
type generator struct {
	rnd    *rand.Rand
	doc    *document
	broken bool // now and then a value is none of the schema's
}

// demand is what a schema says of a value.
type demand struct {
	Type                      any
	Ref                       string `json:"$ref"`
	Enum, OneOf, AnyOf, AllOf []json.RawMessage
	Const                     json.RawMessage

	Properties           json.RawMessage
	PatternProperties    json.RawMessage
	AdditionalProperties json.RawMessage
	Required             []string

	Items            json.RawMessage
	PrefixItems      []json.RawMessage
	MinItems         int
	MaxItems         *int
	UniqueItems      bool
	MinLength        int
	MaxLength        *int
	Format, Pattern  string
	Minimum, Maximum *float64
	ExclusiveMinimum any // a number; a truth before draft 6
	MultipleOf       float64
}

func (g *generator) one(of ...string) []byte { return []byte(of[g.rnd.IntN(len(of))]) }

// deep is where only what is required is made: schemas may contain themselves.
const deep = 6

func (g *generator) value(raw []byte, depth int) []byte {
	if kindOf(raw) != '{' { // true, or nothing is said
		return g.anything()
	}
	var s demand
	if err := json.Unmarshal(raw, &s); err != nil {
		panic(err)
	}
	if g.broken && depth > 0 && g.rnd.IntN(6) == 0 {
		return g.one("null", "true", "-0.50", "9007199254740993", `"\u2028 \"x\""`, "[]", `[1,{"a":null}]`, `{"z":1,"a":{}}`, `""`, "1E+2")
	}
	either := slices.Concat(s.OneOf, s.AnyOf)
	switch {
	case s.Ref != "":
		target, err := g.doc.lookup(s.Ref)
		if err != nil {
			panic(err)
		}
		return g.value(target, depth+1)
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[g.rnd.IntN(len(s.Enum))]
	case len(s.AllOf) > 0:
		return g.joined(append(s.AllOf, without(raw, "allOf")), depth)
	case len(either) > 0 && s.Properties != nil:
		return g.joined([]json.RawMessage{either[g.rnd.IntN(len(either))], without(without(raw, "oneOf"), "anyOf")}, depth)
	case len(either) > 0:
		return g.value(either[g.rnd.IntN(len(either))], depth+1)
	}
	typ, _ := s.Type.(string)
	if many, ok := s.Type.([]any); ok {
		typ = many[g.rnd.IntN(len(many))].(string)
	}
	switch {
	case typ == "string":
		return Quote(g.text(s))
	case typ == "integer", typ == "number":
		return g.number(s, typ)
	case typ == "boolean":
		return g.one("true", "false")
	case typ == "null":
		return []byte("null")
	case typ == "array":
		return g.list(s, depth)
	case typ == "object", s.Properties != nil:
		return g.object(s, depth)
	}
	return g.anything()
}

func (g *generator) anything() []byte { return g.one("1", `"x"`, "[null]", `{"any":"thing"}`) }

// joined makes an object that has the members of each part.
func (g *generator) joined(parts []json.RawMessage, depth int) []byte {
	var members []Member
	for _, part := range parts {
		more, err := ParseObject(g.value(part, depth))
		if err != nil {
			continue
		}
		for _, m := range more {
			if !slices.ContainsFunc(members, func(had Member) bool { return had.Name == m.Name }) {
				members = append(members, m)
			}
		}
	}
	return AppendObject(nil, members)
}

func without(schema []byte, word string) []byte {
	return AppendObject(nil, slices.DeleteFunc(must(ParseObject(schema)), func(m Member) bool { return m.Name == word }))
}

func (g *generator) number(s demand, typ string) []byte {
	step := 1.0
	if s.MultipleOf != 0 {
		step = s.MultipleOf
	}
	least := step
	above, exclusive := s.ExclusiveMinimum.(float64)
	switch {
	case s.Minimum != nil && s.ExclusiveMinimum == true:
		least = (math.Floor(*s.Minimum/step) + 1) * step
	case s.Minimum != nil:
		least = math.Ceil(*s.Minimum/step) * step
	case exclusive:
		least = (math.Floor(above/step) + 1) * step
	case s.Maximum != nil:
		least = math.Floor(min(step, *s.Maximum)/step) * step
	case typ == "number" && s.MultipleOf == 0:
		return g.one("0.10", "-12.5e3", "9007199254740993", "0", "-0")
	}
	v := least + float64(g.rnd.IntN(3))*step
	if s.Maximum != nil && v > *s.Maximum {
		v = least
	}
	return strconv.AppendFloat(nil, v, 'f', -1, 64)
}

func (g *generator) text(s demand) string {
	pick := func(of ...string) string { return of[g.rnd.IntN(len(of))] }
	switch {
	case s.Format == "uri":
		return pick("https://example.com/a?b=c#d", "ftp://example.com/hosts")
	case s.Format == "date":
		return "2024-02-29"
	case s.Format == "date-time":
		return pick("2026-11-21T10:00:00Z", "2026-11-21T10:00:00.5Z")
	case s.Format == "email":
		return "ann@example.com"
	case s.Format == "uuid":
		return "0a1b2c3d-4e5f-4678-9abc-def012345678"
	case s.Format != "":
		return pick(`{"a":1}`, "[]")
	case s.Pattern != "":
		return matching(g.rnd, s.Pattern, s.MinLength, s.MaxLength)
	}
	text := pick("", "two words", "line\nline\r\n", "\u0000\u202e", "12", "null", `{"a":1}`, "日本\n語")
	if n := s.MinLength - len([]rune(text)); n > 0 {
		text += strings.Repeat("x", n)
	}
	if r := []rune(text); s.MaxLength != nil && len(r) > *s.MaxLength {
		text = string(r[:*s.MaxLength])
	}
	return text
}

func (g *generator) list(s demand, depth int) []byte {
	first := s.PrefixItems
	if kindOf(s.Items) == '[' { // before draft 2020
		if err := json.Unmarshal(s.Items, &first); err != nil {
			panic(err)
		}
	}
	n := s.MinItems
	if depth < deep {
		n += g.rnd.IntN(3)
	}
	if s.MaxItems != nil {
		n = min(n, *s.MaxItems)
	}
	var items [][]byte
	for i := range n {
		if i < len(first) {
			items = append(items, g.value(first[i], depth+1))
		} else {
			items = append(items, g.value(s.Items, depth+1))
		}
	}
	options := strings.Contains(string(s.Items), `"enum"`) || strings.Contains(string(s.Items), `"const"`)
	if s.UniqueItems || options && len(first) == 0 { // options are ticked once
		slices.SortFunc(items, bytes.Compare)
		items = slices.CompactFunc(items, bytes.Equal)
	}
	return appendArray(nil, items)
}

func (g *generator) object(s demand, depth int) []byte {
	var members []Member
	for _, m := range must(ParseObject(s.Properties)) {
		if slices.Contains(s.Required, m.Name) && !(g.broken && g.rnd.IntN(8) == 0) || depth < deep && g.rnd.IntN(2) == 0 {
			members = append(members, Member{m.Name, g.value(m.Value, depth+1)})
		}
	}
	for _, m := range must(ParseObject(s.PatternProperties)) {
		if name := matching(g.rnd, m.Name, 0, nil); g.rnd.IntN(2) == 0 {
			members = append(members, Member{name, g.value(m.Value, depth+1)})
		}
	}
	other := s.AdditionalProperties
	if string(other) == "true" || kindOf(other) == '{' || g.broken {
		for i := range g.rnd.IntN(3) {
			members = append(members, Member{fmt.Sprintf("more%d", i), g.value(other, depth+1)})
		}
	}
	g.rnd.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return AppendObject(nil, members)
}

func must(members []Member, err error) []Member {
	if err != nil {
		panic(err)
	}
	return members
}
