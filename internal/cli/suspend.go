package cli

import (
	"io"
	"os"
	"os/signal"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/term"
)

// Suspend gives the terminal back to the shell, and stops belay until the shell goes on
// with it. The server goes on meanwhile: it is no part of belay's job.
func (d *desktop) Suspend() tea.ExecCommand { return &suspension{editing: &d.editing} }

type suspension struct {
	editing *editorSession
	out     io.Writer
}

func (s *suspension) SetStdin(io.Reader)    {}
func (s *suspension) SetStdout(w io.Writer) { s.out = w }
func (s *suspension) SetStderr(io.Writer)   {}

// resumed draws the screen anew when belay goes on after it was stopped from outside: the
// shell has changed the terminal's modes, and written on it.
func (st *stage) resumed() {
	on := make(chan os.Signal, 1)
	notifyResumed(on)
	defer signal.Stop(on)
	for {
		select {
		case <-on:
			if !st.editing.isLent() && isForeground(st.in) {
				_, _ = term.MakeRaw(st.in.Fd())
				st.program.Send(tea.ClearScreen())
			}
		case <-st.ended:
			return
		}
	}
}

// Run returns when belay goes on. An error says why it was not stopped.
func (s *suspension) Run() error {
	defer s.editing.enter()()
	if w, ok := s.out.(*screen); ok {
		w.handOver()
	}
	keys := s.editing.keys
	keys.pause()
	if g := s.editing.left; g != nil {
		g.Release()
		defer g.Hold()
	}
	return stopSelf(keys.tty, s.editing.ends())
}
