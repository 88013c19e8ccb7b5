package cancel

import (
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

func TestTheTableOfSignals(t *testing.T) {
	requirements.Rows(t, "CXL-07")
	for _, tt := range []struct {
		kind                                             Kind
		legacyStdio, legacyHTTP, modernStdio, modernHTTP Signal
	}{
		{Request, Notify, Notify, Notify, Abort},
		{Task, CancelTask, CancelTask, CancelTask, CancelTask},
		{Subscription, Unsubscribe, Unsubscribe, Notify, Abort},
		{Handshake, Never, Never, Never, Never},
	} {
		for _, r := range mcp.Supported() {
			stdio, http := tt.legacyStdio, tt.legacyHTTP
			if r == mcp.Rev20260728 {
				stdio, http = tt.modernStdio, tt.modernHTTP
			}
			if got := SignalFor(tt.kind, r, mcp.Stdio); got != stdio {
				t.Errorf("%d over stdio in %s: %d, want %d", tt.kind, r, got, stdio)
			}
			if got := SignalFor(tt.kind, r, mcp.HTTP); got != http {
				t.Errorf("%d over HTTP in %s: %d, want %d", tt.kind, r, got, http)
			}
		}
	}
}
