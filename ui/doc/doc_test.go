package doc

import (
	"fmt"
	"strings"
	"testing"

	"belay/internal/safe"
	"belay/ui/canvas"
)

func text(d *Doc) string {
	var lines []string
	for _, l := range d.Lines {
		lines = append(lines, strings.TrimRight(l.String(), " "))
	}
	return strings.Join(lines, "\n")
}

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a":1,"b":[true,null],"c":{},"d":[]}`, "{\n  \"a\": 1,\n  \"b\": [\n    true,\n    null\n  ],\n  \"c\": {},\n  \"d\": []\n}"},
		{`  "x\"y"  `, `"x\"y"`},
		{`[1e3,-2]`, "[\n  1e3,\n  -2\n]"},
		{"{\"a\u202e\":\"\x1b[2J\"}", "{\n  \"a⟨U+202E⟩\": \"⟨ESC⟩[2J\"\n}"},
		{``, ``},
	} {
		d := New(80, 100)
		d.JSON([]byte(tt.in), JSONStyles{})
		if got := text(d); got != tt.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", tt.in, got, tt.want)
		}
	}
}

func TestWhatIsNoJSONIsShownAndEnds(t *testing.T) {
	for _, in := range []string{"nope", "{", "{]", "[1,", `{"a"`, `{"a":}`, "}{", `"open`, ":::", "[[[[[[,,,", strings.Repeat("[", 10000), "\x00\xff"} {
		d := New(40, 50)
		d.JSON([]byte(in), JSONStyles{})
		if len(d.Lines) == 0 || len(d.Lines) > 50 {
			t.Errorf("%.20q: %d lines", in, len(d.Lines))
		}
	}
}

func TestNoLineIsWiderThanTheDocument(t *testing.T) {
	raw := `{"long":"` + strings.Repeat("word ", 200) + strings.Repeat("日本語", 100) + `","deep":` +
		strings.Repeat(`{"k":`, 30) + `"` + strings.Repeat("x", 300) + `"` + strings.Repeat("}", 30) + `}`
	for _, w := range []int{12, 20, 41, 80} {
		d := New(w, 10000)
		d.JSON([]byte(raw), JSONStyles{})
		d.Text([]safe.Text{safe.Line(strings.Repeat("é̂ क्षत्रिय ", 50))}, Span{Text: "| "}, canvas.Style{})
		for _, l := range d.Lines {
			if got := safe.Width(safe.Text(strings.TrimRight(l.String(), " "))); got > w {
				t.Errorf("width %d: %d columns: %q", w, got, l.String())
			}
		}
	}
}

func TestNothingIsLostInWrapping(t *testing.T) {
	in := safe.Line("the quick  brown fox jumps over the lazy dog 日本語日本語日本語")
	for w := 8; w < 70; w++ {
		d := New(w, 100)
		d.Add(2, Span{Text: in[:9]}, Span{Text: in[9:]})
		var got string
		for _, l := range d.Lines {
			got += l.String()
		}
		strip := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if strip(got) != strip(string(in)) {
			t.Errorf("width %d: %q", w, got)
		}
	}
}

func TestADocumentIsBounded(t *testing.T) {
	d := New(40, 20)
	d.JSON([]byte("["+strings.Repeat("1,", 100000)+"1]"), JSONStyles{})
	if len(d.Lines) != 20 || !d.IsCut() {
		t.Errorf("%d lines, cut: %v", len(d.Lines), d.IsCut())
	}
}

func TestFind(t *testing.T) {
	d := New(40, 20)
	d.JSON([]byte(`["Alpha","beta","alphabet"]`), JSONStyles{})
	if got := d.Find("ALPHA"); len(got) != 2 || got[0] != 1 || got[1] != 3 {
		t.Errorf("hits in lines %v, want 1 and 3", got)
	}
}

func BenchmarkJSON(b *testing.B) {
	raw := []byte("[" + strings.Repeat(`{"name":"a tool","list":[1,2,3],"text":"some words here"},`, 9000) + "1]")
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		New(100, 10_000).JSON(raw, JSONStyles{})
	}
}

// A text stands behind its label, every line of it, and one that finds no room is
// known to be cut.
func TestLabelled(t *testing.T) {
	d := New(12, 4)
	d.Labelled([]Span{{Text: "a: "}}, "one two three\nfour", canvas.Style{})
	if got, want := text(d), "a: one two\n   three\n   four"; got != want || d.IsCut() {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	d.Labelled(nil, "x\x1b\nmore", canvas.Style{})
	if got, want := text(d), "a: one two\n   three\n   four\nx⟨ESC⟩"; got != want || !d.IsCut() {
		t.Errorf("got\n%s\nwant\n%s, cut: %v", got, want, d.IsCut())
	}
}

// Of a text behind a label no more lines are read than may be.
func TestALabelledTextIsBounded(t *testing.T) {
	d := New(20, 100)
	d.Bound(12)
	d.Labelled([]Span{{Text: "a: "}}, "one\ntwo\nthree\nfour", canvas.Style{})
	if got := fmt.Sprint(d.Lines); len(d.Lines) != 2 || !d.IsCut() {
		t.Errorf("%s, cut: %v", got, d.IsCut())
	}
}
