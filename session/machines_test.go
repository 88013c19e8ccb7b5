package session

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// row adds a running call to those of a machine that stands alone.
func (a *alone) row(method string, id int64) *call {
	c := &call{CallSpec: CallSpec{Method: method, Origin: FromUser}, epoch: a.conn.epoch, state: Running}
	c.first = mcp.IntID(id)
	c.req = &request{id: c.first, method: method, call: c, order: uint64(id), begun: true}
	a.rows.add(c)
	return c
}

// What is left of a subscription whose row was cancelled, by what was answered.
func TestWhatIsLeftOfASubscription(t *testing.T) {
	failed := &mcp.RPCError{Code: -32603}
	for name, tt := range map[string]struct {
		ends    bool // the cancel was resources/unsubscribe
		answer  *cancel.Answer
		other   bool // another row subscribes to the same
		nothing bool // nothing of the request had left
		left    Residual
		end     bool // belay is to end it
	}{
		"no answer to the request":           {left: ResidualPossible},
		"the request was answered after all": {answer: &cancel.Answer{}, left: ResidualStands, end: true},
		"the request was refused":            {answer: &cancel.Answer{Err: failed}, left: ResidualNone},
		"no answer to unsubscribe":           {ends: true, left: ResidualPossible},
		"unsubscribed":                       {ends: true, answer: &cancel.Answer{}, left: ResidualNone},
		"unsubscribe was refused":            {ends: true, answer: &cancel.Answer{Err: failed}, left: ResidualStands},
		"nothing had left":                   {nothing: true, left: ResidualNone},
		"another row has it":                 {other: true, answer: &cancel.Answer{}, left: ResidualNone},
	} {
		a := newAlone(mcp.Rev20251125, mcp.Stdio)
		sb := subscriptions{log: &a.log, cfg: &a.cfg}
		c := a.row(methodSubscribe, 1)
		c.sub = &subscription{uri: "file:///a"}
		c.stop = &stop{Attempt: cancel.New(origin, cancel.Spec{Ends: tt.ends, Grace: time.Second})}
		c.stop.Written(origin)
		if tt.nothing {
			c.stop.NoRequest()
		}
		if tt.answer != nil {
			tt.answer.At, tt.answer.Began = origin.Add(time.Second), origin.Add(time.Second)
			c.stop.Answered(*tt.answer)
		}
		a.rows.enter(c, outcome{to: Cancelled}, origin)
		if tt.other {
			o := &call{CallSpec: CallSpec{Method: methodSubscribe, Origin: FromUser}, state: Running, sub: &subscription{asked: mcp.Filter{URIs: []string{"file:///a"}}, active: true}}
			o.req = &request{call: o}
			a.rows.add(o)
		}
		was := c.rev
		end := sb.noteResidual(c)
		if sb.residualOf(c) != ResidualNone && c.rev == was {
			t.Errorf("%s: the row of what is left is not said to have changed", name)
		}
		if left := sb.residualOf(c); left != tt.left || end != tt.end {
			t.Errorf("%s: left %v, to be ended %v; want %v, %v", name, left, end, tt.left, tt.end)
		}
	}
}

