package e2e

import (
	"testing"

	"belay/internal/requirements"
)

// A wrong cancel is sent by its name alone, never by x, and changes no row.
func TestAWrongCancelIsSentByName(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-31")
	s := play(t, "silent-cancel", "--grace", "30s")
	s.See("scripted").call("slow").See("running")
	for _, tt := range [][2]string{{"unknown", `"requestId":2147483647`}, {"no-id", `"params":{"reason"`}, {"object-id", `"requestId":{}`}, {"type", `"requestId":"`}} {
		s.Press(":").See("type a command")
		s.Type("wrong-cancel " + tt[0]).Press("enter").See("a wrong cancel, on purpose")
		s.serverReads(1, `"method":"notifications/cancelled"`, tt[1])
	}
	s.See("running")
	s.Press(":").See("type a command")
	s.Type("wrong-cancel twice").Press("enter").See("no cancel of")
	s.Press("x").See("cancelling")
	s.serverReads(1, `"reason":"User requested cancellation"`)
	s.Press(":").See("type a command")
	s.Type("wrong-cancel twice").Press("enter").See("a second cancel")
	s.serverReads(1, "wrong on purpose: a second cancel")
	s.serverReads(6, "notifications/cancelled")
}
