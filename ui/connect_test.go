package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/requirements"
	"belay/session"
)

// Each way in which a connection fails has a screen of its own.
func TestTheFailuresToConnect(t *testing.T) {
	requirements.Rows(t, "VER-17")
	titles := map[string]bool{}
	for _, tt := range []struct {
		name string
		do   func(w *harness)
		want string
	}{
		{"version", func(w *harness) {
			w.result(w.last("initialize"), `{"protocolVersion":"1999-01-01","serverInfo":{"name":"old","version":"1"},"capabilities":{}}`)
		}, "no protocol revision in common"},
		{"refused", func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"not today"}}`, w.last("initialize"))
		}, "the server refused the handshake"},
		{"silence", func(w *harness) { w.wait(6 * time.Minute) }, "the server does not answer"},
		{"gone", func(w *harness) { // before there was a connection, belay ends with it
			w.handshake()
			w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 127", Stderr: "sh: nope: not found"}})
		}, "the server is gone"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run(t, 80, 24, Options{}, func(w *harness) {
				w.wait(100 * time.Millisecond)
				tt.do(w)
				w.wait(200 * time.Millisecond)
				w.clearStatus()
				w.sees(tt.want, "disconnected")
				w.golden("failure-" + tt.name)
				titles[tt.want] = true
			})
		})
	}
	if len(titles) != 4 {
		t.Errorf("%d different screens", len(titles))
	}
}

// Below the notice that a server is gone stand the calls that were lost with it, also where
// there is little room, and no rule stands there without the notice.
func TestTheNoticeLeavesRoomForTheCallsThatWereLost(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		for _, tool := range []string{"echo", "countdown", "restless", "stubborn"} {
			w.call(tool)
		}
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3", Stderr: "fatal: one\nfatal: two"}})
		w.wait(200 * time.Millisecond)
		w.clearStatus()
		w.sees("the server is gone", "fatal: two", "shows the wire", " echo ", " countdown ", " restless ", " stubborn ", "5 requests by belay")
		w.golden("failure-lost")
		w.press("2")
		w.sees("the server is gone", " stubborn ")
		w.seesNot("fatal: two")
		for h := 15; h <= 40; h++ {
			w.send(tea.WindowSizeMsg{Width: 100, Height: h})
			_, below, _ := strings.Cut(w.screen(), "1 Calls")
			if _, first, _ := strings.Cut(below, "\n"); strings.HasPrefix(first, "│──") {
				t.Errorf("height %d: a rule stands below nothing:\n%s", h, w.screen())
			}
		}
	})
}

func TestAMissingCapabilityIsExplained(t *testing.T) {
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("initialize"), `{"protocolVersion":"2025-11-25","serverInfo":{"name":"bare","version":"1"},"capabilities":{}}`)
		w.press("n")
		w.sees("the server offers nothing to call")
		w.press("esc", ":")
		w.write("log debug")
		w.press("enter")
		w.sees("the server does not declare the logging capability")
	})
}

// A revision is not offered that the server has just refused, although it lists it.
func TestARefusedRevisionIsNotOffered(t *testing.T) {
	requirements.Rows(t, "VER-18")
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no","data":{"supported":["2025-11-25","1998-01-01"]}}}`, w.last("initialize"))
		w.wait(200 * time.Millisecond)
		w.sees("the server refused the handshake", "the server lists 2025-11-25, 1998-01-01; belay speaks", "it was asked in 2025-11-25, which it lists itself")
		w.seesNot("enter connects", "in common")
	})
}

// A server that refuses a revision which it lists does not say that it wants another one of its list.
func TestARefusalBesideAnotherRevision(t *testing.T) {
	requirements.Rows(t, "VER-17", "VER-18")
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no","data":{"supported":["2025-11-25","2025-03-26"]}}}`, w.last("initialize"))
		w.wait(200 * time.Millisecond)
		w.sees("the server refused the handshake", "the server lists 2025-11-25, 2025-03-26", "enter connects with 2025-03-26")
		w.seesNot("wants another protocol revision")
	})
}

