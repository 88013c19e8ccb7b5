//go:build unix

package termtest

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// teaModel shows what reached it, with the library that belay's interface is
// made with.
type teaModel struct {
	width, height int
	log           string
}

func (m teaModel) Init() tea.Cmd { return nil }

func (m teaModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return m, tea.Quit
		}
		m.log += " " + msg.Keystroke()
	case tea.PasteMsg:
		m.log += fmt.Sprintf(" paste:%q", msg.Content)
	case tea.MouseClickMsg:
		m.log += fmt.Sprintf(" click:%d,%d", msg.X, msg.Y)
	}
	return m, nil
}

func (m teaModel) View() tea.View {
	v := tea.NewView(fmt.Sprintf("%d×%d\n日本 ⚠\ufe0f|\nlog%s.", m.width, m.height, m.log))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "tea"
	return v
}

func actTea() {
	if _, err := tea.NewProgram(teaModel{}).Run(); err != nil {
		os.Exit(9)
	}
}

func TestABubbleTeaProgramIsAtHome(t *testing.T) {
	t.Parallel()
	story := Tell(t, play("tea")).See("80×24", "日本 ⚠\ufe0f|", "log.")
	story.Press("esc").Type("x").Press("alt+x", "ctrl+x", "shift+tab").See("log esc x alt+x ctrl+x shift+tab.")
	story.Paste("a\nb").See(`paste:"a\nb".`).ClickOn("本").See("click:2,1.")
	if s := story.Screen(); !s.AltScreen || s.Title != "tea" {
		t.Errorf("the screen is %s", s.Framed())
	}
	story.Resize(60, 10).See("60×10")
	if !bytes.Contains(story.RawOutput(), []byte("\x1b[?2026h")) {
		t.Error("the program does not use synchronized output, so a screen may be seen half drawn")
	}
	story.Press("ctrl+c").Exit(0)
	if s := story.Screen(); s.AltScreen || !s.Cursor.Visible || s.HasMode(1006) || s.HasMode(2004) {
		t.Errorf("the terminal was not put back in order: modes %v, %s", s.Modes, s.Framed())
	}
}
