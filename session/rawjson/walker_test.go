package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"
)

// A text is JSON to a walker when it is to encoding/json and to jsontext, whichever
// way it goes over it: value by value, or past the whole of it at once.
func checkWalk(t interface{ Fatalf(string, ...any) }, text []byte) {
	want := jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if want != json.Valid(text) {
		t.Fatalf("%q: jsontext says %v, encoding/json does not", text, want)
	}
	w := Walk(text)
	kind, at := w.Kind(), w.Offset()
	value := w.Value()
	if w.Done() != want {
		t.Fatalf("%q: Done is %v", text, !want)
	}
	if want && (w.IsUTF8() != utf8.Valid(text) || !bytes.Equal(value, bytes.Trim(text, " \t\r\n")) || at != bytes.Index(text, value)) {
		t.Fatalf("%q: the value %q at %d, UTF-8 is %v", text, value, at, w.IsUTF8())
	}
	w = Walk(text)
	if entered := w.Enter(); entered != (kind == '{') {
		t.Fatalf("%q, of kind %c: Enter is %v", text, kind, entered)
	} else if !entered {
		return
	}
	last := map[string]json.RawMessage{}
	for name, ok := w.Name(); ok; name, ok = w.Name() {
		value := w.Value()
		if cap(value) != len(value) {
			t.Fatalf("%q: %q has room behind it", text, value)
		}
		last[Name(name)] = value
	}
	if w.Done() != want {
		t.Fatalf("%q, member by member: Done is %v", text, !want)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || !w.IsUTF8() {
		return
	}
	for name, value := range members {
		if !bytes.Equal(last[name], value) {
			t.Fatalf("%q: %q is %q, want %q", text, name, last[name], value)
		}
	}
	if len(last) != len(members) {
		t.Fatalf("%q: %d names, want %d", text, len(last), len(members))
	}
}

var walked = []string{
	sample, `{"a":"\\"}`, `{"\u0061":[[],{}]}`, `{}`, `[]`, ` `, ``, `{`, `}`, `[`, `]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{"a" 1}`,
	`{1:2}`, `{"a":1 "b":2}`, `[1 2]`, `[1,]`, `[,1]`, `[1}`, `{"a":1]`, `{} {}`, `{}x`, `[[]`, `[]]`, `[{"a":[{}]},[[1]]]`,
	`0`, `-0`, `01`, `-`, `1.`, `.1`, `1.5`, `1e`, `1e+`, `1E-7`, `-0.0e+00`, `+1`, `1x`, `0x1`, `true`, `tru`, `truex`, `false`, `null`, `nul`, `True`,
	`"`, `""`, `"\"`, `"\x"`, `"\u12"`, `"\u123g"`, `"\ud800"`, `"\uABCDef"`, `"\/\b\f\n\r\t\""`, "\"\x1f\"", "\"\x7f\"", "\"\xff\"", "\"1234567\xff89\"", "\"é日\xf0\x9f\x98\x80\"",
	"\"\xe9\x80\"", "\xff", "\xef\xbb\xbf{}", "{\"a\xff\":1}", "\"12345678\n\"", "\"1234567", "\"12345678\\", `"1234567\n"`, "\t\r\n 1 \t\r\n", "\v1", "[1\f]",
}

func TestWalker(t *testing.T) {
	for _, text := range walked {
		checkWalk(t, []byte(text))
	}
}

// The eight bytes that are looked at together hide none, wherever it stands.
func TestWalkerSeesEachByte(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for c := range 256 {
				text := []byte(`["` + strings.Repeat("x", length) + `"]`)
				text[2+at] = byte(c)
				checkWalk(t, text)
				if at+1 < length {
					text[3+at] = byte(c + 1)
					checkWalk(t, text)
				}
			}
		}
	}
}

func TestWalkerDeep(t *testing.T) {
	for _, n := range []int{DepthLimit - 1, DepthLimit, DepthLimit + 1, 100 * DepthLimit} {
		for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			text := []byte(strings.Repeat(brackets[0], n) + "1" + strings.Repeat(brackets[1], n))
			w := Walk(text)
			w.Value()
			if want := n <= DepthLimit; w.Done() != want || jsontext.Value(text).IsValid() != want {
				t.Errorf("%d times %s: %v", n, brackets[0], !want)
			}
		}
	}
}

func TestWalkerOnWhatIsAlmostJSON(t *testing.T) {
	tokens := []string{
		"{", "}", "[", "]", ",", ":", " ", "\n", `"a"`, `"b":`, `"a":1`, `"c":{"d":[`, "1", "-", "0", "1e5", ".5", "true", "null", "nul", `"`, `\`, `\n`, `\u00e9`, `\u1`,
		"\xff", "\xe9\x80", "日本", "12345678", "\x01", `""`, "{}", "[]",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(tokens), 0, 8).Draw(t, "tokens"), "")
		checkWalk(t, []byte(text))
		checkWalk(t, []byte(`{"a":[`+text+`],"b":"`+text+`"}`))
		whole := rapid.SampledFrom(walked).Draw(t, "text")
		at := rapid.IntRange(0, len(whole)).Draw(t, "at")
		checkWalk(t, []byte(whole[:at]+rapid.SampledFrom(tokens).Draw(t, "token")+whole[at:]))
	})
}

func FuzzWalker(f *testing.F) {
	for _, text := range walked {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkWalk(t, text) })
}
