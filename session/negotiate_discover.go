package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/sentence"
)

// onDiscover takes what came back for server/discover; see [negotiate.Judge].
func (s *Session) onDiscover(c *call, f *mcp.Frame, status int) {
	e := s.conn.era
	if s.conn.phase != Connecting || e.discover != c {
		return
	}
	a, words := s.link.readDiscover(f, status), discoverWords(f, status)
	if a.Finding == negotiate.Modern {
		s.lint.checkResult(c, f)
		s.results.noteCache(c, f)
	}
	s.followDiscover(c, a, words)
}

// followDiscover has the machine decide by an answer to server/discover. The exchange of the one before is
// closed, if it is still open: nothing is wanted of it any more.
func (s *Session) followDiscover(c *call, a negotiate.Answer, words string) {
	former := s.conn.era.former
	s.conn.era.awaitDiscover(nil, nil)
	if former != nil {
		s.http.abandonRequest(former)
	}
	step := s.conn.era.OnDiscover(s.now, a)
	if a.Finding == negotiate.OtherEra || a.Finding == negotiate.NotAllowed {
		s.conn.era.noteFate(words)
		s.http.tellBoth()
	}
	if a.Finding == negotiate.OtherEra && step.Do != negotiate.GiveUp {
		told := words
		if !a.Unclear {
			told += ": a server with a handshake"
		}
		if step.Do == negotiate.AskInitialize {
			told += "; falling back to initialize"
		}
		s.passOver(c, told)
	}
	s.follow(c, step, words)
}

// onHangUp takes the end of an exchange on which the server hung up on server/discover.
func (s *Session) onHangUp(c *call, end End) {
	why := "not answered: " + end.words()
	s.conn.noteUnclear(why)
	s.followDiscover(c, negotiate.Answer{Finding: negotiate.OtherEra, Unclear: true}, why)
}

// onDiscoverTimeout takes it that server/discover is not answered in time. It may still be, by a server that
// takes its time to start: it stays out beside initialize, as no cancel is sent for it (VER-31,
// VER-50; basic/transports/stdio).
func (s *Session) onDiscoverTimeout(c *call) {
	e := s.conn.era
	words := fmt.Sprintf("not answered within %v", c.Max)
	step := e.OnSilence()
	if step.Do != negotiate.AskInitialize {
		s.abandonDiscover("it had "+c.Max.String(), 0)
	}
	s.follow(c, step, words)
}

// readDiscover reads an answer to server/discover, and keeps what may be needed of it
// when the other answer has come.
func (k *link) readDiscover(f *mcp.Frame, status int) negotiate.Answer {
	e := k.conn.era
	a := negotiate.Answer{Finding: negotiate.Judge(f, status)}
	switch a.Finding {
	case negotiate.Modern:
		a.Listed = f.Discover.Versions
		e.discovered = f.Discover
		e.unfit = k.conn.noneInCommon(a.Listed, f)
	case negotiate.Versions:
		a.Listed = f.Error.Supported()
		e.unfit = k.conn.noneInCommon(a.Listed, f)
	case negotiate.Refused:
		a.Correctable = k.readRefusal(f)
	case negotiate.NotAllowed:
		e.unfit = statusFailure(status)
	case negotiate.OtherEra:
		e.unfit = &Failure{
			Kind: FailRefused, Text: fmt.Sprintf("the server does not speak %s: server/discover was %s", e.Pin(), discoverWords(f, status)),
			Remedy: Remedy{Kind: RemedyAuto},
		}
		if isPassing(status) {
			a.Unclear = true
			e.unfit = statusFailure(status)
			k.conn.noteUnclear(discoverWords(f, status))
		}
	}
	return a
}

func statusFailure(status int) *Failure {
	return &Failure{
		Kind: FailRefused, Text: fmt.Sprintf("the server answered server/discover with HTTP status %d", status),
		Hint: "this says nothing of what it speaks", Remedy: Remedy{Kind: RemedyWire},
	}
}

