package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
)

// health is the periodic ping, which is off unless Config.PingEvery is set. A
// ping that is not answered in time counts as missed; nothing is cancelled or
// closed for it: what to do about a stale connection is the user's choice
// (PNG-02 … PNG-07).
type health struct {
	out      *request
	missed   int       // in a row
	answered time.Time // the last one, or when the connection became ready
}

// ShortestPing is the shortest interval; a shorter one is raised to it.
const ShortestPing = 5 * time.Second

// pingEvery is the interval in effect; zero: no pings.
func (c Config) pingEvery() time.Duration {
	if c.PingEvery <= 0 {
		return 0
	}
	return max(c.PingEvery, ShortestPing)
}

// pingLimit is how long a ping may take (PNG-05).
func (c Config) pingLimit() time.Duration {
	switch {
	case c.PingTimeout > 0:
		return c.PingTimeout
	case c.Transport == mcp.HTTP:
		return 15 * time.Second
	}
	return 5 * time.Second
}

func (s *Session) startPings() {
	every := s.cfg.pingEvery()
	if every == 0 {
		return
	}
	if every != s.cfg.PingEvery {
		s.event(fmt.Sprintf("a ping every %v would be too many: belay sends one every %v", s.cfg.PingEvery, every))
	}
	s.conn.health = health{answered: s.now}
	s.timers.Set(once(duePing), s.now.Add(every))
}

// onPingLate counts the ping that is out as missed.
func (s *Session) onPingLate() {
	h := &s.conn.health
	if s.conn.phase != Ready || h.out == nil {
		return
	}
	h.out = nil
	h.missed++
	s.event(fmt.Sprintf("%s has not answered a ping within %v: %d missed, %v without an answer",
		s.conn.server.Name, s.cfg.pingLimit(), h.missed, s.now.Sub(h.answered)))
}

// onPingDue sends the next ping. There is never more than one out.
func (s *Session) onPingDue() {
	h := &s.conn.health
	if s.conn.phase != Ready {
		return
	}
	s.timers.Set(once(duePing), s.now.Add(s.cfg.pingEvery()))
	if h.out != nil {
		return
	}
	h.out = s.ping()
	h.out.health = true
	s.timers.Set(once(duePingLate), s.now.Add(s.cfg.pingLimit()))
}

// onPingAnswer takes the answer to a periodic ping. A late one shows as well
// that the connection is alive.
func (s *Session) onPingAnswer(r *request) {
	h := &s.conn.health
	if h.out == r {
		h.out = nil
		s.timers.Stop(once(duePingLate))
	}
	h.missed, h.answered = 0, s.now
}

// ping sends a request of belay's own that asks whether the server still
// answers. It is no call: it has no row, and nobody cancels it.
func (s *Session) ping() *request {
	r := &request{id: s.outgoing.issue(), method: probeMethod(s.conn.rev), probe: true, since: s.now}
	p := &pending{class: classAnswer, req: r, method: r.method, kind: EntRequest}
	p.Data, _ = mcp.AppendRequest(nil, r.id, r.method, nil, mcp.ID{}, s.conn.envelope)
	s.out.enqueue(p)
	return r
}
