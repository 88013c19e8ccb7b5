//go:build unix

package termtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestScreenIsWhatTheProgramDrew(t *testing.T) {
	t.Parallel()
	story := Tell(t, play("paint")).See("link")
	story.Until("the bell and the clipboard", func(s Screen) bool { return s.Bells == 1 && s.Clipboard == "copied" })
	s := story.Screen()
	want := "plain red true mix\n日本語 and é\n╭──╮ ⠹\nlink"
	if got := s.String(); got != want {
		t.Errorf("the screen reads\n%s\nwant\n%s", got, want)
	}
	styles := map[string]Style{
		"plain": {},
		"red":   {Fg: Indexed(1), Attrs: Bold},
		"true":  {Fg: RGB(1, 2, 3), Bg: Indexed(200)},
		"mix":   {Attrs: Italic | Reverse, Underline: UnderlineCurly},
	}
	for text, want := range styles {
		if got, ok := s.StyleOf(text); !ok || got != want {
			t.Errorf("the style of %q is %+v, want %+v", text, got, want)
		}
	}
	if x, y, ok := s.Find("語 and"); x != 4 || y != 1 || !ok {
		t.Errorf("語 was found at %d,%d (%v), want 4,1", x, y, ok)
	}
	wide, right := s.Cell(2, 1), s.Cell(3, 1)
	if wide.Text != "本" || wide.Width != 2 || right.Text != "" || right.Width != 0 {
		t.Errorf("the cells of a wide character are %+v and %+v", wide, right)
	}
	if got := s.Cell(1, 3).Link; got != "https://example.com/a" {
		t.Errorf("the link goes to %q", got)
	}
	if got := s.Cell(1, 1).Style; got != s.Cell(0, 1).Style || got == (Style{}) {
		t.Errorf("the right half of a wide character has the style %+v", got)
	}
	if s.Cell(4, 3).Link != "" {
		t.Error("the link goes on after its end")
	}
	if s.Title != "a title; with a semicolon" {
		t.Errorf("the title is %q", s.Title)
	}
	if s.Cursor.Visible || s.Cursor.X != 0 || s.Cursor.Y != 4 {
		t.Errorf("the cursor is %+v, want it hidden at 0,4", s.Cursor)
	}
	story.Press("q").Exit(3)
}

func TestKeysPasteAndMouseReachTheProgram(t *testing.T) {
	t.Parallel()
	o := play("keys")
	o.Cols = 160
	story := Tell(t, o).See("ready")
	story.Press("ctrl+x", "shift+tab", "up", "f1", "esc").Type("hi\n").
		See(`\x18\x1b[Z\x1b[A\x1bOP\x1bhi\r`)
	story.Paste("two\nlines\x1b[201~rest").See(`\x1b[200~two\nlinesrest\x1b[201~`)
	story.ClickOn("eady").See(`\x1b[<0;2;1M\x1b[<0;2;1m`)
	if err := story.Scroll(4, 2, -2); err != nil {
		t.Fatal(err)
	}
	story.See(`\x1b[<64;5;3M\x1b[<64;5;3M`).Press("q").Exit(0)
}

func TestInputThatCannotBeSentIsAnError(t *testing.T) {
	t.Parallel()
	story := Tell(t, play("size")).See("80 by 24")
	for name, err := range map[string]error{
		"a click without mouse reports": story.Terminal.Click(1, 1),
		"an unknown key":                story.Terminal.Press("hyper+x"),
		"a key without an encoding":     story.Terminal.Press("ctrl+enter"),
		"a size of nothing":             story.Terminal.Resize(0, 10),
	} {
		if err == nil {
			t.Errorf("%s is no error", name)
		}
	}
	if _, err := story.Close(); err != nil {
		t.Fatal(err)
	}
	if err := story.Terminal.Type("late"); !errors.Is(err, errClosed) {
		t.Errorf("typing into a closed terminal gives %v", err)
	}
}

func TestResizeTellsTheProgram(t *testing.T) {
	t.Parallel()
	o := play("size")
	o.Cols, o.Rows = 100, 30
	story := Tell(t, o).See("100 by 30").Resize(61, 17).See("61 by 17")
	if s := story.Screen(); s.Cols != 61 || s.Rows != 17 || len(s.Lines()) != 17 {
		t.Errorf("the screen is %d×%d", s.Cols, s.Rows)
	}
}

