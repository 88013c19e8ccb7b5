package ui

import (
	"strconv"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// Over HTTP belay runs nothing: what is said of a server there has no words of a
// process, and names the way to try again.
func TestNoWordsOfAProcessOverHTTP(t *testing.T) {
	cfg := session.Config{Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		w.wait(20 * time.Millisecond)
		x := w.b.on[len(w.b.on)-1] // that of initialize
		w.b.tell(session.Ended{ExchangeID: x, End: session.End{Err: "connection refused", Hint: "is the server running, and is the port right?"}})
		w.wait(100 * time.Millisecond)
		w.sees("connection refused", "R or :restart tries again · 3 shows the wire")
		w.golden("http-refused")
		w.press("n")
		w.sees("not connected; R or :restart connects again")
		w.press("i")
		w.sees("address", "transport", "Streamable HTTP", "connection")
		w.seesNot("command", "process")
	})
	overHTTP(t, 80, 24, mirroring, func(w *harness) {
		w.command("disconnect")
		w.wait(10 * time.Second)
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{ByUs: true}})
		w.wait(100 * time.Millisecond)
		w.sees("✗ disconnected", "R or :restart connects again")
		w.seesNot("starts the server")
	})
}

// The transport of 2024-11-05 is not called by the name of the other one.
func TestTheTransportIsNamed(t *testing.T) {
	cfg := session.Config{Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1}
	runWith(t, 80, 24, Options{}, cfg, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.sees(" http ")
		x := w.b.on[len(w.b.on)-1] // that of initialize
		w.b.locked(func(s *session.Session, now time.Time) {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 404}})
			s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
		})
		w.wait(100 * time.Millisecond)
		w.sees(" http+sse ")
		w.press("i")
		w.sees("HTTP+SSE, which is deprecated")
		w.seesNot("Streamable")
	})
}

// Why a call was lost is read whole on its timeline.
func TestAReasonIsNotCutOnTheTimeline(t *testing.T) {
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		overHTTP(t, size[0], size[1], mirroring, func(w *harness) {
			x := w.exchange(w.call("deploy"))
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "application/json"}})
				s.Tell(now, session.Ended{ExchangeID: x, End: session.End{Err: "the server closed the connection in the middle of it"}})
			})
			w.wait(100 * time.Millisecond)
			w.press("enter")
			w.golden("lost-reason-" + name)
			w.sees("of it")
			w.seesNot("clos…")
		})
	}
}

// A stream that is taken up again and again, and brings nothing, takes one line.
func TestRoundsWithoutAMessageAreOneLine(t *testing.T) {
	resuming(t, 80, 24, func(w *harness) {
		x := w.exchange(w.call("slow"))
		for i := range 18 {
			last := strconv.Itoa(i)
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "text/event-stream"}})
				s.Tell(now, session.EventReceived{ExchangeID: x, Event: session.Event{ID: &last, Retry: 0}})
				s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
			})
			w.wait(2 * time.Second)
			x = w.b.streams[len(w.b.streams)-1]
		}
		w.press("enter")
		w.golden("taken-up-80")
		w.sees("taken up again, 18 times, without a message; now after 2s")
	})
}
