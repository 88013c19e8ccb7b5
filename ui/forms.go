package ui

import (
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/ui/canvas"
	"belay/ui/formview"
)

// formOwner is a modal with a form in it.
type formOwner interface {
	modal
	// view is its form; nil: it has none now.
	view() *formview.View
	// step moves the focus by n fields.
	step(n int)
	// enter goes to the next field; what it does on the last is the owner's.
	enter(m *Model) tea.Cmd
}

// form is the form that takes the keys. It is for actions that work in its scopes
// only.
func (m *Model) form() *formview.View { return m.modal().(formOwner).view() }

// inForms makes an action of one of the form's own.
func inForms(f func(*formview.View)) func(*Model, string) tea.Cmd {
	return do(func(m *Model) { f(m.form()) })
}

// drawForm draws a form, whose fields can be clicked then, and returns where the
// cursor is.
func (m *Model) drawForm(v *formview.View, g canvas.Region) *image.Point {
	cursor, spots := v.Draw(g)
	for _, s := range spots {
		m.onClick(s.At, func() tea.Cmd {
			s.Do()
			return nil
		})
	}
	return cursor
}

// typeInto gives a form a key that no binding took. One that does nothing says why.
func (m *Model) typeInto(v *formview.View, k tea.KeyPressMsg) tea.Cmd {
	taken, why := v.Key(fieldKey(k))
	if !taken && why == "" {
		return m.unused(k)
	}
	return m.sayWhy(why)
}

// outside gives what has the focus to the user's editor.
func (m *Model) outside() tea.Cmd {
	text, ending, take := m.form().Outside()
	return m.editText(text, ending, func(m *Model, after string) tea.Cmd { return m.sayWhy(take(after)) })
}

// lineOrField goes to another line of a text, and from its first or last to another
// field.
func (m *Model) lineOrField(n int) {
	if o := m.modal().(formOwner); !o.view().Line(n) {
		o.step(n)
	}
}

// noListItem says why an item cannot be moved.
func noListItem(m *Model) string {
	o, ok := m.modal().(formOwner)
	if !ok || o.view() == nil {
		return ""
	}
	if n := o.view().Focus().Node; n != nil && n.Removable() != nil && !n.Removable().Movable() {
		return "the members of an object have no order that matters"
	}
	return ""
}
