package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
	"belay/session/timer"
)

// link begins and ends a connection: the knowledge of a server from before, the reason
// of a failure, and the words for both.
//
//shape:machine 3
type link struct {
	*log
	cfg    *Config
	timers *timer.List
	known  negotiate.Memory // how the next connection is to begin, when that is known
	spoke  map[Epoch]mcp.Revision
	// replaces is the connection that is to begin a session in place of one that the server
	// has ended, the latest; 0: there was none.
	replaces Epoch
	starts   []start // of the server, before the one of now, since somebody asked for one

	// refused are the revisions that the server refused in this run with a list of its own revisions.
	// A later agreement on a revision takes that revision out.
	refused []mcp.Revision
}

// mostSpoken is of how many connections, the last ones, it is remembered what they spoke.
const mostSpoken = 1000

// remember keeps what was learned of the server for the next connection.
func (k *link) remember() { k.known = k.conn.era.Memory() }

// fail ends a connection that cannot be used. The first failure is the one
// that is told.
func (k *link) fail(fl *Failure) {
	if why := k.conn.era.unclear; why != "" && k.conn.phase == Connecting {
		fl.Text += "; server/discover was " + why
	}
	k.tellStarts(fl)
	if k.replaces == k.conn.epoch && k.conn.readyAt.IsZero() {
		fl.Text = "the server has ended the session, and no new one began: " + fl.Text
	}
	if k.conn.failure == nil {
		k.conn.failure = fl
	}
	k.event(fl.Text)
	k.close(0)
}

// onDisconnectWish takes the user's wish to end the connection, and reports whether there is one that
// is not being closed already. Awaits says that a login is under way.
func (k *link) onDisconnectWish(awaits bool) bool {
	if k.conn.reconnect {
		if k.conn.reconnect, k.known.Again = false, false; k.known.Mute {
			k.known = negotiate.Memory{}
		}
		k.conn.failure = &Failure{Kind: FailClosed, Text: "left before the server was started again", Remedy: reconnectRemedy(k.cfg.Transport)}
	}
	if k.conn.phase == Disconnected || k.conn.phase == Closing {
		return false
	}
	if k.conn.phase == Connecting && k.conn.failure == nil {
		before := "the server answered " + k.conn.opening()
		if awaits {
			before = "anybody had logged in"
		}
		k.conn.failure = &Failure{Kind: FailClosed, Text: "left before " + before}
	}
	return true
}

// onEnd takes the end of the connection, and returns where it stood.
func (k *link) onEnd(why Close, byUs bool) (was Phase) {
	was = k.conn.phase
	if was == Connecting && !byUs && k.conn.readyAt.IsZero() {
		k.endedWhileConnecting(why)
	}
	k.conn.phase = Disconnected
	return was
}

// onCloseHandedOut notes that the end of the connection is out.
func (k *link) onCloseHandedOut() {
	k.conn.closeSent = true
	k.timers.Stop(once(dueClose))
}

// onAgreed makes the connection ready: the revision is known, and the server.
func (k *link) onAgreed(rev mcp.Revision, server mcp.ServerInfo) {
	k.conn.rev, k.conn.server = rev, server
	k.refused = slices.DeleteFunc(k.refused, func(r mcp.Revision) bool { return r == rev })
	k.spoke[k.conn.epoch] = rev
	delete(k.spoke, k.conn.epoch-mostSpoken)
	k.conn.phase, k.conn.readyAt = Ready, k.now
	k.conn.era.OnAgreed(rev)
	k.known, k.conn.era.unclear = k.conn.era.Memory(), ""
	k.rows.touchQueued()
	how := ""
	if found := k.conn.era.Found(); found != negotiate.Negotiated {
		how = ", " + found.String()
	}
	k.event("ready: " + string(rev) + how)
}

// onRevisionRefused takes it that the server refuses the revision in mid-session: calls that are
// in flight stay, and new ones wait until the two have agreed anew.
func (k *link) onRevisionRefused() {
	k.event("version changed: negotiating anew")
	k.conn.phase = Connecting
}

// refuses notes that the server refused a revision, with a list of its own revisions.
func (k *link) refuses(rev mcp.Revision) {
	if mcp.Supports(rev) && !slices.Contains(k.refused, rev) {
		k.refused = append(k.refused, rev)
	}
}

