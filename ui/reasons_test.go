package ui

import (
	"strings"
	"testing"

	"belay/session"
	"belay/ui/dialog"
	"belay/ui/layout"
	"belay/ui/scope"
)

// Each key that does nothing says why, and one that does something has no reason.
func TestTheReasonsOfKeys(t *testing.T) {
	on := func(phase session.Phase, inFlight, subs int) *session.Status {
		st := &session.Status{Phase: phase, InFlight: inFlight, Subscriptions: subs}
		if phase == session.Connecting {
			st.Handshake = inFlight
		}
		return st
	}
	stopping := on(session.Ready, 2, 0)
	stopping.Cancelling = 2
	ready := on(session.Ready, 0, 0)
	logging := on(session.Ready, 0, 0)
	logging.Server.Has.Logging = true
	row := func(state session.State, origin session.Origin) session.Row {
		return session.Row{State: state, Origin: origin}
	}
	running := row(session.Running, session.FromUser)
	held := running
	held.Round.AwaitsRetry = true
	yes, no := func() bool { return true }, func() bool { return false }
	ended, one := func() (int, int) { return 0, 0 }, func() (int, int) { return 0, 1 }
	for _, c := range []struct {
		name string
		why  func(situation) string
		in   situation
		want string // a part of the reason; empty: there is none
	}{
		{"notReady", notReady, situation{status: ready}, ""},
		{"notReady", notReady, situation{status: on(session.Disconnected, 0, 0)}, "not connected"},
		{"needsRoom", needsRoom(notReady), situation{status: ready, tiny: true}, "the terminal is too small"},
		{"needsRoom", needsRoom(notReady), situation{status: on(session.Disconnected, 0, 0)}, "not connected"},
		{"needsRoom", needsRoom(nil), situation{}, ""},

		{"noCall", noCall, situation{}, "no call is selected"},
		{"noCall", noCall, situation{chosen: true}, ""},
		{"nothingToCancel", nothingToCancel, situation{}, "there is no call to cancel"},
		{"nothingToCancel", nothingToCancel, situation{chosen: true, target: row(session.Done, session.FromUser)}, "has ended"},
		{"nothingToCancel", nothingToCancel, situation{chosen: true, target: running}, ""},

		{"nothingInFlight", nothingInFlight, situation{status: ready}, "nothing is in flight"},
		{"nothingInFlight", nothingInFlight, situation{status: on(session.Ready, 0, 2)}, "only subscriptions stand"},
		{"nothingInFlight", nothingInFlight, situation{status: on(session.Ready, 2, 0)}, ""},
		{"nothingInFlight", nothingInFlight, situation{status: on(session.Connecting, 1, 0)}, "only the handshake is in flight: it must not be cancelled; :disconnect leaves"},
		{"nothingInFlight", nothingInFlight, situation{status: on(session.Connecting, 1, 0), login: true}, "! then esc gives its login up"},
		{"nothingInFlight", nothingInFlight, situation{status: on(session.Connecting, 2, 0)}, "only the handshake is in flight"},
		{"nothingInFlight", nothingInFlight, situation{status: stopping}, "what is in flight is being cancelled already"},
		{"nothingInFlight", nothingInFlight, situation{status: ready, marked: 2, markedOn: ended}, "what is marked has ended already, or is being cancelled"},
		{"nothingInFlight", nothingInFlight, situation{status: ready, marked: 2, markedOn: one}, ""},

		{"notRepeatable", notRepeatable, situation{status: ready}, "no call is selected"},
		{"notRepeatable", notRepeatable, situation{status: ready, chosen: true, target: row(session.Failed, session.FromHandshake)}, "the handshake is made by :restart only"},
		{"notRepeatable", notRepeatable, situation{status: ready, chosen: true, target: running}, ""},
		{"notRepeatable", notRepeatable, situation{status: on(session.Disconnected, 0, 0), chosen: true, target: running}, "not connected"},

		{"notConnected", notConnected, situation{status: on(session.Disconnected, 0, 0)}, "not connected"},
		{"notConnected", notConnected, situation{status: on(session.Connecting, 0, 0)}, ""},
		{"noLogging", noLogging, situation{status: ready}, "does not declare the logging capability"},
		{"noLogging", noLogging, situation{status: logging}, ""},
		{"noSubscribing", noSubscribing, situation{status: on(session.Disconnected, 0, 0)}, "not connected"},
		{"noListening", noListening, situation{status: on(session.Disconnected, 0, 0)}, "not connected"},

		{"nothingToOpen", nothingToOpen, situation{focus: layout.Calls}, "there is no call to open"},
		{"nothingToOpen", nothingToOpen, situation{focus: layout.Calls, calls: 1}, ""},
		{"nothingToOpen", nothingToOpen, situation{focus: layout.Wire}, "there is no message to open"},
		{"nothingToOpen", nothingToOpen, situation{focus: layout.Wire, messages: 1}, ""},
		{"nothingToOpen", nothingToOpen, situation{focus: layout.Detail}, "/ begins one"},
		{"nothingToOpen", nothingToOpen, situation{focus: layout.Detail, searching: true}, ""},
		{"nothingToCopy", nothingToCopy, situation{focus: layout.Wire}, "there is no message"},
		{"nothingToCopy", nothingToCopy, situation{focus: layout.Wire, messages: 1}, ""},
		{"nothingToCopy", nothingToCopy, situation{focus: layout.Calls}, "no call is selected"},
		{"nothingToCopy", nothingToCopy, situation{focus: layout.Calls, over: &dialog.Page{}}, ""},
		{"nothingToSave", nothingToSave, situation{over: &dialog.Page{}}, "docs/keys.md"},
		{"nothingToSave", nothingToSave, situation{over: &dialog.Page{Name: "server.txt"}}, ""},

		{"nothingWaits", nothingWaits, situation{hasQuestion: no}, "the server asks nothing"},
		{"nothingWaits", nothingWaits, situation{chosen: true, target: held, hasQuestion: no}, "this call is held: r goes on"},
		{"nothingWaits", nothingWaits, situation{chosen: true, target: session.Row{Task: &session.TaskView{ReusedKeys: 1}}, hasQuestion: no}, ":ask shows it"},
		{"nothingWaits", nothingWaits, situation{hasQuestion: yes}, ""},
		{"nothingWaits", nothingWaits, situation{login: true}, ""},
	} {
		if got := c.why(c.in); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The keys that move, and by how much.
func TestHowFarKeysMove(t *testing.T) {
	for key, want := range map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "g": -veryFar, "home": -veryFar, "G": veryFar, "end": veryFar, "ctrl+d": 7, "pgdown": 7, "ctrl+u": -7, "pgup": -7, "x": 0} {
		if got := linesOf(key, 7); got != want {
			t.Errorf("%s moves by %d, want %d", key, got, want)
		}
	}
	for _, b := range moveBindings() {
		for _, key := range b.Key.Keys() {
			if b.Where == scope.Lists && linesOf(key, 7) == 0 {
				t.Errorf("%s, which is to be %q, moves nothing", key, b.Name)
			}
		}
	}
}

// Of a call that is being cancelled c says what is going on, as x does, and opens no line for a
// reason that could not be sent.
func TestNoReasonForWhatIsBeingCancelled(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("stubborn")
		w.press("x", "x")
		said := w.m.status.Notice().Text
		if said == "" {
			t.Fatalf("x says nothing:\n%s", w.screen())
		}
		w.clearStatus()
		w.press("c")
		if got := w.m.status.Notice().Text; got != said || w.m.modal() != nil {
			t.Errorf("c says %q, and x %q:\n%s", got, said, w.screen())
		}
		if n := w.got("notifications/cancelled"); n != 1 {
			t.Errorf("%d cancels were sent", n)
		}
	})
}

// Help says why the keys that cancel do nothing to a call that is being cancelled, and its
// grey button says so too.
func TestWhyACancelledCallIsNotCancelledAgain(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		w.call("countdown")
		w.press("x")
		x, y := w.find("[x]")
		w.click(x, y)
		w.sees("being cancelled already")
		w.clearStatus()
		w.press("?")
		if n := strings.Count(strings.Join(strings.Fields(unframed(w.screen())), " "), "(now: it is being cancelled already)"); n != 3 {
			t.Errorf("%d of the keys say why:\n%s", n, w.screen())
		}
	})
}
