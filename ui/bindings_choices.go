package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/ui/compose"
	"belay/ui/formview"
	"belay/ui/panel"
)

// turn chooses the option or the variant before, on the key left, or the one
// after.
func turn(m *Model, key string) tea.Cmd {
	n := 1
	if key == "left" {
		n = -1
	}
	m.form().Turn(n)
	return nil
}

func find(m *Model, text string) tea.Cmd {
	m.form().Find(text)
	return nil
}

func jump(m *Model, text string) tea.Cmd {
	return m.status.Say(panel.Refused(m.form().Jump(text)))
}

// choiceBindings are what works in fields into which no text is typed.
func choiceBindings() []binding {
	const group = compose.FormGroup
	return []binding{
		{
			Name: "choose", Keys: []string{"left", "right"}, Shown: "← →", Word: "choose", Group: group, Where: formview.InChoosing, Footer: 2,
			Help: "the option before or after, in a field with options", Run: turn,
		},
		{
			Name: "tick", Keys: []string{"space"}, Word: "tick", Group: group, Where: formview.InTicking, Footer: 2,
			Help: "tick the option, where several can be chosen, and take the tick away", Run: inForms((*formview.View).Tick),
		},
		{
			Name: "next option", Keys: []string{"space"}, Group: group, Where: formview.InTurning,
			Help: "where one can be chosen, the option after", Run: turn,
		},
		{
			Name: "find an option", Typed: true, Shown: "letters", Group: group, Where: formview.InFinding,
			Help: "find an option by a part of its name, where they are too many to be shown; backspace takes letters back", Run: find,
		},
		{
			Name: "go to an option", Typed: true, Shown: "letter", Group: group, Where: formview.InJumping,
			Help: "the next option that begins with it, where all are shown", Run: jump,
		},
		{
			Name: "unset", Keys: []string{"backspace", "delete", "ctrl+u"}, Group: group, Where: formview.InUnsetting,
			Help: "leave a field out that is empty or was chosen: unset is not empty", Run: inForms((*formview.View).Unset),
		},
		{
			Name: "fill in", Keys: []string{"right"}, Shown: "→", Word: "fill in", Group: group, Where: formview.InOpening, Footer: 2,
			Help: "fill in an object or a list that is unset", Run: inForms((*formview.View).Open),
		},
		{
			Name: "fill in by space", Keys: []string{"space"}, Group: group, Where: formview.InFilling,
			Help: "the same", Run: inForms((*formview.View).Open),
		},
		{
			Name: "add by space", Keys: []string{"space"}, Group: group, Where: formview.InAdding,
			Help: "add an item or a member, on the line of the list or object itself",
			Run:  inForms((*formview.View).Add),
		},
	}
}
