package audit

import (
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/witness"
)

// Situation is what is done to calls of the tool.
type Situation uint8

// The situations, in the order of the table.
const (
	LeftAlone Situation = iota + 1
	AtOnce
	Early
	Midway
	NearEnd
	ByTimeout
	OneOfSeveral
	Crowd
	Asking
	AsTask
	Twice
	UnknownID
	OtherType
	Malformed
	AfterEnd
	Afterwards
	ConnectionEnds
	numSituations
)

var situationWords = [numSituations]string{
	LeftAlone: "left alone", AtOnce: "cancelled at once", Early: "cancelled early", Midway: "cancelled midway", NearEnd: "cancelled near its end",
	ByTimeout: "cancelled by timeout", OneOfSeveral: "one of several cancelled", Crowd: "many cancelled at once", Asking: "cancelled while it asks", AsTask: "cancelled as a task", Twice: "cancelled twice",
	UnknownID: "cancel of an unknown ID", OtherType: "cancel of an ID of another type", Malformed: "malformed cancel", AfterEnd: "cancelled after its end",
	Afterwards: "after all cancels", ConnectionEnds: "the connection ends",
}

var situationNames = [numSituations]string{
	LeftAlone: "alone", AtOnce: "at-once", Early: "early", Midway: "midway", NearEnd: "near-end", ByTimeout: "timeout",
	OneOfSeveral: "one-of-several", Crowd: "crowd", Asking: "asking", AsTask: "task",
	Twice: "twice", UnknownID: "unknown-id", OtherType: "other-type", Malformed: "malformed", AfterEnd: "after-end",
	Afterwards: "afterwards", ConnectionEnds: "connection-ends",
}

func (s Situation) String() string {
	if s < numSituations {
		return situationWords[s]
	}
	return ""
}

// IsWrong reports whether the cancel of the situation breaks the rules, on purpose.
func (s Situation) IsWrong() bool { return s >= Twice && s <= AfterEnd }

// Answer is how a call was answered.
type Answer uint8

// The answers.
const (
	NoAnswer Answer = iota
	Result
	ToolError // a result with isError
	Failure   // an error of JSON-RPC or HTTP, or a malformed answer
	Broken    // it ended without an answer that counts: its exchange broke, or was answered by a status only
)

// Call is what was seen of one call of the tool.
type Call struct {
	Ran   time.Duration // from its request to the cancel; of one that was not cancelled, to its end
	Begun bool          // the server had read the request by the cancel, or by its answer: there was progress, or it ended the exchange
	Sent  bool          // the cancel was sent: the call had not ended before

	Answer     Answer
	Said       string        // the text of an error, or how it broke; foreign text
	After      time.Duration // the answer began this long after the cancel
	Crossed    bool          // it may have been on its way when the cancel was sent
	Unread     bool          // the server was not known to have read the cancel when the answer began: see ReadWithin
	ReadWithin time.Duration // over HTTP the server had accepted the cancel so long after it, and on stdio answered the request right behind it; 0: it had not
	Digest     string        // of the result

	Blind bool          // the cancel was the closing of its exchange: nothing more could come
	Deaf  string        // why what came after the cancel could not be heard; empty: it could
	Read  bool          // the server has read the cancel
	Heard time.Duration // for how long after the cancel belay listened
	Bound time.Duration // how long after the cancel a message may have been on its way

	Starved time.Duration // of one that was not cancelled: for so long after it was made its request was not known to be written

	Late    time.Duration // how much later than it was due the cancel was written
	Stopped time.Duration // for so long belay did not run since the request: no other time of the call counts that

	Messages int           // for the call, after the cancel and the bound; answers aside
	Last     time.Duration // of them, since the cancel
	OnWay    int           // within the bound of their time: they may have been on their way

	OnWayUntil time.Duration // since the cancel, the last one of these

	Processes *Processes // nil: nothing was seen of them

	Question  *Question // that was open when the call was cancelled; nil: none was
	Task      *Task     // that the call ran as, and that was cancelled by tasks/cancel; nil: it was not
	RanAsTask bool      // … whether it was cancelled or not
}

