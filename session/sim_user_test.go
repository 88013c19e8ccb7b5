package session

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// What the user does, and what the server picks.

// taken counts a refusal, or tells the oracle that the input was taken.
func (w *simulation) taken(err error) bool {
	if err != nil {
		w.refused(err)
		return false
	}
	w.oracle.taken()
	return true
}

// someRow is a call: mostly one in flight, sometimes any, sometimes none.
func (w *simulation) someRow(a uint64) CallID {
	flight := w.s.InFlight(nil, 1000)
	first, last := w.s.Span()
	switch {
	case a%16 == 0:
		return CallID(a / 16 % 1000)
	case a%16 < 12 && len(flight) > 0:
		return flight[a/16%uint64(len(flight))].ID
	case last > 0:
		return first + CallID(a/16)%(last-first+1)
	}
	return 0
}

// someID is an ID as it is written: of a row, or of nothing.
func (w *simulation) someID(a uint64) string {
	if row, ok := w.s.Row(w.someRow(a)); ok && a%5 > 0 {
		return row.Latest.String()
	}
	return of(a/5, `0`, `""`, `"5"`, `9007199254740993`, `1.5`, `-3`)
}

// someToken is a token as it is written.
func (w *simulation) someToken(a uint64) string {
	if row, ok := w.s.Row(w.someRow(a)); ok && a%7 > 0 {
		if a%21 == 20 { // as servers do that take the ID for the token
			return of(a/21, row.Latest.String(), `"`+row.Latest.String()+`"`)
		}
		return token(row.Latest)
	}
	return of(a/7, `"zz"`, `1`, `"1"`, `"own"`, `null`, `7.0`)
}

// someJob is a request that the server has not answered.
func (w *simulation) someJob(a uint64) *job {
	var open []*job
	for _, j := range w.server.jobs {
		if !j.over {
			open = append(open, j)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[a%uint64(len(open))]
}

func (w *simulation) doCall(a, b uint64) {
	spec := CallSpec{Method: of(a, "tools/call", "tools/call", "tools/call", "prompts/get", "resources/read", "logging/setLevel", "completion/complete", "no/such", "server/discover")}
	spec.Params = []byte(of(b, `{"name":"t"}`, `{"name":"t","arguments":{"api_key":"hunter2"}}`, `{}`, ` { } `, `{"_meta":{"progressToken":"own"}}`, `{"_meta":{"progressToken":1}}`))
	if spec.Method == "logging/setLevel" {
		spec.Params = []byte(of(b, `{"level":"error"}`, `{"level":"debug"}`))
	}
	switch b % 23 {
	case 1:
		spec.Params = nil
	case 2:
		spec.Idle = time.Second
	case 3:
		spec.Max = 3 * time.Second
	case 4:
		spec.Rules = Rules{After: 1500 * time.Millisecond}
	case 5, 6:
		spec.Rules = Rules{AtFraction: 0.3, Reason: "enough"}
		if b%46 < 23 {
			spec.Rules = Rules{AtProgress: 4, Reason: "far enough"}
		}
	case 7:
		spec.NoProgress = true
	case 8:
		spec.Method = of(a, "initialize", "notifications/initialized", "")
	case 9:
		spec.Params = []byte(of(a, `[]`, `{`, `{"a":1} x`))
	case 10:
		spec.Idle, spec.Max = -1, -1
	case 11:
		spec.Raw = true
	case 12:
		spec.Params = []byte(`{"_meta":{"progressToken":"belay-` + fmt.Sprint(a%50) + `"}}`)
	case 13:
		spec.Params = []byte(`{"_meta":{"progressToken":"sk-aaaaaaaaaaaaaaaaaaaa` + fmt.Sprint(a%2) + `"}}`)
	}
	var old *oracleRow
	if spec.Method == "completion/complete" {
		spec.Origin, spec.Supersedes = FromBelay, w.someRow(b)
		if row, kept := w.s.Row(spec.Supersedes); kept && row.Method == spec.Method {
			old = w.oracle.rows[spec.Supersedes]
		}
	}
	w.input(func() {
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: spec}))
		if !w.taken(err) {
			return
		}
		w.oracle.made(id, spec)
		if old != nil && old.state != Cancelling && old.mayCancel() == nil { // the user alone repeats a cancel that was rejected
			w.counts.add("race", map[State]string{Queued: "superseded before it left", Running: "superseded while it ran"}[old.state])
			w.oracle.stopped(old, cancel.BySuperseded, "superseded by a newer request")
		}
	})
}

