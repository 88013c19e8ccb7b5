//go:build unix

package termtest

import (
	"fmt"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// IsCooked reports whether the terminal echoes what is typed, edits lines and
// makes signals of ctrl+c and the like, as it does for a shell. It may be asked
// after the program has ended.
func (t *Terminal) IsCooked() (bool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closing {
		return false, errClosed
	}
	state, err := term.GetState(t.pty.Fd())
	if err != nil {
		return false, fmt.Errorf("termtest: the terminal does not tell its mode: %w", err)
	}
	const cooked = unix.ECHO | unix.ICANON | unix.ISIG
	return state.Lflag&cooked == cooked, nil
}
