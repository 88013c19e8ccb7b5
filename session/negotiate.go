package session

import (
	"fmt"
	"strings"

	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/sentence"
)

// era is the negotiation of a connection: the machine that decides, and what it
// decides about.
type era struct {
	negotiate.Machine

	probe *call        // server/discover, while its answer may decide
	shake *call        // initialize
	needs []Capability // that the server wants declared, beside those that belay declares anyway

	// Of the answer to server/discover, which may have to wait for the other one.
	discovered *mcp.DiscoverResult
	unfit      *Failure     // why nothing can be agreed on by it
	lacking    []Capability // that it wants declared
	unclear    string       // what became of a probe on which the server failed or hung up: any may

	// Of the answer to initialize. One of the first two is there.
	greeted *mcp.InitializeResult
	refused *Failure
	broke   *brokenOff
}

// brokenOff is an exchange over HTTP that ended without the answer to initialize.
type brokenOff struct {
	c   *call
	x   *exchange
	end End
}

// negotiate begins to find out what the server speaks: with server/discover, or
// with initialize where that is what the user wants or what is known of the
// server (VER-27, VER-28, VER-33).
func (s *Session) negotiate() {
	e := &s.conn.era
	step := e.Begin(s.now, negotiate.Setup{
		Pin: s.cfg.Pin, NoProbe: s.cfg.Probe < 0, Limit: s.cfg.Probe, Process: s.cfg.Transport == mcp.Stdio, Memory: s.known,
	})
	s.known = e.Memory()
	s.follow(nil, step, "")
}

// follow carries out a decision. The row is that of the request whose answer or
// silence led to the decision, and words describe the answer.
func (s *Session) follow(c *call, step negotiate.Step, words string) {
	s.timers.Set(once(dueNegotiation), s.conn.era.Due())
	switch step.Do {
	case negotiate.Wait:
		s.awaitOther(c, words)
	case negotiate.AskDiscover:
		s.askDiscover(c, step)
	case negotiate.AskInitialize:
		s.askInitialize(c, step, words)
	case negotiate.UseModern:
		s.useModern(step.Revision)
	case negotiate.UseUndiscovered:
		s.useUndiscovered(c, step.Revision, words)
	case negotiate.UseHandshake:
		s.useHandshake()
	case negotiate.BeginAgain:
		s.beginAgain(step.Why)
	case negotiate.GiveUp:
		s.giveUp(step.Why, words)
	}
}

// awaitOther tells that one of the two requests of the opening is answered, and
// the other one is not.
func (s *Session) awaitOther(c *call, words string) {
	switch what, until := s.conn.era.Awaits(); {
	case what == negotiate.ForDiscoverToo:
		s.event(fmt.Sprintf("initialize was answered: server/discover has %v to be answered as well", until.Sub(s.now)))
	case what == negotiate.ForInitializeToo:
		s.event(fmt.Sprintf("server/discover was answered: initialize has %v to be answered as well", until.Sub(s.now)))
	case c != nil && c.Method == methodDiscover:
		s.event("server/discover was " + words + ": the handshake goes on")
	}
}

// methodDiscover asks a server of the modern era what it is.
const methodDiscover = "server/discover"

// askDiscover asks the server what it is, in a modern revision. Unless that was
// pinned, initialize follows when the answer does not come soon: a server of the
// other era may not answer what it does not know.
func (s *Session) askDiscover(c *call, step negotiate.Step) {
	e := &s.conn.era
	s.abandonProbe("asked once more")
	s.endBrokenOff()
	s.deferPongs()
	switch step.Why {
	case negotiate.Offered:
		s.event("server offers " + string(step.Revision) + "; asking again in that revision")
	case negotiate.Declares:
		e.needs = append(e.needs, e.lacking...)
		if c != nil && c.Method == methodDiscover {
			s.note(c, "the server needs "+capWords(e.lacking)+": declared, and asked again")
		}
		s.event(fmt.Sprintf("server/discover was refused (code %d) for want of %s: declared, and asked again", mcp.CodeMissingCapability, capWords(e.lacking)))
	case negotiate.NotGreeted:
		s.event("the server refused initialize; asking once more what it speaks")
	default:
	}
	s.http.session = "" // which a refused handshake may have named
	e.discovered, e.unfit, e.lacking = nil, nil, nil
	s.redeclare(step.Revision)
	spec := CallSpec{Method: methodDiscover, Origin: FromHandshake, Max: -1}
	if step.Limit > 0 {
		spec.Idle, spec.Max = -1, step.Limit
	}
	e.probe = s.newCall(spec)
}

