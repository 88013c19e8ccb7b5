package cancel

import (
	"slices"
	"time"

	"belay/session/mcp"
)

// Answer is the answer to a cancelled call.
type Answer struct {
	At    time.Time     // when its end came
	Began time.Time     // when its first byte came
	Bound time.Duration // [RoundTrips.Bound] at that time

	Stopped time.Duration // since the cancel's last byte, in which belay did not run; these times do not count it

	Err     *mcp.RPCError // a JSON-RPC error; nil: it is none
	Failed  bool          // a result with isError
	Texts   []string      // … the first of its texts that are not blank, perhaps cut; of an error: its data, where that is a text
	Whole   bool          // nothing stands beside these, and beside the message of an error
	Tool    string        // the name of the tool that was called; foreign text
	Invalid string        // a result that is none that belay takes: why; may hold foreign text
	Handle  string        // a result that is the handle of a task that had ended by then: the status of that
	Asks    string        // a result that asks for input: for what, in words; empty: it does not
	Notice  string        // of a subscription: the server ended it by notifications/cancelled, in words; empty: it did not

	Before   bool // it was told before the cancel was written: where both have one time, that order counts
	ToCancel bool // over HTTP: it came in the answer to the POST of the cancel, which the server had therefore read

	after      bool          // it began after the cancel's last byte, …
	late       time.Duration // … so much later
	held       bool          // it came while the cancel was with the writer, and waited for its verdict
	unaccepted bool          // the server had not answered the POST of the cancel yet
	Odd        bool          // malformed: neither a result nor an error, or both of them …
	Both       bool          // … as this one is
	Large      int           // in bytes, over the limit: only whether it was an error is known, and that is Failed
	Status     string        // an HTTP error, with its status in words; empty: none
}

// isError reports whether the answer is no success.
func (w *Answer) isError() bool { return w.Err != nil || w.Failed || w.Odd || w.Status != "" }

// mayBeOnItsWay reports whether the answer may have been on its way when the server
// read the cancel. An answer that came in the response to the POST of the cancel, and began after it, was not.
func (w *Answer) mayBeOnItsWay() bool {
	return !isLate(w.late, w.Bound) && !(w.ToCancel && w.after)
}

// claimsCancelled reports whether the server says that the call was cancelled, also with the reason of
// the cancel behind it: by the code that means that, whatever else the error holds; or by its texts,
// each of which has to say that, with nothing beside them. These are the message of an error, with its
// data, where that is a text, and the texts of a result. Other data, of an error or of a result, may
// tell what was done before the end: then the answer says more than that the call was cancelled.
func (w *Answer) claimsCancelled(reason string) bool {
	says := func(text string) bool { return IsCancelledText(withoutReason(text, reason), w.Tool) }
	other := func(text string) bool { return !says(text) }
	switch {
	case w.Err != nil && w.Err.Code == codeRequestCancelled:
		return true
	case !w.Whole || slices.ContainsFunc(w.Texts, other):
		return false
	case w.Err != nil:
		return says(w.Err.Message)
	}
	return w.Failed && len(w.Texts) > 0
}

// Answered notes the answer. A second one is no answer and changes nothing.
func (a *Attempt) Answered(w Answer) {
	if a.HasAnswer() {
		return
	}
	w.after, w.late = a.IsAfter(w.Began) && !w.Before, a.Lag(w.Began)
	w.Bound, w.held = w.Bound+a.waited, a.IsWriteOpen()
	w.unaccepted = a.AwaitsAcceptance() || a.Posts && a.acceptedAt.After(w.Began)
	a.EndCount()
	a.answer = w
}

// HasAnswer reports whether the call was answered after the cancel was handed out.
func (a *Attempt) HasAnswer() bool { return !a.answer.At.IsZero() }

// HasError reports whether the answer is no success: of a subscription, that the
// server refused to end it.
func (a *Attempt) HasError() bool { return a.answer.isError() }

// Lateness is how long after the cancel's last byte the answer began; zero for an answer that
// began before that byte was written, or where no byte was. Crossed reports whether the answer may have been on its
// way when the server read the cancel, whatever the verdict is. An answer that came after the
// cancel and says that the call was cancelled was not: it tells of the cancel. Unaccepted reports
// whether the cancel is a POST that the server had not accepted when the answer began.
func (a *Attempt) Lateness() (late time.Duration, crossed, unaccepted bool) {
	w := &a.answer
	if late = w.late; a.writtenAt.IsZero() { // the server may have refused it unread
		late = 0
	}
	return late, a.HasAnswer() && w.mayBeOnItsWay() && !(w.after && w.claimsCancelled(a.Reason)), w.unaccepted
}

// Forget drops what is large in the answer; n grows by the bytes dropped. Copies
// of the answer elsewhere keep theirs.
func (a *Attempt) Forget(n *int) { a.answer.Err = a.answer.Err.Forget(n) }
