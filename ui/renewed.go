package ui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/panel"
)

// renewal is what the user was told of the sessions that the server has ended: how many they
// were, and what had become of the one in the place of the latest of them.
type renewal struct {
	count int
	fate  fate
}

// fate is what has become of a new session.
type fate uint8

const (
	starting fate = iota + 1
	began
	failed
	leftAlone // the user has left, or connected anew
)

// fateOf is what has become of the session in the place of the latest that the server has ended.
func fateOf(s *session.Status) fate {
	switch {
	case !s.Replaces || s.Failure != nil && s.Failure.Kind == session.FailClosed:
		return leftAlone
	case !s.ReadyAt.IsZero():
		return began
	case s.Phase == session.Connecting:
		return starting
	}
	return failed
}

// noticeRenewed tells that the server has ended its session, what became of what was in flight, and
// whether a new session is being started, began, or did not (HTL-42; basic/transports).
func (m *Model) noticeRenewed() tea.Cmd {
	s := m.snap.status
	told := m.renewed
	now := renewal{s.Renewed, fateOf(s)}
	if m.renewed = now; now == told || now.count == 0 || now.fate == leftAlone || now.count == told.count && told.fate == began {
		return nil
	}
	repeated, yet := safe.Text("nothing was repeated"), safe.Text("")
	if n := s.Resubscribed; n > 0 {
		repeated = "nothing but " + wording.Count(n, "subscription") + " was repeated"
		yet = " yet"
	}
	text := "the server has ended the session (HTTP " + safe.Text(strconv.Itoa(s.RenewedFor)) + ")"
	switch now.fate {
	case starting:
		text += ": a new one is being started, and nothing was repeated" + yet
	case began:
		text += ": a new one began, and " + repeated + " · r calls again"
	default:
		text += ", and no new one began: nothing was repeated · R or :restart tries again"
	}
	return m.status.Say(panel.Refused(text).Beside())
}
