package negotiate

import (
	"regexp"
	"slices"
	"time"

	"belay/session/mcp"
)

const (
	// OtherWait is how long the first of two answers waits for the other one.
	OtherWait = time.Second

	// LongestLate is how long after the handshake an answer to server/discover may
	// still have the connection begun again.
	LongestLate = time.Minute
)

const (
	// leastPatience is the least time for server/discover at a server that has
	// answered it before, or that refuses initialize, so that there is nothing else to
	// go on with: it is up to the server then how long it takes. It is the least time for initialize,
	// too, at a server that may not have started.
	leastPatience = 2 * time.Minute

	// openPatience is the same at a server that has had initialize in vain, and at one that refuses initialize
	// with a list of revisions.
	openPatience = 10 * time.Second

	// foreignPatience is how long a server that lists nothing that belay speaks has to
	// answer initialize: it has started by then.
	foreignPatience = 30 * time.Second
)

// Setup is what a negotiation begins with.
type Setup struct {
	Pin        mcp.Revision  // the only revision that may be agreed on; empty: any
	NoDiscover bool          // server/discover is not asked, but where the pin wants it
	Limit      time.Duration // how long server/discover stays alone before initialize is sent beside it
	Process    bool          // the server is a process that ends with the connection
	Memory     Memory        // what earlier connections have shown
}

// Answer is what came back for server/discover.
type Answer struct {
	Finding     Finding
	Listed      []string // the revisions that the server lists
	Correctable bool     // Refused, for want of capabilities that can be declared
	Unclear     bool     // it says nothing of the server's era: the server failed, or hung up
}

// isModern reports whether a server that gave this answer is to be spoken to in a
// revision without a handshake.
func (a Answer) isModern(pin mcp.Revision) bool {
	switch a.Finding {
	case Modern, Versions:
		return Mutual(a.Listed, pin).IsModern()
	case Refused:
		return a.Correctable
	default:
		return false
	}
}

// isModernError reports whether this answer is an error of the modern era, which rules out the
// handshake unless the error lists a revision with one (VER-30, VER-35; basic/transports/stdio,
// basic/transports/streamable-http).
func (a Answer) isModernError() bool { return a.Finding == Versions || a.Finding == Refused }

// isForeign reports whether this answer lists revisions, and none that belay speaks.
// That is no error: the server may still know the handshake.
func (a Answer) isForeign() bool { return a.Finding == Modern && Mutual(a.Listed, "") == "" }

// Greeting is what came back for initialize.
type Greeting struct {
	Begun  bool           // the server has taken the handshake, whatever the answer is worth
	Unfit  bool           // … and the answer is worth nothing: no connection comes of it
	Listed []mcp.Revision // the revisions that a refusal lists

	Revision mcp.Revision // that the handshake is answered in
	Broke    bool         // over HTTP: there was no answer, but an end or a status
	Unserved bool         // … a status for what nobody serves
	Already  bool         // the refusal says that something was begun before, see [SaysAlready]
}

// already are the words of a server, or of a bridge to one, that took server/discover for the
// beginning.
var already = regexp.MustCompile(`(?i)\balready (?:been )?(?:initiali[sz]ed|started|connected)\b`)

// alreadyMost is how many bytes of an error's message are looked at.
const alreadyMost = 400

// SaysAlready reports whether the message of a refused initialize says that the handshake, or
// what carries it, was begun before: by server/discover, as nothing else came before it.
func SaysAlready(message string) bool {
	return already.MatchString(message[:min(len(message), alreadyMost)])
}

// isDeadEnd reports whether there is nothing to go on with after this answer, and
// nothing in it of what the server speaks.
func (g Greeting) isDeadEnd() bool { return (!g.Begun || g.Unfit) && len(g.Listed) == 0 }

// leg is how far one of the two requests of the opening has come.
type leg uint8

const (
	unasked   leg = iota
	out           // and not answered
	overdue       // server/discover: not answered in time, and out beside initialize
	answered      // server/discover: by a modern server; initialize: by a result
	refused       // server/discover: by a server of another era; initialize: in any other way
	abandoned     // server/discover: not waited for any more
	foreign       // server/discover: answered with revisions that belay does not speak
)

