package compose

import (
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/secret"
	"belay/ui/dialog"
	"belay/ui/panel/paneltest"
	"belay/ui/scope"
)

// What is wrong is said, and nothing is made of it; what is right is made once, and the
// form goes when the screen agrees.
func TestAFormMakesACall(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("countdown")
		w.Shows(f, `tools/call "countdown"`, "Counts down.", "seconds", "label")
		if w.Cursor == nil || w.Hinted&scope.Form == 0 {
			t.Errorf("cursor %v, hints of %b", w.Cursor, w.Hinted)
		}
		keys.Press("ctrl+s")
		w.Says("not sent: ")
		keys.Type("0")
		keys.Press("ctrl+s")
		w.Says("not sent: ")
		if len(w.made()) != 0 {
			t.Fatalf("made %+v", w.made())
		}
		keys.Press("backspace")
		keys.Type("42")
		w.Run(f.Enter())
		keys.Type("x y")
		w.Run(f.Enter())
		if got := w.made(); len(got) != 1 || got[0].Method != "tools/call" || string(got[0].Params) != `{"name":"countdown","arguments":{"seconds":42,"label":"x y"}}` {
			t.Fatalf("made %+v", got)
		}
		w.Lies(f) // belay may ask first
		w.agree()
		w.Lies(nil)
	})
}

// Of a form in which nothing was filled in no draft is spoken of.
func TestNoDraftOfNothingIsSpokenOf(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, _ := w.form("countdown")
		if w.Run(f.Close()); w.Said() != "" {
			t.Errorf("it says %q", w.Said())
		}
	})
}

// Esc keeps the draft, wherever the focus was.
func TestADraftIsKept(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("countdown")
		keys.Type("42")
		w.Run(f.Close())
		w.Lies(nil)
		w.Says(`the draft of "countdown" is kept`)
		if other, _ := w.form("review"); other == f {
			t.Error("one form for two things")
		}
		w.Stack = nil
		if again, _ := w.form("countdown"); again != f {
			t.Error("the draft is gone")
		}
		w.Shows(f, "42")
		keys.Press("ctrl+s")
		w.agree()
		if again, _ := w.form("countdown"); again == f {
			t.Error("what was sent is still kept as a draft")
		}
	})
}

// A description that is longer than its place is scrolled, and not beyond its end.
func TestALongDescriptionIsScrolled(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.relist(`{"tools":[{"name":"long","description":"` + strings.Repeat("first word, ", 600) + `the last word","inputSchema":{"type":"object","properties":{"x":{"type":"string"}}}}]}`)
		f, keys := w.form("long")
		w.Shows(f, "first word", "1-13 of 101", "pgdown scrolls")
		w.ShowsNot(f, "the last word")
		for range 50 {
			keys.Press("pgdown")
		}
		w.Shows(f, "the last word")
		for range 50 {
			keys.Press("pgup")
		}
		w.Shows(f, "1-13 of 101")
	})
}

// JSON that breaks the schema is sent when the user says so a second time, and not when
// it was changed in between.
func TestJSONThatBreaksTheSchema(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("countdown")
		if why := f.Fields.Flip(); why != "" {
			t.Fatal(why)
		}
		_, _, take := f.Fields.Outside()
		take(`{"seconds":"many"}`)
		keys.Press("ctrl+s")
		w.Says("not sent yet: it breaks the schema")
		w.Run(f.Paste(" "))
		keys.Press("ctrl+s")
		w.Says("not sent yet")
		if len(w.made()) != 0 {
			t.Fatalf("made %+v", w.made())
		}
		keys.Press("ctrl+s")
		if got := w.made(); len(got) != 1 || !strings.Contains(string(got[0].Params), `"many"`) {
			t.Errorf("made %+v", got)
		}
	})
}

// The options of a call go with it; one that is wrong gets the focus.
func TestTheOptionsOfACall(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("stubborn")
		keys.Press("ctrl+t")
		w.Shows(f, "options of the call", "cancel after")
		for _, text := range []string{"30s", "off", "2s", "50%", "off", `{"com.example/key":1}`} {
			keys.Type(text)
			f.Step(1)
		}
		keys.Press("ctrl+s")
		got := w.made()
		if len(got) != 1 {
			t.Fatalf("made %+v; %s", got, w.Said())
		}
		if c := got[0]; c.Idle != 30*time.Second || c.Max != -1 || c.Rules.After != 2*time.Second || c.Rules.AtFraction != 0.5 || !c.NoProgress ||
			!strings.Contains(string(c.Params), `"com.example/key":1`) {
			t.Errorf("made %+v, %s", c, c.Params)
		}
		f.opts[optAt].Set("500%")
		f.toOption(optIdle)
		keys.Press("ctrl+s")
		w.Says("not sent: cancel at: 50%, a progress such as 3, message or answer")
		if f.opt != optAt || !f.Fields.IsAway() || len(w.made()) != 1 {
			t.Errorf("the focus is on option %d; made %d", f.opt, len(w.made()))
		}
		f.opts[optAt].Set("")
		w.Run(f.Enter())
		if f.opt != optProgress || len(w.made()) != 1 {
			t.Errorf("enter goes to option %d; made %d", f.opt, len(w.made()))
		}
		w.Run(f.Enter())
		w.Run(f.Enter()) // on the last option it sends
		if len(w.made()) != 2 {
			t.Errorf("made %d; %s", len(w.made()), w.Said())
		}
	})
}