// An answer confirms every cancel that was written before its request, and no other.
func TestAnAnswerConfirmsWhatWasWrittenBefore(t *testing.T) {
	a := newAlone(mcp.Rev20251125, mcp.HTTP)
	u := unconfirmedCancels{log: &a.log}
	var calls []*call
	for order := range uint64(6) {
		c := a.row("tools/call", int64(order+1))
		c.stop = &stop{Attempt: cancel.New(origin, cancel.Spec{Posts: order == 1, Grace: time.Second}), order: order + 1}
		c.stop.Written(origin)
		a.rows.enter(c, outcome{to: Cancelled}, origin)
		u.add(c)
		calls = append(calls, c)
	}
	read := func() (words string) {
		for _, c := range calls {
			words += fmt.Sprint(c.stop.IsRead())[:1]
		}
		return words
	}
	for _, step := range []struct {
		order uint64
		want  string
	}{{1, "ffffff"}, {4, "tftfff"}, {2, "tftfff"}, {5, "tfttff"}, {9, "tftttt"}} {
		if u.onServerRead(step.order, "ping"); read() != step.want {
			t.Errorf("after the answer of order %d: %s, want %s", step.order, read(), step.want)
		}
	}
	if u.answered != 9 || len(u.calls) != 1 || u.calls[0] != calls[1] {
		t.Errorf("answered %d, %d left", u.answered, len(u.calls))
	}
	if u.onAcceptedAfterEnd(calls[1]); !calls[1].stop.IsRead() || len(u.calls) != 0 {
		t.Error("the cancel that the server accepted late is not confirmed")
	}
}

// A question holds the clocks of the calls that it may belong to, and gives them back.
func TestAQuestionAndItsCalls(t *testing.T) {
	for name, tt := range map[string]struct {
		stream bool // it came on the stream of the second call
		end    QuestionState
		asked  string // of each call, how many questions hold it
		given  []int
		line   int // moments on the second row
	}{
		"of any call": {end: Answered, asked: "1 1 0", given: []int{0, 1}},
		"of one":      {stream: true, end: Declined, asked: "0 1 0", given: []int{1}, line: 2},
		"withdrawn":   {end: Withdrawn, asked: "1 1 0", given: []int{0, 1}},
	} {
		a := newAlone(mcp.Rev20251125, mcp.Stdio)
		out, outgoing := outbox{order: 2}, outgoing{}
		in := incoming{writer: &writer{log: &a.log, cfg: &a.cfg, out: &out, outgoing: &outgoing}, timers: &a.timers}
		in.init()
		calls := []*call{a.row("tools/call", 1), a.row("tools/call", 2), a.row("tools/call", 3)} // the third is not out yet
		asked := func() string {
			return fmt.Sprint(calls[0].asked, calls[1].asked, calls[2].asked)
		}
		q := &serverRequest{method: "elicitation/create", question: question{note: &mcp.AskNote{}}}
		if tt.stream {
			q.stream = calls[1].id
		}
		in.enqueueQuestion(q)
		if got := asked(); got != tt.asked || in.waiting != 1 || q.state != Waiting {
			t.Errorf("%s: %s questions hold the calls, want %s; %d wait", name, got, tt.asked, in.waiting)
		}
		for _, c := range calls {
			if c.clocks.isStill() != (c.asked > 0) {
				t.Errorf("%s: call %d is held by %d, and its clocks stand still: %v", name, c.id, c.asked, c.clocks.isStill())
			}
		}
		var given []int
		for _, c := range in.closeQuestion(q, tt.end) {
			given = append(given, slices.Index(calls, c))
		}
		if line, _ := calls[1].line.view(); !slices.Equal(given, tt.given) || asked() != "0 0 0" || in.waiting != 0 || len(line) != tt.line {
			t.Errorf("%s: gave back %v, want %v; held %s, %d wait, %d moments", name, given, tt.given, asked(), in.waiting, len(line))
		}
		if in.closeQuestion(q, tt.end); a.fault == nil {
			t.Errorf("%s: a question ended twice", name)
		}
	}
}