// Machine is the negotiation of one connection. The zero value has not begun.
type Machine struct {
	setup  Setup
	found  Found
	asked  mcp.Revision // in the latest request of the opening
	listed []string     // the revisions that the server lists; nil: it did not

	discover         leg
	discoverRevision mcp.Revision // in which server/discover was asked
	discoverFound    Found
	answer           Answer // to it, while initialize is waited for
	twice            bool   // it was asked again
	unclear          bool   // its answer says nothing of the era
	initialize       leg
	refusal          Greeting // of initialize, or an answer that is unfit
	wasRefused       bool     // initialize was, and server/discover is asked for that reason
	midway           bool     // the revision is negotiated again, in mid-session

	began time.Time
	first time.Duration // until the first answer of any kind; 0: none came
	until time.Time     // until then an answer waits for the other one; zero: none does
	next  Memory
}

// Begin begins the negotiation of a connection.
func (m *Machine) Begin(now time.Time, s Setup) Step {
	*m = Machine{setup: s, began: now, next: s.Memory}
	m.next.Again, m.next.Open = false, false
	m.next.Greeted = ""
	if s.Memory.Mute {
		m.next = Memory{}
	}
	if m.next.Begin == WithInitialize {
		m.next.Patience = 0
	}
	newest := mcp.Handshakes()[0]
	switch known := s.Memory; {
	case s.Pin.IsModern():
		return m.askDiscover(s.Pin, Pinned, Plainly)
	case s.Pin != "":
		return m.askInitialize(s.Pin, Pinned, Plainly)
	case s.NoDiscover:
		return m.askInitialize(newest, Negotiated, Plainly)
	case known.Begin == WithInitialize && known.Again && known.Greeted != "":
		return m.askInitialize(known.Greeted, Fallback, Plainly)
	case known.Begin == WithInitialize && known.Again:
		return m.askInitialize(newest, Fallback, Plainly)
	case known.Begin == WithInitialize:
		return m.askInitialize(newest, Cached, Plainly)
	}
	return m.askDiscover(mcp.Supported()[0], Discovered, Plainly)
}

func (m *Machine) askDiscover(rev mcp.Revision, as Found, why Why) Step {
	m.discover, m.discoverRevision, m.discoverFound = out, rev, as
	m.asked, m.found = rev, as
	limit := max(m.setup.Limit, m.setup.Memory.Patience)
	switch {
	case m.setup.Pin != "":
		limit = 0
	case why == NotGreeted && m.refusal.isDeadEnd() && !m.setup.Memory.Open:
		limit = max(limit, leastPatience)
	}
	return Step{Do: AskDiscover, Revision: rev, Limit: limit, Why: why}
}

func (m *Machine) askInitialize(offer mcp.Revision, as Found, why Why) Step {
	m.initialize, m.asked, m.found = out, offer, as
	step := Step{Do: AskInitialize, Revision: offer, Why: why}
	if m.discover == overdue || m.first == 0 && m.setup.Memory.Again {
		step.Least = leastPatience // how fast a server starts must not decide what it speaks
	}
	return step
}

func (m *Machine) heard(now time.Time) {
	if m.first == 0 {
		m.first = max(now.Sub(m.began), 1)
	}
}

// OnSilence takes it that server/discover was not answered within its limit. It
// stays out: a server that is still starting will read it.
func (m *Machine) OnSilence() Step {
	m.discover = overdue
	step := m.otherEra(Silent)
	if step.Do != AskInitialize {
		m.discover = abandoned
	}
	return step
}

// OnDiscover takes the answer to server/discover.
func (m *Machine) OnDiscover(now time.Time, a Answer) Step {
	m.heard(now)
	m.unclear = a.Unclear && !m.midway && !m.wasRefused
	if m.discover != overdue {
		m.discover = refused
		return m.alone(now, a)
	}
	m.until = time.Time{}
	if a.isModern(m.setup.Pin) {
		m.discover, m.answer = answered, a
		switch m.initialize {
		case answered:
			return m.beginAgain(WithDiscover, Both)
		case refused:
			return m.notGreeted(now)
		default:
			m.until = now.Add(OtherWait)
			return Step{}
		}
	}
	m.discover, m.listed = refused, a.Listed
	rev := Mutual(a.Listed, m.setup.Pin)
	switch {
	case a.isForeign():
		return m.onForeign(now)
	case a.isModernError() && rev == "":
		return m.giveUp(ByDiscover)
	}
	switch m.initialize {
	case answered:
		return m.settle()
	case refused:
		switch {
		case rev != "" && rev != m.asked:
			return m.askInitialize(rev, FoundListed, Listed)
		case rev != "":
			return m.giveUp(ByDiscover)
		}
		return m.refusedInitialize()
	default:
		return Step{}
	}
}

