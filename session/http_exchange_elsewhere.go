package session

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// What comes for a call elsewhere than on its own exchange. It answers no call, as
// an exchange brings the answer to its own request only. But belay must not say of
// a cancelled call that nothing came: for that, it is evidence wherever it came.

// owner is the call that an exchange belongs to: the call whose answer it is to bring, or
// whose cancel it carries; nil: there is none, or everything comes on it.
func (e *exchange) owner() *call {
	switch {
	case e == nil:
	case e.req != nil:
		return e.req.call
	case e.p != nil:
		return e.p.cancels
	}
	return nil
}

// takeAnswerElsewhere tells of an answer that came on the exchange of another request,
// and reports whether it is evidence of a cancelled call.
func (w *exchanges) takeAnswerElsewhere(e *exchange, f *mcp.Frame) bool {
	evidence := w.outgoing.named(f.ID).call.cancelLeft()
	words := f.ID.String() + "; it is ignored"
	if evidence {
		words = f.ID.String() + "; its call was cancelled"
	} else {
		w.outgoing.ignore(f, w.now, w.began)
	}
	switch {
	case e.role == roleListen:
		w.diagnose(mcp.DiagListenAnswer, 0, f.ID.String(), words)
	case e.p == nil || e.p.req != nil: // else it is told as a body where there should be none
		w.diagnose(mcp.DiagWrongStream, callOf(e), f.ID.String(), words)
	}
	return evidence
}

// ignored is an answer that came elsewhere than on the exchange of its request, before
// the call was cancelled.
type ignored struct {
	at, began time.Time
	answer    cancel.Answer
}

// ignore remembers such an answer to an open request, without its large parts.
func (o *outgoing) ignore(f *mcp.Frame, now, began time.Time) {
	r := o.open[f.ID]
	if r == nil || !r.begun || r.ignored != nil {
		return
	}
	r.ignored = &ignored{at: now, began: began}
	switch f.Kind {
	case mcp.FrameResult:
		r.ignored.answer.Failed = f.Shape.IsError
	case mcp.FrameError:
		err := f.Error
		err.CodeRaw = bytes.Clone(err.CodeRaw[:min(len(err.CodeRaw), sentence.Limit)])
		r.ignored.answer.Err = err.Forget(new(int))
	default:
		r.ignored.answer = oddAnswer(f)
	}
}

// onAnswerElsewhere ends a call whose cancel has just been written, and whose answer
// came before that, where it could not be taken: nothing more will come.
func (s *Session) onAnswerElsewhere(c *call) {
	was := c.req.ignored
	if was == nil || c.stop.Ends || c.stop.HasAnswer() {
		return
	}
	answer := was.answer
	answer.At, answer.Began, answer.Bound = was.at, was.began, s.conn.trips.Bound()
	c.stop.Answered(answer)
	c.late = &LateAnswer{At: was.at, Err: answer.Err, ToolError: answer.Failed && answer.Large == 0, Malformed: answer.Odd}
	s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "its answer had come before, elsewhere than on its own exchange"})
	s.logCancel(c, CancelAnswered)
	if c.state == Cancelling && c.stop.Signal == cancel.Notify {
		s.end(c)
	}
}

// bodyOfNotice tells of a message, or of something else, in the answer to a
// notification or an answer of belay's that was accepted.
func (w *exchanges) bodyOfNotice(e *exchange, what string) {
	if e == nil || e.p == nil || e.p.req != nil || !e.opened || !e.head.ok() || w.carrier != streamable {
		return
	}
	var id CallID
	if e.p.cancels != nil {
		id = e.p.cancels.id
	}
	w.diagnose(mcp.DiagAcceptBody, id, e.p.method, fmt.Sprintf("HTTP %d to %s, with %s", e.head.Status, sentence.Name(e.p.method), what))
}

// onRefusedBatch takes from a batch that the revision does not have what is
// evidence of a cancelled call, or may be later, and nothing else.
func (s *Session) onRefusedBatch(f *mcp.Frame) {
	for _, m := range f.Batch {
		switch {
		case s.outgoing.isForCancelled(m):
			m.Owned, m.Began = f.Owned, f.Began
			s.dispatch(m)
		case m.Kind == mcp.FrameResult || m.Kind == mcp.FrameError || m.Kind == mcp.FrameMalformed:
			s.outgoing.ignore(m, s.now, s.began)
			if s.outgoing.named(m.ID) == nil && !s.outgoing.isUnsent(m.ID) {
				s.takeStray(m)
			}
		case m.Kind == mcp.FrameInvalid:
			s.takeStray(m)
		}
	}
}

