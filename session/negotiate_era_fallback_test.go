package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// Whatever a server answers that is no error of the modern era leads to the
// handshake, and so does silence.
func TestFallingBack(t *testing.T) {
	requirements.Rows(t, "VER-31", "VER-32", "VER-50")
	answers := map[string]string{"silence": ""}
	for _, code := range []string{"-32000", "-32601", "-32602", "-32603", "-32600", "0", "42", `"E1"`} {
		answers["error "+code] = `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"no"}}`
	}
	for _, odd := range []string{`{}`, `7`, `{"supportedVersions":[]}`, `{"supportedVersions":"2026-07-28"}`, `{"supportedVersions":[2026]}`} {
		answers["result "+odd] = `{"jsonrpc":"2.0","id":1,"result":` + odd + `}`
	}
	for _, kind := range []string{`"zzz"`, `"input_required"`, `7`} {
		answers["result of the type "+kind] = `{"jsonrpc":"2.0","id":1,"result":{"resultType":` + kind + `,"supportedVersions":["2026-07-28"],"capabilities":{},"inputRequests":{}}}`
	}
	answers["neither"] = `{"jsonrpc":"2.0","id":1}`
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			r := probing(t)
			id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}}))
			if err != nil {
				t.Fatal(err)
			}
			awaits := negotiate.ForInitialize
			if answer == "" {
				awaits = negotiate.ForEither
				r.wait(3*time.Second - 1)
				r.wantOpening("server/discover")
				r.wait(1)
			} else {
				r.recv("%s", answer)
			}
			r.wantOpening("server/discover initialize")
			if !strings.Contains(r.lines[1], `"protocolVersion":"2025-11-25"`) || strings.Contains(r.lines[1], "_meta") {
				t.Errorf("offered %s", r.lines[1])
			}
			if row := r.row(1); row.State.IsTerminal() == (answer == "") || !strings.Contains(row.Note, "falling back to initialize") {
				t.Errorf("server/discover is %+v", row)
			}
			if r.s.Status().Awaits != awaits || len(r.events("falling back to initialize")) == 0 {
				t.Errorf("awaits %v, events: %v", r.s.Status().Awaits, r.events(""))
			}
			r.lines = nil
			r.greeted()
			if answer == "" { // it may still come
				r.wantOpening("")
				r.wait(time.Second)
			}
			r.wantReady(mcp.Rev20251125, negotiate.Fallback)
			r.wantOpening("notifications/initialized tools/call")
			if row := r.row(1); !row.State.IsTerminal() || !row.FellBack && row.State == Failed {
				t.Errorf("server/discover is %+v", row)
			}
			if strings.Contains(r.lines[1], metaVersion) {
				t.Errorf("a call of the other era: %s", r.lines[1])
			}
			r.want(id, Running, cancel.NoVerdict)
		})
	}
}

// A server that reads nothing more after server/discover is begun with initialize, once.
func TestAServerThatIsMuteAfterDiscover(t *testing.T) {
	r := probing(t)
	r.wait(3 * time.Second)
	if st := r.s.Status(); st.Awaits != negotiate.ForEither || !st.AwaitsUntil.Equal(r.now.Add(5*time.Minute)) {
		t.Fatalf("%+v", st)
	}
	r.wait(5 * time.Minute)
	st := r.s.Status()
	if !st.StartAgain || st.BeginsWith != negotiate.WithInitialize || !strings.Contains(st.Failure.Text, "neither server/discover nor initialize within 5m0s") {
		t.Fatalf("%+v, %+v", st, st.Failure)
	}
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}})
	r.lines = nil
	r.connect()
	r.wantOpening("initialize")
	if !r.s.Status().AwaitsUntil.IsZero() {
		t.Error("it is to be begun with a third time")
	}
	r.wait(5 * time.Minute)
	if st := r.s.Status(); st.StartAgain || st.Failure == nil || st.Failure.Kind != FailTimeout {
		t.Errorf("%+v, %+v", st, st.Failure)
	}
}

