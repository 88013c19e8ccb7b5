package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"belay/internal/termtest"
)

// A stranger is a terminal that is not the one belay was written on.
type stranger struct {
	name  string
	env   []string
	size  [2]int // 0×0 is 80×24
	mute  bool
	flags []string
	holds func(t *testing.T, s *stage, raw []byte) // at the end
}

var (
	paletteOf256 = regexp.MustCompile(`\x1b\[[0-9;:]*[34]8[;:]5[;:]`)
	trueColor    = regexp.MustCompile(`\x1b\[[0-9;:]*[34]8[;:]2[;:]`)
	anyColor     = regexp.MustCompile(`\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:[;:][0-9;:]*)?m`)
	boxes        = regexp.MustCompile(`[─│╭╮╰╯▌●…→←⊘]`)
)

// lacks holds that nothing of a kind was written to the terminal.
func lacks(what *regexp.Regexp) func(*testing.T, *stage, []byte) {
	return func(t *testing.T, _ *stage, raw []byte) {
		if found := what.Find(raw); found != nil {
			t.Errorf("%q was written, which this terminal has not", found)
		}
	}
}

// colors holds that colors of one kind were written, and none of another.
func colors(want, not *regexp.Regexp) func(*testing.T, *stage, []byte) {
	return func(t *testing.T, s *stage, raw []byte) {
		if !want.Match(raw) {
			t.Errorf("no color like %v", want)
		}
		lacks(not)(t, s, raw)
	}
}

func onlyASCII(t *testing.T, _ *stage, raw []byte) {
	if i := bytes.IndexFunc(raw, func(r rune) bool { return r > '~' }); i >= 0 {
		t.Errorf("not ASCII: %q", raw[i:min(i+60, len(raw))])
	}
}

func drawsBoxes(t *testing.T, _ *stage, raw []byte) {
	if !boxes.Match(raw) {
		t.Error("everything is drawn in ASCII")
	}
}

func leavesTheMouse(t *testing.T, _ *stage, raw []byte) {
	if found := regexp.MustCompile(`\x1b\[\?(?:1000|1002|1003|1006)h`).Find(raw); found != nil {
		t.Errorf("%q takes the mouse", found)
	}
}

var strangers = []stranger{
	{name: "tmux", env: []string{"TERM=tmux-256color", "COLORTERM", "TMUX=/nowhere,1,0", "TERM_PROGRAM=tmux"}, holds: colors(paletteOf256, trueColor)},
	{name: "tmux with true color", env: []string{"TERM=tmux-256color", "TMUX=/nowhere,1,0", "TERM_PROGRAM=tmux"}},
	{name: "screen", env: []string{"TERM=screen", "COLORTERM", "STY=1.tty.host"}, mute: true, holds: lacks(trueColor)},
	{name: "screen with 256 colors", env: []string{"TERM=screen-256color", "COLORTERM", "STY=1.tty.host"}, mute: true, holds: colors(paletteOf256, trueColor)},
	{name: "16 colors", env: []string{"TERM=xterm-16color", "COLORTERM"}, holds: colors(anyColor, regexp.MustCompile(paletteOf256.String()+"|"+trueColor.String()))},
	{name: "the console of Linux", env: []string{"TERM=linux", "COLORTERM"}, mute: true, holds: lacks(regexp.MustCompile(paletteOf256.String() + "|" + trueColor.String()))},
	{name: "no color", env: []string{"NO_COLOR=1"}, holds: lacks(anyColor)},
	{name: "no name", env: []string{"TERM", "COLORTERM"}, mute: true, holds: lacks(anyColor)},
	{name: "vt100", env: []string{"TERM=vt100", "COLORTERM"}, mute: true, holds: lacks(paletteOf256)},
	{name: "no locale of UTF-8", env: []string{"LANG=C"}, holds: onlyASCII},
	{name: "a locale of Latin-1", env: []string{"LC_ALL=de_DE.ISO-8859-1"}, holds: onlyASCII},
	{name: "no locale of UTF-8, and the user knows better", env: []string{"LANG=C"}, flags: []string{"--ascii=false"}, holds: drawsBoxes},
	{name: "no locale at all", env: []string{"LANG"}, holds: drawsBoxes},
	{name: "no answers", mute: true, holds: drawsBoxes},
	{name: "no mouse", flags: []string{"--no-mouse"}, holds: leavesTheMouse},
	{name: "300×100", size: [2]int{300, 100}},
	{name: "60×15", size: [2]int{60, 15}},
}