func TestTheTerminalAnswersQueries(t *testing.T) {
	t.Parallel()
	for _, plain := range []bool{false, true} {
		o := play("ask")
		o.Plain = plain
		light := Light()
		o.Theme = &light
		mode := 2 // known, and off
		if plain {
			mode = 0 // unknown
		}
		Tell(t, o).See(
			`\x1b[3;5R`,
			`\x1b]11;rgb:fdfd/fdfd/fbfb`,
			fmt.Sprintf(`\x1b[?2026;%d$y`, mode),
			fmt.Sprintf(`\x1b[?2027;%d$y`, mode),
		).Press("q").Exit(0)
	}
}

func TestAlternateScreen(t *testing.T) {
	t.Parallel()
	story := Tell(t, play("alt")).See("inside")
	if s := story.Screen(); !s.AltScreen || !s.HasMode(1049) || s.Contains("before") {
		t.Errorf("the alternate screen is not shown: %s", s.Framed())
	}
	story.Press("q").See("before", "after")
	if s := story.Screen(); s.AltScreen || s.HasMode(1049) || s.Contains("inside") {
		t.Errorf("the alternate screen is still shown: %s", s.Framed())
	}
	story.Press("q").Exit(0)
}

func TestAFrameIsNeverSeenHalfDrawn(t *testing.T) {
	e := newEmulator(20, 3, Dark(), false)
	e.write([]byte("\x1b[Hold\x1b[?2026h\x1b[2J\x1b[Hnew\x1b[?25l\x1b]2;title\a"))
	if s := e.screen(); s.String() != "old" || !s.Cursor.Visible || s.Title != "" {
		t.Errorf("within a synchronized update the screen is %s", s.Framed())
	}
	e.write([]byte("\x1b[?2026l"))
	if s := e.screen(); s.String() != "new" || s.Cursor.Visible || s.Title != "title" {
		t.Errorf("after a synchronized update the screen is %s", s.Framed())
	}
}

func TestAFrameThatNeverEndsIsShown(t *testing.T) {
	t.Parallel()
	story := Tell(t, play("sync"))
	story.See("new frame") // once the terminal gives up on it
	story.Press("q", "q").Exit(0)
	if title := story.Screen().Title; title != "half" {
		t.Errorf("the title is %q", title)
	}
}

func TestAStuckTerminalHoldsUpTheWriterOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	alive, written := filepath.Join(dir, "alive"), filepath.Join(dir, "written")
	o := play("flood")
	o.Env = append(o.Env, "ALIVE="+alive, "WRITTEN="+written)
	o.RawLimit = 64 << 10
	story := Tell(t, o).See("ready")
	story.StopReading()
	story.Press("g", "a").Until("the program to read keys", func(Screen) bool { return exists(alive) })
	if n := story.BytesWritten(); exists(written) || n > floodSize/2 {
		t.Errorf("a terminal that does not read took %d bytes", n)
	}
	story.StartReading()
	story.See("written")
	if n := story.BytesWritten(); n < floodSize {
		t.Errorf("%d bytes were written, want at least %d", n, floodSize)
	}
	raw := story.RawOutput()
	if len(raw) != o.RawLimit || !strings.HasSuffix(string(raw), "xxx\x1b[H\x1b[2Jwritten") {
		t.Errorf("the raw output has %d bytes and ends with %q", len(raw), raw[len(raw)-20:])
	}
	story.Press("q").Exit(0)
}

