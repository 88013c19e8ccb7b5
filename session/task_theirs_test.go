package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// Belay takes no tasks from servers: it declares none, and a question that wishes for one is
// answered as any other.
func TestServersGetNoTasks(t *testing.T) {
	requirements.Rows(t, "TSR-01", "TSR-02")
	r := opened(t, Config{})
	if strings.Contains(r.lines[0], "tasks") {
		t.Errorf("%s", r.lines[0])
	}
	k := tasking(t, mcp.Rev20251125)
	k.call("t")
	k.asksForName(`,"task":{"ttl":60000}`)
	p := k.wantQuestion(Waiting)
	if _, err := k.s.Handle(k.now, Answer{Question: p.ID, Result: []byte(ann), As: Answered}); err != nil {
		t.Fatal(err)
	}
	k.pull()
	if line := k.lines[len(k.lines)-1]; line != `{"jsonrpc":"2.0","id":"ask-1","result":`+ann+`}` {
		t.Errorf("%s", line)
	}
}
