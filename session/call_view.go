package session

import (
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/witness"
)

// Row is a copy of what the calls table shows of a call.
type Row struct {
	ID      CallID
	Epoch   Epoch
	Wire    mcp.ID // the ID of its first request, which it is called by
	Latest  mcp.ID // the ID of its latest request
	Method  string // foreign text when the user sent a raw request
	Target  string // tool, prompt, resource …; foreign text
	Follows bool   // it follows a task that was begun elsewhere or before, by its ID, which is Target
	Tool    string // … and that this tool runs; empty: it is not known; foreign text
	Origin  Origin
	State   State
	Note    string // in belay's words, e.g. "answered before the cancel left"
	Remedy  Remedy // what can be done about what the note tells

	AsksYou        bool             // a question that can only be its own waits, or it is held
	Initiator      cancel.Initiator // who cancelled it; 0 when nobody did
	Unsent         bool             // cancelling, and the cancel is not written yet
	AwaitsID       bool             // cancelling, and its task has no ID yet that tasks/cancel could name
	TaskToCome     bool             // in flight, it was sent with the wish to run as a task, and that has no ID yet
	AwaitsLook     bool             // cancelling, and tasks/cancel is sent when tasks/get is answered: it follows a task from its ID on
	UnnamedTask    bool             // it ended, and a task of it may go on at the server, whose ID did not come, …
	UnusableID     bool             // … or came, and cannot be used
	KeepsCancel    bool             // … and tasks/cancel is still to be sent when that comes: it was cancelled
	Left           bool             // lost, as belay stopped waiting for its task
	Unanswered     bool             // failed: the server was not reached, or its stream ended without an answer
	NotFound       bool             // failed: the server does not know the task that it asked for by its ID
	WaitsOnly      bool             // it runs as a task, and the server declares no way to cancel that
	OutcomeOnly    bool             // its task has ended, or was cancelled in another row: there is nothing left to cancel
	ReasonStays    bool             // what stops it now has no place for a reason: that is told here, and not to the server
	Denied         bool             // it is Done, and the server has called its task failed or cancelled since: see [Row.Shown]
	CancelRejected bool             // cancelling, and the server did not accept the cancel: see Note
	Verdict        cancel.Verdict
	ToolError      bool // failed by isError, not by a JSON-RPC error
	// FellBack marks the request of the opening that the server's era does not know, and a
	// subscription to tasks that are polled instead: neither is a failure.
	FellBack bool

	Created time.Time
	Sent    time.Time // its last byte was written; zero before
	Ended   time.Time // zero while in flight
	// EndSeen is when the verdict grew by the end of the call, after Ended: its late answer came,
	// or the end of its task was told. Zero: neither happened.
	EndSeen time.Time

	Progress            ProgressView
	AfterCount          int       // messages for it after its cancel was written
	Deadline            time.Time // the nearer of the two clocks; zero when none runs
	Login               bool      // it waits for a login; nothing is in flight for it
	AwaitsLoginToResume bool      // it runs at the server, and its stream is taken up again after a login
	Paused              bool      // its clocks stand still: a human answers
	Sub                 SubscriptionView
	Round               RoundView // what it waits for between two of its requests
	Task                *TaskView // what is known of the task that it runs as; nil: it does not
	Rev                 uint64    // grows with each change of any row
}

// RoundView is what a call waits for between two of its requests, and how many
// rounds there were.
type RoundView struct {
	Count       int       // answers so far that were none: they asked for input, or for other fields in the head
	Waits       bool      // between two requests: nothing is in flight
	Inputs      int       // what the server asks for, and …
	Open        int       // … how much of that has no answer yet
	HasState    bool      // the server gave a state to be carried back
	StateSize   int       // in bytes, as it stands in the message
	StateSum    string    // a digest of it
	RetryAt     time.Time // when it is made again by itself; zero: not because of the time
	AwaitsRetry bool      // Retry goes on: there were too many rounds, or the fields of its head were wrong
	Relisting   bool      // the fields of its head were wrong: the tools are fetched again first
}

// IsStanding reports whether the row is a subscription that waits for nothing but
// what comes: it moves only when something did.
func (r Row) IsStanding() bool { return r.State == Running && (r.Sub.IsListen || r.Sub.Active) }

// IsCounted reports whether the row is one of those that [Status] counts as in flight: it still
// waits for something, and is no subscription, which has no end by itself.
func (r Row) IsCounted() bool { return r.IsInFlight() && !r.Sub.IsListen && !r.Sub.Active }

