package ui

import "belay/ui/fields"

// fields is the form that takes the keys.
func (m *Model) fields() fields.Focus {
	owner, _ := m.modal().(fields.Owner)
	return fields.Focus{Owner: owner, Host: m.host}
}
