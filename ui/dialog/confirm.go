package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Confirm is a question that the user caused. It takes y or enter, n or esc,
// at once; pasted text is no answer (SEC-30).
type Confirm struct {
	Host  panel.Host
	Title safe.Text
	Lines func() []safe.Text // made for each frame: what they count goes on
	Yes   func() tea.Cmd

	Always func() tea.Cmd // a yes after which it is not asked any more; nil: there is none

	More func() // shows all that it is about; nil: the lines are all

	Quitting bool // it is the question that quitting asks

	Leave func() tea.Cmd // a yes that cancels no task, …
	Tasks func() int     // … while there are any; nil: there are none
}

// Scope is where its keys work.
func (c *Confirm) Scope() keymap.Scope {
	s := scope.Confirm
	if c.More != nil {
		s |= scope.ConfirmMore
	}
	if c.Always != nil {
		s |= scope.ConfirmAlways
	}
	if c.Quitting {
		s |= scope.ConfirmQuit
	}
	if c.Tasks != nil && c.Tasks() > 0 {
		s |= scope.ConfirmTask
	}
	return s
}

// Draw draws the question in a box.
func (c *Confirm) Draw(f *panel.Frame) *image.Point {
	lines := c.Lines()
	if f.IsTiny() {
		f.TinyLine(c.Title+"? y n", lines, f.Styles.Warn)
		return nil
	}
	w := safe.Width(c.Title) + 4
	for _, l := range lines {
		w = max(w, safe.Width(l)+2)
	}
	w = min(max(w, 30), 76)
	g := f.Box(w, len(lines)+4, c.Title, f.Styles.Warn)
	for i, l := range lines {
		g.Put(1, i+1, safe.Cut(l, g.W()-2), f.Styles.Text)
	}
	f.Hint(g.Row(g.H()-1), 1, c.Scope())
	return nil
}

// Key takes none: yes and no are bindings.
func (c *Confirm) Key(tea.KeyPressMsg) tea.Cmd { return nil }

// Paste takes nothing.
func (c *Confirm) Paste(string) tea.Cmd { return nil }

// Close is a no.
func (c *Confirm) Close() tea.Cmd {
	c.Host.Pop(c)
	return nil
}

// leaveTasks is a yes that cancels no task.
func (c *Confirm) leaveTasks() tea.Cmd {
	c.Host.Pop(c)
	return c.Leave()
}

// acceptAlways is a yes for all times.
func (c *Confirm) acceptAlways() tea.Cmd {
	c.Host.Pop(c)
	return c.Always()
}

// Accept is a yes.
func (c *Confirm) Accept() tea.Cmd {
	c.Host.Pop(c)
	return c.Yes()
}