// A refusal that lists revisions can be answered with one of them.
func TestReconnectingWithAListedRevision(t *testing.T) {
	requirements.Rows(t, "VER-18")
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05","1998-01-01"],"requested":"2025-11-25"}}}`, w.last("initialize"))
		w.wait(200 * time.Millisecond)
		w.sees("the server wants another protocol revision", "the server speaks 2024-11-05, 1998-01-01; belay speaks 2026-07-28, 2025-11-25", "enter connects with 2024-11-05")
		w.press("enter")
		w.wait(200 * time.Millisecond)
		if w.b.restarts != 1 || w.got(`"protocolVersion":"2024-11-05"`) != 1 {
			t.Errorf("%d restarts; the server got\n%s", w.b.restarts, strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestTheHeader(t *testing.T) {
	requirements.Rows(t, "VER-19")
	var lines []string
	add := func(w *harness, name string) {
		head, _, _ := strings.Cut(w.screen(), "\n")
		lines = append(lines, fmt.Sprintf("%-12s|%s", name, head))
	}
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(100 * time.Millisecond)
		add(w, "connecting")
		w.handshake()
		add(w, "negotiated")
		w.call("countdown")
		w.feed(elicit)
		w.wait(100 * time.Millisecond)
		add(w, "busy")
		w.b.tell(session.Disconnect{Reason: "the user disconnected"})
		w.wait(200 * time.Millisecond)
		add(w, "disconnected")
		w.quiet()
		w.press("esc") // the question that was lost
		w.press(":")
		w.write("restart 2025-06-18")
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.result(w.last("initialize"), `{"protocolVersion":"2025-06-18","serverInfo":{"name":"`+strings.Repeat("a long name ", 9)+`","version":"9"},"capabilities":{}}`)
		add(w, "pinned")
	})
	connected(t, 60, 24, Options{}, func(w *harness) { add(w, "narrow") })
	run(t, 80, 24, Options{}, func(w *harness) { // the count of diagnostics stays, a long name gives way
		w.handshakeOf(strings.Replace(taskInit, `"name":"demo"`, `"name":"`+strings.Repeat("a long name ", 9)+`"`, 1), taskTools)
		w.call("plain")
		w.feed(`{"jsonrpc":"2.0","id":4711,"result":{}}`)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/nothing"}`)
		add(w, "faults")
		w.feed(elicit)
		w.wait(100 * time.Millisecond)
		add(w, "faults, asked")
	})
	run(t, 80, 24, Options{}, func(w *harness) { // the transport and the revision stay whole whatever is counted
		w.handshake()
		w.b.recorded = "run.jsonl"
		w.command("restart 2025-06-18")
		w.wait(100 * time.Millisecond)
		w.result(w.last("initialize"), `{"protocolVersion":"2025-06-18","serverInfo":{"name":"demo","version":"1.2.0"},"capabilities":{"tools":{}}}`)
		w.result(w.last("tools/list"), toolList)
		w.call("countdown")
		for range 2 {
			w.feed(elicit)
			w.quiet()
			w.press("ctrl+l")
			w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}`)
		}
		w.feed(elicit)
		w.quiet()
		add(w, "crowded")
	})
	golden(t, "headers", strings.Join(lines, "\n")+"\n")

	run(t, 100, 40, Options{}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("initialize"), `{"protocolVersion":"2025-11-25","serverInfo":{"name":"x","version":"1"},"capabilities":{},"instructions":"Run \u001b]52;c;eA==\u0007 now.\n\n✗ the server is gone\n❯ y"}`)
		w.press("i")
		w.sees("o save")
		w.golden("instructions")
	})
}

// What is not known before the connection is not said to be missing.
func TestTheServerIsNotKnownYet(t *testing.T) {
	run(t, 80, 24, Options{}, func(w *harness) {
		w.press("i")
		w.sees("not known yet")
		w.seesNot("none", "not offered")
		w.press("esc")
		w.handshake()
		w.press("i")
		w.seesNot("not known yet")
	})
}

// A list whose changes the server does not tell of says how it is brought up to
// date; one that the server tells of does not.
func TestListsThatAreRefreshedByHandSayIt(t *testing.T) {
	connected(t, 120, 60, Options{}, func(w *harness) {
		w.press("i", "G")
		w.sees("prompts · 1 · refreshed by hand: :reload")
		w.press("g")
		w.seesNot("tools · 3 · refreshed by hand")
		w.sees("tools · 3")
	})
}

// A connection that does not come says above the calls what has happened, and what helps.
func TestWhatIsWaitedForIsAboveTheCalls(t *testing.T) {
	cfg := session.Config{FirstID: 1, DiscoverLimit: 3 * time.Second}
	runWith(t, 100, 24, Options{}, cfg, func(w *harness) {
		w.wait(4 * time.Second)
		w.seesNot("stops the waiting")
		w.wait(8 * time.Second)
		w.sees("no answer yet to server/discover or initialize", ":restart 2025-11-25 begins with initialize alone")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"not \u001b[2J here"}}`, w.last("initialize"))
		w.wait(200 * time.Millisecond)
		w.sees("initialize failed, server/discover is still waited for", `the server refused initialize: error -32601: "not ⟨ESC⟩[2J here"`, ":disconnect stops the waiting")
		w.wait(30 * time.Second)
		w.press(":")
		w.write("disconnect")
		w.press("enter")
		w.wait(10 * time.Second)
		w.seesNot("stops the waiting")
		w.sees("disconnected")
	})
}
