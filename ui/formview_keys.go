package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/ui/form"
)

// key edits what has the focus. A key that does nothing says why.
func (f *formView) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	n := f.focus.Node
	taken, changed := false, false
	switch {
	case f.away:
	case f.rawOn:
		if taken, changed = f.raw.Key(k); changed {
			f.rawWhy = ""
		}
	case n == nil:
	case f.focus.Part == form.Name:
		if taken, changed = n.Key.Key(k); changed {
			n.Renamed()
		}
	case f.focus.Part == form.Value && n.Writes() && tooLong(n):
		return m.refuseKey("it is too long to be edited here: ctrl+o opens the editor")
	case f.focus.Part == form.Value && n.Writes():
		if taken, changed = n.Input.Key(k); changed {
			n.Typed()
		}
	case f.focus.Part == form.Value && finds(n):
		if taken, changed = n.Filter.Key(k); changed {
			n.Filtered()
		}
	case k.Text != "":
		return m.refuseKey(f.untyped(m))
	}
	if !taken {
		return m.unused(k)
	}
	return nil
}

// paste puts text into what has the focus.
func (f *formView) paste(text string) {
	n := f.focus.Node
	switch {
	case f.away:
	case f.rawOn:
		f.raw.Insert(text)
	case n == nil || f.focus.Part == form.Adding:
	case f.focus.Part == form.Name:
		n.Key.Insert(text)
		n.Renamed()
	case n.Writes():
		if !tooLong(n) {
			n.Input.Insert(text)
			n.Typed()
		}
	case finds(n):
		n.Filter.Insert(text)
		n.Filtered()
	}
}

// finds says whether the options of a node are found by typing.
func finds(n *form.Node) bool {
	return (n.Kind == form.Choice || n.Kind == form.Many) && !n.Inline() && !n.AsJSON()
}

// inPlaceMost is the length of JSON, in bytes, that is edited among the fields:
// what is longer has the raw side.
const inPlaceMost = 32 << 10

func tooLong(n *form.Node) bool {
	return n.AsJSON() && n.Input.Height() > 2000 || n.AsJSON() && len(n.Input.String()) > inPlaceMost
}

// breakLine puts a line break into the text that has the focus.
func (f *formView) breakLine() {
	if n := f.focus.Node; !tooLong(n) {
		n.Input.Insert("\n")
		n.Typed()
	}
}

// add adds an item or a member where the focus is, and goes there: to the first
// field in it.
func (f *formView) add() {
	at := f.focus.Node
	kid := at.Adds().Add(at)
	rows := f.form.Rows()
	i := slices.IndexFunc(rows, func(r form.Row) bool { return r.Node == kid || r.Node.Up() == kid })
	for i+1 < len(rows) && rows[i].Node.Kind == form.Object && rows[i].Part == form.Value && rows[i+1].Node.Up() == rows[i].Node {
		i++
	}
	f.goTo(rows[i])
}

// remove takes the item or the member out that the focus is in. The focus goes to
// the next, or to the one before.
func (f *formView) remove() {
	n := f.focus.Node.Removable()
	kids := n.Up().Kids()
	i := slices.IndexFunc(f.form.Rows(), func(r form.Row) bool { return r.Node == n || r.Node.Up() == n })
	if kids[len(kids)-1] == n {
		i--
	}
	n.Remove()
	f.settle(i)
}

// shift moves the item that the focus is in by d places.
func (f *formView) shift(d int) {
	if n := f.focus.Node.Removable(); n.Movable() {
		n.Move(d)
	}
}

// flipField shows the field that has the focus as JSON, or as what it is.
func (f *formView) flipField(m *Model) tea.Cmd {
	n := f.focus.Node
	if n == nil || f.away || f.focus.Part != form.Value {
		return nil
	}
	i := f.at()
	ok := n.Flip()
	f.settle(i)
	if !ok {
		return m.say("this value is shown as JSON only", refused)
	}
	return nil
}

// downOrNext goes to another line of a text, and from its first or last to another
// field.
func downOrNext(m *Model, n int) {
	if o := m.modal().(formOwner); !o.view().line(n) {
		o.step(n)
	}
}

// noListItem says why an item cannot be moved.
func noListItem(m *Model) string {
	o, ok := m.modal().(formOwner)
	if !ok {
		return ""
	}
	if n := o.view().focus.Node; n != nil && n.Removable() != nil && !n.Removable().Movable() {
		return "the members of an object have no order that matters"
	}
	return ""
}
