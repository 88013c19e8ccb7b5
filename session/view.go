package session

import (
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/witness"
)

// Direction is which way a message went.
type Direction uint8

// The directions of the wire.
const (
	Out   Direction = iota + 1 // from belay to the server
	In                         // from the server to belay
	Local                      // not on the wire: a note of belay's, a line of stderr
)

// MomentView is one line of a call's timeline.
type MomentView struct {
	At    time.Time
	Dir   Direction
	Kind  MomentKind
	Text  string // foreign text where the kind says so
	Count int    // of progress notifications that came together, when more than one; see also MomResumed
	Entry Seq    // the message in the history; 0 for local moments
	Value string // of progress after a cancel: its numbers and message; of progress that came together: the least numbers and, if more than the latest, the most

	Skipped int // moments before it that are left out for their number: of progress that came together each message

	Remedy Remedy // of a note: what can be done about it
}

// MomentKind is what happened at a moment.
type MomentKind uint8

// The kinds of moment.
const (
	MomCreated      MomentKind = iota + 1 // the user wanted it
	MomSent                               // the request's last byte was written
	MomRound                              // the server answered that it needs input; Text says what
	MomAgain                              // the request that followed was written; Text is its ID
	MomProgress                           // progress, Text is "3/10 message"
	MomLog                                // a log message while it ran
	MomQuestion                           // the server asked the user; Text is the method
	MomQuestionEnd                        // answered, declined, withdrawn …
	MomCancelWanted                       // x, timeout, rule …; Text is the reason
	MomCancelSent                         // the cancel's last byte was written
	MomClosing                            // belay closed the exchange, which is the cancel there; Text is the reason, which stays here
	MomHTTP                               // a head, an end or a GET of the HTTP side
	MomResumed                            // a GET for a stream on which nothing came the times before; Text is the pause before it, Count how many there were
	MomResult                             // the answer
	MomError                              // the answer, an error
	MomLate                               // the answer, after the cancel
	MomAfter                              // any other message for it after the cancel
	MomGrace                              // the grace ended; Text says why before its time, empty: it was over
	MomProbe                              // the probe left
	MomProbeAnswer                        // the probe was answered
	MomProbeLate                          // the probe was not answered in time
	MomAgreed                             // the server acknowledged the subscription; Text is what it agreed to, foreign text
	MomUpdate                             // the subscription brought something; Text says what, foreign text
	MomUnsubscribe                        // the last byte of resources/unsubscribe was written; Text is the reason, which stays here
	MomEnded                              // the server ended the subscription; Text says how, foreign text
	MomEnd                                // it ended otherwise; Text says how
	MomTaskCancel                         // the last byte of tasks/cancel was written; Text is the reason, which stays here
	MomTask                               // something was told of its task; Text says what
	MomNote                               // a diagnostic or a note
	MomWrong                              // the last byte of a wrong cancel was written, which names this call, on purpose; Text says what is wrong with it
)

