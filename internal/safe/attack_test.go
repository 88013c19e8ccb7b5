package safe

import (
	"io"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// attacks are texts that make a terminal do something. The name says what.
var attacks = map[string]string{
	"clipboard (OSC 52, BEL)":        "\x1b]52;c;cm0gLXJmIH4=\a",
	"clipboard (OSC 52, ST)":         "\x1b]52;c;cm0gLXJmIH4=\x1b\\",
	"clipboard read":                 "\x1b]52;c;?\a",
	"link (OSC 8)":                   "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
	"title (OSC 2)":                  "\x1b]2;owned\a",
	"title (OSC 0, C1)":              "\u009d0;owned\u009c",
	"title (OSC 0, 8-bit)":           "\x9d0;owned\x9c",
	"title report":                   "\x1b]0;id\a\x1b[21t",
	"icon name":                      "\x1b]1;owned\a",
	"working directory (OSC 7)":      "\x1b]7;file:///etc\a",
	"palette":                        "\x1b]4;1;#000000\a\x1b]10;#000000\a\x1b]11;#000000\a",
	"colour report":                  "\x1b]11;?\a",
	"notification":                   "\x1b]9;owned\a\x1b]777;notify;a;b\a",
	"status string (DECRQSS)":        "\x1bP$qm\x1b\\",
	"status string (C1)":             "\u0090$qm\u009c",
	"termcap (XTGETTCAP)":            "\x1bP+q544e\x1b\\",
	"device attributes":              "\x1b[c\x1b[>c\x1b[=c\x1bZ",
	"device attributes (8-bit CSI)":  "\x9bc",
	"device attributes (C1)":         "\u009bc",
	"cursor report":                  "\x1b[6n\x1b[5n",
	"mode report (DECRQM)":           "\x1b[?2004$p",
	"answerback":                     "\x05",
	"mouse on":                       "\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h",
	"bracketed paste off":            "\x1b[?2004l",
	"bracketed paste end":            "\x1b[201~y\n",
	"alternate screen off":           "\x1b[?1049l",
	"cursor hidden":                  "\x1b[?25l",
	"clear and home":                 "\x1b[2J\x1b[H",
	"reset":                          "\x1bc",
	"soft reset":                     "\x1b[!p",
	"scroll region":                  "\x1b[1;2r",
	"insert lines":                   "\x1b[9L",
	"charset":                        "\x1b(0lqqk\x0e",
	"screen alignment":               "\x1b#8",
	"back over the label":            "ok\b\b\b\b\b\b\bDONE",
	"back to the margin":             "ok\rfake row",
	"up a line":                      "\x1b[1A\x1bM",
	"private message":                "\x1b^owned\x1b\\",
	"application command":            "\x1b_Gi=1;AAAA\x1b\\",
	"start of string":                "\x1bXowned\x1b\\",
	"kitty keyboard":                 "\x1b[>31u\x1b[?u",
	"unicode mode":                   "\x1b[?2027h",
	"synchronised output, for ever":  "\x1b[?2026h",
	"nested":                         "\x1b\x1b]52;c;\x1b]52;c;eA==\a\a",
	"nested by removal":              "\x1b\x1b[[31m\x1b]\x1b]2;x\a2;x\a",
	"an escape across bad UTF-8":     "\xe2\x1b[31m\x80\xf0\x9f\x1b]2;x\a",
	"overlong escape":                "\xc0\x9b[2J\xe0\x80\x9b[2J\xf0\x80\x80\x9b[2J",
	"overlong C1":                    "\xc1\x9b31m",
	"C1 spelled in invalid pieces":   "\xc2\xc2\x9b31m",
	"unterminated string":            "\x1bPswallow the rest of the screen",
	"line and page controls":         "\n\v\f\r\u0085\u2028\u2029",
	"delete and nul":                 "\x00\x7f\x00",
	"right-to-left":                  "cancel\u202egnp.exe\u2066\u2069\u202c",
	"every mark on one character":    "Z" + strings.Repeat("\u0300\u0316\u0334", 500),
	"tags that spell an instruction": "safe\U000e0072\U000e006d",
}

// screen is a wide terminal that shows a label, and remembers everything
// that somebody made it do besides printing.
type screen struct {
	*vt.Emulator
	did []string
}

const label = "reason: "

func newScreen() *screen {
	s := &screen{Emulator: vt.NewEmulator(4000, 3)}
	note := func(what string) { s.did = append(s.did, what) }
	s.SetCallbacks(vt.Callbacks{
		Bell:             func() { note("bell") },
		Title:            func(string) { note("title") },
		IconName:         func(string) { note("icon name") },
		AltScreen:        func(bool) { note("alternate screen") },
		CursorVisibility: func(bool) { note("cursor") },
		WorkingDirectory: func(string) { note("working directory") },
		EnableMode:       func(ansi.Mode) { note("mode on") },
		DisableMode:      func(ansi.Mode) { note("mode off") },
	})
	for _, c := range []int{4, 7, 8, 9, 10, 11, 52, 777} {
		s.RegisterOscHandler(c, func([]byte) bool { note("OSC"); return true })
	}
	return s
}

// print writes text behind the label and returns what the terminal did about
// it: effects, answers, and a first row that is not label and text.
func (s *screen) print(text string) (effects []string, answers []byte, row string) {
	answered := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(s.Emulator)
		answered <- b
	}()
	_, _ = s.WriteString(label + text)
	row = strings.TrimRight(s.String(), " \n")
	if pipe, ok := s.InputPipe().(io.Closer); ok {
		_ = pipe.Close()
	}
	return s.did, <-answered, row
}

