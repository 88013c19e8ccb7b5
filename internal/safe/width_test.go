package safe

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// samples are texts in which the two ways of counting columns agree and texts
// in which they do not.
var samples = []string{
	"", "a", "plain ascii text", "한글 텍스트", "日本語", "ｱｲｳ", "naïve café", "① ± — “”",
	"👍", "👨\u200d👩\u200d👧\u200d👦", "❤\ufe0f", "👍🏽", "🇰🇷🇰", "1\ufe0f\u20e3",
	"हिन्दी", "क्षि", "தமிழ்", "ไทยกำ", "ကြောင်း", "ខ្មែរ", "العربية", "עִבְרִית",
	"\u1112\u1161\u11ab", strings.Repeat("\u1100", 40), strings.Repeat("क्", 40) + "क",
	strings.Repeat("\u0d4e", 30) + "a", "e" + strings.Repeat("\u0301", 99), "\x1b[31m", "ﷺ𒐫꧅",
	"🇦" + strings.Repeat("🇧", 31), "\u0cf3\U0001d165",
}

func TestWidthIsTheWiderOfBothWays(t *testing.T) {
	for text, want := range map[Text]int{
		"": 0, "abc": 3, "한글": 4, "é": 1, "e\u0301": 1, "👍": 2, "🇰🇷": 2, "…": 1,
		"हिन्दी": 5, // 2 by clusters, 5 by characters
		"🇰":      2, // 2 by clusters, 1 by characters
	} {
		if got := Width(text); got != want {
			t.Errorf("Width(%q) = %d, want %d", text, got, want)
		}
	}
}

// What is counted without being measured is as wide as it is measured to be: each character alone, and
// beside each other.
func TestWidthOfSimpleCharacters(t *testing.T) {
	var simple []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= ' ' && r <= '~' || r >= utf8.RuneSelf && isSimple(r) {
			simple = append(simple, r)
		}
	}
	if len(simple) < 900 || !isSimple('…') || !isSimple('─') || isSimple('日') {
		t.Fatalf("%d characters are simple", len(simple))
	}
	for _, a := range simple {
		line := make([]rune, 0, 2*len(simple))
		for _, b := range simple {
			line = append(line, a, b)
		}
		s := string(line)
		got, ok := simpleWidth(s)
		if clusters, characters := ansi.StringWidth(s), ansi.StringWidthWc(s); !ok || got != clusters || got != characters {
			t.Fatalf("%q beside each other simple character: %d, %v, want %d and %d", a, got, ok, clusters, characters)
		}
	}
}

// The screen buffer of Bubble Tea's renderer is the judge: a text drawn into
// it leaves every cell to the right of its width alone, in either way.
func TestWidthAgreesWithTheRenderer(t *testing.T) {
	for _, s := range samples {
		for width := range 24 {
			text := Pad(Cut(Line(s), width), width)
			if w := Width(text); w != width {
				t.Errorf("%q in %d columns is %d wide", s, width, w)
			}
			for name, method := range map[string]ansi.Method{"characters": ansi.WcWidth, "clusters": ansi.GraphemeWidth} {
				screen := uv.NewScreenBuffer(40, 1)
				screen.Method = method
				line := string(text) + "│"
				uv.NewStyledString(line).Draw(screen, screen.Bounds())
				at := column(screen, "│")
				if at < 0 || at > width {
					t.Errorf("by %s: the frame behind %q stands in column %d, want at most %d", name, text, at, width)
				}
				// By characters, which is how Bubble Tea begins, the only
				// texts that may end early are those with a lone flag letter.
				if method == ansi.WcWidth && at != width && !strings.ContainsRune(s, '🇰') && !strings.ContainsRune(s, '🇦') {
					t.Errorf("by %s: the frame behind %q stands in column %d, want %d", name, text, at, width)
				}
			}
		}
	}
}

