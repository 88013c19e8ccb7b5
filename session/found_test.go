package session

import (
	"strings"
	"testing"

	"belay/session/mcp"
)

// Of each message that something was wrong with, it is known what.
func TestEveryMessageSaysWhatIsWrongWithIt(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	for range 3 {
		r.recv(`{"jsonrpc":"2.0","id":null,"method":"x"}`)
		r.recv(`not JSON`)
	}
	_, last := r.s.HistorySpan()
	told := 0
	for q := last - 5; q <= last; q++ {
		e, _ := r.s.Entry(q)
		found := r.s.DiagnosticsOf(q)
		if len(found) == 0 || found[0].Entry != q {
			t.Fatalf("nothing is said of entry %d, %q: %+v", q, e.Raw, found)
		}
		if strings.Contains(found[0].Describe(), "not JSON") == (string(e.Raw) == "not JSON") {
			told++
		}
	}
	if told != 6 {
		t.Errorf("%d of 6 messages say the right thing", told)
	}
	for range 2 * maxMarked {
		r.feed(`not JSON`)
	}
	if n := len(r.s.diags.marks); n != maxMarked {
		t.Errorf("%d messages are remembered", n)
	}
	_, last = r.s.HistorySpan()
	if len(r.s.DiagnosticsOf(last)) != 1 {
		t.Error("of the last message nothing is known")
	}
}

// A server that closes its output has not ended.
func TestAClosedOutputIsNoEnd(t *testing.T) {
	for _, tt := range []struct {
		why  Close
		want string
	}{
		{Close{Status: "closed its output", Alive: true}, "the server closed its output; belay ends it"},
		{Close{Status: "exit status 3"}, "the server ended: exit status 3"},
	} {
		r := ready(t, mcp.Rev20251125)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: tt.why})
		if f := r.s.Status().Failure; f == nil || f.Text != tt.want {
			t.Errorf("%+v", f)
		}
	}
}

// A command that is no server, and prints how it is used, is quoted.
func TestWhatWasPrintedInThePlaceOfAHandshake(t *testing.T) {
	r := opened(t, Config{})
	r.recv("usage: thing [FILE]")
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 2"}})
	if f := r.s.Status().Failure; f == nil || f.Stdout != "usage: thing [FILE]\n" ||
		f.Text != "the server ended before it answered initialize: exit status 2" {
		t.Errorf("%+v", f)
	}
}

func TestAListThatIsNoneIsDiagnosed(t *testing.T) {
	r := serving(t, mcp.Rev20251125, `{"tools":{}}`)
	r.recv(`{"jsonrpc":"2.0","id":2,"result":{"tools":"x"}}`)
	r.wantDiag(mcp.DiagResultShape, 1)
	if p := r.s.Catalog().Lists[mcp.Tools].Problem; p != "the answer is no list of tools" {
		t.Errorf("the list says %q", p)
	}
}
