package session

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// The simulator over HTTP: the same histories, the same oracle, but every
// message of belay's is an exchange of its own, which may be begun late, be
// answered in any order and in any way, and break at any moment.

func TestSimulatorOverHTTP(t *testing.T) {
	requirements.Rows(t, "CXL-24", "CXL-29", "BASE-04")
	simulateAll(t, mcp.HTTP, 350, 2500*time.Millisecond)
}

// overHTTP is a configuration for it.
func overHTTP(rng *rand.Rand, cfg Config) Config {
	cfg.Transport, cfg.Endpoint = mcp.HTTP, endpoint
	cfg.Login = rng.IntN(3) > 0
	if rng.IntN(4) == 0 {
		cfg.Pin, cfg.MaxRounds = mcp.Rev20260728, 2
	}
	return cfg
}

// webWeights say how often a step comes up over HTTP.
func webWeights() [numSteps]int {
	weights := stepWeights
	weights[doTime], weights[doConnect], weights[doRetry] = 210, 80, 50
	weights[doAsk], weights[doWithdraw], weights[doAnswer] = 100, 90, 90
	weights[doComplete], weights[doListChanged] = 30, 25
	weights[doEvent], weights[doCut], weights[doExpire], weights[doLogin], weights[doRush] = 25, 60, 6, 40, 40
	return weights
}

var opNames = map[Op]string{
	OpWrite: "write", OpClose: "close", OpRoots: "look at the roots", OpAbort: "close an exchange", OpOpen: "GET", OpLogin: "log in",
}

// web is the transport of a simulation over HTTP: what it carries.
type web struct {
	wires []*wire // not over, oldest first
	login uint64  // asked for, and not over; 0: none
}

// wire is one exchange as the transport carries it.
type wire struct {
	out     Output
	begun   bool // the first byte of its body was written, or it is a GET
	unsaid  bool // its body was written, and that was not told
	opened  bool
	head    Head
	session string // that it went with
	pipe    *pipe
	over    bool
}

func newWeb() *web { return &web{} }

// busy has a step come before the transport has carried out what went before.
func (w *simulation) busy(st step) {
	if w.web != nil && w.flow == flowFree && st.b>>16%5 == 0 {
		w.flow = flowDeaf
	}
}

// room is how many outputs the transport takes while it writes nothing.
func (w *simulation) room() int {
	if w.web != nil {
		return maxPosts // an exchange waits for no other one
	}
	return 2
}

// atOnce carries out what is no exchange of its own. What is one, begins to be
// carried.
func (w *simulation) atOnce(out Output) bool {
	switch out.Op {
	case OpAbort:
		w.abort(out)
	case OpLogin:
		w.web.login = out.Seq
	case OpWrite, OpOpen:
		w.web.wires = append(w.web.wires, &wire{out: out, session: field(out, headerSession)})
		return false
	default:
		return false
	}
	return true
}

// wireOf finds an exchange that is not over.
func (w *web) wireOf(x ExchangeID) *wire {
	for _, k := range w.wires {
		if k.out.X == x {
			return k
		}
	}
	return nil
}

// carry begins an exchange: the server reads its body.
func (w *simulation) carry(out Output) {
	k := w.web.wireOf(out.X)
	if k == nil {
		return
	}
	if out.Op == OpWrite {
		wanted := false
		w.input(func() {
			wanted = w.s.Tell(w.now, Started{ExchangeID: out.X}).Wanted
			w.oracle.started(out.X, wanted)
		})
		if !wanted {
			w.ended(k, End{Err: "cancelled before it was sent"})
			return
		}
		k.unsaid = true
		w.late = append(w.late, out)
	}
	k.begun = true
	w.server.readOn(k)
}