// Question is what the server asked of the user for a call.
type Question struct {
	Method    string
	Withdrawn bool
	After     time.Duration // … so long after the cancel; of one that was not, for how long belay waited for that
	Ended     bool          // it had ended otherwise before the cancel was sent
}

// Task is what became of a task after its cancel.
type Task struct {
	Fate      Fate
	Answer    bool   // tasks/cancel was answered, be it by an error
	Why       string // what was seen of tasks/cancel where it was not acknowledged; may hold foreign text
	GoesOn    bool   // … and the task was at work when it had been refused
	Malformed string // the fault of the answer to tasks/cancel, which acknowledges nothing; may hold foreign text; empty: there is none
	Later     string // its status when it would long have ended, in the server's word; foreign text; empty: it was not told
	Asked     bool   // … for which the server was asked
	Silent    bool   // … and did not answer
	Lapsed    string // why that brought no status, by the answer; foreign text
}

// Fate is what was seen of a task first, after its cancel.
type Fate uint8

// The fates.
const (
	FateUnknown Fate = iota // the server acknowledged the cancel, and the task was not seen again
	FateCancelled
	FateCompleted
	FateFailed
	FateWorking
	FateRefused    // tasks/cancel was answered with an error
	FateUnanswered // it was not answered
)

// Processes are what the server's processes did around a cancel.
type Processes struct {
	Finding   witness.Finding
	Began     []Process     // during the call
	CPUBefore time.Duration // used from before the call to the cancel
	CPUAfter  time.Duration // used since the first look after that
	Looked    time.Duration // which came so long after the cancel
	Window    time.Duration // from then on
	Busy      time.Duration // until when after the cancel it was used as for work; 0: it was not seen to be

	// InPlace says that no more processes lived in the end than before the call: each that began took
	// the place of another.
	InPlace bool

	// Processors is how many processors the server may use, and Idle for how long they were idle
	// in the window, all together. Without processors neither is known.
	Processors int
	Idle       time.Duration
}

// Process is one that began during a call.
type Process struct {
	Name  string // foreign text
	PID   int
	Lives bool
	Began time.Duration // since the cancel; negative: before it
	Ended time.Duration // … likewise
}

// Kept is a process that a server keeps without any cancel.
type Kept struct {
	Name   string // foreign text
	InCall bool   // it began in a call, or between two, and not before
}

// Trial is one try of a situation.
type Trial struct {
	Situation Situation
	Cancelled []Call
	Others    []Call // in flight beside those, and not cancelled
	Control   *Call  // left alone afterwards, as one of the others ended otherwise than such calls do; nil: it was not made

	Skipped string // why it was not tried; empty: it was
	Alive   Alive  // whether the server answered what was asked afterwards
	Lost    string // how the connection ended, by itself; foreign text; empty: it did not
	Failed  string // how belay itself failed or began the server again meanwhile, so that nothing of it counts; may hold foreign text; empty: it did not
}

// cancels reports whether a cancel was sent, a right or a wrong one. Of a wrong one that was not there is
// nothing else to tell.
func (t *Trial) cancels() bool {
	return t.Situation.IsWrong() && (len(t.Others) > 0 || t.Alive != NotAsked || t.Lost != "") || slices.ContainsFunc(t.Cancelled, func(c Call) bool { return c.Sent || c.Task != nil })
}

// follows reports whether what is claimed in a situation is so, in the trial of a number, after a cancel that was
// sent: in that trial, or before it, where it is about all cancels.
func (o *Observed) follows(s Situation, i int) bool {
	return o.Trials[i].cancels() || s == Afterwards && slices.ContainsFunc(o.Trials[:i], func(t Trial) bool { return t.cancels() })
}

// Alive is whether a server answers.
type Alive uint8

// Whether a server answers.
const (
	NotAsked Alive = iota
	Answers
	Silent
)

// Rest is what the server's processes used while nothing was in flight.
type Rest struct {
	Cancels       int // that were sent before, on this connection
	Processes     int
	Connections   int
	Files         int
	Counted       bool   // files and connections were counted, …
	NoFiles       bool   // … but the files not of all processes
	NoConnections bool   // … nor the connections
	Capped        bool   // there are more processes: the figures are those of [witness.MostProcesses]
	Memory        uint64 // 0: it is not known of all of them
}