// What answers of rows may keep is bounded, and the oldest go first.
func TestKeptAnswersMakeRoom(t *testing.T) {
	a := newAlone(mcp.Rev20251125, mcp.Stdio)
	r := results{log: &a.log, limit: 100}
	var calls []*call
	for i := range int64(10) {
		c := a.row("tools/call", i+1)
		c.result = make([]byte, 30)
		c.judged = &structured{conformity: Unjudged}
		r.unjudged = append(r.unjudged, c)
		calls = append(calls, c)
		r.count(c, len(c.result))
		if r.bytes > r.limit {
			t.Fatalf("%d bytes after %d answers, at most %d", r.bytes, i+1, r.limit)
		}
	}
	for i, c := range calls {
		kept := i >= 7
		if (c.result != nil) != kept || (c.judged.conformity == Unjudged) != kept || slices.Contains(r.unjudged, c) != kept || (c.dropped == 30) == kept {
			t.Errorf("answer %d: %d bytes kept, %v, %d dropped", i, len(c.result), c.judged.conformity, c.dropped)
		}
	}
	big := a.row("tools/call", 99)
	big.result = make([]byte, 1000)
	if r.count(big, 1000); big.result == nil || len(r.kept) != 1 {
		t.Errorf("the latest answer is not kept: %d held", len(r.kept))
	}
}

// Which exchange may bring which answer.
func TestAnExchangeBringsItsOwnAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		variant httpVariant
		on      string // whose exchange: own, other, none
		status  int
		id      string // of the answer
		mine    bool
	}{
		"its own":                         {on: "own", status: 200, id: "1", mine: true},
		"another's":                       {on: "other", status: 200, id: "1"},
		"on the stream for everything":    {variant: httpSSE, on: "none", status: 200, id: "1", mine: true},
		"no ID, with an error status":     {on: "own", status: 400, id: "null", mine: true},
		"no ID, with success":             {on: "own", status: 200, id: "null"},
		"no ID, where everything comes":   {variant: httpSSE, on: "none", status: 200, id: "null"},
		"an ID that belay has never used": {on: "own", status: 200, id: "77", mine: true}, // which is told as such
	} {
		a := newAlone(mcp.Rev20251125, mcp.HTTP)
		var out outgoing
		out.init(1, false)
		after := afterCancel{&a.log}
		w := exchanges{log: &a.log, cfg: &a.cfg, timers: &a.timers, outgoing: &out, after: &after}
		w.reset()
		w.variant = tt.variant
		own, other := a.row("tools/call", 1), a.row("tools/call", 2)
		var e *exchange
		for _, c := range []*call{own, other} {
			out.open[c.req.id] = c.req
			x := w.begin(roleRequest, c.req)
			if tt.on == "own" && c == own || tt.on == "other" && c == other {
				e = x
			}
		}
		if e == nil {
			e = w.begin(roleEvents, nil)
		}
		e.opened, e.head.Status, w.via = true, tt.status, e
		f := mcp.Decode([]byte(`{"jsonrpc":"2.0","id":` + tt.id + `,"error":{"code":-32603,"message":"no"}}`))
		if r, mine := w.requestFor(f); mine != tt.mine || mine && tt.id != "77" && r != own.req {
			t.Errorf("%s: %v, %v", name, r, mine)
		}
		if told := len(a.Diagnostics()) > 0; told != (tt.on == "other") {
			t.Errorf("%s: diagnostics %v", name, a.Diagnostics())
		}
	}
}

// The link keeps its first failure as the reason, and tells each.
func TestTheFirstFailureStays(t *testing.T) {
	a := newAlone(mcp.Rev20251125, mcp.Stdio)
	k := link{log: &a.log, cfg: &a.cfg, timers: &a.timers}
	a.conn.phase = Connecting
	k.fail(&Failure{Kind: FailTimeout, Text: "one"})
	k.fail(&Failure{Kind: FailClosed, Text: "two"})
	if a.conn.failure == nil || a.conn.failure.Text != "one" || a.conn.phase != Closing {
		t.Errorf("%+v while %v", a.conn.failure, a.conn.phase)
	}
	var told []string
	for _, e := range a.Entries(nil, 1, 10) {
		told = append(told, string(e.Raw))
	}
	if !slices.Equal(told, []string{"one", "two"}) {
		t.Errorf("told: %q", told)
	}
	if at := a.timers.At(once(dueClose)); !at.Equal(origin) {
		t.Errorf("it is closed at %v", at)
	}
}