// abort closes an exchange. Where that is the cancel, it is told before the end
// of the exchange is. What was on its way may still come.
func (w *simulation) abort(out Output) {
	k := w.web.wireOf(out.X)
	end := func() {
		if out.Seq != 0 && out.X.Epoch == w.epoch {
			w.input(func() {
				w.oracle.sent(out.Seq)
				w.s.Tell(w.now, Sent{Seq: out.Seq})
			})
		}
		if k == nil || k.over {
			return
		}
		if late := pick(w.rng, 0, 0, 0, 2*time.Millisecond, 300*time.Millisecond); late > 0 {
			w.server.after(late, func() { w.ended(k, End{Err: "closed"}) })
			return
		}
		w.ended(k, End{Err: "closed"})
	}
	if w.rng.IntN(5) == 0 {
		w.server.after(pick(w.rng, time.Millisecond, 40*time.Millisecond), end)
		return
	}
	end()
}

// opened tells the head of an answer.
func (w *simulation) opened(k *wire, h Head) {
	if k.over || k.opened {
		return
	}
	w.written(k)
	k.opened, k.head = true, h
	w.input(func() {
		w.oracle.headed(k.out.X, h)
		w.s.Tell(w.now, Opened{ExchangeID: k.out.X, Head: h})
	})
}

// written tells that a body was written, before anything is told that answers
// it.
func (w *simulation) written(k *wire) {
	if !k.unsaid {
		return
	}
	w.late = slices.DeleteFunc(w.late, func(out Output) bool { return out.X == k.out.X })
	k.unsaid = false
	w.input(func() {
		w.oracle.sent(k.out.Seq)
		w.s.Tell(w.now, Sent{Seq: k.out.Seq})
	})
}

// event tells what an event says besides its message.
func (w *simulation) event(k *wire, ev Event) {
	w.input(func() {
		w.oracle.event(k.out.X, ev)
		w.s.Tell(w.now, EventReceived{ExchangeID: k.out.X, Event: ev})
	})
}

// ended tells that an exchange is over.
func (w *simulation) ended(k *wire, end End) {
	if k.over {
		return
	}
	k.over = true
	delete(w.parts, k.out.X)
	mine := func(out Output) bool { return out.X == k.out.X }
	w.pipe, w.late = slices.DeleteFunc(w.pipe, mine), slices.DeleteFunc(w.late, mine)
	w.web.wires = slices.DeleteFunc(w.web.wires, func(o *wire) bool { return o == k })
	w.input(func() {
		w.oracle.endedX(k.out.X, end)
		w.s.Tell(w.now, Ended{ExchangeID: k.out.X, End: end})
	})
}

// cutAll ends the transport: every exchange first.
func (w *simulation) cutAll() Close {
	if seq := w.web.login; seq != 0 && w.rng.IntN(2) == 0 {
		w.loggedIn(seq, "the connection ended first")
	}
	w.web.login = 0
	for _, k := range slices.Clone(w.web.wires) {
		w.ended(k, End{Err: "closed"})
	}
	return Close{ByUs: true, Err: pick(w.rng, "", "the recording failed")}
}

// drained reports whether an output may be left when a connection is over: the
// exchanges that it had are closed, of which nothing is left.
func (w *simulation) drained(out Output) bool {
	for ok := w.web != nil; ok; out, ok = w.s.Next(w.now) {
		if out.Op != OpAbort && out.Op != OpClose {
			return false
		}
	}
	return w.web != nil
}

// unreachable has an exchange fail that was handed out and not begun.
func (w *simulation) unreachable() {
	for _, k := range w.web.wires {
		if !k.begun {
			w.ended(k, End{Err: "nothing listens there"})
			return
		}
	}
}

func (w *simulation) loggedIn(seq uint64, failure string) {
	w.web.login = 0
	w.input(func() {
		w.oracle.taken()
		w.oracle.loggedIn(seq, failure)
		w.s.Tell(w.now, LoggedIn{Seq: seq, Failure: failure})
	})
}

// stream is one on which the server can say something.
func (w *simulation) stream(a uint64) (ExchangeID, bool) {
	if w.web == nil {
		return w.exchange(), true
	}
	if k := w.someStream(a); k != nil {
		return k.out.X, true
	}
	return ExchangeID{}, false
}

