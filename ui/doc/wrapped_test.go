package doc

import (
	"context"
	"fmt"
	"image/color"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"belay/internal/safe"
	"belay/ui/canvas"
)

var tinted = regexp.MustCompile(`\x1b\[;7m([^\x1b]*)`)

// marks are what is marked in each line of a document of which h lines are drawn.
func marks(d *Doc, top, h int, text string) []string {
	c := canvas.New(canvas.NewPalette([]color.Color{nil}), false)
	c.Reset(d.Width(), h)
	d.Draw(c.All(), top)
	d.Highlight(c.All(), top, text, canvas.Style{Attr: canvas.Reverse})
	var lines []string
	for row := range strings.SplitSeq(c.String(), "\n") {
		var marked []string
		for _, m := range tinted.FindAllStringSubmatch(row, -1) {
			marked = append(marked, m[1])
		}
		lines = append(lines, strings.Join(marked, "|"))
	}
	return lines
}

// What stands across the end of a line that was wrapped is found in the line in which it
// begins, and marked in both.
func TestWhatStandsAcrossAWrapIsFound(t *testing.T) {
	bar := Span{Text: "| "}
	for name, c := range map[string]struct {
		write func(d *Doc)
		text  string
		hits  []int
		marks []string
	}{
		"two words":      {func(d *Doc) { d.Text([]safe.Text{"the quick brown fox jumps"}, bar, canvas.Style{}) }, "Brown FOX", []int{0}, []string{"brown ", "fox"}},
		"in a long word": {func(d *Doc) { d.Text([]safe.Text{"0123456789abcdefghijklmnopqrstuvwxyz"}, bar, canvas.Style{}) }, "fgHIj", []int{0}, []string{"fgh", "ij"}},
		"three lines": {func(d *Doc) {
			d.Text([]safe.Text{"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL"}, bar, canvas.Style{})
		}, "hijklmnopqrstuvwxyzab", []int{0}, []string{"h", "ijklmnopqrstuvwxyz", "AB"}},
		"JSON": {func(d *Doc) { d.JSON([]byte(`{"key":"some words and more words"}`), JSONStyles{}) }, "Some words", []int{1}, []string{"", "some ", "words"}},
		"a wide text": {func(d *Doc) {
			d.Text([]safe.Text{"日本語日本語日本語日本語日本語"}, bar, canvas.Style{})
		}, "語日本", []int{0, 1}, []string{"語日本語日本語", "日本語日本"}},
		"cases of a length": {func(d *Doc) { d.Add(0, Span{Text: "İİİİİİİİİİİİİİİİİİİ İstanbul"}) }, "istan", []int{1}, []string{"", "İstan"}},
		"two of one line":   {func(d *Doc) { d.Add(0, Span{Text: "needle and a needle here"}) }, "needle", []int{0}, []string{"needle|needle", ""}},
		"not two texts":     {func(d *Doc) { d.Add(0, Span{Text: "one"}); d.Add(0, Span{Text: "two"}) }, "onetwo", nil, []string{"", ""}},
		"not the bar":       {func(d *Doc) { d.Text([]safe.Text{"the quick brown fox jumps"}, bar, canvas.Style{}) }, "brown |", nil, []string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			d := New(20, 100)
			c.write(d)
			got := d.Find(c.text)
			if !slices.Equal(got, c.hits) {
				t.Errorf("%q is found in the lines %v, not %v, of\n%s", c.text, got, c.hits, text(d))
			}
			if got := marks(d, 0, len(d.Lines), c.text); !slices.Equal(got[:len(c.marks)], c.marks) {
				t.Errorf("marked is %q, not %q", got, c.marks)
			}
		})
	}
}

// What is drawn may begin and end in the middle of a text.
func TestAMarkGoesOnBeyondWhatIsDrawn(t *testing.T) {
	d := New(10, 100)
	d.Add(0, Span{Text: "0123456789abcdefghijklmnopqrstuvwxyz"})
	for top, want := range [][]string{{"9"}, {"abcdefghij"}, {"k"}, {""}} {
		if got := marks(d, top, 1, "9ABCDEFGHIJK"); !slices.Equal(got, want) {
			t.Errorf("line %d: marked is %q, not %q", top, got, want)
		}
	}
}

