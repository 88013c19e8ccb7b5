package ui

import tea "charm.land/bubbletea/v2"

// atField makes an action of one that changes the field with the focus. arg is
// the key, or the text that was typed.
func atField(f func(v *formView, arg string) (why string)) func(*Model, string) tea.Cmd {
	return func(m *Model, arg string) tea.Cmd {
		v := m.modal().(formOwner).view()
		i := v.at()
		why := f(v, arg)
		v.settle(i)
		if why != "" {
			return m.refuseKey(why)
		}
		return nil
	}
}

// choiceBindings are what works in fields into which no text is typed.
func choiceBindings() []binding {
	const group = groupForm
	return []binding{
		{
			Name: "choose", Keys: []string{"left", "right"}, Shown: "← →", Word: "choose", Group: group, Where: inChoosing, Footer: 2,
			Help: "the option before or after, in a field with options", Run: atField((*formView).turn),
		},
		{
			Name: "tick", Keys: []string{"space"}, Word: "tick", Group: group, Where: inTicking, Footer: 2,
			Help: "tick the option, where several can be chosen, and take the tick away", Run: atField((*formView).tick),
		},
		{
			Name: "next option", Keys: []string{"space"}, Group: group, Where: inTurning,
			Help: "where one can be chosen, the option after", Run: atField((*formView).turn),
		},
		{
			Name: "find an option", Typed: true, Shown: "letters", Group: group, Where: inFinding,
			Help: "find an option by a part of its name, where they are too many to be shown; backspace takes letters back", Run: atField((*formView).find),
		},
		{
			Name: "go to an option", Typed: true, Shown: "letter", Group: group, Where: inJumping,
			Help: "the next option that begins with it, where all are shown", Run: atField((*formView).jump),
		},
		{
			Name: "unset", Keys: []string{"backspace", "delete", "ctrl+u"}, Group: group, Where: inUnsetting,
			Help: "leave a field out that is empty or was chosen: unset is not empty", Run: atField((*formView).unset),
		},
		{
			Name: "fill in", Keys: []string{"right"}, Shown: "→", Word: "fill in", Group: group, Where: inOpening, Footer: 2,
			Help: "fill in an object or a list that is unset", Run: atField((*formView).open),
		},
		{
			Name: "fill in by space", Keys: []string{"space"}, Group: group, Where: inFilling,
			Help: "the same", Run: atField((*formView).open),
		},
		{
			Name: "add by space", Keys: []string{"space"}, Group: group, Where: inAdding,
			Help: "add an item or a member, on the line of the list or object itself",
			Run:  do(func(m *Model) { m.modal().(formOwner).view().add() }),
		},
	}
}
