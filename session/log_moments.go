package session

import "time"

// The timelines of calls are written here alone. A row that is not shown has none; any other
// is shown anew.

// moment puts what happens now on the timeline of a call.
func (l *log) moment(c *call, m MomentView) {
	m.At = l.now
	c.tell(m)
}

// momentOf is moment for a call by its ID; 0, or one whose row is not kept: nothing is done.
func (l *log) momentOf(id CallID, m MomentView) {
	if c := l.rows.get(id); c != nil {
		l.moment(c, m)
	}
}

// momentAt puts a line there for what has happened before. If that is a request, reply is the
// message that has answered it since; 0: none has.
func momentAt(c *call, at time.Time, reply Seq, m MomentView) {
	m.At = at
	c.tellBefore(m, reply)
}

// progressMoment puts progress there that has come just now.
func (l *log) progressMoment(c *call, p progress) {
	c.tellProgress(l.now, &p, l.hist.cur)
}
