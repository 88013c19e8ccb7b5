//go:build unix

package mcpclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
	"belay/session/negotiate"
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
func TestAServerThatEndsOnDiscoverIsStartedAgain(t *testing.T) {
	requirements.Rows(t, "VER-48")
	for _, script := range []string{"dies of the probe", "hangs up on the probe"} {
		t.Run(script, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			o := options(t, script)
			o.Env = append(o.Env, "BELAY_TEST_LOG="+log)
			o.Shutdown.Settle = quick.Settle
			c := run(t, o)
			first := c.Process().PID
			awaitReady(t, c)
			var st session.Status
			c.View(func(s *session.Session) { st = s.Status() })
			if st.Epoch != 2 || st.Found != negotiate.Fallback || st.Revision != mcp.Rev20251125 {
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

// A server that reads both requests of the opening is spoken to in the revision
// that it answers server/discover with: on the same process where it refuses
// initialize, else on another one that sees no handshake; and one that bears neither
// both of them nor initialize, on a third.
func TestAServerThatReadsBothRequests(t *testing.T) {
	for _, tt := range []struct {
		script, read string
		epoch        session.Epoch
		found        negotiate.Found
		rev          mcp.Revision
	}{
		{"answers both", "server/discover initialize server/discover tools/", 2, negotiate.Discovered, mcp.Rev20260728},
		{"refuses initialize", "server/discover initialize tools/", 1, negotiate.Discovered, mcp.Rev20260728},
		{"breaks on the probe", "server/discover initialize initialize notifications/initialized ", 2, negotiate.Fallback, mcp.Rev20251125},
		{"ends on initialize", "server/discover initialize initialize server/discover tools/", 3, negotiate.Discovered, mcp.Rev20260728},
	} {
		t.Run(tt.script, func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "log")
			o := options(t, tt.script)
			o.Env = append(o.Env, "BELAY_TEST_LOG="+log)
			o.Session.DiscoverLimit = 20 * time.Millisecond
			c := run(t, o)
			first := c.Process().PID
			awaitReady(t, c)
			st := status(c)
			if st.Epoch != tt.epoch || st.Found != tt.found || st.Revision != tt.rev || st.StartedAgain != (tt.epoch > 1) {
				t.Errorf("connection %d, %s by %v, started again %v", st.Epoch, st.Revision, st.Found, st.StartedAgain)
			}
			wantState(t, c, callTool(t, c, "any", "{}"), session.Done)
			if got := methodsRead(t, log); !strings.HasPrefix(got, tt.read) {
				t.Errorf("it read %s", got)
			}
			if tt.epoch > 1 {
				noSurvivor(t, first)
			}
		})
	}
}

// Whoever quits meanwhile gets no second process, however late it is: before
// the server is run again, or when it was and the core does not know of it yet.
func TestAServerIsNotStartedAgainWhileBelayCloses(t *testing.T) {
	quit := func(c *Client) { c.tell(session.Quit{}) }
	ended := func(t *testing.T) (c *Client, goOn func()) {
		o := options(t, "hangs up on the probe")
		o.Shutdown.Settle = quick.Settle
		c = run(t, o)
		c.life.Lock() // whoever starts the server again waits for it
		await(t, c, "the end of the first connection", func(s *session.Session) bool { return s.Status().StartAgain })
		<-c.current.Load().ended()
		return c, c.life.Unlock
	}
	disconnect := func(c *Client) { c.tell(session.Disconnect{}) }
	for name, leave := range map[string]func(c *Client){"quit": quit, "disconnect": disconnect} {
		t.Run("before it is run: "+name, func(t *testing.T) {
			c, goOn := ended(t)
			first := c.Process().PID
			leave(c)
			goOn()
			c.background.Wait()
			if p := c.Process(); p.PID != first {
				t.Errorf("a second process was run: %+v", p)
			}
			closeIt(t, c)
		})
	}
	t.Run("when it was run", func(t *testing.T) {
		c, goOn := ended(t)
		second, err := c.open()
		if err != nil {
			t.Fatal(err)
		}
		quit(c)
		c.begin(second)
		goOn()
		c.background.Wait()
		closeIt(t, c)
		if p := c.Process(); p.IsRunning() || p.PID != second.info().PID {
			t.Errorf("still there: %+v", p)
		}
		c.View(func(s *session.Session) {
			if n := s.Status().ActiveReqs; n != 0 {
				t.Errorf("%d requests to a server that is not wanted", n)
			}
			for _, e := range s.Entries(nil, 1, 50) {
				if e.Method == "initialize" {
					t.Errorf("it was greeted: %s", e.Raw)
				}
			}
		})
	})
	t.Run("by closing it", func(t *testing.T) {
		c, goOn := ended(t)
		goOn()
		closeIt(t, c)
		if p := c.Process(); p.IsRunning() {
			t.Errorf("still there: %+v", p)
		}
	})
	t.Run("and it is not restarted", func(t *testing.T) {
		c, goOn := ended(t)
		quit(c)
		goOn()
		if err := c.Restart(); !errors.Is(err, ErrClosed) {
			t.Errorf("restarted: %v", err)
		}
	})
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
