package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// Found is how the revision of a connection was found.
type Found uint8

// The ways to a revision (VER-52).
const (
	NotFound        Found = iota
	FoundPinned           // the user named it: nothing else was tried
	FoundDiscovered       // server/discover was answered with it
	FoundListed           // the server refused another one, and listed this
	FoundFallback         // the server does not know server/discover: initialize agreed on it
	FoundCached           // as this server was found earlier in the run, without another probe
	FoundNegotiated       // initialize agreed on it: no probe was wanted, or the server lists others
)

var foundWords = [...]string{
	FoundPinned: "pinned", FoundDiscovered: "discovered", FoundListed: "listed", FoundFallback: "fallback",
	FoundCached: "cached", FoundNegotiated: "negotiated",
}

func (f Found) String() string {
	if int(f) < len(foundWords) {
		return foundWords[f]
	}
	return ""
}

// era is how far a connection has come in finding out what the server speaks.
type era struct {
	found        Found
	listed       []string     // the revisions that the server listed; nil: it did not
	pin          mcp.Revision // the only revision that this connection may have; empty: any
	version      mcp.Revision // that the opening request names
	probe        *call        // server/discover, while its answer decides
	renegotiated bool         // it was asked once more in mid-session
	secondProbe  bool         // another version was tried, or the probe was sent again: there is no third
	late         bool         // the probe was answered after it was given up
	refused      *Failure     // what became of initialize, when the probe was sent once more for that
	needs        []Capability // that the server wants declared, beside those that belay declares anyway
	startedAgain bool         // the server was, as it ended on the probe
	unclear      string       // what became of a probe on which the server failed or hung up: any may
}

// finding is what came back for the probe.
type finding uint8

const (
	findModern   finding = iota // a proper answer: the server lists its revisions
	findVersions                // not this revision, but those that the error lists
	findRefused                 // a server of the modern era that refuses the request
	findLegacy                  // a server that does not know server/discover
	findNothing                 // the request was not let through to the server
)

// judge says what an answer to server/discover means: f is the message, or nil
// when there was none or it was no JSON-RPC, and status is that of HTTP, or 0 on
// stdio. No other code, body or status keeps belay from the handshake, but that
// somebody is refused before the server is asked (VER-31 … VER-37).
func judge(f *mcp.Frame, status int) finding {
	if f != nil && f.Kind == mcp.FrameResult && f.Discover != nil && !oddlyTyped(f) {
		return findModern
	}
	if f != nil && f.Kind == mcp.FrameError {
		switch f.Error.Code {
		case mcp.CodeUnsupportedVersion:
			return findVersions
		case mcp.CodeHeaderMismatch, mcp.CodeMissingCapability:
			return findRefused
		}
	}
	if status == statusUnauthorized || status == statusForbidden || status == statusProxyLogin {
		return findNothing
	}
	return findLegacy
}

// oddlyTyped says whether the answer to server/discover has a type that makes it
// none. Nothing can be asked for there.
func oddlyTyped(f *mcp.Frame) bool {
	return f.Shape.Members[mcp.MemResultType] != 0 && f.Shape.ResultType != resultComplete
}

// negotiate begins to find out what the server speaks: with server/discover, or
// with initialize where that is what the user wants or what is known of the
// server (VER-27, VER-28, VER-33).
func (s *Session) negotiate() {
	known := s.known
	s.known = NotFound
	s.conn.era.pin = s.cfg.Pin
	switch pin := s.cfg.Pin; {
	case pin.Modern():
		s.discover(pin, FoundPinned)
	case pin != "":
		s.greet(pin, FoundPinned)
	case s.cfg.Probe < 0:
		s.greet(mcp.Handshakes()[0], FoundNegotiated)
	case known != NotFound:
		s.conn.era.startedAgain = known == FoundFallback
		s.greet(mcp.Handshakes()[0], known)
	default:
		s.discover(mcp.Supported()[0], FoundDiscovered)
	}
}

// greet begins the handshake, offering a revision.
func (s *Session) greet(offer mcp.Revision, found Found) {
	s.conn.era.found, s.conn.era.version = found, offer
	s.conn.declared, s.conn.envelope = s.cfg.declares(offer), nil
	s.newCall(Call{Method: "initialize", Params: s.initializeParams(), Origin: FromHandshake, Max: -1})
}

