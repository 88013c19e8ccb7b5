package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/timer"
)

// Session is one MCP server as seen from the client. It is a plain value
// behind whatever lock its owner holds: every method must be called under that
// lock, and none of them blocks.
//
// Four methods change the state: Handle takes an input, as Tell does where nothing can be
// refused, Receive a message, Next hands out what is to be done, and NextKept what is to be
// kept. Journal hands out the steps for a recording. The others are views: they return copies.
//
//shape:conductor
type Session struct {
	log // below everything else: see there

	cfg         Config
	conn        connection
	link        link
	subs        subscriptions
	writer      writer
	pings       pings
	handles     handles
	tasks       tasks
	taskListens taskListens
	lint        lint
	after       afterCancel
	rows        rows
	outgoing    outgoing
	incoming    incoming
	out         outbox
	timers      timer.List
	unconfirmed unconfirmedCancels
	results     results
	catalog     catalog
	journal     Journal
	http        exchanges
	processes   processes
	wrongs      wrongs
	followers   followers

	quitting bool        // belay ends: no connection is begun any more
	unsent   []unsent    // what the user wrote and the next connection sends, as this one was not used for anything
	part     messagePart // what has come of a message on stdio, and not its end

	received uint64
}

// New makes a session that is not connected yet.
func New(cfg Config, now time.Time) *Session {
	begun := Begun{Request: cfg.withDefaults().FirstID}
	if cfg.Begun != nil {
		begun = *cfg.Begun
	}
	s := &Session{cfg: cfg.withDefaults(), conn: connection{epoch: begun.Epoch, era: new(era), trips: new(cancel.RoundTrips)}, received: begun.Messages}
	s.rows.table.LeaveOut(begun.Calls)
	s.outgoing.init(begun.Request, s.cfg.Anonymous)
	s.incoming.init()
	s.incoming.nextID, s.out.seq = begun.Questions, begun.Outputs
	s.out.init()
	s.link = link{log: &s.log, cfg: &s.cfg, timers: &s.timers, known: begun.Known, spoke: map[Epoch]mcp.Revision{}}
	s.subs = subscriptions{log: &s.log, cfg: &s.cfg, jitterState: uint64(cfg.Jitter)}
	s.unconfirmed.log = &s.log
	s.writer = writer{log: &s.log, cfg: &s.cfg, out: &s.out, outgoing: &s.outgoing}
	s.wrongs = wrongs{writer: &s.writer}
	s.pings = pings{writer: &s.writer, timers: &s.timers}
	s.handles = handles{writer: &s.writer, timers: &s.timers, catalog: &s.catalog, makers: map[string]bool{}}
	s.tasks = tasks{
		writer: &s.writer, timers: &s.timers, lint: &s.lint, results: &s.results, catalog: &s.catalog, incoming: &s.incoming,
		handles: &s.handles,
	}
	s.taskListens = taskListens{writer: &s.writer, followed: &s.tasks.followedTasks, pollsOnly: cfg.NoListen}
	s.followers = followers{&s.tasks}
	s.followers.begin()
	s.lint, s.after = lint{&s.log}, afterCancel{&s.log}
	s.http.outgoing, s.http.after = &s.outgoing, &s.after
	s.results = results{log: &s.log, limit: s.cfg.HistoryBytes / 2}
	s.catalog = catalog{log: &s.log, cfg: &s.cfg, timers: &s.timers}
	s.incoming.writer, s.incoming.timers = &s.writer, &s.timers
	s.http.log, s.http.cfg, s.http.timers = &s.log, &s.cfg, &s.timers
	s.http.reset()
	s.journal = Journal{
		log: &s.log, cfg: &s.cfg, out: &s.out, outgoing: &s.outgoing, incoming: &s.incoming, http: &s.http, timers: &s.timers, pings: &s.pings,
		tasks: &s.tasks, taskListens: &s.taskListens, unconfirmed: &s.unconfirmed, subs: &s.subs, results: &s.results, catalog: &s.catalog, processes: &s.processes,
		writer: &s.writer, link: &s.link, wrongs: &s.wrongs, part: &s.part, received: &s.received,
	}
	s.log.init(&s.cfg, now, &s.conn, &s.rows)
	if cfg.Begun != nil {
		s.event(begun.Words())
	}
	return s
}

// Config is what the session was made with, defaults filled in.
func (s *Session) Config() Config { return s.cfg }

