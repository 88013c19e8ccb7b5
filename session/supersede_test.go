package session

import (
	"testing"

	"belay/session/cancel"
	"belay/session/mcp"
)

func TestANewCompletionSupersedesTheOldOne(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	complete := func(typed string, old CallID) CallID {
		t.Helper()
		id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{
			Method: "completion/complete", Params: []byte(`{"argument":{"name":"a","value":"` + typed + `"}}`), Origin: FromBelay, Supersedes: old,
		}}))
		if err != nil {
			t.Fatal(err)
		}
		r.pull()
		return id
	}
	one := complete("b", 0)
	two := complete("be", one)
	d, _ := r.s.Detail(one)
	if d.State != Cancelling || d.Initiator != cancel.BySuperseded || d.Origin != FromBelay || r.row(two).State != Running {
		t.Errorf("%+v", d.Row)
	}
	if want := string(mcp.AppendCancelled(nil, d.Wire, "superseded by a newer request")); r.sent(want) != 1 {
		t.Errorf("written: %v", r.lines)
	}
	r.mute = true
	three := complete("bel", two)
	four := complete("bela", three)
	if row := r.row(three); row.State != Dropped || row.Initiator != cancel.BySuperseded {
		t.Errorf("what had not left is dropped: %+v", row)
	}
	r.mute = false
	r.pull()
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"completion":{"values":[]}}}`, r.row(four).Wire)
	r.lines = nil
	complete("belay", four) // it has ended
	call, _ := r.call("t")
	complete("x", call) // another method is left alone
	r.want(call, Running, cancel.NoVerdict)
	if r.sent("notifications/cancelled") != 0 {
		t.Errorf("written: %v", r.lines)
	}
	if n := r.s.Status().UserCalls; n != 1 {
		t.Errorf("%d calls of the user's", n)
	}
}
