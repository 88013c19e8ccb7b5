package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/form"
)

// openEditor gives what has the focus to the user's editor: a text, and otherwise
// the whole as JSON.
func (f *formView) openEditor(m *Model) tea.Cmd {
	n := f.focus.Node
	if n != nil && (f.rawOn || f.away || f.focus.Part != form.Value || n.Kind != form.Text || n.AsJSON()) {
		n = nil
	}
	before, ext := "", ".json"
	switch {
	case f.rawOn:
		before = f.raw.String()
	case n != nil:
		before, ext = n.Input.String(), ".txt"
	default:
		before = string(form.Indent(f.form.JSON()))
	}
	e := m.backend.Editor([]byte(before), ext)
	return m.exec(e, func(err error) tea.Msg {
		if err != nil {
			return doneMsg{err: err}
		}
		after := string(e.Text())
		if !strings.HasSuffix(before, "\n") { // editors end the last line
			after = strings.TrimSuffix(after, "\n")
		}
		return doneMsg{then: func(m *Model) tea.Cmd {
			if after == before {
				return m.say("nothing was changed in the editor", said)
			}
			return f.edited(m, n, after)
		}}
	})
}

// edited takes over what was written in the editor: the text of a node, or JSON.
// What is no JSON is shown on the raw side, and nothing of it is lost.
func (f *formView) edited(m *Model, n *form.Node, text string) tea.Cmd {
	if n != nil {
		n.Input.Set(text)
		n.Input.End()
		n.Typed()
		return nil
	}
	back := !f.rawOn
	if back {
		f.rawFrom = string(form.Indent(f.form.JSON()))
	}
	f.rawOn, f.rawWhy = true, ""
	f.raw.Set(text)
	if err := f.reload(); err != nil {
		return m.say("not shown as a form: "+safe.Line(err.Error()), refused)
	}
	f.rawOn = !back
	return nil
}
