// Package asking is the question before a call of a tool: the rule by which calls are
// asked about, the words of the question, and the tools that the user exempted from it.
package asking

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/caution"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/compose"
	"belay/ui/dialog"
	"belay/ui/item"
	"belay/ui/keymap"
	"belay/ui/panel"
)

// Asker asks before calls of tools. Make one with [New].
type Asker struct {
	Level caution.Level

	host    panel.Host
	trusted bool // the server is believed which of its tools are harmless
	allowed caution.Allowed
}

// New makes one that asks as the user wants. The zero level is the default.
func New(h panel.Host, l caution.Level, trusted bool) *Asker {
	if l == 0 {
		l = caution.Default
	}
	return &Asker{Level: l, host: h, trusted: trusted}
}

// Bindings are its commands.
func Bindings() []keymap.Binding[*Asker] {
	const group = "Commands"
	return []keymap.Binding[*Asker]{
		{
			Name: "confirm", Group: group, Command: "confirm", Arg: "[WHEN]",
			Help: caution.Help(), Run: (*Asker).setLevel,
		},
		{
			Name: "ask again", Group: group, Command: "ask-again",
			Help:     "ask again before calls of the tools that you wanted no question before any more",
			Disabled: (*Asker).asksAll, Run: keymap.Cmd((*Asker).askAgain),
		},
	}
}

// setLevel is :confirm. Whoever names a level is asked about each tool again.
func (a *Asker) setLevel(arg string) tea.Cmd {
	l, ok := caution.Parse(arg)
	switch {
	case arg == "":
		return a.host.Say(panel.Said("belay asks before tools: " + safe.Text(a.Level.String()) + " · :confirm " + safe.Text(strings.Join(caution.Words(), ", "))))
	case !ok:
		return a.host.Say(panel.Refused(safe.QuotedCut(arg, 30) + " is none of " + safe.Text(strings.Join(caution.Words(), ", "))))
	}
	a.Level = l
	a.allowed.Clear()
	return a.host.Say(panel.Said("belay asks before tools from now on: " + safe.Text(l.String())))
}

func (a *Asker) asksAll() string {
	if a.allowed.Len() == 0 {
		return "there is no tool that you wanted no question before"
	}
	return ""
}

func (a *Asker) askAgain() tea.Cmd {
	n := a.allowed.Len()
	a.allowed.Clear()
	return a.host.Say(panel.Said("belay asks again before calls of " + wording.Count(n, "tool")))
}

// Before makes a call of the user's with yes, at once or when the user has agreed to it (SRV-01;
// server/tools).
func (a *Asker) Before(c session.CallSpec, yes func() tea.Cmd) tea.Cmd {
	if c.Method != "tools/call" {
		return yes()
	}
	var tool mcp.Item
	var p session.Preview
	var err error
	var phase session.Phase
	var settled bool
	a.host.View(func(s *session.Session) {
		status := s.Status()
		tool, phase = s.ToolOf(c.Params), status.Phase
		if a.Level.Asks(tool.Hints(), a.trusted) {
			p, err = s.Preview(c)
			l := s.Catalog().Lists[mcp.Tools]
			settled = l.Complete && !l.Loading && !l.Stale && l.Problem == ""
		}
	})
	switch {
	case !a.Level.Asks(tool.Hints(), a.trusted):
		return yes()
	case err != nil && phase != session.Connecting:
		return a.host.Say(panel.Error(err))
	case err != nil:
		p.Message = c.Params // the rest of it is not known yet
	}
	one, can := caution.ToolOf(&tool, a.host.Screen().Status.Server.Name)
	if can && settled && a.allowed.Has(one) {
		return yes()
	}
	q := &dialog.Confirm{
		Host:  a.host,
		Title: "Call " + safe.QuotedCut(tool.Name, 40),
		Lines: func() []safe.Text { return a.lines(&tool, &p) },
		Yes:   yes,
		More:  func() { compose.ShowPreview(a.host, &p) },
	}
	if can && settled {
		q.Always = func() tea.Cmd {
			a.allowed.Add(one)
			said := a.host.Say(panel.Said("no question before " + wording.NameIn(tool.Name, 30) + " in this run, while its definition is the same · :ask-again undoes that"))
			return tea.Batch(said, yes()) // why it was refused is said in the place of that
		}
	}
	a.host.Push(q)
	return nil
}

// lines are what is asked before a call: why, and what would go out.
func (a *Asker) lines(tool *mcp.Item, p *session.Preview) []safe.Text {
	body := a.host.Screen().Layout.Body
	width := max(20, min(74, body.Dx()-6))
	why := safe.Text("You wanted to be asked.")
	switch {
	case tool.Hints().Destroys() && tool.Hints().ReadOnly.On:
		why = "The server calls it read-only, and destructive as well."
	case tool.Hints().Destroys():
		why = "The server calls it destructive."
	case a.Level != caution.Always:
		why = "It is not known to be harmless."
	}
	lines := append([]safe.Text{why}, safe.Wrap(item.Claims(tool), width, 2)...)
	for _, h := range p.Head {
		lines = append(lines, safe.Cut(compose.HeadWords(h), width))
	}
	lines = append(lines, "")
	most := max(2, min(8, body.Dy()-len(lines)-4))
	return append(lines, safe.Wrap(safe.BytesN(p.Message, width*most), width, most)...)
}
