package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// What a server says in its cancels comes into the log without what is secret, or could write to a terminal; the
// events that are no longer kept are counted.
func TestTheLogOfTheCancelsOfAServer(t *testing.T) {
	now := time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)
	s := session.New(session.Config{Pin: mcp.Rev20251125, NoListen: true, FirstID: 1, Jitter: 1}, now)
	x := session.ExchangeID{Epoch: s.Tell(now, session.Connect{}).Epoch}
	view := func(f func(*session.Session)) { f(s) }
	if got := CancelLog(view, secret.NewMask(""), nil); len(got) != 0 {
		t.Errorf("of nothing: %s", got)
	}
	says := func(format string, args ...any) { s.Receive(now, x, mcp.Decode(fmt.Appendf(nil, format, args...))) }
	says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a\u001b]0;x\u0007","reason":"ghp_0123456789abcdefghijklmnopqrstuvwxyz \u009b31m \u202e"}}`)
	got := string(CancelLog(view, secret.NewMask(""), nil))
	if strings.Count(got, "\n") != 1 || !strings.Contains(got, `"initiator":"server"`) || !strings.Contains(got, `"direction":"incoming"`) || !strings.Contains(got, `"level":"DEBUG"`) {
		t.Errorf("%s", got)
	}
	if strings.Contains(got, "ghp_0123") || strings.ContainsAny(got, "\x1b\u009b\u202e") || !strings.Contains(got, "⟨U+202E⟩") {
		t.Errorf("%q", got)
	}
	if !strings.Contains(got, `"id_type":"string"`) || strings.Contains(got, `\"`) {
		t.Errorf("the ID is JSON within JSON: %s", got)
	}
	says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"reason":"x"}}`)
	got = string(CancelLog(view, secret.NewMask(""), []safe.Text{"the recording is cut"}))
	if !strings.HasPrefix(got, `{"level":"WARN","msg":"the recording is cut"}`+"\n") || !strings.Contains(got, `"level":"ERROR","msg":"cancel ignored: malformed: requestId is missing","request_id":"","id_type":"","reason":"","initiator":"server"`) || !strings.Contains(got, `"method":"",`) {
		t.Errorf("%s", got)
	}
	for range 2000 {
		says(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`)
	}
	got = string(CancelLog(view, secret.NewMask(""), nil))
	if n := strings.Count(got, "\n"); n != 2001 || !strings.HasPrefix(got, `{"level":"WARN","msg":"2 earlier events are not kept"}`+"\n") {
		t.Errorf("%d lines: %.200s", n, got)
	}
}