// IsInFlight reports whether the call still waits for something.
func (r Row) IsInFlight() bool { return !r.State.IsTerminal() }

// Age is the time in flight until now, or the duration once ended: until the end of the call
// was seen, if that came after the end of the row.
func (r Row) Age(now time.Time) time.Duration {
	switch {
	case !r.EndSeen.IsZero():
		now = r.EndSeen
	case !r.Ended.IsZero():
		now = r.Ended
	}
	return max(0, now.Sub(r.Created))
}

// ProgressView is the last accepted progress of a call. It never goes back.
type ProgressView struct {
	Count    int // accepted notifications; 0: none yet
	Value    float64
	Total    float64
	HasTotal bool
	Message  string // foreign text
	Invalid  int    // not increasing, NaN, negative …
}

// Fraction is the progress as a share between 0 and 1, and whether there is one: without a
// positive total there is not (PRG-07, PRG-21; basic/utilities/progress).
func (p ProgressView) Fraction() (float64, bool) {
	if p.Count == 0 || !p.HasTotal || p.Total <= 0 {
		return 0, false
	}
	return min(1, max(0, p.Value/p.Total)), true
}

// Detail is everything that the detail pane shows of a call, copied.
type Detail struct {
	Row
	Revision            mcp.Revision   // that its connection speaks, or spoke; empty: none was agreed on, or that is long ago
	Params              []byte         // as sent; shared, not to be changed
	Result              []byte         // nil when there is none, or it is no longer kept
	Dropped             int            // bytes of a result that is no longer kept
	Hollow              bool           // … which are not in the recording that this is
	Cache               *mcp.CacheHint // how long the result stays fresh, in the server's words; nil: it does not say
	Err                 *mcp.RPCError
	ErrText             string       // the meaning of the error for this method, in plain words
	Compared            []Compared   // the head of a request beside its body, when the server says that they differ
	Declare             []Capability // as the call said
	Undeclared          bool         // … and that it leaves out the extension of tasks
	MissingCapabilities []Capability // what the server refused it for: the call, made again with that declared as well, may do
	Reason              string       // of the cancel
	Evidence            []cancel.Evidence
	Objected            bool            // the answer to the cancel's own POST holds an error
	Partial             bool            // something of a message had come that may be its answer, and not its end
	Talks               bool            // the server did not answer the probe, and said something after the cancel all the same
	Strayed             bool            // after the cancel something came that is no silence, and that cannot be taken as its answer
	EndedEarly          bool            // the grace ended before its time, with the exchange that was to bring the answer
	Disconnected        bool            // belay ended the connection before the verdict was due
	Withdrew            time.Time       // when the server last took back, after the cancel, what the call had asked of the user; zero: it did not
	Withdrawn           int             // … how many of these questions
	AskedCrossing       int             // the questions of the call's that came since the cancel was wanted, and may have been on their way
	DoubtfulWithdrawals int             // the questions that the server took back since then, of which it is not known whether the call had asked them
	MayHaveAsked        int             // the questions since then that are the call's or another's: nothing on the wire says which
	TaskEnd             cancel.EndOrder // how the end of the task, by itself, stands to the cancel
	TaskEndAfter        time.Duration   // how long after the cancel's last byte it was told that the task had ended by itself; 0: it was not
	Accepted            time.Time       // over HTTP: when the server had accepted the POST of the cancel; zero: it had not
	Undelivered         string          // why the server did not take the cancel; foreign text; empty: it may have
	After               cancel.After    // the messages for it after the cancel
	Kept                bool            // all that came after the cancel, but an answer, may have waited until its stream was taken up again
	Away                bool            // its stream was away when the grace ended: what the server said there is unknown
	Late                *LateAnswer
	Timeline            []MomentView
	Processes           *witness.View // of the server, around the cancel; nil: nothing was seen of them
	Skipped             int           // moments left out of Timeline for their number: of progress that came together each message
	Idle, Max           time.Duration
	Rules               Rules

	NoProgress bool // no progress was asked for

	// Of a row that subscribes: the filter of the request, and that of the server's
	// agreement.
	Asked, Agreed mcp.Filter

	// Whether the structured content of the result keeps to its tool's outputSchema,
	// and what the check of that came to.
	Conformity Conformity
	Schema     SchemaReport
}

