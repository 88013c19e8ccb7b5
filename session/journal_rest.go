package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/sentence"
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
	Questions QuestionID       `json:"prompts"`
	Messages  uint64           `json:"messages"` // received
	LogLevel  string           `json:"logLevel,omitempty"`
	Roots     []Root           `json:"roots,omitempty"`
	Pin       mcp.Revision     `json:"pin,omitempty"`
	Known     negotiate.Memory `json:"known"`
	Refused   []mcp.Revision   `json:"refused,omitempty"` // that the server refused while it listed others
	PollsOnly bool             `json:"pollsOnly,omitempty"`
	Jitter    uint64           `json:"jitter,omitempty"`
	Missed    int              `json:"missed,omitempty"` // pings in a row
	Answered  time.Duration    `json:"answered,omitempty"`
	Ping      time.Duration    `json:"ping,omitempty"` // until the next one; 0: none is due
	Trips     cancel.Measured  `json:"trips"`
	Processes witness.Resting  `json:"processes"`
	Lists     []ListAge        `json:"lists,omitempty"`     // in their order
	Refreshed time.Duration    `json:"refreshed,omitempty"` // ago, of any list; 0: none was
	Standing  []CallID         `json:"standing,omitempty"`
	Streams   []uint64         `json:"streams,omitempty"`  // the exchanges that stay open
	Marks     []StreamMark     `json:"marks,omitempty"`    // what has come on each of them
	NoStream  bool             `json:"noStream,omitempty"` // the server has none of its own
	GetTaken  bool             `json:"getTaken,omitempty"` // it has answered a GET well
	Unknown   int64            `json:"unknown,omitempty"`  // unknown IDs that wrong cancels had
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

// mostSkipped bounds the calls that are passed over at once: a recording may claim any number.
const mostSkipped = 1 << 22

// Leads reports whether a session that is as from can go on as r: what stands is the same,
// and from came before r.
func (r *Rest) Leads(from *Rest) bool {
	return r.Epoch == from.Epoch && r.Over == from.Over && r.Calls >= from.Calls && r.Calls-from.Calls <= mostSkipped &&
		slices.Equal(r.Standing, from.Standing) && slices.Equal(r.Streams, from.Streams) && r.NoStream == from.NoStream
}

// impossible says what of it cannot be, as only a file can say that others wrote; empty: nothing.
func (r *Rest) impossible() string {
	what := impossibleCount(
		count{"calls", int64(r.Calls)}, count{"requests", r.Request}, count{"messages that belay wrote", signed(r.Outputs)},
		count{"HTTP requests", signed(r.Exchanges)}, count{"questions", int64(r.Questions)}, count{"messages of the server's", signed(r.Messages)},
	)
	return cmp.Or(what, r.Processes.Impossible())
}

// Rest returns what the session has come to, and false where something is in flight, due, or
// awaited.
func (j *Journal) Rest() (Rest, bool) {
	over := j.conn.phase == Disconnected && j.conn.epoch > 0 && !j.conn.reconnect
	if len(j.http.ops) > 0 {
		return Rest{}, false // which are to be handed out
	}
	if j.rows.active != j.rows.standing || j.rows.followUps > 0 || !over && !j.rests() {
		return Rest{}, false
	}
	processes, _ := j.processes.Resting(j.now)
	r := Rest{
		Epoch: j.conn.epoch, Over: over, Calls: j.rows.table.Last(), Request: j.outgoing.nextID, Outputs: j.out.seq, Exchanges: j.http.last,
		Questions: j.incoming.nextID, Messages: *j.received, LogLevel: j.writer.logLevel,
		Roots: j.cfg.Roots, Pin: j.cfg.Pin, Known: j.link.known, Refused: slices.Clone(j.link.refused), PollsOnly: j.taskListens.pollsOnly, Jitter: j.subs.jitterState, Missed: j.pings.health.missed,
		Trips: j.conn.trips.Measured(), Processes: processes, Streams: slices.Sorted(maps.Keys(j.http.open)), NoStream: j.http.serverStream.off, GetTaken: j.http.serverStream.taken,
		Unknown: j.wrongs.unknown,
	}
	r.Ping, r.Answered = j.pings.rest()
	r.Lists, r.Refreshed = j.catalog.rest()
	for _, c := range j.rows.subs {
		r.Standing = append(r.Standing, c.id)
	}
	for _, n := range r.Streams {
		r.Marks = append(r.Marks, j.http.open[n].mark(j.now))
	}
	return r, true
}

