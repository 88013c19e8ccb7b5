// Package dialog has the panels that are the same whatever they are about: a line
// of input, a question with yes and no, and a page to read.
package dialog

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// History is what was typed before, oldest first.
type History struct{ items []string }

const historyMost = 100

// Add remembers a text, unless it is the one before.
func (h *History) Add(s string) {
	if s == "" || len(h.items) > 0 && h.items[len(h.items)-1] == s {
		return
	}
	h.items = append(h.items, s)
	if len(h.items) > historyMost {
		h.items = h.items[1:]
	}
}

// Line is a line of input in the place of the footer.
type Line struct {
	Host        panel.Host
	Label       safe.Text
	Short       safe.Text // the label where there is little room; empty: the same
	Placeholder safe.Text
	Hint        safe.Text
	Text        edit.Line
	History     *History
	back        int    // how far back in the history; 0: what is being typed
	typed       string // what was being typed before ↑

	Changed func(text string)         // after each change; may be nil
	Enter   func(text string) tea.Cmd // the line is gone already
	Escape  func()                    // may be nil
}

// Scope is where its keys work.
func (l *Line) Scope() keymap.Scope { return scope.Line }

// Draw draws the line over the footer, and returns where the cursor is.
func (l *Line) Draw(f *panel.Frame) *image.Point {
	g := f.Canvas.Region(f.Layout.Footer)
	if f.IsTiny() {
		g = f.Canvas.All().Row(0)
	}
	g.Fill(f.Styles.Input)
	label := f.Styles.Accent
	label.BG, label.Attr = f.Styles.Input.BG, canvas.Bold
	room := max(20, safe.Width(l.Placeholder)) + 4 // for the text
	words, hint := l.Label, l.Hint
	if f.Top != panel.Panel(l) { // what lies over it has the keys
		hint = ""
	}
	if l.Short != "" && 2+safe.Width(words)+room+safe.Width(hint) > g.W() {
		words = l.Short
	}
	x := g.Put(1, 0, words, label) + 1
	if x+l.room(g.W())+safe.Width(hint) > g.W() {
		hint = ""
	}
	shown, cursor := l.Text.View(g.W() - x - safe.Width(hint) - 2)
	if l.Text.Empty() {
		g.Put(x, 0, safe.Cut(l.Placeholder, g.W()-x-safe.Width(hint)-2), f.Styles.Placeholder)
	} else {
		g.Put(x, 0, shown, f.Styles.Input)
	}
	g.PutRight(g.W()-1, 0, hint, f.Styles.Placeholder)
	return g.Cursor(x+cursor, 0)
}

// room is how many columns of so many the hint leaves for what stands in the line now: the placeholder
// while nothing is typed, and then the text, which gets more before it needs them.
func (l *Line) room(width int) int {
	stands := l.Placeholder
	if !l.Text.Empty() {
		stands, _ = l.Text.View(width)
	}
	return max(20, safe.Width(stands)) + 4
}

// Key edits the text, goes through the history, or submits.
func (l *Line) Key(k tea.KeyPressMsg) tea.Cmd {
	switch k.String() {
	case "enter":
		return l.submit()
	case "up", "ctrl+p":
		l.Recall(1)
	case "down", "ctrl+n":
		l.Recall(-1)
	default:
		if _, changed := l.Text.Key(panel.FieldKey(k)); !changed {
			return nil
		}
	}
	l.tell()
	return nil
}

func (l *Line) submit() tea.Cmd {
	l.Host.Pop(l)
	text := l.Text.String()
	if l.History != nil {
		l.History.Add(text)
	}
	return l.Enter(text)
}

// Recall goes back (n = 1) or forth (n = -1) in the history.
func (l *Line) Recall(n int) {
	if l.History == nil {
		return
	}
	if l.back == 0 {
		l.typed = l.Text.String()
	}
	l.back = min(max(0, l.back+n), len(l.History.items))
	if l.back == 0 {
		l.Text.Set(l.typed)
		return
	}
	l.Text.Set(l.History.items[len(l.History.items)-l.back])
}

// IsRecalled reports whether the text is one of the history.
func (l *Line) IsRecalled() bool {
	return l.back > 0 && l.Text.String() == l.History.items[len(l.History.items)-l.back]
}

func (l *Line) tell() {
	if l.Changed != nil {
		l.Changed(l.Text.String())
	}
}

// Paste inserts text.
func (l *Line) Paste(text string) tea.Cmd {
	l.Text.Insert(text)
	l.tell()
	return nil
}

// Close leaves the line without its text.
func (l *Line) Close() tea.Cmd {
	l.Host.Pop(l)
	if l.Escape != nil {
		l.Escape()
	}
	return nil
}
