//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"belay/internal/termtest"
)

// failingModel fails where the environment says, when F is pressed.
type failingModel struct {
	tea.Model
	fails bool
}

func (m failingModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	fail := func() tea.Msg { panic("this\x1b[2J failed") }
	nothing := func() tea.Msg { return nil }
	if k, ok := msg.(tea.KeyPressMsg); ok && k.Text == "F" {
		switch os.Getenv(stuckIn) {
		case "Update":
			fail()
		case "View":
			m.fails = true
		case "a command":
			return m, fail
		case "a batch":
			return m, tea.Batch(nothing, fail)
		case "a sequence":
			return m, tea.Sequence(nothing, fail)
		}
	}
	var cmd tea.Cmd
	m.Model, cmd = m.Model.Update(msg)
	return m, cmd
}

func (m failingModel) View() tea.View {
	if m.fails {
		panic("this\x1b[2J failed")
	}
	return m.Model.View()
}

// Where the model of the screen fails, belay ends in order: the server is closed, the terminal is given back, and what
// failed is told on the shell's screen. The exit code says that the screen failed.
func TestAScreenThatFails(t *testing.T) {
	for _, in := range []string{"Update", "View", "a command", "a batch", "a sequence"} {
		t.Run(in, func(t *testing.T) {
			t.Parallel()
			log := filepath.Join(t.TempDir(), "log")
			s := termtest.Tell(t, termtest.Options{
				Argv: []string{os.Args[0], "sh", "-c", answersOnce}, Cols: 140, Rows: 60,
				Env: []string{childVar + "=failing", stuckIn + "=" + in, "LOG=" + log},
			})
			s.See("scripted").Type("F")
			s.Exit(ExitScreen)
			s.Until("the shell's screen with what failed", func(screen termtest.Screen) bool {
				return !screen.AltScreen && screen.Cursor.Visible && screen.Contains("belay failed in the screen: this") &&
					screen.Contains("please report it") && screen.Contains("failingModel")
			})
			if strings.Contains(string(s.RawOutput()), "Caught panic") {
				t.Error("it was told in the middle of the screen")
			}
			if cooked, err := s.IsCooked(); err != nil || !cooked {
				t.Errorf("the terminal is left raw: %v", err)
			}
			if text, err := os.ReadFile(log); err != nil || !slices.Contains(strings.Split(string(text), "\n"), "EOF") {
				t.Errorf("the server was not closed: %v: %s", err, text)
			}
		})
	}
}
