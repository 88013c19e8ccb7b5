// Package formview is a form that is filled in: the fields of a schema with the
// focus among them, and the same as raw JSON beside them. A form takes keys
// and text, draws itself, and returns the value, which package form holds. It knows
// neither the use of the value, nor its surroundings, nor the status line: for a key
// that cannot do anything it returns the reason.
package formview

import (
	"context"
	"slices"

	"belay/internal/form"
	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/secretfield"
	"belay/internal/wording"
	"belay/ui/theme"
)

// View is the form of one value. Make one with [New].
type View struct {
	looks  theme.Looks
	form   *form.Form
	focus  form.Row // what has it; its depth says nothing
	top    int      // the first row that is shown
	names  int      // the width of the column of names, for the frame that is drawn
	texts  int      // the rows that a text may take, for that frame
	notes  int      // the lines that the note of a row without the focus may take, for that frame
	noteOn int      // … and that of the row that has it
	tried  bool     // sending was tried: what is required and missing is told now

	away bool // the focus is on something of the owner's

	secrets  secretfield.Judged  // the fields that were judged
	defaults map[*form.Type]bool // which of the defaults that were judged have a secret in them
	bared    *form.Node          // the secret that is shown; nil: none is

	raw     edit.Area
	rawOn   bool
	rawFrom string // the JSON of the fields when the raw side was opened
	rawTook string // the JSON of the raw side that the fields hold, when they were made of it
	rawWhy  string // why the JSON cannot become a form

	unread *unread // the fields are not known yet
}

// unread is a schema that is still being read.
type unread struct {
	schema []byte
	use    form.Use
	value  []byte // to be taken over by the fields; nil: none
}

// New makes the fields of a form, the focus on the first.
func New(x *form.Form, looks theme.Looks) *View {
	f := &View{looks: looks, form: x, raw: edit.Area{Wrap: true}, secrets: secretfield.Judged{}, defaults: map[*form.Type]bool{}}
	f.Edge(false)
	return f
}

// Open makes the fields of a schema. Where it takes longer to read that than a key
// may wait, there are none before [View.Read]: until then the raw side is there.
func Open(schema []byte, u form.Use, looks theme.Looks) *View {
	x, err := form.Read(context.Background(), schema, u, form.AtOnce)
	if err == nil {
		return New(x, looks)
	}
	f := New(form.New(form.Schema{}), looks)
	f.unread = &unread{schema: schema, use: u}
	return f
}

// Unread is the schema that is still to be read, for [form.Read]; ok is false when
// there is none.
func (f *View) Unread() (schema []byte, u form.Use, ok bool) {
	if f.unread == nil {
		return nil, 0, false
	}
	return f.unread.schema, f.unread.use, true
}

// Read takes the form over that was read. What is on the raw side stays there. The
// error is that of a value that was to be taken over.
func (f *View) Read(x *form.Form) error {
	was := f.unread
	f.form, f.unread, f.focus = x, nil, form.Row{}
	away := f.away
	f.Edge(false)
	f.away = away
	if f.rawOn {
		f.rawFrom, f.rawTook = "", ""
	}
	if was != nil && was.value != nil {
		return f.Load(was.value)
	}
	return nil
}

// Form is the value that is filled in, to be read only.
func (f *View) Form() *form.Form { return f.form }

// IsRaw reports whether the raw JSON is shown, and not the fields.
func (f *View) IsRaw() bool { return f.rawOn }

// Focus is the row that has the focus; its Node is nil when none has it: there is
// none, the raw JSON is shown, or the focus is [View.IsAway]. Its depth says nothing.
func (f *View) Focus() form.Row {
	if f.away || f.rawOn {
		return form.Row{}
	}
	return f.focus
}

// IsAway reports whether the focus is on something of the owner's.
func (f *View) IsAway() bool { return f.away }

// Leave takes the focus away from the form: its owner has it, until [View.Return],
// [View.Edge] or a click.
func (f *View) Leave() {
	f.away = true
	f.Hide()
}

