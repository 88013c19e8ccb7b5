package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// resourceful runs a test with a server of 2026-07-28 that has answered what belay asks
// by itself, and declares this of its resources.
func resourceful(t *testing.T, w, h int, transport mcp.Transport, resources string, f func(w *harness)) {
	t.Helper()
	cfg := session.Config{Pin: mcp.Rev20260728, Transport: transport, Endpoint: "http://demo.test/mcp", FirstID: 1, Login: transport == mcp.HTTP}
	runWith(t, w, h, Options{}, cfg, func(w *harness) {
		time.Sleep(20 * time.Millisecond)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],`+
			`"capabilities":{"resources":`+resources+`},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		w.result(w.last("resources/list"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","resources":[]}`)
		w.result(w.last("resources/templates/list"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","resourceTemplates":[]}`)
		w.clearStatus()
		f(w)
	})
}

// agrees has the server agree to a part of a subscription, on the stream of that
// where there is one.
func (w *harness) agrees(id int, to string) {
	w.b.locked(func(s *session.Session, now time.Time) {
		x := session.ExchangeID{Epoch: w.b.epoch, N: w.exchange(id).N}
		if x.N != 0 {
			s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "text/event-stream"}})
		}
		s.Receive(now, x, w.dec.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged",`+
			`"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"notifications":%s}}`, id, to)))
	})
	w.wait(100 * time.Millisecond)
}

// What the server did not agree to is said at the foot, in the row and in the
// detail; and a subscription that it ended, as it agreed to nothing, says that.
func TestASubscriptionThatTheServerTakesInPart(t *testing.T) {
	resourceful(t, 80, 24, mcp.Stdio, `{"subscribe":true}`, func(w *harness) {
		w.command("listen")
		w.sees("the server declares no list that changes")
		if w.got("subscriptions/listen") != 0 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.command("listen tools demo://bell")
		w.agrees(w.last("subscriptions/listen"), `{"resourceSubscriptions":["demo://bell"]}`)
		w.sees("● subscribed in part", "#4 subscribed in part · the server did not agree to: tools")
		w.golden("listening-in-part")
		w.press("enter")
		w.sees("the server did not agree to: tools")
		w.press("h", "h")
		w.sees("✗ tools · not agreed to", "✓ demo://bell")
		w.press("esc")
		w.command("subscribe demo://bell")
		w.sees("subscribes to that already")
		w.press("j", "k", "r")
		w.wait(100 * time.Millisecond)
		if n := w.got(`"method":"subscriptions/listen"`); n != 2 {
			t.Errorf("%d subscriptions; what was not agreed to may be asked for again", n)
		}
		w.agrees(w.last("subscriptions/listen"), `{}`)
		id := w.last("subscriptions/listen")
		w.result(id, fmt.Sprintf(`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%d}}`, id))
		w.wait(100 * time.Millisecond)
		w.sees("◇ agreed to nothing", "#5 ended by the server, with a result; the server agreed to nothing of it")
		w.press("enter")
		w.sees("◇ ended · agreed to nothing", "ended by the server, with a result; the server agreed to nothing of it")
		w.golden("listening-to-nothing")
		w.press("h")
		w.sees("✗ demo://bell · not agreed to")
	})
	resourceful(t, 80, 24, mcp.Stdio, `{"subscribe":true,"listChanged":true}`, func(w *harness) {
		w.command("listen")
		if n := w.got(`{"notifications":{"resourcesListChanged":true}`); n != 2 {
			t.Errorf("%d of belay's own and the user's for the one list that is declared:\n%s", n, strings.Join(w.b.wrote, "\n"))
		}
	})
}

// An acknowledgement that cannot be read is told as what it is, and not as a
// refusal.
func TestAnAcknowledgementThatCannotBeRead(t *testing.T) {
	resourceful(t, 100, 24, mcp.Stdio, `{"subscribe":true}`, func(w *harness) {
		w.command("subscribe demo://bell")
		w.agrees(w.last("subscriptions/listen"), `"yes"`)
		w.sees("● acknowledgement unreadable", "its acknowledgement says nothing: notifications is a string", "1 diagnostic")
		w.seesNot("agreed to nothing")
		w.golden("subscription-unreadable")
		w.agrees(w.last("subscriptions/listen"), `{"resourceSubscriptions":["demo://bell"]}`)
		w.sees("● subscribed  ")
	})
}

