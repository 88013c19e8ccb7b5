package session

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"belay/session/mcp"
)

// simulation is what a history is played in: a session, a clock, a pipe to a server
// that may be slow or deaf, and an oracle that watches.
type simulation struct {
	rng    *rand.Rand // of the server and of what is left to chance
	s      *Session
	cfg    Config // as the session was made with it
	now    time.Time
	epoch  Epoch
	server *peer // nil: not connected

	flow     flow
	pipe     []Output // handed out, not yet read by the server
	late     []Output // read by the server, not yet reported as written
	rootLook uint64   // at the roots, that was asked for; 0: none
	web      *web     // the transport over HTTP; nil: stdio
	touchy   bool     // a process of the server has ended on initialize

	procs simProcesses
	parts map[ExchangeID]arrival // of messages that have not ended

	oracle  *oracle
	counts  *counts
	tape    *tape
	decoder *mcp.Decoder
	entries []Entry
	err     error
}

// flow is how the transport is doing.
type flow uint8

const (
	flowFree flow = iota // written and reported at once
	flowLazy             // written at once, reported later
	flowFull             // handed out, but the pipe takes nothing
	flowDeaf             // nothing is even handed out
	numFlows
)

func newSimulation(over mcp.Transport, seed uint64, c *counts) *simulation {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := &simulation{rng: rng, now: origin, counts: c, decoder: mcp.NewDecoder(), parts: map[ExchangeID]arrival{}}
	cfg := randomConfig(rng)
	if over == mcp.HTTP {
		w.web = newWeb()
		cfg = overHTTP(rng, cfg)
	}
	cfg.Reason = of(seed, "", "", "we need it no more")
	cfg.WrongCancels = seed%3 > 0
	w.cfg = cfg
	w.s = New(cfg, w.now)
	w.tape = newTape(w.s, nil)
	w.oracle = newOracle(w)
	if seed%8 == 0 {
		w.oracle.views = &viewing{}
	}
	w.connect()
	return w
}

// pick is one of the values, by chance.
func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

func randomConfig(rng *rand.Rand) Config {
	return Config{
		Pin:           pick[mcp.Revision](rng, "", "", "", mcp.Rev20251125, mcp.Rev20250618, mcp.Rev20250326, mcp.Rev20241105, mcp.Rev20260728, mcp.Rev20260728, mcp.Rev20260728),
		DiscoverLimit: pick[time.Duration](rng, -1, -1, 0, 500*time.Millisecond),
		ClientTitle:   pick(rng, "", "Belay"),
		Grace:         pick[time.Duration](rng, 0, 0, time.Second, 300*time.Millisecond),
		Idle:          pick(rng, 0, 0, 0, 8*time.Second, -1),
		Max:           pick(rng, 0, 0, 20*time.Second, -1),
		NoProbe:       rng.IntN(4) == 0,
		PingEvery:     pick(rng, 0, 0, time.Second, 20*time.Second),
		NoSampling:    rng.IntN(5) == 0,
		NoElicitation: rng.IntN(5) == 0,
		SamplingTools: rng.IntN(3) == 0,
		NoForms:       rng.IntN(10) == 0,
		NoURLs:        rng.IntN(5) == 0,
		StrictAsks:    rng.IntN(10) == 0,
		CheckRoots:    rng.IntN(3) > 0,
		Roots:         pick(rng, nil, []Root{{URI: "file:///b"}}, []Root{{URI: "file:///a", Name: "a"}}, []Root{{URI: "file:///a"}}),
		HistoryBytes:  pick(rng, 0, 300_000),
		HistoryCount:  pick(rng, 2000, 2000, 40),
		FinishedRows:  pick(rng, 1000, 1000, 5),
		NoListen:      rng.IntN(3) == 0,
		MaxRounds:     pick(rng, 0, 2, 4),
		FirstID:       pick[int64](rng, 0, 0, 812_345),
	}
}

func (w *simulation) fail(format string, args ...any) {
	if w.err == nil {
		w.err = fmt.Errorf(format, args...)
	}
}

// refused counts what the core declined to do.
func (w *simulation) refused(err error) {
	if r := new(Refusal); errors.As(err, &r) {
		w.counts.add("refusal", refusalNames[r.Code])
	} else if err != nil {
		w.fail("an error that is no refusal: %w", err)
	}
}

// input gives the core one input and looks at what came of it. It says what
// the oracle has to know about the time.
func (w *simulation) input(f func()) {
	if w.err != nil {
		return
	}
	w.oracle.begin()
	f()
	w.oracle.end()
}

