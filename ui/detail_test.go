package ui

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/ui/write"
)

func TestTabs(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		id := w.call("echo")
		w.progress(id, "1", "2", "")
		w.result(id, `{"content":[{"type":"text","text":"first line\nsecond"},{"type":"image","data":"AAAA","mimeType":"image/png"}],"structuredContent":{"n":1}}`)
		w.press("enter")
		w.golden("tab-result")
		w.press("h")
		w.golden("tab-call")
		w.press("l", "l")
		w.golden("tab-timeline")
		w.press("l")
		w.golden("tab-wire")
		x, y := w.find("call  result  timeline")
		w.click(x+1, y)
		w.sees("params")
		w.press("Y")
		if !strings.Contains(w.clip, `"method":"tools/call"`) {
			t.Errorf("copied %q", w.clip)
		}
		w.press("l", "y")
		if !strings.Contains(w.clip, `"structuredContent"`) {
			t.Errorf("copied %q", w.clip)
		}
	})
}

func TestAnErrorIsExplained(t *testing.T) {
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32602,"message":"no \"such\" tool","data":{"tool":"echo"}}}`, w.call("echo"))
		w.golden("tab-error")
		w.press("y")
		if w.clip != `no "such" tool` {
			t.Errorf("copied %q", w.clip)
		}
	})
}

// The picture that explains a cancel: what went which way, when, and what
// follows from it.
func TestTimelineOfStubbornWork(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		id := w.call("restless")
		for i := range 3 {
			w.wait(400 * time.Millisecond)
			w.progress(id, string(rune('1'+i)), "9", "step")
		}
		w.press("c")
		w.write("wrong branch")
		w.press("enter")
		for i := range 3 {
			w.wait(1900 * time.Millisecond)
			w.progress(id, string(rune('4'+i)), "9", "step")
		}
		w.wait(time.Second)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"context canceled"}}`, id)
		w.golden("timeline-restless")
		w.press("2", "y")
		if !strings.Contains(w.clip, `cancelled "wrong branch"`) {
			t.Errorf("copied %q", w.clip)
		}
	})
}

// Of many messages after a cancel the first and the last are drawn, so that
// what follows from them is seen.
func TestManyMessagesAfterACancel(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call("restless")
		w.wait(100 * time.Millisecond)
		w.press("x")
		for i := range 60 {
			w.wait(100 * time.Millisecond)
			w.progress(id, strconv.Itoa(i+1), "100", "")
		}
		w.press("enter")
		w.wait(3 * time.Second)
		w.golden("timeline-many")
		w.sees("more of these")
		w.press("G")
		w.sees("messages for the call went on: a server may ignore a cancel")
	})
}

func TestTheProbeIsOnTheTimeline(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		w.call("countdown")
		w.wait(200 * time.Millisecond)
		w.press("x")
		w.wait(5500 * time.Millisecond)
		w.result(w.last("ping"), `{}`)
		w.golden("timeline-quiet")
	})
}

func TestSearchInAResult(t *testing.T) {
	connected(t, 120, 24, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[{"type":"text","text":"`+strings.Repeat(`line\n`, 200)+`NEEDLE one\n`+strings.Repeat(`line\n`, 200)+`needle two"}]}`)
		w.press("2", "/")
		w.write("needle")
		w.sees("NEEDLE one", "1 of 2 lines")
		w.press("enter", "enter")
		w.sees("needle two")
		w.press("enter")
		w.sees("NEEDLE one")
		w.press("esc")
		w.seesNot("of 2 lines")
	})
}

// A result of many megabytes opens at once, bounded, and is saved whole.
func TestAHugeResult(t *testing.T) {
	connected(t, 120, 24, Options{}, func(w *harness) {
		huge := `{"content":[{"type":"text","text":"` + strings.Repeat("x", 3<<20) + `"}]}`
		w.result(w.call("big"), huge)
		if n := len(w.m.detail.Doc().Lines); n > write.MaxLines+1 {
			t.Errorf("%d lines", n)
		}
		w.press("2", "y")
		w.sees("is too much for the clipboard; o saves it")
		w.press("o")
		w.sees("saved the text of the result to /tmp/call-6-big-result.txt")
		if got := len(w.b.saved["call-6-big-result.txt"]); got != 3<<20 {
			t.Errorf("%d bytes were saved", got)
		}
		w.b.saved = nil
		w.press("o")
		w.sees("the disk is full")
	})
}

func TestZoomFocusAndBack(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.call("countdown")
		w.press("enter")
		w.sees("1 Calls", "2 #6 \"countdown\"")
		w.seesNot("3 Wire")
		w.press("+", "+")
		w.seesNot("1 Calls")
		w.press("esc", "esc")
		w.sees("1 Calls", "2 #6 \"countdown\"")
		w.press("w")
		w.sees("1 Calls", "2 #6 \"countdown\"", "3 Wire")
		w.press("w")
		w.seesNot("3 Wire")
		w.press("3")
		w.sees("3 Wire")
		w.press("tab")
		w.sees("1 Calls")
		for range 10 {
			w.press("esc")
		}
		if w.quit {
			t.Error("esc quit")
		}
	})
}

func TestTheMouse(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		for range 40 {
			w.call("countdown")
		}
		x, y := w.find("│ 40 ")
		w.click(x+20, y)
		if r, _ := w.m.calls.Selected(); r.Wire != mcp.IntID(40) {
			t.Errorf("the click selected %v", r.Wire)
		}
		w.send(wheelDown(x, y))
		if r, _ := w.m.calls.Selected(); r.Wire != mcp.IntID(37) {
			t.Errorf("the wheel selected %v", r.Wire)
		}
	})
}

func TestHelp(t *testing.T) {
	connected(t, 120, 60, Options{}, func(w *harness) {
		w.press("?")
		w.golden("help")
		w.sees("(now: there is no call to")
		w.press("o")
		w.sees("the keys are not saved")
		if len(w.b.saved) != 0 {
			t.Errorf("saved: %v", w.b.saved)
		}
		w.press("q")
		w.seesNot("Moving about")
	})
}

// The cancel, the verdict and what came after the cancel are in view when the row is
// selected, however many messages there were.
func TestTheCancelIsInViewHoweverManyMessagesThereWere(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call("restless")
		for i := range 300 {
			w.progress(id, fmt.Sprint(i+1), "1000", "hard at it")
			time.Sleep(100 * time.Millisecond)
			if i%100 == 0 {
				w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a word"}}`)
			}
		}
		w.press("x")
		w.wait(500 * time.Millisecond)
		for i := range 300 {
			w.progress(id, fmt.Sprint(i+301), "1000", "hard at it")
		}
		w.wait(6 * time.Second)
		w.call("countdown")
		w.press("j")
		w.clearStatus()
		w.sees("cancelled \"User requested cancellation\"", "⊘ cancelled · still working", "progress 301/1000 after the cancel", "188 more of these, 412/1000 to 599/1000 · 110 not kept", "progress 600/1000 after the cancel")
		w.golden("timeline-flood")
		w.press("2", "g")
		w.sees("you ", "tools/call", "progress 1/1000")
		w.wait(time.Second)
		w.sees("progress 1/1000") // where the user has scrolled to
		w.press("1", "k", "j")
		w.sees("cancelled \"User")
	})
}

