package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// byBelay makes a request of belay's own, and returns its ID.
func (w *harness) byBelay(method string) int {
	w.t.Helper()
	if _, err := w.b.Do(session.StartCall{Spec: session.CallSpec{Method: method, Origin: session.FromBelay}}); err != nil {
		w.t.Fatal(err)
	}
	w.settle()
	return w.last(method)
}

// The line stands also on the lowest screens, where there is no call yet.
func TestBelaysOwnRequestsAreOneLineOnALowScreen(t *testing.T) {
	for _, size := range [][2]int{{60, 15}, {80, 15}, {80, 16}, {80, 17}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) { w.sees("5 requests by belay itself · b shows them", "no calls yet") })
	}
}

// What belay asked by itself and was answered stands in one line, which a key, a
// command, a click and a filter open.
func TestBelaysOwnRequestsAreOneLine(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("countdown")
		w.sees("5 requests by belay itself · b shows them")
		w.seesNot("tools/list", "initialize")
		w.golden("own-folded")
		w.press("b")
		w.sees("tools/list", "initialize", "with belay's own")
		w.seesNot("requests by belay itself")
		if !strings.HasPrefix(w.line("countdown"), "│▌") {
			t.Errorf("the selection moved:\n%s", w.screen())
		}
		w.press("b")
		w.seesNot("tools/list", "with belay's own")
		w.command("own")
		w.sees("tools/list")
		w.command("own")
		x, y := w.find("5 requests by belay itself")
		w.click(x, y)
		w.sees("tools/list")
		w.press("b", "/")
		w.write("templates")
		w.press("enter")
		w.sees("resources/templates/list", "1 of 6")
		w.press("esc", "g") // away from the row that the filter had selected
		w.sees("5 requests by belay itself")
		w.press("/")
		w.write("belay's")
		w.press("enter")
		w.sees("initialize", "5 of 6")
	})
}

// Who shows belay's own requests, or cancels one, sees the sequence of its messages, in which
// belay asks: the greeting is for those who have chosen nothing.
func TestAnOwnRequestHasItsTimeline(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.sees("2 Welcome")
		w.press("b")
		w.seesNot("2 Welcome")
		w.sees("#5 ", "belay  ", "── resources/templates/list ──", "─ result")
		w.press("b")
		w.sees("2 Welcome")
		w.byBelay("tools/list")
		w.wait(time.Second)
		w.sees("2 Welcome", "tools/list")
		w.press("x")
		w.wait(100 * time.Millisecond)
		w.seesNot("2 Welcome")
		w.sees("#6 ", "── tools/list ──", "cancelled")
	})
}

// X shows what becomes of what it cancels as x does: the row that is selected already, or
// where none was chosen the newest of them, and never another than the user has chosen.
func TestCancellingAllIsLookedAt(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.byBelay("tools/list")
		w.wait(time.Second)
		w.sees("2 Welcome", "tools/list")
		w.press("X", "y")
		w.seesNot("2 Welcome")
		w.sees("2 #6 ", "cancelling", "── tools/list ──")
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.byBelay("tools/list")
		w.wait(time.Second)
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"no"}}`, w.byBelay("prompts/list"))
		w.sees("▌7", "✗ failed")
		w.press("X", "y")
		w.sees("▌6", "2 #6 ", "cancelling", "── tools/list ──")
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		done := w.call("stubborn")
		w.result(done, `{"content":[]}`)
		w.call("countdown")
		w.press("j", "X", "y")
		w.sees("▌6", "2 #6 ", "cancelling")
	})
}

// Why one of belay's own requests failed is in view at once, where nothing else was chosen.
func TestAFailedOwnRequestSaysWhy(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.byBelay("prompts/list")
		w.wait(time.Second)
		w.sees("2 Welcome")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32000,"message":"the shelf is empty"}}`, id)
		w.seesNot("2 Welcome")
		w.sees("✗ failed", "2 #6 ", "the shelf is empty")
	})
}

