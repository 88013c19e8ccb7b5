package session

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// step is one thing that happens. What exactly follows from a and b, and from
// the simulation it happens in.
type step struct {
	do   stepKind
	a, b uint64
}

type stepKind uint8

// The steps, in the order of their weights.
const (
	doCall stepKind = iota
	doCancel
	doCancelAll
	doExtend
	doNotify
	doAnswer
	doRetry
	doQuit
	doDisconnect
	doClosed
	doConnect
	doPin
	doRoots
	doLook
	doLogLevel
	doTime
	doLateTime
	doJump
	doFlow
	doPull
	doWrite
	doSent
	doSendFails
	doAsk
	doWithdraw
	doComplete
	doProgress
	doServerAnswer
	doStrayAnswer
	doLog
	doListChanged
	doGarbage
	doBatch
	doOversize
	doStale
	doStderr
	doFlood
	doSubscribe
	doUpdate
	doEvent // over HTTP from here on
	doCut
	doExpire
	doLogin
	doRush
	doUnfinished
	doStray
	numSteps
)

var stepNames = [numSteps]string{
	"doCall", "doCancel", "doCancelAll", "doExtend", "doNotify", "doAnswer", "doRetry", "doQuit", "doDisconnect", "doClosed",
	"doConnect", "doPin", "doRoots", "doLook", "doLogLevel", "doTime", "doLateTime", "doJump", "doFlow", "doPull", "doWrite", "doSent", "doSendFails",
	"doAsk", "doWithdraw", "doComplete", "doProgress", "doServerAnswer", "doStrayAnswer", "doLog", "doListChanged", "doGarbage",
	"doBatch", "doOversize", "doStale", "doStderr", "doFlood", "doSubscribe", "doUpdate", "doEvent", "doCut", "doExpire", "doLogin", "doRush", "doUnfinished", "doStray",
}

func (k stepKind) String() string { return stepNames[k] }

// stepWeights say how often a step comes up, in thousandths or so.
var stepWeights = [numSteps]int{
	doCall: 150, doCancel: 100, doCancelAll: 4, doExtend: 10, doNotify: 14, doAnswer: 60, doRetry: 30, doQuit: 2, doDisconnect: 3,
	doClosed: 5, doConnect: 20, doPin: 2, doRoots: 20, doLook: 10, doLogLevel: 6, doComplete: 15, doTime: 180, doLateTime: 20, doJump: 4, doFlow: 45, doPull: 15, doWrite: 15,
	doSent: 15, doSendFails: 2, doAsk: 60, doWithdraw: 60, doProgress: 60, doServerAnswer: 70, doStrayAnswer: 15,
	doLog: 15, doListChanged: 8, doGarbage: 30, doBatch: 10, doOversize: 4, doStale: 6, doStderr: 4, doFlood: 1,
	doSubscribe: 20, doUpdate: 40, doUnfinished: 20, doStray: 16,
}

// history250 makes a history from a seed.
func history250(over mcp.Transport, seed uint64) []step {
	rng := rand.New(rand.NewPCG(seed, 0))
	sum, weights := 0, stepWeights
	if over == mcp.HTTP {
		weights = webWeights()
	}
	for _, n := range weights {
		sum += n
	}
	steps := make([]step, stepsPerSeed)
	for i := range steps {
		n := rng.IntN(sum)
		kind := stepKind(0)
		for ; n >= weights[kind]; kind++ {
			n -= weights[kind]
		}
		if kind == doQuit && i < len(steps)*4/5 {
			kind = doDisconnect // nothing comes after a quit
		}
		steps[i] = step{kind, rng.Uint64() >> 40, rng.Uint64() >> 40}
	}
	return steps
}

// of picks one of the values by a number.
func of[T any](n uint64, values ...T) T { return values[n%uint64(len(values))] }

