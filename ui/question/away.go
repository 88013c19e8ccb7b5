package question

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/panel"
)

// away is what the user was told of the requests that were refused in the user's
// name.
type away struct {
	told     uint64 // how many the last notice counted
	since    uint64 // how many there were before it
	sentence int    // the number of that notice
	at       time.Time

	seen         uint64    // how many there were in the last frame
	last, before time.Time // when the last ones came, and those before them
}

// awayMsg is the moment at which a flood may be over.
type awayMsg struct{}

// AwayPause is how long no other notice comes after one, in a flood: a server
// must not keep the status line.
const AwayPause = 10 * time.Second

// AwayQuiet is how long none must have come for the next to be told all the same:
// that is no flood.
const AwayQuiet = 500 * time.Millisecond

// noticeAway tells in one sentence of requests that never became a question.
// While it stands, more of them only count.
func (p *Panel) noticeAway() tea.Cmd {
	var later tea.Cmd
	s, w := p.host.Screen().Status, &p.away
	if s.TurnedAway != w.seen {
		w.before, w.last, w.seen = w.last, p.host.Screen().Now, s.TurnedAway
		later = tea.Tick(AwayQuiet, func(time.Time) tea.Msg { return awayMsg{} })
	}
	if s.TurnedAway == w.told {
		return nil
	}
	if on := p.host.Screen(); on.Told.Text != "" && on.Number == w.sentence {
		w.told = s.TurnedAway
		p.host.Say(panel.Instead(p.awayWords(s.LastAway, w.told-w.since)))
		return nil
	}
	flood := w.last.Sub(w.before) < AwayQuiet && p.host.Screen().Now.Sub(w.last) < AwayQuiet
	if flood && !w.at.IsZero() && p.host.Screen().Now.Sub(w.at) < AwayPause {
		return later
	}
	w.since, w.told, w.at = w.told, s.TurnedAway, p.host.Screen().Now
	cmd := p.host.Say(panel.Refused(p.awayWords(s.LastAway, w.told-w.since)).Beside())
	w.sentence = p.host.Screen().Number
	return cmd
}

func (p *Panel) awayWords(last session.TurnAway, n uint64) safe.Text {
	why := safe.LineN(last.Why, 200)
	open := p.open
	if n == 1 && last.Method == session.NeededError {
		return "not shown: what the " + session.NeededError + " lists: " + why
	}
	switch many := wording.Thousands(int(min(n, 1<<31-1))); {
	case n == 1 && open:
		return "another request refused for you: " + wording.Name(last.Method) + ": " + why
	case n == 1:
		return "refused for you: " + wording.Name(last.Method) + ": " + why
	case open:
		return many + " other requests refused for you, the last: " + why
	default:
		return "refused for you: " + many + " requests, the last: " + why
	}
}