func (w *simulation) exchange() ExchangeID { return ExchangeID{Epoch: w.epoch} }

func (w *simulation) connect() {
	if w.server != nil || w.s.Status().Quitting {
		return
	}
	again := w.s.Status().StartAgain
	w.input(func() {
		w.epoch = w.s.Tell(w.now, Connect{}).Epoch
		w.oracle.connected(again)
	})
	w.server = newPeer(w)
	w.settle()
}

// closed ends the connection, by the server or by belay.
func (w *simulation) closed(byUs bool) {
	if w.server == nil {
		return
	}
	why := Close{ByUs: byUs, Status: "exit status 3"}
	if w.web != nil {
		byUs, why = true, w.cutAll()
	}
	w.server, w.pipe, w.late, w.rootLook, w.flow = nil, nil, nil, 0, flowFree
	clear(w.parts)
	w.input(func() {
		again := w.oracle.closing(byUs)
		w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: why})
		if got := w.s.Status().StartAgain; got != again {
			w.fail("the server is to be started again: %v, must be %v", got, again)
		}
	})
	if _, due := w.s.Deadline(); due {
		w.fail("something is due without a connection")
	}
	if out, ok := w.s.Next(w.now); ok && !w.drained(out) {
		w.fail("without a connection there is something to write: %s", out.Data)
	}
}

// receive delivers a message of the server's.
func (w *simulation) receive(x ExchangeID, line []byte) {
	f := w.decoder.Decode(line)
	f.Began = w.beginning()
	if began := w.partEnds(x); !began.IsZero() {
		f.Began = began
	}
	_, last := w.s.HistorySpan()
	w.input(func() {
		w.oracle.received(x, f.Began, line)
		w.s.Receive(w.now, x, f)
	})
	w.credited(last+1, f.Kind == mcp.FrameBatch)
}

// credited holds that a message is on the wire of the row that it is about.
func (w *simulation) credited(at Seq, batch bool) {
	about := w.oracle.about
	if about == 0 || batch || w.err != nil {
		return
	}
	w.entries = w.s.Entries(w.entries[:0], at, 2)
	for _, e := range w.entries { // before it there may be a note on the time
		if e.Dir == In && e.Call != about {
			w.fail("the message is shown with call %d, it is about %d: %s", e.Call, about, e.Raw)
		}
	}
}

// beginning is when the first byte of a message came: mostly with its end or a
// little before, and now and then when it cannot have come.
func (w *simulation) beginning() time.Time {
	ago := pick[time.Duration](w.rng, 0, 0, 50*time.Microsecond, time.Millisecond, 15*time.Millisecond, 90*time.Millisecond, 2*time.Second, -time.Second, time.Hour)
	if ago == 0 && w.rng.IntN(2) == 0 {
		return time.Time{}
	}
	return w.now.Add(-ago)
}

// oversize delivers a message of which only the ends were looked at.
func (w *simulation) oversize(x ExchangeID, line []byte) {
	var sk mcp.Skim
	sk.Write(line)
	f := sk.Frame()
	f.Began = w.beginning()
	if began := w.partEnds(x); !began.IsZero() {
		f.Began = began
	}
	w.input(func() {
		w.oracle.oversize(x, f.Began, line)
		w.s.Receive(w.now, x, f)
	})
}

// say delivers a message that the server says by itself, where there is a way
// for it.
func (w *simulation) say(a uint64, line []byte) {
	if x, ok := w.stream(a); ok {
		w.receive(x, line)
	}
}

// answer delivers an answer to a request.
func (w *simulation) answer(j *job, line []byte) {
	if w.web == nil {
		w.receive(w.exchange(), line)
		return
	}
	w.server.deliver(j.pipe, string(line))
}

// next pulls one output.
func (w *simulation) next() bool {
	var out Output
	var ok bool
	w.input(func() {
		if out, ok = w.s.Next(w.now); ok {
			w.oracle.handed(out)
		}
	})
	if !ok {
		w.oracle.nothing()
		return false
	}
	w.counts.add("output", opNames[out.Op])
	switch {
	case out.Op == OpRoots:
		w.rootLook = out.Seq
		return true
	case w.web != nil && w.atOnce(out):
		return true
	}
	w.pipe = append(w.pipe, out)
	return true
}

