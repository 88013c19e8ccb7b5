package session

import (
	"fmt"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// What comes for a call elsewhere than on its own exchange. It answers no call, as
// an exchange brings the answer to its own request only. But belay must not say of
// a cancelled call that nothing came: for that, it is evidence wherever it came.

// takeAnswerElsewhere tells of an answer that came on the exchange of another request,
// and reports whether it is evidence of a cancelled call, or the answer to a ping of
// belay's own: wherever that comes, the server has read what was written before the ping.
func (xs *exchanges) takeAnswerElsewhere(e *exchange, f *mcp.Frame) (evidence bool) {
	r := xs.outgoing.named(f.ID)
	words := f.ID.String() + "; it is ignored"
	switch {
	case r.call.isCancelHandedOut():
		evidence, words = true, f.ID.String()+"; its call was cancelled"
	case r.probe && xs.outgoing.open[f.ID] == r:
		evidence, words = true, f.ID.String()+"; it is belay's own"
	default:
		xs.outgoing.ignore(f, xs.now, xs.began)
		if e.role == roleRequest && e.owner().isStopped() {
			xs.stray(cancel.Stray{What: "an answer to another request", Detail: sentence.Clip(f.ID.String())}, nil)
		}
	}
	switch {
	case e.role == roleServerStream:
		xs.diagnose(mcp.DiagServerStreamAnswer, 0, f.ID.String(), words)
	case e.p == nil || e.p.req != nil: // else it is told as a body where there should be none
		xs.diagnose(mcp.DiagWrongStream, callOf(e), f.ID.String(), words)
	}
	return evidence
}

// diagnoseBody tells of a message, or of something else, in the answer to a
// notification or an answer of belay's that was accepted.
func (xs *exchanges) diagnoseBody(e *exchange, what string) {
	if e == nil || e.p == nil || e.p.req != nil || !e.opened || !e.head.isSuccess() || xs.variant != streamable {
		return
	}
	var id CallID
	if e.p.cancels != nil {
		id = e.p.cancels.id
	}
	xs.diagnose(mcp.DiagAcceptBody, id, e.p.method, fmt.Sprintf("HTTP %d to %s, with %s", e.head.Status, sentence.Name(e.p.method), what))
}

// asksAfterCancel takes a request of the server's as evidence of the cancelled call to
// which it belongs: the call of the task that it names or of its stream, whatever it asks, or
// else, if it asks the user, the only call in question. The timeline of that call has a question
// to the user once, also where it was on its way when the cancel left. It returns the call that has
// the user asked; late is that the request cannot have been on its way.
func (xs *exchanges) asksAfterCancel(method string, of *runningTask) (asker *call, late bool) {
	c := xs.via.owner()
	if of != nil {
		c = of.row
	}
	if c == nil && mcp.AsksUser(method) {
		c = xs.after.soleAsker()
	}
	if !c.isStopped() {
		return nil, false
	}
	crosses := mcp.AsksUser(method) && c.stop.IsWriteOpen() // and is told as such, once
	if crosses || !xs.after.takeAfterCancel(c, sentence.Name(method)) {
		if mcp.AsksUser(method) {
			xs.hist.setCall(c.id)
			xs.rows.noteStray(c, xs.now, xs.began, crossing(method), xs.hist.cur)
			xs.moment(c, MomentView{Dir: In, Kind: MomQuestion, Text: sentence.Clip(method), Entry: xs.hist.cur})
			return c, false
		}
		return nil, false
	}
	xs.hist.setCall(c.id)
	xs.moment(c, MomentView{Dir: In, Kind: MomAfter, Text: sentence.Clip(method), Entry: xs.hist.cur})
	if !mcp.AsksUser(method) {
		return nil, false
	}
	return c, c.stop.IsLate(xs.began, xs.conn.trips.Bound())
}

// takeErrorAboutCancel takes an error in the answer to a cancel that is about the cancel
// itself, as it names no request of ours, and reports whether it is one.
func (xs *exchanges) takeErrorAboutCancel(f *mcp.Frame) bool {
	e := xs.via
	if e == nil || e.role != roleCancel || f.Kind != mcp.FrameError || xs.outgoing.named(f.ID) != nil {
		return false
	}
	c := e.p.cancels
	xs.hist.setCall(c.id)
	if e.p != c.stop.out { // it was posted once more
		return true
	}
	words := f.Error.CodeWords() + " " + sentence.Quoted(sentence.Clip(f.Error.Message))
	c.touchStop().Objected(xs.now, words)
	xs.moment(c, MomentView{Dir: In, Kind: MomNote, Text: "the answer to the cancel holds an error: " + words, Entry: xs.hist.cur})
	return true
}

// takeStray takes a message that answers no request as evidence of each cancelled call for
// which the message may be meant: the call that it names by a string, the call of its
// exchange, or else every call whose grace runs.
func (xs *exchanges) takeStray(f *mcp.Frame) {
	stray, named := xs.outgoing.strayOf(f)
	xs.stray(stray, named)
}

// takeStrayProgress takes progress as evidence that no call counts: it is malformed, or no
// request was sent with its token. It may be meant for the call that the token almost names.
func (xs *exchanges) takeStrayProgress(n *mcp.ProgressNote) {
	stray := cancel.Stray{What: "malformed progress"}
	r, _ := xs.outgoing.requestOf(n.Token)
	switch {
	case r != nil && (n.Valid || r.call == nil || r != r.call.req):
		return
	case r == nil:
		none := xs.outgoing.strangerOf(n.Token)
		if r = none.bearer; n.Valid {
			stray = cancel.Stray{What: "progress with a token that belay sent with no request of this connection", Detail: none.name}
		}
	}
	xs.stray(stray, r)
}

// stray takes something as evidence that is no answer to a request, as takeStray does.
func (xs *exchanges) stray(stray cancel.Stray, named *request) {
	if named != nil && named.call != nil && !xs.via.isErrorStatus() {
		xs.hist.setCall(named.call.id)
		if named.call.isStopped() {
			xs.rows.noteStray(named.call, xs.now, xs.began, stray, xs.hist.cur)
		}
		return
	}
	xs.strayOn(xs.via, xs.began, stray, xs.hist.cur)
}

// strayOn takes something on an exchange, or on stdio, as evidence of each cancelled call for
// which it may be meant: the call of the exchange, or else every call whose grace runs, or
// ended in the middle of it.
func (xs *exchanges) strayOn(e *exchange, began time.Time, stray cancel.Stray, entry Seq) {
	if e.isErrorStatus() { // it is about what was posted
		return
	}
	if c := e.owner(); c != nil {
		if c.isStopped() {
			xs.rows.noteStray(c, xs.now, began, stray, entry)
		}
		return
	}
	for _, c := range xs.rows.midway.of(began) {
		xs.rows.noteStray(c, xs.now, began, stray, entry)
	}
	xs.rows.noteUnaddressed(xs.now, began, stray, entry)
}

// takeCancelOfCall takes notifications/cancelled that names a cancelled call of ours, where
// a server may name its own requests only. That cancels nothing; but it is no silence. A text
// is taken for the ID where belay knows those of the server's own, which it does before 2026-07-28.
func (xs *exchanges) takeCancelOfCall(n *mcp.CancelledNote) {
	what, r := "notifications/cancelled with the ID of the call", xs.outgoing.named(n.ID)
	if text, isText := n.ID.Text(); r == nil && isText && !xs.conn.rev.IsModern() {
		if id, ok := mcp.ParseID([]byte(text)); ok {
			what, r = what+" as a string", xs.outgoing.named(id)
		}
	}
	if r != nil && r.begun && r.call.isStopped() {
		xs.stray(cancel.Stray{What: what, Detail: reasonWords(n.Reason)}, r)
	}
}
