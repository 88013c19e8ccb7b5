package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// unsent is a call of the user's, or a notification that the user wrote, that
// waited for a connection on which nothing was agreed, because the session has
// another one begun. It was never sent, so to make it there repeats nothing.
//
//shape:plain
type unsent struct {
	old  *call
	spec CallSpec
	note *pending // else
}

// keepUnsent keeps what waits, in its order, where another connection is to be
// begun.
func (s *Session) keepUnsent() {
	q := &s.out.queues[classRequest]
	for _, p := range q.items[q.head:] {
		switch {
		case p == nil || p.gone:
		case p.req == nil && p.raw:
			s.unsent = append(s.unsent, unsent{note: p})
		case p.req != nil && p.req.call != nil && p.req.call.isUnsent():
			spec := p.req.call.CallSpec
			spec.Supersedes = 0
			s.unsent = append(s.unsent, unsent{old: p.req.call, spec: spec})
		}
	}
}

// isUnsent reports whether a call waits to be sent, and may as well be sent on
// another connection.
func (c *call) isUnsent() bool { return c.state == Queued && c.Origin == FromUser && c.sub == nil }

// makeUnsent makes it, when a connection is ready.
func (s *Session) makeUnsent() {
	list := s.unsent
	s.unsent = nil
	for _, u := range list {
		s.conn.use(FromUser)
		if u.old == nil {
			s.out.enqueue(&pending{Output: Output{Data: u.note.Data}, class: classRequest, method: u.note.method, kind: u.note.kind, raw: true})
			continue
		}
		if token, ok := mcp.OwnToken(u.spec.Params); ok && s.outgoing.hasToken(token) {
			u.spec.Params = tokenless(u.spec.Params) // another call has it by now
		}
		c := s.newCall(u.spec, nil)
		s.note(c, "made as "+u.old.name()+", which was not sent")
		u.old.say(saying("not sent, but made as " + c.name() + " when the server was begun with once more"))
	}
}

// dropUnsent forgets it: nothing is begun any more.
func (s *Session) dropUnsent() {
	for _, u := range s.unsent {
		if u.old == nil {
			s.event(sentence.Clip(u.note.method) + " was not sent: the connection ended")
			continue
		}
		u.old.say(saying("the connection ended before it was sent"))
	}
	s.unsent = nil
}
