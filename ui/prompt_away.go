package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
)

// away is what the user was told of the requests that were refused in the user's
// name.
type away struct {
	told  uint64 // how many the last notice counted
	since uint64 // how many there were before it
	toast int    // the notice
	at    time.Time
}

// awayPause is how long no other notice comes after one: a server that floods
// must not keep the status line.
const awayPause = 10 * time.Second

// noticeAway tells in one sentence of requests that never became a question.
// While it stands, more of them only count.
func (m *Model) noticeAway() tea.Cmd {
	s, w := &m.snap.status, &m.desk.away
	if s.TurnedAway == w.told {
		return nil
	}
	if m.toast.text != "" && m.toast.n == w.toast {
		w.told = s.TurnedAway
		m.toast.text = awayWords(s.LastAway, w.told-w.since)
		return nil
	}
	if !w.at.IsZero() && m.snap.now.Sub(w.at) < awayPause {
		return nil
	}
	w.since, w.told, w.at = w.told, s.TurnedAway, m.snap.now
	cmd := m.say(awayWords(s.LastAway, w.told-w.since), refused)
	w.toast = m.toast.n
	return cmd
}

func awayWords(last session.TurnAway, n uint64) safe.Text {
	if n == 1 {
		return "refused for you: " + named(last.Method) + ": " + safe.LineN(last.Why, 200)
	}
	return "refused for you: " + thousands(int(min(n, 1<<31-1))) + " requests, the last: " + safe.LineN(last.Why, 200)
}
