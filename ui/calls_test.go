package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

// busy is a harness with calls in several states.
func busy(w *harness) {
	w.result(w.call("echo"), `{"content":[{"type":"text","text":"hello"}]}`)
	w.wait(time.Second)
	slow := w.call("countdown")
	w.progress(slow, "3", "5", "three to go")
	w.wait(2 * time.Second)
	late := w.call("stubborn")
	w.wait(time.Second)
	w.press("c")
	w.write("wrong branch")
	w.press("enter")
	w.wait(2310 * time.Millisecond)
	w.result(late, `{"content":[{"type":"text","text":"done anyway"}]}`)
	w.call("countdown")
	w.wait(500 * time.Millisecond)
	w.press("j")
	w.clearStatus()
}

func TestOverview(t *testing.T) {
	for _, size := range []struct{ w, h int }{{140, 40}, {100, 30}, {80, 24}, {60, 15}, {59, 15}, {40, 5}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			connected(t, size.w, size.h, Options{}, func(w *harness) {
				busy(w)
				w.golden(fmt.Sprintf("overview-%dx%d", size.w, size.h))
			})
		})
	}
}

func TestOverviewInASCII(t *testing.T) {
	connected(t, 100, 24, Options{ASCII: true, NoColor: true, NoMotion: true}, func(w *harness) {
		busy(w)
		w.golden("overview-ascii")
		for i, b := range []byte(w.m.View().Content) {
			if b >= 0x80 {
				t.Fatalf("byte %d of the frame is %#x", i, b)
			}
		}
		if strings.Contains(w.m.View().Content, "38;2") {
			t.Error("a frame without color has one")
		}
	})
}

// The frame after the key says cancelling…, although the server does not read.
func TestCancellingIsShownBeforeAnyIO(t *testing.T) {
	requirements.Rows(t, "CXL-26", "SD0-20")
	connected(t, 100, 24, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.b.stuck = true
		w.send(keyPress("x"))
		w.sees("⊘ cancelling… (not sent yet)", fmt.Sprintf("cancelling #%d tools/call %q", id, "countdown"))
		if w.got("notifications/cancelled") != 0 {
			t.Error("the server got a cancel that could not be written")
		}
		w.b.stuck = false
		w.wait(200 * time.Millisecond)
		w.sees("⊘ cancelling…")
		w.seesNot("not sent yet")
		if w.got(`"reason":"User requested cancellation"`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestASecondPressSendsNothingMore(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.call("countdown")
		w.press("x", "x", "x", "x", "x")
		w.wait(time.Second)
		w.sees("is being cancelled already")
		if n := w.got("notifications/cancelled"); n != 1 {
			t.Errorf("%d cancels were sent", n)
		}
	})
}

// The looks of a call that is cancelled, from the spinner to the verdict, and
// of the other ways to end without an answer. None of them shows an error code.
func TestTheStatesOfACancelledCall(t *testing.T) {
	requirements.Rows(t, "SD0-19", "ERR-22", "TMO-10")
	connected(t, 100, 24, Options{}, func(w *harness) {
		first := w.call("countdown")
		w.wait(300 * time.Millisecond)
		running := w.line(" countdown ")
		w.press("x")
		w.wait(200 * time.Millisecond)
		cancelling := w.line("cancelling…")
		w.wait(6 * time.Second)
		w.result(w.last("ping"), `{}`)
		cancelled := w.line("cancelled ·")
		w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`), Idle: time.Second}))
		w.wait(1500 * time.Millisecond)
		timing := w.line("timed out · cancelling")
		w.wait(6 * time.Second)
		w.result(w.last("ping"), `{}`)
		timed := w.line("slow ")
		w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"stubborn"}`)}))
		w.wait(100 * time.Millisecond)
		w.press("x")
		w.wait(3 * time.Second) // its pings took almost a second
		w.result(w.last("tools/call"), `{"content":[]}`)
		late := w.line("answered late")
		w.call("lost-one")
		w.b.tell(session.Closed{Epoch: w.b.epoch, Why: session.Close{Status: "exit status 3"}})
		w.wait(100 * time.Millisecond)
		lost := w.line("lost-one")
		w.golden("states")
		for name, got := range map[string][2]string{
			"running":      {running, "running"},
			"cancelling":   {cancelling, "⊘ cancelling…"},
			"cancelled":    {cancelled, "⊘ cancelled · quiet"},
			"timing out":   {timing, "⊘ timed out · cancelling…"},
			"timed out":    {timed, "⊘ timed out · quiet"},
			"late":         {late, "⊘ cancelled · answered late"},
			"lost":         {lost, "◇ lost"},
			"with buttons": {running, "[x]"},
		} {
			if !strings.Contains(got[0], got[1]) {
				t.Errorf("%s: the row is %q, want %q in it", name, got[0], got[1])
			}
			if strings.Contains(got[0], "-32") {
				t.Errorf("%s: the row %q has a code", name, got[0])
			}
		}
		if first == 0 {
			t.Error("no call was made")
		}
	})
}