// That a server may bear initialize alone is a guess as long as it answers nothing: who connects once
// more begins as usual, unless initialize was answered.
func TestAGuessIsNotRemembered(t *testing.T) {
	mute := func(t *testing.T) *rig {
		r := beside(t)
		r.wait(5 * time.Minute)
		if st := r.s.Status(); !st.StartAgain || st.BeginsWith != negotiate.WithInitialize {
			t.Fatalf("%+v", st)
		}
		return r
	}
	second := func(r *rig) {
		r.closed()
		r.connect()
		r.wantOpening("CLOSE initialize")
	}
	for name, tt := range map[string]struct {
		goesOn func(r *rig)
		want   string
	}{
		"mute once more":           {func(r *rig) { second(r); r.wait(5 * time.Minute); r.wantFailure(FailTimeout) }, methodDiscover},
		"left before":              {func(r *rig) { r.s.Tell(r.now, Disconnect{}) }, methodDiscover},
		"left in between":          {func(r *rig) { r.closed(); r.s.Tell(r.now, Disconnect{}) }, methodDiscover},
		"left while it is awaited": {func(r *rig) { second(r); r.s.Tell(r.now, Disconnect{}) }, methodDiscover},
		"answered":                 {func(r *rig) { second(r); r.greeted(); r.wantReady(mcp.Rev20251125, negotiate.Fallback) }, methodInitialize},
	} {
		t.Run(name, func(t *testing.T) {
			r := mute(t)
			tt.goesOn(r)
			r.closed()
			r.lines = nil
			r.connect()
			r.wantOpening(tt.want)
		})
	}
	t.Run("of an address", func(t *testing.T) {
		r := probing(t, func(c *Config) { c.Transport = mcp.HTTP })
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.agree(mcp.Rev20251125, logging)
		for _, want := range []string{methodInitialize, methodDiscover} { // which it answers no more
			r.closed()
			r.lines = nil
			r.connect()
			r.wantOpening(want)
			r.wait(5 * time.Minute)
		}
	})
}

func TestAServerThatEndsOnDiscover(t *testing.T) {
	requirements.Rows(t, "VER-48")
	for i, why := range []Close{{Status: "exit status 1"}, {Status: "closed its output", Alive: true}, {Status: "exit status 1"}, {Status: "exit status 1"}} {
		r := probing(t)
		switch i {
		case 2: // it started late, and has read both
			r.wait(3 * time.Second)
		case 3: // it answered, and then did not bear initialize
			r.recv(noSuchMethod, mcp.IntID(1), -32601)
		}
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: why})
		st := r.s.Status()
		if !st.StartAgain || st.Failure == nil || !strings.Contains(st.Failure.Text, "started again") || len(r.events("server exited on discover; retrying in legacy mode")) == 0 {
			t.Fatalf("%+v, %+v\n%v", st, st.Failure, r.events(""))
		}
		r.lines = nil
		r.connect()
		r.wantOpening("initialize")
		if st := r.s.Status(); st.StartAgain || !st.StartedAgain {
			t.Errorf("%+v", st)
		}
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: why})
		if third := r.s.Status().StartAgain; third != (i == 2) {
			t.Errorf("case %d: started a third time %v", i, third)
		}
		r.s.Tell(r.now, Disconnect{}) // by the user, who connects again
		r.lines = nil
		r.epoch = r.s.Tell(r.now, Connect{}).Epoch
		r.pull()
		r.wantOpening("server/discover")
	}
	t.Run("not when it was asked to end", func(t *testing.T) {
		for name, end := range map[string]func(r *rig){
			"by belay": func(r *rig) { r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}}) },
			"disconnect": func(r *rig) {
				r.s.Tell(r.now, Disconnect{})
				r.pull()
				r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 0"}})
			},
			"when it was agreed": func(r *rig) {
				r.recv(noSuchMethod, mcp.IntID(1), -32601)
				r.agree(mcp.Rev20251125, logging)
				r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 0"}})
			},
			"when pinned": nil,
		} {
			t.Run(name, func(t *testing.T) {
				r := probing(t, func(c *Config) {
					if end == nil {
						c.Pin = mcp.Rev20260728
					}
				})
				if end == nil {
					r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
				} else {
					end(r)
				}
				if st := r.s.Status(); st.StartAgain || st.Phase != Disconnected {
					t.Errorf("%+v", st)
				}
			})
		}
	})
}