// forget has the next connection begin as the first one did, and none by itself.
func (k *link) forget() { k.known, k.conn.reconnect = negotiate.Memory{}, false }

// onNotStarted takes it that the server, which was to be started again, could not be.
func (k *link) onNotStarted(why string) {
	k.forget()
	k.conn.failure = &Failure{Kind: FailProcess, Text: "the server could not be started again: " + why, Remedy: Remedy{Kind: RemedyRestart}}
	k.event(k.conn.failure.Text)
}

// close asks for the connection to be closed once the cancels are written, or
// when the limit is over.
func (k *link) close(limit time.Duration) {
	if k.conn.phase == Disconnected || k.conn.phase == Closing {
		return
	}
	k.conn.phase = Closing
	k.timers.Set(once(dueClose), k.now.Add(limit))
}

// opening is the request that a connection begins with.
func (n *connection) opening() string {
	e := n.era
	switch {
	case e.IsBeside():
		return methodDiscover + " or " + methodInitialize
	case e.discover != nil:
		return methodDiscover
	}
	return methodInitialize
}

// awaitOther tells that one of the two requests of the opening is answered, and
// the other one is not.
func (k *link) awaitOther(c *call, words, failed string) {
	switch what, until := k.conn.era.Awaits(); {
	case what == negotiate.ForDiscoverAlone:
		k.event(fmt.Sprintf("%s: server/discover is still waited for, %v at most", failed, until.Sub(k.now)))
	case what == negotiate.ForDiscoverToo:
		k.event(fmt.Sprintf("initialize was answered: server/discover has %v to be answered as well", until.Sub(k.now)))
	case what == negotiate.ForInitializeToo:
		k.event(fmt.Sprintf("server/discover was answered: initialize has %v to be answered as well", until.Sub(k.now)))
	case c != nil && c.Method == methodDiscover:
		k.event("server/discover was " + words + ": the handshake goes on")
	}
}

// beginAgain ends the connection, and has another one begun in the way that
// [Status] says.
func (k *link) beginAgain(why negotiate.Why) {
	k.known = k.conn.era.Memory()
	text, fate := "", ""
	switch why {
	case negotiate.Both, negotiate.HalfGreeted:
		text = "the server answered server/discover, and got initialize as well, with which it may stay"
		fate = "answered server/discover, and got initialize as well, with which it may stay"
	case negotiate.Late:
		text = "the server answered server/discover after the handshake"
		fate = "answered server/discover after the handshake"
	case negotiate.Unlisted:
		fate = fmt.Sprintf("got initialize in %v before it listed what it speaks, of which belay takes %v", k.conn.era.Asked(), k.conn.era.Listed())
		text = "the server " + fate
	case negotiate.Mute:
		text = fmt.Sprintf("the server answered neither server/discover nor initialize within %v; it may be that it reads nothing after server/discover", k.conn.era.shake.Idle)
		fate = "answered neither server/discover nor initialize"
	case negotiate.Broken:
		text = k.conn.era.refused.Text + "; it may be that it does not bear server/discover before it"
		fate = "did not answer initialize well after server/discover"
	default:
	}
	k.conn.failure = &Failure{Kind: FailProcess, Text: text + ": " + k.againWords(), Remedy: reconnectRemedy(k.cfg.Transport)}
	k.event(k.conn.failure.Text)
	k.starts = append(k.starts, start{k.conn.era.Begun().Begin, fate})
	k.conn.reconnect = true
	k.close(0)
}

// againWords say how the next connection begins.
func (k *link) againWords() string {
	what := "it is ended, and started again"
	if k.cfg.Transport == mcp.HTTP {
		what = "belay connects again"
	}
	if k.known.Begin == negotiate.WithDiscover {
		return what + ", to begin with server/discover alone"
	}
	return what + ", to begin with initialize alone"
}

