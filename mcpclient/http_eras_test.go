//go:build unix

package mcpclient

import (
	"testing"

	"belay/internal/covers"
	dictated "belay/internal/peer"
	"belay/session"
	"belay/session/mcp"
)

// A server that speaks both eras at one address has a connection in each, side
// by side, and neither sees anything of the other.
func TestBothErasSideBySide(t *testing.T) {
	covers.Rows(t, "VER-54")
	both := newScripted(t, mcp.Rev20260728)
	both.Modern(slow).Handshake("2025-11-25", slow)
	both.On("tools/list", func(x *dictated.Exchange) {
		x.JSONResult(`{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` + slow + `]}`)
	})
	modern := both.connect()
	both.rev = mcp.Rev20251125
	legacy := both.connect()
	for range 2 {
		for _, c := range []*Client{modern, legacy} {
			rev := status(c).Revision
			id := callTool(t, c, "slow", "{}")
			x := both.Await("tools/call")
			if got := x.Header.Get("Mcp-Protocol-Version"); got != string(rev) {
				t.Errorf("a call of %s went with %q", rev, got)
			}
			wantSession := ""
			if c == legacy {
				wantSession = dictated.SessionID
			}
			if got := x.Header.Get("Mcp-Session-Id"); got != wantSession {
				t.Errorf("a call of %s went with the session %q", rev, got)
			}
			x.JSONResult(`{"resultType":"complete","content":[]}`)
			wantState(t, c, id, session.Done)
		}
	}
	if m, l := status(modern).Revision, status(legacy).Revision; m != mcp.Rev20260728 || l != mcp.Rev20251125 {
		t.Errorf("%s and %s", m, l)
	}
	closeIt(t, legacy)
	if st := status(modern); st.Phase != session.Ready {
		t.Errorf("the other one has ended: %v", st.Phase)
	}
}
