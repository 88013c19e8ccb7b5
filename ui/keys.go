package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// key looks for the binding of a key. A binding that is disabled says why.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	m.status.Clear()
	name := k.String()
	if name == "kpenter" {
		name = "enter"
	}
	where := m.scope()
	b, ok := m.keys.Find(where&(scope.Recording|scope.Seeking), name) // which go first
	if !ok {
		b, ok = m.keys.Find(where, name)
	}
	if ok {
		arg := ""
		if b.Command == "" {
			arg = name
		}
		return m.run(b, arg)
	}
	if b, ok := m.keys.Typed(where); ok && k.Text != "" {
		return m.run(b, k.Text)
	}
	if d := m.modal(); d != nil {
		return d.Key(k)
	}
	return nil
}

// unused handles a key that does nothing in the panel with the focus: the status line
// says for which place of forms and questions the key is, if for any.
func (m *Model) unused(k tea.KeyPressMsg) tea.Cmd {
	const others = scope.Form | scope.Elicit | scope.Sampling |
		formview.InFields | formview.InStops | formview.InGrowing | formview.InItem | formview.InLines
	b, ok := m.keys.Find(others, k.String())
	if !ok {
		return nil
	}
	if m.scope()&scope.Locked != 0 {
		return m.status.Say(panel.Refused(safe.Text(k.String() + " does nothing here: the question is over, and esc leaves it")))
	}
	return m.status.Say(panel.Refused(safe.Text(k.String() + " does nothing here: it is for \"" + b.Name + "\"")))
}

// paneKey handles a key that a page does not know: the status line says so if it is a
// key of the panes below the page.
func (m *Model) paneKey(k tea.KeyPressMsg) tea.Cmd {
	if _, ok := m.keys.Find(scope.Panes, k.String()); !ok {
		return nil
	}
	return m.status.Say(panel.Refused(safe.Text(k.String()) + " is a key of the panes: esc first, which closes this page"))
}

// press does what a click on a hint does: it presses the last key of the binding.
func (m *Model) press(b *keymap.Binding[*Model]) tea.Cmd {
	arg := ""
	if b.Command == "" {
		keys := b.Key.Keys()
		arg = keys[len(keys)-1]
	}
	return m.run(b, arg)
}

func (m *Model) run(b *keymap.Binding[*Model], arg string) tea.Cmd {
	if why := b.Reason(m); why != "" {
		return m.status.Say(panel.Refused(safe.Text(why)))
	}
	return b.Run(m, arg)
}

func (m *Model) paste(text string) tea.Cmd {
	m.status.Clear()
	if d := m.modal(); d != nil {
		return d.Paste(text)
	}
	return nil
}
