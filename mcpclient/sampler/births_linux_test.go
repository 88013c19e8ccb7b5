package sampler

import (
	"os/exec"
	"testing"
	"time"
)

// The system tells which of two processes was begun before a moment, and which after it, however
// little lies between.
func TestBirthsOfTheSystem(t *testing.T) {
	start := func() (pid int) {
		cmd := exec.Command("sleep", "60")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		})
		return cmd.Process.Pid
	}
	var b Births
	before := start()
	at := time.Now()
	b.Note(at)
	after := start()
	for after < before { // the numbers have begun anew just now
		b.notes, before, at = nil, start(), time.Now()
		b.Note(at)
		after = start()
	}
	seems := at.Add(-time.Millisecond) // of both, as it may be by hundredths of a second
	if got := b.since(before, seems); !got.Equal(seems) {
		t.Errorf("a process that was there before seems to have begun %v later", got.Sub(seems))
	}
	if got := b.since(after, seems); !got.Equal(at) {
		t.Errorf("a process that was begun later is said to have begun %v before", at.Sub(got))
	}
}
