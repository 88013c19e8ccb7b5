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

// aboutForm takes the question with the ID 77 back.
const aboutForm = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77,"reason":"changed my mind"}}`

// A server that cancels a cancelled call in its turn has not been silent, and has not answered
// either. One that takes the call's question back does as it should: that is told, and breaks
// no silence.
func TestAPlainWordAfterTheCancel(t *testing.T) {
	const (
		withdrawn = "the withdrawal of elicitation/create came after the cancel"
		named     = `notifications/cancelled with the ID of the call came after the cancel: "changed my mind"`
		handshake = mcp.Rev20251125
	)
	asks := func(r *rig) { r.recv(elicitationAsk, 77) }
	dismisses := func(r *rig) {
		if _, err := r.s.Handle(r.now, Answer{Question: r.s.Questions()[0].ID, Result: []byte(`{"action":"cancel"}`), As: Dismissed}); err != nil {
			r.t.Fatal(err)
		}
		r.pull()
	}
	for name, tt := range map[string]struct {
		rev           mcp.Revision
		before, since func(r *rig) // the cancel
		after         time.Duration
		line          string // empty: the cancel of the call itself
		says          string // empty: it is silence
	}{
		"its question is withdrawn":                {handshake, asks, nil, time.Second, aboutForm, withdrawn + `: "changed my mind"`},
		"… without a reason":                       {handshake, asks, nil, time.Second, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`, withdrawn},
		"… after the end":                          {handshake, asks, nil, 20 * time.Second, aboutForm, withdrawn},
		"… after it was dismissed":                 {handshake, asks, dismisses, time.Second, aboutForm, withdrawn},
		"… that it had asked after the cancel":     {handshake, nil, func(r *rig) { r.wait(time.Second); asks(r) }, time.Second, aboutForm, withdrawn},
		"a question that was answered before":      {handshake, func(r *rig) { asks(r); dismisses(r) }, nil, time.Second, aboutForm, ""},
		"a question that was not for the user":     {handshake, func(r *rig) { r.recv(`{"jsonrpc":"2.0","id":77,"method":"roots/list"}`) }, nil, time.Second, aboutForm, ""},
		"no question at all":                       {handshake, nil, nil, time.Second, aboutForm, ""},
		"the call itself is cancelled":             {handshake, nil, nil, time.Second, "", named},
		"the call itself, in the modern era":       {mcp.Rev20260728, nil, nil, time.Second, "", named},
		"the call itself, after the end":           {handshake, nil, nil, 20 * time.Second, "", named},
		"the call itself, long after the end, too": {mcp.Rev20260728, nil, nil, 5 * time.Minute, "", named},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, tt.rev)
			r.pings = true
			id, wire := r.call("slow")
			if tt.before != nil {
				tt.before(r)
			}
			r.wait(time.Second)
			r.cancel(id, "")
			if tt.since != nil {
				tt.since(r)
			}
			r.wait(tt.after)
			if tt.line == "" {
				r.recv(cancelledNote, wire)
			} else {
				r.recv("%s", tt.line)
			}
			r.wait(10 * time.Second)
			want := cancel.Quiet
			if tt.says == named {
				want = cancel.NothingHeard
			}
			r.want(id, Cancelled, want)
			d, _ := r.s.Detail(id)
			took := strings.HasPrefix(tt.says, withdrawn)
			if e := r.evidence(id); !strings.Contains(e, tt.says) || d.Strayed != (tt.says == named) || d.Withdrew.IsZero() == took {
				t.Errorf("strayed: %v, withdrew at %v\n%s", d.Strayed, d.Withdrew, e)
			}
			if last := d.Timeline[len(d.Timeline)-1]; tt.after > 10*time.Second && (last.Entry == 0 || !strings.Contains(last.Text, "came")) {
				t.Errorf("the timeline ends with %+v", last)
			}
		})
	}
}

// A question of which nobody knows whose it is may be that of each call that was cancelled before it
// came or while it waited. None is said to have taken it back.
func TestTheQuestionOfSeveralCancelledCalls(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.pings = true
	before, _ := r.call("slow")
	r.cancel(before, "")
	one, _ := r.call("slow")
	other, _ := r.call("slow")
	r.recv(elicitationAsk, 77)
	running, _ := r.call("slow")
	r.cancel(one, "")
	r.cancel(other, "")
	r.wait(time.Second)
	r.recv("%s", aboutForm)
	r.wait(10 * time.Second)
	for _, id := range []CallID{before, one, other} {
		r.want(id, Cancelled, cancel.Quiet)
		if d, _ := r.s.Detail(id); !d.Withdrew.IsZero() || d.DoubtfulWithdrawals != 1 {
			t.Errorf("call %d: withdrew at %v, and may have withdrawn %d", id, d.Withdrew, d.DoubtfulWithdrawals)
		}
		if e := r.evidence(id); !strings.Contains(e, "the withdrawal of a question of this call or of another (elicitation/create) came after the cancel") {
			t.Error(e)
		}
	}
	r.want(running, Running, cancel.NoVerdict)
}

// The question may have been that of the call which runs on: then the silence of the other began at its
// cancel, and the withdrawal is told as what it is.
func TestTheQuestionOfACallThatRunsOnIsTakenBack(t *testing.T) {
	requirements.Rows(t, "CXS-24")
	r := ready(t, mcp.Rev20251125)
	r.pings = true
	stopped, _ := r.call("slow")
	running, _ := r.call("asks")
	r.recv(elicitationAsk, 77)
	r.cancel(stopped, "")
	r.wait(3 * time.Second)
	r.recv("%s", aboutForm)
	r.wait(10 * time.Second)
	r.want(stopped, Cancelled, cancel.Quiet)
	if d, _ := r.s.Detail(stopped); !d.Withdrew.IsZero() || d.DoubtfulWithdrawals != 1 || d.After.All != 0 {
		t.Errorf("withdrew at %v, may have withdrawn %d, %d messages", d.Withdrew, d.DoubtfulWithdrawals, d.After.All)
	}
	r.want(running, Running, cancel.NoVerdict)
}

