package safe

import (
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"belay/internal/requirements"
)

func TestLineWritesOutWhatCouldActOrHide(t *testing.T) {
	requirements.Rows(t, "SEC-21")
	for name, c := range map[string]struct{ in, want string }{
		"empty":                       {"", ""},
		"plain":                       {"deploy_preview 42 ~", "deploy_preview 42 ~"},
		"other scripts":               {"주문 注文 pedido заказ طلب", "주문 注文 pedido заказ طلب"},
		"newline and tab":             {"a\nb\tc", "a⏎b⇥c"},
		"carriage return":             {"real\rfake", "real⟨CR⟩fake"},
		"nul bell backspace":          {"\x00\a\b", "⟨NUL⟩⟨BEL⟩⟨BS⟩"},
		"escape":                      {"\x1b[31mred", "⟨ESC⟩[31mred"},
		"delete":                      {"a\x7f", "a⟨DEL⟩"},
		"C1 as UTF-8":                 {"\u009b31m\u0085", "⟨U+009B⟩31m⟨U+0085⟩"},
		"C1 as a bare byte":           {"\x9b31m", "⟨0x9B⟩31m"},
		"invalid bytes":               {"\xff\xfe", "⟨0xFF⟩⟨0xFE⟩"},
		"cut off sequence":            {"\xe2\x82", "⟨0xE2⟩⟨0x82⟩"},
		"overlong escape":             {"\xc0\x9b", "⟨0xC0⟩⟨0x9B⟩"},
		"surrogate half":              {"\xed\xa0\x80", "⟨0xED⟩⟨0xA0⟩⟨0x80⟩"},
		"beyond Unicode":              {"\xf4\x90\x80\x80", "⟨0xF4⟩⟨0x90⟩⟨0x80⟩⟨0x80⟩"},
		"replacement character":       {"\ufffd", "\ufffd"},
		"bidi embeddings":             {"\u202a\u202b\u202c\u202d\u202e", "⟨U+202A⟩⟨U+202B⟩⟨U+202C⟩⟨U+202D⟩⟨U+202E⟩"},
		"bidi isolates":               {"\u2066\u2067\u2068\u2069", "⟨U+2066⟩⟨U+2067⟩⟨U+2068⟩⟨U+2069⟩"},
		"bidi marks":                  {"\u200e\u200f\u061c", "⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"},
		"zero width":                  {"a\u200bb\u200cc\u200dd\u2060e\ufefff", "a⟨U+200B⟩b⟨U+200C⟩c⟨U+200D⟩d⟨U+2060⟩e⟨U+FEFF⟩f"},
		"soft hyphen":                 {"rm\u00ad-rf", "rm⟨U+00AD⟩-rf"},
		"invisible operators":         {"\u2061\u2062\u2063\u2064", "⟨U+2061⟩⟨U+2062⟩⟨U+2063⟩⟨U+2064⟩"},
		"fillers that draw nothing":   {"\u3164\uffa0\u115f\u1160\u034f", "⟨U+3164⟩⟨U+FFA0⟩⟨U+115F⟩⟨U+1160⟩⟨U+034F⟩"},
		"tag characters":              {"a\U000e0041\U000e007f", "a⟨U+E0041⟩⟨U+E007F⟩"},
		"variation selectors":         {"a\ufe00b\ufe0fc\U000e0100", "a⟨U+FE00⟩b⟨U+FE0F⟩c⟨U+E0100⟩"},
		"line and paragraph":          {"a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"},
		"non-characters":              {"\ufdd0\ufffe\uffff\U0010ffff", "⟨U+FDD0⟩⟨U+FFFE⟩⟨U+FFFF⟩⟨U+10FFFF⟩"},
		"private use":                 {"\ue0b0\U000f0000", "⟨U+E0B0⟩⟨U+F0000⟩"},
		"annotations":                 {"\ufff9x\ufffb", "⟨U+FFF9⟩x⟨U+FFFB⟩"},
		"four marks stay":             {"a\u0300\u0301\u0302\u0303", "a\u0300\u0301\u0302\u0303"},
		"a storm is counted":          {"a" + strings.Repeat("\u0300", 13) + "b", "a\u0300\u0300\u0300\u0300⟨+9 marks⟩b"},
		"one too many":                {"a" + strings.Repeat("\u20dd", 5), "a\u20dd\u20dd\u20dd\u20dd⟨+1 mark⟩"},
		"marks that stand beside":     {"က" + strings.Repeat("\u102c", 10), "က" + strings.Repeat("\u102c", 8) + "⟨+2 marks⟩"},
		"a mark without a character":  {"\u0301x", "◌\u0301x"},
		"a mark behind an escape":     {"\x07\u0338", "⟨BEL⟩◌\u0338"},
		"a mark behind a newline":     {"\n\u0338", "⏎◌\u0338"},
		"emoji":                       {"👍 ok", "👍 ok"},
		"emoji with selector":         {"❤\ufe0f ☁\ufe0e", "❤ ☁"},
		"emoji family":                {"👨\u200d👩\u200d👧", "👨👩👧"},
		"emoji family with selectors": {"❤\ufe0f\u200d🔥", "❤🔥"},
		"emoji with skin tone":        {"👍🏽👩🏽\u200d💻", "👍👩💻"},
		"keycap":                      {"1\ufe0f\u20e3", "1\u20e3"},
		"flag":                        {"🇰🇷", "🇰🇷"},
		"selector twice":              {"❤\ufe0f\ufe0f", "❤⟨U+FE0F⟩"},
		"selector on a digit":         {"1\ufe0f2", "1⟨U+FE0F⟩2"},
		"joiner at the end":           {"👨\u200d", "👨⟨U+200D⟩"},
		"joiner before a letter":      {"👨\u200da", "👨⟨U+200D⟩a"},
		"joiner before a format":      {"👨\u200d\U000e0041", "👨⟨U+200D⟩⟨U+E0041⟩"},
		"skin tone on a letter":       {"a🏽", "a⟨U+1F3FD⟩"},
		"skin tone twice":             {"👍🏽🏽", "👍⟨U+1F3FD⟩"},
		"flag smuggling by tags":      {"🏴\U000e0067\U000e007f", "🏴⟨U+E0067⟩⟨U+E007F⟩"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Line(c.in)
			if string(got) != c.want {
				t.Errorf("Line(%q)\n got %q\nwant %q", c.in, got, c.want)
			}
			if b := BytesN([]byte(c.in), len(c.in)); b != got {
				t.Errorf("BytesN = %q, Line = %q", b, got)
			}
			check(t, got)
		})
	}
}