// readRefusal reads the error of a server of the modern era that refuses server/discover, and
// reports whether what it misses can be declared (VER-36; basic/transports/streamable-http).
func (k *link) readRefusal(f *mcp.Frame) (correctable bool) {
	e := k.conn.era
	fl := &Failure{
		Kind: FailRefused, Code: f.Error.Code,
		Text:   refusalWords(f),
		Remedy: Remedy{Kind: RemedyHandshake, Revision: mcp.Handshakes()[0]},
	}
	caps, foreign := named(f.Error.Required())
	lacking := k.cfg.declares(e.DiscoverRevision()).with(e.required).missing(caps)
	off := slices.IndexFunc(lacking, func(c Capability) bool { return k.cfg.allowing(c) != 0 })
	switch {
	case f.Error.Code == mcp.CodeHeaderMismatch && k.cfg.Transport == mcp.HTTP:
		fl.Hint = fmt.Sprintf("belay sent %s: %s and %s: server/discover, as the body says; does a proxy change header fields?",
			headerVersion, e.DiscoverRevision(), headerMethod)
	case f.Error.Code == mcp.CodeHeaderMismatch:
		fl.Hint = "there are no header fields on stdio: the server is wrong"
	case len(foreign) > 0:
		fl.Hint = "belay does not have " + sentence.Clip(strings.Join(foreign, " and "))
	case len(lacking) == 0:
		fl.Hint = "it names no capability that belay did not declare: the server is wrong"
	case off >= 0:
		fl.Remedy = Remedy{Kind: k.cfg.allowing(lacking[off])}
	default:
		e.missing = lacking
		return true
	}
	e.unfit = fl
	return false
}

// refusalWords are a refused server/discover, with what the error says it needs.
func refusalWords(f *mcp.Frame) string {
	text := refusal(methodDiscover, &f.Error)
	if needs := f.Error.Needs(); needs != "" {
		text += "; it requires " + needs
	}
	return text
}

// discoverWords say what came back for server/discover, where that was no answer of the
// modern era.
func discoverWords(f *mcp.Frame, status int) string {
	switch {
	case f != nil && f.Kind == mcp.FrameError:
		return "answered with error " + f.Error.CodeWords()
	case f != nil && f.Kind == mcp.FrameResult && f.Discover != nil:
		return "answered with " + typeWords(f)
	case f != nil:
		return "answered with something else"
	}
	return fmt.Sprintf("answered with HTTP status %d", status)
}

// noneInCommon is what is told of a server with which no revision can be agreed,
// with both lists.
func (n *connection) noneInCommon(listed []string, f *mcp.Frame) *Failure {
	e := n.era
	fl := &Failure{Kind: FailVersion, Hint: "belay and the server have no revision in common"}
	if f.Kind == mcp.FrameError {
		fl.Code = f.Error.Code
	}
	for _, v := range listed {
		fl.Supported = append(fl.Supported, mcp.Revision(v))
	}
	theirs := "none of its own"
	if len(listed) > 0 {
		theirs = sentence.QuotedList(listed)
	}
	fl.Text = fmt.Sprintf("the server refused %s; it lists %s; %s", e.DiscoverRevision(), theirs, n.speaks())
	if f.Kind == mcp.FrameError && e.Pin() == "" {
		fl.Remedy = Remedy{Kind: RemedyHandshake, Revision: mcp.Handshakes()[0]}
	}
	if f.Kind == mcp.FrameResult {
		fl.Text = fmt.Sprintf("the server speaks %s; %s", theirs, n.speaks())
	}
	if f.Kind == mcp.FrameError && slices.Contains(listed, string(e.DiscoverRevision())) {
		fl.Kind, fl.Hint = FailRefused, ""
		fl.Text = fmt.Sprintf("the server refuses %s, which it lists itself; it lists %s; %s", e.DiscoverRevision(), theirs, n.speaks())
		fl.Supported = slices.DeleteFunc(fl.Supported, func(r mcp.Revision) bool { return r == e.DiscoverRevision() })
	}
	if r := newestOther(fl.Supported, e.Pin()); r != "" && e.Pin() != "" {
		fl.Hint, fl.Remedy = "", Remedy{Kind: RemedyPin, Revision: r}
	}
	return fl
}

// noteUnclear notes what became of the first server/discover of a connection, where that
// says nothing of the era: a server that fails on server/discover, or hangs up on it,
// may be of either. It is greeted, as anything but an error of the modern era
// leads to the handshake.
func (n *connection) noteUnclear(why string) {
	if e := n.era; !e.IsMidway() && e.refused == nil {
		e.unclear = why
	}
}

