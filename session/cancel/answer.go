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
	Texts   []string      // of a result: the first of its texts that are not blank, perhaps cut; of an error: its data, where that is a text
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
	switch {
	case w.Err != nil && w.Err.Code == codeRequestCancelled:
		return true
	case w.Err != nil:
		return w.textsSayCancelled(reason) && IsCancelledText(withoutReason(w.Err.Message, reason), w.Tool)
	}
	return w.Failed && len(w.Texts) > 0 && w.textsSayCancelled(reason)
}

// textsSayCancelled reports whether each of its texts says that the call was cancelled, and nothing stands beside them.
func (w *Answer) textsSayCancelled(reason string) bool {
	return w.Whole && !slices.ContainsFunc(w.Texts, func(text string) bool { return !IsCancelledText(withoutReason(text, reason), w.Tool) })
}

// isWordedAsCancelled reports whether it is a result without isError, whose texts say that the call was cancelled,
// with nothing beside them: it counts as a result, as the server does not say that the call has failed.
func (w *Answer) isWordedAsCancelled(reason string) bool {
	return !w.isError() && len(w.Texts) > 0 && w.textsSayCancelled(reason)
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

// Lateness is what an answer is in the light of the cancel, whatever the verdict is.
type Lateness struct {
	// After is how long after the cancel's last byte the answer began; zero where it began before that byte was
	// written, or where no byte was.
	After time.Duration
	// Crossed says that the answer may have been on its way when the server read the cancel. One that came after the
	// cancel and says that the call was cancelled was not: it tells of the cancel.
	Crossed bool
	// Unaccepted says that the cancel is a POST that the server had not accepted when the answer began.
	Unaccepted bool
	// SaysCancelled says that the answer is a result without isError whose whole text says that the call was cancelled.
	SaysCancelled bool
}

// Lateness returns what the answer is in the light of the cancel; of none its zero value.
func (a *Attempt) Lateness() Lateness {
	if !a.HasAnswer() {
		return Lateness{}
	}
	w := &a.answer
	l := Lateness{After: w.late, Unaccepted: w.unaccepted, SaysCancelled: w.isWordedAsCancelled(a.Reason)}
	if a.writtenAt.IsZero() { // the server may have refused it unread
		l.After = 0
	}
	l.Crossed = w.mayBeOnItsWay() && !(w.after && w.claimsCancelled(a.Reason))
	return l
}

// Forget drops what is large in the answer; n grows by the bytes dropped. Copies
// of the answer elsewhere keep theirs.
func (a *Attempt) Forget(n *int) { a.answer.Err = a.answer.Err.Forget(n) }
