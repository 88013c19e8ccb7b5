package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
)

func TestTheWirePane(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		w.press("3", "+", "+")
		id := w.call("stubborn")
		w.progress(id, "0.5", "1", "half")
		w.feed(`{"jsonrpc":"2.0","id":77,"method":"roots/list"}`)
		w.feed(elicit)
		w.feed(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q1"}}`)
		w.b.tell(session.Stderr{Epoch: w.b.epoch, Line: []byte("warning: \x1b[31mred\x1b[0m")})
		w.feed(`not json at all`)
		w.feed(`{"jsonrpc":"2.0","id":999,"result":{}}`)
		w.press("x")
		w.wait(500 * time.Millisecond)
		w.progress(id, "0.6", "1", "")
		w.result(id, `{"content":[]}`)
		w.press(":")
		w.write(`send notifications/demo {"a":1}`)
		w.press("enter")
		w.wait(100 * time.Millisecond)
		w.clearStatus()
		w.golden("wire")
	})
}

// A filter that is set on a long history catches up, and follows what comes.
func TestTheWireFilter(t *testing.T) {
	connected(t, 120, 40, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.b.locked(func(s *session.Session, now time.Time) {
			for i := range 10_000 {
				s.Receive(now, session.ExchangeID{Epoch: w.b.epoch}, w.dec.Decode(fmt.Appendf(nil,
					`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%d","progress":%d}}`, id, i)))
			}
		})
		w.press("3", "/")
		w.write("request !list")
		w.press("enter")
		w.wait(time.Second)
		w.sees("/request !list", "initialize", "tools/call")
		w.seesNot("progress  ", "scanning")
		if n := w.m.wire.Count(); n != 2 {
			t.Errorf("%d messages match, want 2", n)
		}
		w.call("stubborn")
		w.wait(time.Second)
		if n := w.m.wire.Count(); n != 3 {
			t.Errorf("%d messages match after one more, want 3", n)
		}
		w.press("esc")
		w.wait(100 * time.Millisecond)
		w.sees("progress  ")
	})
}

func TestTheWireStaysWhereItIs(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press("3", "g")
		w.sees("paused · F follows")
		top := w.m.wire.Shown()[0].Seq
		for range 30 {
			w.call("countdown")
		}
		if sel, _ := w.m.wire.Selected(); w.m.wire.Shown()[0].Seq != top || sel.Seq != top {
			t.Error("the wire moved while it was read")
		}
		w.press("F")
		w.wait(100 * time.Millisecond)
		shown := w.m.wire.Shown()
		var last session.Seq
		w.b.View(func(s *session.Session) { _, last = s.HistorySpan() })
		if shown[len(shown)-1].Seq != last {
			t.Error("it does not follow")
		}
	})
}

func TestOpeningAMessage(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.result(w.call("echo"), `{"content":[{"type":"text","text":"needle in hay"}]}`)
		w.press("3", "G", "enter")
		w.golden("message")
		w.press("/")
		w.write("needle")
		w.press("enter")
		if style := w.styleAt("needle"); !strings.Contains(style, ";4;") {
			t.Errorf("the hit is drawn as %q", style)
		}
		w.press("y")
		if !strings.Contains(w.clip, `"text":"needle in hay"`) {
			t.Errorf("copied %q", w.clip)
		}
		w.press("o")
		w.sees("saved the message to /tmp/message-")
		w.press("esc", "esc")
		w.seesNot("needle in hay\"\n")
	})
}

