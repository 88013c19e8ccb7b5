package session

import (
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// greeted has the server answer initialize well.
func (r *rig) greeted() {
	r.t.Helper()
	r.recv("%s", handshakeAnswer(r.asked("initialize").Latest, mcp.Rev20251125, logging))
}

// refusesInitialize has the server refuse it as one on the Go SDK does.
func (r *rig) refusesInitialize() {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":0,"message":"duplicate \"initialize\" received"}}`, r.asked("initialize").Latest)
}

// discovers has the server answer server/discover as one of the modern era.
func (r *rig) discovers() {
	r.t.Helper()
	r.recv("%s", agreement(r.asked(methodDiscover).Latest, mcp.Rev20260728, `{"tools":{}}`))
}

func (r *rig) wantAwaits(what negotiate.Awaited, left time.Duration) {
	r.t.Helper()
	st := r.s.Status()
	if st.Phase != Connecting || st.Awaits != what || left > 0 && !st.AwaitsUntil.Equal(r.now.Add(left)) || left == 0 && !st.AwaitsUntil.IsZero() {
		r.t.Errorf("%v, awaits %v until %v (now %v)", st.Phase, st.Awaits, st.AwaitsUntil, r.now)
	}
}

// beside is a rig whose server has not answered server/discover in time: both
// requests of the opening are out.
func beside(t testing.TB, change ...func(*Config)) *rig {
	r := probing(t, change...)
	r.wait(3 * time.Second)
	r.wantOpening("server/discover initialize")
	r.wantAwaits(negotiate.ForEither, 5*time.Minute)
	r.lines = nil
	return r
}

// A server that starts late answers both requests, and refuses initialize: it is
// spoken to in the modern revision, on this connection, whichever answer is first.
func TestAServerThatStartsLateAndRefusesInitialize(t *testing.T) {
	for name, answers := range map[string]func(r *rig){
		"first the one": func(r *rig) {
			r.discovers()
			r.wantAwaits(negotiate.ForInitializeToo, time.Second)
			r.wait(time.Second - 1)
			r.refusesInitialize()
		},
		"first the other": func(r *rig) {
			r.refusesInitialize()
			r.wantAwaits(negotiate.ForDiscoverAlone, 2*time.Minute)
			r.wait(time.Second - 1)
			r.discovers()
		},
		"first the other, a minute before": func(r *rig) {
			r.refusesInitialize()
			r.wait(time.Minute)
			r.wantAwaits(negotiate.ForDiscoverAlone, time.Minute)
			if st := r.s.Status(); !strings.Contains(st.InVain, `refused initialize: error 0: "duplicate`) {
				r.t.Errorf("initialize is in vain for %q", st.InVain)
			}
			r.discovers()
		},
	} {
		for _, late := range []time.Duration{0, time.Second, 17 * time.Second, 57 * time.Second} {
			t.Run(name+" after "+late.String(), func(t *testing.T) {
				r := beside(t, func(c *Config) { c.Roots = []Root{{URI: "file:///a"}} })
				id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}}))
				if err != nil {
					t.Fatal(err)
				}
				r.wait(late)
				answers(r)
				r.wantReady(mcp.Rev20260728, negotiate.Discovered)
				r.wantOpening("tools/call tools/list")
				for _, line := range r.lines {
					if !strings.Contains(line, `"`+metaVersion+`":"2026-07-28"`) || !strings.Contains(line, `"roots":{}`) {
						t.Errorf("written: %s", line)
					}
				}
				r.want(id, Running, cancel.NoVerdict)
				if init := r.row(2); init.State != Failed || !init.FellBack || !strings.Contains(init.Note, "which has no handshake") {
					t.Errorf("initialize is %v, %q", init.State, init.Note)
				}
				r.want(1, Done, cancel.NoVerdict)
				r.wait(time.Minute)
				if st := r.s.Status(); st.Phase != Ready || st.StartAgain || st.StartedAgain {
					t.Errorf("%+v", st)
				}
			})
		}
	}
}

