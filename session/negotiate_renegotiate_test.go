package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// A server that does not speak in mid-session what it had agreed to is asked
// once more. What is in flight is kept, and what is new waits.
func TestTheVersionChangesInMidSession(t *testing.T) {
	requirements.Rows(t, "VER-55")
	const notAnyMore = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"not any more","data":{"supported":%s}}}`
	r := probing(t)
	r.agree(mcp.Rev20260728, `{"tools":{}}`)
	r.lists(fresh)
	kept, keptWire := r.call("kept")
	refused, wire := r.call("refused")
	r.lines = nil
	r.recv(notAnyMore, wire, `["2026-07-28","2027-01-01"]`)
	r.wantOpening("server/discover")
	if row := r.row(refused); row.State != Failed || !strings.Contains(row.Note, "negotiated anew") {
		t.Errorf("the refused call is %+v", row)
	}
	waits, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"new"}`)}}))
	if err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wantOpening("server/discover")
	r.want(waits, Queued, cancel.NoVerdict)
	r.want(kept, Running, cancel.NoVerdict)
	r.agree(mcp.Rev20260728, `{"tools":{}}`)
	r.wantReady(mcp.Rev20260728, negotiate.FoundListed)
	r.want(waits, Running, cancel.NoVerdict)
	r.recv(okAnswer, keptWire)
	r.want(kept, Done, cancel.NoVerdict)
	t.Run("to another era", func(t *testing.T) {
		r := probing(t)
		r.agree(mcp.Rev20260728, `{}`)
		id, wire := r.call("t")
		r.lines = nil
		r.recv(notAnyMore, wire, `["2025-06-18"]`)
		r.wantLines()
		if row := r.row(id); row.Remedy != (Remedy{RemedyRestartIn, "2025-06-18"}) || r.s.Status().Phase != Ready {
			t.Errorf("%+v", row)
		}
	})
	t.Run("and then it is not modern any more", func(t *testing.T) {
		for _, answer := range []string{`{"jsonrpc":"2.0","id":%v,"error":{"code":-32601,"message":"no"}}`, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"no","data":{"supported":["2025-06-18"]}}}`} {
			r := probing(t)
			r.agree(mcp.Rev20260728, `{}`)
			_, wire := r.call("t")
			r.lines = nil
			r.recv(notAnyMore, wire, `["2026-07-28"]`)
			r.recv(answer, mcp.Decode([]byte(r.lines[0])).ID)
			r.wantOpening("server/discover CLOSE")
			r.wantFailure(FailVersion, "in mid-session")
		}
	})
	t.Run("once", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		for i := range 2 {
			id, wire := r.call("t")
			r.lines = nil
			r.recv(notAnyMore, wire, `["2026-07-28"]`)
			if i == 0 {
				r.wantOpening("server/discover")
				r.agree(mcp.Rev20260728, `{}`)
				continue
			}
			r.wantLines()
			if row := r.row(id); row.State != Failed || !strings.Contains(row.Note, "once more") || row.Remedy.Kind != RemedyRestart || r.s.Status().Phase != Ready {
				t.Errorf("%+v", row)
			}
		}
	})
	t.Run("nothing that belay speaks", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.call("t")
		r.lines = nil
		r.recv(notAnyMore, wire, `["2027-01-01"]`)
		r.wantLines()
		if row := r.row(id); !strings.Contains(row.Note, "lists none that belay may use") || r.s.Status().Phase != Ready {
			t.Errorf("%+v", row)
		}
	})
	t.Run("before that era", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		_, wire := r.call("t")
		r.lines = nil
		r.recv(notAnyMore, wire, `["2026-07-28"]`)
		r.wantLines()
	})
	t.Run("the server ends meanwhile", func(t *testing.T) {
		r := probing(t)
		r.agree(mcp.Rev20260728, `{}`)
		_, wire := r.call("t")
		r.recv(notAnyMore, wire, `["2026-07-28"]`)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
		if r.s.Status().StartAgain {
			t.Error("it is started again, as if it did not know the request")
		}
	})
}

// The pages of a list that were asked for before the lists were begun anew do
// not get into the new ones.
func TestAListIsBegunAnewMeanwhile(t *testing.T) {
	r := probing(t)
	r.agree(mcp.Rev20260728, `{"tools":{}}`)
	_, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}}`, wire)
	r.agree(mcp.Rev20260728, `{"tools":{}}`)
	page := `{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":%q}],"resultType":"complete","ttlMs":1,"cacheScope":"public"}}`
	r.recv(page, 2, "old")
	if l := r.s.Catalog().Lists[mcp.Tools]; !l.Loading || len(l.Items) != 0 {
		t.Errorf("%+v", l)
	}
	r.recv(page, 5, "new")
	if l := r.s.Catalog().Lists[mcp.Tools]; l.Loading || len(l.Items) != 1 || l.Items[0].Name != "new" {
		t.Errorf("%+v", l)
	}
}

// The next request of a round that waits for the era to be settled keeps what it
// carries.
func TestARoundGoesOnAfterTheVersionChanged(t *testing.T) {
	r := probing(t)
	r.agree(mcp.Rev20260728, `{}`)
	_, asks := r.call("asks")
	_, refused := r.call("refused")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}}`, refused)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"input_required","requestState":"kept"}}`, asks)
	r.wait(2500 * time.Millisecond)
	if r.sent(`"requestState":"kept"`) != 0 {
		t.Errorf("before the era is settled: %v", r.lines)
	}
	r.agree(mcp.Rev20260728, `{}`)
	if r.sent(`"name":"asks"`, `"requestState":"kept"`, metaVersion) != 1 {
		t.Errorf("written: %v", r.lines)
	}
}