// step plays one.
func (w *simulation) step(st step) {
	w.counts.steps++
	w.busy(st)
	switch st.do {
	case doCall:
		w.doCall(st.a, st.b)
	case doCancel:
		w.doCancel(st.a, of(st.b, "", "", "wrong branch", "ünïcode\n\x00", strings.Repeat("long ", 300), strings.Repeat("x", 999)+"ü", "caf\xe9"))
	case doCancelAll:
		w.input(func() {
			why := of(st.a, "", "", "all of it")
			if got, want := w.s.Tell(w.now, CancelAll{Reason: why}).Cancelled, w.oracle.stoppedAll(cancel.ByUser, why); got != want {
				w.fail("cancel-all took %d calls, must be %d", got, want)
			}
		})
	case doExtend:
		w.input(func() {
			id := w.someRow(st.a)
			if w.taken(refused(w.s.Handle(w.now, Extend{Call: id}))) {
				c := w.oracle.row(id)
				c.renew()
			}
		})
	case doSubscribe:
		w.doSubscribe(st.a, st.b)
	case doNotify:
		if st.a%6 == 5 {
			w.doWrong(st.a/6, st.b)
		} else {
			w.doNotify(st.a)
		}
	case doAnswer:
		w.doAnswer(st.a, st.b)
	case doRetry:
		w.doRetry(st.a)
	case doQuit, doDisconnect:
		w.leave(st.do == doQuit)
	case doClosed:
		w.closed(st.a%4 == 0)
	case doConnect:
		w.connect()
	case doPin:
		w.input(func() {
			if w.taken(refused(w.s.Handle(w.now, SetPin{Revision: of(st.a, "", mcp.Rev20250326, mcp.Rev20251125, "1999-01-01", mcp.Rev20260728)}))) {
				w.oracle.era.wants = 0
			}
		})
	case doRoots:
		w.doRoots(st.a)
	case doLook:
		w.doLook()
	case doLogLevel:
		w.doLogLevel(of(st.a, "debug", "error", LogOff, "loud"))
	case doTime:
		w.pass(someTime(st.a, st.b), true)
	case doLateTime:
		w.pass(someTime(st.a, st.b), false)
	case doJump:
		w.now = w.now.Add(of(st.a, 31*time.Second, 50*time.Second, 2*time.Hour))
		if st.b%2 == 0 {
			w.tick()
		}
	case doFlow:
		w.flow = of(st.a, flowFree, flowFree, flowLazy, flowFull, flowDeaf)
	case doPull:
		if w.server != nil && len(w.pipe) < 4 {
			w.next()
		}
	case doWrite:
		if w.server != nil {
			w.write()
		}
	case doSent:
		w.sent()
	case doSendFails:
		w.broken()
	default:
		w.serverStep(st)
	}
	if st.do != doJump { // which the next input is to notice
		w.samples(st.a, st.b)
	}
	w.settle()
	w.look()
}

// serverStep is something that the server does.
func (w *simulation) serverStep(st step) {
	if w.server == nil {
		return
	}
	say := func(format string, args ...any) { w.say(st.a, fmt.Appendf(nil, format, args...)) }
	switch st.do {
	case doAsk:
		w.ask(st.a, st.b)
	case doWithdraw:
		say(`{"jsonrpc":"2.0","method":"notifications/cancelled"%s}`, w.withdrawal(st.a, st.b))
	case doComplete:
		w.complete(of(st.a, `{"elicitationId":"e1"}`, `{"elicitationId":"e2"}`, `{"elicitationId":"e1","x":1}`, `{"elicitationId":"e9"}`, `{"elicitationId":""}`, `{}`))
	case doProgress:
		say(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%s}}`, w.someToken(st.a),
			of(st.b, `1`, `2`, `3`, `4.5`, `7`, `1e3`, `-1`, `1e999`, `"NaN"`, `null`, `5,"total":10`, `9,"total":3`, `0`, `8,"message":"m"`))
	case doServerAnswer:
		if j := w.someJob(st.a); j != nil {
			j.over = true
			w.answer(j, fmt.Appendf(nil, answers[st.b%uint64(len(answers))], j.id))
		}
	case doStrayAnswer:
		say(answers[st.b%3], w.someID(st.a))
	case doLog:
		say(`{"jsonrpc":"2.0","method":"notifications/message","params":%s}`, of(st.a, `{"level":"info","data":1}`,
			`{"level":"debug","data":{}}`, `{"level":"emergency","logger":"l","data":"x"}`, `{"level":"trace","data":1}`, `{"level":1}`, `[]`))
	case doListChanged:
		say(`{"jsonrpc":"2.0","method":"notifications/%s/list_changed"}`, of(st.a, "tools", "prompts", "resources"))
	case doGarbage:
		w.say(st.b, garbage[st.a%uint64(len(garbage))])
	case doBatch:
		w.batch(st.a, st.b)
	case doOversize:
		id := w.someID(st.a)
		x, ok := w.stream(st.b)
		if j := w.someJob(st.a); j != nil && st.b%2 == 0 && w.web == nil {
			id, j.over = j.id, true
		} else if j != nil && st.b%2 == 0 {
			id = j.id
			x, ok = j.pipe.stream()
		}
		if !ok {
			return
		}
		w.oversize(x, fmt.Appendf(nil, of(st.b, `{"jsonrpc":"2.0","result":{"text":"%[2]s"},"id":%[1]s}`, `{"jsonrpc":"2.0","error":{"code":1,"message":"%[2]s"},"id":%[1]s}`, `{"jsonrpc":"2.0","id":%[1]s,"method":"ping","params":{"a":"%[2]s"}}`, `{"jsonrpc":"2.0","id":%s,"result":{"te%s`),
			id, strings.Repeat("x", 3000)))
	case doUnfinished:
		w.unfinished(st.a, st.b)
	case doStray:
		w.stray(st.a, st.b)
	case doUpdate:
		w.subStep(st)
	case doStale:
		w.receive(ExchangeID{Epoch: w.epoch - 1}, fmt.Appendf(nil, okAnswer, w.someID(st.a)))
	case doStderr:
		w.input(func() {
			w.oracle.taken()
			w.s.Tell(w.now, Stderr{Epoch: w.exchange().Epoch, Line: []byte("oops\xff")})
		})
	case doFlood:
		for i := range 300 {
			say(of(st.a, `{"jsonrpc":"2.0","id":"flood-%d","method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`, `{"jsonrpc":"2.0","id":"flood-%d","method":"roots/list"}`), i)
		}
	default:
		w.webStep(st)
	}
}