// isForCancelled reports whether a message is an answer to a cancelled call, or
// progress of one.
func (o *outgoing) isForCancelled(f *mcp.Frame) bool {
	var r *request
	switch {
	case f.Kind == mcp.FrameResult || f.Kind == mcp.FrameError || f.Kind == mcp.FrameMalformed:
		r = o.named(f.ID)
	case f.Kind == mcp.FrameNotification && f.Method == "notifications/progress" && f.Progress.Valid:
		r, _ = o.requestOf(f.Progress.Token)
	}
	return r != nil && r.call.cancelLeft()
}

// askedLater is how long after its end a cancelled call may still be the one that a
// question to the user is about, and maxStopped how many such calls are remembered:
// of several, none is.
const (
	askedLater = time.Minute
	maxStopped = 64
)

// rememberStopped remembers a call of the user's that has just ended as cancelled.
func (a *afterCancel) rememberStopped(c *call) {
	kept := slices.DeleteFunc(a.rows.stopped, func(c *call) bool { return !a.conn.mayStillAsk(c, a.now) })
	if len(kept) < maxStopped {
		kept = append(kept, c)
	}
	a.rows.stopped = kept
}

// mayStillAsk reports whether a call that ended as cancelled may be the one that a
// question is about now.
func (n *connection) mayStillAsk(c *call, now time.Time) bool {
	return c.epoch == n.epoch && c.late == nil && now.Sub(c.ended) <= askedLater
}

// asksAfterCancel takes a question to the user as evidence of the cancelled call to
// which it belongs: the call of its stream, or the only call in question. It returns
// that call, or nil for a question that was on its way when the cancel left.
func (w *exchanges) asksAfterCancel(method string) *call {
	c := w.via.owner()
	if c == nil {
		c = w.after.soleAsker()
	}
	if !c.isStopped() || !w.after.takeAfterCancel(c, sentence.Name(method)) {
		return nil
	}
	w.hist.belongs(c.id)
	w.moment(c, MomentView{Dir: In, Kind: MomAfter, Text: method, Entry: w.hist.cur})
	if !c.stop.IsLate(w.began, w.conn.trips.Bound()) {
		return nil
	}
	return c
}

// isAsking reports whether a question that a call asked after its cancel waits for
// its answer.
func (t *incoming) isAsking(c *call) bool {
	return slices.ContainsFunc(t.prompts, func(in *serverRequest) bool { return in.stopped == c && in.state == Waiting })
}

// soleAsker is the only call of the user's that is in flight, or was cancelled a
// short time ago and not answered; nil when there are several.
func (a *afterCancel) soleAsker() (only *call) {
	for c := a.rows.oldest; c != nil; c = c.next {
		if !c.work() || c.state == Queued {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	for _, c := range a.rows.stopped {
		if !a.conn.mayStillAsk(c, a.now) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// takeErrorAboutCancel takes an error in the answer to a cancel that is about the cancel
// itself, as it names no request of ours, and reports whether it is one.
func (w *exchanges) takeErrorAboutCancel(f *mcp.Frame) bool {
	e := w.via
	if e == nil || e.role != roleCancel || f.Kind != mcp.FrameError || w.outgoing.named(f.ID) != nil {
		return false
	}
	c := e.p.cancels
	w.hist.belongs(c.id)
	if e.p != c.stop.out { // it was posted once more
		return true
	}
	words := f.Error.CodeWords() + " " + sentence.Quoted(sentence.Clip(f.Error.Message))
	c.stop.Objected(w.now, words)
	w.moment(c, MomentView{Dir: In, Kind: MomNote, Text: "the answer to the cancel holds an error: " + words, Entry: w.hist.cur})
	w.rows.touch(c)
	return true
}

// unreachedFor notes as evidence that an exchange did not reach the server which was
// to tell more of a cancelled call.
func (l *log) unreachedFor(c *call, what string, end End) {
	if c.isStopped() && end.Err != "" {
		c.stop.Unreached(l.now, what, end.Err)
		l.rows.touch(c)
	}
}

// takeStray takes a message that answers no request as evidence of each cancelled call for
// which the message may be meant: the call that it names by a string, the call of its
// exchange, or else every call whose grace runs.
func (s *Session) takeStray(f *mcp.Frame) {
	e := s.http.via
	if e.isErrorStatus() { // it is about what was posted
		return
	}
	stray, named := s.outgoing.strayOf(f)
	only := e.owner()
	if named != nil && named.call != nil {
		only = named.call
		s.hist.belongs(only.id)
	}
	switch {
	case only.isStopped():
		s.rows.noteStray(only, s.now, s.began, stray, s.hist.cur)
		return
	case only != nil:
		return
	}
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling {
			s.rows.noteStray(c, s.now, s.began, stray, s.hist.cur)
		}
	}
}
