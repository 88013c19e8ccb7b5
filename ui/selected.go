package ui

import "belay/session"

// target is the call that the keys act on: the selected one.
func (m *Model) target() (session.Row, bool) {
	if r, ok := m.detail.Row(m.calls.Chosen()); ok {
		return r, true
	}
	return m.calls.Selected()
}

// held reports whether the selected call goes on when the user says so.
func (m *Model) held() bool {
	r, ok := m.target()
	return ok && r.Round.Held
}

// marked counts what is marked and in flight still: calls, and subscriptions.
func (m *Model) marked() (calls, subs int) {
	m.backend.View(func(s *session.Session) {
		for id := range m.calls.Marked() {
			switch r, ok := s.Row(id); {
			case !ok || !r.InFlight():
			case r.Sub.Is:
				subs++
			default:
				calls++
			}
		}
	})
	return calls, subs
}