// onForeign takes a list without a revision that belay speaks, while initialize is out
// or answered. That decides then, as it does where the list came first.
func (m *Machine) onForeign(now time.Time) Step {
	m.discover = foreign
	if m.initialize == out {
		m.until = now.Add(foreignPatience)
		return Step{}
	}
	return m.settle()
}

// alone decides by an answer to server/discover beside which no handshake is open.
func (m *Machine) alone(now time.Time, a Answer) Step {
	switch a.Finding {
	case Modern, Versions:
		return m.choose(now, a)
	case Refused:
		if a.Correctable {
			return m.askDiscover(m.discoverRevision, m.discoverFound, Declares)
		}
		return m.giveUp(ByDiscover)
	case NotAllowed:
		return m.giveUp(ByDiscover)
	default:
		return m.otherEra(NotModern)
	}
}

// notGreeted goes on in the modern era with a server that refuses initialize, and
// that has answered server/discover on the same connection.
func (m *Machine) notGreeted(now time.Time) Step {
	m.wasRefused = true
	m.asked, m.found = m.discoverRevision, m.discoverFound
	return m.alone(now, m.answer)
}

// choose takes the newest revision that both sides speak, of those that the server lists (VER-25,
// VER-29, VER-30, VER-51; basic/versioning, basic/transports/stdio). A server that lists none is
// tried with initialize, which a server that starts slowly gets in any case.
func (m *Machine) choose(now time.Time, a Answer) Step {
	rev := Mutual(a.Listed, m.setup.Pin)
	m.listed = a.Listed
	isError := a.Finding == Versions
	switch {
	case a.isForeign() && m.setup.Pin == "" && !m.midway && !m.wasRefused:
		m.discover, m.until, m.next = foreign, now.Add(foreignPatience), Memory{}
		return m.askInitialize(mcp.Handshakes()[0], Fallback, Foreign)
	case rev == "" || rev.IsModern() && isError && m.twice:
		return m.giveUp(ByDiscover)
	case !rev.IsModern() && m.midway:
		return m.giveUp(ByEra)
	case !rev.IsModern():
		return m.askInitialize(rev, FoundListed, Listed)
	case isError:
		m.twice = true
		return m.askDiscover(rev, m.asListed(), Offered)
	}
	m.asked = rev
	return Step{Do: UseModern, Revision: rev}
}

func (m *Machine) asListed() Found {
	if m.setup.Pin != "" {
		return Pinned
	}
	return FoundListed
}

// otherEra turns to the handshake, unless that is ruled out: the server does not
// know the modern era, or does not say so.
func (m *Machine) otherEra(why Why) Step {
	switch {
	case m.midway:
		return m.giveUp(ByEra)
	case m.wasRefused:
		if rev := NewestModern(m.refusal.Listed); rev != "" {
			m.asked, m.found = rev, FoundListed
			return Step{Do: UseUndiscovered, Revision: rev}
		}
		return m.giveUp(ByInitialize)
	case m.setup.Pin != "":
		return m.giveUp(ByDiscover)
	}
	m.next = Memory{}
	return m.askInitialize(mcp.Handshakes()[0], Fallback, why)
}

// OnInitialize takes the answer to initialize.
func (m *Machine) OnInitialize(now time.Time, g Greeting) Step {
	m.heard(now)
	m.until = time.Time{}
	m.refusal = g
	if m.initialize = answered; !g.Begun {
		m.initialize = refused
	}
	switch {
	case m.discover == answered && g.Begun:
		return m.beginAgain(WithDiscover, Both)
	case m.discover == answered:
		return m.notGreeted(now)
	case m.discover == overdue:
		m.until = now.Add(m.patience(g))
		return Step{}
	}
	return m.settle()
}

