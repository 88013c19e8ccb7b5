package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// A server that lists a modern revision when it refuses initialize is used in
// that revision, although it does not know server/discover.
func TestAServerThatDoesNotKnowDiscover(t *testing.T) {
	requirements.Rows(t, "VER-26")
	r := probing(t)
	r.recv(noSuchMethod, mcp.IntID(1), mcp.CodeMethodNotFound)
	r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
	r.recv(noSuchMethod, mcp.IntID(3), mcp.CodeMethodNotFound)
	r.wantReady(mcp.Rev20260728, negotiate.FoundListed)
	r.wantOpening("server/discover initialize server/discover tools/list prompts/list resources/list resources/templates/list")
	d := r.found(mcp.DiagNoDiscover)
	if d == nil || !strings.Contains(d.Describe(), "-32601") || d.Cite(mcp.Rev20260728).Page == "" {
		t.Errorf("%+v", d)
	}
	r.recv(`{"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}}`)
	for id := range int64(3) {
		r.recv(noSuchMethod, mcp.IntID(5+id), mcp.CodeMethodNotFound)
	}
	if !r.s.Status().Server.Unsaid {
		t.Error("what it can do is taken for known")
	}
	if tools := r.s.Catalog().Lists[mcp.Tools].Items; len(tools) != 1 || tools[0].Name != "t" {
		t.Errorf("%+v", tools)
	}
	if d := r.found(mcp.DiagGroupMissing); d != nil { // it declared nothing
		t.Error(d.Describe())
	}
	id, wire := r.call("t")
	if r.sent(`"tools/call"`, metaVersion) != 1 {
		t.Errorf("written: %q", r.lines)
	}
	r.recv(okAnswer, wire)
	r.want(id, Done, cancel.NoVerdict)
	r.lines = nil
}

// A server that refuses initialize and lists a modern revision has time for its answer to server/discover, which
// tells what it offers: the request is out, and another one would have that answer ignored.
func TestAServerThatIsSlowToDiscover(t *testing.T) {
	requirements.Rows(t, "VER-25")
	for _, slow := range []time.Duration{0, 2 * time.Second, 10*time.Second - 1} {
		r := probing(t)
		r.wait(3 * time.Second)
		r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
		r.wait(slow)
		r.recv(discoverAnswer, mcp.IntID(1), `["2026-07-28"]`, `{"tools":{}}`)
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
		r.wantOpening("server/discover initialize tools/list")
		if s := r.s.Status().Server; s.Unsaid {
			t.Errorf("after %v: what it can do is not known: %+v", slow, s)
		}
		r.lines = nil
	}
	r := probing(t)
	r.wait(3 * time.Second)
	r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
	r.wait(10 * time.Second)
	r.wantOpening("server/discover initialize server/discover")
	r.wait(3 * time.Second)
	r.wantReady(mcp.Rev20260728, negotiate.FoundListed)
	r.lines = nil
}

// Where server/discover is asked once more, an answer to the first one counts as long as the second one
// is awaited, and nothing is held against the server.
func TestTheFirstDiscoverIsAnsweredAfterAll(t *testing.T) {
	for _, slow := range []time.Duration{0, time.Second, 3*time.Second - 1} {
		r := probing(t)
		r.wait(3 * time.Second)
		r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
		r.wait(10*time.Second + slow)
		r.wantOpening("server/discover initialize server/discover")
		r.recv(discoverAnswer, mcp.IntID(1), `["2026-07-28"]`, `{"tools":{}}`)
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
		r.wantOpening("server/discover initialize server/discover tools/list")
		if s := r.s.Status().Server; s.Unsaid || s.Name != "peer" || r.found(mcp.DiagNoDiscover) != nil {
			t.Errorf("after %v: what it can do is not known: %+v", slow, s)
		}
		r.recv(discoverAnswer, mcp.IntID(3), `["2026-07-28"]`, `{}`) // the second one, which nobody awaits
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
		r.want(1, Failed, cancel.NoVerdict)
		r.want(3, Failed, cancel.NoVerdict)
		if first, second := r.row(1).Note, r.row(3).Note; !strings.Contains(first, "asked once more; answered "+slow.String()) && slow != 3*time.Second-1 || !strings.Contains(second, "the one before was answered") {
			t.Errorf("%q, %q", first, second)
		}
		r.lines = nil
	}
	t.Run("by an error", func(t *testing.T) { // the second one may still be answered well
		r := probing(t)
		r.wait(3 * time.Second)
		r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
		r.wait(11 * time.Second)
		r.recv(noSuchMethod, mcp.IntID(1), mcp.CodeMethodNotFound)
		r.wantAwaits(negotiate.ForDiscover, 2*time.Second)
		r.recv(discoverAnswer, mcp.IntID(3), `["2026-07-28"]`, `{}`)
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
		r.lines = nil
	})
	t.Run("over HTTP", func(t *testing.T) {
		for _, answered := range []bool{true, false} {
			w, discover, initialize := webBeside(t)
			w.recvOn(initialize.X, unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
			w.ended(initialize.X, End{})
			w.later(10 * time.Second)
			if again := w.post(methodDiscover); again.X == discover.X || w.aborted(discover.X) {
				t.Fatal("it is not asked once more, or the first one is closed")
			}
			w.later(2 * time.Second)
			if answered {
				w.recvOn(discover.X, "%s", agreement(mcp.IntID(1), mcp.Rev20260728, `{"tools":{}}`))
				w.wantReady(mcp.Rev20260728, negotiate.Discovered)
				continue
			}
			w.later(time.Second)
			w.wantReady(mcp.Rev20260728, negotiate.FoundListed)
			if !w.aborted(discover.X) {
				t.Error("its exchange stays open")
			}
		}
		w, discover, initialize := webBeside(t)
		w.recvOn(initialize.X, unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
		w.ended(initialize.X, End{})
		w.later(10 * time.Second)
		w.recvOn(w.post(methodDiscover).X, "%s", agreement(mcp.IntID(3), mcp.Rev20260728, `{"tools":{}}`))
		w.wantReady(mcp.Rev20260728, negotiate.Discovered)
		if !w.aborted(discover.X) {
			t.Error("the second one was answered, and the exchange of the first one stays open")
		}
	})
}

// One that lists none is refused as before, and one whose modern revisions
// belay does not speak.
func TestNothingShowsTheModernEra(t *testing.T) {
	for _, listed := range []string{`["2025-01-01"]`, `["2027-01-01"]`} {
		r := probing(t)
		r.recv(noSuchMethod, mcp.IntID(1), mcp.CodeMethodNotFound)
		r.recv(unsupportedAnswer, mcp.IntID(2), listed)
		r.wantOpening("server/discover initialize CLOSE")
		r.wantFailure(FailVersion, strings.Trim(listed, `[]"`), fmt.Sprint(mcp.Rev20260728))
		r.lines = nil
	}
}
