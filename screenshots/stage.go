package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"belay/internal/termtest"
)

// stage is a running belay, when it was started, and the shots that were taken.
type stage struct {
	*termtest.Terminal
	began time.Time
	shots []termtest.Shot
}

// step is something that a person at the keyboard does or waits for.
type step func(*stage) error

// script is several steps as one; it ends at the first that fails.
func script(all ...step) step {
	return func(s *stage) error {
		for _, do := range all {
			if err := do(s); err != nil {
				return err
			}
		}
		return nil
	}
}

// errOverdue says that a busy machine played a scene too slowly: its picture
// would show other times.
var errOverdue = errors.New("the scene is behind its times")

// at waits until so long after belay's start. Belay's clock moves in whole
// seconds from its start on: what happens in the middle of a second gets the
// same time in every run, and what happens two tenths apart the same order. A
// step that comes when its second is over fails with errOverdue.
func at(seconds float64) step {
	return func(s *stage) error {
		due := s.began.Add(time.Duration(seconds * float64(time.Second)))
		over := s.began.Add(time.Duration(math.Floor(seconds)+1) * time.Second)
		if time.Now().After(over) {
			return fmt.Errorf("%s behind: %w", time.Since(due).Round(time.Millisecond), errOverdue)
		}
		time.Sleep(time.Until(due))
		return nil
	}
}

func press(keys ...string) step {
	return func(s *stage) error { return s.Press(keys...) }
}

func typed(text string) step {
	return func(s *stage) error { return s.Type(text) }
}

func see(text string) step {
	return func(s *stage) error { return s.WaitText(text) }
}

func gone(text string) step {
	return func(s *stage) error { return s.WaitGone(text) }
}

// row waits for a line with all of these words.
func row(words ...string) step {
	return func(s *stage) error {
		err := s.WaitFor(func(screen termtest.Screen) bool {
			for _, line := range screen.Lines() {
				if hasAll(line, words) {
					return true
				}
			}
			return false
		}, 0)
		if err != nil {
			return fmt.Errorf("no line has all of %q: %w", words, err)
		}
		return nil
	}
}

func hasAll(line string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(line, w) {
			return false
		}
	}
	return true
}

// connected waits until belay knows what the server offers: the handshake and four lists
// are over then.
var connected = see("5 requests by belay itself")

// pick chooses something from the list of what can be called.
func pick(kind, name string) step {
	return script(press("n"), see("New call"), typed(name), row("▌"+kind, name))
}

// form opens the form of a tool and fills in its fields, in their order; "" is
// left as it is.
func form(tool string, values ...string) step {
	steps := []step{pick("tool", tool), press("enter"), see(`tools/call "` + tool + `" ─`)}
	for i, v := range values {
		if i > 0 {
			steps = append(steps, press("tab"))
		}
		if v != "" {
			steps = append(steps, typed(v), see(v))
		}
	}
	return script(steps...)
}

// send sends the form that is open, so long after belay's start.
func send(seconds float64) step {
	return script(at(seconds), press("ctrl+s"), gone("ctrl+s send"))
}

// cancel cancels the selected call with a reason, so long after belay's start;
// the row says cancelling afterwards.
func cancel(seconds float64, reason string) step {
	return script(press("c"), see("cancel #"), typed(reason), see(": "+reason), at(seconds), press("enter"), see("cancelling…"))
}

// held is how long the screen must not have changed when a shot of a film is
// taken.
const held = 150 * time.Millisecond

// shot takes the screen into the film, in which it is shown so long.
func shot(lasts time.Duration) step {
	return func(s *stage) error {
		if err := s.WaitQuiet(held); err != nil {
			return err
		}
		s.shots = append(s.shots, termtest.Shot{Screen: s.Screen(), Lasts: lasts})
		return nil
	}
}

// letters types a text with a shot after each letter.
func letters(text string) step {
	var steps []step
	for _, r := range text {
		steps = append(steps, typed(string(r)), shot(90*time.Millisecond))
	}
	return script(steps...)
}