func (w *simulation) someStream(a uint64) *wire {
	var open []*wire
	for _, k := range w.web.wires {
		if k.opened && k.head.isSuccess() && k.head.streams() && (k.out.Awaits || k.out.Op == OpOpen) {
			open = append(open, k)
		}
	}
	if len(open) == 0 {
		return nil
	}
	slices.SortFunc(open, func(a, b *wire) int { return cmp.Compare(a.out.X.N, b.out.X.N) })
	return open[a%uint64(len(open))]
}

// rush has the user do something, and the server something about the same, before
// anything of the former is written.
func (w *simulation) rush(st step) {
	if st.b>>12%4 == 0 {
		id := 3000 + st.a%500
		w.say(st.a, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, id))
		w.settle()
		w.say(st.a, fmt.Appendf(nil, cancelledNote, id))
		w.looked(st.b)
		return
	}
	w.flow = flowDeaf
	if st.a%2 == 0 {
		j, result := w.someJob(st.a/2), of(st.b, goodRounds...)
		for _, o := range w.server.jobs {
			if o.method == methodSubscribe && !o.over {
				j, result = o, "{}"
			}
		}
		if j != nil {
			for _, row := range w.s.InFlight(nil, 1000) {
				if row.Latest.String() == j.id {
					w.cancel(row.ID, "")
				}
			}
			w.answer(j, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, j.id, result))
		}
		return
	}
	if w.s.Status().Waiting == 0 {
		w.say(st.a, fmt.Appendf(nil, of(st.b>>8, samplingAsk, urlAsk, elicitationAsk, urlAsk), 2000+st.a%500))
		w.look()
	}
	questions := w.s.Questions()
	slices.Reverse(questions)
	at := slices.IndexFunc(questions, func(p QuestionView) bool { return p.State == Waiting })
	w.doAnswer(uint64(8*max(at, 0)+1), st.b)
	w.look()
	switch {
	case at < 0:
	case st.b>>8%4 == 0:
		w.say(st.a, fmt.Appendf(nil, cancelledNote, questions[at].Wire))
	case st.b>>8%4 == 1:
		w.complete(`{"elicitationId":"e1"}`)
	case st.b>>8%4 == 2:
		w.closed(true)
	default:
		for _, k := range w.web.wires {
			if k.session != "" && k.begun && !k.opened && k.out.Awaits {
				w.server.refused(k, Head{Status: 404}, "")
				return
			}
		}
	}
}

// webStep is something that only happens over HTTP.
func (w *simulation) webStep(st step) {
	if w.web == nil {
		return
	}
	switch st.do {
	case doEvent:
		if k := w.someStream(st.a); k != nil {
			id := of(st.b, fmt.Sprintf("odd-%d", k.out.X.N), "", strings.Repeat("x", maxEventID+1))
			if st.b%5 == 0 {
				w.event(k, Event{Retry: -1, Odd: `{"jsonrpc":"2.0","id":7,"result":{}}`})
				return
			}
			w.event(k, of(st.b/3, Event{Name: "ping", Retry: -1}, Event{ID: &id, Retry: -1}, Event{Retry: 300 * time.Millisecond}, Event{Name: "endpoint", Retry: -1, Data: "/elsewhere"}))
		}
	case doCut:
		if k := w.someStream(st.a); k != nil {
			w.ended(k, End{Err: of(st.b, "", "the connection was reset")})
		}
	case doExpire:
		w.server.site.forgetful, w.server.site.lostBy400 = st.a%4 == 0, st.b%2 == 0
		w.server.site.forgets()
	case doRush:
		w.rush(st)
	case doLogin:
		if seq := w.web.login; seq != 0 {
			if st.b%3 == 0 {
				w.input(func() {
					w.oracle.taken()
					w.s.Tell(w.now, NotRenewed{Seq: seq, Why: "it answered nothing"})
				})
			}
			w.loggedIn(seq, of(st.a, "", "", "abandoned"))
		}
	default:
	}
}
