package session

import (
	"fmt"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// However many names a server invents, each message is shown with its own.
func TestMoreMethodsThanTheTableOfNamesHolds(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	for i := range maxNames + 10 {
		r.feed(`{"jsonrpc":"2.0","method":"notifications/n%d"}`, i)
	}
	if n := len(r.s.hist.names); n != maxNames {
		t.Errorf("%d names are kept", n)
	}
	_, last := r.s.HistorySpan()
	for i, e := range r.s.Entries(nil, last-19, 20) {
		if want := fmt.Sprintf("notifications/n%d", maxNames+10-20+i); e.Method != want {
			t.Errorf("entry %d is %q, want %q", e.Seq, e.Method, want)
		}
	}
}

func TestWhatWasNotWrittenIsMarked(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "slow"}}); err != nil {
		t.Fatal(err)
	}
	out, _ := r.s.Next(r.now)
	_, last := r.s.HistorySpan()
	for _, unwritten := range []bool{true, false} {
		if e, _ := r.s.Entry(last); e.Method != "slow" || (e.Flags&FlagUnwritten != 0) != unwritten {
			t.Errorf("%+v, want unwritten %v", e, unwritten)
		}
		r.s.Tell(r.now, Sent{Seq: out.Seq})
	}
}

// What is typed by hand goes out as it was typed.
func TestARawRequestGetsNoToken(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.made(CallSpec{Method: "x/y", Params: []byte(`{"a":1}`), Raw: true})
	r.wantLines(`{"jsonrpc":"2.0","id":2,"method":"x/y","params":{"a":1}}`)
}

// Ten thousand calls that a question may belong to are counted, and not listed.
func TestTheQuestionNamesFewOfItsCalls(t *testing.T) {
	requirements.Rows(t, "CXS-24")
	r := ready(t, mcp.Rev20251125)
	var ids []CallID
	for range 100 {
		id, _ := r.call("t")
		ids = append(ids, id)
	}
	r.recv(elicitationAsk, 1)
	r.recv(samplingAsk, 2)
	p := r.s.Questions()[0]
	if p.Owners != 100 || len(p.Candidates) != MaxCandidates || p.Candidates[0] != ids[0] || p.Candidates[MaxCandidates-1] != ids[MaxCandidates-1] {
		t.Fatalf("%+v", p)
	}
	if got := r.s.QuestionsOf(ids[99]); len(got) != 2 || got[0] != 1 || got[1] != 2 {
		t.Errorf("the questions of the last call: %v", got)
	}
	r.cancel(ids[0], "")
	r.wait(time.Second)
	if p := r.s.Questions()[0]; p.Owners != 100 || p.CancelledOwners != 1 || p.Candidates[0] != ids[1] || len(r.s.QuestionsOf(ids[0])) != 0 {
		t.Errorf("after a cancel: %+v, %v", p, r.s.QuestionsOf(ids[0]))
	}
}
