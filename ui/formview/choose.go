package formview

import (
	"belay/internal/form"
	"belay/internal/safe"
	"belay/ui/keymap"
)

// change changes the node that has the focus, which stays where it was if its row
// is gone then. Elsewhere than in a scope it does nothing.
func (f *View) change(in keymap.Scope, what func(n *form.Node)) {
	if f.Scope()&in == 0 {
		return
	}
	i := f.at()
	what(f.focus.Node)
	f.settle(i)
}

// Turn chooses the n-th option or variant after the chosen one, in [InChoosing].
// Where several can be chosen it moves the mark among them.
func (f *View) Turn(n int) { f.change(InChoosing, func(x *form.Node) { x.Turn(n) }) }

// Tick ticks the marked option, or takes its tick away, in [InTicking].
func (f *View) Tick() { f.change(InTicking, (*form.Node).Toggle) }

// Find adds to the text by which options are found, in [InFinding].
func (f *View) Find(text string) {
	f.change(InFinding, func(n *form.Node) {
		n.Filter.Insert(text)
		n.Filtered()
	})
}

// Jump goes to the next option that begins with the text, in [InJumping], or says
// that there is none.
func (f *View) Jump(text string) (why safe.Text) {
	f.change(InJumping, func(n *form.Node) {
		if !n.Jump(text) {
			why = "no option begins with " + safe.QuotedCut(text, 20)
		}
	})
	return why
}

// Unset takes the value away that has the focus, in [InUnsetting]: unset is not
// empty.
func (f *View) Unset() {
	f.change(InUnsetting, func(n *form.Node) {
		if n.Kind == form.Variant && !n.Writes() {
			n.Turn(-n.Branch() - 1)
		} else {
			n.Unset()
		}
	})
}

// Open fills in an object or a list, in [InOpening].
func (f *View) Open() { f.change(InOpening, (*form.Node).Open) }

// untyped says why what has the focus takes no text.
func (f *View) untyped() safe.Text {
	n, to := f.focus.Node, f.looks.Glyphs.Out
	switch {
	case f.hidesOptions(n) && f.focus.Part == form.Value:
		return "nothing is chosen among options that are not shown: alt+s shows them"
	case f.focus.Part == form.Adding:
		return "nothing is typed here: space adds a member"
	case n.Fixed && n.IsSet():
		return "nothing else can be chosen here"
	case n.Fixed:
		return "nothing is typed here: " + to + " chooses the only value"
	case n.Kind == form.Variant:
		return "nothing is typed here: " + f.looks.Glyphs.In + " " + to + " choose what it is"
	case n.Adds() == n:
		return "nothing is typed here: space adds to it"
	case !n.IsSet():
		return "nothing is typed here: " + to + " fills it in"
	}
	return "nothing is typed here: tab goes to what is in it"
}
