package question

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
)

// rejectedWords say why the server rejected the last answer; empty: it accepted the
// answer, or there was none.
func (a *question) rejectedWords() safe.Text {
	switch why := safe.LineN(a.view.NotAccepted, 200); {
	case why == "":
		return ""
	case a.view.Unsure:
		return "whether your answer arrived is not known: " + why
	default:
		return "your answer was not accepted: " + why
	}
}

// tellRejected tells that an answer was rejected, and what became of its question.
func (p *Panel) tellRejected(a *question, shown bool) tea.Cmd {
	if shown {
		p.host.Say(panel.Silence()) // the panel says so
		return nil
	}
	how := safe.Text("not accepted: ")
	if a.view.Unsure {
		how = "may not have arrived: "
	}
	words := safe.Cut(how+safe.LineN(a.view.NotAccepted, 200), 40)
	switch a.view.State {
	case session.Withdrawn:
		end := safe.Text("withdrawn")
		if a.view.Closed != "" {
			end = "closed"
		}
		words += " · " + end + " meanwhile"
	case session.QuestionLost:
		words += " · lost"
	case session.Waiting, session.Answered, session.Declined, session.Dismissed:
	}
	if p.host.Screen().Shows() {
		words += " · ! shows " + p.shortName(a)
	}
	return p.host.Say(panel.Refused(words).Beside())
}