// doRoots changes the roots; a server that knows of them is to hear of it once.
func (w *simulation) doRoots(a uint64) {
	if a%3 == 0 {
		w.looked(a / 3)
		return
	}
	roots := of(a/3, nil, []Root{{URI: "file:///a"}}, []Root{{URI: "file:///a"}, {URI: "file:///b%20c", Name: "b"}}, []Root{{URI: "file:///a/../b"}})
	before := w.s.Config().Roots
	w.input(func() {
		told, err := toldOf(w.s.Handle(w.now, SetRoots{Roots: roots}))
		if err != nil {
			w.refused(err)
			return
		}
		w.oracle.taken()
		if slices.Equal(roots, before) {
			return
		}
		if w.oracle.eraIsModern() {
			if told != (w.oracle.live && len(roots) > 0 && !w.oracle.left) {
				w.fail("roots changed to %v in the modern era: told %v", roots, told)
			}
			return
		}
		if told != (w.oracle.live && w.oracle.rootsDeclared && !w.oracle.left) {
			w.fail("roots changed: told %v, declared %v", told, w.oracle.rootsDeclared)
		}
		if !told {
			w.counts.add("race", "roots changed, and the server cannot be told")
			return
		}
		w.counts.add("race", "roots changed")
		w.oracle.rootsNews++
	})
}

// looked tells what the look at the roots found, if one is out.
func (w *simulation) looked(a uint64) {
	if w.rootLook == 0 {
		return
	}
	seq := w.rootLook
	w.rootLook = 0
	gone, failure := of(a, nil, nil, []Root{{URI: "file:///a"}}), of(a/3, "", "the disk is on fire")
	w.input(func() {
		w.oracle.taken()
		for _, in := range w.s.incoming.roots.asks {
			if in.round == nil && w.s.incoming.open[in.id] != in {
				w.counts.add("race", "withdrawal while the roots were looked at")
			}
		}
		w.oracle.rootsLooked(failure)
		w.s.Tell(w.now, RootsChecked{Seq: seq, Gone: gone, Failure: failure})
		w.s.Tell(w.now, RootsChecked{Seq: seq, Failure: "again"})
		switch {
		case failure != "":
			w.counts.add("race", "the look at the roots failed")
		case !slices.Equal(gone, w.oracle.rootsGone):
			w.counts.add("race", "a root came or went by itself")
			w.oracle.rootsGone = gone
			if w.oracle.rootsDeclared && !w.oracle.left && !w.oracle.eraIsModern() {
				w.oracle.rootsNews++
			}
		}
	})
}