// X leaves subscriptions, and says so; marked ones it ends.
func TestCancelAllAndSubscriptions(t *testing.T) {
	run(t, 80, 24, Options{}, func(w *harness) {
		w.handshakeWith(subscribingServer)
		w.command("subscribe demo://readme")
		w.result(w.last("resources/subscribe"), `{}`)
		w.press("X")
		w.sees("only subscriptions stand", "space marks")
		w.call("countdown")
		w.press("X")
		w.sees("Cancel 1 request in flight?", "1 subscription stays")
		w.golden("cancel-all-subscription")
		w.press("n", "j", "space")
		w.press("X")
		w.sees("End 1 subscription marked?")
		w.press("n", "g", "space", "X")
		w.sees("Cancel 1 request and end 1 subscription marked?")
		w.press("y")
		w.wait(100 * time.Millisecond)
		if w.got("resources/unsubscribe") != 1 || w.got("notifications/cancelled") != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.result(w.last("resources/unsubscribe"), `{}`)
		w.press("g", "j", "space", "X")
		w.sees("what is marked has ended already, or is being cancelled")
	})
}

// A subscription that broke off says so while it is not begun again, and x ends
// it there.
func TestASubscriptionThatBreaksOffOnScreen(t *testing.T) {
	resourceful(t, 140, 30, mcp.HTTP, `{"subscribe":true}`, func(w *harness) {
		w.command("subscribe demo://bell")
		id := w.last("subscriptions/listen")
		w.agrees(id, `{"resourceSubscriptions":["demo://bell"]}`)
		w.sees("● subscribed")
		w.b.tell(session.Ended{ExchangeID: w.exchange(id), End: session.End{Err: "connection reset"}})
		w.wait(100 * time.Millisecond)
		w.sees("◇ broke off", "its stream broke: connection reset")
		w.golden("subscription-broken")
		w.wait(time.Second)
		again := w.last("subscriptions/listen")
		if again == id {
			t.Fatal("it was not begun again")
		}
		w.agrees(again, `{"resourceSubscriptions":["demo://bell"]}`)
		w.sees("● subscribed")
		w.press("2", "h", "h", "h")
		w.sees("it broke off and was begun again")
		w.press("1")
		w.b.tell(session.Ended{ExchangeID: w.exchange(again), End: session.End{}})
		w.wait(100 * time.Millisecond)
		w.press("x")
		w.wait(100 * time.Millisecond)
		w.sees("nothing running · its stream ended without a result")
		if strings.Contains(string(w.m.status.Notice().Text), "begun again") {
			t.Errorf("the foot says %q", w.m.status.Notice().Text)
		}
		w.wait(time.Minute)
		w.sees("nothing running")
		if n := w.got(`"method":"subscriptions/listen"`); n != 2 {
			t.Errorf("%d subscriptions were posted", n)
		}
	})
}

// While the stream is away that brings the updates of a subscription, its row
// says so; and when the server ends the session, the foot says what became of
// the subscription, too.
func TestASubscriptionWhoseServerIsAway(t *testing.T) {
	cfg := session.Config{Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: -1}
	runWith(t, 140, 30, Options{}, cfg, func(w *harness) {
		agree := func(id int) {
			x := w.exchange(id)
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: x, Head: session.Head{Status: 200, Media: "application/json", Session: "s"}})
				s.Receive(now, x, w.dec.Decode(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, id, subscribingServer)))
				s.Tell(now, session.Ended{ExchangeID: x, End: session.End{}})
			})
			w.settle()
			accepted := w.b.at // notifications/initialized
			w.b.locked(func(s *session.Session, now time.Time) {
				s.Tell(now, session.Opened{ExchangeID: accepted, Head: session.Head{Status: 202}})
				s.Tell(now, session.Ended{ExchangeID: accepted, End: session.End{}})
			})
			w.wait(time.Second)
		}
		agree(w.last("initialize"))
		w.command("subscribe demo://readme")
		w.result(w.last("resources/subscribe"), `{}`)
		stream := w.b.streams[len(w.b.streams)-1]
		w.sees("● subscribed")
		w.b.tell(session.Ended{ExchangeID: stream, End: session.End{Err: "connection refused"}})
		w.wait(100 * time.Millisecond)
		w.sees("● stream away")
		w.golden("subscription-away")
		w.wait(time.Second)
		stream = w.b.streams[len(w.b.streams)-1] // the server has a route for GET
		w.b.tell(session.Opened{ExchangeID: stream, Head: session.Head{Status: 200, Media: "text/event-stream"}})
		w.b.tell(session.Ended{ExchangeID: stream, End: session.End{Err: "connection reset"}})
		w.wait(5 * time.Second)
		stream = w.b.streams[len(w.b.streams)-1]
		w.b.tell(session.Opened{ExchangeID: stream, Head: session.Head{Status: 404}})
		w.wait(100 * time.Millisecond)
		w.sees("a new one is being started, and nothing was repeated yet")
		agree(w.last("initialize"))
		w.wait(100 * time.Millisecond)
		w.sees("a new one began, and nothing but 1 subscription was repeated")
		w.result(w.last("resources/subscribe"), `{}`)
		if n := w.got(`"method":"resources/subscribe"`); n != 2 {
			t.Errorf("%d subscriptions were posted", n)
		}
		w.sees("● subscribed", "◇ lost")
	})
}

