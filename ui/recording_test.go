package ui

import (
	"strings"
	"testing"
	"time"
)

// A recording that stops is told in the status line at once; then the header says
// so for good, and the page of the server says why.
func TestARecordingThatStops(t *testing.T) {
	const why = "the recording stopped after 0 bytes: no space left on device"
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.seesNot("recording stopped")
		w.b.unrecorded = why
		w.wait(100 * time.Millisecond)
		if got := w.status(); got != why {
			t.Errorf("the status line says %q", got)
		}
		w.wait(10 * time.Second)
		if got := w.status(); strings.Contains(got, "recording") {
			t.Errorf("later it still says %q", got)
		}
		w.call("countdown")
		w.golden("recording-stopped")
		w.press("i")
		w.sees(why)
		if n := strings.Count(w.screen(), why); n != 1 {
			t.Errorf("it says so %d times:\n%s", n, w.screen())
		}
		w.press("esc")
		w.b.unrecorded = "" // another one was begun
		w.wait(time.Second)
		w.seesNot("recording stopped")
		w.b.unrecorded = why
		w.wait(100 * time.Millisecond)
		if got := w.status(); got != why {
			t.Errorf("of the second one the status line says %q", got)
		}
		w.wait(10 * time.Second)
		const next = "the recording stopped after 8 bytes: no space left on device"
		w.b.unrecorded = next // a third one, which nobody saw begin
		w.wait(100 * time.Millisecond)
		if got := w.status(); got != next {
			t.Errorf("of the third one the status line says %q", got)
		}
	})
}

// What must not be missed is told in the status line when the screen begins; then the
// header has a mark of it, and the greeting and the page of the server keep it.
func TestWhatMustNotBeMissed(t *testing.T) {
	const mind, other = "Cookie goes without TLS\x1b[2J", "run.jsonl will hold passwords"
	run(t, 140, 40, Options{Minds: []string{mind, other}}, func(w *harness) {
		if got := w.status(); !strings.Contains(got, "Cookie goes without TLS") || !strings.Contains(got, "; "+other) {
			t.Errorf("the status line says %q", got)
		}
		w.wait(10 * time.Second)
		w.sees("2 warnings · i", "! Cookie goes without TLS", "! "+other)
		w.press("i")
		w.sees("! Cookie goes without TLS", "! "+other)
	})
}

// What comes about later is told when it does, and kept in the same places.
func TestWhatMustNotBeMissedLater(t *testing.T) {
	run(t, 140, 40, Options{}, func(w *harness) {
		w.wait(10 * time.Second)
		w.seesNot("1 warning")
		w.send(Mind("terminal-guard is gone\x1b[2J"))
		if got := w.status(); !strings.Contains(got, "terminal-guard is gone") {
			t.Errorf("the status line says %q", got)
		}
		w.send(Mind("and so is another"))
		if got := w.status(); !strings.HasPrefix(got, "and so is another") {
			t.Errorf("the status line says %q", got)
		}
		w.sees("2 warnings · i")
		w.press("i")
		w.sees("! terminal-guard is gone", "! and so is another")
	})
}