// The lines in which a search beside the screen finds a text are those in which the
// document that is shown has it, and those of the text before it was wrapped.
func TestAScanFindsWhatStandsAcrossAWrap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"alpha", "be", "c", "Delta", "aa", "übergroß", "日本語", "x-y", strings.Repeat("z", 33)}
	for round := range 60 {
		var lines []safe.Text
		for range 1 + r.IntN(4) {
			var b strings.Builder
			for range r.IntN(400) {
				b.WriteString(words[r.IntN(len(words))] + " "[:r.IntN(2)])
			}
			lines = append(lines, safe.Line(b.String()))
		}
		write := func(d *Doc) { d.Text(lines, Span{Text: "┃ "}, canvas.Style{}) }
		for _, n := range []int{1, 2, 7, 40} {
			l := string(lines[r.IntN(len(lines))])
			if n = min(n, len(l)); n == 0 {
				continue
			}
			at := r.IntN(len(l) - n + 1)
			needle := strings.ToValidUTF8(l[at:at+n], "")
			if strings.Trim(needle, " ") == "" {
				continue
			}
			d := New(12+r.IntN(40), 100_000)
			write(d)
			hits := d.Find(needle)
			if len(hits) == 0 {
				t.Fatalf("round %d: %q is not found in\n%s", round, needle, text(d))
			}
			f, ok := Scan(context.Background(), d.Width(), Quest{Text: needle, At: -1}, true, write)
			if !ok || f.Hits != len(hits) || f.Hit != hits[0] || f.All != len(d.Lines) {
				t.Errorf("round %d: %q is found %d times from %d on in %d lines, and shown in %v of %d",
					round, needle, f.Hits, f.Hit, f.All, hits, len(d.Lines))
			}
		}
	}
}

// A part of a document that begins within a text does not join it to the note above.
func TestAPartBeginsByItself(t *testing.T) {
	word := strings.Repeat("0123456789", 6_000)
	write := func(d *Doc) { d.Add(0, Span{Text: safe.Text(word + "NEEDLE" + word)}) }
	d := New(10, 500)
	write(d)
	d.MarkLong()
	var r Reader
	r.Set(d)
	r.Find("needle")
	note := func(words safe.Text) Line { return Line{{Text: words}} }
	for s, ok := r.Wanted(); ok; s, ok = r.Wanted() {
		f, _ := Scan(context.Background(), 10, s.Quest, s.Count, write)
		r.Take(s, f, note)
	}
	if got := r.Title("…"); got != "1 of 1 line" {
		t.Errorf("the title is %q", got)
	}
	if got := fmt.Sprint(marks(r.Doc(), 0, 2, "back01")); got != "[ ]" {
		t.Errorf("the note is one with the text: %s", got)
	}
	if hits := r.Doc().Find("back01"); hits != nil {
		t.Errorf("found in %v", hits)
	}
}

// Lines that wait for the rest of their text are few, however long the text is.
func TestALookoutKeepsFewLines(t *testing.T) {
	const content = "hay and hay"
	most, taken := 0, 0
	o := newLookout("needle", func(Line, bool) { taken++ })
	o.add(Line{{Text: content}})
	for range 100_000 {
		o.add(Line{{joint: glued}, {Text: content}})
		most = max(most, len(o.lines))
	}
	if room := 2 * batch / len(content); most > room {
		t.Errorf("%d lines waited, and there is room for %d", most, room)
	}
	if o.end(); taken != 100_001 {
		t.Errorf("%d lines were looked at", taken)
	}
}

// A note of belay's at the end of a document is neither found nor marked.
func TestANoteIsNotFound(t *testing.T) {
	d := New(30, 1)
	d.Add(0, Span{Text: "some words"})
	d.AddLast(Line{{Text: "there is more: o saves all"}})
	if hits := d.Find("o"); !slices.Equal(hits, []int{0}) {
		t.Errorf("found in the lines %v", hits)
	}
	if hits := d.Find("saves"); hits != nil {
		t.Errorf("found in the lines %v", hits)
	}
	if got := marks(d, 0, 2, "o"); !slices.Equal(got, []string{"o|o", ""}) {
		t.Errorf("marked is %q", got)
	}
}