// discover asks the server what it is, in a modern revision. Unless that was
// pinned, the answer has to come soon: a server of the other era may not answer
// what it does not know.
func (s *Session) discover(version mcp.Revision, found Found) {
	e := &s.conn.era
	e.found, e.version = found, version
	s.redeclare(version)
	spec := Call{Method: "server/discover", Origin: FromHandshake, Max: -1}
	if s.conn.era.pin == "" {
		spec.Idle, spec.Max = -1, s.cfg.Probe
	}
	e.probe = s.newCall(spec)
}

// onDiscover takes what came back for the probe; see [judge].
func (s *Session) onDiscover(c *call, f *mcp.Frame, status int) {
	if s.conn.phase != Connecting || s.conn.era.probe != c {
		return
	}
	s.conn.era.probe = nil
	switch found := judge(f, status); {
	case found == findModern:
		s.choose(c, f.Discover.Versions, f)
	case found == findVersions:
		s.choose(c, rawjson.Strings(f.Error.Data, "supported"), f)
	case found == findRefused:
		s.probeRefused(c, f)
	case found == findNothing, s.conn.era.pin != "" && passing(status):
		s.fail(&Failure{
			Kind: FailRefused, Text: fmt.Sprintf("the server answered server/discover with HTTP status %d", status),
			Hint: "this says nothing of what it speaks", Remedy: Remedy{Kind: RemedyWire},
		})
	default:
		why := legacyWords(f, status)
		if passing(status) {
			s.leavesUnclear(why)
		}
		s.fallBack(c, why)
	}
}

// refusalWords are an error answer with what it says it needs.
func refusalWords(f *mcp.Frame) string {
	text := f.Error.Words()
	if need, ok := rawjson.Lookup(f.Error.Data, "requiredCapabilities"); ok {
		text += "; it requires " + sentence.Clip(string(need))
	}
	return text
}

