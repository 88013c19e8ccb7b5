package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// A server that answers server/discover, and nothing to initialize, is started again for that. Where it
// starts so slowly that it gets both once more, it is spoken to without a handshake in the end.
func TestAServerThatIgnoresInitialize(t *testing.T) {
	r := beside(t)
	r.wait(90 * time.Second)
	r.discovers()
	r.wait(time.Second)
	r.closed()
	r.connect()
	again := 2 * (93 * time.Second) // as long as it is given alone
	r.lines = nil
	r.wait(again)
	r.wantOpening("initialize")
	r.wait(time.Second)
	r.discovers()
	r.wait(5*time.Minute - time.Second - 1)
	if st := r.s.Status(); st.Phase != Connecting || st.Failure != nil {
		t.Fatalf("%v, %+v", st.Phase, st.Failure)
	}
	init := r.asked("initialize")
	r.wait(1)
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	r.wantOpening("initialize tools/list")
	if row := r.row(init.ID); row.State != Failed || !row.FellBack || !strings.Contains(row.Note, "not answered within 5m0s: the server is spoken to in the revision in which it has answered server/discover, 2026-07-28") {
		t.Errorf("initialize is %v, %q", row.State, row.Note)
	}
	r.recv("%s", handshakeAnswer(init.Latest, mcp.Rev20251125, logging)) // which nobody awaits any more
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	if d := r.found(mcp.DiagDuplicateAnswer); d != nil {
		t.Error(d.Describe())
	}
}

// A server that leaves initialize unanswered on its second start as well, and answers server/discover by an error that has
// belay ask once more, is given up for that initialize where nothing comes of it.
func TestAServerThatIgnoresInitializeAndIsAskedOnceMore(t *testing.T) {
	const of = `{"jsonrpc":"2.0","id":%v,"error":{"code":%d,"message":"no","data":%s}}`
	for name, refusal := range map[string]struct {
		code int
		data string
	}{
		"versions":     {-32022, `{"supported":["2026-07-28"]}`},
		"capabilities": {-32021, `{"requiredCapabilities":{"sampling":{"tools":{}}}}`},
	} {
		for how, next := range map[string]func(r *rig){
			"refused":  func(r *rig) { r.recv(of, r.asked("server/discover").Latest, -32601, "{}") },
			"broken":   func(r *rig) { r.recv(of, r.asked("server/discover").Latest, -32603, "{}") },
			"silenced": func(r *rig) { r.wait(10 * time.Minute) },
		} {
			t.Run(name+", "+how, func(t *testing.T) {
				r := beside(t)
				refuses := func() { r.recv(of, r.asked("server/discover").Latest, refusal.code, refusal.data) }
				r.wait(time.Second)
				refuses()
				r.wait(time.Second)
				r.closed()
				r.connect()
				r.wait(4 * time.Minute)
				init := r.asked("initialize").ID
				for refuses(); r.row(init).State == Running; {
					r.wait(time.Second)
				}
				if row := r.row(init); !strings.Contains(row.Note, "not answered within 5m0s: server/discover is asked once more, in 2026-07-28") {
					t.Errorf("initialize: %q", row.Note)
				}
				next(r)
				r.wantFailure(FailTimeout, "no answer to initialize within")
			})
		}
	}
}

// A timeout of a few seconds is for requests to a server that has started: with it, too, a server
// is spoken to in the same revision however long it takes to start.
func TestAShortTimeoutDoesNotDecideTheRevision(t *testing.T) {
	short := func(c *Config) { c.Idle = 10 * time.Second }
	for _, started := range []time.Duration{0, 2 * time.Second, 4 * time.Second, 14 * time.Second, 60 * time.Second} {
		t.Run(started.String(), func(t *testing.T) {
			for name, answers := range map[string]func(r *rig){
				"modern": func(r *rig) {
					r.discovers()
					if r.sent(`"initialize"`) > 0 {
						r.refusesInitialize()
					}
					r.wantReady(mcp.Rev20260728, negotiate.Discovered)
				},
				"with a handshake": func(r *rig) {
					r.recv(noSuchMethod, mcp.IntID(1), -32601)
					r.greeted()
					r.wantReady(mcp.Rev20251125, negotiate.Fallback)
				},
				"ends on server/discover": func(r *rig) {
					r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
					r.connect()
					r.wait(started)
					r.greeted()
					r.wantReady(mcp.Rev20251125, negotiate.Fallback)
				},
			} {
				t.Run(name, func(t *testing.T) {
					r := probing(t, short)
					r.wait(started)
					answers(r)
				})
			}
		})
	}
	t.Run("never", func(t *testing.T) {
		r := probing(t, short)
		r.wait(3*time.Second + 2*time.Minute - 1)
		r.wantAwaits(negotiate.ForEither, 1)
		r.wait(1)
		r.closed()
		r.connect()
		r.wait(2*time.Minute - 1)
		r.wantAwaits(negotiate.ForInitialize, 0)
		r.wait(1)
		r.wantFailure(FailTimeout, "no answer to initialize within 2m0s")
	})
	t.Run("of one that has started", func(t *testing.T) {
		r := probing(t, short)
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.wait(10 * time.Second)
		r.wantFailure(FailTimeout, "no answer to initialize within 10s")
	})
}