// complete is the server's notice that a URL elicitation is done.
func (w *simulation) complete(params string) {
	before := w.s.Questions()
	w.say(uint64(len(params)), fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":%s}`, params))
	if w.err != nil {
		return
	}
	marked := 0
	for i, p := range w.s.Questions() {
		old := before[i]
		if p.Completed.Equal(old.Completed) {
			continue
		}
		marked++
		switch {
		case !old.Completed.IsZero() || p.State != old.State || !bytes.Contains(p.Params, []byte(`"elicitationId":"e`)):
			w.fail("a completion notice changed question %+v to %+v", old, p)
		case p.State == Waiting:
			w.counts.add("race", "URL elicitation completed while it waited")
		case p.State == Answered:
			w.counts.add("race", "URL elicitation completed after the answer")
		default:
			w.fail("a completion notice reached question %d, which is %v", p.ID, p.State)
		}
	}
	if marked > 1 {
		w.fail("a completion notice reached %d questions", marked)
	}
}

func (w *simulation) doCancel(a uint64, reason string) { w.cancel(w.someRow(a), reason) }

func (w *simulation) cancel(id CallID, reason string) {
	c := w.oracle.rows[id]
	row, kept := w.s.Row(id)
	if !kept {
		c = nil
	}
	if row.Sub.Residual != ResidualNone {
		w.endLeft(c, row)
		return
	}
	w.input(func() {
		_, err := w.s.Handle(w.now, Cancel{Call: id, Reason: reason})
		if want := c.mayCancel(); !errors.Is(err, want) {
			w.fail("cancelling row %d: %v, must be %v", id, err, want)
			return
		}
		switch {
		case !w.taken(err):
		case c.state == Cancelling:
			w.oracle.stoppedAgain(c, reason)
		default:
			w.oracle.stopped(c, cancel.ByUser, reason)
		}
	})
}

// endLeft ends what a row has left of its subscription, which is a call of its own.
func (w *simulation) endLeft(c *oracleRow, row Row) {
	w.counts.add("race", "subscription left")
	k := c.cancel
	if !c.subscribes || c.state != Cancelled || c.epoch != w.epoch || k.answered && k.errored != c.active {
		w.fail("row %d has left a subscription: %+v", c.id, row.Sub)
		return
	}
	before := w.s.Status().Rows
	w.input(func() {
		_, err := w.s.Handle(w.now, Cancel{Call: c.id})
		if made := w.s.Status().Rows - before; err == nil && made != 1 || err != nil && !errors.Is(err, errNotReady) && !errors.Is(err, errCancelling) {
			w.fail("what row %d has left is ended by %d calls: %v", c.id, made, err)
		}
		w.taken(err)
	})
}

// mayCancel is what a cancel of a row must be answered with; nil: it is taken.
func (c *oracleRow) mayCancel() error {
	switch {
	case c == nil:
		return errUnknown
	case c.state.IsTerminal():
		return errFinished
	case c.state == Cancelling && c.cancel.refused:
		return nil
	case c.state == Cancelling:
		return errCancelling
	case c.origin == FromHandshake:
		return errInitialize
	}
	return nil
}

func (w *simulation) doNotify(a uint64) {
	method, params := "notifications/x", []byte(`{"n":1}`)
	var row *oracleRow
	switch a % 6 {
	case 1, 2, 3:
		id := w.someID(a / 6)
		if a%6 == 3 && w.server != nil && len(w.server.asked) > 0 {
			id = of(a/6, w.server.asked...)
		}
		method, params = "notifications/cancelled", fmt.Appendf(nil, `{"requestId":%s,"reason":"by hand"}`, id)
		for _, r := range w.s.InFlight(nil, 1000) {
			if r.Latest.String() == id {
				row = w.oracle.row(r.ID)
			}
		}
	case 4:
		method = of(a/6, "", "notifications/initialized", "notifications/y")
	}
	w.input(func() {
		_, err := w.s.Handle(w.now, Notify{Method: method, Params: params})
		if !w.taken(err) {
			return
		}
		if method == "notifications/cancelled" && row != nil {
			if row.state == Cancelling { // its cancel was not accepted
				w.oracle.stoppedAgain(row, "by hand")
				return
			}
			w.oracle.stopped(row, cancel.ByUser, "by hand")
			return
		}
		w.oracle.wroteIn = w.epoch
		w.oracle.byHand[string(mcp.AppendNotification(nil, method, params))] = true
	})
}

const someAnswer = `{"action":"accept","content":{"password":"hunter2"}}`

func (w *simulation) doAnswer(a, b uint64) {
	questions := w.s.Questions()
	id := QuestionID(a % 40)
	if n := len(questions); n > 0 && a%8 > 0 {
		id = questions[uint64(n)-1-a/8%uint64(min(n, 6))].ID
	}
	for _, p := range questions {
		if a%8 > 4 && p.State == Waiting && p.Round > 0 {
			id = p.ID
		}
	}
	as := of(b, Answered, Answered, Declined, Dismissed)
	w.input(func() {
		var err error
		refuses := b%7 == 0 || b%7 == 5
		switch {
		case refuses:
			_, err = w.s.Handle(w.now, Refuse{Question: id, Code: mcp.CodeRejected, Message: "no", As: as})
		case b%7 == 1:
			_, err = w.s.Handle(w.now, Answer{Question: id, Result: []byte(`[]`), As: as})
			if err == nil {
				w.fail("a list was taken as an answer")
			}
		default:
			_, err = w.s.Handle(w.now, Answer{Question: id, Result: []byte(someAnswer), As: as})
		}
		if errors.Is(err, errWithdrawn) {
			w.counts.add("race", "answer of the user's to a withdrawn prompt")
		}
		if !w.taken(err) {
			return
		}
		ask := w.oracle.questions[id]
		if ask != nil && ask.needed {
			w.counts.add("race", "question from an error answered")
		}
		if ask == nil || ask.withdrawn || ask.responded || ask.userSaid {
			w.fail("an answer to question %d was taken: %+v", id, ask)
			return
		}
		ask.userSaid, ask.said = true, as
		if ask.round != nil {
			w.oracle.inputSaid(ask, refuses, as, someAnswer, "you "+as.String()+" "+ask.method)
		}
	})
}

// leave quits or disconnects.
func (w *simulation) leave(quit bool) {
	st := w.s.Status()
	w.input(func() {
		w.oracle.taken()
		w.oracle.era.wants = 0
		if st.Phase == Connecting {
			w.counts.add("race", "disconnect during the handshake")
		}
		if st.UserCalls > 0 {
			w.counts.add("race", "quit with calls in flight")
		}
		if st.Phase == Connecting || st.Phase == Ready {
			by, why := cancel.ByDisconnect, "the user disconnected"
			if quit {
				by, why = cancel.ByQuit, "belay is quitting"
			}
			w.oracle.stoppedAll(by, why)
			w.oracle.closeBy = w.oracle.now.Add(time.Second)
		}
		if quit {
			w.s.Tell(w.now, Quit{})
		} else {
			w.s.Tell(w.now, Disconnect{Reason: "the user disconnected"})
		}
	})
}

const urlAsk = `{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"mode":"url","url":"https://example.com","message":"m","elicitationId":"e1"}}`

// oddAsks are requests to the user with something wrong. One that says "refuse"
// may never be shown.
var oddAsks = []string{
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"messages":7,"maxTokens":1,"refuse":true}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"messages":[],"refuse":true}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage"}`,
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"tools":[]}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1,"includeContext":"allServers"}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"assistant","content":{"type":"tool_use","id":"u","name":"t","input":{}}}]}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":[{"role":"user","content":{"type":"hologram"}}]}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"requestedSchema":{},"refuse":true}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"here","elicitationId":"e1","refuse":true}}`,
	`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object"}}}}}`,
}

