package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// wrongCalls are a call of each kind that a wrong cancel may be about.
type wrongCalls struct {
	running, stopped, done             CallID
	runningWire, stoppedWire, doneWire mcp.ID
}

func (r *rig) wrongCalls() (c wrongCalls) {
	c.done, c.doneWire = r.call("quick")
	r.recv(okAnswer, c.doneWire)
	c.stopped, c.stoppedWire = r.call("stopped")
	r.cancel(c.stopped, "enough")
	c.running, c.runningWire = r.call("slow")
	r.lines = nil
	return c
}

func (c wrongCalls) of(kind WrongKind) CallID {
	return map[WrongKind]CallID{WrongTwice: c.stopped, WrongAfter: c.done, WrongType: c.running}[kind]
}

// Each wrong cancel is wrong in its way alone, is marked, and changes no state.
func TestEachWrongCancelIsWrongInItsWay(t *testing.T) {
	requirements.Rows(t, "CXL-03", "CXL-05")
	for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20251125, mcp.Rev20260728} {
		r := ready(t, rev)
		c := r.wrongCalls()
		for _, kind := range Wrongs {
			t.Run(fmt.Sprint(rev, " ", kind), func(t *testing.T) {
				r.lines = nil
				events, before := len(r.s.CancelEvents()), [3]State{r.row(c.running).State, r.row(c.stopped).State, r.row(c.done).State}
				if _, err := r.s.Handle(r.now, WrongCancel{Kind: kind, Call: c.of(kind), Reason: "a test"}); err != nil {
					t.Fatal(err)
				}
				r.check()
				r.pull()
				const head = `{"jsonrpc":"2.0","method":"notifications/cancelled"`
				want := map[WrongKind]string{
					WrongUnknown:  head + `,"params":{"requestId":2147483647,"reason":"a test"}}`,
					WrongTwice:    head + `,"params":{"requestId":` + c.stoppedWire.String() + `,"reason":"a test"}}`,
					WrongAfter:    head + `,"params":{"requestId":` + c.doneWire.String() + `,"reason":"a test"}}`,
					WrongType:     head + `,"params":{"requestId":"` + c.runningWire.String() + `","reason":"a test"}}`,
					WrongNoParams: head + `}`,
					WrongNoID:     head + `,"params":{"reason":"a test"}}`,
					WrongObjectID: head + `,"params":{"requestId":{},"reason":"a test"}}`,
				}[kind]
				if len(r.lines) != 1 || r.lines[0] != want {
					t.Fatalf("written: %q, want %s", r.lines, want)
				}
				if after := [3]State{r.row(c.running).State, r.row(c.stopped).State, r.row(c.done).State}; after != before {
					t.Errorf("states %v, were %v", after, before)
				}
				all := r.s.WrongCancels()
				v := all[len(all)-1]
				e, _ := r.s.Entry(v.Entry)
				if v.Kind != kind || v.Call != c.of(kind) || v.Sent.IsZero() || e.Flags&(FlagWrong|FlagCancel) != FlagWrong|FlagCancel || e.Flags&FlagUnwritten != 0 || string(e.Raw) != want {
					t.Errorf("%+v, entry %+v", v, e)
				}
				log := r.s.CancelEvents()
				if len(log) != events+1 || log[events].Stage != CancelWrong || log[events].Note != kind.Words() {
					t.Errorf("log %+v", log[events:])
				}
				if id := c.of(kind); id != 0 {
					d, _ := r.s.Detail(id)
					if m := d.Timeline[len(d.Timeline)-1]; m.Kind != MomWrong || m.Entry != v.Entry || !strings.HasPrefix(m.Text, kind.Words()) {
						t.Errorf("timeline ends with %+v", m)
					}
				}
			})
		}
		if r.s.writer.out.cancels != 0 && r.row(c.stopped).State != Cancelling {
			t.Errorf("%d cancels are counted as not reported", r.s.out.cancels)
		}
	}
}

// The unknown ID is one that no request has, of either side, and another each time.
func TestTheUnknownIDIsUnknown(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.call("a")
	r.recv(samplingAsk, 2147483646)
	r.lines = nil
	for range 3 {
		_, _ = r.s.Handle(r.now, WrongCancel{Kind: WrongUnknown})
	}
	r.pull()
	for i, id := range []int{2147483647, 2147483645, 2147483644} {
		if !strings.Contains(r.lines[i], fmt.Sprintf(`"requestId":%d,"reason":"wrong on purpose: an ID that belay never used"`, id)) {
			t.Errorf("%s, want %d", r.lines[i], id)
		}
	}
}

