package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// An ID is not used again while its call may still be answered, nor afterwards.
func TestIDsOfCancelledCalls(t *testing.T) {
	requirements.Rows(t, "BASE-05")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.NoProbe = true })
	id, wire := r.call("t")
	r.cancel(id, "")
	r.want(id, Cancelling, cancel.NoVerdict)
	for range 1000 {
		if _, other := r.call("t"); other == wire {
			t.Fatalf("%v is used twice", wire)
		}
	}
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete"}}`, wire)
	r.want(id, Cancelled, cancel.Crossed)
}

// Whoever gives a call up, its server gets one signal: not none, and not two.
func TestEveryWayToGiveUpSignalsOnce(t *testing.T) {
	requirements.Rows(t, "CXL-02")
	ways := map[string]struct {
		spec CallSpec
		do   func(s *Session, now time.Time, id CallID)
	}{
		"the user":    {CallSpec{}, func(s *Session, now time.Time, id CallID) { _, _ = s.Handle(now, Cancel{Call: id}) }},
		"everything":  {CallSpec{}, func(s *Session, now time.Time, _ CallID) { s.Tell(now, CancelAll{}) }},
		"silence":     {CallSpec{Idle: time.Second}, func(*Session, time.Time, CallID) {}},
		"the maximum": {CallSpec{Max: time.Second}, func(*Session, time.Time, CallID) {}},
		"a rule":      {CallSpec{Rules: Rules{After: time.Second}}, func(*Session, time.Time, CallID) {}},
		"disconnect":  {CallSpec{}, func(s *Session, now time.Time, _ CallID) { s.Tell(now, Disconnect{Reason: "bye"}) }},
		"quit":        {CallSpec{}, func(s *Session, now time.Time, _ CallID) { s.Tell(now, Quit{}) }},
		"a newer one": {CallSpec{Method: "completion/complete"}, func(s *Session, now time.Time, id CallID) {
			_, _ = s.Handle(now, StartCall{Spec: CallSpec{Method: "completion/complete", Supersedes: id}})
		}},
	}
	for name, way := range ways {
		if way.spec.Method == "" {
			way.spec.Method = "tools/call"
		}
		for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
			t.Run(name+" "+string(rev), func(t *testing.T) {
				r := ready(t, rev, func(c *Config) { c.NoProbe = true })
				id, wire := r.made(way.spec)
				r.lines = nil
				way.do(r.s, r.now, id)
				r.pull()
				r.wait(time.Minute)
				if n := r.sent("notifications/cancelled", fmt.Sprintf(`"requestId":%v`, wire)); n != 1 {
					t.Errorf("%d signals: %v", n, r.lines)
				}
			})
			t.Run(name+" "+string(rev)+" over HTTP", func(t *testing.T) {
				var w *webRig
				if rev.IsModern() {
					w = modernWeb(t, func(c *Config) { c.NoProbe = true })
				} else {
					w = readyWeb(t, rev, func(c *Config) { c.NoProbe = true })
					w.later(time.Second)
				}
				id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: way.spec}))
				if err != nil {
					t.Fatal(err)
				}
				w.pump()
				out := w.post(way.spec.Method)
				way.do(w.s, w.now, id)
				w.pump()
				w.later(time.Minute)
				posts, closed := w.count(OpWrite, "notifications/cancelled", fmt.Sprintf(`"requestId":%v`, w.row(id).Wire)), 0
				for _, o := range w.outs {
					if o.Op == OpAbort && o.X == out.X && o.Seq != 0 {
						closed++
					}
				}
				if rev.IsModern() && (posts != 0 || closed != 1) || !rev.IsModern() && (posts != 1 || closed != 0) {
					t.Errorf("%d posts, %d closings", posts, closed)
				}
			})
		}
	}
}

// Only what belay has asked for can be cancelled, whatever the server has asked,
// and whether that was answered or not.
func TestOnlyRequestsOfOursAreCancelled(t *testing.T) {
	requirements.Rows(t, "CXL-04")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		r := ready(t, rev)
		r.recv(`{"jsonrpc":"2.0","id":"theirs","method":"ping"}`) // answered, or ignored as a violation
		r.lines = nil
		if _, err := r.s.Handle(r.now, Notify{Method: "notifications/cancelled", Params: []byte(`{"requestId":"theirs"}`)}); err == nil {
			t.Errorf("%s: the server's request is cancelled", rev)
		}
		if _, err := r.s.Handle(r.now, Cancel{Call: 4711}); err == nil {
			t.Errorf("%s: a call that does not exist is cancelled", rev)
		}
		r.pull()
		r.wantLines()
	}
}

