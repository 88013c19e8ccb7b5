package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"belay/internal/requirements"
	"belay/ui/beside"
	"belay/ui/compose"
	"belay/ui/statusline"
)

// manyValues is the schema of a field with so many values, and of another one.
func manyValues(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"v%d"`, i)
	}
	return `{"type":"object","properties":{"a":{"type":"string","enum":[` + b.String()[1:] + `]},"note":{"type":"string"}}}`
}

func (w *harness) asksForOne(schema string) {
	w.feed(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"Which one?","requestedSchema":%s}}`, schema)
}

// while keeps what f wants done beside the screen from being done. What is returned
// lets it be done.
func (w *harness) while(f func()) (release func()) {
	gate := make(chan struct{})
	works := []*beside.Work{&w.m.beside.form, &w.m.questions.Reading, &w.m.values.Work}
	for _, x := range works {
		x.First = func() { <-gate }
	}
	f()
	for _, x := range works {
		x.First = nil
	}
	return func() {
		close(gate)
		w.settle()
	}
}

// asksMuch is a question that takes long to be read. Its panel takes keys.
func (w *harness) asksMuch() (release func()) {
	return w.while(func() {
		w.asksForOne(manyValues(10_000))
		w.quiet()
	})
}

// A question of many bytes is read beside the screen. Meanwhile its keys work, and
// what leaves it ends the reading.
func TestAQuestionIsReadBesideTheScreen(t *testing.T) {
	requirements.Rows(t, "SEC-16")
	connected(t, 100, 30, Options{}, func(w *harness) {
		release := w.asksMuch()
		w.sees("asks you something", "79.0 kB are being read", "dismiss", "decline")
		w.press("x", "ctrl+s")
		w.sees("not sent: it is still being read")
		release()
		w.sees("asks you to fill in a form", "Which one?", "type to find one")
		w.write("v777")
		w.sees("11 found")
		w.press("ctrl+s")
		w.gets(`"id":"q1","result":{"action":"accept","content":{"a":"v777"}}`)
	})
	for name, leave := range map[string]struct {
		keys []string
		gets string
	}{
		"esc":    {[]string{"esc"}, `"id":"q1","result":{"action":"cancel"}`},
		"ctrl+r": {[]string{"ctrl+r"}, `"id":"q1","result":{"action":"decline"}`},
		"ctrl+l": {[]string{"ctrl+l"}, ""},
	} {
		connected(t, 100, 30, Options{}, func(w *harness) {
			release := w.asksMuch()
			reading := w.m.questions.Reading.Of()
			w.press(leave.keys...)
			if reading == nil || w.m.questions.Reading.Of() != nil {
				t.Errorf("%s: it is read although nobody looks", name)
			}
			if leave.gets != "" {
				w.gets(leave.gets)
			}
			release()
			w.seesNot("demo-server --stdio asks you")
			if name == "ctrl+l" {
				w.press("!")
				w.sees("asks you to fill in a form", "type to find one")
			}
		})
	}
}

// In the panel of a question that is being read, ctrl+x cancels its call, and the
// picker opens where it is left.
func TestAQuestionThatIsBeingReadHoldsNothingUp(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		id := w.call("countdown")
		release := w.asksMuch()
		w.press("ctrl+x")
		w.gets(fmt.Sprintf(`"requestId":%d`, id))
		w.sees("being read")
		w.press("ctrl+l", "n")
		w.sees("countdown")
		w.press("esc")
		w.withdraws("q1", "never mind")
		release()
		w.sees("1 withdrawn")
		w.press("ctrl+c")
		w.sees("Quit")
	})
}

// The form of a tool opens at once; its fields come when its schema was read, and
// until then the JSON can be written.
func TestTheFormOfAToolIsReadBesideTheScreen(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		release := w.while(func() { w.form(manyValues(10_000)) })
		w.sees("79.0 kB of schema are being read", "ctrl+g takes the JSON meanwhile")
		w.write("v")
		w.sees("the form is still being read")
		w.press("ctrl+s")
		w.sees("not sent: the form is still being read")
		release()
		w.sees("type to find one")
		w.write("v42")
		w.press("ctrl+s")
		if got := w.sent(); got != `{"a":"v42"}` {
			t.Errorf("sent %s", got)
		}
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		var f *compose.Form
		release := w.while(func() { f = w.form(manyValues(10_000)) })
		w.press("ctrl+g", "ctrl+e", "left")
		w.m.Update(tea.PasteMsg{Content: `"note":"mine"`})
		w.press("ctrl+g")
		w.sees("the form is still being read", `"note":"mine"`)
		release()
		w.sees(`"note":"mine"`)
		w.press("ctrl+g")
		if got := string(f.Fields.Form().JSON()); got != `{"note":"mine"}` || f.Fields.IsRaw() {
			t.Errorf("the fields hold %s", got)
		}
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		release := w.while(func() { w.form(manyValues(10_000)) })
		if w.m.beside.form.Of() == nil {
			t.Error("nothing is read")
		}
		w.press("esc")
		if w.m.beside.form.Of() != nil {
			t.Error("it is read although nobody looks")
		}
		release()
	})
}

