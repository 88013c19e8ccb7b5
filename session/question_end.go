package session

import "belay/session/mcp"

// What the conductor does with what the machine of the questions returns: the clocks of the
// calls go on that a question has held.

// onRequest takes a request of the server's.
func (s *Session) onRequest(f *mcp.Frame) {
	stream, k := callOf(s.http.via), s.tasks.asker(f, s.http.via.owner())
	if k != nil {
		stream = k.row.id
	}
	asker, late := s.http.asksAfterCancel(f.Method, k)
	var perhaps []*call
	if asker == nil && stream == 0 && mcp.AsksUser(f.Method) && s.after.soleAsker() == nil {
		perhaps = s.after.onDoubtfulQuestion(f.Method)
	}
	s.incoming.onRequest(f, stream, asker, late, perhaps)
	s.tellNameless(s.incoming.questions)
}

// onCancelled takes notifications/cancelled: in the modern era it ends a subscription, before
// that it withdraws a request of the server's.
func (s *Session) onCancelled(f *mcp.Frame) {
	n := s.incoming.readCancel(f)
	switch {
	case n == nil:
	case s.conn.rev.IsModern():
		s.onListenCancelled(n)
	default:
		if !s.incoming.isServerRequest(n.ID) {
			s.http.takeCancelOfCall(n)
		}
		s.http.resumeAll(s.incoming.onCancelled(n))
	}
}

// endQuestion closes a question.
func (s *Session) endQuestion(in *serverRequest, to QuestionState) {
	s.http.resumeAll(s.incoming.closeQuestion(in, to))
}

// resumeAll lets the clocks of calls go on that a question has held.
func (xs *exchanges) resumeAll(released []*call) {
	for _, c := range released {
		xs.resumeClocks(c)
	}
}
