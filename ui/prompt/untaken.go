package prompt

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
)

// untakenWords say why the server did not take the answer that was given last;
// empty: it took it, or there was none.
func (a *ask) untakenWords() safe.Text {
	if a.view.Refused == "" {
		return ""
	}
	return "your answer was not accepted: " + safe.LineN(a.view.Refused, 200)
}

// tellUntaken tells that an answer was not taken, and what became of its question.
func (p *Panel) tellUntaken(a *ask, shown bool) tea.Cmd {
	if shown {
		p.host.Say(panel.Silence()) // the panel says so
		return nil
	}
	words := safe.Cut("not accepted: "+safe.LineN(a.view.Refused, 200), 40)
	switch a.view.State {
	case session.Withdrawn:
		words += " · withdrawn meanwhile"
	case session.PromptLost:
		words += " · lost"
	case session.Waiting, session.Answered, session.Declined, session.Dismissed:
	}
	if p.host.Screen().Shows() {
		words += " · ! shows " + p.shortName(a)
	}
	return p.host.Say(panel.Refused(words).Beside())
}