func TestTheButtonOfARow(t *testing.T) {
	requirements.Rows(t, "SD3-30", "SD3-09")
	run(t, 100, 24, Options{}, func(w *harness) {
		w.wait(400 * time.Millisecond)
		w.sees("initialize")
		w.seesNot("[x]", "x cancel  ") // what can never be cancelled has no button, nor its place
		x, y := w.find("initialize")
		for ; x < 100; x++ {
			w.click(x, y)
		}
		w.press("x")
		w.sees("initialize must not be cancelled")
		if w.got("notifications/cancelled") != 0 {
			t.Error("the handshake was cancelled")
		}
		w.handshake()
		w.call("countdown")
		if style := w.styleAt("[x]"); style != sgrOf(w, w.m.styles.Button) {
			t.Errorf("the button that works is drawn as %q", style)
		}
		x, y = w.find("[x]")
		w.click(x, y)
		w.wait(200 * time.Millisecond)
		if n := w.got("notifications/cancelled"); n != 1 {
			t.Errorf("a click on the button sent %d cancels", n)
		}
		if style := w.styleAt("[x]"); style != sgrOf(w, w.m.styles.KeyOff) {
			t.Errorf("the button that is refused is drawn as %q", style)
		}
		w.seesNot("x cancel", "c cancel") // which would do nothing
		w.press("x")                      // why is said
		w.sees("being cancelled already")
		if n := w.got("notifications/cancelled"); n != 1 {
			t.Errorf("%d cancels were sent", n)
		}
	})
}

func TestAReasonOfTheUsersOwn(t *testing.T) {
	runWith(t, 100, 24, Options{}, session.Config{DiscoverLimit: -1, Reason: "no longer needed"}, func(w *harness) {
		w.handshake()
		w.call("countdown")
		w.press("c")
		w.sees(`cancel #6 tools/call "countdown":`, "no longer needed")
		w.write("x y!")
		w.press("enter")
		w.wait(200 * time.Millisecond)
		if w.got(`"reason":"x y!"`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.call("countdown")
		w.press("c", "up")
		w.sees("x y!")
		w.press("esc")
		w.press("c", "enter")
		w.wait(200 * time.Millisecond)
		if w.got(`"reason":"no longer needed"`) != 1 {
			t.Error("an empty line does not send the default reason")
		}
	})
}

func TestCancelAllAsksOnceWithTheCount(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		for range 20 {
			w.call("countdown")
		}
		w.press("X")
		w.sees("Cancel 20 requests in flight?")
		w.send(pasted("y\n"))
		w.sees("Cancel 20 requests in flight?")
		w.press("n")
		w.seesNot("Cancel 20")
		w.press("X", "y")
		w.wait(200 * time.Millisecond)
		if n := w.got("notifications/cancelled"); n != 20 {
			t.Errorf("%d cancels were sent", n)
		}
	})
}

// What is being cancelled already is not asked about, nor counted.
func TestCancelAllLeavesOutWhatIsBeingCancelled(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		for range 3 {
			w.call("countdown")
		}
		w.press("x", "X")
		w.sees("Cancel 2 requests in flight?")
		w.press("y", "X")
		w.seesNot("Cancel 2", "Cancel 3", "Cancel all requests")
		w.sees("what is in flight is being cancelled already")
		w.press("space", "X")
		w.seesNot("Cancel the marked requests")
		w.sees("what is marked has ended already, or is being cancelled")
	})
}

