package house

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
