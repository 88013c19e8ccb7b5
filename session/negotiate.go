package session

import (
	"fmt"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/sentence"
)

// era is the negotiation of a connection: the machine that decides, and what it
// decides about.
//
//shape:part of connection
type era struct {
	negotiate.Machine

	discover *call        // server/discover, while its answer may decide
	former   *request     // … the one before, over HTTP, whose late answer counts as long as this one is awaited
	shake    *call        // initialize
	required []Capability // that the server wants declared, beside those that belay declares anyway

	// Of the answer to server/discover, which may have to wait for the other one.
	discovered *mcp.DiscoverResult
	unfit      *Failure     // why nothing can be agreed on by it
	missing    []Capability // that it wants declared
	unclear    string       // what became of a server/discover that says nothing of the server, or helped nothing
	fate       string       // … of the latest one without an answer of the modern era

	// Of the answer to initialize. One of the first two is there.
	greeted    *mcp.InitializeResult
	refused    *Failure
	unanswered *unansweredInitialize
}

// awaitDiscover has the answer to a request decide that asks what the server is; nil: there is none.
// Former is the request before, whose late answer counts, too; nil: none does.
func (e *era) awaitDiscover(c *call, former *request) { e.discover, e.former = c, former }

// awaitInitialize has the answer to a request decide that begins the handshake.
func (e *era) awaitInitialize(c *call) { e.shake = c }

// require has what the answer to server/discover wants declared be declared from now on.
func (e *era) require() { e.required = append(e.required, e.missing...) }

// forgetDiscovered forgets the answer to server/discover: it is asked once more.
func (e *era) forgetDiscovered() { e.discovered, e.unfit, e.missing = nil, nil, nil }

// forgetGreeting forgets the answer to initialize, and that there was none.
func (e *era) forgetGreeting() { e.greeted, e.refused, e.unanswered = nil, nil, nil }

// onUnanswered notes that the exchange of initialize has ended without an answer; nil: initialize is sent again.
func (e *era) onUnanswered(u *unansweredInitialize) { e.unanswered = u }

// onInitializeOver notes why an initialize without an answer has failed: nothing can answer it any more.
func (e *era) onInitializeOver(why *Failure) { e.refused, e.unanswered = why, nil }

// noteFate notes what became of server/discover, in words.
func (e *era) noteFate(words string) { e.fate = words }

// unansweredInitialize is an exchange over HTTP that ended without the answer to initialize.
//
//shape:part of connection
type unansweredInitialize struct {
	c   *call
	x   *exchange
	end End
}

// negotiate begins to find out what the server speaks: with server/discover, or with initialize
// where that is what the user wants or what is known of the server (VER-27, VER-28, VER-33;
// basic/transports/stdio).
func (s *Session) negotiate() {
	e := s.conn.era
	if !s.link.known.Again {
		s.link.starts = nil
	}
	step := e.Begin(s.now, negotiate.Setup{
		Pin: s.cfg.Pin, NoDiscover: s.cfg.DiscoverLimit < 0, Limit: s.cfg.DiscoverLimit, Process: s.cfg.Transport == mcp.Stdio, Memory: s.link.known,
	})
	s.link.remember()
	s.follow(nil, step, "")
}

// follow carries out a decision. The row is that of the request whose answer or
// silence led to the decision, and words describe the answer.
func (s *Session) follow(c *call, step negotiate.Step, words string) {
	s.timers.Set(once(dueNegotiation), s.conn.era.Due())
	switch step.Do {
	case negotiate.Wait:
		s.link.awaitOther(c, words, s.http.unansweredInitializeWords())
	case negotiate.AskDiscover:
		s.link.remember() // a guess that was refused is forgotten, however the connection ends
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
		s.link.beginAgain(step.Why)
	case negotiate.GiveUp:
		s.giveUp(step.Why, words)
	}
}

// methodDiscover asks a server of the modern era what it is.
const methodDiscover = "server/discover"

