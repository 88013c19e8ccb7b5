package session

import (
	"strings"
	"testing"

	"belay/internal/covers"
)

// A server that does not speak in mid-session what it had agreed to is asked
// once more. What is in flight is kept, and what is new waits.
func TestTheVersionChangesInMidSession(t *testing.T) {
	covers.Rows(t, "VER-55")
	const notAnyMore = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"not any more","data":{"supported":%s}}}`
	for _, tt := range []struct {
		listed, opening string
		rev             Revision
	}{
		{`["2026-07-28","2027-01-01"]`, "server/discover", Rev20260728},
		{`["2025-11-25","2025-06-18"]`, "initialize", Rev20251125},
	} {
		t.Run(string(tt.rev), func(t *testing.T) {
			r := probing(t)
			r.recv(discoverAnswer, IntID(1), `["2026-07-28"]`, `{"tools":{}}`)
			r.lists(fresh)
			kept, keptWire := r.call("kept")
			refused, wire := r.call("refused")
			r.lines = nil
			r.recv(notAnyMore, wire, tt.listed)
			r.wantOpening(tt.opening)
			if row := r.row(refused); row.State != Failed || !strings.Contains(row.Note, "negotiated anew") {
				t.Errorf("the refused call is %+v", row)
			}
			waits, err := r.s.Call(r.now, Call{Method: "tools/call", Params: []byte(`{"name":"new"}`)})
			if err != nil {
				t.Fatal(err)
			}
			r.pull()
			r.wantOpening(tt.opening)
			r.want(waits, Queued, NoVerdict)
			r.want(kept, Running, NoVerdict)
			opening := Decode([]byte(r.lines[0])).ID
			if tt.rev.Modern() {
				r.recv(discoverAnswer, opening, `["2026-07-28"]`, `{"tools":{}}`)
			} else {
				r.recv(`{"jsonrpc":"2.0","id":%v,"result":`+initResult+`}`, opening, tt.rev)
			}
			r.wantReady(tt.rev, FoundListed)
			r.want(waits, Running, NoVerdict)
			for _, l := range r.lines {
				if strings.Contains(l, `"name":"new"`) && strings.Contains(l, metaVersion) != tt.rev.Modern() {
					t.Errorf("in %s the call that waited is %s", tt.rev, l)
				}
			}
			if r.sent(`"name":"new"`) != 1 {
				t.Errorf("written: %v", r.lines)
			}
			r.recv(okAnswer, keptWire)
			r.want(kept, Done, NoVerdict)
		})
	}
	t.Run("once", func(t *testing.T) {
		r := ready(t, Rev20260728)
		for i := range 2 {
			id, wire := r.call("t")
			r.lines = nil
			r.recv(notAnyMore, wire, `["2026-07-28"]`)
			if i == 0 {
				r.wantOpening("server/discover")
				r.recv(discoverAnswer, Decode([]byte(r.lines[0])).ID, `["2026-07-28"]`, `{}`)
				continue
			}
			r.wantLines()
			if row := r.row(id); row.State != Failed || !strings.Contains(row.Note, "once more") || r.s.Status().Phase != Ready {
				t.Errorf("%+v", row)
			}
		}
	})
	t.Run("nothing that belay speaks", func(t *testing.T) {
		r := ready(t, Rev20260728)
		id, wire := r.call("t")
		r.lines = nil
		r.recv(notAnyMore, wire, `["2027-01-01"]`)
		r.wantLines()
		if row := r.row(id); !strings.Contains(row.Note, "lists none that belay may use") || r.s.Status().Phase != Ready {
			t.Errorf("%+v", row)
		}
	})
	t.Run("before that era", func(t *testing.T) {
		r := ready(t, Rev20251125)
		_, wire := r.call("t")
		r.lines = nil
		r.recv(notAnyMore, wire, `["2026-07-28"]`)
		r.wantLines()
	})
	t.Run("the server ends meanwhile", func(t *testing.T) {
		r := probing(t)
		r.recv(discoverAnswer, IntID(1), `["2026-07-28"]`, `{}`)
		_, wire := r.call("t")
		r.recv(notAnyMore, wire, `["2026-07-28"]`)
		r.s.Closed(r.now, r.epoch, Close{Status: "exit status 1"})
		if r.s.Status().StartAgain {
			t.Error("it is started again, as if it did not know the request")
		}
	})
}

// The pages of a list that were asked for before the lists were begun anew do
// not get into the new ones.
func TestAListIsBegunAnewMeanwhile(t *testing.T) {
	r := probing(t)
	r.recv(discoverAnswer, IntID(1), `["2026-07-28"]`, `{"tools":{}}`)
	_, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"m","data":{"supported":["2026-07-28"]}}}`, wire)
	r.recv(discoverAnswer, IntID(4), `["2026-07-28"]`, `{"tools":{}}`)
	page := `{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":%q}],"resultType":"complete","ttlMs":1,"cacheScope":"public"}}`
	r.recv(page, 2, "old")
	if l := r.s.Catalog().Lists[Tools]; !l.Loading || len(l.Items) != 0 {
		t.Errorf("%+v", l)
	}
	r.recv(page, 5, "new")
	if l := r.s.Catalog().Lists[Tools]; l.Loading || len(l.Items) != 1 || l.Items[0].Name != "new" {
		t.Errorf("%+v", l)
	}
}
