package session

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/timer"
	"belay/session/witness"
)

// Rest is what a session has come to while nothing is in flight and nothing is due, on a ready
// connection or after its end: how far it has counted, and what it has measured. A session that has seen
// the connection begin goes on from a Rest without what came between; see [Skipped].
//
// The lists that the server offers are not part of it.
type Rest struct {
	Epoch     Epoch            `json:"epoch"`
	Over      bool             `json:"over,omitempty"` // the connection has ended
	Calls     CallID           `json:"calls"`          // rows, those among them that nobody saw
	Request   int64            `json:"request"`
	Outputs   uint64           `json:"outputs"`
	Exchanges uint64           `json:"exchanges,omitempty"`
	Prompts   PromptID         `json:"prompts"`
	Messages  uint64           `json:"messages"` // received
	LogLevel  string           `json:"logLevel,omitempty"`
	Roots     []Root           `json:"roots,omitempty"`
	Pin       mcp.Revision     `json:"pin,omitempty"`
	Known     negotiate.Memory `json:"known"`
	PollsOnly bool             `json:"pollsOnly,omitempty"`
	Jitter    uint64           `json:"jitter,omitempty"`
	Missed    int              `json:"missed,omitempty"` // pings in a row
	Answered  time.Duration    `json:"answered,omitempty"`
	Ping      time.Duration    `json:"ping,omitempty"` // until the next one; 0: none is due
	Trips     cancel.Measured  `json:"trips"`
	Processes witness.Idle     `json:"processes"`
	Lists     []ListAge        `json:"lists,omitempty"`     // in their order
	Refreshed time.Duration    `json:"refreshed,omitempty"` // ago, of any list; 0: none was
	Standing  []CallID         `json:"standing,omitempty"`
	Streams   []uint64         `json:"streams,omitempty"`  // the exchanges that stay open
	NoStream  bool             `json:"noStream,omitempty"` // the server has none of its own
}

// ListAge is how long ago a list was fetched, and fetched for a look at it, and how long it
// stays fresh. Zero: it was not.
type ListAge struct {
	Ago    time.Duration `json:"ago,omitempty"`
	Looked time.Duration `json:"looked,omitempty"`
	Ages   bool          `json:"ages,omitempty"`
	Gone   bool          `json:"gone,omitempty"` // it was dropped with a login
	TTL    time.Duration `json:"ttl,omitempty"`
}

// mostSkipped bounds the calls that are passed over at once: their places in the table take
// memory, and a recording may claim any number.
const mostSkipped = 1 << 22

// Leads reports whether a session that is as from can go on as r: what stands is the same,
// and from came before r.
func (r *Rest) Leads(from *Rest) bool {
	return r.Epoch == from.Epoch && r.Over == from.Over && r.Calls >= from.Calls && r.Calls-from.Calls <= mostSkipped &&
		slices.Equal(r.Standing, from.Standing) && slices.Equal(r.Streams, from.Streams) && r.NoStream == from.NoStream
}

// Rest returns what the session has come to, and false where something is in flight, due, or
// awaited.
func (s *Session) Rest() (Rest, bool) {
	over := s.conn.phase == Disconnected && s.conn.epoch > 0
	if s.rows.active != s.rows.standing || s.rows.taskRequests > 0 || !over && !s.rests() {
		return Rest{}, false
	}
	processes, _ := s.processes.Idle(s.now)
	r := Rest{
		Epoch: s.conn.epoch, Over: over, Calls: s.rows.lastID(), Request: s.outgoing.nextID, Outputs: s.out.seq, Exchanges: s.http.last,
		Prompts: s.incoming.nextID, Messages: s.received, LogLevel: s.writer.logLevel,
		Roots: s.cfg.Roots, Pin: s.cfg.Pin, Known: s.link.known, PollsOnly: s.tasks.pollsOnly, Jitter: s.subs.jitterState, Missed: s.pings.health.missed,
		Trips: s.conn.trips.Measured(), Processes: processes, Streams: slices.Sorted(maps.Keys(s.http.open)), NoStream: s.http.listen.off,
	}
	if at := s.timers.At(once(duePing)); !at.IsZero() {
		r.Ping, r.Answered = at.Sub(s.now), s.now.Sub(s.pings.health.answered)
	}
	for k := range mcp.NumLists {
		l := &s.catalog.lists[k]
		r.Lists = append(r.Lists, ListAge{Ages: l.Ages, Gone: l.gone, TTL: l.TTL, Ago: s.since(l.Fetched), Looked: s.since(l.looked)})
	}
	r.Refreshed = s.since(s.catalog.refreshed)
	for _, c := range s.rows.subs {
		r.Standing = append(r.Standing, c.id)
	}
	return r, true
}

// rests reports whether nothing is on its way on a ready connection, nothing is due, and
// nothing may still be told of what has ended.
func (s *Session) rests() bool {
	if _, idle := s.processes.Idle(s.now); !idle || s.conn.phase != Ready || s.quitting {
		return false
	}
	if s.out.isBusy() || len(s.outgoing.open) != s.rows.standing || !s.incoming.rests() || !s.http.rests() {
		return false
	}
	due := s.timers.Len()
	if s.timers.At(once(duePing)).After(s.now) {
		due--
	}
	asks := func(c *call) bool { return s.conn.mayStillAsk(c, s.now) }
	return due == 0 && len(s.unsent) == 0 && s.pings.health.out == nil && (s.pings.probe == nil || s.pings.probe.answered != 0) &&
		s.tasks.live() == 0 && len(s.tasks.touched) == 0 && len(s.unconfirmed.calls) == 0 && len(s.subs.residuals) == 0 &&
		len(s.results.unjudged) == 0 && s.catalog.rests() && s.arriving == (partialMessage{}) && !slices.ContainsFunc(s.rows.stopped, asks)
}

