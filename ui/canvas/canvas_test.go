package canvas

import (
	"image/color"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/safe"
)

func plain(c *Canvas) string { return ansi.Strip(c.String()) }

func newCanvas(w, h int) *Canvas {
	c := New(NewPalette([]color.Color{nil, color.White, color.Black}), false)
	c.Reset(w, h)
	return c
}

func TestPutStaysInsideItsRegion(t *testing.T) {
	c := newCanvas(10, 3)
	g := c.All().Sub(2, 1, 4, 1)
	end := g.Put(-1, 0, "abcdefgh", Style{})
	g.Put(0, 1, "below", Style{})
	g.Put(0, -1, "above", Style{})
	if got, want := plain(c), "\n  bcde\n"; got != want {
		t.Errorf("canvas = %q, want %q", got, want)
	}
	if end != 7 {
		t.Errorf("Put ended at %d, want 7", end)
	}
}

func TestWideCharactersAreNeverHalved(t *testing.T) {
	c := newCanvas(6, 1)
	g := c.All()
	g.Put(0, 0, "日本語", Style{})
	g.Put(1, 0, "x", Style{}) // over the second half of the first
	g.Put(4, 0, "y", Style{}) // over the first half of the third
	if got, want := plain(c), " x本y"; got != want {
		t.Errorf("canvas = %q, want %q", got, want)
	}
	c.Reset(3, 1)
	c.All().Put(0, 0, "a日本", Style{})
	if got, want := plain(c), "a日"; got != want {
		t.Errorf("cut at the edge: %q, want %q", got, want)
	}
}

func TestRowsNeverGrowWiderThanTheCanvas(t *testing.T) {
	hostile := []string{
		strings.Repeat("e\u0301\u0302\u0303\u0304\u0305\u0306", 20), "👨‍👩‍👧‍👦👍🏽🇩🇪", "क्षत्रियक्ष", "\u202eabc\u2066", "ﷺ﷽𒐫", "ｱｲｳ", "\x1b[2J\x07\x9b31m",
	}
	for _, h := range hostile {
		for w := range 20 {
			c := newCanvas(w, 1)
			c.All().Put(0, 0, safe.Line(h), Style{})
			if got := safe.Width(safe.Text(plain(c))); got > w {
				t.Errorf("%q in %d columns is %d wide", h, w, got)
			}
		}
	}
}

func TestFrameAndTitle(t *testing.T) {
	c := newCanvas(12, 4)
	in := c.All().Frame(Round, Style{})
	c.All().Title(1, "a long title", Style{})
	in.Put(0, 0, "0123456789xxx", Style{})
	want := "╭ a long… ─╮\n│0123456789│\n│          │\n╰──────────╯"
	if got := plain(c); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStylesAreEncodedOncePerRun(t *testing.T) {
	c := newCanvas(8, 1)
	x := c.All().Put(0, 0, "ab", Style{FG: 1, Attr: Bold})
	c.All().Put(x, 0, "cd", Style{})
	if got, want := c.String(), "\x1b[;1;38;2;255;255;255mab\x1b[mcd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	c.All().Tint(Style{BG: 2})
	if got := c.String(); strings.Count(got, "48;2;0;0;0") != 2 {
		t.Errorf("tint: %q", got)
	}
}

func TestASCIICanvasWritesNothingElse(t *testing.T) {
	c := New(NewPalette(nil), true)
	c.Reset(20, 1)
	c.All().Put(0, 0, "a→b…日é", Style{})
	if got, want := c.String(), "a>b~???"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The thumb is as long as what is seen is of all, and stands where that is.
func TestThumb(t *testing.T) {
	for _, tt := range []struct {
		top, n int
		want   string
	}{
		{0, 4, "...."}, {0, 8, "##.."}, {4, 8, "..##"}, {2, 8, ".##."}, {0, 1000, "#..."}, {996, 1000, "...#"},
	} {
		c := newCanvas(3, 4)
		c.All().Thumb(tt.top, tt.n, "#", Style{})
		got := ""
		for _, l := range strings.Split(plain(c), "\n") {
			if l == "" {
				l = "  ."
			}
			got += strings.TrimPrefix(l, "  ")
		}
		if got != tt.want {
			t.Errorf("from %d of %d: %q, want %q", tt.top, tt.n, got, tt.want)
		}
	}
}

func TestACursorStandsInItsRegion(t *testing.T) {
	if at := newCanvas(9, 9).All().Sub(2, 3, 4, 4).Cursor(1, 2); at.X != 3 || at.Y != 5 {
		t.Errorf("at %v", at)
	}
}

// A frame is one piece of memory, and none where it is like the one before.
func TestAFrameIsAllocatedOnce(t *testing.T) {
	c := New(NewPalette([]color.Color{nil, color.White, color.Black}), false)
	rows := []safe.Text{safe.Text(strings.Repeat("│", 140)), safe.Text(strings.Repeat("─", 140))}
	n := 0
	draw := func(changes bool) func() {
		return func() {
			if changes {
				n++
			}
			c.Reset(140, 40)
			for y := range 40 {
				c.All().Put(0, y, rows[n%2], Style{FG: Color(y % 3)})
			}
			_ = c.String()
		}
	}
	if got := testing.AllocsPerRun(10, draw(true)); got > 1 {
		t.Errorf("a frame is allocated in %v pieces", got)
	}
	if got := testing.AllocsPerRun(10, draw(false)); got > 0 {
		t.Errorf("a frame like the one before is allocated in %v pieces", got)
	}
}

// A text of several characters is one cell, whole, until another is drawn there; of a frame that is
// over none is kept.
func TestTextsOfSeveralCharacters(t *testing.T) {
	c := newCanvas(20, 1)
	family, mark := "👨\u200d👩\u200d👧\u200d👦", "e\u0301"
	g := c.All()
	x := g.Put(0, 0, safe.Text(family+mark+"…日!"), Style{})
	if got, want := plain(c), family+mark+"…日!"; got != want {
		t.Errorf("%q is drawn, want %q", got, want)
	}
	g.Put(x, 0, safe.Text(strings.Repeat(mark, 40)), Style{})
	if n := len(c.texts); n > 2+20 {
		t.Errorf("%d texts are kept of a row of 20 cells", n)
	}
	c.ascii = true
	if got := plain(c); strings.ContainsFunc(got, func(r rune) bool { return r > '~' }) || ansi.StringWidth(got) != 20 {
		t.Errorf("in ASCII it is %q", got)
	}
	c.ascii = false
	g.Put(0, 0, "x", Style{}) // over the first half of the family
	if got := plain(c); strings.Contains(got, family) || !strings.Contains(got, mark) {
		t.Errorf("drawn over: %q", got)
	}
	c.Reset(20, 1)
	if all := c.texts[:cap(c.texts)]; len(c.texts) != 0 || strings.Join(all, "") != "" {
		t.Errorf("%q are kept of a frame that is over", all)
	}
	c.All().Put(0, 0, safe.Text(mark), Style{})
	if got := plain(c); got != mark {
		t.Errorf("the next frame is %q", got)
	}
}
