package dialog

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/panel"
	"belay/ui/panel/paneltest"
	"belay/ui/scope"
	"belay/ui/write"
)

func run(t *testing.T, width, height int, f func(h *paneltest.Host)) {
	t.Helper()
	paneltest.Run(t, width, height, session.Config{}, f)
}

// press gives a panel keys that no binding took.
func press(h *paneltest.Host, p panel.Panel, names ...string) {
	for _, name := range names {
		h.Run(p.Key(paneltest.Key(name)))
	}
}

// A line is gone before what was typed is acted on, and remembers it.
func TestALine(t *testing.T) {
	run(t, 80, 24, func(h *paneltest.Host) {
		history := &History{}
		var entered, changed []string
		open := func() *Line {
			l := &Line{
				Host: h, Label: "reason:", Placeholder: "type one", Hint: "esc leaves", History: history,
				Changed: func(text string) { changed = append(changed, text) },
			}
			l.Enter = func(text string) tea.Cmd {
				h.Lies(nil)
				entered = append(entered, text)
				return nil
			}
			h.Push(l)
			return l
		}
		l := open()
		h.Shows(l, "reason:", "type one", "esc leaves")
		if l.Scope() != scope.Line || h.Cursor == nil || h.Cursor.Y != 23 {
			t.Errorf("scope %b, cursor %v", l.Scope(), h.Cursor)
		}
		press(h, l, "a", "b")
		h.Run(l.Paste("c\x1b[2J\nd"))
		press(h, l, "enter")
		l = open()
		press(h, l, "x", "enter")
		l = open()
		press(h, l, "y", "up", "up", "up")
		h.Shows(l, "abc")
		press(h, l, "down", "down", "down")
		if l.Text.String() != "y" {
			t.Errorf("back from the history the line has %q", l.Text.String())
		}
		press(h, l, "up", "enter")
		if len(entered) != 3 || !strings.HasPrefix(entered[0], "abc") || entered[1] != "x" || entered[2] != "x" {
			t.Errorf("entered %q", entered)
		}
		if len(changed) < 3 || changed[0] != "a" || changed[1] != "ab" {
			t.Errorf("changed %q", changed)
		}
		escaped := false
		l = open()
		l.Escape = func() { escaped = true }
		h.Run(l.Close())
		h.Lies(nil)
		if !escaped || len(entered) != 3 {
			t.Errorf("left by esc: %v; entered %q", escaped, entered)
		}
	})
}

// What was typed before is bounded, and the same text is not remembered twice in a row.
func TestAHistory(t *testing.T) {
	h := &History{}
	for range 2 * historyMost {
		h.Add("a")
		h.Add("a")
		h.Add("b")
		h.Add("")
	}
	if len(h.items) != historyMost || h.items[0] == h.items[1] {
		t.Errorf("%d items, the first %q", len(h.items), h.items[:2])
	}
}

// A question shows what it is about as of now, and takes no text.
func TestAConfirmation(t *testing.T) {
	run(t, 80, 24, func(h *paneltest.Host) {
		lines := []safe.Text{"2 calls in flight"}
		c := &Confirm{Host: h, Title: "Quit", Lines: func() []safe.Text { return lines }}
		h.Push(c)
		h.Shows(c, "Quit", "2 calls in flight")
		if h.Hinted != scope.Confirm {
			t.Errorf("hints of %b", h.Hinted)
		}
		lines = []safe.Text{"Nothing is in flight any more."}
		h.Shows(c, "Nothing is in flight")
		press(h, c, "y", "enter")
		h.Run(c.Paste("y\n"))
		h.Lies(c)
		c.More, c.Quitting = func() {}, true
		if c.Scope() != scope.Confirm|scope.ConfirmMore|scope.ConfirmQuit {
			t.Errorf("scope %b", c.Scope())
		}
		lines = []safe.Text{safe.Line(paneltest.Hostile)}
		for _, size := range paneltest.Sizes() {
			h.Resize(size.X, size.Y)
			if screen := h.Draw(c); size.X > 12 && !strings.Contains(screen, "Quit") {
				t.Errorf("%v: asks nothing:\n%s", size, screen)
			}
		}
		h.Run(c.Close())
		h.Lies(nil)
	})
}

