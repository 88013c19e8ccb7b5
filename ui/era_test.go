package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// How a revision was found stands beside it, also where there is little room.
func TestTheHeaderSaysHowTheRevisionWasFound(t *testing.T) {
	requirements.Rows(t, "VER-52")
	discovered := func(w *harness, versions string) {
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":`+versions+`,"capabilities":{},`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"everything","version":"2026.8.31"}}}`)
	}
	agreed := func(w *harness, rev mcp.Revision) {
		w.result(w.last("initialize"), `{"protocolVersion":"`+string(rev)+`","serverInfo":{"name":"everything","version":"2026.8.31"},"capabilities":{}}`)
	}
	refused := func(w *harness, code int) {
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":%d,"message":"no","data":{"supported":["2025-06-18"]}}}`, w.last("server/discover"), code)
	}
	var lines []string
	add := func(w *harness, name string) {
		w.wait(100 * time.Millisecond)
		head, _, _ := strings.Cut(w.screen(), "\n")
		lines = append(lines, fmt.Sprintf("%-12s|%s", name, head))
	}
	for _, tt := range []struct {
		name string
		do   func(w *harness)
	}{
		{"discovered", func(w *harness) { discovered(w, `["2026-07-28"]`) }},
		{"fallback", nil},
		{"listed", func(w *harness) { refused(w, -32022); agreed(w, mcp.Rev20250618) }},
		{"pinned", func(w *harness) {
			w.press(":")
			w.write("restart 2026-07-28")
			w.press("enter")
			w.wait(100 * time.Millisecond)
			discovered(w, `["2026-07-28"]`)
		}},
	} {
		runProbing(t, 80, 24, Options{}, 3*time.Second, func(w *harness) {
			w.wait(20 * time.Millisecond)
			if tt.name == "discovered" {
				add(w, "probing")
			}
			if tt.name == "fallback" {
				refused(w, -32601)
				add(w, "falling back")
				agreed(w, mcp.Rev20251125)
			} else {
				tt.do(w)
			}
			add(w, tt.name)
		})
	}
	// Of an address it is known for the run; a process is asked each time.
	runWith(t, 80, 24, Options{}, session.Config{Transport: mcp.HTTP, Endpoint: "http://demo.test/mcp", FirstID: 1, DiscoverLimit: 3 * time.Second}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		refused(w, -32601)
		agreed(w, mcp.Rev20251125)
		w.command("restart")
		w.wait(100 * time.Millisecond)
		agreed(w, mcp.Rev20251125)
		add(w, "cached")
		if n := w.got("server/discover"); n != 1 {
			t.Errorf("%d probes", n)
		}
	})
	golden(t, "headers-found", strings.Join(lines, "\n")+"\n")
}

// The probe is a row with a clock, and silence is told as what it is.
func TestTheProbeOnScreen(t *testing.T) {
	runProbing(t, 80, 24, Options{}, 3*time.Second, func(w *harness) {
		w.wait(1200 * time.Millisecond)
		w.sees("server/discover", "probing")
		w.golden("probing")
		w.press("w")
		w.wait(2 * time.Second)
		w.sees("initialize", "falling back to", "no answer yet")
		w.seesNot("failed", "⋯ fallback")
		w.result(w.last("initialize"), `{"protocolVersion":"2025-11-25","serverInfo":{"name":"everything","version":"2026.8.31"},"capabilities":{}}`)
		w.sees("awaiting server/discover")
		w.wait(time.Second)
		w.sees("2025-11-25 fallback", "2 requests by belay itself")
		w.press("b")
		w.sees("⋯ fallback")
		w.seesNot("failed")
	})
	// An error for an answer is no failure of the server's either; one that belay
	// cannot go on from is.
	runProbing(t, 80, 24, Options{}, 3*time.Second, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, w.last("server/discover"))
		w.wait(20 * time.Millisecond)
		w.press("b")
		w.sees("⋯ fallback")
		w.seesNot("failed")
	})
	runWith(t, 80, 24, Options{}, session.Config{Pin: mcp.Rev20260728}, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, w.last("server/discover"))
		w.wait(20 * time.Millisecond)
		w.sees("✗ failed")
		w.seesNot("⋯ fallback")
	})
}

