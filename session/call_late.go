package session

import (
	"time"

	"belay/session/mcp"
)

// LateAnswer is an answer that came after the cancel. It is shown, marked ignored, and never an
// outcome (CXL-23; basic/utilities/cancellation).
type LateAnswer struct {
	At         time.Time
	After      time.Duration // since the cancel's last byte
	began      time.Time     // of the outcome of a task: that the task had ended was told before, see [Detail.TaskEndAfter]
	Crossed    bool          // it may have been on its way when the server read the cancel
	Unaccepted bool          // over HTTP: the server had not accepted the POST of the cancel when it began
	Status     int           // of an HTTP error that was the answer; 0: a message was
	Result     []byte
	Err        *mcp.RPCError
	ToolError  bool
	Malformed  bool // neither a result nor an error, or both, or a result that is none that belay takes
	// SaysCancelled says of a result without isError that its whole text says that the call was cancelled.
	SaysCancelled bool
	Asks          bool // a result that asks for input: the call is not finished by that
	Handle        bool // a result that is the handle of a task, which had ended by then
	// Outcome is that of such a task, where a poll behind the handle has brought it; nil: none has.
	Outcome *LateAnswer
}

// awaitsOutcome reports whether it is the handle of a task whose outcome has not come.
func (l *LateAnswer) awaitsOutcome() bool { return l.Handle && l.Outcome == nil }

// forget takes the bytes of an answer away, and counts them.
func (l *LateAnswer) forget(n *int) *LateAnswer {
	if l == nil {
		return nil
	}
	left := *l
	*n += len(left.Result)
	left.Result, left.Err = nil, left.Err.Forget(n)
	left.Outcome = left.Outcome.forget(n)
	return &left
}

// Shown is what is shown as the value of the answer: the outcome, where it is the handle of a task.
func (l *LateAnswer) Shown() *LateAnswer {
	if l.Outcome != nil {
		return l.Outcome
	}
	return l
}
