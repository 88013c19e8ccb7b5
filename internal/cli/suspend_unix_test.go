//go:build unix

package cli

import (
	"io"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/creack/pty"

	"belay/mcpclient"
)

// watchedModel reports what the modes of a terminal are, by echo, when a message of a stage comes to its loop, and when
// that was handled.
type watchedModel struct {
	tea.Model
	echoes func() bool
	seen   chan [2]bool
}

func (m watchedModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, is := msg.(taken)
	before := m.echoes()
	_, cmd := m.Model.Update(msg)
	if is {
		select {
		case m.seen <- [2]bool{before, m.echoes()}:
		default:
		}
	}
	return m, cmd
}

// nothing is a model that shows nothing.
type nothing struct{}

func (nothing) Init() tea.Cmd                         { return nil }
func (n nothing) Update(tea.Msg) (tea.Model, tea.Cmd) { return n, nil }
func (nothing) View() tea.View                        { return tea.NewView("") }

// The modes of a terminal that comes back are set in the loop of the screen: anywhere else they could be set while the
// loop takes the terminal back from the shell, and would be taken for the shell's.
func TestTheModesOfATerminalThatComesBack(t *testing.T) {
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = master.Close(), tty.Close() }()
	st := &stage{std: std{in: tty}, editing: &editorSession{}, ended: make(chan struct{})}
	st.keys = newKeyboard(tty, func(uv.Event) {}, func(error) {})
	model := watchedModel{echoes: func() bool { return echoes(t, tty.Fd()) }, seen: make(chan [2]bool, 1)}
	model.Model = catching(nothing{}, new(atomic.Pointer[mcpclient.Crash]), func() {}, st.raw)
	st.program = tea.NewProgram(model, tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithoutSignalHandler())
	over, resumes := make(chan error, 1), make(chan struct{})
	go func() {
		_, err := st.program.Run()
		over <- err
	}()
	go func() {
		defer close(resumes)
		st.resumed()
	}()
	var echoed [2]bool
	waitUntil(t, "the terminal was not taken", func() bool {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		select {
		case echoed = <-model.seen:
			return true
		case <-time.After(tryAgain):
			return false
		}
	})
	st.program.Quit()
	if err := <-over; err != nil {
		t.Error(err)
	}
	close(st.ended)
	<-resumes
	if echoed != [2]bool{true, false} {
		t.Errorf("the terminal echoed before it was taken, and after it: %v", echoed)
	}
}