// Return gives the focus back to the row that had it.
func (f *View) Return() { f.away = false }

// Load takes a value over. One that a form could not give back is refused.
func (f *View) Load(raw []byte) error {
	if f.unread != nil {
		if _, err := form.ParseObject(raw); err != nil {
			return err
		}
		f.unread.value = raw
		return nil
	}
	if err := f.form.SetJSON(raw); err != nil {
		return err
	}
	f.rawOn = false
	f.Hide()
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
		f.focus.Node.ClearFilter()
		f.Hide()
	}
	f.focus = r
}

// Next moves the focus by n fields, and reports whether there is such a field; without one
// the focus stays.
func (f *View) Next(n int) bool {
	rows := f.form.Rows()
	to := f.at() + n
	if f.rawOn || to < 0 || to >= len(rows) {
		return false
	}
	f.goTo(rows[to])
	return true
}

// Line moves the cursor by n lines within a text of several lines, and reports whether there
// is such a line.
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
		f.goTo(rows[max(0, min(i, len(rows)-1))])
	}
}

// reload takes over what is written on the raw side, if it is another value than
// that of the fields. With all it is taken over in any case: what is unset among the
// fields is not there at all.
func (f *View) reload(all bool) error {
	text := f.raw.String()
	if text == f.rawTook || text == f.rawFrom && !all {
		return nil
	}
	i := f.at()
	if err := f.form.SetJSON([]byte(text)); err != nil {
		f.rawWhy = err.Error()
		return err
	}
	f.rawFrom, f.rawTook = text, text
	f.focus = form.Row{}
	f.settle(i)
	return nil
}

// Flip shows the other side: the fields, or the raw JSON. why says why the JSON
// stays: it is none, or no value of a form.
func (f *View) Flip() (why safe.Text) {
	if !f.rawOn {
		f.Hide()
		f.rawOn, f.rawWhy, f.rawTook = true, "", ""
		f.rawFrom = string(form.Indent(f.form.JSON()))
		f.raw.Set(f.rawFrom)
		return ""
	}
	if f.unread != nil {
		return unreadWords
	}
	if err := f.reload(false); err != nil {
		return noForm(err)
	}
	f.rawOn = false
	return ""
}

// unreadWords are why nothing is sent yet.
const unreadWords = "the form is still being read"

// Judging is the work of finding out what is wrong with the value, where that takes
// longer than a key may wait: it is done elsewhere, and its result is for
// [View.Judged]. ok is false where there is no such work, and [View.Value] says at
// once what is wrong.
func (f *View) Judging() (work func(context.Context) form.Judgement, ok bool) {
	if f.unread != nil || f.rawOn && f.reload(true) != nil || !f.form.IsUnjudged() {
		return nil, false
	}
	return f.form.Judging(), true
}

// Judged takes over the judgement that [View.Judging] made, and reports whether the value is
// still the one that was judged.
func (f *View) Judged(j form.Judgement) bool { return f.form.Judged(j) }

func noForm(err error) safe.Text { return "not shown as a form: " + safe.LineN(err.Error(), 200) }

// Value is the JSON that the form means, on one line. problem says what is wrong
// with it, and the focus goes there; it is empty when the value may be sent. A
// value that breaks the schema is returned beside its problem; what is no JSON
// object is not. byHand says that what breaks the schema was written as JSON:
// that is how a server is tried.
func (f *View) Value() (json []byte, problem safe.Text, byHand bool) {
	if f.unread != nil {
		return nil, unreadWords, false
	}
	f.tried = true
	if f.rawOn {
		if err := f.reload(true); err != nil {
			return nil, safe.LineN(err.Error(), 200), false
		}
	}
	json = f.form.JSON()
	n, why := f.form.Problem()
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
	return json, problem, f.rawOn || n.IsByHand()
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
	case n.IsMovable():
		return wording.Thousands(n.Index() + 1)
	case n.Name == "" && n.Up().Kind == form.Variant:
		return ""
	}
	return wording.Name(n.Name)
}
