package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/ui/formview"
	"belay/ui/panel"
)

// formOwner is a modal with a form in it.
type formOwner interface {
	panel.Panel
	// view is its form; nil: it has none now.
	view() *formview.View
	// step moves the focus by n fields.
	step(n int)
	// enter goes to the next field; what it does on the last is the owner's.
	enter() tea.Cmd
}

// form is the form that takes the keys. It is for actions that work in its scopes
// only.
func (m *Model) form() *formview.View { return m.modal().(formOwner).view() }

// inForms makes an action of one of the form's own.
func inForms(f func(*formview.View)) func(*Model, string) tea.Cmd {
	return do(func(m *Model) { f(m.form()) })
}

// typeInto gives a form a key that no binding took. One that does nothing says why.
func (m *Model) typeInto(v *formview.View, k tea.KeyPressMsg) tea.Cmd {
	taken, why := v.Key(panel.FieldKey(k))
	if !taken && why == "" {
		return m.unused(k)
	}
	return m.say(panel.Refused(why))
}

// outside gives what has the focus to the user's editor.
func (m *Model) outside() tea.Cmd {
	text, ending, take := m.form().Outside()
	return m.editText(panel.Edit{Text: text, Ending: ending, Take: func(after string) tea.Cmd { return m.say(panel.Refused(take(after))) }})
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