func someTime(a, b uint64) time.Duration {
	unit := of(a, time.Microsecond, time.Millisecond, time.Millisecond, 10*time.Millisecond, 10*time.Millisecond,
		100*time.Millisecond, 100*time.Millisecond, time.Second, 10*time.Second)
	return time.Duration(b%40) * unit
}

// batch is several messages in one.
func (w *simulation) batch(a, b uint64) {
	var all []string
	id := fmt.Sprint(100 + a%3)
	for i := range 1 + a%4 {
		all = append(all, of(a+b+i*7,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, id),
			fmt.Sprintf(cancelledNote, id),
			fmt.Sprintf(samplingAsk, id),
			fmt.Sprintf(progressNote, w.someToken(b), i),
			fmt.Sprintf(okAnswer, w.someID(b)),
			`[]`, `7`))
	}
	w.say(b, []byte("["+strings.Join(all, ",")+"]"))
}

// garbage is what no server should write.
var garbage = [][]byte{
	[]byte("Server listening on port 3000"), []byte("42"), []byte(""), []byte(`"text"`), []byte("[]"), []byte("[[]]"), []byte("[1,2]"),
	[]byte(`{"jsonrpc":"1.0","method":"notifications/x"}`), []byte(`{"jsonrpc":"2.0","id":null,"method":"ping"}`),
	[]byte(`{"jsonrpc":"2.0","id":true,"method":"ping"}`), []byte(`{"jsonrpc":"2.0","id":[],"result":{}}`),
	[]byte(`{"jsonrpc":"2.0"}`), []byte(`{"jsonrpc":"2.0","method":7}`), []byte(`{"jsonrpc":"2.0","method":"notifications/x","params":7}`),
	[]byte(`{"jsonrpc":"2.0","method":"x","result":{}}`), []byte(`{"jsonrpc":"2.0","id":-7,"result":{},"error":{}}`),
	[]byte(`{"jsonrpc":"2.0","error":{"code":-32700,"message":"parse error"}}`), []byte(`{"jsonrpc":"2.0","id":null,"error":"x"}`),
	[]byte(`{"jsonrpc":"2.0","result":{}}`), []byte(`{"jsonrpc":"2.0","jsonrpc":"2.0","method":"notifications/x"}`),
	[]byte("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/\xff\"}"), []byte("\xef\xbb\xbf" + `{"jsonrpc":"2.0","method":"notifications/x"}`),
	[]byte(`{`), []byte(`  "params": {`), []byte(`{"jsonrpc":"2.0","id":9,"method":"notifications/progress","params":{}}`),
	[]byte(`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`), []byte(`{"jsonrpc":"2.0","id":9007199254740993,"method":"no/such"}`),
	[]byte(`{"jsonrpc":"2.0","method":"notifications/x","params":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`),
	[]byte(`{"jsonrpc":"2.0","id":-8,"result":{}}{"jsonrpc":"2.0"}`),
}
