package session

import (
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/timer"
)

// health is the periodic ping, which is off unless Config.PingEvery is set. A ping that is not
// answered in time counts as missed; nothing is cancelled or closed for it: what to do about a
// stale connection is the user's choice (PNG-02 … PNG-07; basic/utilities/ping).
//
//shape:part of pings
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

// pingLimit is how long a ping may take (PNG-05; basic/utilities/ping).
func (c Config) pingLimit() time.Duration {
	switch {
	case c.PingTimeout > 0:
		return c.PingTimeout
	case c.Transport == mcp.HTTP:
		return 15 * time.Second
	}
	return 5 * time.Second
}

// pings are the requests of belay's own that ask whether the server still answers: one
// from time to time, and one when the grace of a cancel is over. They are no calls:
// they have no rows, and nobody cancels them.
//
//shape:machine 4
type pings struct {
	*writer
	timers *timer.List
	probe  *request // the latest one for a cancel that is out, if any
	health health
}

// begin forgets the health of the connection before.
func (p *pings) begin() { p.health = health{} }

// shift moves the time of the probe after a jump of the clock.
func (p *pings) shift(d time.Duration) {
	if p.probe != nil {
		p.probe.since = p.probe.since.Add(d)
	}
}

func (p *pings) startPings() {
	every := p.cfg.pingEvery()
	if every == 0 {
		return
	}
	if every != p.cfg.PingEvery {
		p.event(fmt.Sprintf("a ping every %v would be too many: belay sends one every %v", p.cfg.PingEvery, every))
	}
	p.health = health{answered: p.now}
	p.timers.Set(once(duePing), p.now.Add(every))
}

// onPingLate counts the ping that is out as missed.
func (p *pings) onPingLate() {
	h := &p.health
	if p.conn.phase != Ready || h.out == nil {
		return
	}
	h.out = nil
	h.missed++
	p.event(fmt.Sprintf("%s has not answered a ping within %v: %d missed, %v without an answer",
		p.conn.server.Name, p.cfg.pingLimit(), h.missed, p.now.Sub(h.answered)))
}

// onPingDue sends the next ping. There is never more than one out.
func (p *pings) onPingDue() {
	h := &p.health
	if p.conn.phase != Ready {
		return
	}
	p.timers.Set(once(duePing), p.now.Add(p.cfg.pingEvery()))
	if h.out != nil {
		return
	}
	h.out = p.ping(true, nil)
	p.timers.Set(once(duePingLate), p.now.Add(p.cfg.pingLimit()))
}

// onPingAnswer takes the answer to a periodic ping. A late one shows as well
// that the connection is alive.
func (p *pings) onPingAnswer(r *request) {
	h := &p.health
	if h.out == r {
		h.out = nil
		p.timers.Stop(once(duePingLate))
	}
	h.missed, h.answered = 0, p.now
}

// ping sends a request of belay's own that asks whether the server still
// answers, after an earlier one of which nothing was heard, or none. It is no call: it has no
// row, and nobody cancels it.
func (w *writer) ping(health bool, instead *request) *request {
	r := &request{
		id: w.outgoing.issue(), method: probeMethod(w.conn.rev), probe: true, health: health, instead: instead,
		since: w.now, limit: w.conn.trips.Limit(),
	}
	p := &pending{class: classAnswer, req: r, method: r.method, kind: EntRequest}
	p.Data, _ = mcp.AppendRequest(nil, r.id, r.method, nil, mcp.ID{}, w.envelope)
	w.out.enqueue(p)
	return r
}
