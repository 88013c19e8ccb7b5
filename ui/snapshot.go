package ui

import (
	"time"

	"belay/session"
	"belay/session/mcp"
)

// snapshot is what was copied from the session for the frame, besides what the
// panes keep themselves.
type snapshot struct {
	now        time.Time
	status     *session.Status // never changed: documents are made of it beside the screen
	questions  []session.QuestionView
	reason     string            // of a cancel when the user gives none
	unrecorded string            // why the recording does not go on
	recorded   bool              // a recording is under way
	offers     [mcp.NumLists]int // while the welcome shows them
}

func (s *snapshot) connecting() bool { return s.status.Phase == session.Connecting }

func (s *snapshot) pullOffers(from *session.Session) {
	c := from.Catalog()
	for k := range c.Lists {
		s.offers[k] = max(len(c.Lists[k].Items), len(c.Lists[k].Coming))
	}
}