// rests reports whether nothing is on its way on a ready connection, nothing is due, and
// nothing may still be told of what has ended.
func (j *Journal) rests() bool {
	if _, idle := j.processes.Resting(j.now); !idle || j.conn.phase != Ready {
		return false
	}
	if j.out.isBusy() || len(j.outgoing.open) != j.rows.standing || !j.incoming.rests() {
		return false
	}
	for _, e := range j.http.open {
		standing := e.req != nil && e.req.call != nil && e.req.call.sub.isStanding()
		if e != j.http.serverStream.x && !standing || !e.opened || e.closing {
			return false
		}
	}
	if j.http.login != 0 || len(j.http.waits) > 0 || j.http.serverStream.pauses {
		return false
	}
	due := j.timers.Len()
	if j.timers.At(once(duePing)).After(j.now) {
		due--
	}
	asks := func(c *call) bool { return j.conn.mayStillAsk(c, j.now) }
	return due == 0 && j.pings.health.out == nil && (j.pings.probe == nil || j.pings.probe.answer.kind != 0) &&
		j.tasks.live() == 0 && len(j.tasks.touched) == 0 && len(j.unconfirmed.calls) == 0 && len(j.subs.residuals) == 0 &&
		len(j.results.unjudged) == 0 && j.catalog.rests() && *j.part == (messagePart{}) && !slices.ContainsFunc(j.rows.cancelledLately, asks)
}

// Skipped stands in a journal in the place of steps that are not kept. A session that makes
// a journal is never told of it.
//
// It counts the messages without any effect, and names the calls to which they belonged. Or,
// with a Rest, it tells what the session had come to.
type Skipped struct {
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
	last := s.rows.table.Last()
	on := r.Calls >= last && r.Calls-last <= mostSkipped && r.Request >= s.outgoing.nextID && r.Outputs >= s.out.seq &&
		r.Exchanges >= s.http.last && r.Questions >= s.incoming.nextID && r.Messages >= s.received
	if !still || !on {
		return refuse(RefuseNotReady, "what was left out does not fit to what came before it")
	}
	return nil
}

func (in Skipped) apply(s *Session) Reply {
	if in.Rest != nil {
		s.journal.resume(in.Rest)
		return Reply{}
	}
	for _, id := range in.Calls {
		if c := s.rows.get(id); c != nil {
			c.resetIdle(&s.timers, s.now)
		}
	}
	s.received += uint64(max(0, in.Messages))
	s.event("not in this recording: " + in.words())
	return Reply{}
}

func (in Skipped) masked(m masker) Input {
	if in.Rest != nil {
		rest := *in.Rest
		rest.Roots, rest.LogLevel = m.roots(rest.Roots), m.text(rest.LogLevel)
		rest.Marks = slices.Clone(rest.Marks)
		for i, mark := range rest.Marks {
			rest.Marks[i].Malformed, rest.Marks[i].LastID = m.text(mark.Malformed), m.field("id", mark.LastID)
		}
		in.Rest = &rest
	}
	return in
}

func (in Skipped) words() string {
	messages := sentence.Count(in.Messages, "message", "messages") + " of the server's that nothing followed from"
	lines := sentence.Count(in.Lines, "line", "lines")
	switch {
	case in.Lines == 0:
		return messages
	case in.Messages == 0:
		return lines + " of the server's stderr"
	}
	return messages + ", and " + lines + " of its stderr"
}

// resume has each machine go on from a rest.
func (j *Journal) resume(r *Rest) {
	j.event(fmt.Sprintf("not in this recording: %s before this, and %s of the server's",
		sentence.Count(int(r.Calls-j.rows.table.Last()), "call", "calls"), sentence.Count(int(r.Messages-*j.received), "message", "messages")))
	*j.received = r.Messages
	j.rows.resume(r.Calls)
	j.outgoing.resume(r.Request)
	j.out.resume(r.Outputs)
	j.http.last = r.Exchanges
	j.http.serverStream.resume(j.http.open, r, j.now)
	j.incoming.resume(r.Questions)
	j.wrongs.resume(r.Unknown)
	j.link.resume(r.Known, r.Refused)
	j.taskListens.resume(r.PollsOnly)
	j.subs.resume(r.Jitter)
	j.pings.resume(r.Missed, r.Ping, r.Answered)
	j.catalog.resume(r.Lists, r.Refreshed)
	*j.conn.trips = r.Trips.RoundTrips()
	j.processes.Resume(r.Processes, j.now)
	j.cfg.Roots, j.cfg.Pin = r.Roots, r.Pin
	j.writer.resume(r.LogLevel, r.Over)
}
