package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/ui/panel"
)

// onKeyGuard goes on with the dead time of a panel that opened by itself.
func (m *Model) onKeyGuard() tea.Cmd {
	if m.login.IsOpen() {
		return m.login.Release()
	}
	if m.questions.IsOpen() {
		return m.questions.Release()
	}
	return nil
}

// openWaiting is !: the login, unless it was put aside, and else the next
// question of the server's.
func (m *Model) openWaiting() tea.Cmd {
	if m.login.Waits() && (!m.login.IsAside() || !m.questions.HasAny()) {
		return m.login.Show()
	}
	return m.questions.OpenNext()
}

// logout deletes the token, and reports whether the authorization server revoked it.
func (m *Model) logout() tea.Cmd {
	forget := m.backend.Logout
	m.parting.logout.Store(true)
	return tea.Batch(m.status.Say(panel.Said("logging out")), func() tea.Msg {
		l, err := forget()
		return panel.Done{Err: err, Then: func() tea.Cmd {
			m.parting.logout.Store(false)
			if err != nil {
				return nil
			}
			return m.status.Say(panel.Said(l.Words()))
		}}
	})
}

// failureRemedy is what can be done about a connection that did not come about. A
// login that failed knows that best.
func failureRemedy(b Backend, f *session.Failure) session.Remedy {
	if f.Kind != session.FailLogin {
		return f.Remedy
	}
	if l := b.Login(); l.HasFailed() {
		return l.Remedy
	}
	return f.Remedy
}

// noLogout is why there is no token to be forgotten.
func (m *Model) noLogout() string { return m.login.NoLogout() }