// Each level of syslog has its sign and its color; one that nobody knows is
// shown as it is.
func TestLogLevels(t *testing.T) {
	requirements.Rows(t, "LOG-11")
	connected(t, 100, 40, Options{}, func(w *harness) {
		w.press("3", "+", "+")
		levels := []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency", "trace"}
		for _, l := range levels {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"data":"text of %s"}}`, l, l)
		}
		seen := map[string]bool{}
		var lines []string
		shown := w.m.wire.Shown()
		for i, l := range levels {
			line := w.line("text of " + l)
			lines = append(lines, line[strings.Index(line, "message"):])
			said := w.m.wire.Line(&shown[len(shown)-len(levels)+i])
			if !strings.Contains(line, string(said.Mark)+" ") || !strings.Contains(line, l) {
				t.Errorf("%s: %q", l, line)
			}
			if l != "critical" && l != "alert" { // they look like emergency, their words differ
				mark := fmt.Sprint(said.Mark, said.MarkStyle)
				if seen[mark] {
					t.Errorf("%s looks like another level", l)
				}
				seen[mark] = true
			}
		}
		golden(t, "log-levels", strings.Join(lines, "\n")+"\n")
	})
}

// Log messages are found by their level, by who says them, and by their text.
func TestLogMessagesAreFound(t *testing.T) {
	requirements.Rows(t, "LOG-12")
	connected(t, 120, 30, Options{}, func(w *harness) {
		for _, l := range [][3]string{
			{"error", "db", "disk error"}, {"warning", "db", "slow"}, {"info", "web", "no error here"}, {"error", "web", "in the red"},
		} {
			w.feed(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"logger":%q,"data":%q}}`, l[0], l[1], l[2])
		}
		w.press("3")
		for filter, want := range map[string][]string{
			"level:error":           {`error "db": "disk error"`, `error "web": "in the red"`},
			"logger:db":             {`error "db": "disk error"`, `warning "db": "slow"`},
			"logger:web !level:err": {`info "web": "no error here"`},
			"message error":         {`error "db": "disk error"`, `info "web": "no error here"`, `error "web": "in the red"`},
		} {
			w.press("/")
			w.press("ctrl+u")
			w.write(filter)
			w.press("enter")
			w.wait(time.Second)
			w.sees(want...)
			if n := w.m.wire.Count(); n != len(want) {
				t.Errorf("/%s: %d messages match, want %d", filter, n, len(want))
			}
		}
	})
}

func TestRawRequestsAndNotifications(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		for _, tt := range []struct{ typed, want string }{
			{`send tools/odd {"a":1}`, `"method":"tools/odd","params":{"a":1`},
			{`send {"jsonrpc":"2.0","id":5,"method":"x/y","params":{"b":2}}`, `"method":"x/y","params":{"b":2`},
			{`send notifications/ping`, `{"jsonrpc":"2.0","method":"notifications/ping"}`},
			{`send {"method":"n/n"}`, `{"jsonrpc":"2.0","method":"n/n"}`},
		} {
			w.press(":")
			w.write(tt.typed)
			w.press("enter")
			w.wait(100 * time.Millisecond)
			if w.got(tt.want) != 1 {
				t.Errorf(":%s: the server got\n%s", tt.typed, strings.Join(w.b.wrote, "\n"))
			}
		}
		sent := len(w.b.wrote)
		for _, tt := range []struct{ typed, want string }{
			{"send ", "type :send"},
			{"send {", "that is no JSON"},
			{`send {"a":1}`, "type :send"},
			{"send a/b nope", "the parameters are no JSON object"},
			{"send initialize", "belongs to the handshake"},
			{"nosuch", `there is no command "nosuch"`},
			{"timeout 5 apples", `"5" is no duration`},
			{"log loud", "the levels are debug"},
			{"re x", "several commands begin with"},
			{"res", "2 calls in flight: belay cancels them first."}, // restart is the only one
		} {
			w.press(":")
			w.write(tt.typed)
			w.press("enter")
			w.sees(tt.want)
		}
		w.press("y")
		w.sees("connecting")
		if got := len(w.b.wrote); got != sent && w.b.restarts != 1 {
			t.Errorf("%d messages were sent, %d restarts", got-sent, w.b.restarts)
		}
	})
}

