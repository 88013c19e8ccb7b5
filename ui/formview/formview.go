// Package formview is a form that is filled in: the fields of a schema with the
// focus among them, and the same as raw JSON beside them. It takes keys and text,
// draws itself, and gives the value that it means (package form holds that). It
// knows nothing of what becomes of the value, of who shows it, or of the status
// line: where something cannot be done, it returns why.
package formview

import (
	"slices"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/ui/spell"
	"belay/ui/theme"
)

// View is the form of one value. Make one with [New].
type View struct {
	looks theme.Looks
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

// New makes the fields of a schema, the focus on the first.
func New(s form.Schema, looks theme.Looks) *View {
	f := &View{looks: looks, form: form.New(s), raw: edit.Area{Wrap: true}}
	f.Edge(false)
	return f
}

// Form is the value that is filled in, to be read only.
func (f *View) Form() *form.Form { return f.form }

// Raw says whether the raw JSON is shown, and not the fields.
func (f *View) Raw() bool { return f.rawOn }

// Focus is the row that has the focus; its Node is nil when none has it: there is
// none, the raw JSON is shown, or the focus is [View.Away]. Its depth says nothing.
func (f *View) Focus() form.Row {
	if f.away || f.rawOn {
		return form.Row{}
	}
	return f.focus
}

// Away says whether the focus is on something of the owner's.
func (f *View) Away() bool { return f.away }

// Leave takes the focus away from the form: its owner has it, until [View.Return],
// [View.Edge] or a click.
func (f *View) Leave() { f.away = true }

// Return gives the focus back to the row that had it.
func (f *View) Return() { f.away = false }

// Load takes a value over. One that a form could not give back is refused.
func (f *View) Load(raw []byte) error {
	if err := f.form.SetJSON(raw); err != nil {
		return err
	}
	f.rawOn = false
	f.Edge(false)
	return nil
}

// at is the place of the focus among the rows, or -1.
func (f *View) at() int {
	return slices.IndexFunc(f.form.Rows(), func(r form.Row) bool {
		return r.Node == f.focus.Node && r.Part == f.focus.Part
	})
}

// goTo gives the focus to a row.
func (f *View) goTo(r form.Row) {
	if f.focus.Node != nil && f.focus.Node != r.Node {
		f.focus.Node.Clear()
	}
	f.focus = r
}

// Next moves the focus by n fields. It says false, and leaves it where it is,
// when there is none.
func (f *View) Next(n int) bool {
	rows := f.form.Rows()
	to := f.at() + n
	if f.rawOn || to < 0 || to >= len(rows) {
		return false
	}
	f.goTo(rows[to])
	return true
}

// Line moves the cursor by n lines within a text of several lines. It says false
// when there is none there.
func (f *View) Line(n int) bool {
	x := f.focus.Node
	return !f.away && !f.rawOn && x != nil && f.focus.Part == form.Value && x.Writes() && x.Input.Move(n)
}

// Edge puts the focus on the first field, or on the last.
func (f *View) Edge(last bool) {
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
func (f *View) settle(i int) {
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
func (f *View) reload() error {
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

// Flip shows the other side: the fields, or the raw JSON. why says why the JSON
// stays: it is none, or no value of a form.
func (f *View) Flip() (why safe.Text) {
	if !f.rawOn {
		f.rawOn, f.rawWhy = true, ""
		f.rawFrom = string(form.Indent(f.form.JSON()))
		f.raw.Set(f.rawFrom)
		return ""
	}
	if err := f.reload(); err != nil {
		return noForm(err)
	}
	f.rawOn = false
	return ""
}

func noForm(err error) safe.Text { return "not shown as a form: " + safe.Line(err.Error()) }

// Value is the JSON that the form means, on one line. problem says what is wrong
// with it, and the focus goes there; it is empty when the value may be sent. A
// value that breaks the schema is returned beside its problem; what is no JSON
// object is not. byHand says that what breaks the schema was written as JSON:
// that is how a server is tried.
func (f *View) Value() (json []byte, problem safe.Text, byHand bool) {
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
func (f *View) show(n *form.Node, part form.Part) {
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
