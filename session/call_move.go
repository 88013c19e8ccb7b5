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
	s.conn.endWait(&s.timers, c) // what has ended waits for nothing
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
	c := &call{CallSpec: spec, epoch: s.conn.epoch, created: s.now, target: targetOf(spec.Method, spec.Params)}
	c.Idle, c.Max = limit(spec.Idle, s.cfg.Idle), limit(spec.Max, s.cfg.Max)
	initSubscription(c)
	s.rows.add(c)
	s.move(c, outcome{to: Queued})
	c.rounds.most = s.cfg.MaxRounds
	s.moment(c, MomentView{Dir: Local, Kind: MomCreated, Text: c.Method})
	if len(spec.Declare) > 0 && s.conn.era.Asked().Modern() {
		s.note(c, "declares "+capWords(spec.Declare)+" as well")
	}
	c.first = s.writer.request(c).id
	return c
}

// initSubscription gives a new call the state of its subscription, if it begins one.
func initSubscription(c *call) {
	switch c.Method {
	case methodListen:
		params := bytes.TrimSpace(c.Params)
		c.sub = &subscription{listen: true}
		if rawjson.Kind(params) == '{' {
			c.sub.asked = mcp.FilterAt(params)
		}
		c.Idle, c.Max, c.NoProgress = -1, -1, true
	case methodSubscribe:
		if c.target != "" {
			c.sub = &subscription{uri: c.target, asked: mcp.Filter{URIs: []string{c.target}}}
		}
	}
}