// What only stood is no work that leaving ends: nothing is said of it on the
// normal screen.
func TestLeavingASubscription(t *testing.T) {
	run(t, 80, 40, Options{}, func(w *harness) {
		w.handshakeWith(subscribingServer)
		w.command("subscribe demo://readme")
		w.result(w.last("resources/subscribe"), `{}`)
		w.command("disconnect")
		w.wait(100 * time.Millisecond)
		w.sees("✓ ended")
		w.command("restart")
		w.wait(100 * time.Millisecond)
		w.result(w.last("initialize"), subscribingServer)
		w.result(w.last("resources/subscribe"), `{}`)
		w.sees("● subscribed")
		w.press("q")
		w.wait(time.Second)
		if lines := w.m.Farewell(); !w.quit || len(lines) != 0 {
			t.Errorf("quit: %v, %q", w.quit, lines)
		}
	})
}

// A subscription that ends by itself after it stood is told at the foot, in the
// words of the server, whatever was done since it was begun.
func TestASubscriptionThatEndsByItself(t *testing.T) {
	for name, tt := range map[string]struct {
		end  func(w *harness, id int)
		want string
	}{
		"an error": {func(w *harness, id int) {
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"the bell broke"}}`, id)
		}, `#4 failed · -32000 "the bell broke"`},
		"a cancel": {func(w *harness, id int) {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"closing time"}}`, id)
		}, `#4 ended by the server: "closing time"`},
		"a result": {func(w *harness, id int) {
			w.result(id, fmt.Sprintf(`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%d}}`, id))
		}, "#4 ended by the server, with a result"},
	} {
		t.Run(name, func(t *testing.T) {
			resourceful(t, 120, 30, mcp.Stdio, `{"subscribe":true}`, func(w *harness) {
				w.command("subscribe demo://bell")
				id := w.last("subscriptions/listen")
				w.agrees(id, `{"resourceSubscriptions":["demo://bell"]}`)
				w.wait(time.Minute)
				w.press("3", "1")
				if w.m.status.Notice().Text != "" {
					t.Errorf("before its end the foot says %q", w.m.status.Notice().Text)
				}
				tt.end(w, id)
				w.wait(100 * time.Millisecond)
				w.sees(tt.want)
				w.press("1")
				w.wait(time.Minute)
				if w.m.status.Notice().Text != "" {
					t.Errorf("it is told again: %q", w.m.status.Notice().Text)
				}
			})
		})
	}
	resourceful(t, 120, 30, mcp.Stdio, `{"subscribe":true}`, func(w *harness) {
		var ids []int
		for _, uri := range []string{"demo://bell", "demo://gate"} {
			w.command("subscribe " + uri)
			id := w.last("subscriptions/listen")
			w.agrees(id, `{"resourceSubscriptions":["`+uri+`"]}`)
			ids = append(ids, id)
		}
		w.b.locked(func(s *session.Session, now time.Time) {
			for _, id := range ids {
				s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode(fmt.Appendf(nil,
					`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id)))
			}
		})
		w.wait(100 * time.Millisecond)
		w.sees("2 subscriptions ended; the last: #5 ended by the server")
	})
}

// A subscription that the server does not end says so, and x asks once more; one
// that begins after its cancel is ended by a call of belay's.
func TestASubscriptionThatDoesNotEnd(t *testing.T) {
	run(t, 140, 30, Options{}, func(w *harness) {
		w.handshakeWith(subscribingServer)
		w.command("subscribe demo://readme")
		w.result(w.last("resources/subscribe"), `{}`)
		w.press("x")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"not now"}}`, w.last("resources/unsubscribe"))
		w.wait(100 * time.Millisecond)
		w.sees("still subscribed", "the server refused to end the subscription: it stands")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://readme"}}`)
		w.seesNot("diagnostic")
		w.golden("subscription-left")
		w.command("unsubscribe demo://readme")
		w.wait(100 * time.Millisecond)
		if w.got("resources/unsubscribe") != 2 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.press("x")
		w.sees("is to end it already")
		w.result(w.last("resources/unsubscribe"), `{}`)
		w.wait(100 * time.Millisecond)
		w.seesNot("still subscribed")
	})
	run(t, 140, 30, Options{}, func(w *harness) {
		w.handshakeWith(subscribingServer)
		w.command("subscribe demo://readme")
		w.press("x")
		w.wait(time.Second)
		w.result(w.last("resources/subscribe"), `{}`)
		w.wait(100 * time.Millisecond)
		w.sees("still subscribed", "the server subscribed after all", "resources/unsubscribe")
		w.result(w.last("resources/unsubscribe"), `{}`)
		w.wait(100 * time.Millisecond)
		w.sees("ended it", "⊘ cancelled · answered late")
		w.seesNot("⊘ still subscribed")
	})
}