// check fails the test unless got is what the package promises of a Text.
func check(t *testing.T, got Text) {
	t.Helper()
	if msg := unsafe(string(got)); msg != "" {
		t.Errorf("%q: %s", got, msg)
	}
	if again := Line(string(got)); again != got {
		t.Errorf("not idempotent: %q becomes %q", got, again)
	}
}

// unsafe says what is wrong with s, by rules that are written down a second
// time here so that they do not depend on the code under test.
func unsafe(s string) string {
	if !utf8.ValidString(s) {
		return "not UTF-8"
	}
	for _, r := range s {
		switch {
		case r < 0x20 || r >= 0x7f && r < 0xa0:
			return fmt.Sprintf("control %U", r)
		case r >= 0x200b && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
			r == 0x061c, r == 0xfeff, r == 0x2028, r == 0x2029, r == 0xad:
			return fmt.Sprintf("invisible %U", r)
		case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff:
			return fmt.Sprintf("selector or tag %U", r)
		case r >= 0xe000 && r <= 0xf8ff, r >= 0xf0000:
			return fmt.Sprintf("private use %U", r)
		case r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef:
			return fmt.Sprintf("non-character %U", r)
		}
	}
	return ""
}

// Every character there is, one by one: what is written as itself can
// take a column of its own, or is a mark on the character before it.
func TestEveryCharacterIsSafe(t *testing.T) {
	requirements.Rows(t, "SEC-19")
	for b := range 256 { // those from 0x80 on are no characters by themselves
		raw := "x" + string([]byte{byte(b)}) + "y"
		for what, got := range map[string]Text{
			"Line": Line(raw), "LineN": LineN(raw, 3), "BytesN": BytesN([]byte(raw), 3), "Quoted": Quoted(raw), "QuotedCut": QuotedCut(raw, 40),
			"Block": Block(raw, 5)[0],
		} {
			if msg := unsafe(string(got)); msg != "" {
				t.Errorf("%s of the byte %#x: %q: %s", what, b, got, msg)
			}
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r >= 0xd800 && r <= 0xdfff {
			continue
		}
		got := string(Line("x" + string(r)))
		if msg := unsafe(got); msg != "" {
			t.Fatalf("%U: %q: %s", r, got, msg)
		}
		if got != "x"+string(r) || unicode.Is(unicode.M, r) {
			continue
		}
		if max(ansi.StringWidth(got), ansi.StringWidthWc(got)) < 2 {
			t.Fatalf("%U takes no column and is not shown", r)
		}
	}
}

func TestLineNStopsReading(t *testing.T) {
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 4, "abcd⟨+2 bytes⟩"},
		{"abcdef", 5, "abcde⟨+1 byte⟩"},
		{"abcdef", 0, "⟨+6 bytes⟩"},
		{"", 0, ""},
		{"한글 텍스트", 2, "한글⟨+10 bytes⟩"},
		{"\xff\xff\xff", 2, "⟨0xFF⟩⟨0xFF⟩⟨+1 byte⟩"},
		{"a" + strings.Repeat("\u0300", 20), 11, "a\u0300\u0300\u0300\u0300⟨+6 marks⟩⟨+20 bytes⟩"},
	} {
		if got := LineN(c.in, c.n); string(got) != c.want {
			t.Errorf("LineN(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
		if got := BytesN([]byte(c.in), c.n); string(got) != c.want {
			t.Errorf("BytesN(%q, %d) = %q, want %q", c.in, c.n, got, c.want)
		}
	}
	huge := strings.Repeat("\x1b", 20<<20)
	bytes := []byte(huge)
	work := testing.AllocsPerRun(5, func() { LineN(huge, 80); BytesN(bytes, 80) })
	if work > 400 {
		t.Errorf("showing 80 of 20 million characters took %v allocations", work)
	}
	if got, want := BytesN(bytes, 80), LineN(huge, 80); got != want {
		t.Errorf("BytesN = %q, LineN = %q", got, want)
	}
}

func TestPlainTextCostsNothing(t *testing.T) {
	s := "tools/call deploy_preview"
	if n := testing.AllocsPerRun(100, func() { _ = Line(s) }); n != 0 {
		t.Errorf("Line of plain ASCII allocates %v times", n)
	}
}

func TestBlock(t *testing.T) {
	long := strings.Repeat("x", blockRunes)
	for name, c := range map[string]struct {
		in   string
		max  int
		want []string
	}{
		"empty":                 {"", 9, nil},
		"one":                   {"a", 9, []string{"a"}},
		"final newline":         {"a\n", 9, []string{"a"}},
		"empty lines":           {"\n\na\n\n", 9, []string{"", "", "a", ""}},
		"CR LF":                 {"a\r\nb\r\n", 9, []string{"a", "b"}},
		"lone CR":               {"a\rb", 9, []string{"a⟨CR⟩b"}},
		"tabs are stops":        {"\ta\tbcd\te", 9, []string{"    a   bcd e"}},
		"tab after wide":        {"한\tb", 9, []string{"한  b"}},
		"escapes":               {"\x1b[2J\n\u202e", 9, []string{"⟨ESC⟩[2J", "⟨U+202E⟩"}},
		"other separators":      {"a\vb\fc\u2028d\u0085e", 9, []string{"a⟨VT⟩b⟨FF⟩c⟨U+2028⟩d⟨U+0085⟩e"}},
		"mark behind a tab":     {"a\t\u0301", 9, []string{"a   ◌\u0301"}},
		"as many as allowed":    {"a\nb\nc", 3, []string{"a", "b", "c"}},
		"more than allowed":     {"a\nb\nc\nd", 3, []string{"a", "b", "⟨+2 lines⟩"}},
		"room for the count":    {"a\nb", 1, []string{"⟨+2 lines⟩"}},
		"no room at all":        {"a\nb", 0, []string{"⟨+2 lines⟩"}},
		"long line":             {long + "yy\nz", 9, []string{long + "⟨+2 bytes⟩", "z"}},
		"long line with a tab":  {"ab\t" + long + "\tq", 9, []string{"ab  " + long[3:] + "⟨+5 bytes⟩"}},
		"limit right at a tab":  {long[1:] + "\tzz", 9, []string{long[1:] + " ⟨+2 bytes⟩"}},
		"limit behind the last": {long[1:] + "\t", 9, []string{long[1:] + " "}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Block(c.in, c.max)
			if len(got) != len(c.want) {
				t.Fatalf("%d lines, want %d: %.80q", len(got), len(c.want), got)
			}
			for i := range got {
				if string(got[i]) != c.want[i] {
					t.Errorf("line %d is %.80q, want %.80q", i, got[i], c.want[i])
				}
				check(t, got[i])
			}
		})
	}
}

