package formview

import (
	"belay/internal/form"
	"belay/ui/keymap"
)

// The places in a form where keys work. They are the first of all scopes; what
// shows a form has scopes of its own from [Free] on.
const (
	InFields  keymap.Scope = 1 << iota // the fields
	InStops                            // … where there is something to fill in
	InRaw                              // the JSON beside the fields
	InGrowing                          // a field in a list or an object that can be added to
	InItem                             // a field in an item of such a list or object
	InLines                            // a field that takes line breaks

	InChoosing  // a field with options
	InTicking   // … of which several can be chosen
	InTurning   // … of which one can be chosen
	InFinding   // … that are too many, and found by typing
	InJumping   // … that all stand in a row
	InOpening   // an object or a list that is unset
	InFilling   // … to which space does not add
	InAdding    // a line to which space adds
	InUnsetting // a field that is empty, or that was chosen

	InSecret // a field into which a secret is typed that is not shown
	InBared  // … or that is shown

	Free
)

// Scope is where keys work now.
func (f *View) Scope() keymap.Scope {
	switch {
	case f.away:
		return InFields | InStops
	case f.rawOn:
		return InRaw
	}
	s := InFields
	n := f.focus.Node
	if n == nil {
		return s
	}
	s |= InStops | f.choosing()
	if n.Adds() != nil {
		s |= InGrowing
	}
	if n.Removable() != nil {
		s |= InItem
	}
	if n.Writes() && n.Breaks() && f.focus.Part == form.Value {
		s |= InLines
	}
	return s | f.secret()
}

// choosing are the places of the focus in which its node is set by keys that are
// no text.
func (f *View) choosing() (s keymap.Scope) {
	n := f.focus.Node
	adds := f.focus.Part == form.Adding || f.focus.Part == form.Value && !n.Writes() && n.Adds() == n
	if adds {
		s |= InAdding
	}
	if f.focus.Part != form.Value {
		return s
	}
	if n.Writes() {
		if n.Input.Empty() && n.IsSet() {
			s |= InUnsetting
		}
		return s
	}
	if f.hidesOptions(n) {
		if n.IsSet() {
			s |= InUnsetting
		}
		return s
	}
	switch n.Kind {
	case form.Object, form.List:
		if !n.IsSet() {
			s |= InOpening
			if !adds {
				s |= InFilling
			}
		}
	case form.Many:
		s |= InChoosing | InTicking
	case form.Choice, form.Variant:
		s |= InChoosing
		if n.Filter.Empty() {
			s |= InTurning
		}
	case form.JSON, form.Text, form.Number, form.Integer:
	}
	switch {
	case finds(n):
		s |= InFinding
	case n.Kind == form.Choice && !n.Fixed, n.Kind == form.Many:
		s |= InJumping
	}
	if n.Filter.Empty() && (n.IsSet() || n.Kind == form.Variant && n.Branch() >= 0) {
		s |= InUnsetting
	}
	return s
}