// askDiscover asks the server what it is, in a modern revision. Unless that was
// pinned, initialize follows when the answer does not come soon: a server of the
// other era may not answer what it does not know.
func (s *Session) askDiscover(c *call, step negotiate.Step) {
	e := s.conn.era
	s.abandonDiscover("asked once more", step.Limit)
	if step.Why != negotiate.NotGreeted { // else the older transport may follow
		s.endUnansweredInitialize()
	}
	s.incoming.deferPongs()
	switch step.Why {
	case negotiate.Offered:
		s.event("server offers " + string(step.Revision) + "; asking again in that revision")
	case negotiate.Declares:
		e.require()
		if c != nil && c.Method == methodDiscover {
			s.note(c, "the server needs "+capWords(e.missing)+": declared, and asked again")
		}
		s.event(fmt.Sprintf("server/discover was refused (code %d) for want of %s: declared, and asked again", mcp.CodeMissingCapability, capWords(e.missing)))
	case negotiate.NotGreeted:
		s.event("the server refused initialize; asking once more what it speaks")
	default:
	}
	s.http.nameSession("") // which a refused handshake may have named
	e.forgetDiscovered()
	s.writer.redeclare(step.Revision)
	spec := CallSpec{Method: methodDiscover, Origin: FromHandshake, Max: -1}
	if step.Limit > 0 {
		spec.Idle, spec.Max = -1, step.Limit
	}
	e.awaitDiscover(s.newCall(spec, nil), e.former)
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
		s.passOver(c, "the server lists "+string(step.Revision)+": it is reached by initialize")
		s.event("server offers legacy " + string(step.Revision) + "; handshaking")
	case negotiate.Foreign:
		s.note(c, "it lists no revision that belay speaks: initialize is tried before the server is refused")
		s.event(s.conn.era.unfit.Text + ": trying initialize")
	default:
	}
	s.endUnansweredInitialize()
	e := s.conn.era
	e.forgetGreeting()
	s.writer.offer(step.Revision)
	spec := CallSpec{Method: methodInitialize, Params: s.writer.initializeParams(), Origin: FromHandshake, Max: -1}
	if s.cfg.Idle > 0 {
		spec.Idle = max(s.cfg.Idle, step.Least)
	}
	e.awaitInitialize(s.newCall(spec, nil))
}

// endUnansweredInitialize ends the row of an initialize whose exchange has ended, when another
// request follows: nothing can answer it any more.
func (s *Session) endUnansweredInitialize() {
	if e := s.conn.era; e.unanswered != nil {
		e.onInitializeOver(s.failUnansweredInitialize(*e.unanswered))
	}
}

// methodInitialize begins the handshake.
const methodInitialize = "initialize"

// useModern makes a connection ready without a handshake: the era has none.
func (s *Session) useModern(rev mcp.Revision) {
	e := s.conn.era
	d := e.discovered
	s.forgetHandshake("refused: the server speaks " + string(rev) + ", which has no handshake")
	s.incoming.deferPongs()
	if len(d.Missing) > 0 {
		s.diagnose(mcp.DiagHandshake, 0, "", strings.Join(d.Missing, ", "))
	}
	s.writer.redeclare(rev)
	s.useRevision(rev, d.Server)
	s.lint.lintExtensions()
}

// forgetHandshake tells of an initialize that was refused, and is not needed: that
// is no failure.
func (s *Session) forgetHandshake(why string) {
	e := s.conn.era
	s.http.nameSession("") // which an initialize in vain may have named
	if e.refused == nil && e.unanswered == nil {
		return
	}
	s.passOver(e.shake, why)
	if !e.shake.state.IsTerminal() {
		s.move(e.shake, outcome{to: Failed})
	}
}

// useUndiscovered makes a connection ready with a server that has shown its
// revision when it refused initialize, but did not answer server/discover as every
// server of the modern era must (VER-26). It is asked for all of its lists.
func (s *Session) useUndiscovered(c *call, rev mcp.Revision, words string) {
	s.diagnose(mcp.DiagNoDiscover, c.id, "", "it was "+words)
	s.event("the server speaks " + string(rev) + ", but server/discover brings nothing: what it can do is not known")
	s.writer.redeclare(rev)
	s.useRevision(rev, mcp.ServerInfo{Unsaid: true, Has: mcp.Capabilities{Tools: true, Prompts: true, Resources: true}})
}

// useHandshake takes the answer to initialize, which may not be one that can be
// used.
func (s *Session) useHandshake() {
	e := s.conn.era
	s.abandonDiscover("the handshake was agreed on without it", negotiate.LongestLate)
	if e.greeted == nil {
		s.link.fail(e.refused)
		return
	}
	s.onNegotiated(e.greeted)
}