// Shown is the state that a row is shown in. A call that the outcome of its task has ended as done is shown
// as failed once the server calls that task failed or cancelled, as it is where that came first.
func (r *Row) Shown() State {
	if r.Denied {
		return Failed
	}
	return r.State
}

// view copies what the table shows of a call.
func (s *Session) view(c *call) Row {
	says := s.http.remarkOf(c)
	r := Row{
		ID: c.id, Epoch: c.epoch, Wire: c.wire(), Latest: c.latest(), Rev: c.rev,
		Method: c.Method, Target: c.target, Follows: c.Watch, Origin: c.Origin,
		State: c.state, Denied: c.state == Done && c.task().deniesSuccess(), Note: says.text, Remedy: says.remedy(), AsksYou: s.incoming.hasOpenQuestion(c),
		ToolError: c.toolErr, FellBack: c.fellBack && c.state == Failed,
		Left:        c.state == Lost && (c.lacks == lackLeft || c.isLeft()),
		Unanswered:  c.lacks == lackUnanswered,
		NotFound:    c.Watch && c.state == Failed && c.task() == nil && c.err != nil && c.err.Code == mcp.CodeInvalidParams,
		WaitsOnly:   s.writer.lacksTaskCancel(c) || s.writer.lacksPickUpCancel(c),
		OutcomeOnly: s.writer.awaitsOutcomeOnly(c), TaskToCome: !c.state.IsTerminal() && s.conn.awaitsTask(c),
		UnnamedTask: c.hasUnnamedTask(), UnusableID: c.req.answer.unusableID, KeepsCancel: s.handles.keepsCancel(c),
		ReasonStays: c.isPickUp() || !c.state.IsTerminal() && s.writer.signalFor(c) != cancel.Notify,
		Created:     c.created, Sent: c.sent, Ended: c.ended, EndSeen: c.endSeen(), Progress: c.progress.view(),
		Paused: c.clocks.isStill() && c.state == Running,
		Login:  c.isWaitingFor(loginWait), AwaitsLoginToResume: c.state == Running && s.http.awaitsLoginToResume(c),
		Round: c.roundView(s.timers.At(c.due(dueWait))), Sub: s.subView(c), Task: s.taskView(c),
	}
	if c.Watch {
		r.Tool = s.toolOf(c)
	}
	if c.isStopWished() { // in the core it is what it was, until tasks/get is answered
		r.State, r.AwaitsLook, r.Unsent, r.Initiator = Cancelling, true, true, c.pickUp.by
	}
	if st := c.stop; st != nil {
		r.Initiator = st.By
		r.CancelRejected = c.state == Cancelling && st.IsRejected() || c.isTaskCancelMissed()
		r.Unsent = c.state == Cancelling && st.WrittenAt().IsZero() && !r.CancelRejected
		r.AwaitsID = r.Unsent && c.task() == nil && st.Signal == cancel.CancelTask
		r.AfterCount = st.Count().All
		if c.state == Cancelled {
			r.Verdict = st.Verdict()
		}
	}
	if c.state == Running {
		r.Deadline = c.nextLimit(&s.timers)
	}
	return r
}

// endSeen is when the end of a cancelled call was seen after its row had ended: the end of its
// task, or a late answer; zero: neither was.
func (c *call) endSeen() (at time.Time) {
	if c.state != Cancelled || c.stop == nil {
		return at
	}
	if at = c.stop.TaskEndAt(); at.IsZero() && c.late != nil {
		at = c.late.At
	}
	if !at.After(c.ended) {
		return time.Time{}
	}
	return at
}

func (c *call) roundView(again time.Time) RoundView {
	r := RoundView{Count: c.rounds.count}
	if ro := c.round(); ro != nil {
		r.Waits, r.Inputs, r.Open, r.RetryAt, r.AwaitsRetry, r.Relisting = true, len(ro.inputs), ro.open, again, ro.awaitsRetry, ro.relist
		r.HasState, r.StateSize, r.StateSum = ro.state != nil, len(ro.state), ro.sum
	}
	return r
}

// Row copies one row, and false when it is not kept.
func (s *Session) Row(id CallID) (Row, bool) {
	c := s.rows.get(id)
	if c == nil || c.about != nil {
		return Row{}, false
	}
	return s.view(c), true
}

// Span bounds the rows that are kept; there may be gaps, which [log.RowBefore] passes over
// at once. Both are zero when there is none.
func (l *log) Span() (first, last CallID) {
	for id := range l.rows.table.From(0) {
		return id, l.rows.table.Last()
	}
	return 0, 0
}