// A server that answers both well may stay with the handshake, and one that is in
// the middle of it too: it is started once more, and sees no handshake.
func TestAServerThatStartsLateAndAnswersBoth(t *testing.T) {
	requirements.Rows(t, "VER-04")
	for name, answers := range map[string]func(r *rig){
		"first the one": func(r *rig) {
			r.discovers()
			r.wait(time.Second - 1)
			r.greeted()
		},
		"first the other": func(r *rig) {
			r.greeted()
			r.wantAwaits(negotiate.ForDiscoverToo, time.Second)
			r.wait(time.Second - 1)
			r.wantOpening("")
			r.discovers()
		},
		"initialize is not answered": func(r *rig) {
			r.discovers()
			r.wait(time.Second)
		},
		"initialize is answered with nonsense": func(r *rig) {
			r.recv(`{"jsonrpc":"2.0","id":2,"result":{}}`)
			r.discovers()
		},
		"initialize is answered with another revision": func(r *rig) {
			r.recv("%s", handshakeAnswer(mcp.IntID(2), "1999-01-01", logging))
			r.discovers()
		},
		"it wants something declared": func(r *rig) {
			r.greeted()
			r.recv(`{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"roots":{}}}}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := beside(t)
			r.wait(4 * time.Second) // it starts
			answers(r)
			r.wantOpening("CLOSE") // and no notifications/initialized
			st := r.s.Status()
			if st.Phase != Closing || !st.StartAgain || st.BeginsWith != negotiate.WithDiscover || !strings.Contains(st.Failure.Text, "started again") {
				t.Fatalf("%+v, %+v", st, st.Failure)
			}
			r.closed()
			if st := r.s.Status(); !st.StartAgain || st.Phase != Disconnected {
				t.Fatalf("%+v", st)
			}
			r.lines = nil
			r.connect()
			r.wait(90 * time.Second) // in which the first start needed 7
			r.wantOpening("server/discover")
			if st := r.s.Status(); st.StartAgain || !st.StartedAgain || st.BegunWith != negotiate.WithDiscover || st.Awaits != negotiate.ForDiscover {
				t.Errorf("%+v", st)
			}
			r.discovers()
			r.wantReady(mcp.Rev20260728, negotiate.Discovered)
			r.wantOpening("server/discover tools/list")
			t.Run("remembered", func(t *testing.T) {
				r.closed()
				r.lines = nil
				r.connect()
				r.wait(90 * time.Second)
				r.wantOpening("server/discover")
				r.discovers()
				if st := r.s.Status(); st.StartedAgain || st.BegunWith != negotiate.WithDiscover || st.Revision != mcp.Rev20260728 {
					t.Errorf("%+v", st)
				}
			})
		})
	}
}

// The second start is given at least as long as the first one took.
func TestTheSecondStartIsGivenAsLong(t *testing.T) {
	r := beside(t)
	r.wait(4 * time.Minute)
	r.greeted()
	r.discovers()
	r.closed()
	r.lines = nil
	r.connect()
	r.wait(5 * time.Minute)
	r.wantOpening("server/discover")
	r.discovers()
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
}

// A server that is started again and then answers as before is not started a
// third time: the handshake counts.
func TestAServerIsNotStartedAThirdTime(t *testing.T) {
	r := beside(t)
	r.greeted()
	r.discovers()
	r.closed()
	r.lines = nil
	r.connect()
	r.wait(3 * time.Minute)
	r.wantOpening("server/discover initialize")
	r.wantAwaits(negotiate.ForEither, 0)
	r.greeted()
	r.discovers()
	r.wantReady(mcp.Rev20251125, negotiate.Fallback)
	r.wantOpening("server/discover initialize notifications/initialized")
}

// A server that never answers server/discover is spoken to in the revision of its
// handshake, and not before the other answer had its time.
func TestAServerThatNeverAnswersDiscover(t *testing.T) {
	r := beside(t)
	r.wait(20 * time.Second)
	r.greeted()
	r.wait(time.Second - 1)
	r.wantAwaits(negotiate.ForDiscoverToo, 1)
	r.wantOpening("")
	r.wait(1)
	r.wantReady(mcp.Rev20251125, negotiate.Fallback)
	r.wantOpening("notifications/initialized")
	if row := r.row(1); row.State != Failed || !row.FellBack || !strings.Contains(row.Note, "not answered") {
		t.Errorf("server/discover is %v, %q", row.State, row.Note)
	}
	t.Run("or with an error", func(t *testing.T) {
		for _, first := range []bool{true, false} {
			r := beside(t)
			if first {
				r.recv(noSuchMethod, mcp.IntID(1), -32601)
				r.wantAwaits(negotiate.ForInitialize, 0)
				r.greeted()
			} else {
				r.greeted()
				r.wantAwaits(negotiate.ForDiscoverToo, time.Second)
				r.recv(noSuchMethod, mcp.IntID(1), -32601)
			}
			r.wantReady(mcp.Rev20251125, negotiate.Fallback)
			r.wantOpening("notifications/initialized")
			if row := r.row(1); row.State != Failed || !row.FellBack {
				t.Errorf("server/discover is %v, %q", row.State, row.Note)
			}
		}
	})
	t.Run("and lists what it speaks", func(t *testing.T) {
		for _, first := range []bool{true, false} {
			r := beside(t)
			lists := func() { r.recv(unsupportedAnswer, mcp.IntID(1), `["2024-11-05","2025-11-25"]`) }
			if first {
				lists()
			}
			r.greeted()
			if !first {
				lists()
			}
			r.wantReady(mcp.Rev20251125, negotiate.FoundListed) // as if it had started at once
			r.wantOpening("notifications/initialized")
		}
	})
}

// A server that lists only older revisions, and takes initialize in another one before its list
// is there, is started again and asked in the listed one, as it is where it starts at once. That
// holds for every start after it.
func TestAServerThatStartsLateAndDoesNotListWhatItTakes(t *testing.T) {
	requirements.Rows(t, "VER-51")
	lists := map[string]func(r *rig, id mcp.ID){
		"an error": func(r *rig, id mcp.ID) { r.recv(unsupportedAnswer, id, `["2024-11-05","2025-06-18"]`) },
		"a result": func(r *rig, id mcp.ID) { r.recv(discoverAnswer, id, `["2024-11-05","2025-06-18"]`, `{}`) },
	}
	for name, answers := range map[string]func(r *rig, lists func(*rig, mcp.ID)){
		"first the list": func(r *rig, lists func(*rig, mcp.ID)) {
			lists(r, mcp.IntID(1))
			r.greeted()
		},
		"first the other": func(r *rig, lists func(*rig, mcp.ID)) {
			r.greeted()
			lists(r, mcp.IntID(1))
		},
		"after the handshake": func(r *rig, lists func(*rig, mcp.ID)) {
			r.greeted()
			r.wait(2 * time.Second)
			r.wantReady(mcp.Rev20251125, negotiate.Fallback)
			r.lines = nil
			lists(r, mcp.IntID(1))
		},
	} {
		for kind, lists := range lists {
			t.Run(name+", "+kind, func(t *testing.T) {
				r := beside(t)
				answers(r, lists)
				r.wantOpening("CLOSE")
				if st := r.s.Status(); !st.StartAgain || !strings.Contains(st.Failure.Text, "the server got initialize in 2025-11-25 before it listed what it speaks, of which belay takes 2025-06-18") || !strings.Contains(st.Failure.Text, "started again") {
					t.Fatalf("%+v, %+v", st, st.Failure)
				}
				for range 3 {
					r.closed()
					r.lines = nil
					r.connect()
					r.wait(90 * time.Second)
					r.wantOpening("server/discover")
					lists(r, r.asked("server/discover").Latest)
					if r.wantOpening("server/discover initialize"); r.s.conn.era.Asked() != mcp.Rev20250618 {
						t.Fatalf("asked in %v", r.s.conn.era.Asked())
					}
					r.recv("%s", handshakeAnswer(r.asked("initialize").Latest, mcp.Rev20250618, logging))
					r.wantReady(mcp.Rev20250618, negotiate.FoundListed)
				}
			})
		}
	}
	t.Run("and was used", func(t *testing.T) {
		r := beside(t)
		r.greeted()
		r.wait(2 * time.Second)
		r.call("t")
		lists["an error"](r, mcp.IntID(1))
		r.wantReady(mcp.Rev20251125, negotiate.Fallback)
		if row := r.row(1); !strings.Contains(row.Note, "the server lists 2025-06-18, and the next connection begins with server/discover") || row.Remedy.Kind != RemedyRestart {
			t.Errorf("%q", row.Note)
		}
	})
}

// An answer to server/discover that comes after that has the server started again,
// as its revision must not depend on when it starts. A connection on which the user
// has called something is kept.
func TestDiscoverIsAnsweredAfterTheHandshake(t *testing.T) {
	late := func(t *testing.T) *rig {
		r := beside(t)
		r.greeted()
		r.wait(time.Second)
		r.wantReady(mcp.Rev20251125, negotiate.Fallback)
		r.lines = nil
		return r
	}
	answer := func(r *rig) { r.recv(discoverAnswer, mcp.IntID(1), `["2026-07-28"]`, `{}`) }
	r := late(t)
	r.wait(2 * time.Second)
	answer(r)
	r.wantOpening("CLOSE")
	r.closed()
	r.lines = nil
	r.connect()
	r.wantOpening("server/discover")
	r.discovers()
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	for name, use := range map[string]func(r *rig){
		"a call":                func(r *rig) { r.call("t") },
		"a call that has ended": func(r *rig) { _, wire := r.call("t"); r.recv(okAnswer, wire) },
		"a notification":        func(r *rig) { _, _ = r.s.Handle(r.now, Notify{Method: "notifications/x"}) },
		"a question":            func(r *rig) { r.recv(samplingAsk, 50) },
		"a long time":           func(r *rig) { r.wait(time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			r := late(t)
			use(r)
			r.lines = nil
			answer(r)
			r.wantReady(mcp.Rev20251125, negotiate.Fallback)
			if row := r.row(1); !strings.Contains(row.Note, "the next connection begins with that") || row.Remedy.Kind != RemedyRestart || len(r.events("the next connection begins with it")) != 1 {
				t.Errorf("%q\n%v", row.Note, r.events(""))
			}
			r.closed()
			r.lines = nil
			r.connect()
			r.wait(90 * time.Second)
			r.wantOpening("server/discover")
		})
	}
	t.Run("an error", func(t *testing.T) {
		r := late(t)
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.wantReady(mcp.Rev20251125, negotiate.Fallback)
		if row := r.row(1); !strings.Contains(row.Note, "ignored") {
			t.Errorf("%q", row.Note)
		}
	})
}

// A server that refuses initialize after server/discover may be broken by that: it
// is started again, and greeted. This is remembered, until it does not help.
func TestAServerThatDiscoverBreaks(t *testing.T) {
	const (
		already = `{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":"Server already initialized"}}`
		broken  = `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"state: already running"}}`
	)
	for name, breaks := range map[string]func(r *rig){
		"after an error": func(r *rig) {
			r.recv(noSuchMethod, mcp.IntID(1), -32601)
			r.recv(already)
		},
		"before it": func(r *rig) {
			r.wait(3 * time.Second)
			r.recv(broken)
			r.wait(100 * time.Millisecond)
			r.wantAwaits(negotiate.ForDiscoverAlone, 2*time.Minute-100*time.Millisecond)
			r.recv(noSuchMethod, mcp.IntID(1), -32601)
		},
		"without one": func(r *rig) {
			r.wait(3 * time.Second)
			r.recv(broken)
			r.wait(2*time.Minute - 1)
			r.wantAwaits(negotiate.ForDiscoverAlone, 1)
			r.wait(1)
		},
		"without one, and says so": func(r *rig) { // what came before initialize was server/discover
			r.wait(3 * time.Second)
			r.recv(already)
			r.wait(negotiate.OtherWait)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := probing(t)
			breaks(r)
			r.wantOpening("server/discover initialize CLOSE")
			if st := r.s.Status(); !st.StartAgain || st.BeginsWith != negotiate.WithInitialize || !strings.Contains(st.Failure.Text, "already ") {
				t.Fatalf("%+v, %+v", st, st.Failure)
			}
			r.closed()
			r.lines = nil
			r.connect()
			r.wait(20 * time.Second)
			r.wantOpening("initialize")
			r.greeted()
			r.wantReady(mcp.Rev20251125, negotiate.Fallback)
			if st := r.s.Status(); !st.StartedAgain || st.StartAgain {
				t.Errorf("%+v", st)
			}
			t.Run("remembered", func(*testing.T) {
				r.closed()
				r.lines = nil
				r.connect()
				r.wantOpening("initialize")
				r.greeted()
				r.wantReady(mcp.Rev20251125, negotiate.Cached)
			})
			t.Run("until it is refused", func(*testing.T) {
				r.closed()
				r.connect()
				r.lines = nil
				r.refusesInitialize()
				r.wantOpening("server/discover")
				r.discovers()
				r.wantReady(mcp.Rev20260728, negotiate.Discovered)
				r.closed()
				r.lines = nil
				r.connect()
				r.wantOpening("server/discover")
			})
		})
	}
	t.Run("it was not server/discover", func(t *testing.T) {
		r := probing(t)
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.refusesInitialize()
		r.closed()
		r.lines = nil
		r.connect()
		r.refusesInitialize()
		r.wantOpening("initialize server/discover")
		r.recv(noSuchMethod, r.asked(methodDiscover).Latest, -32601)
		r.wantFailure(FailRefused, "duplicate")
		if r.s.Status().StartAgain {
			t.Error("started a third time")
		}
	})
	t.Run("it says what it speaks", func(t *testing.T) {
		r := probing(t)
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.recv(unsupportedAnswer, mcp.IntID(2), `["1999-01-01"]`)
		r.wantFailure(FailVersion, "1999-01-01")
	})
}

// Whoever leaves while the server is ended for another start, or is not started
// yet, gets none.
func TestLeavingBeforeTheSecondStart(t *testing.T) {
	for name, leave := range map[string]func(r *rig){
		"quit":       func(r *rig) { r.s.Tell(r.now, Quit{}) },
		"disconnect": func(r *rig) { r.s.Tell(r.now, Disconnect{}) },
	} {
		for _, when := range []string{"while it ends", "when it has ended"} {
			t.Run(name+" "+when, func(t *testing.T) {
				r := beside(t)
				r.greeted()
				r.discovers()
				if when == "while it ends" {
					leave(r)
					r.closed()
				} else {
					r.closed()
					leave(r)
				}
				if st := r.s.Status(); st.StartAgain || st.Phase != Disconnected || st.Failure.Kind != FailClosed {
					t.Errorf("%+v, %+v", st, st.Failure)
				}
			})
		}
	}
}

// A machine that slept does not take the time of an answer away.
func TestTheHoldAfterASleep(t *testing.T) {
	r := beside(t)
	r.refusesInitialize()
	r.now = r.now.Add(time.Hour)
	r.s.Tell(r.now, Tick{})
	r.pull()
	r.wantAwaits(negotiate.ForDiscoverAlone, 2*time.Minute)
	r.discovers()
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
}

// A pin changes what is remembered of a server.
func TestThePinForgets(t *testing.T) {
	r := probing(t)
	r.recv(noSuchMethod, mcp.IntID(1), -32601)
	r.refusesInitialize()
	r.closed()
	if _, err := r.s.Handle(r.now, SetPin{}); err != nil {
		t.Fatal(err)
	}
	if r.s.Status().StartAgain {
		t.Error("the pin was changed, and the server is started by itself")
	}
	r.lines = nil
	r.connect()
	r.wantOpening("server/discover")
}

// A call that waits while the server is started again is made when that is there:
// it was never sent.
func TestWhatWaitsForTheSecondStart(t *testing.T) {
	waiting := func(t *testing.T) (*rig, CallID) {
		r := beside(t)
		id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Rules: Rules{After: time.Minute}}}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.s.Handle(r.now, Notify{Method: "notifications/x", Params: []byte(`{"n":1}`)}); err != nil {
			t.Fatal(err)
		}
		dropped, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call"}}))
		if err != nil {
			t.Fatal(err)
		}
		r.cancel(dropped, "")
		r.greeted()
		r.discovers()
		r.want(id, Queued, cancel.NoVerdict)
		r.closed()
		r.lines = nil
		return r, id
	}
	r, id := waiting(t)
	r.want(id, Dropped, cancel.NoVerdict)
	r.connect()
	r.wantOpening("server/discover")
	r.discovers()
	r.wantOpening("server/discover tools/call notifications/x tools/list")
	row := r.row(id)
	again := r.asked("tools/call")
	if d, _ := r.s.Detail(again.ID); again.ID == id || !strings.Contains(row.Note, "made as") || d.Rules.After != time.Minute || string(d.Params) != `{"name":"t"}` {
		t.Errorf("%q, made %+v", row.Note, d)
	}
	r.wait(10 * time.Second)
	if r.sent("tools/call") != 1 {
		t.Errorf("written: %v", r.lines)
	}
	for name, end := range map[string]func(r *rig){
		"nobody leaves":    func(*rig) {},
		"the user leaves":  func(r *rig) { r.s.Tell(r.now, Disconnect{}) },
		"it cannot start":  func(r *rig) { r.s.Tell(r.now, NotStarted{Why: "no"}) },
		"it ends as well":  func(r *rig) { r.connect(); r.closed(); r.connect(); r.closed() },
		"it is pinned now": func(r *rig) { _, _ = r.s.Handle(r.now, SetPin{Revision: mcp.Rev20260728}) },
	} {
		t.Run(name, func(t *testing.T) {
			r, id := waiting(t)
			end(r)
			r.lines = nil
			r.connect()
			r.discovers()
			want := 0
			if name == "nobody leaves" {
				want = 1
			}
			if n := r.sent("notifications/x"); n != want {
				t.Errorf("the notification was sent %d times", n)
			}
			if n := r.sent("tools/call"); n != want || (n == 0) != strings.Contains(r.row(id).Note, "before it was sent") {
				t.Errorf("made %d times, %q", n, r.row(id).Note)
			}
		})
	}
}