// endedWhileConnecting takes the end of a connection on which nothing was agreed
// yet (VER-48).
func (k *link) endedWhileConnecting(why Close) {
	e := k.conn.era
	on := " after server/discover"
	if e.discover != nil {
		on = " on server/discover"
	}
	if e.discover != nil && e.shake != nil && !e.shake.sent.IsZero() && !e.shake.state.IsTerminal() {
		on = " on server/discover or initialize" // both were out: nobody can tell
	}
	sent := e.discover == nil || e.discover.req.order != 0
	if !sent {
		on = " before it was asked anything"
	}
	step := e.OnEnd(k.now, sent)
	k.known = e.Memory()
	if step.Why == negotiate.ByDiscover { // it listed nothing that belay speaks, and then ended on initialize
		e.unfit.Text += "; and it " + why.ending(" on initialize")
		e.unfit.Stderr = why.Stderr
		k.conn.failure = e.unfit
	}
	if step.Do != negotiate.BeginAgain {
		return
	}
	greeted := "greeted with initialize"
	told := "server exited on discover; retrying in legacy mode"
	if k.known.Begin == negotiate.WithDiscover {
		on = " on initialize"
		greeted, told = "asked with server/discover alone", "server exited on initialize; retrying with server/discover alone"
	}
	k.starts = append(k.starts, start{e.Begun().Begin, why.ending(on)})
	k.conn.reconnect = true
	k.conn.failure = &Failure{
		Kind: FailProcess, Text: "the server " + why.ending(on) + "; it is started again, and " + greeted,
		Remedy: Remedy{Kind: RemedyRestart}, Stderr: why.Stderr, Hint: k.nonJSONWords(),
	}
	k.event(told)
}

// unanswered is what is told of a request of the opening that has had its time.
func (k *link) unanswered(method string, waited time.Duration) *Failure {
	hint := "is it an MCP server that speaks over stdin and stdout? " + hintStderr
	if k.cfg.Transport == mcp.HTTP {
		hint = hintEndpoint
	}
	if words := k.nonJSONWords(); words != "" {
		hint = words
	}
	return &Failure{Kind: FailTimeout, Text: fmt.Sprintf("no answer to %s within %v", method, waited), Hint: hint}
}

// onEndpointOverdue ends a connection that is being made over HTTP+SSE, where no endpoint came in time.
func (k *link) onEndpointOverdue(fl *Failure) {
	if k.conn.phase == Connecting {
		k.fail(fl)
	}
}

// onEraChanged ends a connection on which a server that was modern is not so any
// more: what is in flight cannot be taken over a handshake.
func (k *link) onEraChanged(why string) {
	k.fail(&Failure{
		Kind: FailVersion, Text: "the server has changed its revision in mid-session, and then server/discover was " + why,
		Remedy: reconnectRemedy(k.cfg.Transport),
	})
}

func (k *link) explainEnd(phase Phase, why Close, byUs bool) {
	k.event("connection ended: " + why.words())
	if k.conn.failure != nil {
		k.conn.failure = k.conn.failure.beside(why)
		return
	}
	if byUs {
		text := "disconnected"
		if why.Err != "" {
			text += ": " + why.Err
		}
		k.conn.failure = &Failure{Kind: FailClosed, Text: text, Remedy: reconnectRemedy(k.cfg.Transport)}
		return
	}
	fl := &Failure{Kind: FailProcess, Text: "the server " + why.ending(""), Remedy: reconnectRemedy(k.cfg.Transport), Stderr: why.Stderr}
	if k.cfg.Transport == mcp.HTTP {
		fl.Kind, fl.Text = FailHTTP, "the server "+why.words()
	}
	if phase == Connecting {
		fl.Text = "the server " + why.ending(" before it answered "+k.conn.opening())
		fl.Stdout, fl.Hint = k.conn.nonJSONOutput, k.nonJSONWords()
		k.tellStarts(fl)
	}
	k.conn.failure = fl
}

// hintStderr is where to look, of a server that wrote to its stderr; that is known when its
// connection has ended.
const hintStderr = "its stderr may say more"

// beside is a failure as it is told when the connection has ended: without a pointer to a stderr
// to which nothing was written.
func (fl *Failure) beside(why Close) *Failure {
	hint, points := strings.CutSuffix(fl.Hint, hintStderr)
	if !points || why.Stderr != "" {
		return fl
	}
	told := *fl // a view may have the other one
	if told.Hint = strings.TrimSpace(hint); told.Hint == "" {
		told.Remedy = Remedy{Kind: RemedyWire}
	}
	return &told
}