// Over HTTP all that comes on the stream of a cancelled call is the call's. A message that is
// no answer counts as one, and a word about it as a word.
func TestWhatComesOnTheStreamOfACancelledCall(t *testing.T) {
	const ping, log = `{"jsonrpc":"2.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`
	for name, tt := range map[string]struct {
		line  string
		at    time.Duration
		count int
		want  cancel.Verdict
		says  string
	}{
		"a log message":                      {log, time.Second, 1, cancel.Quiet, "a message for it came after the cancel: notifications/message"},
		"a log message at the end":           {log, 4500 * time.Millisecond, 1, cancel.StillWorking, "a message for it came after the cancel: notifications/message"},
		"a request that is no question":      {ping, time.Second, 1, cancel.Quiet, "a message for it came after the cancel: ping"},
		"… at the end":                       {ping, 4500 * time.Millisecond, 1, cancel.StillWorking, "a message for it came after the cancel: ping"},
		"the withdrawal of its question":     {aboutForm, time.Second, 0, cancel.Quiet, "the withdrawal of elicitation/create came after the cancel"},
		"a cancel that names it":             {"", time.Second, 0, cancel.NothingHeard, "notifications/cancelled with the ID of the call came after the cancel"},
		"a cancel that names it, at the end": {"", 4500 * time.Millisecond, 0, cancel.NothingHeard, "notifications/cancelled with the ID of the call came after the cancel"},
	} {
		t.Run(name, func(t *testing.T) {
			w := readyWeb(t, mcp.Rev20251125)
			id, out := w.tool("slow")
			_, beside := w.tool("other")
			w.stream(out.X)
			w.stream(beside.X)
			w.auto = false
			w.recvOn(out.X, elicitationAsk, 77)
			w.later(time.Second)
			w.stop(id, "enough")
			w.accept(w.post("notifications/cancelled"))
			w.recvOn(beside.X, log)
			w.recvOn(beside.X, `{"jsonrpc":"2.0","id":6,"method":"ping"}`)
			w.later(tt.at)
			if tt.line == "" {
				w.recvOn(out.X, cancelledNote, w.row(id).Wire)
			} else {
				w.recvOn(out.X, "%s", tt.line)
			}
			if n := w.row(id).AfterCount; n != tt.count {
				t.Errorf("%d messages came after the cancel, want %d", n, tt.count)
			}
			w.later(5200*time.Millisecond - tt.at)
			ping := w.post("ping")
			w.opened(ping.X, Head{Status: 200, Media: mediaJSON})
			w.recvOn(ping.X, okAnswer, mcp.Decode(ping.Data).ID)
			w.want(id, Cancelled, tt.want)
			w.wantEvidence(id, tt.says)
		})
	}
}

// An update without a tag is nobody's by the rules. That of what only one subscription asks
// for, which is being ended, is no silence of it.
func TestAnUpdateWithoutATagAfterTheCancel(t *testing.T) {
	for name, tt := range map[string]struct {
		others []string // addresses of other subscriptions
		line   string
		count  int
	}{
		"the only one":                {nil, boardURI, 2},
		"beside one to another":       {[]string{"file:///elsewhere"}, boardURI, 2},
		"beside one to a part of it":  {[]string{boardURI + "/a"}, boardURI + "/a", 0},
		"of another part of it":       {[]string{boardURI + "/a"}, boardURI + "/b", 2},
		"of what it does not ask for": {nil, "file:///elsewhere", 0},
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20260728)
			r.pings = true
			id, _ := r.hearing(mcp.Filter{URIs: []string{boardURI}})
			for _, uri := range tt.others {
				r.hearing(mcp.Filter{URIs: []string{uri}})
			}
			r.cancel(id, "")
			r.wait(time.Second)
			r.recv(updatedNote, tt.line)
			r.wait(3500 * time.Millisecond)
			r.recv(updatedNote, tt.line)
			if n := r.row(id).AfterCount; n != tt.count {
				t.Errorf("%d messages came after the cancel, want %d", n, tt.count)
			}
			r.wait(10 * time.Second)
			want := cancel.Quiet
			if tt.count > 0 {
				want = cancel.StillWorking
			}
			r.want(id, Cancelled, want)
			r.wantDiag(mcp.DiagSubTag, 2)
		})
	}
}

// What the server says again of a question that it has taken back is nothing new, also where
// the question was never shown.
func TestAQuestionThatIsTakenBackTwice(t *testing.T) {
	for name, ask := range map[string]string{
		"of the user":   fmt.Sprintf(elicitationAsk, 77),
		"that is wrong": `{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{}}`,
	} {
		t.Run(name, func(t *testing.T) {
			r := ready(t, mcp.Rev20251125)
			id, _ := r.call("slow")
			r.cancel(id, "")
			r.wait(time.Second)
			r.mute = true // the answer to a question that is wrong has not left
			r.recv("%s", ask)
			r.recv("%s", aboutForm)
			d, _ := r.s.Detail(id)
			first := d.Withdrew
			r.wait(time.Second)
			r.recv("%s", strings.Replace(aboutForm, "changed my mind", "once more", 1))
			if d, _ = r.s.Detail(id); first.IsZero() || !d.Withdrew.Equal(first) {
				t.Errorf("taken back at %v, and then at %v", first, d.Withdrew)
			}
		})
	}
}
