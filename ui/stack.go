package ui

import "belay/ui/panel"

func (m *Model) push(p panel.Panel) { m.stack = append(m.stack, p) }

// pop removes a panel, wherever it is.
func (m *Model) pop(p panel.Panel) { m.stack = panel.Without(m.stack, p) }

// lying is the uppermost panel of a type, also while something else lies over it. It is
// for the bindings of such a panel, which work and are shown with one only.
func lying[T panel.Panel](m *Model) (found T) {
	for _, p := range m.stack {
		if is, ok := p.(T); ok {
			found = is
		}
	}
	return found
}

// modal is the uppermost panel, or nil.
func (m *Model) modal() panel.Panel {
	if len(m.stack) == 0 {
		return nil
	}
	return m.stack[len(m.stack)-1]
}
