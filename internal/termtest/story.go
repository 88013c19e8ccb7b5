package termtest

import (
	"slices"
	"time"
)

// Story drives a terminal in a test: every step fails the test at once when it
// cannot be taken, and returns the Story for the next one. What it does not
// name itself is the Terminal's. Its steps belong to the test's own goroutine.
type Story struct {
	*Terminal
	t     TB
	ended bool // Exit has seen the end of the program
	shown bool // a failure has shown the screen
}

// Tell starts a program for a test. The terminal is closed when the test ends,
// and then a program that Exit saw ending must have left no process behind.
func Tell(t TB, o Options) *Story {
	t.Helper()
	term, err := Start(t, o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	s := &Story{Terminal: term, t: t}
	t.Cleanup(func() {
		if t.Failed() && !s.shown {
			t.Logf("the last screen of %s:\n%s", o.Argv[0], term.Screen().Framed())
		}
		if s.ended {
			term.awaitFamily(farewell)
		}
		left, _ := term.Close()
		if s.ended && len(left.Processes) > 0 {
			t.Errorf("%s ended and left processes behind: %v", o.Argv[0], left.Processes)
		}
	})
	return s
}

// farewell is how long what a program started may outlive it: what it killed,
// or what the end of its session hangs up on, takes a moment to end.
const farewell = 10 * time.Second

// step ends the test if a step failed.
func (s *Story) step(err error) *Story {
	s.t.Helper()
	if err != nil {
		s.shown = true
		s.t.Fatalf("%v", err)
	}
	return s
}

// See waits until each of the texts is on the screen, one after the other.
func (s *Story) See(texts ...string) *Story {
	s.t.Helper()
	for _, text := range texts {
		s.step(s.WaitText(text))
	}
	return s
}

// Gone waits until none of the texts is on the screen.
func (s *Story) Gone(texts ...string) *Story {
	s.t.Helper()
	for _, text := range texts {
		s.step(s.WaitGone(text))
	}
	return s
}

// Until waits until cond holds; what says in the failure what was waited for.
func (s *Story) Until(what string, cond func(Screen) bool) *Story {
	s.t.Helper()
	return s.step(s.wait(what, cond, 0))
}

// Press presses keys.
func (s *Story) Press(keys ...string) *Story {
	s.t.Helper()
	return s.step(s.Terminal.Press(keys...))
}

// Type types text; a newline is the enter key.
func (s *Story) Type(text string) *Story {
	s.t.Helper()
	return s.step(s.Terminal.Type(text))
}

// Paste pastes text.
func (s *Story) Paste(text string) *Story {
	s.t.Helper()
	return s.step(s.Terminal.Paste(text))
}

// Click clicks into a cell.
func (s *Story) Click(x, y int) *Story {
	s.t.Helper()
	return s.step(s.Terminal.Click(x, y))
}

// ClickOn waits until text is on the screen and clicks on its first cell.
func (s *Story) ClickOn(text string) *Story {
	s.t.Helper()
	s.See(text)
	x, y, ok := s.Screen().Find(text)
	if !ok {
		s.t.Fatalf("termtest: %q went away before it could be clicked", text)
	}
	return s.Click(x, y)
}

// Resize changes the size of the terminal.
func (s *Story) Resize(cols, rows int) *Story {
	s.t.Helper()
	return s.step(s.Terminal.Resize(cols, rows))
}

// Exit waits until the program has ended, with this exit code, or one of the others.
func (s *Story) Exit(code int, others ...int) *Story {
	s.t.Helper()
	got, err := s.WaitExit()
	s.step(err)
	s.ended = true
	if got != code && !slices.Contains(others, got) {
		s.t.Fatalf("%s ended with exit code %d instead of %d", s.opts.Argv[0], got, code)
	}
	return s
}
