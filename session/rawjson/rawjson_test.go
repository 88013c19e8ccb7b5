package rawjson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

const sample = ` { "a" : [1, "x\"]}" , {"b":null}] ,"é\n":-2e3, "a":true,"":{}, "s" : "t\u00e9" } `

func TestMembers(t *testing.T) {
	obj := []byte(strings.TrimSpace(sample))
	var got []string
	for m := MembersOf(obj); ; {
		token := m.NameToken()
		name, value, ok := m.Next()
		if !ok {
			if token != nil {
				t.Errorf("a name after the last one: %s", token)
			}
			break
		}
		if !strings.HasSuffix(string(obj[:m.End()]), string(value)) {
			t.Errorf("the value %s does not end at %d", value, m.End())
		}
		got = append(got, fmt.Sprintf("%s=%q:%s", token, name, value))
	}
	want := []string{`"a"="a":[1, "x\"]}" , {"b":null}]`, `"é\n"="é\n":-2e3`, `"a"="a":true`, `""="":{}`, `"s"="s":"t\u00e9"`}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if a := At(obj, "a"); string(a) != "true" {
		t.Errorf("of two members the last one counts, not %s", a)
	}
	if a, _ := Lookup([]byte(sample), "a"); string(a) != `[1, "x\"]}" , {"b":null}]` {
		t.Errorf("Lookup: %s", a)
	}
	if text, ok := TextAt(obj, "s"); !ok || text != "té" {
		t.Errorf("%q", text)
	}
	if At([]byte(`[]`), "a") != nil || At(obj, "b") != nil {
		t.Error("a member that is not there")
	}
}

func TestElements(t *testing.T) {
	var got []string
	for e := ElementsOf([]byte("[ 1,[2,\"]\"] ,\n{\"a\":[]}, \"b\\\\\" ]")); ; {
		v, ok := e.Next()
		if !ok {
			break
		}
		got = append(got, string(v))
	}
	if want := []string{"1", `[2,"]"]`, `{"a":[]}`, `"b\\"`}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Texts([]byte(`["a",1,"b","c"]`), 2); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("Texts: %q", got)
	}
	if Texts([]byte(`{}`), 2) != nil {
		t.Error("the texts of an object")
	}
}

func TestWithout(t *testing.T) {
	for object, want := range map[string]string{
		``:                         ``,
		` {"b":1 } `:               `{"b":1 }`,
		`{"a":1}`:                  `{}`,
		`{"b": [1] ,"a":{},"c":2}`: `{"b":[1],"c":2}`,
	} {
		if got := string(Without([]byte(object), "a", "x")); got != want {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
	}
	if got := string(AppendMember(Unclosed([]byte("{\"a\":1\n}")), []byte(`"b"`), []byte("2"))); got != `{"a":1,"b":2` {
		t.Errorf("%s", got)
	}
	for value, want := range map[string]int{`[]`: 0, `[1,[2,3]]`: 2, `{}`: 0, ``: 0} {
		if got := Count([]byte(value)); got != want {
			t.Errorf("%s has %d elements", value, got)
		}
	}
}

// What nobody has validated is read as far as it makes sense.
func TestLookupInAnything(t *testing.T) {
	for object, want := range map[string]string{
		`{"v":["a",1]}`: `["a",1]`, `{"w":{"v":0},"v":"a","v":"b"}`: `"a"`, `{"v":"a","w":`: `"a"`, `{"v":["a"`: "", `["v"]`: "", `{"w":1,`: "", ``: "",
	} {
		if got, ok := Lookup([]byte(object), "v"); string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, want %s", object, got, want)
		}
	}
}

func TestKinds(t *testing.T) {
	for value, want := range map[string]string{
		`{}`: "an object", `[]`: "an array", `""`: "a string", `-1`: "a number", `0.5`: "a number", `true`: "true", `false`: "false", `null`: "null", ``: "missing",
	} {
		if got := KindWords([]byte(value)); got != want || KindWord(Kind([]byte(value))) != want {
			t.Errorf("%s: %s, want %s", value, got, want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	if got := Excerpt([]byte("  a\xffb ")); got != "a\uFFFDb" {
		t.Errorf("%q", got)
	}
	if got := Excerpt([]byte(strings.Repeat("é", 40))); !utf8.ValidString(got) || !strings.HasSuffix(got, "é…") || len(got) > 64 {
		t.Errorf("%q", got)
	}
}

// FuzzWalk holds the walk against encoding/json on whatever is well-formed.
func FuzzWalk(f *testing.F) {
	for _, s := range []string{sample, `{"a":"\\"}`, `{"\u0061":[[],{}]}`, `{}`, `{"a":1,"b":"\ud800"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var want map[string]json.RawMessage
		if json.Unmarshal(raw, &want) != nil || !utf8.Valid(raw) || want == nil {
			return
		}
		obj := raw[SkipSpace(raw, 0):]
		seen := map[string]bool{}
		for m := MembersOf(obj); ; {
			name, _, ok := m.Next()
			if !ok {
				break
			}
			seen[Name(name)] = true
			if got := At(obj, string(name)); string(got) != string(want[Name(name)]) && utf8.Valid(name) && !strings.ContainsRune(string(name), '\uFFFD') {
				t.Fatalf("%q: %s, want %s", name, got, want[Name(name)])
			}
		}
		if len(seen) != len(want) {
			t.Fatalf("%d names, want %d", len(seen), len(want))
		}
	})
}

func TestStringLen(t *testing.T) {
	for text, want := range map[string]int{`""`: 2, `"a" b"`: 3, `"a\" b" c`: 7, `"a\\" b`: 5, `"a`: 2, `"a\`: 3, `"`: 1} {
		if got := StringLen([]byte(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