// askInitialize begins the handshake.
func (s *Session) askInitialize(c *call, step negotiate.Step, words string) {
	switch step.Why {
	case negotiate.NotModern:
		s.event("server/discover was " + words + ": falling back to initialize")
	case negotiate.Silent:
		s.note(c, words+": falling back to initialize, and it may still be answered")
		s.event("server/discover was " + words + ": falling back to initialize, while it may still be answered")
	case negotiate.Listed:
		c.fellBack = true
		s.note(c, "the server lists "+string(step.Revision)+": it is reached by initialize")
		s.event("server offers legacy " + string(step.Revision) + "; handshaking")
	default:
	}
	s.endBrokenOff()
	e := &s.conn.era
	e.greeted, e.refused = nil, nil
	s.conn.declared, s.conn.envelope = s.cfg.declares(step.Revision), nil
	e.shake = s.newCall(CallSpec{Method: methodInitialize, Params: s.initializeParams(), Origin: FromHandshake, Max: -1})
}

// endBrokenOff ends the row of an initialize whose exchange has ended, when another
// request follows: nothing can answer it any more.
func (s *Session) endBrokenOff() {
	if e := &s.conn.era; e.broke != nil {
		e.refused, e.broke = s.endCutOff(*e.broke), nil
	}
}

// methodInitialize begins the handshake.
const methodInitialize = "initialize"

// useModern makes a connection ready without a handshake: the era has none.
func (s *Session) useModern(rev mcp.Revision) {
	e := &s.conn.era
	d := e.discovered
	s.forgetHandshake("refused: the server speaks " + string(rev) + ", which has no handshake")
	if len(d.Missing) > 0 {
		s.diagnose(mcp.DiagHandshake, 0, "", strings.Join(d.Missing, ", "))
	}
	s.redeclare(rev)
	s.useRevision(rev, d.Server)
	s.lintExtensions()
}

// forgetHandshake tells of an initialize that was refused, and is not needed: that
// is no failure.
func (s *Session) forgetHandshake(why string) {
	e := &s.conn.era
	if e.refused == nil && e.broke == nil {
		return
	}
	s.http.session = "" // which the refusal may have named
	e.shake.fellBack = true
	s.note(e.shake, why)
	if !e.shake.state.Terminal() {
		s.move(e.shake, Failed)
	}
}

// useUndiscovered makes a connection ready with a server that has shown its
// revision when it refused initialize, but did not answer server/discover as every
// server of the modern era must (VER-26). It is asked for all of its lists.
func (s *Session) useUndiscovered(c *call, rev mcp.Revision, words string) {
	s.diagnose(mcp.DiagNoDiscover, c.id, "", "it was "+words)
	s.event("the server speaks " + string(rev) + ", but does not know server/discover: what it can do is not known")
	s.redeclare(rev)
	s.useRevision(rev, mcp.ServerInfo{Unsaid: true, Has: mcp.Capabilities{Tools: true, Prompts: true, Resources: true}})
}

// useHandshake takes the answer to initialize, which may not be one that can be
// used.
func (s *Session) useHandshake() {
	e := &s.conn.era
	s.abandonProbe("the handshake was agreed on without it")
	if e.greeted == nil {
		s.fail(e.refused)
		return
	}
	s.onNegotiated(e.greeted)
}

// abandonProbe gives up a server/discover that is out. No cancel is sent for it, as
// a server with a handshake must see initialize first (VER-50).
func (s *Session) abandonProbe(why string) {
	e := &s.conn.era
	c := e.probe
	if c == nil || c.state.Terminal() {
		return
	}
	e.probe = nil
	c.fellBack = true
	s.note(c, "not answered: "+why)
	s.move(c, Failed)
	s.retireRequest(c)
}

// beginAgain ends the connection, and has another one begun in the way that
// [Status] says.
func (s *Session) beginAgain(why negotiate.Why) {
	s.known = s.conn.era.Memory()
	text := ""
	switch why {
	case negotiate.Both, negotiate.HalfGreeted:
		text = "the server answered server/discover, and got initialize as well, with which it may stay"
	case negotiate.Late:
		text = "the server answered server/discover after the handshake"
	case negotiate.Mute:
		text = fmt.Sprintf("the server answered neither server/discover nor initialize within %v; it may be that it reads nothing after server/discover", s.conn.era.shake.Idle)
	case negotiate.Broken:
		text = s.conn.era.refused.Text + "; it may be that it does not bear server/discover before it"
	default:
	}
	s.conn.failure = &Failure{Kind: FailProcess, Text: text + ": " + s.againWords(), Remedy: reconnectRemedy(s.cfg.Transport)}
	s.event(s.conn.failure.Text)
	s.conn.reconnect = true
	s.close(0)
}

