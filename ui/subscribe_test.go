package ui

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

const subscribingServer = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"demo","version":"1.2.0"},` +
	`"capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{"subscribe":true},"logging":{}}}`

// A subscription is a row that stays, counts and does not move by itself; x ends
// it in the way of its revision, and the row says what the server did.
func TestSubscriptionOnScreen(t *testing.T) {
	run(t, 80, 24, Options{}, func(w *harness) {
		w.handshakeWith(subscribingServer)
		w.press("n")
		w.write("readme")
		w.sees("alt+s subscribe")
		w.press("alt+s")
		w.wait(100 * time.Millisecond)
		if w.got(`"method":"resources/subscribe","params":{"uri":"demo://readme"`) != 1 {
			t.Fatalf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.result(w.last("resources/subscribe"), `{}`)
		w.sees("● subscribed")
		w.seesNot("in flight")
		w.wait(10 * time.Second)
		time.Sleep(time.Second) // the last frame's time passes
		w.settle()
		still := w.all
		time.Sleep(time.Hour)
		w.settle()
		if w.all != still {
			t.Errorf("the model got %d messages while nothing happened", w.all-still)
		}
		for range 3 {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://readme"}}`)
			w.wait(time.Second)
		}
		w.sees("● subscribed 3")
		w.golden("subscribed")
		w.press("enter")
		w.golden("subscribed-detail")
		w.press("q")
		w.wait(100 * time.Millisecond)
		w.b.View(func(s *session.Session) {
			if !s.Status().Quitting {
				t.Error("a subscription is no work that quitting asks about")
			}
		})
	})
	run(t, 80, 24, Options{}, func(w *harness) {
		w.handshakeWith(subscribingServer)
		w.command("subscribe demo://readme")
		w.result(w.last("resources/subscribe"), `{}`)
		w.press("x")
		w.wait(100 * time.Millisecond)
		w.sees("cancelling")
		w.result(w.last("resources/unsubscribe"), `{}`)
		w.sees("cancelled · acknowledged")
		w.press("enter")
		w.sees("the server answered that the subscription is ended", "resources/unsubscribe")
		if w.got("notifications/cancelled") != 0 {
			t.Error("a subscription of this revision is ended by resources/unsubscribe alone")
		}
		w.golden("unsubscribed")
		w.press("r")
		w.wait(100 * time.Millisecond)
		w.result(w.last("resources/subscribe"), `{}`)
		w.command("unsubscribe demo://readme")
		if w.got(`"method":"resources/unsubscribe"`) != 2 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.command("unsubscribe demo://other")
		w.sees("no row subscribes to")
	})
}

// Where it is not declared, it is disabled and says why.
func TestSubscribingThatIsNotDeclared(t *testing.T) {
	requirements.Rows(t, "SUB-23")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.command("subscribe demo://readme")
		w.sees("does not declare resources.subscribe; :send can ask it anyway")
		w.press("esc", "esc")
		w.command("listen")
		w.sees("in 2025-11-25 changes of lists come by themselves; :subscribe URI is for resources")
		w.press("esc", "esc", "n")
		w.write("readme")
		w.press("alt+s")
		w.wait(100 * time.Millisecond)
		if w.got("subscri") != 0 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

// In the modern era the row shows what the server agreed to, and who ended it.
func TestListeningOnScreen(t *testing.T) {
	requirements.Rows(t, "SUB-06", "SUB-21")
	cfg := session.Config{Pin: mcp.Rev20260728, NoListen: true}
	runWith(t, 140, 40, Options{}, cfg, func(w *harness) {
		time.Sleep(20 * time.Millisecond)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],`+
			`"capabilities":{"resources":{"subscribe":true}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		w.clearStatus()
		w.command("listen tools prompts demo://readme")
		id := w.last("subscriptions/listen")
		w.sees("● subscribing…")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"notifications":{"resourceSubscriptions":["demo://readme"]}}}`, id)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%d},"uri":"demo://readme"}}`, id)
		w.press("2", "h", "h")
		w.sees("✗ tools · not agreed to", "✗ prompts · not agreed to", "✓ demo://readme", "subscribed in part · 1 update")
		w.golden("listening")
		w.call("a")
		w.call("b")
		w.sees("4 in flight") // two lists that are not answered, and the calls
		w.press("q")
		w.sees("2 calls in flight")
		w.press("esc")
		for w.row().Method != "subscriptions/listen" {
			w.press("1", "j")
		}
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"closing time"}}`, id)
		w.result(id, `{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":`+strconv.Itoa(id)+`}}`)
		w.press("2", "h", "h")
		w.sees("ended by the server", `ended by the server: "closing time"`, "r begins it again")
		w.golden("listening-ended")
	})
}
