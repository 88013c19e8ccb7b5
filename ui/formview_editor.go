package ui

import (
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
	return m.editText(before, ext, func(m *Model, after string) tea.Cmd { return f.edited(m, n, after) })
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
