package ui

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/panel"
)

// A notice that names the key or the command to go on with fits a terminal of 80
// columns.
func TestNoticesNameTheWayOnInEightyColumns(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.command("root add /src/belay")
		w.sees("declared from the next :restart on")
		w.b.files = map[string]string{"answers/for-the-model-that-asks.txt": "x"}
		w.command("sampling file answers/for-the-model-that-asks.txt")
		w.sees("· :sampling off ends it")
		w.command("sampling off")
		w.asksModel("q1", sayHello+`,"maxTokens":9,"tools":[{"name":"t","inputSchema":{"type":"object"}}],"toolChoice":{"mode":"required"}`)
		w.quiet()
		w.write("no")
		w.press("ctrl+s")
		w.sees("not sent: the server requires a tool use in the answer · ctrl+g: raw JSON")
		w.press("esc", "esc")
		w.b.openErr = errors.New("xdg-open is not installed: set $BROWSER")
		id := w.call("asker")
		w.feed(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"log in first","data":{"elicitations":[`+
			`{"mode":"url","elicitationId":"e1","url":"https://one.example.com/","message":"One."}]}}}`, id)
		w.quiet()
		w.press("ctrl+u")
		w.wait(100 * time.Millisecond)
		w.sees("xdg-open is not installed: set $BROWSER")
		w.feed(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e1"}}`)
		w.sees("the server says that it is done · r on the row makes the call again")
	})
}

// On a narrow screen the name of the server gives way to what it asks.
func TestTheTitleOfAQuestionIsWhole(t *testing.T) {
	connected(t, 60, 15, Options{}, func(w *harness) {
		w.asksForm("q1", "First?")
		w.asksModel("q2", sayHello+`,"maxTokens":9`)
		w.quiet()
		w.sees(" asks you to fill in a form ", " 1 of 2 · ctrl+n ")
		w.press("ctrl+n")
		w.sees(" asks you to answer for a model ", " 2 of 2 · ctrl+n ")
	})
}

// Where the foot has no room for all keys, and ? is text, it names the key that
// lists them.
func TestTheFootNamesTheKeyToAllKeys(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 15}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			w.asksForm("q1", "Which?")
			w.quiet()
			w.write("typed")
			w.sees("ctrl+s send", "esc dismiss", "f1 keys")
			w.press("f1")
			w.sees("Help")
			w.press("esc")
			w.sees("Which?", "typed")
			w.getsNothingFor("q1")
		})
	}
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.form(`{"properties":{"a":{"type":"string"}}}`)
		w.write("typed")
		w.press("f1")
		w.sees("Help")
		w.press("esc")
		w.sees("typed")
	})
}

// A question offers no key that does nothing now.
func TestAQuestionOffersWhatCanBeDone(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksURL("q1", "javascript:alert(1)")
		w.quiet()
		if foot := w.line("ctrl+r decline"); strings.Contains(foot, "ctrl+u") {
			t.Errorf("what cannot be opened is offered: %q", foot)
		}
		w.press("ctrl+u")
		w.sees("not opened: only http and https addresses can be opened")
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.feed(elicit) // it has no fields
		w.quiet()
		if foot := w.line("ctrl+s send"); foot == "" || strings.Contains(foot, "tab next") {
			t.Errorf("with nothing to fill in the keys are %q", foot)
		}
	})
}

// A notice that is wider than the screen is shown on two lines, at the least size
// as well: what it says last is what to do.
func TestALongNoticeIsWhole(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {60, 15}, {120, 40}, {50, 10}} {
		connected(t, size[0], size[1], Options{}, func(w *harness) {
			for _, notice := range []string{
				"refused for you: elicitation/create: belay did not declare elicitation in mode url",
				"not opened, nothing answered: xdg-open is not installed: set $BROWSER to the name of yours",
				"arguments are not kept: the file /home/annabelle/.config/belay/arguments/arguments-0123456789abcdef0123456789abcdef.json " +
					"is broken: move it away, or let belay put it aside at the next call",
			} {
				w.m.status.Say(panel.Refused(safe.Text(notice)))
				w.m.dirty = true
				w.send(nil)
				if got := strings.Join(strings.Fields(unframed(w.screen())), ""); !strings.Contains(got, strings.ReplaceAll(notice, " ", "")) {
					t.Errorf("%v: %q is cut:\n%s", size, notice, w.screen())
				}
			}
		})
	}
	connected(t, 80, 24, Options{}, func(w *harness) { // as far as there is room below a dialog
		w.form(`{"properties":{"a":{"type":"string"}}}`)
		const notice = "the file /home/annabelle/.config/belay/arguments/arguments-0123456789abcdef0123456789abcdef.json is broken: " +
			"move it away, or let belay put it aside at the next call, which is made from here"
		w.m.status.Say(panel.Failed(notice))
		w.m.dirty = true
		w.send(nil)
		if got := strings.Join(strings.Fields(w.screen()), ""); !strings.Contains(got, strings.ReplaceAll(notice, " ", "")) {
			t.Errorf("%q is cut:\n%s", notice, w.screen())
		}
		w.sees("ctrl+s send")
	})
	connected(t, 80, 24, Options{}, func(w *harness) { // below a dialog it covers the frame and no more
		w.asksForm("q1", "Which?")
		w.quiet()
		w.m.status.Say(panel.Refused("not sent: " + safe.Text(strings.Repeat("word ", 20))))
		w.m.dirty = true
		w.send(nil)
		w.golden("status-two-lines")
	})
}

