package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session"
)

// A server that prints on its stdout is told of while it is waited for, and when it is gone.
func TestAServerThatPrintsOnItsStdout(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {140, 40}} {
		run(t, size[0], size[1], Options{}, func(w *harness) {
			w.feed("Welcome\x1b[2J to \"my\" server\u202e")
			w.seesNot("JSON-RPC:") // it may answer yet
			w.wait(2500 * time.Millisecond)
			w.sees("no answer yet, but what is no JSON-RPC", "it wrote \"Welcome⟨ESC⟩[2J to \\\"my\\\"", "server⟨U+202E⟩\".", ":disconnect stops the waiting")
			w.golden(fmt.Sprintf("stray-output-%d", size[0]))
			w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 0"}})
			w.wait(100 * time.Millisecond)
			said := strings.Join(w.m.Farewell(), "\n")
			for _, want := range []string{"cannot connect: the server ended before it answered initialize: exit status 0", "stdout │ Welcome⟨ESC⟩[2J", "its stdout is not JSON-RPC: it wrote \"Welcome⟨ESC⟩[2J", "logs belong on stderr"} {
				if !strings.Contains(said, want) {
					t.Errorf("%q is missing in what is said last:\n%s", want, said)
				}
			}
		})
	}
}

// With --ascii, what is said after the screen has no other characters either.
func TestTheLastWordsInASCII(t *testing.T) {
	run(t, 80, 24, Options{ASCII: true}, func(w *harness) {
		w.feed("Welcome … │ ü")
		w.wait(2500 * time.Millisecond)
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 1", Stderr: "no key"}})
		w.wait(100 * time.Millisecond)
		said := strings.Join(w.m.Farewell(), "\n")
		for _, want := range []string{"stdout | Welcome ~ ? ?", "stderr | no key"} {
			if !strings.Contains(said, want) {
				t.Errorf("%q is missing in what is said last:\n%s", want, said)
			}
		}
		if i := strings.IndexFunc(said, func(r rune) bool { return r > '~' }); i >= 0 {
			t.Errorf("it has %q", said[i:])
		}
	})
}