// abandonDiscover gives up a server/discover that is out. No cancel is sent for it, as
// a server with a handshake must see initialize first (VER-50). Over HTTP its exchange stays open for
// as long as a late answer is heard, as on stdio; 0: none is.
func (s *Session) abandonDiscover(why string, heard time.Duration) {
	e := s.conn.era
	c := e.discover
	if c == nil || c.state.IsTerminal() {
		return
	}
	var late *request // of which an answer is still heard
	if heard > 0 && c.req.x != nil {
		late = c.req
	}
	e.awaitDiscover(nil, late)
	s.passOver(c, "not answered: "+why)
	s.move(c, outcome{to: Failed})
	if late != nil {
		s.outgoing.retire(late, s.now)
		s.timers.Set(late.x.due(), s.now.Add(heard))
		return
	}
	s.retireRequest(c)
}

// giveUp ends a connection on which nothing can be agreed.
func (s *Session) giveUp(why negotiate.Why, words string) {
	e := s.conn.era
	s.link.remember()
	switch {
	case why == negotiate.ByEra:
		s.link.onEraChanged(words)
	case why == negotiate.ByDiscover:
		words := s.http.unansweredInitializeWords()
		if words == "" {
			words = e.muteWords(s.now)
		}
		switch _, said, _ := strings.Cut(words, refusedInitialize); {
		case words == "":
		case e.refused != nil && said != "" && strings.HasSuffix(e.unfit.Text, methodDiscover+said):
			e.unfit.Text += "; and " + methodInitialize + ", by the same error"
		default:
			e.unfit.Text += "; and " + words
		}
		if e.unanswered != nil && !e.shake.state.IsTerminal() { // its exchange has ended before
			_, words := s.http.brokenWords(e.unanswered.x, e.unanswered.end)
			s.move(e.shake, outcome{to: Failed, says: saying(words), told: true})
		}
		s.link.fail(e.unfit)
	case e.unanswered == nil && e.refused == nil: // it had its time before server/discover was asked once more
		s.link.fail(s.link.unanswered(e.shake.Method, e.shake.Idle))
	case e.unanswered == nil:
		if e.IsForeign() {
			e.refused.Text += "; " + e.unfit.Text
		}
		s.link.fail(e.refused)
	default:
		s.onInitializeUnanswered(*e.unanswered)
	}
}

// refusedInitialize is what the words for a refused initialize begin with, before the error.
const refusedInitialize = "the server refused " + methodInitialize

// NotStarted tells that the server, which was to be started again, could not be.
type NotStarted struct {
	never
	Why string `json:"why"`
}

func (in NotStarted) apply(s *Session) Reply {
	if s.conn.phase != Disconnected {
		return Reply{}
	}
	s.dropUnsent()
	s.link.onNotStarted(validText(in.Why))
	return Reply{}
}

func (in NotStarted) masked(m masker) Input {
	in.Why = m.text(in.Why)
	return in
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
	s.cfg.Pin = in.Revision
	s.link.forget()
	s.dropUnsent()
	return Reply{}
}

// onInitializeUnanswered takes the end of an exchange that was to begin a connection: with a
// server of 2024-11-05, another transport follows.
func (s *Session) onInitializeUnanswered(b unansweredInitialize) {
	if s.http.mayTryOld(b.x) {
		s.tryOld(b.c, b.x, b.end)
		return
	}
	s.link.fail(s.failUnansweredInitialize(b))
}

// failUnansweredInitialize ends the row of such an exchange, and returns what it means for the
// connection.
func (s *Session) failUnansweredInitialize(b unansweredInitialize) *Failure {
	c, e, end := b.c, b.x, b.end
	fl := &Failure{Kind: FailHTTP, Hint: end.Hint}
	switch {
	case e.opened:
		_, words := s.http.brokenWords(e, end)
		fl.Text = fmt.Sprintf("no handshake at %s: %s", s.cfg.Endpoint, words)
		if c.Method == methodDiscover { // in a revision without one, which the user has pinned
			fl.Text = fmt.Sprintf("no answer to server/discover at %s: %s", s.cfg.Endpoint, words)
		}
	default:
		fl.Text = fmt.Sprintf("no connection to %s: %s", s.cfg.Endpoint, end.words())
	}
	if fl.Hint == "" {
		fl.Hint, fl.Remedy = s.cfg.hintFor(e)
	}
	if !c.state.IsTerminal() {
		s.move(c, outcome{to: Failed, says: saying(fl.Text)})
	}
	return fl
}