// On each terminal a call is made, cancelled with a reason that is pasted, and its
// verdict seen; and the terminal is given back as it was.
func TestOnTheTerminalsOfStrangers(t *testing.T) {
	for _, x := range strangers {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := x.starts(t, "--grace", "3s")
			s.See("scripted").Press("n").See("New call")
			s.Type("slow").See("tool      slow").Press("enter").See("running")
			s.Press("c").See("User requested cancellation")
			s.Paste("wrong\nbranch")
			s.See("wrong").Press("enter")
			s.serverReads(1, "notifications/cancelled", "wrong branch")
			s.See("quiet")
			s.Press("q").Exit(0)
			if screen := s.Screen(); screen.AltScreen || len(screen.Modes) > 0 && slices.ContainsFunc([]int{1000, 1002, 1003, 1006, 2004}, screen.HasMode) {
				t.Errorf("left behind: modes %v", screen.Modes)
			}
			if x.holds != nil {
				x.holds(t, s, s.RawOutput())
			}
		})
	}
}

// starts runs belay with a scripted server on a terminal like that.
func (x stranger) starts(t *testing.T, flags ...string) *stage {
	log := filepath.Join(t.TempDir(), "peer.jsonl")
	argv := slices.Concat([]string{belay, "--protocol", "2025-11-25"}, flags, x.flags, []string{"--", os.Args[0], "peer", "silent-cancel", log})
	return &stage{t: t, log: log, Story: termtest.Tell(t, termtest.Options{
		Cols: x.size[0], Rows: x.size[1], Argv: argv, Env: x.env, Plain: x.mute, Mute: x.mute,
	})}
}

// A terminal on which no screen can be drawn is refused in words, before anything runs.
func TestTerminalsThatCannotDrawAreRefused(t *testing.T) {
	t.Parallel()
	s := stranger{env: []string{"TERM=dumb", "COLORTERM"}, mute: true}.starts(t)
	s.Exit(2)
	raw := s.RawOutput()
	if !bytes.Contains(raw, []byte("no screen can be drawn here (TERM=dumb)")) || bytes.Contains(raw, []byte("\x1b")) {
		t.Errorf("%q", raw)
	}
	if len(s.received()) > 0 {
		t.Error("the server was run")
	}
}

// Nothing that only prints asks the terminal, which may not answer.
func TestWhatOnlyPrintsAsksNothing(t *testing.T) {
	for _, args := range []string{"--help", "help demo", "demo --help", "--version", "man", "completion bash", "--no-such-flag"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			code := 0
			if args == "--no-such-flag" {
				code = 2
			}
			s := termtest.Tell(t, termtest.Options{Argv: append([]string{belay}, strings.Fields(args)...), Mute: true})
			s.Exit(code)
			raw := s.RawOutput()
			for _, query := range []string{"\x1b]", "\x1b[c", "\x1b[?", "\x1b[6n", "\x1bP"} {
				if bytes.Contains(raw, []byte(query)) {
					t.Errorf("it asks %q", query)
				}
			}
			if len(raw) == 0 {
				t.Error("nothing was printed")
			}
		})
	}
}

// A terminal may have any size at any moment: while a call runs, a form is filled in,
// text is pasted, and while belay quits.
func TestResizedAtAnyMoment(t *testing.T) {
	t.Parallel()
	s := stranger{size: [2]int{80, 24}}.starts(t, "--grace", "3s")
	sizes := [][2]int{{20, 5}, {300, 100}, {79, 24}, {1, 1}, {120, 30}, {59, 14}, {60, 15}, {80, 24}}
	shake := func() {
		for _, size := range sizes {
			s.Resize(size[0], size[1])
			time.Sleep(5 * time.Millisecond) // so that some are seen, and others are overtaken
		}
		// No key comes before the last size is seen: at the smaller ones some open nothing.
		s.Until("the picture of the last size", func(screen termtest.Screen) bool {
			top := strings.TrimRight(screen.Line(1), " ") // the upper border of the panes
			return strings.HasPrefix(screen.Line(0), " belay") && strings.HasPrefix(top, "╭") && strings.HasSuffix(top, "╮") && utf8.RuneCountInString(top) == 80
		})
	}
	s.See("scripted")
	shake()
	s.call("slow").See("running")
	shake()
	s.call("ask").See("what to say")
	s.Type("before ")
	shake()
	s.Paste("and after").See("before and after")
	s.Resize(20, 5)
	s.Resize(100, 30)
	s.See("before and after").Press("esc").Gone("what to say")
	s.See("running").Resize(20, 5).See("#3", "running")
	s.Press("x").See("quiet")
	s.Resize(300, 100).See("quiet", "3 Wire")
	s.Resize(80, 24).See("quiet")
	s.Press("q")
	for _, size := range sizes { // the program may be gone already
		_ = s.Terminal.Resize(size[0], size[1])
	}
	s.Exit(0)
}

// Keys and text that come in one piece, as from a terminal without brackets around what
// is pasted, are text where text is typed.
func TestPastedWithoutBrackets(t *testing.T) {
	t.Parallel()
	s := stranger{mute: true}.starts(t)
	s.See("scripted").call("ask").See("what to say")
	s.Type("q x y :quit ctrl+c")
	s.See("q x y :quit ctrl+c").Press("ctrl+s")
	s.serverReads(1, "tools/call", "q x y :quit ctrl+c")
	s.Press("q", "y").Exit(0)
}
