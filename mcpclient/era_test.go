//go:build unix

package mcpclient

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"belay/internal/covers"
	"belay/session"
	"belay/session/mcp"
)

// methodsRead are the methods of what the peers of a log have read, in order.
func methodsRead(t *testing.T, log string) string {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for line := range strings.Lines(string(text)) {
		all = append(all, mcp.Decode([]byte(strings.TrimSpace(line))).Method)
	}
	return strings.Join(all, " ")
}

// A server that does not bear the probe is started again, once, and greeted as
// it is used to; no other process of it is left.
func TestAServerThatEndsOnTheProbeIsStartedAgain(t *testing.T) {
	covers.Rows(t, "VER-48")
	for _, script := range []string{"dies of the probe", "hangs up on the probe"} {
		t.Run(script, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			o := options(t, script)
			o.Env = append(o.Env, "BELAY_TEST_LOG="+log)
			o.Ladder.Settle = quick.Settle
			c := run(t, o)
			first := c.Process().PID
			awaitReady(t, c)
			var st session.Status
			c.View(func(s *session.Session) { st = s.Status() })
			if st.Epoch != 2 || st.Found != session.FoundFallback || st.Revision != mcp.Rev20251125 {
				t.Errorf("connection %d, %s by %v", st.Epoch, st.Revision, st.Found)
			}
			wantState(t, c, callTool(t, c, "any", "{}"), session.Done)
			if got := methodsRead(t, log); !strings.HasPrefix(got, "server/discover initialize notifications/initialized ") {
				t.Errorf("the two processes read %s", got)
			}
			noSurvivor(t, first)
		})
	}
}

// Whoever quits meanwhile gets no second process.
func TestAServerIsNotStartedAgainWhileBelayCloses(t *testing.T) {
	o := options(t, "hangs up on the probe")
	o.Ladder.Settle = quick.Settle
	c := run(t, o)
	await(t, c, "the end of the first connection", func(s *session.Session) bool { return s.Status().Phase != session.Connecting || s.Status().Epoch > 1 })
	closeIt(t, c)
	if p := c.Process(); p.Running() {
		t.Errorf("still there: %+v", p)
	}
}

func TestAModernServer(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	o := options(t, "modern")
	o.Env = append(o.Env, "BELAY_TEST_LOG="+log)
	c := run(t, o)
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "any", "{}"), session.Done)
	closeIt(t, c)
	if got := methodsRead(t, log); got != "server/discover tools/list tools/call" && got != "server/discover tools/call tools/list" {
		t.Errorf("it read %s", got)
	}
	text, _ := os.ReadFile(log)
	if n := strings.Count(string(text), `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`); n != 3 {
		t.Errorf("%d of 3 requests name the revision:\n%s", n, text)
	}
}
