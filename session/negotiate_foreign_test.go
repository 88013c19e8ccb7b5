package session

import (
	"strings"
	"testing"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// foreignly answers server/discover with revisions that belay does not speak.
func (r *rig) foreignly() {
	r.recv(discoverAnswer, mcp.IntID(1), `["2027-01-01"]`, `{}`)
}

// A server that lists only revisions that belay does not speak is tried with initialize
// before it is refused, so that the same comes of it however fast it starts.
func TestAServerThatListsOnlyOtherRevisions(t *testing.T) {
	for name, start := range map[string]func(t *testing.T) *rig{
		"at once": func(t *testing.T) *rig {
			r := probing(t)
			r.foreignly()
			r.wantOpening("server/discover initialize")
			r.wantAwaits(negotiate.ForInitializeToo, foreignHold)
			r.lines = nil
			return r
		},
		"after 4 s": func(t *testing.T) *rig {
			r := beside(t)
			r.foreignly()
			r.wantAwaits(negotiate.ForInitializeToo, foreignHold)
			r.wantOpening("")
			return r
		},
	} {
		t.Run("started "+name, func(t *testing.T) {
			t.Run("initialize is answered", func(t *testing.T) {
				r := start(t)
				r.greeted()
				r.wantReady(mcp.Rev20251125, negotiate.Negotiated)
				r.wantOpening("notifications/initialized")
			})
			for fate, how := range map[string]struct {
				end  func(r *rig)
				says string
			}{
				"refused":      {func(r *rig) { r.recv(noSuchMethod, mcp.IntID(2), -32601) }, "-32601"},
				"worthless":    {func(r *rig) { r.recv(`{"jsonrpc":"2.0","id":2,"result":7}`) }, "not an initialize result"},
				"not answered": {func(r *rig) { r.wait(foreignHold) }, "initialize was not answered within "},
				"refused with a list": {func(r *rig) {
					r.recv(`{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["1999-01-01"]}}}`)
				}, `1999-01-01`},
			} {
				t.Run("initialize is "+fate, func(t *testing.T) {
					r := start(t)
					how.end(r)
					r.wantOpening("CLOSE")
					if fl := r.s.Status().Failure; fl == nil || fl.Kind != FailVersion || !strings.Contains(fl.Text, how.says) || !strings.Contains(fl.Text, `the server speaks "2027-01-01"`) || !helps(fl) {
						t.Errorf("%+v", fl)
					}
				})
			}
			t.Run("it ends on initialize", func(t *testing.T) {
				r := start(t)
				r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 3", Stderr: "boo"}})
				st := r.s.Status()
				if st.StartAgain || st.Failure == nil || st.Failure.Kind != FailVersion || st.Failure.Stderr != "boo" ||
					!strings.Contains(st.Failure.Text, `the server speaks "2027-01-01"`) || !strings.Contains(st.Failure.Text, "and it ended on initialize: exit status 3") {
					t.Errorf("%+v, %+v", st, st.Failure)
				}
			})
		})
	}
	t.Run("initialize was refused before", func(t *testing.T) {
		r := beside(t)
		r.refusesInitialize()
		r.foreignly()
		r.wantFailure(FailVersion, `the server speaks "2027-01-01"`, "duplicate")
	})
	t.Run("the user has pinned the modern one", func(t *testing.T) {
		r := probing(t, func(c *Config) { c.Pin = mcp.Rev20260728 })
		r.lines = nil
		r.foreignly()
		r.wantOpening("CLOSE")
		r.wantFailure(FailVersion, `the server speaks "2027-01-01"`)
	})
}

// An error of the modern era rules out the handshake, also at a server that starts slowly,
// and so has initialize already (VER-30, VER-53; basic/transports/stdio).
func TestAnErrorOfTheModernEraBesideInitialize(t *testing.T) {
	for name, answer := range map[string]string{
		"no revision in common": `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2027-01-01"]}}}`,
		"a header":              `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"mismatch"}}`,
	} {
		for _, initializeFirst := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				r := beside(t)
				if initializeFirst {
					r.greeted()
				}
				r.recv("%s", answer)
				r.wantOpening("CLOSE")
				if fl := r.s.Status().Failure; fl == nil || fl.Remedy != (Remedy{RemedyHandshake, mcp.Rev20251125}) {
					t.Errorf("%+v", fl)
				}
			})
		}
	}
}

// foreignHold is how long such a server has for initialize.
const foreignHold = 30 * time.Second