// write lets the server read the oldest output.
func (w *simulation) write() bool {
	if len(w.pipe) == 0 || w.err != nil {
		return false
	}
	out := w.pipe[0]
	w.pipe = w.pipe[1:]
	if out.Op == OpClose {
		w.closed(w.rng.IntN(3) > 0)
		return false
	}
	if w.web != nil {
		w.carry(out)
		return true
	}
	w.late = append(w.late, out)
	w.server.read(out.Data)
	return true
}

// sent reports the oldest output that was written.
func (w *simulation) sent() {
	if len(w.late) == 0 {
		return
	}
	out := w.late[0]
	if w.web != nil {
		w.written(w.web.wireOf(out.X))
		return
	}
	w.late = w.late[1:]
	w.input(func() {
		w.oracle.sent(out.Seq)
		w.s.Tell(w.now, Sent{Seq: out.Seq})
	})
}

// broken reports that writing failed; what was handed out is lost.
func (w *simulation) broken() {
	if w.web != nil {
		w.unreachable()
		return
	}
	for _, out := range append(w.late, w.pipe...) {
		if out.Op == OpWrite {
			w.input(func() {
				w.oracle.taken()
				w.s.Tell(w.now, SendFailed{Seq: out.Seq, Why: pick(w.rng, "", "broken pipe")})
			})
		}
	}
	w.late, w.pipe = nil, nil
}

// settle lets the transport do what it can.
func (w *simulation) settle() {
	for w.server != nil && w.err == nil {
		switch w.flow {
		case flowDeaf:
			return
		case flowFull:
			for more := true; more && len(w.pipe) < w.room(); {
				more = w.next()
			}
			return
		default:
			for w.flow == flowFree && len(w.late) > 0 {
				w.sent()
			}
			if len(w.pipe) == 0 && !w.next() {
				return
			}
			w.write()
		}
	}
}

// pass lets time go by: what the server has to say comes when it is due, and
// Tick when the core asked for it, unless the loop is late.
func (w *simulation) pass(d time.Duration, punctual bool) {
	if w.web != nil && w.flow == flowDeaf {
		w.flow = flowFree // there nothing waits for the transport
		w.settle()
	}
	end := w.now.Add(d)
	for range 10_000 {
		if w.err != nil {
			return
		}
		at, tick := end, false
		if due, ok := w.s.Deadline(); ok && punctual && !due.After(at) {
			at, tick = due, true
		}
		if w.server != nil {
			if due, ok := w.server.due(); ok && due.Before(at) {
				at, tick = due, false
			}
		}
		if at.After(w.now) {
			w.now = at
		}
		switch {
		case tick:
			w.tick()
			if due, ok := w.s.Deadline(); ok && !due.After(w.now) && (w.flow == flowDeaf || w.flow == flowFull) {
				w.closed(true) // the time for the last cancels is over, and the pipe is stuck
			}
		case w.server != nil && w.server.speak():
		case !w.now.Before(end):
			if !punctual {
				w.tick()
			}
			w.settle()
			return
		}
		w.settle()
	}
	w.fail("Deadline does not move on: %v", w.now)
}

func (w *simulation) tick() {
	w.input(func() {
		w.oracle.tick()
		w.s.Tell(w.now, Tick{})
	})
	w.oracle.outlived()
}

// finish ends the history and looks at what is left, and at its replay.
func (w *simulation) finish() {
	if w.server != nil {
		w.flow = flowFree
		w.settle()
		w.closed(w.rng.IntN(2) == 0)
	}
	if w.err != nil {
		return
	}
	w.tally()
	if w.web != nil && len(w.web.wires) > 0 {
		w.fail("after the end %d exchanges are open", len(w.web.wires))
	}
	if st := w.s.Status(); st.InFlight+st.Subscriptions+st.UserCalls+st.Waiting+st.ActiveReqs != 0 || st.Phase != Disconnected {
		w.fail("after the end: %+v", st)
	}
	for _, id := range w.oracle.ids() {
		w.oracle.brings(w.oracle.rows[id])
		w.oracle.told(w.oracle.rows[id])
	}
	w.oracle.logs()
	w.replay(nil)
	mask := unkeyed
	if w.rng.IntN(16) == 0 {
		mask = maskOfAll(w.tape)
	}
	w.replay(mask)
	w.replayCut()
}

// tally counts what the core wrote down by itself.
func (w *simulation) tally() {
	w.counts.seeds++
	for _, d := range w.s.Diagnostics() {
		w.counts.add("diagnostic", d.Code.Words())
	}
	for _, e := range w.s.CancelEvents() {
		w.counts.add("stage", e.Stage.String())
		if e.Initiator != 0 {
			w.counts.add("initiator", e.Initiator.String())
		}
	}
}
