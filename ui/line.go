package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/ui/canvas"
	"belay/ui/keymap"
	"belay/ui/layout"
)

// inputs is what was typed into lines before, for ↑.
type inputs struct {
	reasons, filters, searches, commands history

	idle, max time.Duration        // :timeout, for the calls made from now on; 0: the session's
	drafts    map[string]*callForm // forms that were left with esc
	suggest   suggestions
}

// history is what was typed before, oldest first.
type history struct{ items []string }

const historyMost = 100

func (h *history) add(s string) {
	if s == "" || len(h.items) > 0 && h.items[len(h.items)-1] == s {
		return
	}
	h.items = append(h.items, s)
	if len(h.items) > historyMost {
		h.items = h.items[1:]
	}
}

// lineInput is a line of input in the place of the footer.
type lineInput struct {
	label       safe.Text
	short       safe.Text // the label where there is little room; empty: the same
	placeholder safe.Text
	hint        safe.Text
	text        edit.Line
	history     *history
	back        int    // how far back in the history; 0: what is being typed
	typed       string // what was being typed before ↑

	changed func(m *Model, text string)                // after each change; may be nil
	enter   func(m *Model, text string) tea.Cmd        // the line is gone already
	escape  func(m *Model)                             // may be nil
	popup   func(m *Model, l *lineInput)               // draws above the line; may be nil
	special func(m *Model, key string) (bool, tea.Cmd) // keys of its own; may be nil
}

func (l *lineInput) scope() keymap.Scope { return inLine }

func (l *lineInput) draw(m *Model) *image.Point {
	g := m.canvas.Region(m.lay.Footer)
	if m.lay.Mode == layout.Tiny {
		g = m.canvas.All().Row(0)
	}
	if l.popup != nil && m.lay.Mode != layout.Tiny {
		l.popup(m, l)
	}
	g.Fill(m.styles.Input)
	label := m.styles.Accent
	label.BG, label.Attr = m.styles.Input.BG, canvas.Bold
	room := max(20, safe.Width(l.placeholder)) + 4 // for the text
	words, hint := l.label, l.hint
	if l.short != "" && 2+safe.Width(words)+room+safe.Width(hint) > g.W() {
		words = l.short
	}
	x := g.Put(1, 0, words, label) + 1
	if x+room+safe.Width(hint) > g.W() {
		hint = ""
	}
	shown, cursor := l.text.View(g.W() - x - safe.Width(hint) - 2)
	if l.text.Empty() {
		g.Put(x, 0, safe.Cut(l.placeholder, g.W()-x-safe.Width(hint)-2), m.styles.Placeholder)
	} else {
		g.Put(x, 0, shown, m.styles.Input)
	}
	g.PutRight(g.W()-1, 0, hint, m.styles.Placeholder)
	return g.Cursor(x+cursor, 0)
}

func (l *lineInput) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	if l.special != nil {
		if taken, cmd := l.special(m, k.String()); taken {
			return cmd
		}
	}
	switch k.String() {
	case "enter":
		return l.submit(m)
	case "up", "ctrl+p":
		l.recall(1)
	case "down", "ctrl+n":
		l.recall(-1)
	default:
		if _, changed := l.text.Key(fieldKey(k)); !changed {
			return nil
		}
	}
	l.tell(m)
	return nil
}

func (l *lineInput) submit(m *Model) tea.Cmd {
	m.pop(l)
	text := l.text.String()
	if l.history != nil {
		l.history.add(text)
	}
	return l.enter(m, text)
}

// recall goes back (n = 1) or forth (n = -1) in the history.
func (l *lineInput) recall(n int) {
	if l.history == nil {
		return
	}
	if l.back == 0 {
		l.typed = l.text.String()
	}
	l.back = min(max(0, l.back+n), len(l.history.items))
	if l.back == 0 {
		l.text.Set(l.typed)
		return
	}
	l.text.Set(l.history.items[len(l.history.items)-l.back])
}

func (l *lineInput) tell(m *Model) {
	if l.changed != nil {
		l.changed(m, l.text.String())
	}
}

func (l *lineInput) paste(m *Model, text string) tea.Cmd {
	l.text.Insert(text)
	l.tell(m)
	return nil
}

func (l *lineInput) close(m *Model) tea.Cmd {
	m.pop(l)
	if l.escape != nil {
		l.escape(m)
	}
	return nil
}
