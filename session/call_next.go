package session

import (
	"belay/session/cancel"
)

// waitFor has a call wait whose request has ended.
func (s *Session) waitFor(c *call, w wait) {
	s.incoming.orphanQuestions(c) // nothing runs that a request of the server's could belong to
	s.incoming.beginWait(c, w)
}

// onWaitOver goes on with a call that has waited long enough.
func (s *Session) onWaitOver(c *call) {
	switch c.wait.kind {
	case loginWait: // no time is set for it
	case roundWait:
		s.sendRound(c)
	case pauseWait:
		c.say(saying(c.sub.resubscription.why + "; it was begun again"))
		s.queueNextRequest(c)
	}
}

// queueNextRequest makes the next request of a call. The call waits until that is handed
// out.
func (s *Session) queueNextRequest(c *call) {
	old := c.req
	r := s.writer.request(c)
	if r.isList {
		s.catalog.lists[r.list].onNextRequest(old, r)
	}
	c.wait.next = r.out
	s.timers.Stop(c.due(dueWait))
}

// onNextHandedOut notes that the next request of a call was handed out. After a round it
// has clocks and progress of its own (TMO-14); else the clocks go on.
func (s *Session) onNextHandedOut(c *call) {
	again := c.isWaitingFor(roundWait)
	if again {
		s.rows.onRoundMade(c)
	}
	s.incoming.endWait(c)
	if again {
		c.beginAnew(&s.timers, s.now)
	}
	s.http.resumeClocks(c)
	if c.isListen() {
		s.timers.Set(c.due(dueAck), s.now.Add(ackLimit))
	}
}

// stopWait carries out the cancel of a call that waits: nothing runs, and nothing
// is sent (MRT-28). Closed is what the questions of its round say that closes them.
func (s *Session) stopWait(c *call, by cancel.Initiator, reason, closed string) {
	if next := c.wait.next; next != nil {
		if !s.out.withdraw(next) {
			s.broken("call %d waits, but its request is out", c.id)
		}
		s.outgoing.release(c.req)
	}
	o := outcome{to: Cancelling}
	if c.isWaitingFor(pauseWait) {
		o.says = saying(c.sub.resubscription.why) // it is not begun again
	}
	s.writer.want(c, by, reason, cancel.Nothing)
	s.move(c, o)
	s.incoming.abandonWait(c, closed)
	s.end(c)
}

// sendRound makes the call again, once there is all that it waits for.
func (s *Session) sendRound(c *call) {
	w, ro := c.wait, c.round()
	if ro.awaitsRetry || ro.open > 0 || w.next != nil {
		return
	}
	ro.relist = false
	w.params = ro.params(c.Params)
	s.queueNextRequest(c)
}