// againWords say how the next connection begins.
func (s *Session) againWords() string {
	what := "it is ended, and started again"
	if s.cfg.Transport == mcp.HTTP {
		what = "belay connects again"
	}
	if s.known.Begin == negotiate.WithDiscover {
		return what + ", to begin with server/discover alone"
	}
	return what + ", to begin with initialize alone"
}

// endedWhileConnecting takes the end of a connection on which nothing was agreed
// yet (VER-48).
func (s *Session) endedWhileConnecting(why Close) {
	e := &s.conn.era
	on := " after server/discover"
	if e.probe != nil {
		on = " on server/discover"
	}
	step := e.OnEnd(e.probe == nil || e.probe.req.order != 0)
	s.known = e.Memory()
	if step.Do != negotiate.BeginAgain {
		return
	}
	greeted := "greeted with initialize"
	told := "server exited on discover; retrying in legacy mode"
	if s.known.Begin == negotiate.WithDiscover {
		on, greeted, told = " on initialize", "asked with server/discover alone", "server exited on initialize; retrying with server/discover alone"
	}
	s.conn.reconnect = true
	s.conn.failure = &Failure{
		Kind: FailProcess, Text: "the server " + why.ending(on) + "; it is started again, and " + greeted,
		Remedy: Remedy{Kind: RemedyRestart}, Stderr: why.Stderr,
	}
	s.event(told)
}

// giveUp ends a connection on which nothing can be agreed.
func (s *Session) giveUp(why negotiate.Why, words string) {
	e := &s.conn.era
	s.known = e.Memory()
	switch {
	case why == negotiate.ByEra:
		s.onEraLeft(words)
	case why == negotiate.ByDiscover:
		if e.broke != nil { // its exchange has ended before
			_, words := s.brokenWords(e.broke.x, e.broke.end)
			s.note(e.shake, words)
			s.move(e.shake, Failed)
		}
		s.fail(e.unfit)
	case e.broke == nil:
		s.fail(e.refused)
	default:
		s.onCutOff(*e.broke)
	}
}

// onEraLeft ends a connection on which a server that was modern is not so any
// more: what is in flight cannot be taken over a handshake.
func (s *Session) onEraLeft(why string) {
	s.fail(&Failure{
		Kind: FailVersion, Text: "the server has changed its revision in mid-session, and then server/discover was " + why,
		Remedy: reconnectRemedy(s.cfg.Transport),
	})
}

// NotStarted tells that the server, which was to be started again, could not be.
type NotStarted struct {
	never
	Why string `json:"why"`
}

func (in NotStarted) apply(s *Session) Reply {
	if s.conn.phase != Disconnected {
		return Reply{}
	}
	s.known, s.conn.reconnect = negotiate.Memory{}, false
	s.dropUnsent()
	s.conn.failure = &Failure{Kind: FailProcess, Text: "the server could not be started again: " + validText(in.Why), Remedy: Remedy{Kind: RemedyRestart}}
	s.event(s.conn.failure.Text)
	return Reply{}
}

// ignoreRequest is all that happens to a request of the server's in the modern
// era: only the client asks there, so nothing is ever written for it, and nobody
// is asked (BASE-27, BASE-28).
func (s *Session) ignoreRequest(in *serverRequest) {
	delete(s.incoming.open, in.id)
	s.incoming.remember(in)
	s.diagnose(mcp.DiagServerRequest, 0, in.method, sentence.Name(in.method))
}

// reencode gives the requests that wait for the connection the _meta of the
// revision that was agreed on: when they were made, it was not known.
func (s *Session) reencode() {
	q := &s.out.queues[classRequest]
	for _, p := range q.items[q.head:] {
		if p == nil || p.gone || p.req == nil || p.req.call == nil {
			continue
		}
		r, c := p.req, p.req.call
		token := r.token
		if r.ownToken {
			token = mcp.ID{}
		}
		q.bytes -= len(p.Data)
		r.declared, r.logs = s.conn.declares(c), s.conn.logsFor(c, r.params)
		p.Data, _ = mcp.AppendRequest(nil, r.id, c.Method, r.params, token, s.metaOf(c))
		q.bytes += len(p.Data)
	}
}

// SetPin changes the revision that the next connection may negotiate; empty
// lifts the pin. A revision that is not supported is refused.
type SetPin struct {
	Revision mcp.Revision `json:"revision"`
}

func (in SetPin) check(*Session) error {
	if in.Revision != "" && !mcp.Supports(in.Revision) {
		return refuse(RefuseUnsupported, "belay speaks %s, not %s", join(mcp.Supported()), sentence.Clip(string(in.Revision)))
	}
	return nil
}

func (in SetPin) apply(s *Session) Reply {
	s.cfg.Pin, s.known, s.conn.reconnect = in.Revision, negotiate.Memory{}, false
	s.dropUnsent()
	return Reply{}
}
