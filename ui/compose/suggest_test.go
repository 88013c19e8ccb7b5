package compose

import (
	"strings"
	"testing"

	"belay/ui/panel/paneltest"
)

// The server is asked when typing pauses; what it proposes goes into the field, and is no
// question of its own.
func TestASuggestionIsTaken(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.suggests = true
		_, keys := w.form("review")
		keys.Press("ctrl+n")
		w.Says("the server suggests nothing here")
		keys.Type("py")
		if w.Got("completion/complete") != 0 {
			t.Fatal("the server was asked while the user typed")
		}
		w.Wait(SuggestPause)
		w.Gets(`"argument":{"name":"code","value":"py"}`)
		w.Answer("completion/complete", `{"completion":{"values":["python","pytorch"],"hasMore":true}}`)
		for _, text := range []string{"ctrl+n takes one", "python", "pytorch", "2 and more"} {
			if screen := w.drawn(); !strings.Contains(screen, text) {
				t.Errorf("lacks %q:\n%s", text, screen)
			}
		}
		keys.Press("ctrl+n", "ctrl+n")
		w.Wait(SuggestPause)
		if n := w.Got("completion/complete"); n != 1 {
			t.Errorf("%d questions: one was about the choice itself", n)
		}
		keys.Press("ctrl+s")
		if got := w.made(); len(got) != 1 || !strings.Contains(string(got[0].Params), `"code":"pytorch"`) {
			t.Errorf("made %+v", got)
		}
	})
}

// An answer that comes when the form is gone, or something else has been typed, is shown
// nowhere.
func TestASuggestionThatComesLate(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.suggests = true
		f, keys := w.form("review")
		keys.Type("p")
		w.Wait(SuggestPause)
		keys.Type("q")
		w.Answer("completion/complete", `{"completion":{"values":["python"]}}`)
		if screen := w.drawn(); strings.Contains(screen, "python") {
			t.Errorf("an answer to another question:\n%s", screen)
		}
		w.Wait(SuggestPause)
		w.Run(f.Close())
		w.Answer("completion/complete", `{"completion":{"values":["pq"]}}`)
		w.Lies(nil)
		w.drawn()
	})
}

// A secret is not told to the server before the user sends it, and a server that cannot
// complete is asked once.
func TestWhatIsNotAsked(t *testing.T) {
	run(t, 80, 24, func(w *harness) {
		w.suggests = true
		_, keys := w.form("review")
		keys.Type("p")
		w.Wait(SuggestPause)
		w.Fail("completion/complete", -32601, "no \x1b[2Jsuch method")
		keys.Type("q")
		w.Wait(SuggestPause)
		if n := w.Got("completion/complete"); n != 1 {
			t.Errorf("a server that cannot complete is asked %d times", n)
		}
	})
	run(t, 80, 24, func(w *harness) {
		w.suggests = true
		f, keys := w.form("review")
		f.Step(1)
		keys.Type("s3cr3t")
		w.Wait(SuggestPause)
		f.Step(-1)
		keys.Type("q")
		w.Wait(SuggestPause)
		w.Gets(`"value":"q"`)
		if w.Got("s3cr3t") != 0 {
			t.Errorf("a secret was told to the server:\n%s", strings.Join(w.Wrote, "\n"))
		}
	})
}

// What a server proposes stays in its box.
func TestHostileSuggestions(t *testing.T) {
	for _, size := range paneltest.Sizes() {
		run(t, 80, 24, func(w *harness) {
			w.suggests = true
			f, keys := w.form("review")
			keys.Type("p")
			w.Wait(SuggestPause)
			w.Answer("completion/complete", `{"completion":{"values":[`+paneltest.JSON(paneltest.Hostile)+`,"plain"]}}`)
			w.Resize(size.X, size.Y)
			if screen := w.drawn(); size.Y >= 24 && !strings.Contains(screen, "plain") {
				t.Errorf("%v: a hostile value has pushed the other away:\n%s", size, screen)
			}
			f.pickSuggestion(1)
			w.drawn()
		})
	}
}
