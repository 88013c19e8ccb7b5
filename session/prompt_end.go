package session

// endPrompt closes a prompt, and has the clocks go on that stood still for it.
func (s *Session) endPrompt(in *serverRequest, to PromptState) {
	for _, c := range s.incoming.closePrompt(in, to) {
		s.http.resumeClocks(c)
	}
}

// withdrawPrompt ends a request that the server has taken back.
func (s *Session) withdrawPrompt(in *serverRequest, reason string) {
	delete(s.incoming.open, in.id)
	s.incoming.remember(in)
	if in.out != nil && !s.out.withdraw(in.out) {
		s.broken("request %v is open, but its answer is out", in.id)
	}
	for i, h := range s.incoming.deferred {
		if h == in {
			s.incoming.deferred = append(s.incoming.deferred[:i], s.incoming.deferred[i+1:]...)
			break
		}
	}
	in.reason = capReason(reason)
	s.logWithdrawn(in)
	if in.prompt != 0 {
		s.endPrompt(in, Withdrawn)
	}
}

// closeInputs closes what a round still asks, for this reason.
func (s *Session) closeInputs(ro *round, why string) {
	for _, in := range ro.inputs {
		if in.prompt == 0 || in.state != Waiting {
			continue
		}
		in.closed = why
		s.endPrompt(in, Dismissed)
	}
}