// A server of the modern era that needs 4 s until it answers server/discover, and that
// ends on initialize: it is begun with initialize alone, which it does not bear either,
// and then with server/discover alone, which gets the time that it needs.
func TestAServerThatEndsOnInitialize(t *testing.T) {
	requirements.Rows(t, "VER-48")
	ends := func(r *rig) { r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}}) }
	begun := func(t *testing.T) *rig {
		r := beside(t)
		ends(r)
		r.connect()
		r.wantOpening("initialize")
		ends(r)
		st := r.s.Status()
		if !st.StartAgain || st.BeginsWith != negotiate.WithDiscover || !strings.Contains(st.Failure.Text, "on initialize: exit status 1; it is started again, and asked with server/discover alone") {
			t.Fatalf("%+v, %+v", st, st.Failure)
		}
		if len(r.events("server exited on initialize; retrying with server/discover alone")) != 1 {
			t.Errorf("%v", r.events(""))
		}
		r.lines = nil
		r.connect()
		r.wantOpening("server/discover")
		return r
	}
	t.Run("connects", func(t *testing.T) {
		r := begun(t)
		r.wait(4 * time.Second)
		r.wantAwaits(negotiate.ForDiscover, 116*time.Second)
		r.wantOpening("server/discover")
		r.discovers()
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
		if st := r.s.Status(); !st.StartedAgain || st.StartAgain {
			t.Errorf("%+v", st)
		}
		ends(r) // and is remembered for the run
		r.lines = nil
		r.connect()
		r.wait(4 * time.Second)
		r.wantOpening("server/discover")
		r.discovers()
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	})
	t.Run("ends once more", func(t *testing.T) {
		r := begun(t)
		ends(r)
		if st := r.s.Status(); st.StartAgain || st.Phase != Disconnected || st.Failure.Kind != FailProcess {
			t.Errorf("a fourth time: %+v, %+v", st, st.Failure)
		}
	})
	t.Run("refuses initialize first", func(t *testing.T) {
		r := beside(t)
		ends(r)
		r.connect()
		r.refusesInitialize()
		r.lines = nil
		r.pull()
		ends(r)
		r.connect()
		r.wantOpening("server/discover")
	})
}

// Whoever leaves before the server was started again gets no second process: one
// that was begun in that moment is closed, and is told nothing.
func TestLeavingBeforeTheServerIsStartedAgain(t *testing.T) {
	requirements.Rows(t, "VER-48")
	for name, leave := range map[string]func(r *rig){
		"quit":       func(r *rig) { r.s.Tell(r.now, Quit{}) },
		"disconnect": func(r *rig) { r.s.Tell(r.now, Disconnect{}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := probing(t)
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 1"}})
			leave(r)
			st := r.s.Status()
			if st.StartAgain || st.Failure == nil || st.Failure.Kind != FailClosed || strings.Contains(st.Failure.Text, "is started again") {
				t.Fatalf("%+v, %+v", st, st.Failure)
			}
			r.lines = nil
			r.connect()
			if name == "disconnect" { // the user may want it back
				r.wantOpening("initialize")
				return
			}
			r.wantOpening("CLOSE")
			if st := r.s.Status(); !st.Quitting || !st.Ending || st.Failure.Kind != FailClosed {
				t.Errorf("%+v, %+v", st, st.Failure)
			}
			r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 0"}})
			if st := r.s.Status(); st.StartAgain || st.Phase != Disconnected || !st.Quitting {
				t.Errorf("%+v", st)
			}
		})
	}
}

// The era of an address is remembered for the run; that of a process is not, as
// the next one may be another.
func TestTheEraIsRemembered(t *testing.T) {
	requirements.Rows(t, "VER-38")
	for _, transport := range []mcp.Transport{mcp.Stdio, mcp.HTTP} {
		r := probing(t, func(c *Config) { c.Transport = transport })
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.agree(mcp.Rev20251125, logging)
		r.wantReady(mcp.Rev20251125, negotiate.Fallback)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "gone"}})
		r.lines = nil
		r.connect()
		if transport == mcp.Stdio {
			r.wantOpening("server/discover")
			continue
		}
		r.wantOpening("initialize")
		r.recv(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"not any more"}}`)
		r.wantOpening("initialize server/discover")
		r.agree(mcp.Rev20260728, `{}`)
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	}
}

// guessing is a second connection over HTTP, which begins with initialize, as the first one has shown.
func guessing(t *testing.T) *rig {
	t.Helper()
	r := probing(t, func(c *Config) { c.Transport = mcp.HTTP })
	r.recv(noSuchMethod, mcp.IntID(1), -32601)
	r.agree(mcp.Rev20251125, logging)
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "gone"}})
	r.lines = nil
	r.connect()
	return r
}

// A guess that the server has refused is forgotten at once: also where the connection ends before
// server/discover, which is asked in its place, is answered.
func TestARefusedGuessIsForgotten(t *testing.T) {
	requirements.Rows(t, "VER-39")
	for _, why := range []Close{{Status: "gone"}, {ByUs: true}} {
		r := guessing(t)
		r.recv(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"not any more"}}`)
		r.wantOpening("initialize server/discover")
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: why})
		r.lines = nil
		r.connect()
		r.wantOpening("server/discover")
	}
}

