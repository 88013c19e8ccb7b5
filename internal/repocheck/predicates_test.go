package repocheck

import (
	"slices"
	"testing"
)

func TestPredicatesAsk(t *testing.T) {
	_, files := tree(t)
	for _, s := range Adjectives(files) {
		t.Error(s + " only reports whether something is so: its name asks that, as isOpen, mayAsk or holdsOne do")
	}
}

func TestAdjectivesAreSeen(t *testing.T) {
	f, err := Parse("session/a.go", []byte(`package session

// open reports whether it is open.
func open() bool { return true }

// isOpen reports whether it is open.
func isOpen() bool { return true }

// Opens reports whether it opens.
func Opens() bool { return true }

// address reports whether this is one.
func address() bool { return true }

// Empty reports whether nothing is in it.
func Empty() bool { return true }

// take counts one, and reports whether it may be taken.
func take() bool { return true }
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := Adjectives([]File{f}); !slices.Equal(got, []string{"session/a.go:13: address", "session/a.go:4: open"}) {
		t.Errorf("%q", got)
	}
}

func TestWhatAsksIsAnswered(t *testing.T) {
	_, files := tree(t)
	for _, s := range Unanswered(files) {
		t.Error(s + " asks a question, and returns no bool: handlers are onX, reasons whyX, errors checkX")
	}
}

func TestTheUnansweredAreSeen(t *testing.T) {
	f, err := Parse("ui/a.go", []byte(`package ui

func wasForm(msg int) {}

func mayAsk() error { return nil }

func (p *Panel) HasEnded() string { return "" }

func isOpen() bool { return true }

func mayBe() (n int, ok bool) { return 0, true }

func isolate() {}

func area() {}
`))
	if err != nil {
		t.Fatal(err)
	}
	if got := Unanswered([]File{f}); !slices.Equal(got, []string{"ui/a.go:3: wasForm", "ui/a.go:5: mayAsk", "ui/a.go:7: HasEnded"}) {
		t.Errorf("%q", got)
	}
}