// patience is how long an answer to initialize waits for that to server/discover:
// for minutes, where there is nothing else to go on with, it had none before, and the
// refusal does not say that it is due to server/discover. A server that refuses initialize and lists a
// revision of the modern era has to answer server/discover (VER-25; basic/versioning), and without that
// nothing is known of what it offers.
func (m *Machine) patience(g Greeting) time.Duration {
	begun := g.Already && m.setup.Process && m.mayBeginAgain()
	if g.isDeadEnd() && !begun && m.setup.Memory.Begin != WithDiscover {
		return leastPatience
	}
	if !g.Begun && NewestModern(g.Listed) != "" {
		return openPatience
	}
	return OtherWait
}

// OnTick decides when the time is over for which one answer waited for the other.
func (m *Machine) OnTick(now time.Time) Step {
	if m.until.IsZero() || now.Before(m.until) {
		return Step{}
	}
	m.until = time.Time{}
	switch m.discover {
	case answered:
		return m.beginAgain(WithDiscover, HalfGreeted)
	case foreign:
		return m.giveUp(ByDiscover)
	default:
	}
	m.discover = abandoned
	return m.settle()
}

// settle decides by the answer to initialize alone.
func (m *Machine) settle() Step {
	if m.discover == foreign && m.refusal.isDeadEnd() {
		return m.giveUp(ByDiscover)
	}
	switch rev := m.Listed(); {
	case m.initialize == refused && m.setup.Pin == "" && rev != "" && !rev.IsModern() && rev != m.asked:
		return m.askInitialize(rev, FoundListed, Listed)
	case m.isOutsideList() && m.mayBeginAgain():
		return m.beginAgain(WithDiscover, Unlisted)
	case m.initialize == answered:
		return Step{Do: UseHandshake}
	}
	return m.refusedInitialize()
}

// isOutsideList reports whether the server answered an initialize that was sent before its list
// came, and not in the revision that the list leads to: with more haste it would have been asked
// in that one (VER-51; basic/versioning).
func (m *Machine) isOutsideList() bool {
	rev := m.Listed()
	return m.initialize == answered && rev != "" && !rev.IsModern() && rev != m.asked && (m.refusal.Unfit || rev != m.refusal.Revision)
}

// refusedInitialize decides what becomes of a refused handshake. It may be due to a wrong guess,
// from earlier in the run too (VER-39; basic/versioning), or to server/discover before it.
func (m *Machine) refusedInitialize() Step {
	known := m.setup.Memory
	guessed := m.found == Cached || m.found == Fallback && (NewestModern(m.refusal.Listed) != "" || known.Begin == WithInitialize)
	switch {
	case m.refusal.Broke && !(m.refusal.Unserved && m.found == Cached):
	case guessed && !m.twice:
		m.twice, m.wasRefused, m.next = true, true, Memory{}
		return m.askDiscover(mcp.Supported()[0], Discovered, NotGreeted)
	case m.setup.Process && m.discover != unasked && len(m.refusal.Listed) == 0 && m.mayBeginAgain():
		step := m.beginAgain(WithInitialize, Broken)
		switch {
		case m.discover != abandoned:
		case m.refusal.Already: // server/discover had hardly any time
			m.rememberOpen(leastPatience, m.first)
		default:
			m.rememberOpen(openPatience, m.first)
		}
		return step
	case m.discover != unasked && len(m.refusal.Listed) == 0 && m.mayGoBack():
		return m.goBack(Broken)
	}
	return m.giveUp(ByInitialize)
}

// OnMute takes it that initialize was not answered for as long as it may take. A server that reads
// nothing after server/discover may bear initialize alone. One that has answered server/discover well,
// and was started again for that, does not know initialize: nothing is left of a handshake.
func (m *Machine) OnMute(now time.Time) Step {
	switch {
	case m.TriesInitializeAlone():
		step := m.beginAgain(WithInitialize, Mute)
		m.next.Mute = true
		return step
	case m.discover == answered && m.mayBeginAgain(): // it had no second for both
		return m.beginAgain(WithDiscover, HalfGreeted)
	case m.discover == answered:
		m.initialize, m.until = refused, time.Time{}
		return m.notGreeted(now)
	}
	return m.giveUp(ByInitialize)
}

