package session

import (
	"fmt"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/sentence"
	"belay/session/timer"
)

// Session is one MCP server as seen from the client. It is a plain value
// behind whatever lock its owner holds: every method must be called under that
// lock, and none of them blocks.
//
// Three methods change the state: Handle takes an input, Receive a message, and Next
// hands out what is to be done. The others are views: they return copies.
type Session struct {
	cfg Config
	now time.Time // of the input being handled; never goes back

	// When the first byte of that came, where it is a message; else now.
	began time.Time

	conn     connection
	known    negotiate.Memory // how the next connection is to begin, when that is known
	rows     rows
	outgoing outgoing
	incoming incoming
	out      outbox
	timers   timer.List
	probe    *request // the latest ping that is out, if any
	unsure   unconfirmedCancels
	results  results
	catalog  catalog
	hist     history
	diags    diags
	events   events
	journal  journal
	http     exchanges

	quitting    bool                   // belay ends: no connection is begun any more
	carried     []carriedSubscriptions // the user's subscriptions that the next connection begins again
	unsent      []unsent               // what the user wrote and the next connection sends, as this one was not used for anything
	subsEnded   int                    // those of the user's that ended by themselves …
	lastSub     CallID                 // … and the latest of them
	jitterState uint64                 // of [Session.jittered]
	arriving    partialMessage         // what has come of a message on stdio, and not its end
	unjudged    []*call                // whose structured content is still to be checked

	roundBytes int // of the states that calls wait with between rounds
	received   uint64
	fault      error // an invariant that was found broken; nil unless belay has a bug
}

// connection is what is forgotten when an epoch ends.
type connection struct {
	epoch         Epoch
	phase         Phase
	rev           mcp.Revision
	server        mcp.ServerInfo
	started       time.Time
	readyAt       time.Time
	failure       *Failure
	closeSent     bool             // OpClose was handed out, or is not needed any more
	reconnect     bool             // another connection is to be begun after it, which nobody but belay asked for
	used          bool             // the user has called something on it
	deferred      []*serverRequest // requests that came before initialized (VER-06)
	nonJSONOutput string           // output that is no JSON, before there was an answer to initialize
	trips         cancel.RoundTrips
	answered      uint64 // the highest order of an own request that was answered
	logLevel      string
	health        health
	declared      declared
	era           era
	envelope      []mcp.MetaMember // what every request says of belay; modern only
	pace          pace
	roots         rootCheck
	ownOver       bool    // belay's own subscription has ended, and is not begun again
	residuals     []*call // rows that have ended and whose subscription may stand, oldest first
}

// New makes a session that is not connected yet.
func New(cfg Config, now time.Time) *Session {
	s := &Session{cfg: cfg.withDefaults(), now: now, jitterState: uint64(cfg.Jitter)}
	s.rows.init()
	s.outgoing.init(s.cfg.FirstID, s.cfg.Anonymous)
	s.incoming.init()
	s.out.init()
	s.diags.init()
	s.http.timers = &s.timers
	s.http.reset()
	s.hist.init(s.cfg.HistoryBytes, s.cfg.HistoryCount, now)
	return s
}

// Config is what the session was made with, defaults filled in.
func (s *Session) Config() Config { return s.cfg }

// at begins an input. Time handed in out of order is taken as no time passed,
// and a jump of time is noticed by whichever input comes first after it. Every
// input that calls it is in the journal: a refusal, or a Next that has nothing
// to give, must not move the time, or a replay would see other jumps.
func (s *Session) at(now time.Time) {
	s.hist.cur, s.began = 0, s.now
	gap := now.Sub(s.now)
	if gap <= 0 {
		return
	}
	jumped := gap > clockJump && s.overdue(now) > clockJump
	s.now, s.began = now, now
	if jumped {
		s.jump(gap)
	}
}

// broken notes an invariant that does not hold. The program goes on: what is
// shown may be wrong then, but nothing is lost and nothing panics.
func (s *Session) broken(format string, args ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf(format, args...)
	}
}

// live reports whether x belongs to the connection of now.
func (n *connection) live(x ExchangeID) bool {
	return x.Epoch == n.epoch && n.phase != Disconnected
}

// SetPin changes the revision that the next connection may negotiate; empty
// lifts the pin. A revision that is not supported is refused.
type SetPin struct {
	Revision mcp.Revision `json:"revision"`
}

func (in SetPin) check(*Session) error {
	if in.Revision != "" && !mcp.Supports(in.Revision) {
		return refuse(RefuseUnsupported, "belay speaks %s, not %s", join(mcp.Supported()), sentence.Clip(string(in.Revision)))
	}
	return nil
}

func (in SetPin) apply(s *Session) Reply {
	s.cfg.Pin, s.known, s.conn.reconnect = in.Revision, negotiate.Memory{}, false
	s.dropUnsent()
	return Reply{}
}

// Status is what the header shows.
func (s *Session) Status() Status {
	st := Status{
		Phase: s.conn.phase, Epoch: s.conn.epoch, Transport: s.cfg.Transport, SSE: s.cfg.Transport == mcp.HTTP && s.http.carrier == httpSSE,
		ReasonStays: cancel.SignalFor(cancel.Request, s.conn.rev, s.cfg.Transport) == cancel.Abort,
		Revision:    s.conn.rev, Found: s.conn.era.Found(), Server: s.conn.server,
		InFlight: s.rows.active - s.rows.standing, Subscriptions: s.rows.standing, UserCalls: s.rows.byUser, Waiting: s.incoming.waiting, Rows: s.rows.kept,
		Diags: len(s.diags.list), Failure: s.conn.failure, ReadyAt: s.conn.readyAt,
		Started: s.conn.started, Received: s.received, Quitting: s.quitting,
		Ending:   s.conn.closeSent && s.conn.phase == Closing,
		LogLevel: s.conn.logLevel, Logins: s.http.logins, RootsTold: s.conn.declared.roots, RoundTrip: s.conn.trips.Best(), Bound: s.conn.trips.Bound(), ActiveReqs: len(s.outgoing.open),
		Missed: s.conn.health.missed, TurnedAway: s.incoming.away, LastAway: s.incoming.lastAway,
		Renewed: s.http.renewed, RenewedFor: s.http.renewedFor, Resubscribed: s.http.resubscribed,
		SubsEnded: s.subsEnded, LastSub: s.lastSub,
		Unreachable: s.http.reach.lost, Unreached: s.http.reach.why,
		StartAgain: s.conn.reconnect, BeginsWith: s.known.Begin,
		StartedAgain: s.conn.era.Begun().Again, BegunWith: s.conn.era.Begun().Begin,
	}
	if s.conn.phase == Connecting {
		st.Awaits, st.AwaitsUntil = s.conn.era.Awaits()
		if p := s.conn.era.probe; st.Awaits == negotiate.ForDiscover && p != nil && !p.isWaiting() {
			st.AwaitsUntil = s.timers.At(p.due(dueMax))
		}
		if st.Awaits == negotiate.ForEither && s.conn.era.TriesInitializeAlone() {
			st.AwaitsUntil = s.timers.At(s.conn.era.shake.due(dueIdle))
		}
	}
	return st
}