// What is waited for while a server starts stands in the header, at any width, and
// afterwards that it was started once more.
func TestTheHeaderSaysWhatIsAwaited(t *testing.T) {
	const discovered = `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"everything","version":"2026.8.31"}}}`
	const greeted = `{"protocolVersion":"2025-11-25","serverInfo":{"name":"everything","version":"2026.8.31"},"capabilities":{}}`
	var lines []string
	for _, width := range []int{80, 110} {
		add := func(w *harness, name string) {
			w.wait(100 * time.Millisecond)
			head, _, _ := strings.Cut(w.screen(), "\n")
			lines = append(lines, fmt.Sprintf("%-18s|%s", name, head))
		}
		late := func(f func(w *harness)) {
			runProbing(t, width, 24, Options{}, 3*time.Second, func(w *harness) {
				w.wait(5 * time.Second)
				f(w)
			})
		}
		refused := func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"not now"}}`, w.last("initialize"))
		}
		ended := func(w *harness) {
			w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{ByUs: true}})
		}
		again := func(w *harness) {
			w.b.epoch = w.b.tell(session.Connect{}).Epoch
			w.wait(100 * time.Millisecond)
		}
		late(func(w *harness) {
			add(w, "neither")
			w.result(w.last("server/discover"), discovered)
			add(w, "the one")
			refused(w)
			add(w, "refused")
			w.press("b")
			w.sees("⋯ not needed")
			w.seesNot("failed")
		})
		late(func(w *harness) {
			w.result(w.last("initialize"), greeted)
			add(w, "the other")
			w.result(w.last("server/discover"), discovered)
			add(w, "both")
			ended(w)
			add(w, "it ended")
			again(w)
			add(w, "again")
			w.result(w.last("server/discover"), discovered)
			add(w, "with discover")
			w.command("restart")
			add(w, "by the user")
			w.result(w.last("server/discover"), discovered)
			add(w, "remembered")
		})
		late(func(w *harness) {
			refused(w)
			w.wait(time.Second)
			add(w, "in vain")
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, w.last("server/discover"))
			w.wait(100 * time.Millisecond)
			add(w, "broken")
			ended(w)
			again(w)
			add(w, "again")
			w.result(w.last("initialize"), greeted)
			add(w, "with initialize")
			w.command("restart")
			w.wait(100 * time.Millisecond)
			w.result(w.last("initialize"), greeted)
			add(w, "remembered")
		})
	}
	golden(t, "headers-awaited", strings.Join(lines, "\n")+"\n")
}

// A server that ended on the probe does not end belay, as it is started again.
func TestAServerThatIsStartedAgainOnScreen(t *testing.T) {
	runProbing(t, 80, 24, Options{}, 3*time.Second, func(w *harness) {
		w.wait(20 * time.Millisecond)
		end := func() {
			w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 1"}})
			w.wait(100 * time.Millisecond)
		}
		end()
		w.sees("it is started again", "greeted with initialize")
		if w.quit {
			t.Fatal("belay has ended with it")
		}
		w.b.epoch = w.b.tell(session.Connect{}).Epoch
		w.wait(100 * time.Millisecond)
		w.sees("initialize")
		w.press("i")
		w.sees("the server was started twice: first it ended on")
		w.press("esc")
		end()
		if !w.quit {
			t.Error("the second one ended before there was a connection, and belay stays")
		}
	})
}

// What a server that never said what it can do looks like.
func TestAServerThatDoesNotKnowDiscoverOnScreen(t *testing.T) {
	runProbing(t, 80, 40, Options{}, 3*time.Second, func(w *harness) {
		w.wait(20 * time.Millisecond)
		unknown := func(id int) {
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32601,"message":"no"}}`, id)
			w.wait(20 * time.Millisecond)
		}
		unknown(w.last("server/discover"))
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}}`, w.last("initialize"))
		w.wait(20 * time.Millisecond)
		unknown(w.last("server/discover"))
		w.result(w.last("tools/list"), `{"tools":[{"name":"countdown","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":0,"cacheScope":"private"}`)
		for _, list := range []string{"prompts/list", "resources/list", "resources/templates/list"} {
			unknown(w.last(list))
		}
		w.press("i")
		w.golden("info-undiscovered")
	})
}

// In the modern era lists say how long they stay fresh: they are fetched again
// when somebody looks at them afterwards. The log level goes with each request.
func TestListsThatAgeOnScreen(t *testing.T) {
	requirements.Rows(t, "LOG-16")
	connected(t, 100, 40, Options{}, func(w *harness) {
		w.press("i")
		w.sees("capabilities", `"logging": {}`)
		w.seesNot("deprecated")
		w.press("esc", ":")
		w.write("log warning")
		w.press("enter")
		w.wait(time.Second)
		w.seesNot("deprecated")
	})
	runProbing(t, 100, 40, Options{}, 3*time.Second, func(w *harness) {
		w.wait(20 * time.Millisecond)
		w.result(w.last("server/discover"), `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"logging":{}},`+
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"demo","version":"1.2.0"}}}`)
		w.result(w.last("tools/list"), `{"tools":[{"name":"countdown","inputSchema":{"type":"object"}}],"resultType":"complete","ttlMs":60000,"cacheScope":"public"}`)
		w.wait(12 * time.Second)
		w.press("b", "enter", "[", "[")
		w.sees("fresh      for 1m, public · in the server's words")
		w.press("esc", "i")
		w.sees("logging is deprecated since 2026-07-28")
		w.golden("info-fresh")
		w.press("esc", "n", "esc")
		if n := w.got(`"method":"tools/list"`); n != 1 {
			t.Errorf("fresh tools were asked for %d times", n)
		}
		w.wait(time.Minute)
		w.press("i")
		w.sees("1m12s old, expired")
		w.press("esc", "n", "esc")
		if n := w.got(`"method":"tools/list"`); n != 2 {
			t.Errorf("old tools were asked for %d times", n)
		}
		w.press(":")
		w.write("log warning")
		w.press("enter")
		w.sees("the requests from now on ask for log messages (deprecated): warning")
		if w.got("logging/setLevel") != 0 {
			t.Error("it was sent")
		}
		w.result(w.last("tools/list"), `{"tools":[],"resultType":"complete","ttlMs":60000,"cacheScope":"public"}`)
		w.press(":")
		w.write("reload")
		w.press("enter")
		w.wait(time.Second)
		if w.got(`"io.modelcontextprotocol/logLevel":"warning"`) == 0 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}
