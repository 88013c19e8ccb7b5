package session

import (
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// A task that the answer to tasks/cancel says is cancelled is polled once more, and until that is
// answered the row says so: who leaves before would never know.
func TestTheOnePollAfterACancelledTaskIsAwaited(t *testing.T) {
	requirements.Rows(t, "TSK-61")
	r := tasking(t, mcp.Rev20251125)
	id := r.begun()
	r.cancel(id, "")
	r.ack()
	if k := r.row(id).Task; !k.Confirming || k.GoesOn {
		t.Fatalf("%+v", k)
	}
	r.polled("cancelled")
	if k := r.row(id).Task; k.Confirming {
		t.Errorf("%+v", k)
	}
}