// tryOld looks for the two endpoints. What decides from then on comes of them alone: a server/discover
// that is out has had its time.
func (s *Session) tryOld(c *call, e *exchange, end End) {
	s.event(fmt.Sprintf("HTTP %d to initialize: falling back to HTTP+SSE of 2024-11-05", e.head.Status))
	s.abandonDiscover("HTTP+SSE of 2024-11-05 is tried", 0)
	s.http.fallBack(statusWords(e.head, end))
	s.http.queueGet(s.http.begin(roleEvents, nil))
	s.timers.Set(once(dueEndpoint), s.now.Add(endpointLimit))
	s.conn.era.onUnanswered(nil)
	s.conn.era.OnInitializeAgain()
	if c.state.IsTerminal() { // while server/discover was waited for
		s.writer.offer(s.conn.era.Asked())
		s.passOver(c, c.remark.text+": falling back to HTTP+SSE")
		s.conn.era.awaitInitialize(s.newCall(CallSpec{Method: methodInitialize, Params: s.writer.initializeParams(), Origin: FromHandshake, Max: -1}, nil))
		return
	}
	s.writer.request(c)
	s.note(c, "falling back to HTTP+SSE")
}

func (s *Session) onNegotiated(r *mcp.InitializeResult) {
	rev := mcp.Revision(r.Version)
	if s.conn.mayNotAgree(rev) {
		s.link.fail(s.conn.wrongRevision(rev))
		return
	}
	p := &pending{class: classHandshake, method: notifyInitialized, kind: EntNotification}
	p.Data = mcp.AppendNotification(nil, notifyInitialized, nil)
	s.out.enqueue(p)
	s.useRevision(rev, mcp.ServerInfo{
		Name: r.Name, Title: r.Title, Version: r.ServerVer, Instructions: r.Instructions,
		Capabilities: r.Capabilities, Has: r.Has,
	})
}

// useRevision makes the connection ready: the revision is known, and the server.
func (s *Session) useRevision(rev mcp.Revision, server mcp.ServerInfo) {
	s.link.onAgreed(rev, server)
	if !s.cfg.StartIsIdle {
		s.processes.Ready(s.now)
	}
	if rev.IsModern() {
		s.http.abandonOlderTransport()
	}
	s.writer.reencode()
	s.pings.startPings()
	s.incoming.startRootChecks()
	held := s.incoming.deferred
	s.incoming.deferred = nil
	answer := s.hist.cur
	for _, in := range held {
		s.hist.about(in.entry)
		s.incoming.serve(in)
	}
	s.hist.about(answer)
	s.makeUnsent()
	s.fetchLists()
	s.subscribeToLists()
	s.resubscribeCarried()
}

// onInitialize takes the answer to the handshake, which may have to wait for that
// to server/discover.
func (s *Session) onInitialize(c *call, f *mcp.Frame) {
	if s.conn.phase != Connecting {
		return // the user has left meanwhile: an answer does not bring the connection back
	}
	var refused *Failure
	if f.Kind == mcp.FrameError {
		if len(f.Error.Supported()) > 0 {
			s.link.refuses(s.conn.era.Asked())
		}
		refused = s.http.refusedHandshake(f, s.link.refused)
	}
	g := s.link.readGreeting(c, f, refused)
	s.http.tellBoth()
	s.follow(c, s.conn.era.OnInitialize(s.now, g), "")
}

// readGreeting reads the answer to initialize, and keeps what is needed of it when the other
// answer has come. Refused is what an error means.
func (k *link) readGreeting(c *call, f *mcp.Frame, refused *Failure) negotiate.Greeting {
	e, g := k.conn.era, negotiate.Greeting{Begun: true}
	switch {
	case refused != nil:
		e.refused = refused
		return negotiate.Greeting{Listed: refused.Supported, Already: negotiate.SaysAlready(f.Error.Message)}
	case c.state != Done || f.Init == nil:
		g.Unfit = true
		e.refused = &Failure{
			Kind: FailHandshake, Text: "the answer to initialize is not an initialize result",
			Remedy: Remedy{Kind: RemedyWire},
		}
	case len(f.Init.Missing) > 0:
		g.Unfit = true
		missing := strings.Join(f.Init.Missing, ", ")
		k.diagnose(mcp.DiagHandshake, c.id, "", missing)
		e.refused = &Failure{
			Kind: FailHandshake, Text: "the answer to initialize lacks or garbles: " + missing,
			Remedy: Remedy{Kind: RemedyWire},
		}
	default:
		e.greeted = f.Init
		rev := mcp.Revision(f.Init.Version)
		g.Revision = rev
		g.Unfit = rev.IsModern() && k.conn.mayNotAgree(rev)
	}
	return g
}
