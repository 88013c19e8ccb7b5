// Package fields has the keys of a form, whoever shows the form: a call that is being
// made, or a question of the server's.
package fields

import (
	tea "charm.land/bubbletea/v2"

	"belay/ui/formview"
	"belay/ui/panel"
)

// Owner is a panel with a form in it.
type Owner interface {
	panel.Panel
	// View is its form; nil: it has none now.
	View() *formview.View
	// Step moves the focus by n fields.
	Step(n int)
	// Enter goes to the next field; what it does on the last is the owner's.
	Enter() tea.Cmd
}

// Focus is the form that takes the keys. Without an owner there is none, and no key of
// a form works.
type Focus struct {
	Owner
	Host panel.Host
}

// lineOrField goes to another line of a text, and from its first or last to another
// field.
func (f Focus) lineOrField(n int) {
	if !f.View().Line(n) {
		f.Step(n)
	}
}

// flip shows the whole form as raw JSON, or as fields again.
func (f Focus) flip() tea.Cmd { return f.Host.Say(panel.Refused(f.View().Flip())) }

// flipField shows one field as JSON, or as itself again.
func (f Focus) flipField() tea.Cmd { return f.Host.Say(panel.Refused(f.View().FlipField())) }

// outside gives what has the focus to the user's editor.
func (f Focus) outside() tea.Cmd {
	text, ending, take := f.View().Outside()
	return f.Host.Want(panel.Edit{Text: text, Ending: ending, Take: func(after string) tea.Cmd { return f.Host.Say(panel.Refused(take(after))) }})
}

// turn chooses the option or the variant before, on the key left, or the one after.
func (f Focus) turn(key string) tea.Cmd {
	n := 1
	if key == "left" {
		n = -1
	}
	f.View().Turn(n)
	return nil
}

// find looks for an option by a part of its name.
func (f Focus) find(text string) tea.Cmd {
	f.View().Find(text)
	return nil
}

// jump goes to the next option that begins with a letter.
func (f Focus) jump(text string) tea.Cmd { return f.Host.Say(panel.Refused(f.View().Jump(text))) }

// noListItem says why an item cannot be moved.
func (f Focus) noListItem() string {
	if f.Owner == nil || f.View() == nil {
		return ""
	}
	if n := f.View().Focus().Node; n != nil && n.Removable() != nil && !n.Removable().IsMovable() {
		return "the members of an object have no order that matters"
	}
	return ""
}