// What was sent is edited again also where its form takes long to be read.
func TestArgumentsWaitForTheirForm(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		f := w.form(manyValues(10_000))
		var g *compose.Form
		release := w.while(func() { g = w.form(manyValues(10_001)) })
		if err := g.Fields.Load([]byte(`{"note":"kept"}`)); err != nil {
			t.Fatal(err)
		}
		if err := g.Fields.Load([]byte(`[]`)); err == nil {
			t.Error("a list is taken for arguments")
		}
		release()
		if got := string(g.Fields.Form().JSON()); got != `{"note":"kept"}` {
			t.Errorf("the fields hold %s", got)
		}
		if _, _, unread := f.Fields.Unread(); unread {
			t.Error("the form below is not read")
		}
	})
}

// Beyond the limit nothing is read. It says so, and JSON answers.
func TestASchemaThatIsTooLarge(t *testing.T) {
	requirements.Rows(t, "SRV-50")
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.asksForOne(manyValues(150_000))
		w.quiet()
		w.sees("the schema is too large to be shown as a form", "ctrl+g takes the answer as JSON")
		w.press("ctrl+g")
		w.sees("raw JSON · not checked here")
		w.press("ctrl+e", "left")
		w.m.Update(tea.PasteMsg{Content: `"a":"v149999"`})
		w.press("ctrl+s")
		w.gets(`"id":"q1","result":{"action":"accept","content":{"a":"v149999"}}`)
	})
}

// A value that takes long to be judged is sent when it was; one that is changed
// meanwhile is not.
func TestALongValueIsJudgedBeforeItIsSent(t *testing.T) {
	const schema = `{"type":"object","properties":{"l":{"type":"array","items":{"anyOf":[{"const":"x"},{"type":"number","minimum":2}]}},"s":{"type":"string"}}}`
	list := func(last string) []byte { return []byte(`{"l":[` + strings.Repeat(`"x",`, 9000) + last + `]}`) }
	connected(t, 100, 30, Options{}, func(w *harness) {
		f := w.form(schema)
		if err := f.Fields.Load(list("2")); err != nil {
			t.Fatal(err)
		}
		release := w.while(func() { w.press("ctrl+s") })
		w.sees("being checked by the schema")
		if w.got("tools/call") > 0 {
			t.Error("it was sent before it was checked")
		}
		f.Fields.Edge(true)
		w.write("y")
		release()
		w.sees("not sent: it was changed while it was checked")
		w.press("ctrl+s")
		if got := w.sent(); !strings.HasSuffix(got, `"x",2],"s":"y"}`) {
			t.Errorf("sent …%s", got[len(got)-30:])
		}
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		f := w.form(schema)
		if err := f.Fields.Load(list("1")); err != nil {
			t.Fatal(err)
		}
		w.press("ctrl+s")
		w.sees("9001: at least 2", "not sent yet: it breaks the schema")
		if w.got("tools/call") > 0 {
			t.Error("what breaks the schema was sent")
		}
	})
	connected(t, 100, 30, Options{}, func(w *harness) {
		f := w.form(schema)
		if err := f.Fields.Load(list("2")); err != nil {
			t.Fatal(err)
		}
		release := w.while(func() { w.press("ctrl+s") })
		w.press("esc")
		if w.m.values.Of() != nil {
			t.Error("the value of a form that was left is judged")
		}
		release()
		w.wait(statusline.Lasts)
		if w.got("tools/call") > 0 {
			t.Error("a form that was left is sent")
		}
	})
}

// A loop that is late still runs when the terminal is taken from it: what ends the
// model, and says what became of the work, is called beside it.
func TestTheModelIsEndedWhileItsLoopRuns(t *testing.T) {
	connected(t, 100, 30, Options{}, func(w *harness) {
		w.call("countdown")
		release := w.asksMuch()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			w.m.Finish()
			w.m.Leave()
			w.m.Farewell()
			w.m.Exit()
		}()
		for _, key := range []string{"ctrl+l", "n", "esc", "!", "esc", "q"} {
			w.press(key)
		}
		<-ended
		release()
	})
}