// A cancellation of a call of ours that is written by hand is a cancel like any other, and told as one.
func TestACancellationByHandIsToldAsACancel(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.call("countdown")
		w.press(":")
		w.write(fmt.Sprintf(`send notifications/cancelled {"requestId":%d,"reason":"by hand"}`, id))
		w.press("enter")
		w.sees(fmt.Sprintf(`cancelling #%d tools/call "countdown" · "by hand"`, id), "cancelling…")
		w.seesNot("sent notifications/cancelled")
		if w.got(`"method":"notifications/cancelled"`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

// The commands are counted, what can be used now comes first, and the whole of each
// description is there; the rest is reached with the arrows.
func TestThePaletteScrolls(t *testing.T) {
	connected(t, 80, 20, Options{}, func(w *harness) {
		w.press(":")
		n := len(w.m.keys.Commands())
		_, usable := w.find("│ disconnect ")
		if _, frame := w.find(fmt.Sprintf("%d of %d", n, n)); frame >= usable {
			t.Errorf("the count is in line %d, the commands begin in %d:\n%s", frame, usable, w.screen())
		}
		w.sees("known to be harmless), always")
		w.seesNot("│ answer ", "▌")
		for range n {
			w.press("down")
		}
		w.sees("▌tasks", "▌                       those of this run: look at one")
		w.press("pgup", "pgup", "pgup", "pgup", "pgup", "pgup")
		w.sees("▌confirm")
		w.write("dcl")
		w.sees("▌decline", "(now: the server asks", fmt.Sprintf("1 of %d", n))
		w.press("f1")
		w.sees("In the list of commands", "ctrl+p")
		w.press("esc", "esc")
		w.seesNot("Commands")
	})
}

// An arrow and enter run what is chosen; what needs more is typed first. A stray enter on
// the empty line does nothing, and an arrow there brings back what was typed.
func TestThePaletteRunsWhatIsChosen(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press(":", "enter")
		w.seesNot("Commands")
		if told := w.m.status.Notice().Text; told != "" {
			t.Errorf("enter on the empty line did something: %s", told)
		}
		w.press(":")
		w.write("lo")
		w.press("down", "up", "enter")
		w.sees(": log ", fmt.Sprintf("1 of %d", len(w.m.keys.Commands())))
		w.press("esc", "esc", ":")
		w.write("log")
		w.press("enter") // no other than for a part of the name
		w.sees(": log ", fmt.Sprintf("1 of %d", len(w.m.keys.Commands())), "log LEVEL", "or off")
		w.seesNot("the levels are")
		w.press("enter")
		w.sees("the levels are debug")
		w.press(":", "up")
		w.sees(": log")
		w.write(" ")
		w.write("info")
		w.press("enter")
		w.wait(100 * time.Millisecond)
		if w.got(`"method":"logging/setLevel","params":{"level":"info"`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
		w.press(":", "up")
		w.sees(": log info")
		w.press("ctrl+n")
		w.sees(": type a command")
		w.write("qqq")
		w.sees("no command has that")
		w.press("enter")
		w.sees("there is no command \"qqq\"")
	})
}

func TestThePaletteListsWhatIsDisabled(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press(":")
		w.golden("palette")
		w.write("lo")
		w.press("tab")
		w.write("warning")
		w.press("enter")
		w.wait(100 * time.Millisecond)
		if w.got(`"method":"logging/setLevel","params":{"level":"warning"`) != 1 {
			t.Errorf("the server got\n%s", strings.Join(w.b.wrote, "\n"))
		}
	})
}

func TestTimeoutsForCallsFromNowOn(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.press(":")
		w.write("timeout 30s off")
		w.press("enter")
		w.sees("calls from now on: 30s of silence, no limit in all")
		w.call("countdown")
		if d := w.shown(); d.Idle != 30*time.Second || d.Max >= 0 {
			t.Errorf("idle %v, max %v", d.Idle, d.Max)
		}
	})
}

// A note is belay's, and no message with a size.
func TestTheMessageOfANote(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.quiet()
		w.press("ctrl+l", "3", "G", "enter")
		w.sees("a note of belay's", "the server asks you: elicitation/create")
		w.seesNot("size")
	})
}
