package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/ui/panel"
)

// noticeRenewed tells that the server has ended its session, and what became of what was in flight
// (HTL-42; basic/transports).
func (m *Model) noticeRenewed() tea.Cmd {
	if m.snap.status.Renewed == m.renewed {
		return nil
	}
	m.renewed = m.snap.status.Renewed
	repeated := safe.Text("nothing was repeated")
	if n := m.snap.status.Resubscribed; n > 0 {
		repeated = "nothing but " + wording.Count(n, "subscription") + " was repeated"
	}
	status := safe.Text(strconv.Itoa(m.snap.status.RenewedFor))
	return m.status.Say(panel.Refused("the server has ended the session (HTTP " + status + "): a new one began, and " + repeated + " · r calls again").Beside())
}
