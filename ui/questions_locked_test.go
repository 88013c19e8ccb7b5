package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"belay/internal/requirements"
)

// reads fails unless each of the texts comes into view when a locked panel is
// scrolled from its top to its bottom with the key.
func (w *harness) reads(down string, texts ...string) {
	w.t.Helper()
	seen := ""
	for range 400 {
		now := w.screen()
		seen += now
		if w.press(down); w.screen() == now {
			break
		}
	}
	for _, text := range texts {
		if !strings.Contains(seen, text) {
			w.t.Errorf("%s never brings %q into view; at last there is\n%s", down, text, w.screen())
		}
	}
}

// All that was typed into a question can be read when the server has taken it
// back, whatever the size of the screen and wherever the cursor was.
func TestALockedPanelScrollsAllThatWasTyped(t *testing.T) {
	requirements.Rows(t, "CXS-02")
	for _, size := range [][2]int{{80, 24}, {60, 15}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			connected(t, size[0], size[1], Options{}, func(w *harness) {
				w.asksModel("q1", sayHello+`,"maxTokens":9`)
				w.quiet()
				var want []string
				for i := range 20 {
					want = append(want, fmt.Sprintf("typed line %02d.", i))
				}
				w.send(pasted(strings.Join(want, "\n")))
				w.press("tab")
				w.withdraws("q1", "too slow")
				w.sees(lockedFoot, want[0])
				w.press("pgup")
				w.seesNot("all of it is shown")
				top := w.screen()
				w.reads("down", append(want, "endTurn", "Say hello.", "max tokens   9")...)
				bottom := w.screen()
				w.press("home")
				if w.screen() != top {
					t.Errorf("home does not lead to the top:\n%s", w.screen())
				}
				w.press("end")
				if w.screen() != bottom {
					t.Errorf("end does not lead to the bottom:\n%s", w.screen())
				}
				for range 40 {
					w.press("up")
				}
				w.sees(want[0])
				w.reads("pgdown", want...)
				w.press("home")
				w.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
				if w.screen() == top {
					t.Error("the wheel scrolls nothing")
				}
				w.getsNothingFor("q1")
			})
			connected(t, size[0], size[1], Options{}, func(w *harness) {
				var props []string
				for i := range 30 {
					props = append(props, fmt.Sprintf(`"f%d":{"type":"string"}`, i))
				}
				w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{%s}}}}`, strings.Join(props, ","))
				w.quiet()
				w.write("first")
				for range 16 {
					w.press("tab")
				}
				long := strings.Repeat("0123456789 ", 20)
				w.send(pasted("start " + long + "end."))
				w.press("tab")
				w.send(pasted("{not a line}\n\nlast row"))
				w.withdraws("q1", "")
				w.sees(lockedFoot, "first")
				w.reads("down", "f0 ", "first", "f16 ", "start 0123456789", "end.", "{not a line}", "last row")
				w.getsNothingFor("q1")
			})
		})
	}
}

// A panel in which nothing was typed claims no answer.
func TestALockedPanelInWhichNothingWasTyped(t *testing.T) {
	for _, ask := range []func(w *harness){
		func(w *harness) { w.asksForm("q1", "Which branch?") },
		func(w *harness) { w.asksModel("q1", sayHello+`,"maxTokens":9`) },
	} {
		connected(t, 80, 24, Options{}, func(w *harness) {
			ask(w)
			w.quiet()
			w.withdraws("q1", "")
			w.sees("nothing was typed", lockedFoot)
			w.seesNot("your answer")
		})
	}
}

// What was written as JSON is read whole, too, and choices by their names.
func TestALockedPanelShowsJSONAndChoices(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.press("tab", "right")
		w.press("ctrl+g")
		w.send(pasted("x"))
		w.withdraws("q1", "")
		w.sees("your answer, as raw JSON", `"force": true`)
	})
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{` +
			`"one":{"type":"string","enum":["a1","b2"]},"many":{"type":"array","items":{"type":"string","enum":["c3","d4"]}}}}}}`)
		w.quiet()
		w.press("right", "tab", "space")
		w.withdraws("q1", "")
		w.sees("one      a1", "many     c3")
		w.seesNot("b2", "d4")
	})
}

