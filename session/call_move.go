package session

import (
	"bytes"
	"slices"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// move is the only place where the state of a call changes.
func (s *Session) move(c *call, to State) {
	if !slices.Contains(nextStates[c.state], to) {
		s.broken("call %d: %v may not become %v", c.id, c.state, to)
		return
	}
	if c.state == Running {
		s.incoming.orphanPrompts(c)
	}
	c.unwatch(&s.timers, c.state)
	s.rows.enter(c, to, s.now)
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
	s.move(c, Queued)
	c.rounds.most = s.cfg.MaxRounds
	s.moment(c, MomentView{Dir: Local, Kind: MomCreated, Text: c.Method})
	if len(spec.Declare) > 0 && s.conn.era.Asked().Modern() {
		s.note(c, "declares "+capWords(spec.Declare)+" as well")
	}
	c.first = s.writer.request(c).id
	return c
}

// finish ends a call that got its answer while it ran, or before its cancel
// left.
func (s *Session) finishAnswered(c *call, f *mcp.Frame) {
	to := Failed
	switch f.Kind {
	case mcp.FrameResult:
		c.result = s.results.keepResult(c, f)
		c.toolErr = f.Shape.IsError
		switch {
		case f.Shape.Kind != '{':
			c.note = "malformed result: not an object"
		case s.conn.oddResult(f) != "":
			c.note = s.conn.oddResult(f)
		case !c.toolErr:
			to = Done
		}
	case mcp.FrameError:
		c.err = s.results.keepError(c, f)
		c.errText = mcp.ErrorText(c.err, c.Method, s.conn.rev)
		c.annotate(s.cfg.givenRefused(s.http.via), s.cfg.wantsCredentials(s.http.via)) // never both
	default:
		c.annotate(problemWords(f))
	}
	s.move(c, to)
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
