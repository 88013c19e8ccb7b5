package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// answering is a call over HTTP whose server has asked something that the user
// has answered with "main". posted is the exchange of that answer.
func answering(t *testing.T, w, h int, f func(w *harness, posted session.ExchangeID)) {
	t.Helper()
	cfg := session.Config{Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1}
	runWith(t, w, h, Options{}, cfg, func(x *harness) {
		init := x.posted("initialize")
		x.head(init, session.Head{Status: 200, Media: "application/json", Session: "s1"})
		x.feedOn(init, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"demo","version":"1"}}}`)
		x.head(x.posted("notifications/initialized"), session.Head{Status: 202})
		x.clearStatus()
		x.wait(3 * time.Second)
		x.call("asker")
		x.head(x.posted("tools/call"), session.Head{Status: 200, Media: "text/event-stream"})
		x.asksForm("q1", "Which branch?")
		x.quiet()
		x.write("main")
		x.press("ctrl+s")
		x.sees("answered elicitation/create")
		f(x, x.posted(`"q1"`))
	})
}

// An answer that the server refused comes back with its words, to be sent again.
func TestARefusedAnswerComesBack(t *testing.T) {
	for name, size := range map[string][2]int{"80": {80, 24}, "140": {140, 40}} {
		answering(t, size[0], size[1], func(w *harness, posted session.ExchangeID) {
			w.head(posted, session.Head{Status: 500})
			w.quiet()
			w.sees("your answer was not accepted: HTTP 500 Internal Server Error", "main", "? asks you")
			w.golden("ask-unaccepted-" + name)
			w.write("2")
			w.press("ctrl+s")
			w.sees("answered elicitation/create")
			w.gets(`"branch":"main"`, `"branch":"main2"`)
		})
	}
}

// Where something else is in use, it waits, and the status line says which key
// shows it.
func TestARefusedAnswerWaitsAside(t *testing.T) {
	answering(t, 80, 24, func(w *harness, posted session.ExchangeID) {
		w.press("n")
		w.head(posted, session.Head{Status: 500})
		w.sees("not accepted: HTTP 500")
		w.press("esc")
		w.seesNot("your answer was not accepted")
		w.press("!")
		w.sees("your answer was not accepted: HTTP 500 Internal Server Error", "main")
	})
}

// A question that its session has taken with it can still be read, and what was
// typed.
func TestARefusedAnswerIsLostWithItsSession(t *testing.T) {
	answering(t, 80, 24, func(w *harness, posted session.ExchangeID) {
		w.head(posted, session.Head{Status: 404})
		w.sees("the server has ended the session (HTTP 404)")
		w.press("!")
		w.sees("your answer was not accepted: the server has ended the session (HTTP 404)", "main", "your answer was not accepted · esc dismisses")
		w.golden("ask-unaccepted-lost")
	})
}

// What was withdrawn while its answer was on the way is not asked again.
func TestARefusedAnswerToAWithdrawnQuestion(t *testing.T) {
	answering(t, 80, 24, func(w *harness, posted session.ExchangeID) {
		w.withdraws("q1", "too slow")
		w.head(posted, session.Head{Status: 500})
		w.sees("not accepted: HTTP 500", "withdrawn meanwhile")
		w.press("!")
		w.sees("its reason: \"too slow\"", "main", "your answer was not accepted · esc dismisses")
		w.seesNot("nothing was sent")
	})
}

// posted is the exchange on which the last message with this text went.
func (w *harness) posted(text string) session.ExchangeID {
	w.t.Helper()
	for i, m := range slices.Backward(w.b.wrote) {
		if strings.Contains(m, text) {
			return w.b.on[i]
		}
	}
	w.t.Fatalf("nothing with %s was posted:\n%s", text, strings.Join(w.b.wrote, "\n"))
	return session.ExchangeID{}
}

// head is the head of the answer on an exchange.
func (w *harness) head(x session.ExchangeID, h session.Head) {
	w.b.tell(session.Opened{ExchangeID: x, Head: h})
	w.settle()
	time.Sleep(frameTime)
	w.settle()
}

// feedOn is a message of the server's on an exchange.
func (w *harness) feedOn(x session.ExchangeID, raw string) {
	w.b.locked(func(s *session.Session, now time.Time) { s.Receive(now, x, w.dec.Decode([]byte(raw))) })
	w.settle()
}
