package session

import (
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
)

// hears is a session over HTTP whose server declares a list that changes, and
// belay's own subscription to it.
func hears(t *testing.T, change ...func(*Config)) (*webRig, Row) {
	t.Helper()
	w := servingWeb(t, mcp.Rev20260728, `{"prompts":{"listChanged":true}}`, change...)
	w.recvOn(w.post("prompts/list").X, "%s", listAnswer(w.asked("prompts/list").Latest, mcp.Prompts, fresh, nil))
	return w, w.own()
}

// agrees has the server agree to the latest request of a subscription.
func (w *webRig) agrees(id CallID) ExchangeID {
	w.t.Helper()
	x := w.post(methodListen).X
	w.stream(x)
	d, _ := w.s.Detail(id)
	w.recvOn(x, agreedNote, w.row(id).Latest, rawjson.At(d.Asked.Params(), "notifications"))
	if !w.row(id).Sub.Active {
		w.t.Fatalf("%+v", w.row(id).Sub)
	}
	return x
}

// Over HTTP belay's own subscription is begun again when its stream breaks or
// ends without a result, each time by a new request, and what may have changed
// meanwhile is fetched.
func TestOwnSubscriptionWhoseStreamBreaks(t *testing.T) {
	requirements.Rows(t, "SUB-17")
	w, own := hears(t)
	seen := map[mcp.ID]bool{}
	for i, end := range []End{{Err: "reset"}, {}, {Err: "reset"}} {
		if n := w.count(OpWrite, methodListen); n != i+1 {
			t.Fatalf("%d subscriptions were posted, want %d", n, i+1)
		}
		if id := w.row(own.ID).Latest; seen[id] || mcp.Decode(w.post(methodListen).Data).ID != id {
			t.Fatalf("the ID %v was used before, or is not the one that was written", id)
		}
		if m := read(t, string(w.post(methodListen).Data)); string(rawjson.At(m.Params, "notifications")) != `{"promptsListChanged":true}` {
			t.Fatalf("request %d asks for %s", i+1, m.Params)
		}
		seen[w.row(own.ID).Latest] = true
		lists := w.count(OpWrite, "prompts/list")
		x := w.agrees(own.ID)
		w.later(refreshPause)
		if n := w.count(OpWrite, "prompts/list") - lists; n != min(i, 1) {
			t.Errorf("the list was fetched %d times after subscription %d", n, i+1)
		}
		for _, row := range w.s.InFlight(nil, 10) {
			if row.Method == "prompts/list" {
				w.recvOn(w.post("prompts/list").X, "%s", listAnswer(row.Wire, mcp.Prompts, fresh, nil))
			}
		}
		w.later(maxBackoff) // it stood: the pause begins small again
		w.ended(x, end)
		if row := w.row(own.ID); row.State != Running || row.Sub.Active || !row.Sub.AgainAt.Equal(w.now.Add(firstRetry)) {
			t.Errorf("%v, %+v", row.State, row.Sub)
		}
		w.later(firstRetry)
	}
	if len(w.gets()) != 0 || w.count(OpWrite, "notifications/cancelled") != 0 {
		t.Error("something else was sent for it")
	}
}

