package session

// abandonResumeAfterLogin gives the stream of a call up that waited for a login. A cancel that
// is on its way goes on without it.
func (s *Session) abandonResumeAfterLogin(c *call, why string) {
	s.http.abandonResume(c.req)
	if c.state == Cancelling {
		return
	}
	r := c.req
	s.outgoing.retire(r, s.now)
	note := "without a login its stream is not heard any more, and it may still run at the server: " + why
	s.move(c, outcome{to: Lost, says: saying(note), told: true})
	if r.isList {
		s.onListStep(r.list, s.catalog.onBroken(r, note, Remedy{}))
	}
}

// NotRenewed tells, while the login that was asked for is under way, why the token
// that there was is not renewed.
type NotRenewed struct {
	never
	Seq uint64 `json:"out"`
	Why string `json:"why"`
}

func (in NotRenewed) apply(s *Session) Reply {
	if in.Seq == 0 || s.http.login != in.Seq {
		return Reply{}
	}
	words := "the token was not renewed: " + validText(in.Why)
	s.event(words)
	for c := s.rows.oldest; c != nil; c = c.next {
		if c.isWaitingFor(loginWait) || s.http.awaitsLoginToResume(c) {
			s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: words})
		}
	}
	return Reply{}
}

func (in NotRenewed) masked(m masker) Input {
	in.Why = m.text(in.Why)
	return in
}

// LoggedIn tells how the login went that was asked for: failure is empty when
// there is a token now. What waited is made again, or fails.
type LoggedIn struct {
	never
	Seq     uint64 `json:"out"`
	Failure string `json:"failure,omitempty"`
}

func (in LoggedIn) apply(s *Session) Reply {
	if in.Seq == 0 || s.http.login != in.Seq {
		return Reply{}
	}
	failure := validText(in.Failure)
	s.http.endLogin()
	switch {
	case failure == "":
		s.event("logged in")
		s.http.logins++
		s.otherLogin(true)
		if s.http.serverStream.endLoginWait() {
			s.http.openServerStream()
		}
	case s.conn.phase == Ready: // else it is why there is no connection
		s.event("not logged in: " + failure)
	}
	for c := s.rows.oldest; c != nil; {
		next := c.next
		switch {
		case s.http.awaitsLoginToResume(c) && c.stop != nil && c.stop.HasAnswer(): // nothing more is to come there
			s.http.abandonResume(c.req)
		case s.http.awaitsLoginToResume(c) && failure == "":
			s.http.resumeAfterLogin(c)
		case s.http.awaitsLoginToResume(c):
			s.abandonResumeAfterLogin(c, failure)
		case !c.isWaitingFor(loginWait) || c.wait.next != nil:
		case failure == "":
			s.queueNextRequest(c)
		default:
			s.onLoginFailed(c, failure)
		}
		c = next
	}
	return Reply{}
}

func (in LoggedIn) masked(m masker) Input {
	in.Failure = m.text(in.Failure)
	return in
}

// LoggedOut notes that the token was forgotten: private answers to its owner are no
// longer served from the cache.
type LoggedOut struct{ never }

func (LoggedOut) apply(s *Session) Reply {
	s.event("logged out")
	s.http.logins++
	s.otherLogin(false)
	return Reply{}
}

func (s *Session) onLoginFailed(c *call, why string) {
	s.incoming.endWait(c)
	r := c.req
	s.move(c, outcome{to: Failed, says: saying(why), told: true})
	switch {
	case c.Origin == FromHandshake && s.conn.phase == Connecting: // else the user has left
		s.link.fail(&Failure{Kind: FailLogin, Text: why, Remedy: Remedy{Kind: RemedyClient}})
	case r.isList:
		s.onListStep(r.list, s.catalog.onBroken(r, "no login: "+why, Remedy{}))
	}
}
