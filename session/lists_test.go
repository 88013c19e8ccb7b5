package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
)

func TestARejectedCursorSaysSoAndTheListReloads(t *testing.T) {
	covers.Rows(t, "ERR-19")
	r := newRig(t, Config{})
	r.epoch = r.s.Connect(r.now)
	r.pull()
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"p","version":"1"}}}`)
	r.recv(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"two"}}`)
	r.recv(`{"jsonrpc":"2.0","id":3,"result":{"tools":[{"name":"b","inputSchema":{"type":"object"}}],"nextCursor":"three"}}`)
	r.recv(`{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Invalid cursor"}}`)
	l := r.s.Catalog().Lists[Tools]
	if !strings.Contains(l.Problem, "rejected its own cursor after page 2") || l.Complete || len(l.Items) != 2 {
		t.Fatalf("%+v", l)
	}
	r.lines = nil
	if err := r.s.Reload(r.now); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if r.sent(`"tools/list"`) != 1 || r.sent("cursor") != 0 {
		t.Fatalf("written: %v", r.lines)
	}
	r.recv(`{"jsonrpc":"2.0","id":5,"result":{"tools":[{"name":"c","inputSchema":{"type":"object"}}]}}`)
	if l := r.s.Catalog().Lists[Tools]; l.Problem != "" || !l.Complete || len(l.Items) != 1 || l.Items[0].Name != "c" {
		t.Fatalf("%+v", l)
	}
}

func TestListChangesWithoutEndAreFetchedOnceASecond(t *testing.T) {
	r := newRig(t, Config{})
	r.epoch = r.s.Connect(r.now)
	r.pull()
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"p","version":"1"}}}`)
	for range 3000 {
		r.s.Receive(r.now, Exchange{Epoch: r.epoch}, Decode([]byte(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)))
		r.wait(time.Millisecond)
	}
	if n := r.sent(`"tools/list"`); n > 4 {
		t.Errorf("%d requests for a list that never came", n)
	}
}

// Also where each request is answered at once, a server that announces changes
// without end is asked once a second (SUB-25).
func TestListChangesThatAreAnsweredAtOnce(t *testing.T) {
	covers.Rows(t, "SUB-25")
	r := newRig(t, Config{})
	r.epoch = r.s.Connect(r.now)
	r.pull()
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"p","version":"1"}}}`)
	r.lists("")
	r.wait(time.Minute)
	r.lines = nil
	for range 3000 {
		r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
		r.wait(time.Millisecond)
		if len(r.s.InFlight(nil, 1)) > 0 {
			r.lists("")
		}
	}
	if n := r.sent(`"tools/list"`); n < 3 || n > 4 {
		t.Errorf("%d requests in three seconds of changes", n)
	}
}