// A wrong cancel of what it cannot be about is refused, and the handshake is off limits.
func TestWrongCancelsAreRefused(t *testing.T) {
	requirements.Rows(t, "CXL-06")
	r := ready(t, mcp.Rev20251125)
	c := r.wrongCalls()
	var initialize CallID
	for id := CallID(1); initialize == 0; id++ {
		if row := r.row(id); row.Method == "initialize" {
			initialize = id
		}
	}
	for _, tt := range []struct {
		in   WrongCancel
		code RefusalCode
	}{
		{WrongCancel{Kind: "rude"}, RefuseParams},
		{WrongCancel{Kind: WrongTwice}, RefuseUnknown},
		{WrongCancel{Kind: WrongType, Call: 999}, RefuseUnknown},
		{WrongCancel{Kind: WrongAfter, Call: initialize}, RefuseInitialize},
		{WrongCancel{Kind: WrongTwice, Call: initialize}, RefuseInitialize},
		{WrongCancel{Kind: WrongTwice, Call: c.running}, RefuseParams},
		{WrongCancel{Kind: WrongTwice, Call: c.done}, RefuseParams},
		{WrongCancel{Kind: WrongAfter, Call: c.running}, RefuseParams},
		{WrongCancel{Kind: WrongAfter, Call: c.stopped}, RefuseParams},
		{WrongCancel{Kind: WrongType, Call: c.done}, RefuseParams},
		{WrongCancel{Kind: WrongType, Call: c.stopped}, RefuseParams},
	} {
		if _, err := r.s.Handle(r.now, tt.in); !errors.Is(err, &Refusal{Code: tt.code}) {
			t.Errorf("%+v: %v", tt.in, err)
		}
	}
	if _, err := r.s.Handle(r.now, WrongCancel{Kind: WrongType, Call: c.stopped}); !strings.Contains(err.Error(), "is being cancelled already") {
		t.Errorf("of a call that is being cancelled: %v", err)
	}
	r.pull()
	if len(r.lines) != 0 || len(r.s.WrongCancels()) != 0 {
		t.Errorf("sent %v", r.lines)
	}
	r.s.Tell(r.now, Closed{Epoch: r.epoch})
	if _, err := r.s.Handle(r.now, WrongCancel{Kind: WrongUnknown}); !errors.Is(err, &Refusal{Code: RefuseNotReady}) {
		t.Errorf("without a connection: %v", err)
	}
	r.connect()
	if _, err := r.s.Handle(r.now, WrongCancel{Kind: WrongAfter, Call: c.done}); !errors.Is(err, &Refusal{Code: RefuseFinished}) && !errors.Is(err, &Refusal{Code: RefuseNotReady}) {
		t.Errorf("of a connection before: %v", err)
	}
}

