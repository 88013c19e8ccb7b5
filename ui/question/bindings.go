package question

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/ui/keymap"
	"belay/ui/scope"
)

const (
	// Group is the heading of the keys of a question.
	Group = "In a question of the server's"

	inModel = scope.Sampling | scope.Answer
	inDead  = scope.Opened | scope.Locked
	veryFar = 1 << 40 // more lines than there are
)

// Bindings are the keys of all questions.
func Bindings() []keymap.Binding[*Panel] {
	return []keymap.Binding[*Panel]{
		{
			Name: "send the answer", Key: key.NewBinding(key.WithKeys("ctrl+s"), key.WithHelp("", "send")),
			Group: Group, Where: scope.Elicit | inModel, Footer: 1,
			Help: "send the answer (enter never does); pressed again, also JSON that breaks the schema", Run: keymap.Cmd((*Panel).submit),
		},
		{
			Name: "open the address", Key: key.NewBinding(key.WithKeys("ctrl+u"), key.WithHelp("", "open")), Group: Group, Where: scope.URL, Footer: 1,
			Help: "give the address to your browser and accept; belay itself never fetches it", Disabled: (*Panel).noOpening, Run: keymap.Cmd((*Panel).openURL),
		},
		{
			Name: "go on from an address", Key: key.NewBinding(key.WithKeys("r"), key.WithHelp("", "go on")), Group: Group, Where: scope.Visiting, Footer: 1,
			Help: "when you are done at the address: the call goes on, with your consent (2026-07-28)", Run: keymap.Cmd((*Panel).goOn),
		},
		{
			Name: "decline the question", Key: key.NewBinding(key.WithKeys("ctrl+r"), key.WithHelp("", "decline")),
			Group: Group, Where: scope.Elicit | scope.URL, Footer: 1,
			Help: "answer no", Run: keymap.Cmd((*Panel).decline),
		},
		{
			Name: "reject the request", Key: key.NewBinding(key.WithKeys("ctrl+r"), key.WithHelp("", "reject")), Group: Group, Where: inModel, Footer: 1,
			Help: "answer that you reject the request", Run: keymap.Cmd((*Panel).decline),
		},
		{
			Name: "dismiss the question", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "dismiss")),
			Group: Group, Where: scope.Elicit | scope.URL, Footer: 1,
			Help: "dismiss it without deciding; pressed twice where something was typed", Run: keymap.Cmd((*Panel).Close),
		},
		{
			Name: "dismiss the request", Key: key.NewBinding(key.WithKeys("esc"), key.WithHelp("", "dismiss")), Group: Group, Where: inModel, Footer: 1,
			Help: "the same outcome as rejecting it, told apart in the log; pressed twice where something was typed", Run: keymap.Cmd((*Panel).Close),
		},
		{
			Name: "leave what has ended", Key: key.NewBinding(key.WithKeys("esc")), Group: Group, Where: inDead,
			Help: "leave a question that the server took back, or that was answered", Run: keymap.Cmd((*Panel).Close),
		},
		{
			Name: "make the call again", Key: key.NewBinding(key.WithKeys("r")), Group: Group, Where: scope.Opened,
			Help:     "once you have been at the address, make the call again that failed for want of it (error -32042)",
			Disabled: (*Panel).notAgain, Run: keymap.Cmd((*Panel).again),
		},
		{
			Name: "put aside", Key: key.NewBinding(key.WithKeys("ctrl+l"), key.WithHelp("", "later")), Group: Group, Where: scope.Live, Footer: 3,
			Help: "put it aside: it keeps waiting, what you typed is kept, and ! brings it back", Run: keymap.Cmd((*Panel).later),
		},
		{
			Name: "cancel its call", Key: key.NewBinding(key.WithKeys("ctrl+x")), Group: Group, Where: scope.Live | inDead | scope.Small,
			Help: "cancel the call that it is for", Run: keymap.Cmd((*Panel).cancelOwner),
		},
		{
			Name: "cancel its call from one line", Key: key.NewBinding(key.WithKeys("x")), Group: Group, Where: scope.Small,
			Help: "the same, on a terminal that is too small to answer the question", Run: keymap.Cmd((*Panel).cancelOwner),
		},
		{
			Name: "next question", Key: key.NewBinding(key.WithKeys("ctrl+n")), Group: Group, Where: scope.Live | inDead,
			Help: "the next question that waits; what you typed is kept", Disabled: (*Panel).whyEnded, Run: keymap.Cmd(func(p *Panel) tea.Cmd { return p.walk(1) }),
		},
		{
			Name: "question before", Key: key.NewBinding(key.WithKeys("ctrl+p")), Group: Group, Where: scope.Live | inDead,
			Help: "the question before", Disabled: (*Panel).whyEnded, Run: keymap.Cmd(func(p *Panel) tea.Cmd { return p.walk(-1) }),
		},
		{
			Name: "scroll the question down", Key: key.NewBinding(key.WithKeys("pgdown"), key.WithHelp("", "scroll")),
			Group: Group, Where: scope.Live | inDead, Footer: 2,
			Help: "scroll what the server wants", Disabled: (*Panel).nothingToScroll, Run: keymap.Do(func(p *Panel) { p.Scroll(max(1, p.height-1)) }),
		},
		{
			Name: "scroll the question up", Key: key.NewBinding(key.WithKeys("pgup")), Group: Group, Where: scope.Live | inDead,
			Help: "scroll back", Disabled: (*Panel).nothingToScroll, Run: keymap.Do(func(p *Panel) { p.Scroll(-max(1, p.height-1)) }),
		},
		{
			Name: "scroll what has ended down", Key: key.NewBinding(key.WithKeys("down")), Group: Group, Where: inDead,
			Help: "a line down in a question that has ended, and in what you typed", Disabled: (*Panel).nothingToScroll, Run: keymap.Do(func(p *Panel) { p.Scroll(1) }),
		},
		{
			Name: "scroll what has ended up", Key: key.NewBinding(key.WithKeys("up")), Group: Group, Where: inDead,
			Help: "a line up", Disabled: (*Panel).nothingToScroll, Run: keymap.Do(func(p *Panel) { p.Scroll(-1) }),
		},
		{
			Name: "top of what has ended", Key: key.NewBinding(key.WithKeys("home")), Group: Group, Where: inDead,
			Help: "to its top", Disabled: (*Panel).nothingToScroll, Run: keymap.Do(func(p *Panel) { p.Scroll(-veryFar) }),
		},
		{
			Name: "bottom of what has ended", Key: key.NewBinding(key.WithKeys("end")), Group: Group, Where: inDead,
			Help: "to its bottom", Disabled: (*Panel).nothingToScroll, Run: keymap.Do(func(p *Panel) { p.Scroll(veryFar) }),
		},
	}
}

