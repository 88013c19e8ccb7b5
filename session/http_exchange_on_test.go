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

// Each stream is read by itself, whatever the order in which they deliver.
func TestManyStreams(t *testing.T) {
	requirements.Rows(t, "HTL-31")
	w := readyWeb(t, mcp.Rev20251125)
	get := w.gets()[0].X
	w.stream(get)
	var ids []CallID
	var outs []Output
	for i := range 5 {
		id, out := w.tool(fmt.Sprintf("t%d", i))
		w.stream(out.X)
		ids, outs = append(ids, id), append(outs, out)
	}
	for _, i := range []int{3, 0, 4, 1, 2} {
		w.recvOn(outs[i].X, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, w.row(ids[i]).Wire)
	}
	w.recvOn(get, `{"jsonrpc":"2.0","id":9,"method":"ping"}`)
	if w.count(OpWrite, `"id":9`, `"result":{}`) != 1 {
		t.Error("the ping on the GET was not answered")
	}
	for _, i := range []int{2, 4, 0, 3, 1} {
		if w.row(ids[i]).Progress.Count != 1 {
			t.Errorf("stream %d has delivered no progress", i)
		}
		w.recvOn(outs[i].X, `{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, w.row(ids[i]).Wire)
		w.want(ids[i], Done, cancel.NoVerdict)
	}
	w.wantDiag(mcp.DiagForeignProgress, 0)
}

// The same request on two streams is one question, and told.
func TestARequestOnTwoStreams(t *testing.T) {
	requirements.Rows(t, "HTL-32")
	w := readyWeb(t, mcp.Rev20251125)
	_, out := w.tool("a")
	w.stream(out.X)
	w.stream(w.gets()[0].X)
	w.recvOn(out.X, elicitationAsk, 3)
	w.recvOn(w.gets()[0].X, elicitationAsk, 3)
	ps := w.s.Questions()
	if len(ps) != 1 || ps[0].State != Waiting {
		t.Fatalf("questions: %+v", ps)
	}
	w.wantDiag(mcp.DiagDuplicateRequest, 1)
	if _, err := w.s.Handle(w.now, Answer{Question: ps[0].ID, Result: []byte(`{"action":"decline"}`), As: Declined}); err != nil {
		t.Fatal(err)
	}
	w.pump()
	if n := w.count(OpWrite, `"id":3`, "decline"); n != 1 {
		t.Errorf("%d answers", n)
	}
}

// Progress of a running call on the server's own stream counts, and the
// diagnostic names the call.
func TestProgressOnTheServersStream(t *testing.T) {
	requirements.Rows(t, "HTL-29")
	w := readyWeb(t, mcp.Rev20251125)
	id, out := w.tool("a")
	w.stream(out.X)
	get := w.gets()[0].X
	w.stream(get)
	w.recvOn(get, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":1}}`, w.row(id).Wire)
	if w.row(id).Progress.Count != 1 {
		t.Error("it does not count")
	}
	w.wantDiag(mcp.DiagForeignProgress, 1)
	for _, d := range w.s.Diagnostics() {
		if d.Code == mcp.DiagForeignProgress && !strings.Contains(d.Detail, "tools/call") {
			t.Errorf("it does not name the call: %q", d.Detail)
		}
	}
}

// Progress of one call on the stream of another is told, and moves neither the
// progress of the first nor its clocks, in any revision. After its cancel it is
// evidence.
func TestProgressOnTheStreamOfAnotherCall(t *testing.T) {
	requirements.Rows(t, "HTL-19", "HTM-08", "PRG-17")
	const note = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d,"total":30}}`
	for _, rev := range []mcp.Revision{mcp.Rev20250326, mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			var w *webRig
			if rev.IsModern() {
				w = modernWeb(t)
			} else {
				w = readyWeb(t, rev)
			}
			id, own := w.tool("a")
			_, other := w.tool("b")
			streams := []ExchangeID{other.X}
			if rev.IsModern() {
				_, _, listens := w.listensOn()
				streams = append(streams, listens)
			}
			w.stream(own.X)
			w.recvOn(own.X, note, w.row(id).Wire, 1)
			before := w.row(id)
			w.later(time.Minute)
			for i, x := range streams {
				if !w.s.http.open[x.N].opened {
					w.stream(x)
				}
				w.recvOn(x, note, w.row(id).Wire, 29)
				w.wantDiag(mcp.DiagForeignProgress, i+1)
			}
			if now := w.row(id); now.Progress != before.Progress || !now.Deadline.Equal(before.Deadline) {
				t.Errorf("%+v, due %v; before it %+v, due %v", now.Progress, now.Deadline, before.Progress, before.Deadline)
			}
			w.recvOn(own.X, note, w.row(id).Wire, 2)
			w.wantDiag(mcp.DiagProgressOrder, 0)
			if now := w.row(id); now.Progress.Value != 2 || !now.Deadline.After(before.Deadline) {
				t.Errorf("its own: %+v, due %v", now.Progress, now.Deadline)
			}
			w.stop(id, "")
			w.recvOn(other.X, note, w.row(id).Wire, 30)
			if now := w.row(id); now.AfterCount != 1 || now.Progress.Value != 2 {
				t.Errorf("after the cancel: %d messages, progress %+v", now.AfterCount, now.Progress)
			}
		})
	}
}

// A server that asks in the era that has no requests of its own is told of, and
// gets neither a question nor an answer, whatever stream it asks on.
func TestRequestsInTheModernEra(t *testing.T) {
	requirements.Rows(t, "HTM-05", "HTM-09")
	w := modernWeb(t)
	id, out := w.tool("a")
	w.stream(out.X)
	posts := w.count(OpWrite)
	for i, ask := range []string{elicitationAsk, samplingAsk, `{"jsonrpc":"2.0","id":%v,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":%v,"method":"ping"}`} {
		w.recvOn(out.X, ask, 30+i)
		w.wantDiag(mcp.DiagServerRequest, 1+i)
	}
	w.later(time.Minute)
	if n := w.count(OpWrite) - posts; n != 0 || len(w.s.Questions()) != 0 {
		t.Errorf("%d POSTs, %d questions", n, len(w.s.Questions()))
	}
	w.recvOn(out.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, w.row(id).Wire)
	w.want(id, Done, cancel.NoVerdict)
}

// A stream that is closed before the answer leaves a note with the moment on the
// row, and the session as it was.
func TestAStreamThatIsClosedEarly(t *testing.T) {
	requirements.Rows(t, "HTL-20")
	for _, rev := range []mcp.Revision{mcp.Rev20250326, mcp.Rev20250618} {
		w := readyWeb(t, rev)
		id, out := w.tool("a")
		w.stream(out.X)
		w.later(1500 * time.Millisecond)
		w.ended(out.X, End{})
		closed := w.now
		w.want(id, Failed, cancel.NoVerdict)
		d, _ := w.s.Detail(id)
		last := d.Timeline[len(d.Timeline)-1]
		for _, m := range d.Timeline {
			if m.Kind == MomNote {
				last = m
			}
		}
		if last.Text != "the stream ended without a response" || !last.At.Equal(closed) || w.s.Status().Phase != Ready {
			t.Errorf("%+v; closed at %v", last, closed)
		}
	}
}
