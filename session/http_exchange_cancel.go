package session

import (
	"fmt"

	"belay/session/cancel"
)

// Cancelling over HTTP. In the handshake revisions the notification is a POST of its own, which
// must not overtake the one it cancels and is delivered only when the server accepts it; in the
// stateless one the exchange itself is closed (CXL-12 … CXL-16; basic/patterns/cancellation,
// basic/utilities/cancellation).

// onCancelResponse takes the head of the answer to a cancel: accepted, or refused; and once more the
// one of which the body says that the server does not know the session.
func (s *Session) onCancelResponse(e *exchange) {
	c := e.p.cancels
	over := e.isSessionOver()
	switch {
	case e.p != c.stop.out: // it was posted once more
	case e.head.isSuccess():
		s.onCancelAccepted(c, e)
	case over:
		s.onCancelRejected(c, "the server has "+e.sessionWords(), over)
	default:
		s.onCancelRejected(c, fmt.Sprintf("HTTP %d", e.head.Status), over)
	}
	if over {
		s.onSessionEnded(e)
	}
}

func (s *Session) onCancelAccepted(c *call, e *exchange) {
	st := c.touchStop()
	st.Accepted(s.now, fmt.Sprintf("HTTP %d", e.head.Status))
	s.http.diagnoseAcceptStatus(e)
	if c.state == Cancelled {
		s.unconfirmed.onAcceptedAfterEnd(c)
	}
	if c.state != Cancelling || st.WrittenAt().IsZero() || st.IsGraceOver() {
		return
	}
	c.watchStop(&s.timers)
	if s.http.hasNoStream(c) { // its own exchange has ended before
		s.onGraceOver(c)
	}
}

// onCancelRejected notes that the server did not accept a cancel. That changes no state (HTL-10,
// HTL-52; basic/transports): the call is heard on until its grace is over, which is counted from
// the refusal where the last byte was not written. Over says that the server does not know the session
// any more, so that nothing more can be heard of the call.
func (s *Session) onCancelRejected(c *call, why string, over bool) {
	st := c.touchStop()
	if !st.Rejected(s.now, why, over) {
		return
	}
	words := st.RejectedWords()
	s.event(c.name() + ": " + words)
	s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: words})
	switch {
	case c.state != Cancelling:
		return
	case st.HasAnswer(): // which had to wait for this
		s.end(c)
		return
	}
	c.say(advising(words, Remedy{Kind: RemedyCancelAgain}))
	c.watchStop(&s.timers)
	switch {
	case s.http.hasNoStream(c):
		s.endAsUndelivered(c, "")
	case over:
		st.SessionOver(s.now, "")
		s.endAsUndelivered(c, "")
	}
}

// onOwnStreamEnded is a call that is being cancelled and whose exchange has ended: it
// can tell nothing more, so its grace ends early.
func (s *Session) onOwnStreamEnded(c *call, e *exchange, end End, m ending) {
	none := s.writer.takeBack(c)
	st := c.touchStop()
	st.StreamEnded(s.now, m.words)
	switch {
	case !e.head.isSuccess():
	case end.Body != "":
		s.rows.noteStray(c, s.now, s.now, strayBody(end), 0)
	case e.opened && !e.head.streams() && e.messages == 0 && end.Err == "":
		s.rows.noteStray(c, s.now, s.now, cancel.Stray{What: "an end without an answer", Detail: statusWords(e.head, end)}, 0)
	}
	st.heardOut = e.hasHeldNews(end)
	if !st.IsGraceOver() && !st.heardOut {
		s.http.onStreamGone(c, e, end)
	}
	s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: m.words})
	switch {
	case none:
		s.endAsUndelivered(c, "the exchange of its call had ended")
	case m.over:
		st.SessionOver(s.now, "the server "+e.sessionWords())
		s.end(c)
	case st.IsGraceOver(): // the probe is out
	case st.IsRejected(), st.WrittenAt().IsZero() && !s.http.isCancelOut(c):
		s.endAsUndelivered(c, "")
	case st.WrittenAt().IsZero(), st.IsUnaccepted(): // its POST is on the way and will say
	case st.heardOut: // what it said there does not end the grace: more may come elsewhere
	default:
		s.onGraceOver(c)
	}
}

// onStreamGone notes that the stream of a call was gone before its server had closed
// it, or ended in the middle of a message: what was still to come could not be heard.
func (xs *exchanges) onStreamGone(c *call, e *exchange, end End) {
	switch {
	case xs.variant != streamable:
	case e.role == roleResume && !(e.opened && e.head.isSuccess() && e.head.streams()):
		c.touchStop().StreamLost(c.req.downAt)
	case e.role == roleResume, end.Err != "", e.part.size > 0:
		c.touchStop().StreamLost(xs.now)
	}
}

// onStatusAnswer takes an HTTP error as the answer of a call that is being
// cancelled: before its cancel left it ends the call, afterwards it is evidence.
func (s *Session) onStatusAnswer(c *call, status int, words string) {
	if s.writer.takeBack(c) {
		r := c.req
		s.outgoing.retire(r, s.now)
		s.move(c, outcome{to: Failed, says: saying(words + " · answered before the cancel left: nothing was sent")})
		if r.isList {
			s.onListStep(r.list, s.catalog.onBroken(r, words, Remedy{}))
		}
	} else {
		s.http.noteAnswer(c, s.results.takeLateStatus(c, status, words))
		s.tellStage(c, CancelAnswered, MomentView{Dir: In, Kind: MomLate, Text: words}, 0)
		s.outgoing.retire(c.req, s.now)
		s.end(c)
	}
}

// onStatusOfProbe takes a status as the answer to the probe.
func (s *Session) onStatusOfProbe(e *exchange, m ending) {
	r, over := e.req, ""
	s.outgoing.retire(r, s.now)
	if m.over {
		over = "the server " + e.sessionWords()
	} else {
		s.unconfirmed.onServerRead(r.order, r.method)
	}
	s.onProbeAnswer(r, m.words, over)
}

// onProbeUnheard tells the rows that wait for a probe that it cannot be answered.
func (xs *exchanges) onProbeUnheard(e *exchange, end End) {
	for c := xs.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling && c.stop.probe == e.req {
			xs.moment(c, MomentView{Dir: In, Kind: MomNote, Text: e.req.method + " cannot be answered: " + end.words()})
			if !e.opened {
				xs.unreachedFor(c, "the probe ("+e.req.method+")", end)
			}
		}
	}
}

// cancelsUnaccepted counts the cancels that a closing connection waits for:
// those that wait for their call to be written as well, those of tasks that have no ID yet, and
// over HTTP those of tasks that are not answered.
func (s *Session) cancelsUnaccepted() int {
	n := s.out.cancels
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling && c.stop.out != nil && c.stop.out.deferred && !c.stop.out.gone {
			n++
		}
	}
	for _, e := range s.http.open {
		if e.role == roleCancel && !e.opened {
			n++
		}
	}
	return n + s.followers.awaitedAtClose()
}