// A call that is queued when its reason is asked for may have left when the reason is
// there: what is said is what became of the cancel.
func TestAReasonForACallThatLeavesMeanwhile(t *testing.T) {
	for _, leaves := range []bool{true, false} {
		connected(t, 100, 24, Options{}, func(w *harness) {
			w.b.stuck = true
			w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"countdown","arguments":{}}`)}))
			w.send(nil)
			w.sees("queued")
			w.press("c")
			w.write("too slow")
			if w.b.stuck = !leaves; leaves {
				_, _ = w.b.Do(session.Tick{})
				w.settle()
			}
			w.press("enter")
			if leaves {
				w.sees("cancelling #6", "too slow")
				w.seesNot("nothing had been sent")
			} else {
				w.sees("dropped #6", "nothing had been sent")
			}
		})
	}
}

func TestMarkedRowsAreCancelledTogether(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		for range 4 {
			w.call("countdown")
		}
		w.press("space", "space", "X")
		w.sees("Cancel the marked requests", "Cancel 2 requests marked?", "2 marked")
		w.press("enter")
		w.wait(200 * time.Millisecond)
		if n := w.got("notifications/cancelled"); n != 2 {
			t.Errorf("%d cancels were sent", n)
		}
	})
}

// The selection stays on the row while others come above it, and a call that
// the user makes selects its own.
func TestTheSelectionStaysOnItsRow(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.call("first")
		w.call("second")
		w.press("j")
		sel := w.m.calls.Chosen()
		for range 30 {
			_, _ = w.b.Do(session.StartCall{Spec: session.CallSpec{Method: "ping", Origin: session.FromBelay}})
		}
		w.wait(200 * time.Millisecond)
		if w.m.calls.Chosen() != sel || !strings.HasPrefix(w.line("first"), "│▌") {
			t.Errorf("the selection moved:\n%s", w.screen())
		}
		w.call("third")
		if !strings.HasPrefix(w.line("third"), "│▌") {
			t.Errorf("the user's own call is not selected:\n%s", w.screen())
		}
	})
}

// A filter ends with esc, while it is typed and after, and the footer says so.
func TestTheFooterSaysHowAFilterEnds(t *testing.T) {
	for _, width := range []int{60, 80, 100, 140} {
		connected(t, width, 24, Options{}, func(w *harness) {
			w.call("alpha")
			w.call("beta")
			footer := func() string {
				lines := strings.Split(strings.TrimRight(w.screen(), "\n"), "\n")
				return lines[len(lines)-1]
			}
			sees := func(text string, is bool) {
				t.Helper()
				if strings.Contains(footer(), text) != is {
					t.Errorf("width %d: %q is in the footer: %v, want %v: %q", width, text, !is, is, footer())
				}
			}
			w.press("/")
			w.write("alp")
			sees("enter keeps · esc drops it", true)
			sees("alp", true)
			w.press("enter")
			w.sees("1 of 7")
			sees("esc show all", true)
			w.press("esc")
			w.seesNot("1 of 7")
			sees("esc show all", false)
		})
	}
}

func TestFilterAndSort(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.result(w.call("alpha"), `{"content":[]}`)
		w.call("beta")
		w.press("/")
		w.write("tools/call !alpha")
		w.press("enter")
		w.wait(200 * time.Millisecond)
		w.sees("beta", "/tools/call !alpha", "1 of 7")
		w.seesNot("initialize ", "│ 6 ")
		w.call("alpha") // hidden by the filter: the filter goes
		w.wait(200 * time.Millisecond)
		if !strings.HasPrefix(w.line("alpha"), "│▌") {
			t.Errorf("the new call is not shown:\n%s", w.screen())
		}
		w.press("s")
		w.wait(300 * time.Millisecond)
		w.sees("by state")
		w.press("/", "n", "o", "n", "e", "enter")
		w.wait(200 * time.Millisecond)
		w.sees("no call matches the filter")
		w.press("esc")
		w.wait(200 * time.Millisecond)
		w.sees("alpha")
	})
}

// A bare number is no percentage.
func TestProgressWithoutATotal(t *testing.T) {
	requirements.Rows(t, "PRG-06", "PRG-07")
	connected(t, 80, 24, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.progress(id, "17", "", "")
		w.wait(150 * time.Millisecond)
		w.sees("running 17 ")
		w.seesNot("17%")
	})
}

func TestTheTimeIsACountdownBeforeATimeout(t *testing.T) {
	connected(t, 100, 24, Options{}, func(w *harness) {
		w.start(w.m.call(session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"slow"}`), Idle: 2 * time.Minute}))
		w.wait(30 * time.Second)
		w.sees(" 30.0s")
		w.wait(45 * time.Second)
		w.sees("s left")
		w.press(":")
		w.write("ext")
		w.press("enter")
		w.wait(200 * time.Millisecond)
		w.seesNot("s left")
		w.sees("1m15s")
	})
}

// The selected row is marked also while another pane has the focus, whatever colors the
// terminal has: the mark is a sign and no color.
func TestTheSelectedRowIsMarkedWithoutFocus(t *testing.T) {
	for _, noColor := range []bool{false, true} {
		connected(t, 120, 30, Options{NoColor: noColor}, func(w *harness) {
			w.call("echo")
			w.call("countdown")
			w.press("j")
			for _, pane := range []string{"1", "2", "3"} {
				w.press(pane)
				if l := w.line("tools/call  echo"); !strings.HasPrefix(l, "│▌") {
					t.Errorf("no color %v, pane %s has the focus: the selected row is %q", noColor, pane, l)
				}
				if l := w.line("tools/call  countdown"); !strings.HasPrefix(l, "│ ") {
					t.Errorf("no color %v, pane %s has the focus: another row is %q", noColor, pane, l)
				}
			}
		})
	}
}