func legacyWords(f *mcp.Frame, status int) string {
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

// fallBack turns to the handshake: the server does not know the modern era.
// Pinned to that, belay gives up instead.
func (s *Session) fallBack(c *call, why string) {
	if s.conn.era.renegotiated {
		s.leftEra(why)
		return
	}
	if refused := s.conn.era.refused; refused != nil {
		if rev := listsModern(refused); rev != "" {
			s.undiscovered(c, rev, why)
		} else {
			s.fail(refused)
		}
		return
	}
	if s.conn.era.pin != "" {
		s.fail(&Failure{
			Kind: FailRefused, Text: fmt.Sprintf("the server does not speak %s: server/discover was %s", s.conn.era.pin, why),
			Remedy: Remedy{Kind: RemedyAuto},
		})
		return
	}
	c.fellBack = true
	s.note(c, why+": a server with a handshake; falling back to initialize")
	s.event("server/discover was " + why + ": falling back to initialize")
	s.greet(mcp.Handshakes()[0], FoundFallback)
}

// choose takes the newest revision that both sides speak, of those that the
// server lists in its answer f to the probe (VER-25, VER-29, VER-30, VER-51).
func (s *Session) choose(c *call, listed []string, f *mcp.Frame) {
	rev := mutual(listed, s.conn.era.pin)
	e := &s.conn.era
	e.listed = listed
	switch {
	case rev == "" || rev.Modern() && f.Kind == mcp.FrameError && e.secondProbe:
		s.noneInCommon(listed, f)
	case !rev.Modern() && e.renegotiated:
		s.leftEra("answered with " + string(rev) + " only")
	case !rev.Modern():
		c.fellBack = true
		s.note(c, "the server lists "+string(rev)+": it is reached by initialize")
		s.event("server offers legacy " + string(rev) + "; handshaking")
		s.greet(rev, FoundListed)
	case f.Kind == mcp.FrameError:
		e.secondProbe = true
		s.event("server offers " + string(rev) + "; asking again in that revision")
		found := FoundListed
		if s.conn.era.pin != "" {
			found = FoundPinned
		}
		s.discover(rev, found)
	default:
		s.discovered(rev, f.Discover)
		s.checkResult(c, f)
	}
}

// noneInCommon ends a connection on which no revision can be agreed, with both
// lists.
func (s *Session) noneInCommon(listed []string, f *mcp.Frame) {
	fl := &Failure{Kind: FailVersion, Hint: "belay and the server have no revision in common"}
	if f.Kind == mcp.FrameError {
		fl.Code = f.Error.Code
	}
	var words []string
	for _, v := range listed {
		fl.Supported = append(fl.Supported, mcp.Revision(v))
		words = append(words, sentence.Quoted(sentence.Clip(v)))
	}
	theirs := "none of its own"
	if len(words) > 0 {
		theirs = strings.Join(words, ", ")
	}
	fl.Text = fmt.Sprintf("the server refused %s; it lists %s; %s", s.conn.era.version, theirs, s.speaks())
	if f.Kind == mcp.FrameResult {
		fl.Text = fmt.Sprintf("the server speaks %s; %s", theirs, s.speaks())
	}
	for _, r := range fl.Supported {
		if mcp.Supports(r) && s.conn.era.pin != "" && r != s.conn.era.pin {
			fl.Hint, fl.Remedy = "", Remedy{Kind: RemedyPin, Revision: r}
			break
		}
	}
	s.fail(fl)
}

// discovered makes a connection ready without a handshake: the era has none.
func (s *Session) discovered(rev mcp.Revision, d *mcp.DiscoverResult) {
	if len(d.Missing) > 0 {
		s.diagnose(mcp.DiagHandshake, 0, "", strings.Join(d.Missing, ", "))
	}
	s.conn.envelope = s.modernEnvelope(rev)
	s.agreed(rev, d.Server)
	s.lintExtensions()
}

// probeSilent gives the probe up: a server that says nothing to it is one of the
// other era. No cancel is sent for it, as a legacy server must see initialize
// first (VER-31, VER-50).
func (s *Session) probeSilent(c *call) {
	c.clocks = clocks{}
	s.conn.era.probe = nil
	s.move(c, Failed)
	s.retireRequest(c)
	s.fallBack(c, fmt.Sprintf("not answered within %v", c.Max))
}

// lateDiscover takes an answer to a probe that was given up: it is ignored and
// logged (VER-49).
func (s *Session) lateDiscover(r *request, f *mcp.Frame) {
	r.outcome = f.Kind
	s.hist.belongs(r.call.id)
	s.hist.mark(FlagLate)
	s.serverRead(r.order)
	if judge(f, 0) == findModern {
		s.conn.era.late = true
	}
	s.note(r.call, r.call.note+"; answered "+s.now.Sub(r.retired).Round(time.Millisecond).String()+" after that: ignored")
	s.event("late discover result ignored")
}

// probeAgain says whether a handshake that the server refused is due to a wrong
// guess, and then asks what the server is once more: its answer to the probe
// came late, or the guess is from earlier in the run (VER-39).
func (s *Session) probeAgain(refused *Failure) bool {
	e := &s.conn.era
	wrong := e.found == FoundCached || e.found == FoundFallback && (e.late || slices.ContainsFunc(refused.Supported, modernOurs))
	if !wrong || e.secondProbe {
		return false
	}
	e.secondProbe, e.refused = true, refused
	s.web.session = "" // which the refusal may have named
	s.event("the server refused initialize; asking once more what it speaks")
	s.discover(mcp.Supported()[0], FoundDiscovered)
	return true
}

func modernOurs(r mcp.Revision) bool { return r.Modern() && mcp.Supports(r) }

// NotStarted tells that the server, which was to be started again, could not be.
func (s *Session) NotStarted(now time.Time, why string) {
	s.at(now)
	s.journal.notStarted(s.now, why)
	if s.conn.phase != Disconnected {
		return
	}
	s.known, s.conn.again = NotFound, false
	s.conn.failure = &Failure{Kind: FailProcess, Text: "the server could not be started again: " + why, Remedy: Remedy{Kind: RemedyRestart}}
	s.event(s.conn.failure.Text)
}

// endedOnProbe says whether a connection ended because the server would not bear
// the probe: it is to be started again, once, and greeted with initialize
// (VER-48).
func (s *Session) endedOnProbe(byUs bool) bool {
	p := s.conn.era.probe
	return p != nil && !byUs && s.conn.readyAt.IsZero() && s.cfg.Transport == mcp.Stdio && s.conn.era.pin == "" && p.req.order != 0
}

// ignoreRequest is all that happens to a request of the server's in the modern
// era: only the client asks there, so nothing is ever written for it, and nobody
// is asked (BASE-27, BASE-28).
func (s *Session) ignoreRequest(in *incoming) {
	delete(s.theirs.open, in.id)
	s.theirs.remember(in)
	s.diagnose(mcp.DiagServerRequest, 0, in.method, in.method)
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
		r.declared, r.logs = s.declares(c), s.logsFor(c, r.params)
		p.Data, _ = mcp.AppendRequest(nil, r.id, c.Method, r.params, token, s.metaOf(c))
		q.bytes += len(p.Data)
	}
}
