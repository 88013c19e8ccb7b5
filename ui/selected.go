package ui

import (
	"belay/session"
	"belay/ui/layout"
	"belay/ui/row"
)

// target is the call that the keys act on: the selected one.
func (m *Model) target() (session.Row, bool) {
	if r, ok := m.detail.Row(m.calls.Chosen()); ok {
		return r, true
	}
	return m.calls.Selected()
}

// awaitsRetry reports whether the selected call goes on when the user says so.
func (m *Model) awaitsRetry() bool {
	r, ok := m.target()
	return ok && r.Round.AwaitsRetry
}

// marked counts what is marked and in flight still: calls, and subscriptions.
func (m *Model) marked() (calls, subs int) {
	m.backend.View(func(s *session.Session) {
		for id := range m.calls.Marked() {
			switch r, ok := s.Row(id); {
			case !ok, !row.IsStoppable(r):
			case r.Sub.Is:
				subs++
			default:
				calls++
			}
		}
	})
	return calls, subs
}

// situation is what decides now whether a key does something.
func (m *Model) situation() situation {
	s := situation{
		status: m.snap.status, focus: m.focus, tiny: m.lay.Mode == layout.Tiny, over: m.modal(),
		calls: m.calls.Len(), messages: m.wire.Count(), searching: m.detail.IsSearching(),
		recorded: m.replay.IsRecorded(), marked: len(m.calls.Marked()), login: m.login.Waits(),
		markedOn: m.marked, hasQuestion: m.questions.HasAny,
	}
	s.target, s.chosen = m.target()
	return s
}

// unless disables a binding for a reason that depends on the situation.
func unless(why func(situation) string) func(*Model) string {
	return func(m *Model) string { return why(m.situation()) }
}
