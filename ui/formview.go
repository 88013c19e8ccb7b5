package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/edit"
	"belay/ui/form"
	"belay/ui/keymap"
	"belay/ui/spell"
)

// formView is the fields of a schema, and the same as raw JSON beside them. It
// knows nothing of what becomes of the value: who owns it sends it.
type formView struct {
	form  *form.Form
	focus form.Row // what has it; its depth says nothing
	top   int      // the first row that is shown
	names int      // the width of the column of names, for the frame that is drawn
	tried bool     // sending was tried: what is required and missing is told now

	away bool // the focus is on something of the owner's

	raw     edit.Area
	rawOn   bool
	rawFrom string // the JSON of the fields when the raw side was opened
	rawWhy  string // why the JSON cannot become a form
}

// formOwner is a modal with a form in it.
type formOwner interface {
	modal
	view() *formView
	// step moves the focus by n fields.
	step(n int)
	// enter goes to the next field; what it does on the last is the owner's.
	enter(m *Model) tea.Cmd
}

// newFormView makes the fields of a schema, the focus on the first.
func newFormView(s form.Schema) *formView {
	f := &formView{form: form.New(s), raw: edit.Area{Wrap: true}}
	f.edge(false)
	return f
}

// load takes a value over. One that a form could not give back is refused.
func (f *formView) load(raw []byte) error {
	if err := f.form.SetJSON(raw); err != nil {
		return err
	}
	f.rawOn = false
	f.edge(false)
	return nil
}

// scope is where the keys of the form work now. The owner adds its own.
func (f *formView) scope() keymap.Scope {
	switch {
	case f.away:
		return inFields | inStops
	case f.rawOn:
		return inRaw
	}
	s := inFields
	n := f.focus.Node
	if n == nil {
		return s
	}
	s |= inStops | f.choosing()
	if n.Adds() != nil {
		s |= inGrowing
	}
	if n.Removable() != nil {
		s |= inItem
	}
	if n.Writes() && n.Breaks() && f.focus.Part == form.Value {
		s |= inLines
	}
	return s
}

// at is the place of the focus among the rows, or -1.
func (f *formView) at() int {
	return slices.IndexFunc(f.form.Rows(), func(r form.Row) bool {
		return r.Node == f.focus.Node && r.Part == f.focus.Part
	})
}

// goTo gives the focus to a row.
func (f *formView) goTo(r form.Row) {
	if f.focus.Node != nil && f.focus.Node != r.Node {
		f.focus.Node.Clear()
	}
	f.focus = r
}

// next moves the focus by n fields. It says false, and leaves it where it is,
// when there is none.
func (f *formView) next(n int) bool {
	rows := f.form.Rows()
	to := f.at() + n
	if f.rawOn || to < 0 || to >= len(rows) {
		return false
	}
	f.goTo(rows[to])
	return true
}

// line moves the cursor by n lines within a text of several lines. It says false
// when there is none there.
func (f *formView) line(n int) bool {
	x := f.focus.Node
	return !f.away && !f.rawOn && x != nil && f.focus.Part == form.Value && x.Writes() && x.Input.Move(n)
}

// edge puts the focus on the first field, or on the last.
func (f *formView) edge(last bool) {
	f.away = false
	rows := f.form.Rows()
	switch {
	case len(rows) == 0:
		f.focus = form.Row{}
	case last:
		f.goTo(rows[len(rows)-1])
	default:
		f.goTo(rows[0])
	}
}

// settle gives the focus to the row at i, or to the last, if the one that had it
// is gone.
func (f *formView) settle(i int) {
	rows := f.form.Rows()
	switch {
	case f.at() >= 0:
	case len(rows) == 0:
		f.focus = form.Row{}
	default:
		f.focus = rows[max(0, min(i, len(rows)-1))]
	}
}

// reload takes over what is written on the raw side, if it is another value than
// that of the fields.
func (f *formView) reload() error {
	text := f.raw.String()
	if text == f.rawFrom {
		return nil
	}
	i := f.at()
	if err := f.form.SetJSON([]byte(text)); err != nil {
		f.rawWhy = err.Error()
		return err
	}
	f.rawFrom = text
	f.focus = form.Row{}
	f.settle(i)
	return nil
}

// flip shows the other side: the fields, or the raw JSON.
func (f *formView) flip(m *Model) tea.Cmd {
	if !f.rawOn {
		f.rawOn, f.rawWhy = true, ""
		f.rawFrom = string(form.Indent(f.form.JSON()))
		f.raw.Set(f.rawFrom)
		return nil
	}
	if err := f.reload(); err != nil {
		return m.say("not shown as a form: "+safe.Line(err.Error()), refused)
	}
	f.rawOn = false
	return nil
}

// value is the JSON that the form means, on one line. problem says what is wrong
// with it, and the focus goes there; it is empty when the value may be sent. A
// value that breaks the schema is returned beside its problem; what is no JSON
// object is not. byHand says that what breaks the schema was written as JSON:
// that is how a server is tried.
func (f *formView) value() (json []byte, problem safe.Text, byHand bool) {
	f.tried = true
	if f.rawOn {
		if err := f.reload(); err != nil {
			return nil, safe.Line(err.Error()), false
		}
	}
	json = f.form.JSON()
	n, why := f.form.Problem()
	if n != nil && f.rawOn { // what is unset among the fields is not there at all
		f.rawFrom = ""
		if err := f.reload(); err != nil {
			return nil, safe.Line(err.Error()), false
		}
		n, why = f.form.Problem()
	}
	if n == nil {
		return json, "", false
	}
	part := form.Value
	if n.NameProblem() != "" {
		part = form.Name
	}
	f.show(n, part)
	if problem = safe.LineN(why, 200); n.Up() != nil {
		problem = path(n) + ": " + problem
	}
	if f.rawOn {
		f.rawWhy = string(problem)
	}
	return json, problem, f.rawOn || n.ByHand()
}

// show gives the focus to a part of a node, or to the variant that stands for it.
// The whole has no row of its own: what is wrong with it stands above them all.
func (f *formView) show(n *form.Node, part form.Part) {
	for _, r := range []form.Row{{Node: n, Part: part}, {Node: n.Up(), Part: form.Value}} {
		if slices.ContainsFunc(f.form.Rows(), func(o form.Row) bool { return o.Node == r.Node && o.Part == r.Part }) {
			f.away = false
			f.goTo(r)
			return
		}
	}
}

// path names a node by those that it is in.
func path(n *form.Node) safe.Text {
	var t safe.Text
	for ; n != nil; n = n.Up() {
		name := pathName(n)
		if name != "" && t != "" {
			name += " > "
		}
		t = name + t
	}
	if t == "" {
		return "the whole"
	}
	return t
}

func pathName(n *form.Node) safe.Text {
	switch {
	case n.Up() == nil:
		return ""
	case n.Movable():
		return spell.Thousands(n.Index() + 1)
	case n.Name == "" && n.Up().Kind == form.Variant:
		return ""
	}
	return spell.Name(n.Name)
}
