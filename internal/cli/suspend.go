package cli

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
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

// stoppedWithin is how long a signal may take to stop belay, and a shell to give it the terminal again.
const stoppedWithin = time.Second

// awaitForeground waits while the job goes on in the background: a shell that ends a stopped job sends SIGTERM to the
// job and then SIGCONT, without giving the terminal away. When a shell brings the job back, some send SIGCONT once more;
// others, as bash, send nothing to a job that is going on.
func awaitForeground(tty *os.File, on <-chan os.Signal, ends <-chan struct{}) error {
	for !isForeground(tty) {
		select {
		case <-on:
		case <-time.After(stoppedWithin):
		case <-ends:
			return errEnding
		}
	}
	return nil
}

// resumed takes the terminal anew when belay goes on after it was stopped from outside: the
// shell has changed the terminal's modes and written on it, and its size may be another.
func (st *stage) resumed() {
	on := make(chan os.Signal, 1)
	notifyResumed(on)
	defer signal.Stop(on)
	for {
		select {
		case <-on:
			if err := awaitForeground(st.in, on, st.ended); err == nil && !st.editing.isLent() {
				st.program.Send(taken{})
			}
		case <-st.ended:
			return
		}
	}
}

// taken says that the terminal is belay's again, in the modes of another program.
type taken struct{}

// raw gives the terminal the modes of a screen. It is called in the loop of the screen, where the terminal is handed over
// and taken back as well: beside the loop, Bubble Tea could note these modes as those that the shell gets back.
func (st *stage) raw() {
	if isForeground(st.in) {
		_, _ = term.MakeRaw(st.keys.Fd())
	}
}

// retake sets what a view has set on a terminal, as far as that is not drawn.
func retake(view *tea.View) string {
	var b strings.Builder
	if view.AltScreen {
		b.WriteString(ansi.SetModeAltScreenSaveCursor)
	}
	if view.Cursor == nil {
		b.WriteString(ansi.ResetModeTextCursorEnable)
	}
	if !view.DisableBracketedPasteMode {
		b.WriteString(ansi.SetModeBracketedPaste)
	}
	if view.ReportFocus {
		b.WriteString(ansi.SetModeFocusEvent)
	}
	switch view.MouseMode {
	case tea.MouseModeNone:
	case tea.MouseModeCellMotion:
		b.WriteString(ansi.SetModeMouseButtonEvent + ansi.SetModeMouseExtSgr)
	case tea.MouseModeAllMotion:
		b.WriteString(ansi.SetModeMouseAnyEvent + ansi.SetModeMouseExtSgr)
	}
	if view.WindowTitle != "" {
		b.WriteString(ansi.SetWindowTitle(view.WindowTitle))
	}
	b.WriteString(ansi.SetModifyOtherKeys2)
	flags := ansi.KittyDisambiguateEscapeCodes
	if view.KeyboardEnhancements.ReportEventTypes {
		flags |= ansi.KittyReportEventTypes
	}
	b.WriteString(ansi.KittyKeyboard(flags, 1)) // not pushed: the entry of before may be there
	return b.String()
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
