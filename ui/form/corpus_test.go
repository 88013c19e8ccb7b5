package form

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// corpus are the input schemas of tools of servers that are in use: the names and
// the shapes as they are, written down from the servers' lists, without their
// texts.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/schemas/*.json")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d schemas: %v", len(files), err)
	}
	out := map[string][]byte{}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".json")] = raw
	}
	return out
}

// The parts of a schema that belay shows as JSON are those that say nothing of
// what they are.
func TestNoFormOfTheCorpusIsRaw(t *testing.T) {
	for name, raw := range corpus(t) {
		f := New(ParseSchema(raw))
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(raw, &schema); err != nil {
			t.Fatal(err)
		}
		if f.Root.Note != "" || f.Root.AsJSON() {
			t.Errorf("%s: %q", name, f.Root.Note)
		}
		if rows := f.Rows(); len(rows) < len(schema.Properties) {
			t.Errorf("%s: %d rows for %d properties", name, len(rows), len(schema.Properties))
		}
		for _, kid := range f.Root.kids {
			if kid.Kind == JSON {
				t.Errorf("%s: %s is shown as JSON: %s", name, kid.Name, kid.Note)
			}
		}
		if got := string(f.JSON()); strings.Contains(got, "null") {
			t.Errorf("%s: something is null that nobody wrote: %s", name, got)
		}
	}
}

// Values of every schema, and values that break it, go through the form and come
// back as they were: untouched, and also when every node writes its own part.
func TestTheCorpusGoesRound(t *testing.T) {
	for name, raw := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(1, uint64(len(raw))))
			for i := range 30 {
				g := generator{rnd: rnd, doc: newDocument(raw), broken: i%3 == 2}
				roundTrip(t, ParseSchema(raw), g.value(raw, 0), !g.broken)
			}
		})
	}
}

// roundTrip loads a value and compares what comes back. A value that keeps to the
// schema must also be shown in its fields, with nothing wrong.
func roundTrip(t *testing.T, s Schema, value []byte, valid bool) {
	t.Helper()
	f := New(s)
	if err := f.SetJSON(value); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	if got := string(f.JSON()); got != string(value) {
		t.Errorf("untouched: %s came back as %s", value, got)
	}
	if n, why := f.Problem(); n != nil && valid {
		t.Errorf("%s: %q %s", value, n.Name, why)
	}
	each(f.Root, func(n *Node) {
		if valid && n.json && n.Kind != JSON && string(n.raw) != "null" {
			t.Errorf("%s: %q is shown as JSON: %s", value, n.Name, n.raw)
		}
	})
	f.forget()
	if got, want := exact(t, f.JSON()), exact(t, value); got != want {
		t.Errorf("written anew: %s, want %s", got, want)
	}
	again := New(s)
	if err := again.SetJSON(f.JSON()); err != nil {
		t.Fatalf("%s is not taken back: %v", f.JSON(), err)
	}
}

// generator makes values of a schema. It reads the schema by itself.
type generator struct {
	rnd    *rand.Rand
	doc    *document
	broken bool // now and then a value is none of the schema's
}

func (g *generator) one(of ...string) []byte { return []byte(of[g.rnd.IntN(len(of))]) }

func (g *generator) value(raw []byte, depth int) []byte {
	var s struct {
		Type                                           any
		Ref                                            string `json:"$ref"`
		Enum, OneOf, AnyOf                             []json.RawMessage
		Const, Items, AdditionalProperties, Properties json.RawMessage
		Required                                       []string
		MinItems, MinLength                            int
		Minimum, Maximum, ExclusiveMinimum             *float64
		Format, Pattern                                string
	}
	if json.Unmarshal(raw, &s) != nil {
		return g.one("1", `"x"`, "null")
	}
	if g.broken && depth > 0 && g.rnd.IntN(6) == 0 {
		return g.one("null", "true", "-0.50", "9007199254740993", `"\u2028 \"x\""`, "[]", `[1,{"a":null}]`, `{"z":1,"a":{}}`, `""`, "1E+2")
	}
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
	case len(s.OneOf)+len(s.AnyOf) > 0 && s.Properties == nil:
		all := append(s.OneOf, s.AnyOf...)
		return g.value(all[g.rnd.IntN(len(all))], depth+1)
	}
	typ, _ := s.Type.(string)
	if many, ok := s.Type.([]any); ok {
		typ = many[g.rnd.IntN(len(many))].(string)
	}
	switch typ {
	case "string":
		return g.text(s.Format, s.Pattern, s.MinLength)
	case "integer", "number":
		least := 1.0
		if s.Minimum != nil {
			least = *s.Minimum
		}
		if typ == "number" && s.Maximum == nil && s.Minimum == nil {
			return g.one("0.10", "-12.5e3", "9007199254740993", "0", "-0")
		}
		return fmt.Appendf(nil, "%d", int(least)+g.rnd.IntN(3))
	case "boolean":
		return g.one("true", "false")
	case "null":
		return []byte("null")
	case "array":
		var items [][]byte
		for range s.MinItems + g.rnd.IntN(3) {
			items = append(items, g.value(s.Items, depth+1))
		}
		if strings.Contains(string(s.Items), `"enum"`) { // options are ticked once
			slices.SortFunc(items, func(a, b []byte) int { return strings.Compare(string(a), string(b)) })
			items = slices.CompactFunc(items, func(a, b []byte) bool { return string(a) == string(b) })
		}
		return appendArray(nil, items)
	case "object":
		return g.object(s.Properties, s.Required, s.AdditionalProperties, depth)
	}
	return g.one("1", `"x"`, "[null]", `{"any":"thing"}`)
}

func (g *generator) text(format, pattern string, least int) []byte {
	switch format {
	case "uri":
		return g.one(`"https://example.com/a?b=c#d"`, `"file:///etc/hosts"`)
	case "date":
		return g.one(`"2024-02-29"`)
	case "date-time":
		return g.one(`"2026-11-21T10:00:00+01:00"`)
	case "email":
		return g.one(`"ann@example.com"`)
	}
	if pattern != "" {
		return g.one(`"12:34"`)
	}
	if least > 0 {
		return g.one(`"x"`, `"日本\n語"`)
	}
	return g.one(`""`, `"two words"`, `"line\nline\r\n"`, `"\u0000\u202e"`, `"12"`, `"null"`, `"{\"a\":1}"`)
}

func (g *generator) object(properties json.RawMessage, required []string, other json.RawMessage, depth int) []byte {
	all, err := ParseObject(properties)
	if err != nil {
		panic(err)
	}
	var members []Member
	for _, m := range all {
		if slices.Contains(required, m.Name) && !(g.broken && g.rnd.IntN(8) == 0) || depth < 6 && g.rnd.IntN(2) == 0 {
			members = append(members, Member{m.Name, g.value(m.Value, depth+1)})
		}
	}
	if string(other) == "true" || kindOf(other) == '{' || g.broken {
		if kindOf(other) != '{' {
			other = []byte("{}")
		}
		for i := range g.rnd.IntN(3) {
			members = append(members, Member{fmt.Sprintf("more %d", i), g.value(other, depth+1)})
		}
	}
	g.rnd.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return AppendObject(nil, members)
}