// The time of a server/discover that had its time is not extended: initialize would be sent
// a second time.
func TestADiscoverBesideInitializeIsNotExtended(t *testing.T) {
	r := beside(t)
	discover := r.asked("server/discover")
	if _, err := r.s.Handle(r.now, Extend{Call: discover.ID}); !errors.Is(err, errFinished) {
		t.Errorf("it is extended: %v", err)
	}
	r.wait(time.Minute)
	if n := r.sent("initialize"); n != 0 {
		t.Errorf("initialize was sent %d times more", n)
	}
}

// A progress token of the user's that another call has by then is left out.
func TestATokenOfWhatWaitsForTheSecondStart(t *testing.T) {
	r := beside(t)
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"progressToken":"mine"}}`)}}); err != nil {
		t.Fatal(err)
	}
	r.greeted()
	r.discovers()
	r.closed()
	r.lines = nil
	r.connect()
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "prompts/get", Params: []byte(`{"name":"p","_meta":{"progressToken":"mine"}}`)}}); err != nil {
		t.Fatal(err)
	}
	r.discovers()
	if r.sent("tools/call") != 1 || r.sent("tools/call", `"mine"`) != 0 || r.sent("prompts/get", `"mine"`) != 1 {
		t.Errorf("written: %v", r.lines)
	}
}

// What waits for the second start may have no parameters.
func TestACallWithoutParametersWaitsForTheSecondStart(t *testing.T) {
	r := beside(t)
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "prompts/list", Raw: true}}); err != nil {
		t.Fatal(err)
	}
	r.greeted()
	r.discovers()
	r.closed()
	r.lines = nil
	r.connect()
	r.discovers()
	if r.sent("prompts/list") == 0 {
		t.Errorf("written: %v", r.lines)
	}
}