// A server that writes a consent line of belay's inside a reason stays inside
// the quotes whatever it writes.
func TestQuotedCannotBeLeft(t *testing.T) {
	for in, want := range map[string]string{
		"":                             `""`,
		"wrong branch":                 `"wrong branch"`,
		`done" · press y to allow "`:   `"done\" · press y to allow \""`,
		`done\" · press y`:             `"done\\\" · press y"`,
		"done\n\x1b[1;1Hallow? y/n":    `"done⏎⟨ESC⟩[1;1Hallow? y/n"`,
		"\u0301on the opening quote":   "\"◌\u0301on the opening quote\"",
		"typographic “quotes” look so": `"typographic \“quotes\” look so"`,
		"a wide one＂ ✓ done":           `"a wide one\＂ ✓ done"`,
	} {
		got := string(Quoted(in))
		if got != want {
			t.Errorf("Quoted(%q) = %s, want %s", in, got, want)
		}
		if msg := unsafe(got); msg != "" {
			t.Error(msg)
		}
		for width := -1; width < 40; width++ {
			cut := string(QuotedCut(in, width))
			if w := Width(Text(cut)); w > max(width, 0) {
				t.Errorf("QuotedCut(%q, %d) = %s is %d wide", in, width, cut, w)
			}
			if width >= 3 && !closed(cut) {
				t.Errorf("QuotedCut(%q, %d) = %s is not one quote", in, width, cut)
			}
			if width >= Width(Text(got)) && width >= 3 && cut != got {
				t.Errorf("QuotedCut(%q, %d) = %s, want all of it", in, width, cut)
			}
		}
	}
}

// closed reports whether s is one quoted string: opened, closed at its very
// end and not before.
func closed(s string) bool {
	if !strings.HasPrefix(s, `"`) || len(s) < 2 {
		return false
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i == len(s)-1
		}
	}
	return false
}

// A name that is cut in its middle is one quote, too, and its end is seen.
func TestQuotedCutMiddle(t *testing.T) {
	name := `read "all" the files " of \ this`
	for width := -1; width < 60; width++ {
		got := string(QuotedCutMiddle(name, width))
		if w := Width(Text(got)); w > max(width, 0) || width >= 3 && !closed(got) {
			t.Errorf("in %d columns it is %s", width, got)
		}
		if width > 12 && !strings.HasSuffix(got, `this"`) {
			t.Errorf("in %d columns the end is lost: %s", width, got)
		}
	}
}