// Status is what the header shows.
type Status struct {
	Phase     Phase
	Epoch     Epoch
	Transport mcp.Transport
	FirstID   int64           // of belay's requests, which count on from it
	SSE       bool            // over HTTP it is HTTP+SSE of 2024-11-05, with two endpoints; else Streamable HTTP
	Revision  mcp.Revision    // negotiated; empty before
	Found     negotiate.Found // how the revision was found, or is looked for while connecting

	// Undiscovered says that server/discover was not answered when the handshake was agreed on:
	// the server may speak a revision without one.
	Undiscovered bool

	// IdleKnownAt is from when on a call can be begun of which the CPU time that the server uses
	// after a cancel can be compared with what it uses idle; zero: that cannot be told yet.
	IdleKnownAt time.Time
	// Processes are those of the server that lived when it was looked at last.
	Processes witness.Census

	// Awaits is what a connection that is being made waits for, and AwaitsUntil how
	// long; zero: there is no such limit.
	Awaits      negotiate.Awaited
	AwaitsUntil time.Time

	// InVain says why nothing comes of initialize, where only server/discover may still
	// help. It has words of the server's.
	InVain string

	// NonJSON says, while a connection is being made, that the server's stdout is no
	// JSON-RPC, and quotes it; empty: it is, as far as is known. It has words of the server's.
	NonJSON string

	// StartAgain says that the server is to be started once more, or connected to,
	// when this connection has ended, unless the user leaves before that: begun with
	// what BeginsWith says, and nobody but the session asked for it.
	StartAgain bool
	BeginsWith negotiate.Opening

	// Renewed counts the sessions over HTTP that the server has ended, and in whose
	// place a new one was asked for.
	Renewed    int
	RenewedFor int // the HTTP status by which the latest of them was seen to have ended

	// Replaces says that this connection is to begin a session in the place of the latest of
	// them, or has begun it.
	Replaces bool

	Resubscribed int // subscriptions of the user's that went with the latest of them, and are begun again

	// SubsEnded counts the user's subscriptions of the modern era that ended
	// otherwise than with their connection or by a cancel; LastSub is the latest.
	SubsEnded int
	LastSub   CallID

	// ReasonStays says that a cancel carries no reason to the server: it is the
	// closing of an exchange (2026-07-28 over HTTP).
	ReasonStays bool

	// StartedAgain says that this connection is to a server that was started again, without
	// anybody's wish, and Starts how often it was started by then. StartsWords say for what,
	// with words of the system's. BegunWith is how a connection was begun for what the server has
	// shown earlier in the run.
	StartedAgain bool
	Starts       int
	StartsWords  string
	BegunWith    negotiate.Opening

	Server   mcp.ServerInfo
	Tasks    int // tasks that go on, as far as is known
	PolledOn int // of those, the ones that were cancelled and go on: their rows have ended, and belay asks on
	// KeptCancels are calls that were cancelled and have ended, and whose tasks had no IDs: tasks/cancel
	// is still to be sent when these come.
	KeptCancels int
	WaitsOnly   int // calls in flight that run as tasks and can only be waited for: the server declares no tasks.cancel
	// OutcomesOnly are calls in flight of which nothing is left to be cancelled: their tasks have
	// ended, or were cancelled in another row, and only the outcomes are waited for.
	OutcomesOnly int

	ReusedKeys int // how often tasks of this connection asked for something else under a key of before
	TaskList   TaskListView
	InFlight   int // calls in flight, of any origin, subscriptions aside
	Cancelling int // of those, the ones that are being cancelled already
	Handshake  int // of those, the requests of the opening, which must not be cancelled
	// OwnSubscriptions are the standing subscriptions of belay's own to tasks;
	// SubscribesToTasks reports whether belay asks for such subscriptions, beside its polls.
	OwnSubscriptions  int
	SubscribesToTasks bool
	// TasksUntold says why the server took no such subscription; empty: it was not asked, or did not
	// refuse. It may hold text of the server's.
	TasksUntold string

	// Subscriptions that stand, of any origin: they have no end by themselves, so
	// they are no work.
	Subscriptions  int
	UserCalls      int // calls of the user in flight: the work that quit asks about
	UserCancelling int // of those, the ones that are being cancelled already
	LackIDs        int // calls of the user whose tasks cannot be cancelled before their IDs have come
	PickUps        int // calls of the user that ask for a task by its ID, to follow it, and have no answer yet
	StopsPickUps   int // … and beside them those whose tasks are cancelled when the answer comes: these count as being cancelled
	Waiting        int // questions that wait
	Rows           int
	Diags          int // distinct diagnostics
	Failure        *Failure
	ReadyAt        time.Time
	Started        time.Time // of this epoch
	Received       uint64    // messages received, in all epochs
	Quitting       bool
	Ending         bool // the cancels are out, and the connection was asked to end
	LogLevel       string
	Logins         int           // over all connections: grows when what the server says may be for somebody else, with each login and logout
	RootsTold      bool          // this connection was told that belay has roots
	RoundTrip      time.Duration // the shortest of this epoch; 0 when there is none
	Bound          time.Duration // how long after a cancel a message may have been on its way; see [cancel.RoundTrips.Bound]
	ActiveReqs     int           // own requests that await an answer, probes included
	Unreachable    time.Time     // over HTTP: since when no exchange has reached the server; zero: the last one did
	Unreached      string        // why not
	OwnStream      OwnStream     // how the server is heard beside the exchanges of belay's requests
	Missed         int           // periodic pings in a row that were not answered in time

	Begun Begun // what a session that goes on from here is made with

	TurnedAway uint64   // requests to the user, in all epochs, that were refused before the user saw them
	LastAway   TurnAway // the last of those
}

// TurnAway is a request to the user that belay refused in the user's name.
type TurnAway struct {
	Method string
	Why    string // what the server was told; may hold text of the server's
}

// Failure says why a connection did not come about, or ended.
type Failure struct {
	Kind      FailureKind
	Text      string         // one sentence; may hold foreign text
	Hint      string         // what it may come from, or what to look at; may hold foreign text
	Remedy    Remedy         // what to do next
	Supported []mcp.Revision // what the server says it speaks, when it said so
	Code      int64          // of the error answer, when there was one
	Stderr    string         // the server's last lines there, when its process ended; foreign text
	Stdout    string         // what it wrote in the place of an answer to initialize, when that was no JSON-RPC; foreign text
}

