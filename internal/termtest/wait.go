package termtest

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// coarse is how often a condition is tried again although nothing was written;
// only conditions that look at more than the screen need it.
const coarse = 250 * time.Millisecond

// WaitFor waits until cond holds for the screen; it is tried again whenever the
// program has written something. With a timeout of 0 Options.Timeout counts.
// The error, when the time is up or the program has ended without it, shows the
// screen and the end of the raw output.
func (t *Terminal) WaitFor(cond func(Screen) bool, timeout time.Duration) error {
	return t.wait("the condition to hold", cond, timeout)
}

// WaitText waits until text is on the screen.
func (t *Terminal) WaitText(text string) error {
	return t.wait(fmt.Sprintf("%q to appear", text), func(s Screen) bool { return s.Contains(text) }, 0)
}

// WaitGone waits until text is not on the screen.
func (t *Terminal) WaitGone(text string) error {
	return t.wait(fmt.Sprintf("%q to go away", text), func(s Screen) bool { return !s.Contains(text) }, 0)
}

// WaitExit waits until the program has ended and everything that it wrote is
// drawn. The code is its exit code, or 128 + n if signal n ended it.
func (t *Terminal) WaitExit() (code int, err error) {
	err = t.wait("the program to end", func(Screen) bool {
		_, exited := t.exitCode()
		return exited
	}, 0)
	if err != nil {
		return 0, err
	}
	// A process that the program left behind may keep the terminal open; what
	// the program itself wrote arrives with no pause as long as this.
	_ = t.WaitQuiet(time.Second)
	code, _ = t.exitCode()
	return code, nil
}

// WaitQuiet waits until the program has written nothing for the given time.
// Prefer WaitText: quiet says that nothing happens, not that something is done.
func (t *Terminal) WaitQuiet(quiet time.Duration) error {
	deadline := time.NewTimer(t.opts.Timeout)
	defer deadline.Stop()
	silence := time.NewTimer(quiet)
	defer silence.Stop()
	for {
		_, changed, over := t.look()
		if over {
			return nil
		}
		silence.Reset(quiet)
		select {
		case <-changed:
		case <-silence.C:
			return nil
		case <-deadline.C:
			return t.failure(fmt.Sprintf("%s without output", quiet), t.opts.Timeout)
		}
	}
}

func (t *Terminal) exitCode() (code int, exited bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.code, t.exited
}

// look is the screen, the channel that tells of the next change, and whether
// there can be none because the program has ended and all is drawn.
func (t *Terminal) look() (s Screen, changed <-chan struct{}, over bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.emu.screen(), t.changed, t.drained && t.exited
}

func (t *Terminal) wait(what string, cond func(Screen) bool, timeout time.Duration) error {
	if timeout <= 0 {
		timeout = t.opts.Timeout
	}
	start := time.Now()
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	again := time.NewTicker(min(coarse, timeout))
	defer again.Stop()
	for late := false; ; {
		s, changed, over := t.look()
		switch {
		case cond(s):
			return nil
		case over:
			return t.failure(what, time.Since(start))
		case late:
			return t.failure(what, timeout)
		}
		select {
		case <-changed:
		case <-again.C:
		case <-deadline.C:
			late = true
		}
	}
}

// failure is the error of a wait that came to nothing.
func (t *Terminal) failure(what string, waited time.Duration) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	state := "still runs"
	if t.exited {
		state = fmt.Sprintf("has ended with exit code %d", t.code)
	}
	return fmt.Errorf("termtest: waited %s for %s in vain; %s %s\n%s\nlast of the %d bytes written:\n%s",
		waited.Round(time.Millisecond), what, t.opts.Argv[0], state,
		t.emu.screen().Framed(), t.raw.total, escapeRaw(t.raw.tail(2048)))
}

// Framed is the screen with a border and a line about its state, for messages.
func (s Screen) Framed() string {
	var b strings.Builder
	rule := strings.Repeat("─", s.Cols)
	fmt.Fprintf(&b, "┌%s┐\n", rule)
	for y := range s.Rows {
		b.WriteString("│")
		for x := range s.Cols {
			b.WriteString(s.Cell(x, y).Text)
		}
		b.WriteString("│\n")
	}
	fmt.Fprintf(&b, "└%s┘\n", rule)
	fmt.Fprintf(&b, "%d×%d, cursor at %d,%d", s.Cols, s.Rows, s.Cursor.X, s.Cursor.Y)
	if !s.Cursor.Visible {
		b.WriteString(" (hidden)")
	}
	if s.AltScreen {
		b.WriteString(", alternate screen")
	}
	if s.Title != "" {
		fmt.Fprintf(&b, ", title %q", s.Title)
	}
	return b.String()
}

// escapeRaw makes raw output readable: everything but printable text is
// escaped, and a line ends after each newline.
func escapeRaw(raw []byte) string {
	var b strings.Builder
	for line := range bytes.Lines(raw) {
		quoted := strconv.Quote(string(line))
		b.WriteString(quoted[1:len(quoted)-1] + "\n")
	}
	return b.String()
}
