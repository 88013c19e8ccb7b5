package witness

import (
	"fmt"
	"slices"
	"time"

	"belay/session/sentence"
)

// mostClosings is how many connections that one sample finds closed are told by themselves, of one call.
const mostClosings = 8

// mostHidden is how many connections are remembered while the list of them is full.
const mostHidden = 4 * MostConnections

// conn is a connection that is remembered.
type conn struct {
	Connection
	found int       // its place among all that were found
	of    *Account  // the call during which it was opened; nil: none
	seen  time.Time // for the last time
	early bool      // it may have been opened before that call, when nobody counted

	hidden bool // it is not in the last list, which was full: whether it is open is not known
}

func (c *conn) order() int { return c.found }

func (c *conn) words() string { return "a connection to " + sentence.QuotedCut(c.Remote) }

// connections compares those of a sample with those that are known.
func (m *Machine) connections(at time.Time, s *Sample) (news []News) {
	seen := make(map[Connection]bool, len(s.Connections))
	for _, c := range s.Connections {
		seen[c] = true
		if known := m.conns[c]; known != nil {
			if known.seen = at; known.hidden {
				known.hide(false)
			}
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
	lives, untold := map[int]bool{}, map[int]bool{}
	for i := range s.Processes {
		lives[s.Processes[i].PID], untold[s.Processes[i].PID] = !s.Processes[i].Ended, s.Processes[i].NoConnections
	}
	for _, known := range unseen(m.conns, seen, (*conn).order) {
		if untold[known.PID] {
			continue
		}
		hides := cut && lives[known.PID]
		if hides && !known.hidden {
			known.hide(true)
		}
		if !hides || len(m.conns) > mostHidden {
			delete(m.conns, known.Connection)
		}
		if known.hidden { // when it was closed since it was listed, if it was, nobody knows
			continue
		}
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

// hide notes that a full list lacks the connection, or that a list has it again: only then is it known to be open.
func (c *conn) hide(hidden bool) {
	c.hidden = hidden
	switch a := c.of; {
	case a == nil:
	case hidden:
		a.open--
	default:
		a.open++
	}
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