// A program whose terminal is on a slow line writes as slowly as that.
func TestASlowTerminalHoldsUpTheWriter(t *testing.T) {
	t.Parallel()
	story := Tell(t, Options{Argv: []string{"/bin/sh", "-c", "read line; head -c 40000 /dev/zero | tr '\\0' x; echo; echo written"}})
	story.ReadSlowly(2000, 50*time.Millisecond)
	began := time.Now()
	story.Type("\r").See("written")
	if took := time.Since(began); took < 700*time.Millisecond { // the first read is an ordinary one
		t.Errorf("40000 bytes were written in %v", took)
	}
	story.Exit(0)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func TestRawOutputIsEveryByte(t *testing.T) {
	t.Parallel()
	o := Options{Argv: []string{"/bin/sh", "-c", `stty raw; printf 'a\033[31mb\001\r\n\377'; exit 7`}}
	story := Tell(t, o).Exit(7)
	if got := string(story.RawOutput()); got != "a\x1b[31mb\x01\r\n\xff" {
		t.Errorf("the raw output is %q", got)
	}
	if story.BytesWritten() != 11 {
		t.Errorf("%d bytes were written", story.BytesWritten())
	}
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]int{"exit 0": 0, "exit 42": 42, "kill -TERM $$": 143} {
		term, err := Start(t, Options{Argv: []string{"/bin/sh", "-c", script}})
		if err != nil {
			t.Fatal(err)
		}
		if code, err := term.WaitExit(); err != nil || code != want {
			t.Errorf("%q ended with %d, %v; want %d", script, code, err, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("TERM_PROGRAM", "another")
	t.Setenv("LC_ALL", "C")
	t.Setenv("TERMTEST_KEPT", "yes")
	t.Setenv("TERMTEST_REMOVED", "yes")
	o := play("env")
	o.Rows = 200
	o.Env = append(o.Env, "TERMTEST_REMOVED", "TERM=vt100", "TERMTEST_TWICE=1", "TERMTEST_TWICE=2")
	s := Tell(t, o).Exit(0).Screen()
	lines := make(map[string]bool)
	for _, line := range s.Lines() {
		lines[line] = true
	}
	for _, want := range []string{"TERM=vt100", "COLORTERM=truecolor", "LANG=C.UTF-8", "TERMTEST_KEPT=yes", "TERMTEST_TWICE=2"} {
		if !lines[want] {
			t.Errorf("%s is missing", want)
		}
	}
	for _, unwanted := range []string{"NO_COLOR=1", "TERM_PROGRAM=another", "LC_ALL=C", "TERMTEST_REMOVED=yes", "TERM=xterm-256color", "TERMTEST_TWICE=1"} {
		if lines[unwanted] {
			t.Errorf("%s was passed on", unwanted)
		}
	}
}

func TestStartSaysWhatCannotBeStarted(t *testing.T) {
	t.Parallel()
	if _, err := Start(t, Options{}); err == nil || !strings.Contains(err.Error(), "no program") {
		t.Errorf("without a program: %v", err)
	}
	_, err := Start(t, Options{Argv: []string{"/nonexistent/program"}})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "/nonexistent/program") {
		t.Errorf("with a program that does not exist: %v", err)
	}
}

// Esc cannot be taken for the beginning of a sequence by a program that has asked
// for the kitty keyboard protocol, on the screen for which it has.
func TestEscInTheKittyProtocol(t *testing.T) {
	t.Parallel()
	read := `; printf ready; head -c 5 | od -An -c | tr '\n' ' '; stty sane`
	for name, tt := range map[string]struct {
		asks  string
		plain bool
		want  string
	}{
		"asked for":              {`\033[>1u`, false, `033   [   2   7   u`},
		"not asked for":          {``, false, `033   q   q   q   q`},
		"taken back":             {`\033[>1u\033[<u`, false, `033   q   q   q   q`},
		"of the other screen":    {`\033[>1u\033[?1049h`, false, `033   q   q   q   q`},
		"flags without that one": {`\033[>1u\033[>2u`, false, `033   q   q   q   q`},
		"an older terminal":      {`\033[>1u`, true, `033   q   q   q   q`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Tell(t, Options{Argv: []string{"sh", "-c", "stty raw -echo; printf '" + tt.asks + "'" + read}, Plain: tt.plain})
			s.See("ready").Press("esc").Type("qqqq").See(tt.want).Exit(0)
		})
	}
}

// What a program asks is answered: the flags that are set.
func TestTheKittyProtocolIsAskedFor(t *testing.T) {
	t.Parallel()
	s := Tell(t, Options{Argv: []string{"sh", "-c", `stty raw -echo; printf '\033[>5u\033[?u'; head -c 5 | od -An -c | tr '\n' ' '; stty sane`}})
	s.See(`033   [   ?   5   u`).Exit(0)
}