// Over HTTP they go only to a server that nobody else uses, and in 2026-07-28 nowhere.
func TestWrongCancelsOverHTTP(t *testing.T) {
	for _, tt := range []struct {
		rev  mcp.Revision
		may  bool
		code RefusalCode
	}{
		{mcp.Rev20251125, false, RefuseShared},
		{mcp.Rev20251125, true, 0},
		{mcp.Rev20260728, false, RefuseUnsupported},
		{mcp.Rev20260728, true, RefuseUnsupported},
	} {
		w := readyWeb(t, tt.rev, func(c *Config) { c.WrongCancels = tt.may })
		w.tool("a")
		w.auto = false
		_, err := w.s.Handle(w.now, WrongCancel{Kind: WrongUnknown})
		if tt.code != 0 {
			if !errors.Is(err, &Refusal{Code: tt.code}) {
				t.Errorf("%s, %v: %v", tt.rev, tt.may, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		out := w.post("notifications/cancelled")
		w.opened(out.X, Head{Status: 400})
		w.recvOn(out.X, `{"jsonrpc":"2.0","error":{"code":-32602,"message":"no such request"}}`)
		w.ended(out.X, End{})
		v := w.s.WrongCancels()[0]
		if !strings.HasPrefix(v.Answer, "HTTP 400") || !strings.HasSuffix(v.Answer, `"no such request"`) || v.Sent.IsZero() {
			t.Errorf("%+v", v)
		}
		for _, d := range w.s.Diagnostics() {
			if d.Code == mcp.DiagNotAccepted {
				t.Errorf("that the server refuses a wrong cancel is no fault of its: %s", d.Describe())
			}
		}
	}
}

// What the server answers is told as what it is, and is no evidence on another cancel.
func TestAnAnswerToAWrongCancel(t *testing.T) {
	for _, tt := range []struct {
		kind   WrongKind
		line   string
		answer string
	}{
		{WrongUnknown, `{"jsonrpc":"2.0","id":2147483647,"error":{"code":-32602,"message":"unknown request"}}`, `error -32602`},
		{WrongUnknown, `{"jsonrpc":"2.0","id":2147483647,"result":{}}`, `a result, where a notification has no answer`},
		{WrongType, `{"jsonrpc":"2.0","id":"%s","error":{"code":-32602,"message":"no such request"}}`, `error -32602`},
		{WrongObjectID, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"bad"}}`, `error -32600`},
		{WrongObjectID, `{"jsonrpc":"2.0","id":2147483647,"error":{"code":-32600,"message":"bad"}}`, ``},
	} {
		r := ready(t, mcp.Rev20251125)
		c := r.wrongCalls()
		if _, err := r.s.Handle(r.now, WrongCancel{Kind: tt.kind, Call: c.of(tt.kind)}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		r.wait(time.Millisecond)
		if strings.Contains(tt.line, "%s") {
			tt.line = fmt.Sprintf(tt.line, c.runningWire)
		}
		r.recv("%s", tt.line)
		if v := r.s.WrongCancels()[0]; tt.answer == "" && v.Answer != "" || !strings.HasPrefix(v.Answer, tt.answer) {
			t.Errorf("%s: %q", tt.line, v.Answer)
		}
		r.want(c.running, Running, cancel.NoVerdict)
		if d, _ := r.s.Detail(c.stopped); d.Strayed && tt.kind != WrongObjectID {
			t.Errorf("%s is evidence of another cancel: %+v", tt.line, d.Evidence)
		}
	}
}

// Over HTTP what the POST of a wrong cancel brings is about that; but the answer to a call is
// the evidence on that call, in the wrong place.
func TestACallIsAnsweredInTheAnswerToAWrongCancel(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		want cancel.Verdict
	}{
		"an error without an ID": {`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Method not found"}}`, cancel.Quiet},
		"the answer to the call": {okAnswer, cancel.AnsweredLate},
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125, func(c *Config) { c.WrongCancels = true })
			id, out := w.tool("slow")
			w.stream(out.X)
			w.auto = false
			w.later(time.Second)
			w.stop(id, "enough")
			w.accept(w.post("notifications/cancelled"))
			w.later(time.Second)
			if _, err := w.s.Handle(w.now, WrongCancel{Kind: WrongUnknown}); err != nil {
				t.Fatal(err)
			}
			w.pump()
			x := w.post("notifications/cancelled").X
			w.opened(x, Head{Status: 200, Media: mediaJSON})
			line := tt.line
			if line == okAnswer {
				line = fmt.Sprintf(line, w.row(id).Wire)
			}
			w.recvOn(x, "%s", line)
			w.ended(x, End{})
			w.later(4 * time.Second)
			if w.count(OpWrite, "ping") > 0 {
				ping := w.post("ping")
				w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
				w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			}
			w.want(id, Cancelled, tt.want)
		})
	}
}

// A recording may lack the call that a wrong cancel is about: the ID of its request stands beside that.
func TestAWrongCancelOfACallThatARecordingLacks(t *testing.T) {
	r, kept := recorded(t, nil)
	from := len(kept.rests)
	id, wire := r.call("quick")
	r.recv(okAnswer, wire)
	if _, err := r.s.Handle(r.now, WrongCancel{Kind: WrongAfter, Call: id, Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	p, err := kept.playCut(kept.rests[from], kept.rests[len(kept.rests)-1])
	if err != nil {
		t.Fatal(err)
	}
	if _, has := p.s.Row(id); has || p.differs != 0 {
		t.Errorf("the replay has the call: %v; %d outputs differ", has, p.differs)
	}
	if all := p.s.WrongCancels(); len(all) != 1 || all[0].ID != wire.String() || all[0].Call != id {
		t.Errorf("the wrong cancels of the replay: %+v", all)
	}
	never := WrongCancel{Kind: WrongAfter, Call: id, Request: 1 << 20}
	if _, err := p.s.Handle(r.now, never); !errors.Is(err, &Refusal{Code: RefuseUnknown}) {
		t.Errorf("an ID that was never used: %v", err)
	}
}
