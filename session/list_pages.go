package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
)

// A server whose list does not end would fill the rows with its pages at once.
const (
	swiftPages = 50 // follow each other without a pause
	pagePause  = 200 * time.Millisecond
)

// maxCursor is the longest cursor in bytes that belay sends back: each page is a
// call, whose row keeps it.
const maxCursor = 16 << 10

// maxListBytes bounds the memory that the lists keep together. One that is fetched
// anew counts once: what is shown of it goes when the rest has come.
func (c Config) maxListBytes() int { return c.HistoryBytes / 2 }

// listRoom reports whether there is room for so many bytes more of a list.
func (s *Session) listRoom(k mcp.ListKind, more int) bool {
	used := more + s.catalog.lists[k].freshSize
	for other := range mcp.NumLists {
		if l := &s.catalog.lists[other]; other != k {
			used += max(l.size, l.freshSize)
		}
	}
	return used <= s.cfg.maxListBytes()
}

// cutList ends a list that takes too much memory. What came of it stays, and all
// of the other lists.
func (s *Session) cutList(k mcp.ListKind, why string) {
	l := &s.catalog.lists[k]
	l.Problem = fmt.Sprintf("the list was cut at %d entries: %s", len(l.fresh), why)
	s.diagnose(mcp.DiagListSize, 0, k.String(), k.Method()+": "+why)
	s.aged(l)
	s.publish(l, true)
}

// comingAfter is how long the pages of a list wait to be shown together. The
// rest of a list may never come.
const comingAfter = 500 * time.Millisecond

// nextPage is when the next page of a list is fetched that comes in many, or when
// those that came are shown.
func (c *catalog) nextPage() (t time.Time) {
	for k := range c.lists {
		t = earlier(earlier(t, c.lists[k].nextAt), c.lists[k].showAt)
	}
	return t
}

// showSoon has the pages of a list shown that came so far, unless the rest comes
// before.
func (l *list) showSoon(now time.Time) {
	if l.showAt.IsZero() {
		l.showAt = now.Add(comingAfter)
	}
}

// showPages shows the pages for which the time has come.
func (s *Session) showPages() {
	for k := range s.catalog.lists {
		l := &s.catalog.lists[k]
		if l.showAt.IsZero() || l.showAt.After(s.now) {
			continue
		}
		l.showAt = time.Time{}
		l.Coming = l.fresh[:len(l.fresh):len(l.fresh)]
		s.catalog.rev++
	}
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
