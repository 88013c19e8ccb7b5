package ui

import (
	"testing"

	"belay/ui/panel"
)

// What is typed behind a command that takes nothing is said to be too much, and nothing is done.
func TestACommandThatTakesNothing(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.command("export /tmp/mine.jsonl")
		if n := w.m.status.Notice(); n.Kind != panel.IsRefused || n.Text != `:export takes nothing behind it, and "/tmp/mine.jsonl" was typed: nothing was done` {
			t.Errorf("%+v", n)
		}
		w.command("disconnect ")
		w.sees("disconnected")
	})
}