// SamplingBindings are the keys of an answer that is written in a model's place.
func SamplingBindings() []keymap.Binding[*Panel] {
	return []keymap.Binding[*Panel]{
		{
			Name: "next part of the answer", Key: key.NewBinding(key.WithKeys("tab")), Group: Group, Where: scope.Sampling,
			Help: "the answer, its model, its stop reason", Run: keymap.Do(func(p *Panel) { p.samplingStep(1) }),
		},
		{
			Name: "part of the answer before", Key: key.NewBinding(key.WithKeys("shift+tab")), Group: Group, Where: scope.Sampling,
			Help: "the part before", Run: keymap.Do(func(p *Panel) { p.samplingStep(-1) }),
		},
		{
			Name: "the answer as JSON", Key: key.NewBinding(key.WithKeys("ctrl+g"), key.WithHelp("", "JSON")), Group: Group, Where: scope.Sampling, Footer: 3,
			Help: "the answer as raw JSON, and back: for tool uses and everything else",
			Run:  keymap.Cmd((*Panel).flip),
		},
		{
			Name: "answer in the editor", Key: key.NewBinding(key.WithKeys("ctrl+o"), key.WithHelp("", "editor")), Group: Group, Where: inModel, Footer: 7,
			Help: "the answer in $VISUAL or $EDITOR",
			Run:  keymap.Cmd((*Panel).edit),
		},
		{
			Name: "the answer as fields", Key: key.NewBinding(key.WithKeys("ctrl+g"), key.WithHelp("", "fields")), Group: Group, Where: scope.Answer, Footer: 3,
			Help: "back to the fields", Run: keymap.Cmd((*Panel).flip),
		},
	}
}

// Commands are the commands of the palette.
func Commands() []keymap.Binding[*Panel] {
	const group = "Commands"
	return []keymap.Binding[*Panel]{
		{
			Name: "answer", Group: group, Command: "answer", Arg: "JSON",
			Help:     "answer the server's next question with this result, whatever it asks for",
			Disabled: (*Panel).noQuestion, Run: (*Panel).answerNext,
		},
		{
			Name: "decline", Group: group, Command: "decline",
			Help: "decline the server's question", Disabled: (*Panel).noQuestion, Run: keymap.Cmd(func(p *Panel) tea.Cmd { return p.refuseNext(session.Declined) }),
		},
		{
			Name: "dismiss", Group: group, Command: "dismiss",
			Help: "dismiss the server's question without deciding", Disabled: (*Panel).noQuestion, Run: keymap.Cmd(func(p *Panel) tea.Cmd { return p.refuseNext(session.Dismissed) }),
		},
		{
			Name: "canned sampling", Group: group, Command: "sampling", Arg: "echo, file NAME or off",
			Help: "answer sampling by itself from now on, marked AUTO; it is off until you say so", Run: (*Panel).setSampling,
		},
	}
}

func (p *Panel) decline() tea.Cmd {
	if p.question.asksAgain(session.Declined) {
		return nil
	}
	return p.refuse(p.question, session.Declined)
}

func (p *Panel) flip() tea.Cmd { return p.question.body.(*samplingAsk).flip(p) }

func (p *Panel) edit() tea.Cmd { return p.question.body.(*samplingAsk).openEditor(p) }

// whyEnded is why a question that has ended is not left for another with the key
// for that: only esc leaves it.
func (p *Panel) whyEnded() string {
	if p.open && !p.question.waits() {
		return "this has ended: esc leaves it, and shows the next that waits"
	}
	return ""
}

func (p *Panel) nothingToScroll() string {
	switch {
	case !p.open || p.lines > p.height:
		return ""
	case p.question.waits():
		return "all of the question is shown"
	}
	return "all of it is shown"
}

func (p *Panel) samplingStep(n int) {
	p.question.leaving = 0
	if s, ok := p.question.body.(*samplingAsk); ok {
		s.fields.Step(n)
	}
}
