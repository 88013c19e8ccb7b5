package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/ui/formview"
	"belay/ui/panel"
)

// formOwner is a modal with a form in it.
type formOwner interface {
	panel.Panel
	// View is its form; nil: it has none now.
	View() *formview.View
	// Step moves the focus by n fields.
	Step(n int)
	// Enter goes to the next field; what it does on the last is the owner's.
	Enter() tea.Cmd
}

// form is the form that takes the keys. It is for actions that work in its scopes
// only.
func (m *Model) form() *formview.View { return m.modal().(formOwner).View() }

// inForms makes an action of one of the form's own.
func inForms(f func(*formview.View)) func(*Model, string) tea.Cmd {
	return do(func(m *Model) { f(m.form()) })
}

// outside gives what has the focus to the user's editor.
func (m *Model) outside() tea.Cmd {
	text, ending, take := m.form().Outside()
	return m.editText(panel.Edit{Text: text, Ending: ending, Take: func(after string) tea.Cmd { return m.status.Say(panel.Refused(take(after))) }})
}

// lineOrField goes to another line of a text, and from its first or last to another
// field.
func (m *Model) lineOrField(n int) {
	if o := m.modal().(formOwner); !o.View().Line(n) {
		o.Step(n)
	}
}