// footOf is the last line in the box with a title; empty: its frame is not whole.
func (w *harness) footOf(title string) string {
	left, foot := -1, ""
	for l := range strings.SplitSeq(w.screen(), "\n") {
		cells := w.cells(l)
		if before, _, ok := strings.Cut(l, "╭ "+title); ok {
			left = len([]rune(before))
			continue
		}
		switch {
		case left < 0:
		case cells[left] == '╰':
			return foot
		case cells[left] != '│':
			return ""
		default:
			foot, _, _ = strings.Cut(string(cells[left+1:]), "│")
		}
	}
	return ""
}

// A dialog, however high, keeps its frame and its keys beside a notice: it makes way.
func TestANoticeCoversNoDialog(t *testing.T) {
	boxes := map[string]func(w *harness){
		"Help":     func(w *harness) { w.press("?") },
		"Server":   func(w *harness) { w.press("i") },
		"New call": func(w *harness) { w.press("n") },
		"tools/call": func(w *harness) {
			w.offers(manyFields())
			w.press("n", "enter")
		},
		"Quit": func(w *harness) {
			w.call("countdown")
			w.press("q")
		},
		"demo-server --stdio": func(w *harness) {
			w.asksForm("q1", strings.Repeat("Which branch? ", 200))
			w.quiet()
		},
	}
	for _, size := range [][2]int{{60, 15}, {80, 24}, {100, 30}, {120, 36}} {
		for title, open := range boxes {
			connected(t, size[0], size[1], Options{}, func(w *harness) {
				open(w)
				keys := w.footOf(title)
				for n := range 12 {
					words := "not done: " + strings.Repeat("word ", 8*n) + "end."
					w.m.status.Say(panel.Refused(safe.Text(words)))
					w.m.dirty = true
					w.send(nil)
					if got := w.footOf(title); keys == "" || got != keys {
						t.Errorf("%s, %v: the foot is %q, want %q:\n%s", title, size, got, keys, w.screen())
						return
					}
					if said := strings.Join(strings.Fields(w.screen()), " "); n < 4 && !strings.Contains(said, strings.Join(strings.Fields(words), " ")) {
						t.Errorf("%s, %v: %q is cut:\n%s", title, size, words, w.screen())
					}
				}
			})
		}
	}
}

// A sentence of two lines is whole at every width, whatever is in use: also while a filter or
// a reason is being typed, when it stands above the line and covers nothing of it.
func TestTwoLinesAreWholeAtEveryWidth(t *testing.T) {
	const sentence = "refused for you: elicitation/create: belay did not declare elicitation in mode url, and a server that asks " +
		"for it all the same is answered with an error"
	for what, open := range map[string]func(w *harness){
		"panes":    func(*harness) {},
		"wire":     func(w *harness) { w.press("w") },
		"a filter": func(w *harness) { w.press("/"); w.write("typed") },
		"a reason": func(w *harness) { w.press("c"); w.write("typed") },
		"help":     func(w *harness) { w.press("?") },
		"a picker": func(w *harness) { w.press("n") },
		"quitting": func(w *harness) { w.press("q") },
		"a form":   func(w *harness) { w.offers(manyFields()); w.press("n", "enter") },
		"a question": func(w *harness) {
			w.asksForm("q1", strings.Repeat("Which branch? ", 200))
			w.quiet()
		},
	} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			w.call("stubborn")
			open(w)
			for width := 60; width <= 160; width++ {
				w.send(tea.WindowSizeMsg{Width: width, Height: 24})
				w.clearStatus()
				foot := w.foot()
				w.m.status.Say(panel.Refused(sentence))
				w.m.dirty = true
				w.send(nil)
				if said := strings.Join(strings.Fields(unframed(w.screen())), " "); !strings.Contains(said, sentence) {
					t.Errorf("%s, %d columns: the sentence is cut:\n%s", what, width, w.screen())
					return
				}
				if typed := strings.Contains(foot, "typed"); typed && w.foot() != foot {
					t.Errorf("%s, %d columns: what is typed is covered:\n%s", what, width, w.screen())
					return
				}
			}
		})
	}
}