// Status is what the header shows.
func (s *Session) Status() Status {
	stopped, pickUps := s.rows.countPickUps()
	st := Status{
		Phase: s.conn.phase, Epoch: s.conn.epoch, Started: s.conn.started, ReadyAt: s.conn.readyAt,
		Failure: s.conn.failure, Quitting: s.quitting, StartAgain: s.conn.reconnect,
		Ending: s.conn.closeSent && s.conn.phase == Closing,

		Transport: s.cfg.Transport, SSE: s.cfg.Transport == mcp.HTTP && s.http.variant == httpSSE,
		Revision: s.conn.rev, Found: s.conn.era.Found(), Server: s.conn.server, BeginsWith: s.link.known.Begin,
		Undiscovered: s.conn.phase == Ready && s.conn.era.IsUndiscovered(),
		StartedAgain: s.conn.era.Begun().Again, Starts: len(s.link.starts) + 1, StartsWords: s.link.startsWords(), BegunWith: s.conn.era.Begun().Begin,

		InFlight: s.rows.active - s.rows.standing - s.rows.followUps, Handshake: s.rows.handshake,
		UserCalls: s.rows.byUser, Cancelling: s.rows.cancelling + stopped, UserCancelling: s.rows.yoursStopping + stopped,
		PickUps: pickUps, StopsPickUps: stopped,
		Rows: s.rows.kept, Waiting: s.incoming.waiting,
		FirstID: s.cfg.FirstID, LackIDs: s.writer.lackIDs(), ActiveReqs: len(s.outgoing.open),
		ReasonStays: cancel.SignalFor(cancel.Request, s.conn.rev, s.cfg.Transport) == cancel.Abort,

		Tasks: s.tasks.live(), PolledOn: s.tasks.polledOn(), KeptCancels: s.handles.keptCancels(), TaskList: s.tasks.listed.view(),
		WaitsOnly: s.writer.waitOnly(), OutcomesOnly: s.writer.outcomesOnly(), ReusedKeys: s.tasks.reused,

		Subscriptions: s.rows.standing, SubsEnded: s.subs.ended, LastSub: s.subs.last,
		SubscribesToTasks: s.taskListens.mayListen(), OwnSubscriptions: len(s.taskListens.calls), TasksUntold: s.taskListens.refused,

		Received: s.received, Diags: len(s.diags.list),
		LogLevel: s.writer.logLevel, RootsTold: s.writer.declared.roots,
		TurnedAway: s.incoming.away, LastAway: s.incoming.lastAway,
		RoundTrip: s.conn.trips.Best(), Bound: s.conn.trips.Bound(), Missed: s.pings.health.missed,
		IdleKnownAt: s.processes.IdleKnownAt(), Processes: s.processes.Census(),

		OwnStream: s.http.serverStream.ownStream(s.http.variant, s.cfg, s.conn.rev),
		Logins:    s.http.logins, Unreachable: s.http.reach.lost, Unreached: s.http.reach.why,
		Renewed: s.http.renewed, RenewedFor: s.http.renewedFor, Replaces: s.conn.epoch != 0 && s.link.replaces == s.conn.epoch, Resubscribed: s.http.resubscribed,
	}
	st.Begun = Begun{
		Epoch: s.conn.epoch, Calls: s.rows.table.Last(), Request: s.outgoing.nextID, Outputs: s.out.seq,
		Questions: s.incoming.nextID, Messages: s.received, Stopped: s.hist.pauses.before(s.now.Sub(s.hist.origin)), Known: s.link.known,
	}
	if s.conn.phase == Connecting {
		st.Awaits, st.AwaitsUntil = s.conn.era.Awaits()
		st.InVain, st.NonJSON = s.http.unansweredInitializeWords(), s.link.nonJSONWords()
		if p := s.conn.era.discover; st.Awaits == negotiate.ForDiscover && p != nil && !p.isWaiting() {
			st.AwaitsUntil = s.timers.At(p.due(dueMax))
		}
		if i := s.conn.era.shake; st.Awaits == negotiate.ForInitialize && i != nil && i.isWaiting() { // for a login, which its row says
			st.Awaits = negotiate.Nothing
		}
		if st.Awaits == negotiate.ForEither && s.conn.era.TriesInitializeAlone() {
			st.AwaitsUntil = s.timers.At(s.conn.era.shake.due(dueIdle))
		}
	}
	return st
}
