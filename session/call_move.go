package session

import (
	"bytes"
	"slices"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// move carries out what was decided of a call. It is the only place where the state of a
// call changes.
func (s *Session) move(c *call, o outcome) {
	to := o.to
	if !slices.Contains(nextStates[c.state], to) {
		s.broken("call %d: %v may not become %v", c.id, c.state, to)
		return
	}
	if o.told {
		s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: o.says.text, Remedy: o.says.remedy()})
	}
	if c.state == Running {
		s.incoming.orphanPrompts(c)
	}
	c.unwatch(&s.timers, c.state)
	s.rows.enter(c, o, s.now)
	if !to.Terminal() {
		return
	}
	s.incoming.endWait(c) // what has ended waits for nothing
	s.rows.countRound(c, 0)
	if to == Cancelled && c.work() {
		s.after.rememberStopped(c)
	}
	if c.req.isList && s.catalog.lists[c.req.list].page == c.req && (to == Cancelled || to == Dropped) {
		s.catalog.onStopped(c.req.list)
	}
	s.subs.onSubscriptionOver(c)
	s.rows.sweep(s.cfg.FinishedRows)
}

// newCall makes the row and its first request.
func (s *Session) newCall(spec CallSpec) *call {
	spec.Idle, spec.Max = limit(spec.Idle, s.cfg.Idle), limit(spec.Max, s.cfg.Max)
	target := targetOf(spec.Method, spec.Params)
	sub := newSubscription(&spec, target)
	c := &call{CallSpec: spec, epoch: s.conn.epoch, created: s.now, target: target, sub: sub, rounds: rounds{most: s.cfg.MaxRounds}}
	s.rows.add(c)
	s.move(c, outcome{to: Queued})
	s.moment(c, MomentView{Dir: Local, Kind: MomCreated, Text: c.Method})
	if len(spec.Declare) > 0 && s.conn.era.Asked().Modern() {
		s.note(c, "declares "+capWords(spec.Declare)+" as well")
	}
	s.writer.request(c)
	return c
}

// newSubscription is the state of the subscription that a call begins; nil: it begins none.
// One of the modern era has no clocks.
func newSubscription(spec *CallSpec, target string) *subscription {
	switch spec.Method {
	case methodListen:
		sub := &subscription{listen: true}
		if params := bytes.TrimSpace(spec.Params); rawjson.Kind(params) == '{' {
			sub.asked = mcp.FilterAt(params)
		}
		spec.Idle, spec.Max, spec.NoProgress = -1, -1, true
		return sub
	case methodSubscribe:
		if target != "" {
			return &subscription{uri: target, asked: mcp.Filter{URIs: []string{target}}}
		}
	}
	return nil
}