// An initialize over HTTP whose exchange broke while server/discover was out has failed at
// once, though that is waited for: nothing can answer it any more.
func TestABrokenInitializeHasFailed(t *testing.T) {
	for listed, next := range map[string]string{string(mcp.Rev20260728): methodDiscover, string(mcp.Rev20250618): methodInitialize} {
		t.Run(next, func(t *testing.T) {
			w := newWebRig(t, func(c *Config) { c.DiscoverLimit = 3 * time.Second })
			discover := w.post(methodDiscover)
			w.later(3 * time.Second)
			initialize := w.post(methodInitialize)
			w.stream(initialize.X)
			w.ended(initialize.X, End{Err: "reset"})
			w.want(initialize.Call, Failed, cancel.NoVerdict)
			w.wantAwaits(negotiate.ForDiscoverAlone, 2*time.Minute)
			w.opened(discover.X, Head{Status: 400, Media: mediaJSON})
			w.recvOn(discover.X, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32022,"message":"no","data":{"supported":[%q],"requested":"2026-07-28"}}}`, mcp.Decode(discover.Data).ID, listed)
			w.want(initialize.Call, Failed, cancel.NoVerdict)
			if note := w.note(initialize.Call); !strings.Contains(note, "reset") {
				t.Errorf("its note is %q", note)
			}
			again := w.post(next)
			if again.Call == initialize.Call || again.Call == discover.Call {
				t.Fatalf("no further %s was sent", next)
			}
			w.ended(again.X, End{Err: "reset"})
			if st := w.s.Status(); st.Failure == nil {
				t.Errorf("it goes on: %+v", st)
			}
		})
	}
}

// A ping while initialize and server/discover are both out is not answered when the server
// turns out to be one of the modern era, in which nothing is.
func TestAPingBesideBothRequestsOfTheOpening(t *testing.T) {
	r := beside(t)
	r.mute = true
	r.recv(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)
	r.recv(discoverAnswer, mcp.IntID(1), `["2026-07-28"]`, `{}`)
	r.recv(noSuchMethod, mcp.IntID(2), -32601)
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	r.mute = false
	r.pull()
	if n := strings.Count(strings.Join(r.lines, "\n"), `"id":77`); n != 0 {
		t.Errorf("the ping is answered: %v", r.lines)
	}
}

// A ping during an initialize that is refused is not answered before it is known what
// the server speaks: in the modern era it never is.
func TestAPingBesideARefusedInitialize(t *testing.T) {
	for rev, pongs := range map[mcp.Revision]int{mcp.Rev20260728: 0, mcp.Rev20250618: 1} {
		t.Run(string(rev), func(t *testing.T) {
			r := guessing(t)
			r.wantOpening("initialize")
			r.mute = true
			r.recv(`{"jsonrpc":"2.0","id":77,"method":"ping"}`)
			r.recv(`{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"not any more"}}`)
			r.mute = false
			r.pull()
			r.wantOpening("initialize server/discover")
			if rev.IsModern() {
				r.agree(rev, `{}`)
			} else {
				r.recv(`{"jsonrpc":"2.0","id":4,"error":{"code":-32022,"message":"no","data":{"supported":[%q],"requested":"2026-07-28"}}}`, rev)
				r.agree(rev, logging)
			}
			if n := strings.Count(strings.Join(r.lines, "\n"), `"id":77`); n != pongs {
				t.Errorf("the ping is answered %d times, want %d: %v", n, pongs, r.lines)
			}
		})
	}
}