// FailureKind tells the connection failures apart (VER-17; basic/lifecycle).
type FailureKind uint8

// The kinds of failure.
const (
	FailVersion   FailureKind = iota + 1 // no revision is agreed on: the server speaks others
	FailRefused                          // the opening was answered with an error, be the revision one that the server lists
	FailHandshake                        // a wrong or missing member in the answer
	FailTimeout                          // no answer to initialize
	FailProcess                          // the process ended, or could not be started
	FailClosed                           // belay or the user ended it
	FailLogin                            // the server wants a login, and there is none
	FailHTTP                             // no connection over HTTP, or one that cannot go on
)

// QuestionView is a copy of what is shown of a question.
type QuestionView struct {
	ID              QuestionID
	Wire            mcp.ID
	Method          string
	State           QuestionState
	Params          []byte // nil when there are none, or they are no longer kept
	Arrived         time.Time
	Ended           time.Time
	Reason          string   // the server's, when withdrawn; foreign text
	Candidates      []CallID // the calls it may belong to, at most MaxCandidates: the oldest in flight, then cancelled ones; the one it could only belong to, once it has ended
	Owners          int      // how many calls it may belong to in all, the cancelled ones among them
	CancelledOwners int      // … of which so many were cancelled, before it came or while it waited
	Orphaned        bool
	AfterCancel     bool   // it came for a task that was being cancelled, or had been: then it is orphaned as well
	OfCancelled     CallID // the call that asks it and was cancelled before it came: by its stream, its task, or as the only one that can; 0: none is known
	StreamOver      bool   // over HTTP: the exchange on which it came is over, where the server would take it back
	NotAccepted     string // why the server did not take the answer that the user gave last; empty: it did, or there was none
	Unsure          bool   // … or may have taken it: the answer left, and nothing came back

	Unsolicited bool // no request of belay's was in flight when it came (SMP-41)
	Turn        int  // sampling: counts those of its call, from 1; where it may belong to several, of the one with the most

	// Needed marks a URL elicitation that the error -32042 of a call lists, its only candidate.
	// Nothing is written for it: once the user has been there, the call can be made again (ELI-53;
	// client/elicitation).
	Needed bool

	// Round counts the rounds of the call that this is an input for, its only
	// candidate; 0: it is none. Key is what the server calls it, foreign text. An
	// input cannot be withdrawn by a message. Closed says in belay's words why what was
	// not answered ended with its call or its task; it is empty where the server took a
	// request back.
	Round     int
	Task      string // the ID of the task that it belongs to, foreign text; empty: it names none
	Nameless  bool   // … although none but calls that run as tasks can have asked it (TSK-27; basic/utilities/tasks)
	Key       string
	Closed    string
	Completed time.Time // the server said that what its URL led to is done; zero: it did not
}

// CheckCall says why no call can be made now: nil, or a [Refusal] that is
// [RefuseNotReady] or [RefuseQuitting]. While connecting, calls wait.
func (st *Status) CheckCall() error { return unconnected(st.Phase, st.Transport) }

// HasTasks reports whether the server runs calls as tasks, by what it declares for the
// revision.
func (st *Status) HasTasks() bool {
	has := st.Server.Has
	return has.Tasks && st.Revision == mcp.Rev20251125 || has.TaskExtension && st.Revision.IsModern()
}

// TakesTaskCalls reports whether a call of a tool may wish to run as a task: the revision is
// 2025-11-25, and the server declares it.
func (st *Status) TakesTaskCalls() bool {
	return st.Revision == mcp.Rev20251125 && st.Server.Has.TaskCalls
}

// CheckSubscribe says why there is no subscription to what a filter names: nil,
// or a [Refusal] that is [RefuseNotReady], [RefuseUnsupported] where the revision has none
// of its kind, [RefuseUndeclared], or [RefuseParams].
func (st *Status) CheckSubscribe(f mcp.Filter) error {
	if err := st.CheckCall(); err != nil {
		return err
	}
	switch lists := f.Tools || f.Prompts || f.Resources; {
	case st.Phase != Ready:
		return refuse(RefuseNotReady, "not connected yet")
	case lists && !st.Revision.IsModern():
		return refuse(RefuseUnsupported, "in %s changes of lists come by themselves", st.Revision)
	case len(f.URIs) > 0 && !st.Server.Has.Subscribe:
		return refuse(RefuseUndeclared, "the server does not declare resources.subscribe")
	case len(f.URIs) > 1 && !st.Revision.IsModern():
		return refuse(RefuseParams, "in %s each resource has a subscription of its own", st.Revision)
	case !lists && len(f.URIs) == 0:
		return refuse(RefuseParams, "there is nothing to subscribe to")
	}
	return nil
}
