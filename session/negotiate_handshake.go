package session

import (
	"fmt"
	"slices"
	"strings"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// Connect begins a new epoch: the connection is there, and server/discover or
// initialize waits in Next. Rows of earlier epochs stay as they are. A
// connection that comes after Quit is only closed: nothing is written to it.
type Connect struct{ never }

func (Connect) apply(s *Session) Reply {
	if s.conn.phase != Disconnected {
		s.broken("connect while %v", s.conn.phase)
		s.onDisconnected(Close{ByUs: true, Status: "replaced by a new connection"})
	}
	return Reply{Epoch: s.connect()}
}

// connect begins an epoch.
func (s *Session) connect() Epoch {
	s.conn = connection{epoch: s.conn.epoch + 1, phase: Connecting, started: s.now}
	s.out.epoch, s.subs.ownOver = s.conn.epoch, false
	s.http.reset()
	s.arriving = partialMessage{}
	s.event(fmt.Sprintf("connection %d", s.conn.epoch))
	if s.quitting {
		s.disconnectAll(cancel.ByQuit, "belay is quitting")
		return s.conn.epoch
	}
	s.negotiate()
	return s.conn.epoch
}

// initializeParams declares what belay can do and nothing else (VER-02,
// RTS-01).
func (w *writer) initializeParams() []byte {
	rev := w.conn.era.Asked()
	b := rawjson.AppendQuote([]byte(`{"protocolVersion":`), string(rev))
	b = w.conn.declared.capabilities(append(b, `,"capabilities":`...), rev)
	b = w.cfg.clientInfo(append(b, `,"clientInfo":`...), rev)
	return append(b, '}')
}

// onInitialize takes the answer to the handshake, which may have to wait for that
// to server/discover.
func (s *Session) onInitialize(c *call, f *mcp.Frame) {
	if s.conn.phase != Connecting {
		return // the user has left meanwhile: an answer does not bring the connection back
	}
	e := &s.conn.era
	g := negotiate.Greeting{Begun: true}
	switch {
	case f.Kind == mcp.FrameError:
		e.refused = s.http.refusedHandshake(f)
		g.Begun, g.Listed = false, e.refused.Supported
	case c.state != Done || f.Init == nil:
		e.refused = &Failure{
			Kind: FailHandshake, Text: "the answer to initialize is not an initialize result",
			Remedy: Remedy{Kind: RemedyWire},
		}
	case len(f.Init.Missing) > 0:
		missing := strings.Join(f.Init.Missing, ", ")
		s.diagnose(mcp.DiagHandshake, c.id, "", missing)
		e.refused = &Failure{
			Kind: FailHandshake, Text: "the answer to initialize lacks or garbles: " + missing,
			Remedy: Remedy{Kind: RemedyWire},
		}
	default:
		e.greeted = f.Init
	}
	s.follow(c, e.OnInitialize(s.now, g), "")
}

func (s *Session) onNegotiated(r *mcp.InitializeResult) {
	rev := mcp.Revision(r.Version)
	if pin := s.conn.era.Pin(); !slices.Contains(mcp.Handshakes(), rev) || pin != "" && rev != pin {
		wants := sentence.Quoted(r.Version)
		if rev.Modern() && mcp.Supports(rev) {
			wants += ", which has no handshake"
		}
		fl := &Failure{Kind: FailVersion, Text: "server wants " + wants + "; " + s.conn.speaks(), Remedy: Remedy{Kind: RemedyPin}}
		if mcp.Supports(rev) {
			fl.Supported, fl.Remedy.Revision = []mcp.Revision{rev}, rev
		}
		s.link.fail(fl)
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
	s.conn.rev, s.conn.server = rev, server
	s.conn.phase = Ready
	s.conn.readyAt = s.now
	s.conn.era.OnAgreed(rev)
	s.link.known, s.conn.era.unclear = s.conn.era.Memory(), ""
	how := ""
	if found := s.conn.era.Found(); found != negotiate.Negotiated {
		how = ", " + found.String()
	}
	s.event("ready: " + string(rev) + how)
	s.writer.reencode()
	s.pings.startPings()
	s.incoming.startRootChecks()
	held := s.conn.deferred
	s.conn.deferred = nil
	answer := s.hist.cur
	for _, in := range held {
		s.hist.cur = in.entry // what follows is about that message
		s.incoming.serve(in)
	}
	s.hist.cur = answer
	s.makeUnsent()
	s.fetchLists()
	s.subscribeToLists()
	s.resubscribeCarried()
}

// refusedHandshake explains an error answer to initialize, with the revisions
// that the server says it speaks (VER-18).
func (w *exchanges) refusedHandshake(f *mcp.Frame) *Failure {
	fl := &Failure{
		Kind: FailRefused, Code: f.Error.Code,
		Text: "the server refused initialize: " + f.Error.Words(),
		Hint: "its stderr may say more",
	}
	if words := w.cfg.givenRefused(w.via); words != "" {
		fl.Hint = words
	}
	for _, v := range rawjson.Strings(f.Error.Data, "supported") {
		fl.Supported = append(fl.Supported, mcp.Revision(v))
	}
	if len(fl.Supported) > 0 {
		fl.Kind = FailVersion
		fl.Text += "; it speaks " + join(fl.Supported)
		fl.Hint = "none of them is one that belay speaks (" + join(mcp.Supported()) + ")"
		if i := slices.IndexFunc(fl.Supported, mcp.Supports); i >= 0 {
			fl.Hint, fl.Remedy = "", Remedy{Kind: RemedyPin, Revision: fl.Supported[i]}
		}
	}
	return fl
}

// handshakeTimeout gives up on an opening that is not answered: the connection
// is closed, and no cancel is ever sent for it (TMO-11). Where only the probe
// was not answered, the handshake follows.
func (s *Session) handshakeTimeout(c *call) {
	if s.conn.era.probe == c && s.conn.era.Pin() == "" && s.conn.phase == Connecting {
		s.onProbeSilent(c)
		return
	}
	c.stopClocks(&s.timers)
	if c == s.conn.era.shake && s.conn.phase == Connecting {
		if step := s.conn.era.OnMute(); step.Do == negotiate.BeginAgain {
			s.follow(c, step, "not answered within "+c.Idle.String())
			return
		}
	}
	s.link.fail(&Failure{
		Kind: FailTimeout, Text: fmt.Sprintf("no answer to %s within %v", c.Method, c.Idle),
		Hint: "is it an MCP server that speaks over stdin and stdout? its stderr may say more",
	})
}

// Quit cancels everything in flight (CXL-33), gives the cancels a second to be written, and then
// asks for the connection to be closed. No verdict is awaited, and nothing is
// sent for the handshake.
type Quit struct{ never }

func (Quit) apply(s *Session) Reply {
	s.quitting = true
	s.disconnectAll(cancel.ByQuit, "belay is quitting")
	return Reply{}
}

// Disconnect ends the connection in the same way, without ending the program.
// The reason goes to the server with the cancels.
type Disconnect struct {
	never
	Reason string `json:"reason,omitempty"`
}

func (in Disconnect) apply(s *Session) Reply {
	s.disconnectAll(cancel.ByDisconnect, validText(in.Reason))
	return Reply{}
}

func (s *Session) disconnectAll(by cancel.Initiator, reason string) {
	if s.conn.reconnect {
		s.conn.reconnect, s.link.known.Again = false, false
		s.dropUnsent()
		s.conn.failure = &Failure{Kind: FailClosed, Text: "left before the server was started again", Remedy: reconnectRemedy(s.cfg.Transport)}
	}
	if s.conn.phase == Disconnected || s.conn.phase == Closing {
		return
	}
	if s.conn.phase == Connecting && s.conn.failure == nil {
		before := "the server answered " + s.conn.opening()
		if s.http.login != 0 {
			before = "anybody had logged in"
		}
		s.conn.failure = &Failure{Kind: FailClosed, Text: "left before " + before}
	}
	s.stopAll(by, reason)
	s.link.close(quitLimit)
}

// Closed ends the connection of an epoch. Queued messages are dropped, running
// calls are lost, and calls under cancellation end with the verdict that the
// evidence allows. Rows stay, and nothing is written for the prompts.
type Closed struct {
	never
	Epoch Epoch `json:"epoch"`
	Why   Close `json:"why"`
}

func (in Closed) apply(s *Session) Reply {
	if in.Epoch == s.conn.epoch && s.conn.phase != Disconnected {
		s.onDisconnected(in.Why)
	}
	return Reply{}
}

func (s *Session) onDisconnected(why Close) {
	byUs := why.ByUs || s.conn.closeSent
	phase := s.conn.phase
	if phase == Connecting && !byUs && s.conn.readyAt.IsZero() {
		s.link.endedWhileConnecting(why)
	}
	if s.conn.reconnect {
		s.keepUnsent()
	} else {
		s.dropUnsent()
	}
	s.conn.phase = Disconnected
	s.out.clear()
	for c := s.rows.oldest; c != nil; {
		next := c.next
		s.endWithConnection(c, why, byUs)
		c = next
	}
	for _, in := range s.incoming.prompts {
		if in.state == Waiting || s.incoming.open[in.id] == in {
			s.endPrompt(in, PromptLost)
			s.logLost(in)
		}
	}
	s.pings.probe, s.unsure.calls, s.conn.deferred, s.conn.roots = nil, nil, nil, rootCheck{}
	s.outgoing.forget()
	s.incoming.forget()
	s.catalog.lost()
	s.http.closeExchanges()
	s.timers.StopAll(ofConnection...)
	s.link.explainEnd(phase, why, byUs)
}

// endWithConnection ends a call whose connection is gone.
func (s *Session) endWithConnection(c *call, why Close, byUs bool) {
	switch c.state {
	case Queued:
		c.note = "the connection ended before it was sent"
		if s.conn.reconnect && c.isUnsent() {
			c.note = "not sent: the server is begun with once more, and it is made then"
		}
		if c.sub != nil && c.sub.again.goesOnFor != 0 {
			s.subs.carryOver(c)
		}
		s.move(c, Dropped)
	case Cancelling:
		c.isUnfinished(s.arriving, s.conn.trips.Bound())
		if why.renewed {
			c.stop.SessionOver(s.now, why.Status)
		} else if !byUs {
			c.stop.Died(s.now, why.ending(""))
		}
		switch st := c.stop; {
		case st.IsRejected():
			st.GiveUp(s.now, "")
		case st.WrittenAt().IsZero():
			st.GiveUp(s.now, "the connection ended")
		}
		s.moment(c, MomentView{Dir: Local, Kind: MomEnd, Text: why.words()})
		s.end(c)
	default:
		s.conn.endWait(&s.timers, c) // the prompts of a round end with the connection
		to, note := Lost, "the connection ended: "+why.words()
		if byUs && c.sub.isStanding() { // nothing is lost that was to come
			to, note = Done, "it stood until belay left"
		}
		if s.subs.carryOver(c) {
			note += beginsNext
		}
		c.note = note
		if why.renewed && c.Origin == FromUser && c.sub == nil {
			c.annotate(note, Remedy{Kind: RemedyRepeat})
		}
		s.moment(c, MomentView{Dir: Local, Kind: MomEnd, Text: why.words()})
		s.move(c, to)
		s.retireRequest(c)
	}
}
