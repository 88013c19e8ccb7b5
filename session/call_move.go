package session

import "slices"

// move carries out what was decided of a call. It is the only place where the state of a
// call changes.
func (s *Session) move(c *call, o outcome) {
	to := o.to
	o = c.withCancelUnsent(o)
	if !slices.Contains(nextStates[c.state], to) {
		s.broken("call %d: %v may not become %v", c.id, c.state, to)
		return
	}
	if stage := stageOf(to); c.stop != nil && stage != 0 {
		s.tellStage(c, stage, MomentView{At: c.pickUp.wishedAt(), Dir: Local, Kind: MomCancelWanted, Text: c.stop.Reason}, 0)
	}
	if o.told {
		s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: o.says.text, Remedy: o.says.remedy()})
	}
	if c.state == Running {
		s.incoming.orphanQuestions(c)
	}
	c.unwatch(&s.timers, c.state)
	if e := c.about; e != nil && (to == Cancelling || to.IsTerminal()) {
		s.followers.of(e.kind()).onRequestOver(e, o)
	}
	o.unnamed = o.unnamed || s.handles.mayEndUnnamed(c, to)
	s.rows.enter(c, o, s.now)
	s.rows.onLess(s.processes.onMove(c, to, s.now))
	if !to.IsTerminal() {
		return
	}
	s.incoming.endWait(c) // what has ended waits for nothing
	s.rows.onRoundOver(c)
	if to == Cancelled && c.isWork() {
		s.after.rememberCancelled(c)
	}
	if c.req.isList && s.catalog.lists[c.req.list].page == c.req && (to == Cancelled || to == Dropped) {
		s.catalog.onListCancelled(c.req.list)
	}
	if !s.taskListens.onOver(c) {
		s.subs.onSubscriptionOver(c)
	}
	s.rows.sweep(s.cfg.FinishedRows)
}

// stageOf is the stage of a cancellation that begins as a call enters a state; 0: none does.
func stageOf(to State) CancelStage {
	switch to {
	case Cancelling:
		return CancelWanted
	case Dropped:
		return CancelDropped
	default:
		return 0
	}
}

// newCall makes the row and its first request. A follow-up has no row.
func (s *Session) newCall(spec CallSpec, about followUp) *call {
	spec.Idle, spec.Max = limit(spec.Idle, s.cfg.Idle), limit(spec.Max, s.cfg.Max)
	wish := s.handles.wishOf(&spec)
	spec.Params = declareIn(wish.params, spec.Declare)
	target := targetOf(spec.Method, spec.Params)
	sub := newSubscription(&spec, target)
	c := &call{
		CallSpec: spec, epoch: s.conn.epoch, created: s.now, target: target, sub: sub, rounds: rounds{most: s.cfg.MaxRounds},
		about: about, wishesTask: wish.wishes, waits: waits{pickUp: newPickUp(s.now, &spec)},
	}
	s.rows.add(c)
	s.move(c, outcome{to: Queued})
	s.moment(c, MomentView{Dir: Local, Kind: MomCreated, Text: c.Method})
	if wish.says != "" {
		s.note(c, wish.says)
	}
	if len(spec.Declare) > 0 && s.conn.era.Asked().IsModern() {
		s.note(c, "declares "+capWords(spec.Declare)+" as well")
	}
	s.writer.request(c)
	return c
}