// RowBefore returns the ID of the latest row before id that is kept; zero: there is none. From
// behind the last row of [log.Span] on it leads to all of them, however many calls are left out between them.
func (l *log) RowBefore(id CallID) CallID {
	for id, c := range l.rows.table.Before(id) {
		if c.about == nil {
			return id
		}
	}
	return 0
}

// Changed appends the rows that changed after revision rev, the most recent
// change first, at most limit, and says which revision is the newest. More
// says that the limit cut the list.
func (s *Session) Changed(dst []Row, rev uint64, limit int) (rows []Row, newest uint64, more bool) {
	for c := s.rows.changed; c != nil && c.rev > rev; c = c.older {
		if limit == 0 {
			return dst, s.rows.rev, true
		}
		limit--
		dst = append(dst, s.view(c))
	}
	return dst, s.rows.rev, false
}

// InFlight appends the rows in flight, oldest first, at most limit.
func (s *Session) InFlight(dst []Row, limit int) []Row {
	for c := s.rows.oldest; c != nil && limit > 0; c = c.next {
		if c.about != nil {
			continue
		}
		dst = append(dst, s.view(c))
		limit--
	}
	return dst
}

// Detail copies all that is known of a call, and false when its row is not
// kept.
func (s *Session) Detail(id CallID) (Detail, bool) {
	c := s.rows.get(id)
	if c == nil || c.about != nil {
		return Detail{}, false
	}
	d := Detail{
		Row: s.view(c), Params: c.Params, Result: c.result, Cache: c.cache, Dropped: c.dropped, Hollow: c.hollow, Err: c.err,
		Late: c.lateAnswer(), Compared: c.compared, Idle: c.Idle, Max: c.Max, Rules: c.Rules, Declare: c.Declare, Undeclared: c.Undeclared, NoProgress: c.NoProgress,
	}
	if !c.sent.IsZero() && c.Origin != FromHandshake { // before it a revision may be agreed on still
		d.Revision = s.link.spoke[c.epoch]
	}
	d.Conformity, d.Schema = c.judged.view()
	if c.err != nil {
		d.ErrText, d.MissingCapabilities = c.errText, c.missingCapabilities
	}
	if c.sub != nil {
		d.Asked, d.Agreed = c.sub.asked, c.sub.agreed
	}
	if c.stop != nil {
		d.Reason, d.Evidence, d.Away = c.stop.Reason, c.stop.Evidence(), c.stop.IsStreamLost()
		if began, order := c.stop.TaskEnd(); order != cancel.NoEnd {
			d.TaskEndAfter, d.TaskEnd = c.stop.Lag(began), order
		}
		d.Accepted, d.Undelivered, d.Processes = c.stop.AcceptedAt(), c.stop.UndeliveredWords(), c.stop.Processes.View()
		d.Objected, d.Partial, d.Kept, d.Strayed, d.Talks = c.stop.HasObjection(), c.stop.IsPartial(), c.stop.IsAllKept(), c.stop.HasStrayed(), c.stop.HasTalked()
		d.EndedEarly, d.Disconnected = c.stop.HasEndedEarly(), c.stop.IsDisconnected()
		if !c.stop.WrittenAt().IsZero() {
			d.Withdrew, d.Withdrawn = c.stop.WithdrewAt()
		}
		d.After = c.stop.Count()
		d.AskedCrossing, d.MayHaveAsked = c.stop.QuestionCounts()
		d.DoubtfulWithdrawals = c.stop.DoubtfulWithdrawals()
	}
	if c.isStopWished() {
		d.Reason = c.pickUp.reason
	}
	d.Timeline, d.Skipped = c.line.view()
	return d, true
}

func (s *Session) subView(c *call) SubscriptionView {
	u := c.sub
	if u == nil {
		return SubscriptionView{}
	}
	v := SubscriptionView{Is: true, IsListen: u.listen, Active: u.active, ByServer: u.ended, Updates: u.updates, Last: u.last, Asked: u.asked.Count()}
	v.Agreed = v.Asked - u.asked.Without(u.agreed).Count()
	if c.isWaitingFor(pauseWait) {
		v.AgainAt = s.timers.At(c.due(dueWait))
	}
	v.Carried, v.Unreadable = u.resubscription.carried, u.unreadable
	v.StreamAway, v.Residual = s.http.isStreamAway(c), s.subs.residualOf(c)
	return v
}
