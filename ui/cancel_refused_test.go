package ui

import (
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// refusing is a harness over HTTP of 2025-11-25, with a call that is being cancelled.
func refusing(t *testing.T, w, h int, f func(w *harness, x session.ExchangeID)) {
	legacyHTTP(t, w, h, func(w *harness, x session.ExchangeID) {
		w.wait(time.Second)
		w.press("x")
		w.wait(100 * time.Millisecond)
		w.sees("cancelling…")
		f(w, x)
	})
}

// legacyHTTP is a harness over HTTP of 2025-11-25, with a call that runs on an exchange.
func legacyHTTP(t *testing.T, w, h int, f func(w *harness, x session.ExchangeID)) {
	cfg := session.Config{Pin: mcp.Rev20251125, Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1, NoListen: true}
	runWith(t, w, h, Options{}, cfg, func(w *harness) {
		time.Sleep(20 * time.Millisecond)
		w.result(w.last("initialize"), `{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1.2.0"},"capabilities":{"tools":{}}}`)
		accepted := w.b.at // notifications/initialized
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: accepted, Head: session.Head{Status: 202}})
			s.Tell(now, session.Ended{ExchangeID: accepted, End: session.End{}})
		})
		w.settle()
		w.result(w.last("tools/list"), toolList)
		w.clearStatus()
		f(w, w.exchange(w.call("stubborn")))
	})
}

func (w *harness) refuse(status int) {
	x := w.b.at // of the latest POST
	w.b.locked(func(s *session.Session, now time.Time) {
		s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: status}})
		s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
	})
	w.wait(100 * time.Millisecond)
}

// A cancel that the server does not accept is told as that: on the row, which goes
// on, and in the verdict.
func TestACancelThatIsRefused(t *testing.T) {
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		refusing(t, size[0], size[1], func(w *harness, _ session.ExchangeID) {
			w.refuse(500)
			w.sees("cancelling… (not accepted)")
			w.press("enter")
			w.sees("not accepted: HTTP 500; x posts it")
			w.golden("cancel-refused-" + name)
			w.press("x") // once more
			w.wait(100 * time.Millisecond)
			w.seesNot("(not accepted)", "already")
			if n := w.got(`"method":"notifications/cancelled"`); n != 2 {
				t.Fatalf("%d cancels were posted", n)
			}
			w.press("x")
			w.wait(100 * time.Millisecond)
			w.sees("already")
			w.refuse(429)
			w.wait(6 * time.Second)
			w.sees("not delivered", "the server did not accept the cancel: HTTP 429")
			w.seesNot("five seconds", "5s", "x posts it")
			w.golden("cancel-not-accepted-" + name)
		})
	}
}

// An HTTP error is shown as the late answer that it is.
func TestACancelledCallThatIsAnsweredWithAStatus(t *testing.T) {
	refusing(t, 80, 24, func(w *harness, x session.ExchangeID) {
		w.refuse(202)
		w.press("enter")
		w.wait(2 * time.Second)
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 500}})
			s.Tell(now, session.Ended{ExchangeID: x, End: session.End{Body: "cancelled"}})
		})
		w.wait(100 * time.Millisecond)
		w.sees("cancelled · answered with error", "HTTP 500, 2.20s late")
		w.press("G")
		w.sees(`answered with HTTP 500 Internal Server Error: "cancelled"`)
		w.golden("cancel-answered-with-status")
	})
}

// Once the exchange of a cancelled call is over, its question cannot be taken back there, and
// the panel says that in the place of what the server has not done.
func TestAQuestionWhoseExchangeIsOver(t *testing.T) {
	legacyHTTP(t, 140, 40, func(w *harness, x session.ExchangeID) {
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "text/event-stream"}})
			s.Receive(now, x, w.dec.Decode([]byte(elicit)))
		})
		w.quiet()
		w.press("ctrl+x")
		w.wait(100 * time.Millisecond)
		cancelled := w.b.at
		w.sees("you cancelled #", "; the server has not taken")
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: cancelled, Head: session.Head{Status: 202}})
			s.Tell(now, session.Ended{ExchangeID: cancelled, End: session.End{}})
		})
		w.wait(10 * time.Second)
		w.sees("you cancelled #", "; its exchange is over", "take it back there")
		w.seesNot("has not taken")
	})
}

// A server that refuses tasks/cancel has the row say so while a poll is awaited, and another x says why
// nothing more is sent.
func TestARefusedCancelOfATaskOnTheScreen(t *testing.T) {
	for name, refused := range map[string]bool{"refused": true, "answered": false} {
		tasking(t, 100, 30, func(w *harness) {
			w.result(w.asTask(0), `{"task":{`+w.task("task-1", "working", `"ttl":null,"pollInterval":9000`)+`}}`)
			w.press("x")
			if refused {
				w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"not now"}}`, w.last("tasks/cancel"))
				w.sees("cancel refused · polling")
				w.seesNot("⊘ cancelling…")
			} else {
				w.result(w.last("tasks/cancel"), `{`+w.task("task-1", "working", `"ttl":null,"pollInterval":9000`)+`}`)
				w.sees("⊘ cancelling…")
			}
			w.clearStatus()
			w.press("x")
			w.sees("the server " + name + " tasks/cancel: a poll is to tell what the task does")
			w.seesNot("already")
			if n := w.got(`"method":"tasks/cancel"`); n != 1 {
				t.Errorf("tasks/cancel is sent %d times", n)
			}
		})
	}
}
