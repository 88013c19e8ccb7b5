package witness

import (
	"fmt"
	"slices"
	"time"

	"belay/session/sentence"
)

// mostClosings is how many connections that one sample finds closed are told by themselves, of one call.
const mostClosings = 8

// conn is a connection that is remembered.
type conn struct {
	Connection
	found int       // its place among all that were found
	of    *Account  // the call during which it was opened; nil: none
	seen  time.Time // for the last time
	early bool      // it may have been opened before that call, when nobody counted
}

func (c *conn) order() int { return c.found }

func (c *conn) words() string { return "a connection to " + sentence.QuotedCut(c.Remote) }

// connections compares those of a sample with those that are known.
func (m *Machine) connections(at time.Time, s *Sample) (news []News) {
	seen := make(map[Connection]bool, len(s.Connections))
	for _, c := range s.Connections {
		seen[c] = true
		if known := m.conns[c]; known != nil {
			known.seen = at
			continue
		}
		m.found++
		known := &conn{Connection: c, found: m.found, seen: at}
		m.conns[c] = known
		if a := m.alone(at); a != nil && !s.until(at).Before(a.began) {
			known.of = a
			a.opened, a.open, a.moreOpened = a.opened+1, a.open+1, a.moreOpened || len(s.Connections) == MostConnections
			if !m.counted.Counted || m.counted.CountedAt.Add(mostUnseen).Before(a.began) { // nobody has looked until the call began
				a.openedEarlier++
				known.early = true
			}
		}
	}
	return append(news, m.closed(at, s, seen)...)
}

// closed tells of the connections that a sample has no longer: of each that was opened during a cancelled call, or before the
// only one that is followed.
func (m *Machine) closed(at time.Time, s *Sample, seen map[Connection]bool) (news []News) {
	cut := len(s.Connections) == MostConnections // there may be others
	told := map[*Account]int{}
	for _, known := range unseen(m.conns, seen, (*conn).order) {
		if slices.ContainsFunc(s.Processes, func(p Process) bool { return p.PID == known.PID && (p.NoConnections || cut && !p.Ended) }) {
			continue
		}
		delete(m.conns, known.Connection)
		a := known.of
		if a != nil {
			a.open--
		}
		if a == nil || a.ended && a.cancelled.IsZero() { // it was open before the call of now
			a = m.alone(at)
		}
		if a == nil || a.cancelled.IsZero() || a.isShared() {
			continue
		}
		if told[a]++; told[a] <= mostClosings {
			news = append(news, News{a.id, at, known.closedWords(a, s.until(at))})
		}
	}
	for a, n := range told {
		switch n -= mostClosings; {
		case n == 1:
			news = append(news, News{a.id, at, "and one more connection was seen closed"})
		case n > 1:
			news = append(news, News{a.id, at, fmt.Sprintf("and %d more connections were seen closed", n)})
		}
	}
	slices.SortStableFunc(news, byCall)
	return news
}

// closedWords tell that a connection was found gone at a time.
func (c *conn) closedWords(a *Account, gone time.Time) string {
	text := c.words()
	switch {
	case c.of != a:
		text += ", which was open before the call,"
	case c.early:
		text += ", which may have been opened before the call,"
	}
	if gone.Sub(c.seen) > mostUnseen || a.spansCancel(c.seen, gone) {
		return text + " was gone: it was seen last " + a.sinceCancel(c.seen)
	}
	return text + " was seen closed"
}
