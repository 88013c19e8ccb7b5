package formview

import (
	"slices"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/safe"
)

// Key edits what has the focus. taken is false for a key that does nothing there;
// why says so of text where none is typed.
func (f *View) Key(k edit.Key) (taken bool, why safe.Text) {
	n, changed := f.focus.Node, false
	switch {
	case f.unread != nil && !f.rawOn && !f.away && k.Text != "":
		return false, unreadWords
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
		return false, "it is too long to be edited here: ctrl+o opens the editor"
	case f.focus.Part == form.Value && n.Writes():
		if taken, changed = n.Input.Key(k); changed {
			n.Typed()
		}
	case f.focus.Part == form.Value && finds(n) && !f.hidesOptions(n):
		if taken, changed = n.Filter.Key(k); changed {
			n.Filtered()
		}
	case k.Text != "":
		return false, f.untyped()
	}
	return taken, ""
}

// Paste puts text into what has the focus.
func (f *View) Paste(text string) {
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
	case finds(n) && !f.hidesOptions(n):
		n.Filter.Insert(text)
		n.Filtered()
	}
}

// finds reports whether the options of a node are found by typing.
func finds(n *form.Node) bool {
	return (n.Kind == form.Choice || n.Kind == form.Many) && !n.IsInline() && !n.AsJSON()
}

// inPlaceMost is the length of JSON, in bytes, that is edited among the fields:
// what is longer has the raw side.
const inPlaceMost = 32 << 10

func tooLong(n *form.Node) bool {
	return n.AsJSON() && n.Input.Height() > 2000 || n.AsJSON() && len(n.Input.String()) > inPlaceMost
}

// BreakLine puts a line break into the text that has the focus, in [InLines].
func (f *View) BreakLine() {
	f.change(InLines, func(n *form.Node) {
		if !tooLong(n) {
			n.Input.Insert("\n")
			n.Typed()
		}
	})
}

// Add adds an item or a member where the focus is, in [InGrowing], and goes there:
// to the first field in it.
func (f *View) Add() {
	at := f.Focus().Node
	if at == nil || at.Adds() == nil {
		return
	}
	kid := at.Adds().Add(at)
	rows := f.form.Rows()
	i := slices.IndexFunc(rows, func(r form.Row) bool { return r.Node == kid || r.Node.Up() == kid })
	for i+1 < len(rows) && rows[i].Node.Kind == form.Object && rows[i].Part == form.Value && rows[i+1].Node.Up() == rows[i].Node {
		i++
	}
	f.goTo(rows[i])
}

// Remove takes the item or the member out that the focus is in, in [InItem]. The
// focus goes to the next, or to the one before.
func (f *View) Remove() {
	if f.Scope()&InItem == 0 {
		return
	}
	n := f.focus.Node.Removable()
	kids := n.Up().Kids()
	i := slices.IndexFunc(f.form.Rows(), func(r form.Row) bool { return r.Node == n || r.Node.Up() == n })
	if kids[len(kids)-1] == n {
		i--
	}
	n.Remove()
	f.settle(i)
}

// Shift moves the item that the focus is in by n places, in [InItem].
func (f *View) Shift(n int) {
	f.change(InItem, func(x *form.Node) {
		if item := x.Removable(); item.IsMovable() {
			item.Move(n)
		}
	})
}

// FlipField shows the field that has the focus as JSON, or as what it is. why says
// why it stays JSON.
func (f *View) FlipField() (why safe.Text) {
	if r := f.Focus(); r.Node == nil || r.Part != form.Value {
		return ""
	}
	f.change(InStops, func(n *form.Node) {
		if !n.Flip() {
			why = "this value is shown as JSON only"
		}
	})
	return why
}