// The user's are begun again in the same way, ever later, with the pauses of
// each session cut by another share; and not for ever.
func TestSubscriptionThatBreaksOff(t *testing.T) {
	requirements.Rows(t, "SUB-15")
	pauses := map[int64][]time.Duration{}
	for _, seed := range []int64{0, 1, 2} {
		w := modernWeb(t, func(c *Config) { c.Jitter = seed })
		id, _, _ := w.listensOn()
		w.ended(w.agrees(id), End{Err: "reset"})
		for try := range maxListens {
			row := w.row(id)
			if row.State != Running || row.Sub.AgainAt.IsZero() || w.s.Status().UserCalls != 0 {
				t.Fatalf("try %d: %v, %+v", try, row.State, row.Sub)
			}
			pause := row.Sub.AgainAt.Sub(w.now)
			if full := backoff(try); pause > full || pause < full/2 || seed == 0 && pause != full {
				t.Errorf("seed %d, try %d: %v of %v", seed, try, pause, full)
			}
			pauses[seed] = append(pauses[seed], pause)
			posts := w.count(OpWrite, methodListen)
			w.later(pause - 1)
			if w.count(OpWrite, methodListen) != posts {
				t.Fatalf("begun again before %v", pause)
			}
			w.later(1)
			if w.count(OpWrite, methodListen) != posts+1 {
				t.Fatalf("not begun again after %v", pause)
			}
			x := w.post(methodListen).X
			if try%2 == 0 {
				w.opened(x, Head{Status: 503})
			}
			w.ended(x, End{Err: "refused"})
		}
		row := w.row(id)
		if row.State != Lost || row.Note == "" || row.Sub.ByServer {
			t.Errorf("%v, note %q", row.State, row.Note)
		}
		posts := w.count(OpWrite, methodListen)
		w.later(time.Hour)
		if w.count(OpWrite, methodListen) != posts {
			t.Error("it is begun again for ever")
		}
	}
	t.Run("with an ID of its own each time", func(t *testing.T) {
		w := modernWeb(t)
		id, _, _ := w.listensOn()
		w.ended(w.agrees(id), End{Err: "reset"})
		before := w.row(id).Latest
		for range 3 {
			w.later(maxBackoff)
			if now := w.row(id).Latest; now == before {
				t.Errorf("it is begun again as %v", now)
			} else {
				before = now
			}
			w.ended(w.agrees(id), End{Err: "reset"})
		}
	})
	// What the server never agreed to may be refused by that: it is not repeated.
	for name, end := range map[string]End{"closed": {}, "broken": {Err: "reset"}} {
		t.Run("before it is acknowledged, "+name, func(t *testing.T) {
			w := modernWeb(t)
			id, _, _ := w.listensOn()
			x := w.post(methodListen).X
			w.stream(x)
			w.want(id, Running, cancel.NoVerdict)
			w.ended(x, end)
			posts := w.count(OpWrite, methodListen)
			if row := w.row(id); !row.State.IsTerminal() || row.Sub.Active || !row.Sub.AgainAt.IsZero() {
				t.Errorf("%v, %+v", row.State, row.Sub)
			}
			w.later(time.Hour)
			if w.count(OpWrite, methodListen) != posts {
				t.Error("it is begun again")
			}
		})
	}
	for i := range pauses[0] {
		if pauses[1][i] == pauses[2][i] || pauses[1][i] == pauses[0][i] {
			t.Errorf("pause %d: %v, %v, %v", i, pauses[0][i], pauses[1][i], pauses[2][i])
		}
	}
}

