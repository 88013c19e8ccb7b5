package session

import (
	"time"

	"belay/session/mcp"
)

// A server whose list does not end would fill the rows with its pages at once.
const (
	swiftPages = 50 // follow each other without a pause
	pagePause  = 200 * time.Millisecond
)

// nextPage is when the next page of a list is fetched that comes in many.
func (c *catalog) nextPage() (t time.Time) {
	for k := range c.lists {
		t = earlier(t, c.lists[k].nextAt)
	}
	return t
}

// fetchNext fetches the pages for which the time has come.
func (s *Session) fetchNext() {
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		switch {
		case l.nextAt.IsZero() || l.nextAt.After(s.now):
		case s.conn.phase == Closing || s.conn.phase == Disconnected:
			l.nextAt = time.Time{} // nothing comes of it
		default:
			s.fetchPage(k, l.next)
		}
	}
}
