package cli

import (
	"errors"
	"strings"
	"testing"
)

// What a server wrote before it ended is quoted in an error. It gives the runner of a CI no command.
func TestAnErrorHoldsNoCommandToARunner(t *testing.T) {
	var said strings.Builder
	showError(&said, newRoot(std{}), cannotConnect(errors.New("the server ended\n  ::stop-commands::x\na ##[error]b")))
	want := "belay: the server ended\n·          ::stop-commands::x\n       a ##⟨[⟩error]b\n"
	if said.String() != want {
		t.Errorf("%q, want %q", said.String(), want)
	}
}
