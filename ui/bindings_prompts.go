package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/ui/scope"
)

// atPanel makes an action of one of the panel.
func atPanel(f func(p *promptPanel) tea.Cmd) func(*Model, string) tea.Cmd {
	return cmd(func(m *Model) tea.Cmd { return f(m.modal().(*promptPanel)) })
}

// promptBindings are what answers the server's questions.
func promptBindings() []binding {
	const (
		group   = groupQuestion
		inModel = scope.Sampling | scope.Answer
		inDead  = scope.Opened | scope.Locked
	)
	scroll := func(n func(p *promptPanel) int) func(*Model, string) tea.Cmd {
		return do(func(m *Model) { p := m.modal().(*promptPanel); p.scroll(n(p)) })
	}
	flip := atPanel(func(p *promptPanel) tea.Cmd { return p.ask.body.(*samplingAsk).flip(p.m) })
	return []binding{
		{
			Name: "send the answer", Keys: []string{"ctrl+s"}, Word: "send", Group: group, Where: scope.Elicit | inModel, Footer: 1,
			Help: "send the answer (enter never does); pressed again, also JSON that breaks the schema", Run: atPanel((*promptPanel).submit),
		},
		{
			Name: "open the address", Keys: []string{"ctrl+u"}, Word: "open", Group: group, Where: scope.URL, Footer: 1,
			Help: "give the address to your browser and accept; belay itself never fetches it", Disabled: noOpening, Run: atPanel((*promptPanel).openURL),
		},
		{
			Name: "go on from an address", Keys: []string{"r"}, Word: "go on", Group: group, Where: scope.Visiting, Footer: 1,
			Help: "when you are done at the address: the call goes on, with your consent (2026-07-28)", Run: atPanel((*promptPanel).goOn),
		},
		{
			Name: "decline the question", Keys: []string{"ctrl+r"}, Word: "decline", Group: group, Where: scope.Elicit | scope.URL, Footer: 1,
			Help: "answer no", Run: atPanel(func(p *promptPanel) tea.Cmd { return p.m.refuse(p.ask, session.Declined) }),
		},
		{
			Name: "reject the request", Keys: []string{"ctrl+r"}, Word: "reject", Group: group, Where: inModel, Footer: 1,
			Help: "answer that you reject the request", Run: atPanel(func(p *promptPanel) tea.Cmd { return p.m.refuse(p.ask, session.Declined) }),
		},
		{
			Name: "dismiss the question", Keys: []string{"esc"}, Word: "dismiss", Group: group, Where: scope.Elicit | scope.URL, Footer: 1,
			Help: "dismiss it without deciding", Run: atPanel((*promptPanel).Close),
		},
		{
			Name: "dismiss the request", Keys: []string{"esc"}, Word: "dismiss", Group: group, Where: inModel, Footer: 1,
			Help: "the same outcome as rejecting it, told apart in the log", Run: atPanel((*promptPanel).Close),
		},
		{
			Name: "leave what has ended", Keys: []string{"esc"}, Group: group, Where: inDead,
			Help: "leave a question that the server took back, or that was answered", Run: atPanel((*promptPanel).Close),
		},
		{
			Name: "make the call again", Keys: []string{"r"}, Group: group, Where: scope.Opened,
			Help:     "once you have been at the address, make the call again that failed for want of it (error -32042)",
			Disabled: notAgain, Run: atPanel((*promptPanel).again),
		},
		{
			Name: "put aside", Keys: []string{"ctrl+l"}, Word: "later", Group: group, Where: scope.Live, Footer: 3,
			Help: "put it aside: it keeps waiting, what you typed is kept, and ! brings it back", Run: atPanel((*promptPanel).later),
		},
		{
			Name: "cancel its call", Keys: []string{"ctrl+x"}, Group: group, Where: scope.Live | inDead | scope.Small,
			Help: "cancel the call that it is for", Run: atPanel((*promptPanel).cancelOwner),
		},
		{
			Name: "cancel its call from one line", Keys: []string{"x"}, Group: group, Where: scope.Small,
			Help: "the same, on a terminal that is too small to answer the question", Run: atPanel((*promptPanel).cancelOwner),
		},
		{
			Name: "next question", Keys: []string{"ctrl+n"}, Group: group, Where: scope.Live | inDead,
			Help: "the next question that waits; what you typed is kept", Disabled: hasEnded, Run: cmd(func(m *Model) tea.Cmd { return m.walk(1) }),
		},
		{
			Name: "question before", Keys: []string{"ctrl+p"}, Group: group, Where: scope.Live | inDead,
			Help: "the question before", Disabled: hasEnded, Run: cmd(func(m *Model) tea.Cmd { return m.walk(-1) }),
		},
		{
			Name: "scroll the question down", Keys: []string{"pgdown"}, Word: "scroll", Group: group, Where: scope.Live | inDead, Footer: 2,
			Help: "scroll what the server wants", Disabled: nothingToScroll, Run: scroll(func(p *promptPanel) int { return max(1, p.height-1) }),
		},
		{
			Name: "scroll the question up", Keys: []string{"pgup"}, Group: group, Where: scope.Live | inDead,
			Help: "scroll back", Disabled: nothingToScroll, Run: scroll(func(p *promptPanel) int { return -max(1, p.height-1) }),
		},
		{
			Name: "scroll what has ended down", Keys: []string{"down"}, Group: group, Where: inDead,
			Help: "a line down in a question that has ended, and in what you typed", Disabled: nothingToScroll, Run: scroll(func(*promptPanel) int { return 1 }),
		},
		{
			Name: "scroll what has ended up", Keys: []string{"up"}, Group: group, Where: inDead,
			Help: "a line up", Disabled: nothingToScroll, Run: scroll(func(*promptPanel) int { return -1 }),
		},
		{
			Name: "top of what has ended", Keys: []string{"home"}, Group: group, Where: inDead,
			Help: "to its top", Disabled: nothingToScroll, Run: scroll(func(*promptPanel) int { return -veryFar }),
		},
		{
			Name: "bottom of what has ended", Keys: []string{"end"}, Group: group, Where: inDead,
			Help: "to its bottom", Disabled: nothingToScroll, Run: scroll(func(*promptPanel) int { return veryFar }),
		},
		{
			Name: "help from a question", Keys: []string{"f1"}, Word: "keys", Group: group, Where: scope.Live | scope.Small, Footer: 20,
			Help: "all keys, also those that the foot has no room for", Disabled: needsRoom(nil), Run: do((*Model).openHelp),
		},
		{
			Name: "next part of the answer", Keys: []string{"tab"}, Group: group, Where: scope.Sampling,
			Help: "the answer, its model, its stop reason", Run: do(func(m *Model) { m.samplingStep(1) }),
		},
		{
			Name: "part of the answer before", Keys: []string{"shift+tab"}, Group: group, Where: scope.Sampling,
			Help: "the part before", Run: do(func(m *Model) { m.samplingStep(-1) }),
		},
		{
			Name: "the answer as JSON", Keys: []string{"ctrl+g"}, Word: "JSON", Group: group, Where: scope.Sampling, Footer: 3,
			Help: "the answer as raw JSON, and back: for tool uses and everything else",
			Run:  flip,
		},
		{
			Name: "answer in the editor", Keys: []string{"ctrl+o"}, Word: "editor", Group: group, Where: inModel, Footer: 7,
			Help: "the answer in $VISUAL or $EDITOR",
			Run:  atPanel(func(p *promptPanel) tea.Cmd { return p.ask.body.(*samplingAsk).openEditor(p.m) }),
		},
		{
			Name: "the answer as fields", Keys: []string{"ctrl+g"}, Word: "fields", Group: group, Where: scope.Answer, Footer: 3,
			Help: "back to the fields", Run: flip,
		},
	}
}

// hasEnded is why a question that has ended is not left for another with the key
// for that: only esc leaves it.
func hasEnded(m *Model) string {
	if p, ok := m.panel(); ok && !p.ask.waits() {
		return "this has ended: esc leaves it, and shows the next that waits"
	}
	return ""
}

func nothingToScroll(m *Model) string {
	p, ok := m.panel()
	switch {
	case !ok || p.lines > p.height:
		return ""
	case p.ask.waits():
		return "all of the question is shown"
	}
	return "all of it is shown"
}

func (m *Model) samplingStep(n int) {
	if s, ok := m.modal().(*promptPanel).ask.body.(*samplingAsk); ok {
		s.fields.Step(n)
	}
}