// mayInitialize reports whether the handshake follows the end of the exchange x of server/discover. A
// server that no request could reach gets no initialize either, and a failing server may still
// speak the revision that the user has pinned. Where the handshake is out already, it decides.
func (n *connection) mayInitialize(x *exchange, end End) bool {
	e := n.era
	pinned := e.Pin() != ""
	if x.hasHungUp(end) {
		return e.IsBeside() || x.started && !pinned
	}
	status := x.head.Status
	return e.IsBeside() || negotiate.Judge(nil, status) != negotiate.NotAllowed && status/100 != 3 && !(pinned && isPassing(status))
}

// onLateDiscover takes an answer to a server/discover that was given up. Where it was asked once more,
// and is awaited, the revision is agreed on by the answer to the first one. After a handshake a server
// that turns out to be of the modern era is begun with again, unless the connection was used
// already: then it is remembered for the next one.
func (s *Session) onLateDiscover(r *request, f *mcp.Frame) {
	s.outgoing.onAnswer(r, requestAnswer{kind: f.Kind, message: s.hist.cur}, s.now)
	s.hist.setCall(r.call.id)
	s.hist.mark(FlagLate)
	s.unconfirmed.onServerRead(r.order, r.method)
	e := s.conn.era
	late := s.now.Sub(r.retired)
	told := r.call.remark.text + "; answered " + late.Round(time.Millisecond).String() + " after that"
	a := negotiate.Answer{Finding: negotiate.Judge(f, 0)}
	switch a.Finding {
	case negotiate.Modern:
		a.Listed = f.Discover.Versions
	case negotiate.Versions:
		a.Listed = f.Error.Supported()
	default:
	}
	if s.conn.phase == Connecting && e.discover != nil && !e.IsMidway() && a.Finding == negotiate.Modern && negotiate.Mutual(a.Listed, e.Pin()).IsModern() {
		s.note(r.call, told)
		s.abandonDiscover("the one before was answered", 0)
		a, words := s.link.readDiscover(f, s.http.via.status()), discoverWords(f, s.http.via.status())
		s.lint.checkResult(r.call, f)
		s.results.noteCache(r.call, f)
		s.followDiscover(r.call, a, words)
		return
	}
	if s.conn.phase != Ready || s.conn.rev.IsModern() {
		s.note(r.call, told)
		s.event("late answer to server/discover: it changes nothing")
		return
	}
	step := e.OnLate(a, s.now.Sub(s.conn.readyAt), s.conn.used || s.incoming.waiting > 0)
	listed := negotiate.Mutual(a.Listed, e.Pin())
	s.link.remember()
	switch {
	case step.Do == negotiate.BeginAgain:
		s.note(r.call, told)
		s.follow(r.call, step, "")
	case s.link.known.Begin == negotiate.WithDiscover && listed != "" && !listed.IsModern():
		s.advise(r.call, told+": the server lists "+string(listed)+", and the next connection begins with server/discover, to be asked in that", reconnectRemedy(s.cfg.Transport))
		s.event("late answer to server/discover: the next connection begins with it")
	case s.link.known.Begin == negotiate.WithDiscover:
		s.advise(r.call, told+": the server speaks a revision without a handshake, too, and the next connection begins with that", reconnectRemedy(s.cfg.Transport))
		s.event("late answer to server/discover: the next connection begins with it")
	default:
		s.note(r.call, told+": ignored")
		s.event("late answer to server/discover: it changes nothing")
	}
}

// renegotiate asks the server once more for its revisions, after the server refused
// the agreed revision in mid-session, as after a deployment of a newer build. Calls
// in flight are kept, and new calls wait. It happens once a connection; the refused
// call is not repeated automatically (VER-55).
func (s *Session) renegotiate(c *call, f *mcp.Frame) {
	e := s.conn.era
	if s.conn.phase != Ready || !s.conn.rev.IsModern() || c.Origin == FromHandshake {
		return
	}
	rev := negotiate.Mutual(f.Error.Supported(), e.Pin())
	switch {
	case e.IsMidway():
		s.advise(c, "the server refuses the revision once more", reconnectRemedy(s.cfg.Transport))
		return
	case rev == "":
		s.note(c, "the server refuses the revision that it had agreed to, and lists none that belay may use")
		return
	case !rev.IsModern():
		s.advise(c, "the server refuses the revision that it had agreed to", Remedy{Kind: RemedyRestartIn, Revision: rev})
		return
	}
	s.advise(c, "the server refuses the revision that it had agreed to: negotiated anew", Remedy{Kind: RemedyRepeat})
	s.link.onRevisionRefused()
	e.forgetGreeting()
	e.awaitInitialize(nil)
	s.follow(nil, e.Anew(rev), "")
}