// Ending is how a server ended when belay closed the connection with a call in flight.
type Ending struct {
	Took   time.Duration // since its input was closed
	Forced string        // what ended it, if it did not end by itself; empty: it did

	Before  bool // it had ended before its input was closed
	Hurried bool // it was killed before its time was over, as somebody wanted that

	Stopped time.Duration // for so long belay did not run meanwhile
}

// Observed is all that an audit has seen.
type Observed struct {
	Server    string // its name and version; foreign text
	Tool      string // foreign text
	Transport mcp.Transport
	Revision  mcp.Revision

	Took     time.Duration // that the tool takes when it is left alone; 0: it was not seen to end
	Alone    []Call
	Together []Call // calls at once that were left alone as well
	Pair     []Call // two at once, likewise, where not all of those ended with a result

	// Kept are the processes, besides the server's own, that lived on when calls that were left alone had
	// long ended. Nil: what lived then was not seen.
	Kept   []Kept
	Trials []Trial
	Rests  []Rest
	// Unprovoked are such figures of the calls that were left alone; their Cancels are calls.
	Unprovoked []Rest
	Ending     *Ending // nil: it was not seen

	Notes []string // what is to be said besides the checks; may hold foreign text

	Unable  string // why nothing could be tried on the tool; may hold foreign text; empty: it could
	Stopped string // why the audit ended before its end; may hold foreign text; empty: it did not
	ByUser  bool   // … which was that the user stopped it

	GoesOn []string // what may go on at the server since the connections were closed, as tasks; may hold foreign text
}

// Hide takes out of all foreign text what hide replaces: the secrets that a server repeats.
func (o *Observed) Hide(hide func(string) string) {
	call := func(c *Call) {
		c.Said, c.Deaf = hide(c.Said), hide(c.Deaf)
		if t := c.Task; t != nil {
			t.Why, t.Malformed, t.Later, t.Lapsed = hide(t.Why), hide(t.Malformed), hide(t.Later), hide(t.Lapsed)
		}
		if c.Processes != nil {
			for i := range c.Processes.Began {
				c.Processes.Began[i].Name = hide(c.Processes.Began[i].Name)
			}
		}
	}
	calls := func(all []Call) {
		for i := range all {
			call(&all[i])
		}
	}
	o.Server, o.Tool, o.Unable, o.Stopped = hide(o.Server), hide(o.Tool), hide(o.Unable), hide(o.Stopped)
	for i := range o.Notes {
		o.Notes[i] = hide(o.Notes[i])
	}
	for i := range o.GoesOn {
		o.GoesOn[i] = hide(o.GoesOn[i])
	}
	for i := range o.Kept {
		o.Kept[i].Name = hide(o.Kept[i].Name)
	}
	calls(o.Alone)
	calls(o.Together)
	calls(o.Pair)
	for i := range o.Trials {
		t := &o.Trials[i]
		t.Skipped, t.Lost, t.Failed = hide(t.Skipped), hide(t.Lost), hide(t.Failed)
		calls(t.Cancelled)
		calls(t.Others)
		if t.Control != nil {
			call(t.Control)
		}
	}
}

// isModern reports whether the revision has no handshake.
func (o *Observed) isModern() bool { return o.Revision.IsModern() }

// isHTTP reports whether the server is reached over HTTP, where its processes are not seen.
func (o *Observed) isHTTP() bool { return o.Transport == mcp.HTTP }

// Closes reports whether a cancel is the closing of an exchange, after which nothing is seen.
func (o *Observed) Closes() bool { return o.isHTTP() && o.isModern() }

// LongEnough is how long the tool has to take for a cancel to come in the middle of it.
const LongEnough = time.Second

// delay is by how much belay was kept from running in the time of a call: a server on the same machine
// may have been kept as long from reading the cancel. What happens on any machine is 0.
func (c *Call) delay() time.Duration {
	if d := max(c.Late, c.Stopped); d >= LongEnough/10 {
		return d
	}
	return 0
}

// slack is how long after a cancel a server may take to stop what would have gone on for rest.
func (c *Call) slack(rest time.Duration) time.Duration {
	return max(c.Bound, min(time.Second, rest/4))
}