// An emulated terminal is the judge: of the corpus as it is, it obeys most;
// of the same corpus made safe, nothing.
func TestAttacksAreInert(t *testing.T) {
	obeyed := 0
	for name, attack := range attacks {
		t.Run(name, func(t *testing.T) {
			effects, answers, row := newScreen().print(attack)
			if len(effects) > 0 || len(answers) > 0 || row != label+attack {
				obeyed++
			}

			text := Line(attack)
			check(t, text)
			effects, answers, row = newScreen().print(string(text))
			if len(effects) > 0 {
				t.Errorf("%q makes the terminal act: %v", text, effects)
			}
			if len(answers) > 0 {
				t.Errorf("%q makes the terminal answer %q", text, answers)
			}
			if want := strings.TrimRight(label+string(text), " "); unmarked(row) != unmarked(want) {
				t.Errorf("the terminal shows %q, want %q", row, want)
			}
			for _, line := range Block(attack, 5) {
				check(t, line)
			}
			for _, start := range []string{"\x1b", "\x9b", "\u009b", "\a", "\r", "\b"} {
				if strings.Contains(string(Quoted(attack)), start) {
					t.Errorf("Quoted lets %q through", start)
				}
			}
		})
	}
	if obeyed < len(attacks)*3/4 {
		t.Errorf("the terminal obeyed only %d of %d attacks: it is no judge", obeyed, len(attacks))
	}
}

// unmarked is s without combining marks, which the emulator does not keep.
func unmarked(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
}

func FuzzText(f *testing.F) {
	for _, s := range attacks {
		f.Add([]byte(s), 20)
	}
	for _, s := range samples {
		f.Add([]byte(s), 7)
	}
	f.Fuzz(func(t *testing.T, raw []byte, width int) {
		width %= 200
		text := Line(string(raw))
		check(t, text)
		checkLayout(t, text, width)
		for _, n := range []int{0, 1, width, 1000} {
			limited := LineN(string(raw), n)
			check(t, limited)
			if got := BytesN(raw, n); got != limited {
				t.Errorf("BytesN(%q, %d) = %q, LineN = %q", raw, n, got, limited)
			}
		}
		for _, line := range Block(string(raw), max(width, 1)) {
			check(t, line)
		}
		if lines := Block(string(raw), width); len(lines) > max(width, 1) {
			t.Errorf("Block(%q, %d) has %d lines", raw, width, len(lines))
		}
		if got := string(QuotedCut(string(raw), width)); Width(Text(got)) > max(width, 0) || width >= 3 && !closed(got) {
			t.Errorf("QuotedCut(%q, %d) = %s", raw, width, got)
		}
		if !closed(string(Quoted(string(raw)))) {
			t.Errorf("Quoted(%q) = %s", raw, Quoted(string(raw)))
		}
	})
}

func BenchmarkLine(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":   strings.Repeat("tools/call ", 8),
		"korean":  strings.Repeat("도구 호출 ", 8),
		"hostile": strings.Repeat("\x1b[31m\u202e", 10),
		"20MB":    strings.Repeat("x", 20<<20),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				LineN(s, 200)
			}
		})
	}
}

func BenchmarkFit(b *testing.B) {
	for name, s := range map[string]string{
		"short":  "deploy_preview",
		"long":   strings.Repeat("deploy_preview ", 1000),
		"korean": strings.Repeat("도구 호출 ", 1000),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Pad(Cut(Text(s), 40), 40)
			}
		})
	}
}

func BenchmarkBlock(b *testing.B) {
	raw := strings.Repeat("2026-11-02 level=info msg=\"listening\"\n", 25)
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		Block(raw, 40)
	}
}
