package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
)

// A server of 2026-07-28 that asks for input after the cancel has answered, and has not
// finished. In a revision without rounds that is no result that belay takes: whether it has
// finished is not known.
func TestAnAnswerAfterTheCancelThatAsksForInput(t *testing.T) {
	const asks = `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Name?","requestedSchema":{"type":"object","properties":{}}}}}}}`
	for rev, want := range map[mcp.Revision]string{mcp.Rev20260728: "answered by asking for input (elicitation/create): the call is not finished by that", mcp.Rev20251125: "answered with an invalid result: input_required came with 2026-07-28; this is 2025-11-25"} {
		r := ready(t, rev)
		id, wire := r.call("slow")
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(3 * time.Second)
		r.recv(asks, wire)
		r.want(id, Cancelled, cancel.AnsweredLate)
		d, _ := r.s.Detail(id)
		if e := r.evidence(id); !strings.Contains(e, want) || d.Late == nil || d.Late.Asks != rev.IsModern() || d.Late.Malformed == rev.IsModern() || len(r.s.Questions()) > 0 {
			t.Errorf("%s: %+v\n%s", rev, d.Late, e)
		}
	}
}

// A late result that belay would not take before the cancel either does not say that the
// server has finished.
func TestAnInvalidResultAfterTheCancel(t *testing.T) {
	for result, want := range map[string]string{
		`null`:                                     "it is not an object",
		`"done"`:                                   "it is not an object",
		`{"resultType":"hologram","content":[]}`:   `resultType "hologram"`,
		`{"resultType":7,"content":[]}`:            "resultType",
		`{"resultType":"complete","content":[]}`:   "",
		`{"content":[{"type":"text","text":"x"}]}`: "",
	} {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.call("slow")
		r.wait(time.Second)
		r.cancel(id, "")
		r.wait(3 * time.Second)
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, result)
		r.want(id, Cancelled, cancel.AnsweredLate)
		d, _ := r.s.Detail(id)
		e, isInvalid := r.evidence(id), want != ""
		if strings.Contains(e, "answered with an invalid result: "+want) != isInvalid || d.Late == nil || d.Late.Malformed != isInvalid {
			t.Errorf("%s: %+v\n%s", result, d.Late, e)
		}
	}
}
