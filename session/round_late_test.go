package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// A server of 2026-07-28 that asks for input after the cancel has answered, and has not
// finished. In a revision without rounds that is a result like any other.
func TestAnAnswerAfterTheCancelThatAsksForInput(t *testing.T) {
	const asks = `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{}}}}}}}`
	for rev, want := range map[mcp.Revision]string{mcp.Rev20260728: "answered by asking for input (elicitation/create): the call is not finished by that", mcp.Rev20251125: "answered with a result"} {
		r := ready(t, rev)
		id, wire := r.call("slow")
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(3 * time.Second)
		r.recv(asks, wire)
		r.want(id, Cancelled, cancel.AnsweredLate)
		d, _ := r.s.Detail(id)
		if e := r.evidence(id); !strings.Contains(e, want) || d.Late == nil || d.Late.Asks != rev.Modern() || len(r.s.Prompts()) > 0 {
			t.Errorf("%s: %+v\n%s", rev, d.Late, e)
		}
	}
}
