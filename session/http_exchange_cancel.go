package session

import (
	"fmt"
	"time"

	"belay/session/cancel"
)

// Cancelling over HTTP. In the handshake revisions the notification is a POST
// of its own, which must not overtake the one it cancels and is delivered only
// when the server accepts it; in the stateless one the exchange itself is
// closed (CXL-12 … CXL-16).

// onCancelResponse takes the head of the answer to a cancel: accepted, or refused.
func (s *Session) onCancelResponse(e *exchange) {
	c := e.p.cancels
	st := c.stop
	switch {
	case e.p != st.out: // it was posted once more
	case e.head.ok():
		s.onCancelAccepted(c, e)
	case e.isSessionOver():
		s.onCancelRejected(c, "the server has "+e.sessionWords())
		if c.state == Cancelling {
			s.endAsUndelivered(c, "")
		}
		s.onSessionEnded(e)
	default:
		s.onCancelRejected(c, fmt.Sprintf("HTTP %d", e.head.Status))
	}
}

func (s *Session) onCancelAccepted(c *call, e *exchange) {
	st := c.stop
	st.Accepted(s.now, fmt.Sprintf("HTTP %d", e.head.Status))
	s.http.diagnoseAcceptStatus(e)
	s.rows.touch(c)
	if c.state == Cancelled {
		s.unsure.onAcceptedAfterEnd(c)
	}
	if c.state != Cancelling || st.WrittenAt().IsZero() || st.IsGraceOver() {
		return
	}
	c.watchStop(&s.timers)
	if s.http.noStreamLeft(c) { // its own exchange has ended before
		s.onGraceOver(c)
	}
}

// onCancelPostEnded is the end of the POST of a cancel. Nothing is posted twice.
func (s *Session) onCancelPostEnded(e *exchange, end End) {
	if !e.opened && e.p == e.p.cancels.stop.out {
		s.onCancelRejected(e.p.cancels, end.words())
	}
}

// onCancelRejected notes that the server did not accept a cancel. That changes no
// state (HTL-10, HTL-52): the call is heard on until its grace is over, which is
// counted from the refusal where the last byte was not written.
func (s *Session) onCancelRejected(c *call, why string) {
	st := c.stop
	if !st.Rejected(s.now, why) {
		return
	}
	words := st.RejectedWords()
	s.event(c.name() + ": " + words)
	s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: words})
	s.rows.touch(c)
	if c.state != Cancelling {
		return
	}
	s.rows.say(c, advising(words, Remedy{Kind: RemedyCancelAgain}))
	c.watchStop(&s.timers)
	if s.http.noStreamLeft(c) {
		s.endAsUndelivered(c, "")
	}
}

// onOwnStreamEnded is a call that is being cancelled and whose exchange has ended: it
// can tell nothing more, so its grace ends early.
func (s *Session) onOwnStreamEnded(c *call, e *exchange, end End) {
	none := s.writer.takeBack(c)
	st := c.stop
	_, how := s.http.brokenWords(e, end)
	st.StreamEnded(s.now, how)
	switch {
	case !e.head.ok():
	case end.Body != "":
		s.rows.noteStray(c, s.now, s.now, strayBody(end), 0)
	case e.opened && !e.head.streams() && e.messages == 0 && end.Err == "":
		s.rows.noteStray(c, s.now, s.now, cancel.Stray{What: "an end without an answer", Detail: statusWords(e.head, end)}, 0)
	}
	st.heardOut = e.heldNews(end)
	if !st.IsGraceOver() && !st.heardOut {
		s.http.onStreamGone(c, e, end)
	}
	s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: how})
	over := e.isSessionOver()
	switch {
	case none:
		s.endAsUndelivered(c, "the exchange of its call had ended")
	case over:
		s.end(c)
	case st.IsGraceOver(): // the probe is out
	case st.IsRejected(), st.WrittenAt().IsZero() && !s.http.isCancelOut(c):
		s.endAsUndelivered(c, "")
	case st.WrittenAt().IsZero(), st.Unaccepted(): // its POST is on the way and will say
	case st.heardOut: // what it said there does not end the grace: more may come elsewhere
	default:
		s.onGraceOver(c)
	}
	if over {
		s.onSessionEnded(e)
	}
}

// onStreamGone notes that the stream of a call was gone before its server had closed
// it, or ended in the middle of a message: what was still to come could not be heard.
func (w *exchanges) onStreamGone(c *call, e *exchange, end End) {
	switch {
	case w.carrier != streamable:
	case e.role == roleResume && !(e.opened && e.head.ok() && e.head.streams()):
		c.stop.StreamLost(c.req.downAt)
	case e.role == roleResume, end.Err != "", e.part.size > 0:
		c.stop.StreamLost(w.now)
	}
}

// onStatusAnswer takes an HTTP error as the answer of a call that is being
// cancelled: before its cancel left it ends the call, afterwards it is evidence.
func (s *Session) onStatusAnswer(c *call, e *exchange, end End) {
	_, words := s.http.brokenWords(e, end)
	if s.writer.takeBack(c) {
		r := c.req
		s.outgoing.retire(r, s.now)
		s.move(c, outcome{to: Failed, says: saying(words + " · answered before the cancel left: nothing was sent")})
		if r.isList {
			s.onListBroken(r, words, Remedy{})
		}
	} else {
		s.http.noteAnswer(c, s.results.takeLateStatus(c, e.head.Status, words))
		s.moment(c, MomentView{Dir: In, Kind: MomLate, Text: words})
		s.logCancel(c, CancelAnswered)
		s.end(c)
	}
	if e.isSessionOver() {
		s.onSessionEnded(e)
	}
}

// onPingEnded is the end of the exchange of a ping without a message that answers
// it. A status alone is an answer, too; what broke is none, and a time limit tells
// of it.
func (s *Session) onPingEnded(e *exchange, end End) {
	r := e.req
	switch {
	case s.http.isCarriedElsewhere(e), r.health:
	case e.isErrorStatus(), e.opened && end.Err == "":
		s.outgoing.retire(r, s.now)
		if e.isSessionOver() {
			s.rows.tellSessionOver(r, s.now, "the server "+e.sessionWords())
		} else {
			s.unsure.onServerRead(r.order)
		}
		s.onProbeAnswer(r, statusWords(e.head, end))
	default:
		for c := s.rows.oldest; c != nil; c = c.next {
			if c.state == Cancelling && c.stop.probe == r {
				s.moment(c, MomentView{Dir: In, Kind: MomNote, Text: r.method + " cannot be answered: " + end.words()})
				if !e.opened {
					s.unreachedFor(c, "the probe ("+r.method+")", end)
				}
			}
		}
	}
	if e.isSessionOver() {
		s.onSessionEnded(e)
	}
}

// tellSessionOver tells the rows that wait for a probe that the session had ended.
func (r *rows) tellSessionOver(probe *request, now time.Time, how string) {
	for c := r.oldest; c != nil; c = c.next {
		if c.state == Cancelling && c.stop.probe == probe {
			c.stop.SessionOver(now, how)
		}
	}
}

// cancelsUnaccepted counts the cancels that a closing connection waits for:
// those that wait for their call to be written as well.
func (s *Session) cancelsUnaccepted() int {
	n := s.out.cancels
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling && c.stop.out != nil && c.stop.out.held && !c.stop.out.gone {
			n++
		}
	}
	for _, e := range s.http.open {
		if e.role == roleCancel && !e.opened {
			n++
		}
	}
	return n
}