// tab goes through fields and options, around the end and back.
func TestTheFocusGoesAround(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, _ := w.form("countdown")
		f.toggleOptions()
		f.Fields.Return()
		f.Fields.Edge(false)
		var path []int
		for range 2 + f.optCount() {
			at := -1
			if f.Fields.IsAway() {
				at = f.opt
			}
			path = append(path, at)
			f.Step(1)
		}
		if f.Fields.IsAway() || !slices.Equal(path, []int{-1, -1, 0, 1, 2, 3, 4, 5}) {
			t.Errorf("went %v, and is away: %v", path, f.Fields.IsAway())
		}
		f.Step(-1)
		if !f.Fields.IsAway() || f.opt != f.optCount()-1 {
			t.Errorf("back from the first field: option %d, away %v", f.opt, f.Fields.IsAway())
		}
	})
}

// The preview is the message as it would go out, and makes nothing.
func TestThePreview(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("countdown")
		keys.Press("alt+p")
		w.Says("nothing to show yet")
		keys.Type("42")
		wrote := len(w.Wrote)
		keys.Press("alt+p")
		page, ok := w.Top().(*dialog.Page)
		if !ok || !strings.Contains(string(page.Value), `"arguments":{"seconds":42}`) || page.Name != "request.json" {
			t.Fatalf("a %T over %T", w.Top(), f)
		}
		w.Shows(page, "what would be sent", `"seconds": 42`, "Its ID is another one")
		if len(w.made()) != 0 || len(w.Wrote) != wrote {
			t.Error("a preview has sent something")
		}
	})
}

// A prompt's and a template's arguments become requests of theirs.
func TestPromptsAndTemplates(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		f, keys := w.form("review")
		keys.Type("x := 1")
		f.Step(1)
		keys.Type("s3cr3t")
		keys.Press("ctrl+s")
		w.agree()
		_, keys = w.form("file")
		keys.Type("a b/ü")
		keys.Press("ctrl+s")
		got := w.made()
		if len(got) != 2 || got[0].Method != "prompts/get" || string(got[0].Params) != `{"name":"review","arguments":{"code":"x := 1","apiKey":"s3cr3t"}}` {
			t.Fatalf("made %+v", got)
		}
		if got[1].Method != "resources/read" || string(got[1].Params) != `{"uri":"demo://files/a%20b%2F%C3%BC"}` {
			t.Errorf("made %s %s", got[1].Method, got[1].Params)
		}
		if len(w.concealed) != 1 || w.concealed[0] != (secret.Value{Name: "apiKey", Text: "s3cr3t"}) {
			t.Errorf("a recording masks %v", w.concealed)
		}
	})
}

// A call is made again with its arguments and options, also of what is not listed any more.
func TestACallIsOpenedAgain(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		d := &session.Detail{}
		d.Method, d.Params, d.Rules.After = "tools/call", []byte(`{"name":"countdown","arguments":{"seconds":7}}`), 2*time.Second
		if _, ok := w.c.Again(d); !ok {
			t.Fatal("there is no form for it")
		}
		f := w.Top().(*Form)
		w.Shows(f, `"countdown"`, "7", "2s")
		d.Params = []byte(`{"name":"gone","arguments":{"x":1}}`)
		if _, ok := w.c.Again(d); !ok {
			t.Error("what is not listed any more has no form")
		}
		for _, other := range []struct{ method, params string }{{"ping", `{}`}, {"tools/call", `[]`}} {
			d.Method, d.Params = other.method, []byte(other.params)
			if _, ok := w.c.Again(d); ok {
				t.Errorf("%s has a form", other.method)
			}
		}
	})
}

// On any screen the form is drawn within it, with the focus in view.
func TestAFormOnSmallScreens(t *testing.T) {
	for _, size := range paneltest.Sizes() {
		run(t, 80, 24, func(w *harness) {
			f, keys := w.form("countdown")
			keys.Type("42")
			w.Resize(size.X, size.Y)
			if screen := w.Draw(f); size.Y >= 15 && !strings.Contains(screen, "42") {
				t.Errorf("%v:\n%s", size, screen)
			}
			f.toggleOptions()
			f.toOption(f.optCount() - 1)
			if w.Draw(f); size.Y >= 15 && w.Cursor == nil {
				t.Errorf("%v: the option with the focus is out of view:\n%s", size, w.Draw(f))
			}
		})
	}
}
