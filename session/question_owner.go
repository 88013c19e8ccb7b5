package session

import (
	"slices"

	"belay/session/sentence"
)

// mayOwn reports whether a question may belong to a call. What came on the stream of a call is its
// own (HTL-19; basic/transports); over one stream for everything nothing tells, so it may be any
// call of the user's whose bytes were out when it came and that still runs.
func mayOwn(in *serverRequest, c *call) bool {
	switch {
	case in.round != nil || in.task != nil || c.sub.isStanding() || c.isWaiting():
		return false
	case in.stream != 0:
		return c.id == in.stream && c.state == Running
	}
	return c.Origin == FromUser && c.state == Running && c.req.order <= in.order
}

// mayHaveAsked reports whether a call may have asked a question, also one that is cancelled.
func mayHaveAsked(in *serverRequest, c *call) bool {
	return mayOwn(in, c) || c.id == in.asker || slices.Contains(in.cancelledBefore, c)
}

// hasSoleOwner reports whether a question can only belong to one call, which still runs.
func (in *serverRequest) hasSoleOwner() bool {
	return in.alive == 1 && len(in.cancelledBefore)+len(in.cancelledOwners) == 0
}

// cancelled are the cancelled calls that a waiting question may belong to, where others may own it,
// too: nothing on the wire says which of them asks.
func (in *serverRequest) cancelled() []*call {
	if in.alive+len(in.cancelledBefore)+len(in.cancelledOwners) < 2 {
		return nil
	}
	return slices.Concat(in.cancelledBefore, in.cancelledOwners)
}

// hold has the clocks of a call stand still for a question that may belong to it.
func (qs *incoming) hold(in *serverRequest, c *call) {
	in.alive++
	qs.onQuestion(qs.timers, c)
}

// countTurn counts a request to a model among those of a call.
func (in *serverRequest) countTurn(c *call) {
	if in.method == "sampling/createMessage" {
		in.turn = max(in.turn, c.onSampling())
	}
}

// release returns the calls that a question which has ended holds no more. Of one call
// alone, the question is known to have been its own.
func (qs *incoming) release(in *serverRequest) (released []*call) {
	if in.orphan || in.alive == 0 {
		return nil
	}
	for c := qs.rows.oldest; c != nil && c.id <= in.upto; c = c.next {
		if !mayOwn(in, c) {
			continue
		}
		if in.hasSoleOwner() {
			in.owner = c.id
			qs.moment(c, MomentView{Dir: Local, Kind: MomQuestionEnd, Text: in.endText()})
		}
		c.onQuestionOver()
		released = append(released, c)
	}
	return released
}

// orphanQuestions notes that a call stops being one that questions may belong to. A
// question without any is an orphan: it still waits and may be answered, but
// stops no clock.
func (qs *incoming) orphanQuestions(c *call) {
	if c.asked == 0 {
		return
	}
	for _, in := range qs.questions {
		if in.state != Waiting || in.orphan || !mayOwn(in, c) {
			continue
		}
		c.onQuestionOver()
		switch in.alive--; in.alive {
		case 0:
			in.orphan = true
		case 1:
			qs.touchOwner(in, c)
		}
		if c.stop != nil && len(in.cancelledOwners) < maxCancelledLately {
			in.cancelledOwners = append(in.cancelledOwners, c)
		}
	}
	if c.asked != 0 {
		qs.broken("call %d: %d questions hold it that do not know it", c.id, c.asked)
	}
}

// touchOwner has the only call shown anew that a question can still belong to, now that another
// one has ended.
func (qs *incoming) touchOwner(in *serverRequest, ended *call) {
	for c := qs.rows.oldest; c != nil && c.id <= in.upto; c = c.next {
		if c != ended && mayOwn(in, c) {
			c.touch()
			return
		}
	}
}

// owners are the first of the calls that a waiting question may belong to: those that run, and behind
// them those that were cancelled. All of them together could be ten thousand, for each of hundreds of
// questions.
func (r *rows) owners(in *serverRequest) (ids []CallID) {
	want := min(in.alive, MaxCandidates)
	for c := r.oldest; c != nil && c.id <= in.upto && len(ids) < want; c = c.next {
		if mayOwn(in, c) {
			ids = append(ids, c.id)
		}
	}
	running := len(ids)
	for _, c := range in.cancelled() {
		ids = append(ids, c.id)
	}
	slices.Sort(ids[running:])
	return ids[:min(len(ids), MaxCandidates)]
}

// endText says how a question ended, and the reason if the server gave one.
func (in *serverRequest) endText() string {
	if in.state == Withdrawn && in.closed != "" {
		return "closed: " + in.closed
	}
	if in.state == Withdrawn && in.reason != "" {
		return in.state.String() + ": " + sentence.Quoted(in.reason)
	}
	return in.state.String()
}

// ofCancelled marks a question that comes for a task which is being cancelled, or was: nobody may be
// waiting for its answer, and it is no reason to interrupt the user.
func (in *serverRequest) ofCancelled(c *call) {
	in.afterCancel, in.orphan, in.owner, in.upto = true, true, c.id, c.id
}