// A page is read from top to bottom, and searched; keys of the panes below are for the
// screen to tell of.
func TestAPage(t *testing.T) {
	run(t, 80, 24, func(h *paneltest.Host) {
		p := &Page{Host: h, Title: "Help", Begin: "the middle", Build: func(d *write.Writer, _ panel.Screen) {
			for i := range 100 {
				if i == 50 {
					d.Heading("the middle")
				}
				d.Quote("line " + string(rune('a'+i%26)) + "!")
			}
		}}
		h.Push(p)
		h.Shows(p, "Help", "the middle")
		p.Scroll(1000)
		h.Shows(p, "line v!") // the end
		if p.reader.Top != len(p.Doc().Lines)-p.Height() {
			t.Errorf("%d lines, of which %d are seen from %d on", len(p.Doc().Lines), p.Height(), p.reader.Top)
		}
		h.Resize(79, 24) // it is laid out again, and stays where it is
		h.ShowsNot(p, "the middle")
		h.Resize(80, 24)
		p.Scroll(-1000)
		h.Shows(p, "line a!")
		h.ShowsNot(p, "the middle")
		top := p.reader.Top
		press(h, p, "space")
		h.Draw(p)
		if p.reader.Top <= top || p.reader.Top > top+p.Height() {
			t.Errorf("a page down goes from %d to %d, %d lines are seen", top, p.reader.Top, p.Height())
		}
		p.Find("line z!")
		h.Shows(p, "line z!")
		first := p.reader.Hit()
		press(h, p, "n")
		if p.reader.Hit() <= first {
			t.Errorf("the next hit is line %d, after %d", p.reader.Hit(), first)
		}
		h.Run(p.Close())
		h.Lies(p) // the search is taken back first
		press(h, p, "n", "x")
		if got := paneltest.Wished[panel.PaneKey](h); len(got) != 2 || got[0].Key.String() != "n" {
			t.Errorf("wished %v", got)
		}
		for _, size := range paneltest.Sizes() {
			h.Resize(size.X, size.Y)
			h.Draw(p)
		}
		h.Run(p.Close())
		h.Lies(nil)
	})
}

// A document that was laid out whole is taken if it still fits.
func TestAPageTakesItsDocument(t *testing.T) {
	run(t, 100, 30, func(h *paneltest.Host) {
		text := "before"
		p := &Page{Host: h, Title: "Page", Build: func(d *write.Writer, _ panel.Screen) { d.Quote(text) }}
		h.Shows(p, "before")
		wide := p.Doc()
		h.Resize(60, 15)
		h.Draw(p)
		narrow := p.Doc()
		if p.LaidOut(wide); p.Doc() != narrow {
			t.Error("a document of another width was taken")
		}
		text = "after"
		h.Shows(p, "before") // nothing is laid out again for nothing
		p.Redo()
		h.Shows(p, "after")
		fresh := p.Doc()
		if p.LaidOut(narrow); p.Doc() != narrow || fresh == narrow {
			t.Error("a document of the same width was not taken")
		}
	})
}

// While the connection is closed, what is being done is said, and keys do nothing.
func TestClosing(t *testing.T) {
	run(t, 80, 24, func(h *paneltest.Host) {
		c := &Closing{Title: "Closing", Process: func() string { return "pid 4711 \x1b[2J" }}
		h.Push(c)
		h.Shows(c, "Closing", "closing the connection", "pid 4711 ⟨ESC⟩[2J")
		press(h, c, "y", "esc", "q")
		h.Run(c.Paste("q"))
		h.Run(c.Close())
		h.Lies(c)
		h.Connect(paneltest.Initialized)
		h.Call("slow")
		h.Shows(c, "cancelling 1 call, then closing the connection")
		if h.Hinted != scope.Closing {
			t.Errorf("hints of %b", h.Hinted)
		}
		for _, size := range paneltest.Sizes() {
			h.Resize(size.X, size.Y)
			h.Draw(c)
		}
		h.Resize(40, 8)
		h.Shows(c, "q ends the server")
	})
}

// The hint of a line gives way to the placeholder, and to a text that needs the room, but not to a
// placeholder that does not stand there.
func TestTheHintOfALine(t *testing.T) {
	const hint = "enter keeps · esc drops it"
	run(t, 60, 24, func(h *paneltest.Host) {
		l := &Line{Host: h, Label: "/", Placeholder: "words that a row must have; !word: must not", Hint: hint}
		h.Push(l)
		hints := func() bool { return strings.Contains(h.Draw(l), hint) }
		if hints() {
			t.Error("it is there beside the placeholder, for which the room is")
		}
		for n := 1; n <= 40; n++ {
			press(h, l, "x")
			if got, want := hints(), n <= 60-len("/")-2-4-safe.Width(hint); got != want {
				t.Errorf("%d letters: it is there: %v, want %v", n, got, want)
			}
			h.Shows(l, strings.Repeat("x", n))
		}
	})
}