// How long a server went on after the cancel is told to the moment.
func TestHowLongAServerGoesOn(t *testing.T) {
	requirements.Rows(t, "CXL-21")
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.NoProbe = true })
	id, wire := r.call("t")
	r.cancel(id, "")
	for i, step := range []time.Duration{300 * time.Millisecond, 937 * time.Millisecond} {
		r.wait(step)
		r.recv(progressNote, token(wire), i+1)
	}
	r.wait(10 * time.Second)
	d, _ := r.s.Detail(id)
	for _, e := range d.Evidence {
		if e.Text == "last of 2 messages for it after the cancel: progress 2" && e.After == 1237*time.Millisecond {
			return
		}
	}
	t.Errorf("%+v", d.Evidence)
}

// A type of result that an extension may have is still none that belay knows, and
// the extensions of the server are named.
func TestResultsOfExtensions(t *testing.T) {
	requirements.Rows(t, "BASE-17")
	for capabilities, want := range map[string]string{
		`{"extensions":{"io.modelcontextprotocol/tasks":{},"io.example/work":{},"x/y":{}}}`: `invalid response: resultType "work"; the server has extensions that belay does not declare: io.example/work, x/y`,
		`{}`: `invalid response: resultType "work"`,
	} {
		r := serving(t, mcp.Rev20260728, capabilities)
		id, wire := r.call("t")
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"work","workId":"1"}}`, wire)
		if row := r.row(id); row.State != Failed || row.Note != want {
			t.Errorf("%v, %q", row.State, row.Note)
		}
	}
}

// Only servers tell of progress in the modern era, also where a request of theirs
// carries a token.
func TestBelaySendsNoProgress(t *testing.T) {
	requirements.Rows(t, "PRG-18")
	r := ready(t, mcp.Rev20260728)
	r.lines = nil
	id, _ := r.call("t")
	r.round(id, asking(strings.Replace(askStory, `"maxTokens":10`, `"maxTokens":10,"_meta":{"progressToken":"s"}`, 1)))
	r.wait(time.Second)
	r.tell(tellStory)
	r.done(id)
	if r.sent("tools/call") != 2 || r.sent("notifications/progress") != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

// After a server that died, belay fetches its own lists again; what the user has
// called is lost, and called again by the user alone.
func TestWhatADeathTakesAlong(t *testing.T) {
	requirements.Rows(t, "STD-22")
	for _, rev := range []mcp.Revision{mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev)
			call, _ := r.call("t")
			list, _ := r.made(CallSpec{Method: "tools/list"})
			r.closed()
			for _, id := range []CallID{call, list} {
				r.want(id, Lost, cancel.NoVerdict)
			}
			r.lines = nil
			r.connect()
			r.agree(rev, `{"tools":{}}`)
			r.wait(time.Minute)
			if r.sent(`"tools/list"`) != 1 || r.sent(`"tools/call"`) != 0 {
				t.Errorf("written: %v", r.lines)
			}
			d, _ := r.s.Detail(call)
			if again, _ := r.made(CallSpec{Method: d.Method, Params: d.Params}); r.row(again).State != Running || r.sent(`"tools/call"`) != 1 {
				t.Errorf("called again: %v", r.lines)
			}
		})
	}
}

// The three patterns of the protocol, in the modern era: a request and its answer,
// one that takes more than one round, and a subscription.
func TestTheThreePatterns(t *testing.T) {
	requirements.Rows(t, "BASE-33")
	r := ready(t, mcp.Rev20260728)
	plain, wire := r.call("plain")
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, wire)
	r.want(plain, Done, cancel.NoVerdict)
	id, first := r.call("asks")
	r.round(id, asking(askName)+`,"requestState":"s"`)
	r.tell(tellName)
	if r.row(id).Latest == first || r.sent(`"inputResponses"`, `"requestState":"s"`) != 1 {
		t.Errorf("written: %v", r.lines)
	}
	r.done(id)
	sub, of := r.hearing(mcp.Filter{URIs: []string{boardURI}})
	r.recv(movedNote, of, boardURI)
	if row := r.row(sub); row.State != Running || row.Sub.Updates != 1 {
		t.Errorf("%v, %+v", row.State, row.Sub)
	}
	if n := len(r.s.Diagnostics()); n != 0 {
		t.Errorf("found wrong: %v", r.s.Diagnostics())
	}
}