// column returns where the first row of screen shows s.
func column(screen uv.ScreenBuffer, s string) int {
	for x := range screen.Width() {
		if c := screen.CellAt(x, 0); c != nil && strings.HasSuffix(c.Content, s) {
			return x
		}
	}
	return -1
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		in    Text
		width int
		want  Text
	}{
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -1, ""},
		{"", 0, ""},
		{"한글", 4, "한글"},
		{"한글", 3, "한…"},
		{"한글", 2, "…"},
		{"a한", 2, "a…"},
		{"한", 1, "…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"…", 1, "…"},
	} {
		if got := Cut(c.in, c.width); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestCutMiddle(t *testing.T) {
	for _, c := range []struct {
		in    Text
		width int
		want  Text
	}{
		{"tokens_per_url", 14, "tokens_per_url"},
		{"maximum_number_of_tokens", 11, "maxim…okens"},
		{"abcdefgh", 6, "abcde…"},
		{"abcdefgh", 0, ""},
		{"한글한글한글", 8, "한글…글"},
	} {
		if got := CutMiddle(c.in, c.width); got != c.want {
			t.Errorf("CutMiddle(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
	for _, s := range samples {
		for width := range 24 {
			if got := CutMiddle(Line(s), width); Width(got) > width {
				t.Errorf("CutMiddle(%q, %d) is %d wide: %q", s, width, Width(got), got)
			}
		}
	}
}

// What CutMiddle leaves of the end is the longest that takes half of the columns
// and begins between two clusters.
func TestCutMiddleKeepsHalfForTheEnd(t *testing.T) {
	for _, s := range samples {
		in := Line(s) + "-" + Line(s)
		for width := 7; width < Width(in); width++ {
			r, tail := ruler{rest: string(in)}, in
			for Width(tail) > (width-1)/2 && r.next() {
				tail = in[r.end:]
			}
			want := Cut(in[:len(in)-len(tail)], width-Width(tail)) + tail
			if got := CutMiddle(in, width); got != want {
				t.Errorf("CutMiddle(%q, %d) = %q, want %q", in, width, got, want)
			}
		}
	}
}

// A name is read as often, however long it is: were its end measured anew at each
// cluster, this test would take an hour.
func TestCutMiddleOfALongName(t *testing.T) {
	long := Text(strings.Repeat("é", 400_000))
	if got := CutMiddle("a"+long+"b", 9); got != "aééé…éééb" {
		t.Errorf("it is %q", got)
	}
}

func TestPad(t *testing.T) {
	for _, c := range []struct {
		in          Text
		width       int
		right, left Text
	}{
		{"ab", 4, "ab  ", "  ab"},
		{"한", 3, "한 ", " 한"},
		{"abc", 2, "abc", "abc"},
		{"", -1, "", ""},
	} {
		if got := Pad(c.in, c.width); got != c.right {
			t.Errorf("Pad(%q, %d) = %q", c.in, c.width, got)
		}
		if got := PadLeft(c.in, c.width); got != c.left {
			t.Errorf("PadLeft(%q, %d) = %q", c.in, c.width, got)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in       Text
		width, n int
		want     []Text
	}{
		{"", 5, 0, []Text{""}},
		{"hello", 0, 0, nil},
		{"hello world", 11, 0, []Text{"hello world"}},
		{"hello world", 5, 0, []Text{"hello", "world"}},
		{"hello world", 8, 0, []Text{"hello ", "world"}},
		{"hello", 2, 0, []Text{"he", "ll", "o"}},
		{"한글 텍스트", 5, 0, []Text{"한글 ", "텍스", "트"}},
		{"한", 1, 0, []Text{"…"}},
		{"a한b", 1, 0, []Text{"a", "…", "b"}},
		{"one two three four", 5, 2, []Text{"one ", "two …"}},
		{"one two", 5, 2, []Text{"one ", "two"}},
		{"one two", 5, 1, []Text{"one …"}},
		{"ab ", 2, 0, []Text{"ab"}},
	} {
		if got := Wrap(c.in, c.width, c.n); !slices.Equal(got, c.want) {
			t.Errorf("Wrap(%q, %d, %d) = %q, want %q", c.in, c.width, c.n, got, c.want)
		}
	}
}

// checkLayout fails the test unless text keeps to every width it is given.
func checkLayout(t *testing.T, text Text, width int) {
	t.Helper()
	cut := Cut(text, width)
	if w := Width(cut); w > max(width, 0) {
		t.Errorf("Cut(%q, %d) is %d wide", text, width, w)
	}
	if Width(text) <= width && cut != text {
		t.Errorf("Cut(%q, %d) = %q though it fits", text, width, cut)
	}
	check(t, cut)
	if width < 1 {
		return
	}
	whole := strings.Builder{}
	for _, line := range Wrap(text, width, 0) {
		if w := Width(line); w > width {
			t.Errorf("Wrap(%q, %d) has %q, %d wide", text, width, line, w)
		}
		whole.WriteString(string(line))
	}
	bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	if got := bare(whole.String()); got != bare(string(text)) && !strings.Contains(got, ellipsis) {
		t.Errorf("Wrap(%q, %d) lost something: %q", text, width, got)
	}
	if lines := Wrap(text, width, 2); len(lines) > 2 {
		t.Errorf("Wrap(%q, %d, 2) has %d lines", text, width, len(lines))
	}
}

func TestLayoutOfSamples(t *testing.T) {
	for _, s := range samples {
		for width := -1; width < 90; width++ {
			checkLayout(t, Line(s), width)
		}
	}
}
