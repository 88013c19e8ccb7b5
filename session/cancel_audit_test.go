package session

import (
	"testing"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// What an audit cancels is the audit's, right or wrong, in its rows and in the log, and not the
// user's.
func TestTheCancelsOfAnAuditAreItsOwn(t *testing.T) {
	requirements.Rows(t, "CXL-25")
	for audits, want := range map[bool]cancel.Initiator{false: cancel.ByUser, true: cancel.ByAudit} {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.Audit = audits })
		id, _ := r.call("slow")
		r.cancel(id, "belay audit: cancelled midway")
		if _, err := r.s.Handle(r.now, WrongCancel{Kind: WrongUnknown, Reason: "on purpose"}); err != nil {
			t.Fatal(err)
		}
		r.pull()
		if by := r.row(id).Initiator; by != want || by.String() == "" {
			t.Errorf("an audit: %t: the call was cancelled by %v", audits, by)
		}
		events := r.s.CancelEvents()
		if len(events) < 3 {
			t.Errorf("there are %d", len(events))
		}
		for _, e := range events {
			if e.Initiator != want {
				t.Errorf("an audit: %t: %v by %v", audits, e.Stage, e.Initiator)
			}
		}
	}
}
