package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// slowTerminal is a terminal, as the other end of a pipe, that takes a few bytes at a time, with a pause
// behind them; got is all that it took, once nothing more comes.
func slowTerminal(t *testing.T, pause time.Duration) (out *os.File, got func() string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	var all bytes.Buffer
	over := make(chan struct{})
	go func() {
		defer close(over)
		for {
			if n, err := io.CopyN(&all, r, 1<<10); n == 0 || err != nil {
				return
			}
			time.Sleep(pause)
		}
	}()
	return w, func() string {
		_ = w.Close()
		<-over
		return all.String()
	}
}

// A terminal that is slow gets what belay says last, and not all that was drawn before; one that takes
// nothing is not waited for.
func TestASlowTerminalGetsTheLastWords(t *testing.T) {
	frames := strings.Repeat("x", 1<<20)
	out, got := slowTerminal(t, 10*time.Millisecond)
	s := newScreen(out, func() {})
	_, _ = s.Write([]byte(frames))
	if !s.drainOrSkip(100*time.Millisecond, "<undone>") {
		t.Fatal("a slow terminal counts as one that does not read")
	}
	s.say("bye")
	if !s.drain(time.Minute) {
		t.Error("the last words are not written")
	}
	s.end()
	if all := got(); !strings.HasSuffix(all, "x"+cutOff+"<undone>bye") || len(all) > len(frames)/2 {
		t.Errorf("it got %d bytes, which end in %.40q", len(all), all[max(0, len(all)-40):])
	}
}

func TestATerminalThatStoppedIsNotWaitedFor(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, 1<<20)); !errors.Is(err, os.ErrDeadlineExceeded) { // the pipe is full
		t.Fatal(err)
	}
	if err := w.SetWriteDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	s := newScreen(w, func() {})
	_, _ = s.Write([]byte("x"))
	const limit = 10 * time.Second
	began := time.Now()
	if s.wait(limit) || s.drainOrSkip(limit, "<undone>") {
		t.Error("a terminal that takes nothing counts as one that reads")
	}
	if time.Since(began) >= limit {
		t.Error("a terminal that takes nothing was waited for until the limit")
	}
	_, _ = r.Close(), w.Close()
	s.end()
}

// What is written is left out where too much waits, and drawn anew when the terminal has caught up.
func TestAFrameIsLeftOutWhereTooManyWait(t *testing.T) {
	out, got := slowTerminal(t, 0)
	drawn := make(chan struct{})
	s := &screen{File: out, out: out, redraw: func() { close(drawn) }}
	s.cond = sync.NewCond(&s.mu)
	s.left = make([]byte, screenBound-10) // a write is under way
	_, _ = s.Write([]byte("fits"))
	_, _ = s.Write([]byte("does not fit\x1b[?25h\x1b]2;a\a\x1b[?2026h"))
	_, _ = s.Write([]byte("x\x1b[?25l\x1b[?1h\x1b]2;title\a")) // nor what comes after it
	_, _ = s.Write([]byte("\x1b]52;c;b25l\a\x1b]9;belay: done\a"))
	_, _ = s.Write([]byte("\x1b]52;c;dHdv\x1b\\\x1bPtmux;\x1b\x1b]777;notify;belay;asked\a\x1b\\"))
	if string(s.buf) != "fits" || !s.lost {
		t.Errorf("%q waits, left out %v", s.buf, s.lost)
	}
	s.left = nil
	go s.run()
	<-drawn
	s.wait(time.Minute)
	// What was left out may have been what gives the terminal back.
	for range 2 {
		if !s.drainOrSkip(time.Minute, "<undone>") {
			t.Error("it counts as one that does not read")
		}
		s.wait(time.Minute)
	}
	s.end()
	// Of the texts for the clipboard the last one counts.
	const messages = "\x1b]52;c;dHdv\x1b\\\x1b]9;belay: done\a\x1bPtmux;\x1b\x1b]777;notify;belay;asked\a\x1b\\"
	if all, want := got(), "fits\x1b[?1h\x1b[?25l\x1b]2;title\a"+messages+cutOff+"<undone>"; all != want {
		t.Errorf("it got %q, want %q", all, want)
	}
}
