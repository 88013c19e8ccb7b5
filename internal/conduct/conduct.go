package conduct

import (
	"encoding/json"
	"time"
)

// Way is how messages travel, and in which revision.
type Way string

// The ways.
const (
	Stdio       Way = "stdio"             // 2025-11-25
	StdioModern Way = "stdio, 2026-07-28" //
	SSE         Way = "http"              // 2025-11-25, the call answered on a stream
	JSON        Way = "http, json"        // 2025-11-25, the call answered by a body of JSON
	HTTPModern  Way = "http, 2026-07-28"  //
)

// Revision is the one that is spoken.
func (w Way) Revision() string {
	if w == StdioModern || w == HTTPModern {
		return "2026-07-28"
	}
	return "2025-11-25"
}

// IsHTTP reports whether the server is reached over HTTP.
func (w Way) IsHTTP() bool { return w == SSE || w == JSON || w == HTTPModern }

// A Conduct is the behaviour of a server towards one cancelled call, and the
// verdict that a client must give.
type Conduct struct {
	Name string
	Ways []Way         // on which it is played
	Lag  time.Duration // of the bridge, each way

	Start time.Duration // how long a process takes until it reads
	Grace time.Duration // in a fake clock; 0: the usual one
	Real  time.Duration // the grace behind the built program; 0: a short one

	NoProbe bool // the client may not ask at the end of the grace
	Narrow  bool // the server's stdin has room for one message that is not read
	Process bool // it takes a real process: it cannot be played in a fake clock
	Fake    bool // it takes a view of the core, or long: it is played in a fake clock only
	Heavy   bool // it moves megabytes: it is played less often
	Ends    bool // the server answers nothing more afterwards
	Alone   bool // no other call is made afterwards: its answer would be evidence

	// Misreads are the calls that a cancel of an ID is taken for, of those in flight, oldest
	// first; nil: the one that has the ID.
	Misreads func(told json.RawMessage, calls []json.RawMessage) []json.RawMessage

	Web  func(*Web) // over HTTP: what is different before the client comes; nil: nothing
	Play func(*Scene)
	Want Want
}

// The words of the verdicts (docs/verdicts.md).
const (
	NotDelivered  = "not delivered"
	ServerDied    = "server died"
	SaysCancelled = "says cancelled"
	Crossed       = "crossed"
	AnsweredError = "answered with error"
	AnsweredLate  = "answered late"
	StreamClosed  = "stream closed"
	StillWorking  = "still working"
	Unresponsive  = "server unresponsive"
	Quiet         = "quiet"
	NothingHeard  = "nothing heard"
)

// EndNotSeen is what a view of the core says where an unfinished message is told
// of in the moment in which its end came.
const EndNotSeen = `unfinished, in the moment of its end`

// Done is the word for a call whose answer came before its cancel left: there
// is no verdict then.
const Done = "done"

// Want is what is true of a conduct.
type Want struct {
	Verdict []string // any of these

	// Crossing says that the answer is meant to be one. Where the peer was too
	// slow for that, by its stamps, a verdict for a late answer is true as well.
	Crossing bool

	// Near says that the answer comes soon after the cancel could be read: real
	// processes may take longer than they should, and then it is late.
	Near bool

	// OnItsWay says that the last message before an answer is meant to be written
	// before the cancel can be read. Where it was not, there was work after it.
	OnItsWay bool

	// Regular expressions: what the evidence has, and neither it nor the timeline;
	// what the timeline has on a screen; and what the core says anywhere, in
	// diagnostics and moments, where it is asked.
	Has, Lacks, Drawn, Core []string
}

// Grace is how long an answer is awaited: in a fake clock as long as usual.
const (
	Grace      = 5 * time.Second
	ShortGrace = time.Second

	// RoomyGrace is the grace of a conduct that says something late and before its end. LongGrace
	// is the grace of a conduct that answers: its call ends with the answer, so that no test waits
	// for the end of the grace, and no machine is so slow that the answer comes after it.
	RoomyGrace = 6 * time.Second
	LongGrace  = 30 * time.Second
)

// FakeGrace is the grace with which a conduct is played in a fake clock.
func (c Conduct) FakeGrace() time.Duration {
	if c.Grace > 0 {
		return c.Grace
	}
	return Grace
}

// RealGrace is the grace with which a conduct is played behind the built program.
func (c Conduct) RealGrace() time.Duration {
	if c.Real > 0 {
		return c.Real
	}
	return ShortGrace
}

// Undelivered is how long a cancel may wait to be written.
const Undelivered = 5 * time.Second
