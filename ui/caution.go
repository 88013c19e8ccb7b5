package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/caution"
	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/compose"
	"belay/ui/dialog"
	"belay/ui/item"
	"belay/ui/panel"
)

// setCaution is :confirm.
func (m *Model) setCaution(arg string) tea.Cmd {
	c, ok := caution.Parse(arg)
	switch {
	case arg == "":
		return m.status.Say(panel.Said("belay asks before tools: " + safe.Text(m.opts.Confirm.String()) + " · :confirm " + safe.Text(strings.Join(caution.Words(), ", "))))
	case !ok:
		return m.status.Say(panel.Refused(safe.QuotedCut(arg, 30) + " is none of " + safe.Text(strings.Join(caution.Words(), ", "))))
	}
	m.opts.Confirm = c
	return m.status.Say(panel.Said("belay asks before tools from now on: " + safe.Text(c.String())))
}

// cautious makes a call of the user's with yes, at once or when the user has
// agreed to it (SRV-01).
func (m *Model) cautious(c session.CallSpec, yes func() tea.Cmd) tea.Cmd {
	if c.Method != "tools/call" {
		return yes()
	}
	var tool mcp.Item
	var p session.Preview
	var err error
	var phase session.Phase
	m.backend.View(func(s *session.Session) {
		tool, phase = s.ToolOf(c.Params), s.Status().Phase
		if m.opts.Confirm.Asks(tool.Hints(), m.opts.Trusted) {
			p, err = s.Preview(c)
		}
	})
	switch {
	case !m.opts.Confirm.Asks(tool.Hints(), m.opts.Trusted):
		return yes()
	case err != nil && phase != session.Connecting:
		return m.status.Say(panel.Error(err))
	case err != nil:
		p.Message = c.Params // the rest of it is not known yet
	}
	m.push(&dialog.Confirm{
		Host:  m.host,
		Title: "Call " + safe.QuotedCut(tool.Name, 40),
		Lines: func() []safe.Text { return m.callLines(&tool, &p) },
		Yes:   yes,
		More:  func() { compose.ShowPreview(m.host, &p) },
	})
	return nil
}

// callLines are what is asked before a call: why, and what would go out.
func (m *Model) callLines(tool *mcp.Item, p *session.Preview) []safe.Text {
	width := max(20, min(74, m.lay.Body.Dx()-6))
	why := safe.Text("You wanted to be asked.")
	switch {
	case tool.Hints().Destroys():
		why = "The server calls it destructive."
	case m.opts.Confirm != caution.Always:
		why = "It is not known to be harmless."
	}
	lines := append([]safe.Text{why}, safe.Wrap(item.Claims(tool), width, 2)...)
	for _, h := range p.Head {
		lines = append(lines, safe.Cut(compose.HeadWords(h), width))
	}
	lines = append(lines, "")
	most := max(2, min(8, m.lay.Body.Dy()-len(lines)-4))
	return append(lines, safe.Wrap(safe.BytesN(p.Message, width*most), width, most)...)
}