// ask is a request of the server's, of any kind, with any ID.
func (w *simulation) ask(a, b uint64) {
	id := of(a, `0`, `""`, `"5"`, `5`, `9007199254740993`, `1.5`, `1.0`, `1`, `2`, `3`, `"sk-aaaaaaaaaaaaaaaaaaaa"`, `"sk-bbbbbbbbbbbbbbbbbbbb"`)
	if a%3 == 0 {
		id = fmt.Sprint(1000 + a%500)
	}
	w.server.asked = append(w.server.asked, id)
	ask := of(b, samplingAsk, elicitationAsk, samplingAsk, elicitationAsk,
		samplingAsk, elicitationAsk, urlAsk, urlAsk, oddAsks[a%uint64(len(oddAsks))],
		`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":{"mode":"telepathy","refuse":true}}`,
		`{"jsonrpc":"2.0","id":%s,"method":"ping"}`, `{"jsonrpc":"2.0","id":%s,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":%s,"method":"no/such"}`)
	w.say(a+b, fmt.Appendf(nil, ask, id))
}

// withdrawal is the parameters of a cancel of the server's.
func (w *simulation) withdrawal(a, b uint64) string {
	if a%8 == 0 {
		return of(b, ``, `,"params":[]`, `,"params":{}`, `,"params":{"requestId":null}`, `,"params":{"requestId":1.5}`, `,"params":{"requestId":{}}`)
	}
	id := w.someStopped(b)
	if n := len(w.server.asked); n > 0 && a%8 > 1 {
		id = w.server.asked[uint64(n)-1-b%uint64(min(n, 5))]
	}
	return fmt.Sprintf(`,"params":{"requestId":%s%s}`, id, of(a/8, `,"reason":"no longer needed"`, `,"reason":"too slow"`, ``, `,"reason":""`))
}
