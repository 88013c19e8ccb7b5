package session

import (
	"time"

	"belay/session/mcp"
)

// Deadline is when Tick is next needed, and false when nothing is due ever. It
// may be early: Tick then does nothing and Deadline says more.
func (s *Session) Deadline() (time.Time, bool) { return s.timers.Next() }

// jump moves every deadline by d.
func (s *Session) jump(d time.Duration) {
	s.timers.Shift(d)
	s.conn.era.Shift(d)
	s.rows.shift(d)
	s.pings.shift(d)
	s.followers.shift(d)
	text := d.Round(time.Second).String()
	s.diagnose(mcp.DiagClockJump, 0, "", text)
	s.event("the clock jumped by " + text + ": no timeout was fired for it")
}

// at begins an input. Time handed in out of order is taken as no time passed,
// and a jump of time is noticed by whichever input comes first after it. Every
// input that calls it is in the journal, but for messages that whoever keeps the journal only counts
// ([mcp.Frame.Counted]): a refusal, or a Next that has nothing
// to give, must not move the time, or a replay would see other jumps.
func (s *Session) at(now time.Time) {
	gap := s.begin(now)
	// A connection that is being closed is not spared: it was to end anyway.
	if gap <= clockJump || s.conn.phase == Closing {
		return
	}
	if due, ok := s.timers.First(); ok && now.Sub(due) > clockJump {
		s.jump(gap)
	}
}

// begin begins an input, and returns how much time has passed; none: time was handed in out of order.
func (l *log) begin(now time.Time) (gap time.Duration) {
	l.hist.about(0)
	if gap = now.Sub(l.now); gap > 0 {
		l.now = now
	}
	l.began = l.now
	return gap
}

// skipTo begins an input that stands for others, which came until now: their time has
// passed, and is no jump.
func (l *log) skipTo(now time.Time) {
	l.hist.about(0)
	if now.After(l.now) {
		l.now = now
	}
	l.began = l.now
}
