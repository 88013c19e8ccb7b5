package session

// CallID names a row: a thing that the user, or belay itself, wants from the
// server. It counts from 1 and outlives the connection. A call owns one or more
// requests, each with a wire ID of its own.
type CallID int

// QuestionID names something that the server asks of the user. It counts from 1.
type QuestionID int

// Epoch counts the connections of a session, from 1. What still arrives from a
// closed one is shown but touches nothing.
type Epoch uint32

// ExchangeID says on which stream a message travels. On stdio there is only one
// a connection, so N is zero.
type ExchangeID struct {
	Epoch Epoch  `json:"epoch"`
	N     uint64 `json:"stream,omitempty"`
}

// State is the state of a call. The first terminal state wins: see [Row.Shown].
type State uint8

// The states of a call (CXL-29; docs/verdicts.md).
const (
	Queued     State = iota + 1 // its bytes are still inside the core
	Running                     // its bytes were handed out, no answer yet
	Cancelling                  // asked to stop, the outcome is not known yet
	Done                        // terminal: a result
	Failed                      // terminal: an error, a tool error or a malformed answer
	Cancelled                   // terminal: belay cancelled it; the verdict says what the server did
	Dropped                     // terminal: stopped before its bytes were handed out; nothing was sent
	Lost                        // terminal: the connection ended first
)

var stateWords = [...]string{
	Queued: "queued", Running: "running", Cancelling: "cancelling…", Done: "done",
	Failed: "failed", Cancelled: "cancelled", Dropped: "dropped", Lost: "lost",
}

// String is the word that the STATE column shows.
func (s State) String() string {
	if int(s) < len(stateWords) {
		return stateWords[s]
	}
	return ""
}

// IsTerminal reports whether the state is final.
func (s State) IsTerminal() bool { return s >= Done }

// nextStates is every edge that exists; all others are bugs (CXL-29).
var nextStates = map[State][]State{
	0:          {Queued},
	Queued:     {Running, Dropped},
	Running:    {Done, Failed, Cancelling, Lost, Dropped}, // dropped: over HTTP, before its body was begun
	Cancelling: {Cancelled, Done, Failed},
}

// Origin is who made a call.
type Origin uint8

// The origins of a call.
const (
	FromUser      Origin = iota + 1
	FromHandshake        // initialize, and the server/discover that a connection begins with
	FromBelay            // what belay asks by itself: lists, completions, subscriptions of its own
	FromTask             // a request about a task, which has no row of its own
)

// QuestionState is the state of a server's request to the user.
type QuestionState uint8

// The states of a question. Withdrawn and QuestionLost write nothing.
const (
	Waiting QuestionState = iota + 1
	Answered
	Declined
	Dismissed
	Withdrawn
	QuestionLost
)

var questionWords = [...]string{
	Waiting: "waiting", Answered: "answered", Declined: "declined", Dismissed: "dismissed",
	Withdrawn: "withdrawn", QuestionLost: "lost",
}

func (s QuestionState) String() string {
	if int(s) < len(questionWords) {
		return questionWords[s]
	}
	return ""
}

// Phase is where a connection stands.
type Phase uint8

// The phases of a connection.
const (
	Disconnected Phase = iota
	Connecting         // server/discover or initialize is out, or waits to be written
	Ready              // the revision is agreed on: calls may leave
	Closing            // the last cancels are being written, then the connection ends
)

var phaseWords = [...]string{
	Disconnected: "disconnected", Connecting: "connecting…", Ready: "ready", Closing: "closing…",
}

func (p Phase) String() string {
	if int(p) < len(phaseWords) {
		return phaseWords[p]
	}
	return ""
}