// What the server says to that is its answer: an error, a status that does not
// pass, nothing that it agrees to. And the user can stop it in the pause.
func TestSubscriptionThatIsNotBegunAgain(t *testing.T) {
	for name, tt := range map[string]struct {
		play  func(w *webRig, id CallID)
		state State
	}{
		"an error": {func(w *webRig, id CallID) {
			w.later(firstRetry)
			x := w.post(methodListen).X
			w.opened(x, Head{Status: 200, Media: mediaJSON})
			w.recvOn(x, `{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":"no"}}`, w.row(id).Latest)
			w.ended(x, End{})
		}, Failed},
		"a status": {func(w *webRig, _ CallID) {
			w.later(firstRetry)
			x := w.post(methodListen).X
			w.opened(x, Head{Status: 404})
			w.ended(x, End{})
		}, Failed},
		"nothing agreed": {func(w *webRig, id CallID) {
			w.later(firstRetry)
			x := w.post(methodListen).X
			w.stream(x)
			w.recvOn(x, agreedNote, w.row(id).Latest, `{}`)
			w.ended(x, End{})
		}, Done},
		"the user": {func(w *webRig, id CallID) {
			outs := len(w.outs)
			w.stop(id, "enough")
			if row := w.row(id); row.Verdict != cancel.NothingRunning || row.Note != "its stream ended without a result" || len(w.outs) != outs {
				w.t.Errorf("%v, note %q, handed out: %v", row.Verdict, row.Note, w.outs[outs:])
			}
		}, Cancelled},
		"the user, a moment later": {func(w *webRig, id CallID) {
			w.later(firstRetry)
			w.stop(id, "enough")
			if row := w.row(id); row.Note != "its stream ended without a result; it was begun again" {
				w.t.Errorf("note %q", row.Note)
			}
			w.ended(w.post(methodListen).X, End{Err: "belay closed it"})
		}, Cancelled},
		"leaving": {func(w *webRig, _ CallID) {
			w.s.Tell(w.now, Quit{})
			w.pump()
			w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
		}, Done},
	} {
		t.Run(name, func(t *testing.T) {
			w := modernWeb(t)
			id, _, _ := w.listensOn()
			w.ended(w.agrees(id), End{})
			if w.row(id).Sub.AgainAt.IsZero() {
				t.Fatal("it is not begun again")
			}
			tt.play(w, id)
			w.check()
			if got := w.row(id).State; got != tt.state {
				t.Errorf("%v, want %v (note %q)", got, tt.state, w.note(id))
			}
			posts := w.count(OpWrite, methodListen)
			w.later(time.Hour)
			if w.count(OpWrite, methodListen) != posts {
				t.Error("it was begun again")
			}
		})
	}
}

// A clock that jumps cuts no pause short.
func TestSubscriptionInASuspendedMachine(t *testing.T) {
	w := modernWeb(t)
	id, _, _ := w.listensOn()
	w.ended(w.agrees(id), End{})
	left := w.row(id).Sub.AgainAt.Sub(w.now)
	w.now = w.now.Add(time.Hour)
	w.s.Tell(w.now, Tick{})
	w.check()
	if got := w.row(id).Sub.AgainAt.Sub(w.now); got != left {
		t.Errorf("%v are left of the pause, want %v", got, left)
	}
}

// A recording holds what the pauses were drawn from: a replay begins the
// subscriptions again at the same times.
func TestAReplayOfWhatBreaksOff(t *testing.T) {
	w := &webRig{rig: newRig(t, Config{Transport: mcp.HTTP, Endpoint: endpoint, Pin: mcp.Rev20260728, Jitter: 7}), auto: true}
	lines := newTape(w.s, nil)
	w.epoch = w.s.Tell(w.now, Connect{}).Epoch
	w.pump()
	w.agree(mcp.Rev20260728, `{}`)
	id, _, _ := w.listensOn()
	for range 3 {
		w.ended(w.agrees(id), End{Err: "reset"})
		w.later(maxBackoff)
	}
	w.s.Tell(w.now, Disconnect{Reason: "again"})
	w.pump()
	w.s.Tell(w.now, Closed{Epoch: w.epoch, Why: Close{ByUs: true}})
	if n := replayed(t, w.rig, lines).differs; n != 0 {
		t.Errorf("%d outputs differ", n)
	}
}

// A subscription that was ended on the stream of another request leaves no
// exchange behind, also when its own head comes after that.
func TestSubscriptionEndedBeforeItsHead(t *testing.T) {
	w := modernWeb(t)
	id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodListen, Params: allLists.Params()}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	own := w.post(methodListen)
	_, other := w.tool("a")
	w.stream(other.X)
	w.recvOn(other.X, endNote, w.row(id).Wire)
	w.want(id, Done, cancel.NoVerdict)
	w.stream(own.X)
	w.later(lingerLimit)
	if !w.aborted(own.X) || w.aborted(other.X) {
		t.Errorf("closed: its own exchange %v, the other one %v", w.aborted(own.X), w.aborted(other.X))
	}
}