// since is how long ago a time was, and at least a moment; zero for the zero time.
func (s *Session) since(t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return max(1, s.now.Sub(t))
}

// ago is the time of which since is d.
func (s *Session) ago(d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return s.now.Add(-d)
}

// lastID is the ID of the latest row.
func (r *rows) lastID() CallID { return r.base + CallID(len(r.list)) - 1 }

// isBusy reports whether something waits to be written, or to be reported as written.
func (o *outbox) isBusy() bool {
	return len(o.waiting) > 0 || slices.ContainsFunc(o.queues[:], func(q queue) bool { return q.live > 0 })
}

// rests reports whether no list is being fetched, or is to be.
func (g *catalog) rests() bool {
	return !slices.ContainsFunc(g.lists[:], func(l list) bool { return l.loading || l.changed || l.next != nil }) && !g.stopped.ask && !g.stopped.over
}

// rests reports whether the server asks nothing.
func (t *incoming) rests() bool {
	return t.waiting == 0 && len(t.open) == 0 && len(t.deferred) == 0 && !t.roots.wanted && t.roots.out == 0 && len(t.roots.asks) == 0
}

// rests reports whether no exchange is open but those that stay.
func (w *exchanges) rests() bool {
	for _, e := range w.open {
		standing := e.req != nil && e.req.call != nil && e.req.call.sub.isStanding()
		if e != w.listen.x && !standing || !e.opened || e.closing {
			return false
		}
	}
	return len(w.ops) == 0 && w.login == 0 && len(w.waits) == 0 && !w.listen.pauses
}

// Skipped stands in a journal in the place of steps that are not kept. A session that makes
// a journal is never told of it.
//
// It tells of messages that nothing followed from, and which calls they were for, so that
// these count as heard. Or, with a Rest, it tells what the session had come to.
type Skipped struct {
	never
	Messages int      `json:"messages,omitempty"` // of the server's
	Lines    int      `json:"lines,omitempty"`    // of its stderr
	Bytes    int      `json:"bytes,omitempty"`    // of both
	Calls    []CallID `json:"calls,omitempty"`
	Rest     *Rest    `json:"rest,omitempty"`
}

func (in Skipped) check(s *Session) error {
	r := in.Rest
	if r == nil {
		return nil
	}
	still := s.conn.phase == map[bool]Phase{false: Ready, true: Disconnected}[r.Over] && s.rows.active == s.rows.standing && r.Epoch == s.conn.epoch
	last := s.rows.lastID()
	on := r.Calls >= last && r.Calls-last <= mostSkipped && r.Request >= s.outgoing.nextID && r.Outputs >= s.out.seq &&
		r.Exchanges >= s.http.last && r.Prompts >= s.incoming.nextID && r.Messages >= s.received
	if !still || !on {
		return refuse(RefuseNotReady, "what was left out does not fit to what came before it")
	}
	return nil
}

func (in Skipped) apply(s *Session) Reply {
	for _, id := range in.Calls {
		if c := s.rows.get(id); c != nil {
			c.resetIdle(&s.timers, s.now)
		}
	}
	if in.Rest != nil {
		s.resume(in.Rest)
		return Reply{}
	}
	s.received += uint64(max(0, in.Messages))
	s.event("not in this recording: " + in.words())
	return Reply{}
}

func (in Skipped) words() string {
	switch {
	case in.Lines == 0:
		return fmt.Sprintf("%d messages of the server's that nothing followed from", in.Messages)
	case in.Messages == 0:
		return fmt.Sprintf("%d lines of the server's stderr", in.Lines)
	}
	return fmt.Sprintf("%d messages of the server's that nothing followed from, and %d lines of its stderr", in.Messages, in.Lines)
}

// resume goes on from a rest.
func (s *Session) resume(r *Rest) {
	s.event(fmt.Sprintf("not in this recording: %d calls before this, and %d messages of the server's", r.Calls-s.rows.lastID(), r.Messages-s.received))
	s.rows.list = append(s.rows.list, make([]*call, r.Calls-s.rows.lastID())...)
	s.outgoing.nextID, s.outgoing.gone = r.Request, r.Request-1
	s.out.seq, s.http.last, s.incoming.nextID, s.received = r.Outputs, r.Exchanges, r.Prompts, r.Messages
	s.writer.logLevel, s.pings.health.missed = r.LogLevel, r.Missed
	s.cfg.Roots, s.cfg.Pin, s.link.known, s.tasks.pollsOnly, s.subs.jitterState = r.Roots, r.Pin, r.Known, r.PollsOnly, r.Jitter
	if r.Ping > 0 {
		s.pings.health.answered = s.now.Add(-r.Answered)
		s.timers.Set(timer.Owner{Kind: duePing}, s.now.Add(r.Ping))
	}
	s.conn.trips = r.Trips.RoundTrips()
	s.processes.Resume(r.Processes, s.now)
	for k, age := range r.Lists[:min(len(r.Lists), int(mcp.NumLists))] {
		l := &s.catalog.lists[k]
		l.Ages, l.gone, l.TTL, l.Fetched, l.looked = age.Ages, age.Gone, age.TTL, s.ago(age.Ago), s.ago(age.Looked)
	}
	s.catalog.refreshed = s.ago(r.Refreshed)
}
