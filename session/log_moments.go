package session

import "time"

// The timelines of calls are written here alone. A row that is not shown has none; any other
// is shown anew.

// moment puts what happens now on the timeline of a call.
func (l *log) moment(c *call, m MomentView) {
	if !c.isShown() {
		return
	}
	m.At = l.now
	c.line.tell(m)
	c.touch()
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
	if !c.isShown() {
		return
	}
	m.At = at
	c.line.insertAsked(moment{MomentView: m}, reply)
	c.touch()
}

// progressMoment puts progress there that has come just now.
func (l *log) progressMoment(c *call, p progress) {
	if c.isShown() {
		c.line.progress(l.now, &p, l.hist.cur)
		c.touch()
	}
}

// Stopped tells that belay did not run for a time, as it was suspended or stopped from
// outside. The times that the session is handed must not count that time: then no
// timeout, no probe and no verdict does. The time of day of later messages does.
type Stopped struct {
	never
	For time.Duration `json:"for"`
}

func (in Stopped) apply(s *Session) Reply {
	if in.For <= 0 {
		return Reply{}
	}
	s.hist.pauses.add(s.now.Sub(s.hist.origin), in.For)
	text := "belay was stopped for " + in.For.Round(time.Second/10).String() + ": no timeout and no verdict counts that time"
	s.event(text)
	for c := s.rows.oldest; c != nil; c = c.next {
		s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: text})
	}
	return Reply{}
}