// A request of belay's own stands in the list once it takes long, without anything
// happening, and can be cancelled there as any other.
func TestAnOwnRequestThatTakesLongStandsInTheList(t *testing.T) {
	requirements.Rows(t, "CXL-37")
	for _, o := range []Options{{}, {NoMotion: true}} {
		connected(t, 100, 30, o, func(w *harness) {
			w.byBelay("tools/list")
			w.wait(200 * time.Millisecond)
			w.seesNot("tools/list")
			w.sees("5 requests by belay itself")
			time.Sleep(200 * time.Millisecond) // the session says nothing meanwhile
			w.settle()
			w.sees("tools/list", "running", "[x]", "1 in flight")
			w.press("X")
			w.sees("Cancel 1 request in flight?")
			w.press("n", "x")
			w.wait(200 * time.Millisecond)
			if n := w.got("notifications/cancelled"); n != 1 {
				t.Errorf("%d cancels were sent", n)
			}
			w.wait(7 * time.Second)
			w.result(w.last("ping"), `{}`)
			w.sees("⊘ cancelled · quiet", "5 requests by belay itself")
		})
	}
}

// What failed, was lost or asks something stands in the list; what was answered late
// enough to stand there leaves it again.
func TestWhichOwnRequestsStandInTheList(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"no"}}`, w.byBelay("prompts/list"))
		w.sees("✗ failed", "prompts/list", "5 requests")
		slow := w.byBelay("resources/list")
		w.wait(time.Second)
		w.sees("resources/list")
		w.result(slow, `{"resources":[]}`)
		w.seesNot("resources/list")
		w.sees("6 requests by belay itself")
		w.byBelay("tools/list")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		w.sees("tools/list", "◇ lost")
	})
	run(t, 100, 30, Options{}, func(w *harness) {
		w.wait(400 * time.Millisecond)
		w.sees("initialize", "running")
		w.handshake()
		w.seesNot("initialize ")
		if id := w.m.calls.Chosen(); id != 0 {
			t.Errorf("#%d is selected, and is in no row", id)
		}
	})
}

// What the user has selected or marked stays where it is until the user lets go of it.
func TestAnOwnRequestThatIsSelectedStays(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("countdown")
		for _, hold := range [][2]string{{"k", "j"}, {"space", "space"}} {
			id := w.byBelay("tools/list")
			w.wait(400 * time.Millisecond)
			w.press("g", hold[0])
			if hold[0] == "space" {
				w.press("G")
			}
			w.result(id, `{"tools":[]}`)
			w.wait(100 * time.Millisecond)
			w.sees("tools/list")
			if hold[0] == "space" {
				w.press("g")
			}
			w.press(hold[1], "G")
			w.wait(100 * time.Millisecond)
			w.seesNot("tools/list")
		}
		w.sees("7 requests by belay itself")
	})
}

// What belay has given up is in flight until the server has answered or the wait for that is
// over: the header, the list and X count the same requests.
func TestWhatBelayGaveUpIsCountedAlike(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		var last session.CallID
		for range 3 {
			reply, err := w.b.Do(session.StartCall{Spec: session.CallSpec{Method: "completion/complete", Origin: session.FromBelay, Supersedes: last}})
			if err != nil {
				t.Fatal(err)
			}
			last = reply.Call
			w.wait(500 * time.Millisecond)
		}
		w.sees("3 in flight", "5 requests by belay itself", "2 Welcome")
		w.b.View(func(s *session.Session) {
			counted := 0
			for _, r := range s.InFlight(nil, 100) {
				if r.IsCounted() {
					counted++
				}
			}
			if n := s.Status().InFlight; n != counted || n != 3 {
				t.Errorf("%d rows are counted, the status has %d", counted, n)
			}
		})
		if n := strings.Count(w.screen(), "completion/complete"); n != 3 {
			t.Errorf("%d rows:\n%s", n, w.screen())
		}
		w.press("X")
		w.sees("Cancel 1 request in flight?", "2 more are being cancelled already.")
		w.press("n")
		w.wait(7 * time.Second)
		w.result(w.last("ping"), `{}`)
		w.wait(time.Second)
		w.sees("1 in flight")
		w.press("X")
		w.sees("Cancel 1 request in flight?")
		w.seesNot("more", "cancelling")
	})
}

// A completion that is over is in no list, and in no number.
func TestACompletionLeavesTheList(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		for _, after := range []time.Duration{0, time.Second} {
			id := w.byBelay("completion/complete")
			w.wait(after)
			if after > 0 {
				w.sees("completion/complete")
			}
			w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32603,"message":"no"}}`, id)
			w.wait(100 * time.Millisecond)
			w.seesNot("completion/complete")
			w.sees("5 requests by belay itself")
		}
		w.press("b")
		w.sees("tools/list")
		w.seesNot("completion/complete")
		w.call("countdown")
		w.press("b")
		w.start(w.m.call(session.CallSpec{Method: "completion/complete", Params: []byte(`{}`), Raw: true}))
		w.send(nil)
		w.result(w.last("completion/complete"), `{"completion":{"values":[]}}`)
		w.sees("completion/complete") // which the user sent
	})
}