// A long reason of the server's is shown whole, wrapped.
func TestALongReasonIsShownWhole(t *testing.T) {
	connected(t, 80, 24, Options{}, func(w *harness) {
		w.asksForm("q1", "?")
		w.quiet()
		w.write("x")
		w.withdraws("q1", strings.Repeat("word ", 60)+"the end")
		w.sees(`its reason: "word`, `the end"`)
	})
}

// Of a long question that was taken back the beginning is there at once, and all of it soon after.
func TestALockedPanelIsLaidOutBesideTheScreen(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	long := func(last string) string { return strings.Repeat("line\n", 2000) + last }
	for name, ask := range map[string]func(w *harness){
		"the server's words": func(w *harness) {
			w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":%q,"requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`, long("the end"))
			w.quiet()
			w.write("typed")
		},
		"what was typed": func(w *harness) {
			w.asksModel("q1", sayHello+`,"maxTokens":9`)
			w.quiet()
			w.send(pasted("typed\n" + long("the end")))
		},
		"what was typed as JSON": func(w *harness) {
			w.asksForm("q1", "?")
			w.quiet()
			w.press("ctrl+g", "ctrl+k", "ctrl+d", "ctrl+k")
			w.send(pasted("typed\n" + long("the end")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			connected(t, 100, 30, Options{}, func(w *harness) {
				ask(w)
				gate := make(chan struct{})
				w.m.beside.first = func() { <-gate }
				w.withdraws("q1", "too slow")
				w.sees(lockedFoot, "typed")
				w.press("end")
				w.sees("the rest is being laid out")
				w.m.beside.first = nil
				close(gate)
				w.settle()
				w.press("end")
				w.seesNot("being laid out")
				w.reads("up", "the end")
			})
		})
	}
}

// A long question that lies below a page is laid out whole, too, when both are laid out anew.
func TestALockedPanelBelowAPage(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksModel("q1", `"maxTokens":9,"messages":[{"role":"user","content":{"type":"text","text":"`+strings.Repeat(`line\n`, 2000)+`the end"}}]`)
		w.quiet()
		w.write("typed")
		w.press("f1")
		w.withdraws("q1", "")
		w.send(tea.WindowSizeMsg{Width: 90, Height: 30})
		w.press("esc", "end")
		w.seesNot("being laid out")
		w.sees("max tokens")
	})
}

// What an editor brings home is read also where the text before it is still being laid out.
func TestALockedPanelShowsWhatCameLast(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksModel("q1", sayHello+`,"maxTokens":9`)
		w.quiet()
		w.send(pasted(strings.Repeat("old\n", 2000)))
		w.b.edit = func(string, string) (string, error) {
			return strings.Repeat("new\n", 2000), nil
		}
		home := make(chan struct{})
		w.m.exec = func(c tea.ExecCommand, done tea.ExecCallback) tea.Cmd {
			return func() tea.Msg {
				<-home
				return done(c.Run())
			}
		}
		w.press("ctrl+o")
		gate := make(chan struct{})
		w.m.beside.first = func() { <-gate }
		w.withdraws("q1", "")
		w.sees(lockedFoot, "old")
		close(home)
		w.settle()
		w.sees("new")
		w.seesNot("old")
		last := make(chan struct{})
		w.m.beside.first = func() { <-last }
		close(gate)
		w.settle()
		w.sees("new")
		w.seesNot("old")
		close(last)
		w.settle()
		w.press("end")
		w.seesNot("being laid out", "old")
		w.sees("max tokens")
		w.press("home")
		w.sees("your answer")
	})
}