// TriesInitializeAlone reports whether the server, should it go on to answer nothing, is
// begun with once more.
func (m *Machine) TriesInitializeAlone() bool {
	return m.setup.Process && m.discover == overdue && m.initialize == out && m.mayBeginAgain()
}

// OnInitializeAgain takes it that initialize was sent once more, to the two
// endpoints of 2024-11-05, perhaps after a server/discover in vain.
func (m *Machine) OnInitializeAgain() {
	if m.initialize = out; m.asked.IsModern() {
		m.asked, m.found = mcp.Handshakes()[0], Fallback
	}
}

// OnEnd handles a connection that ended by itself before any agreement. A server
// that breaks at server/discover is begun with initialize (VER-48), and with server/discover
// if it had answered that. Where both were out, either of them may have been too much: a
// server that ends on initialize alone as well, and has not answered server/discover, is
// begun with the latter. A server that has answered both, and does not bear server/discover
// alone, is begun with initialize. Sent says that the request that is out had left.
func (m *Machine) OnEnd(now time.Time, sent bool) Step {
	m.until = time.Time{}
	switch {
	case m.mayGoBack():
		return m.goBack(Ended)
	case !sent && m.first == 0: // nothing was asked
		return m.giveUp(Plainly)
	case m.setup.Pin == "" && m.setup.Memory.Open && m.setup.Memory.Again && m.initialize != answered && !m.isDiscoverAnswered():
		m.next = Memory{Begin: WithDiscover, Patience: max(leastPatience, m.setup.Memory.Patience), Again: true}
		return Step{Do: BeginAgain, Why: Ended}
	case m.discover == foreign:
		return m.giveUp(ByDiscover)
	case !m.setup.Process || !m.mayBeginAgain() || m.wasRefused || m.discover == unasked:
		return m.giveUp(Plainly)
	case m.discover == answered:
		return m.beginAgain(WithDiscover, Ended)
	}
	step := m.beginAgain(WithInitialize, Ended)
	if m.discover == overdue && m.initialize != answered {
		m.rememberOpen(leastPatience, now.Sub(m.began))
	}
	return step
}

// isDiscoverAnswered reports whether the server has answered server/discover, in whatever way.
func (m *Machine) isDiscoverAnswered() bool {
	return m.discover == answered || m.discover == refused || m.discover == foreign
}

// OnLate takes an answer to server/discover that came after the handshake was
// agreed on, ago before. Unless the connection was used, another one is begun.
func (m *Machine) OnLate(a Answer, ago time.Duration, used bool) Step {
	why := Late
	if !a.isModern(m.setup.Pin) || m.setup.Pin != "" {
		m.discover, m.listed, why = refused, a.Listed, Unlisted
		if !m.isOutsideList() || m.setup.Pin != "" {
			return Step{}
		}
	}
	if !used && ago <= LongestLate && m.mayBeginAgain() {
		return m.beginAgain(WithDiscover, why)
	}
	m.remember(WithDiscover)
	return Step{}
}

// giveUp ends a connection on which nothing was agreed. What was remembered has
// not helped.
func (m *Machine) giveUp(why Why) Step {
	m.next = Memory{}
	return Step{Do: GiveUp, Why: why}
}

// Anew negotiates once more, in mid-session: the server refuses the revision that
// was agreed on, and lists this one (VER-55).
func (m *Machine) Anew(rev mcp.Revision) Step {
	m.midway, m.twice, m.wasRefused, m.initialize = true, false, false, unasked
	return m.askDiscover(rev, m.asListed(), Plainly)
}

// OnAgreed takes it that the connection is agreed on a revision.
func (m *Machine) OnAgreed(rev mcp.Revision) {
	if !rev.IsModern() && (m.found == FoundListed || m.found == Fallback) && len(m.listed) > 0 {
		if m.found = Negotiated; slices.Contains(m.listed, string(rev)) {
			m.found = FoundListed
		}
	}
	switch {
	case m.setup.Memory.Mute && !rev.IsModern():
		m.remember(WithInitialize)
	case !m.setup.Process && m.found == Fallback && m.discover == refused && !m.unclear:
		m.remember(WithInitialize) // of an address, not of a process, which the next connection may find replaced
	}
}