// At 80×24 the cancel of a tool that goes on, as restless of the demo does, stands on the
// screen with what came after it, the probe and the whole verdict.
func TestTheVerdictOfRestlessWorkIsInView(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call("restless")
		goesOn := func(from, to int) {
			for i := from; i <= to; i++ {
				w.wait(200 * time.Millisecond)
				w.progress(id, fmt.Sprint(i), "100", "still working, although it was cancelled")
			}
		}
		goesOn(1, 20)
		w.press("x")
		goesOn(21, 46)
		w.result(w.last("ping"), `{}`)
		goesOn(47, 100)
		w.clearStatus()
		w.sees(`cancelled "User requested cancellation"`, "progress 21/100 after the cancel", "ping, a probe after the grace", "answer to ping",
			"progress 100/100 after the cancel", "│ ⊘ cancelled · still working                   ", "messages for the call went on: a server may ignore a cancel")
	})
}

// The meaning of a silence says since when.
func TestQuietSaysSinceWhen(t *testing.T) {
	connected(t, 140, 40, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.press("x")
		w.wait(1200 * time.Millisecond)
		w.progress(id, "1", "10", "")
		w.wait(6 * time.Second)
		w.result(w.last("ping"), `{}`)
		w.sees("⊘ cancelled · quiet", "quiet after 1.2", "the server read the cancel; 1", "message came after it, then nothing for 5.8")
		w.seesNot("nothing more of the call")
	})
}

// A server that goes on at its pace is not called quiet because the grace ends
// between two of its messages.
func TestAServerThatGoesOnIsNotQuiet(t *testing.T) {
	connected(t, 140, 40, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.wait(840 * time.Millisecond)
		w.press("x")
		w.wait(1160 * time.Millisecond)
		w.progress(id, "1", "10", "")
		w.wait(2 * time.Second)
		w.progress(id, "2", "10", "")
		w.wait(3 * time.Second)
		w.result(w.last("ping"), `{}`)
		w.sees("⊘ cancelled · still working", "last of 2 messages for it after the cancel")
	})
}

// A server need not report progress. That it did not is said after a while, and
// is no warning.
func TestSilenceIsOnlyNoted(t *testing.T) {
	requirements.Rows(t, "PRG-08")
	connected(t, 120, 30, Options{}, func(w *harness) {
		w.call("echo")
		w.press("enter", "h", "h")
		w.sees("params")
		w.wait(59 * time.Second)
		w.seesNot("no progress reported")
		w.wait(2 * time.Second)
		w.sees("no progress reported")
		w.seesNot("[!]")
	})
}

// A tab that was chosen for an earlier call does not hide the cancel of this one.
func TestACancelIsInViewWhateverTabWasChosen(t *testing.T) {
	for _, keys := range [][]string{{"x"}, {"X", "y"}} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			w.call("countdown")
			w.press("2", "h", "1")
			w.seesNot("── tools/call ──")
			w.press(keys...)
			w.sees("── tools/call ──", "cancelling")
		})
	}
}
