package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/keymap"
	"belay/ui/layout"
)

// confirm is a question that the user caused. It takes y or enter, n or esc,
// at once; pasted text is no answer (SEC-30).
type confirm struct {
	title safe.Text
	lines func(m *Model) []safe.Text // made for each frame: what they count goes on
	yes   func(m *Model) tea.Cmd

	more func(m *Model) // shows all that it is about; nil: the lines are all

	quitting bool // it is the question that quitting asks
}

func (c *confirm) scope() keymap.Scope {
	s := inConfirm
	if c.more != nil {
		s |= inConfirmMore
	}
	if c.quitting {
		s |= inConfirmQuit
	}
	return s
}

func (c *confirm) draw(m *Model) *image.Point {
	lines := c.lines(m)
	if m.lay.Mode == layout.Tiny {
		m.drawTinyLine(c.title+"? y n", lines, m.styles.Warn)
		return nil
	}
	w := safe.Width(c.title) + 4
	for _, l := range lines {
		w = max(w, safe.Width(l)+2)
	}
	w = min(max(w, 30), 76)
	g := m.box(w, len(lines)+4, c.title, m.styles.Warn)
	for i, l := range lines {
		g.Put(1, i+1, safe.Cut(l, g.W()-2), m.styles.Text)
	}
	m.drawHints(g.Row(g.H()-1), 1, c.scope())
	return nil
}

func (c *confirm) key(*Model, tea.KeyPressMsg) tea.Cmd { return nil }

func (c *confirm) paste(*Model, string) tea.Cmd { return nil }

func (c *confirm) close(m *Model) tea.Cmd {
	m.pop(c)
	return nil
}

func (c *confirm) accept(m *Model) tea.Cmd {
	m.pop(c)
	return c.yes(m)
}