// A filter takes the selection to what it finds, and gives it back: what was selected before
// is selected when it goes, however it goes, and belay's own rows are folded away again. Where
// nothing matches, no call is shown, and none can be cancelled.
func TestAFilterGivesTheSelectionBack(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.call("countdown")
		title := fmt.Sprintf("2 #%d ", id)
		for _, way := range [][]string{{"esc"}, {"enter", "esc"}, {"backspace", "enter"}, {"enter", "j", "esc"}} {
			w.press("/")
			w.write("z")
			w.sees("▌1", "initialize", "1 of 6", "2 #1 ")
			w.press(way...)
			w.sees("5 requests by belay itself", title)
			w.seesNot("initialize  ")
			if !strings.HasPrefix(w.line("countdown"), "│▌") {
				t.Errorf("%v: the selection is not back:\n%s", way, w.screen())
			}
		}
		w.press("/")
		w.write("zzz")
		w.sees("0 of 6", "2 Call", "no call matches the filter")
		w.seesNot("2 #", "2 Welcome")
		w.press("enter", "x")
		w.sees("there is no call to cancel")
		if n := w.got("notifications/cancelled"); n != 0 {
			t.Errorf("%d cancels were sent", n)
		}
		w.press("esc")
		w.sees(title, "5 requests by belay itself")
		w.press("/")
		w.write("zzzz")
		for range 4 {
			w.press("backspace")
		}
		w.write("count") // what was selected matches again
		w.sees(title)
		w.press("esc", "x")
		w.sees("cancelling")
	})
}

// What the user chooses in a filter stays selected without it, and is what the next filter
// gives back.
func TestWhatIsChosenInAFilterStays(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		for _, tool := range []string{"countdown", "stubborn", "nested"} {
			w.call(tool)
		}
		for _, choose := range []string{"j", "tab"} { // to the other row; to the detail of the one that is there
			w.press("/")
			w.write("tools/call !nested")
			w.sees("2 of 8", "▌7", "2 #7 ")
			w.press("enter", choose, "esc", "esc")
			want := map[string]string{"j": "2 #6 ", "tab": "2 #7 "}[choose]
			w.sees(want)
			w.seesNot(" of 8")
			w.press("/")
			w.write("zzz")
			w.press("esc")
			w.sees(want)
			w.press("g")
		}
	})
}

// One of belay's own rows that was selected when it ended is folded away by the key for that,
// and the selection goes to the nearest row that stays.
func TestTheFoldTakesTheSelectedRowToo(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("b")
		w.press("j")
		w.press("b") // no other row is there
		w.sees("5 requests by belay itself", "no calls yet")
		w.call("countdown")
		id := w.byBelay("tools/list")
		w.wait(400 * time.Millisecond)
		w.press("g", "k")
		w.result(id, `{"tools":[]}`)
		w.wait(100 * time.Millisecond)
		w.sees("tools/list", "5 requests by belay itself")
		w.press("b", "b")
		w.wait(100 * time.Millisecond)
		w.seesNot("tools/list")
		w.sees("6 requests by belay itself", "2 #6 ")
		w.press("b", "G", "b")
		w.wait(100 * time.Millisecond)
		w.sees("6 requests by belay itself", "2 #6 ")
	})
}

// However many requests by belay itself there were, the line counts those that are kept,
// and a frame looks at few of them.
func TestManyOwnRequests(t *testing.T) {
	runWith(t, 100, 30, Options{}, session.Config{DiscoverLimit: -1, FinishedRows: 200}, func(w *harness) {
		w.handshake()
		w.call("countdown")
		for range 500 {
			w.result(w.byBelay("ping"), `{}`)
		}
		w.wait(time.Second)
		var kept int
		w.b.View(func(s *session.Session) { kept = s.Status().Rows })
		w.sees(fmt.Sprintf("%d requests by belay itself", kept-1), "countdown")
		if n := w.m.calls.Copied(); n > 20 {
			t.Errorf("%d rows were copied for a frame in which nothing happened", n)
		}
		for range 4 { // each order
			w.press("b")
			w.wait(300 * time.Millisecond)
			w.sees("ping", fmt.Sprintf("/%d", kept))
			w.press("b", "s")
			w.wait(300 * time.Millisecond)
			w.sees(fmt.Sprintf("%d requests by belay itself", kept-1))
		}
	})
}
