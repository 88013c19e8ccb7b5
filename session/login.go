package session

// A server over HTTP may want a login before it carries out a request: it
// answers 401, or 403 for a right that the token lacks. The request has ended
// then, and its call waits: see [wait]. After the login it is made again.
//
// A call whose stream broke, and is refused when belay takes it up again, runs at
// the server: it is never made again. Only its stream waits for the login; its
// clocks stand still as well, and to cancel it sends what it always does.

// maxLogins is how often one call may wait for a login: for the token, and for
// one more right. A server that refuses again then refuses for good.
const maxLogins = 3

// The words of a challenge that say what could mend a refusal.
const (
	bearer            = "bearer"
	basic             = "basic"
	insufficientScope = "insufficient_scope"
)

// masked stands in place of a secret.
const masked = "***"

// awaitsLogin reports whether the end of an exchange means that its call, or only
// the call's stream, has to wait for a login.
func (xs *exchanges) awaitsLogin(e *exchange) bool {
	c := e.req.call
	return xs.cfg.Login && (e.role == roleRequest || e.role == roleResume) && e.opened && e.head.wantsLogin() && c.state == Running && c.logins < maxLogins &&
		(xs.conn.phase == Connecting || xs.conn.phase == Ready)
}

// waitForLogin has a call wait, and asks for the login unless one is under way.
func (s *Session) waitForLogin(c *call, e *exchange) {
	s.waitFor(c, wait{kind: loginWait, params: tokenless(c.req.params)})
	s.outgoing.retire(c.req, s.now)
	s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "it waits for a login"})
	s.askLogin(e)
}

// awaitLoginToResume has the stream of a call wait, and asks for the login unless one is
// under way.
func (s *Session) awaitLoginToResume(c *call, e *exchange) {
	r := c.req
	s.http.awaitResume(r, e)
	s.awaitLogin(&s.timers, c)
	s.moment(c, MomentView{Dir: Local, Kind: MomNote, Text: "it runs at the server, and waits for a login to hear more"})
	s.askLogin(e)
}

// resumeAfterLogin takes the stream of a call up that waited for a login.
func (xs *exchanges) resumeAfterLogin(c *call) {
	xs.resumeNow(c.req)
	xs.resumeClocks(c)
}

// askLogin asks for the login that a refusal wants, unless one is under way.
func (s *Session) askLogin(e *exchange) {
	if s.http.login != 0 {
		return
	}
	s.http.beginLogin(s.out.number())
	head := e.head
	s.http.ops = append(s.http.ops, Output{Op: OpLogin, Seq: s.http.login, X: e.x, Head: &head})
	s.event("the server wants a login")
}
