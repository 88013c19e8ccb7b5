package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Closing is the screen while the connection is being closed.
type Closing struct {
	Title   safe.Text
	Process func() string // what the server's process does
}

// Scope is where its keys work.
func (c *Closing) Scope() keymap.Scope { return scope.Closing }

// Key takes none: ending the server at once is a binding.
func (c *Closing) Key(tea.KeyPressMsg) tea.Cmd { return nil }

// Paste takes nothing.
func (c *Closing) Paste(string) tea.Cmd { return nil }

// Close does nothing: there is nothing to go back to.
func (c *Closing) Close() tea.Cmd { return nil }

// Draw says what is being done, and for how many calls.
func (c *Closing) Draw(f *panel.Frame) *image.Point {
	s := f.Status
	first := safe.Text("closing the connection")
	switch {
	case s.Ending:
		first = "waiting for the server to end"
		if s.Transport == mcp.HTTP {
			first = "telling the server that the session is over"
		}
	case s.UserCalls > 0:
		first = "cancelling " + wording.Count(s.UserCalls, "call") + ", then closing the connection"
	}
	if f.IsTiny() {
		f.TinyLine("q ends the server", []safe.Text{first}, f.Styles.Stop)
		return nil
	}
	lines := []safe.Text{f.Spin + " " + first, safe.Line(c.Process())}
	g := f.Box(56, len(lines)+4, c.Title, f.Styles.Stop)
	for i, l := range lines {
		g.Put(1, i+1, safe.Cut(l, g.W()-2), f.Styles.Text)
	}
	f.Hint(g.Row(g.H()-1), 1, scope.Closing)
	return nil
}
