package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/edit"
	"belay/ui/form"
	"belay/ui/keymap"
)

// formView is the fields of a schema, and the same as raw JSON beside them. It
// knows nothing of what becomes of the value: who owns it sends it.
type formView struct {
	form   *form.Form
	focus  int
	top    int
	tried  bool // sending was tried: what is required and missing is told now
	away   bool // the focus is on something of the owner's
	locked bool // shows what was typed and takes no key

	raw    edit.Area
	rawOn  bool
	rawWhy string // why the JSON cannot become a form
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
	f := &formView{form: form.New(s)}
	f.begin()
	return f
}

// begin shows the side that can show the value.
func (f *formView) begin() {
	f.focus = 0
	if f.form.Schema.Nested != "" && !f.rawOn {
		f.rawOn = true
		text := f.form.JSON()
		if string(text) == "{}" {
			text = f.form.Schema.Skeleton()
		}
		f.raw.Set(string(form.Indent(text)))
	}
}

// load takes a value over. One that a form could not give back is refused.
func (f *formView) load(raw []byte) error {
	if err := f.form.SetJSON(raw); err != nil {
		return err
	}
	f.rawOn = false
	f.begin()
	return nil
}

// empty says whether there is nothing to fill in.
func (f *formView) empty() bool {
	return len(f.form.Fields) == 0 && f.form.Schema.Nested == ""
}

// scope is where the keys of the form work now. The owner adds its own.
func (f *formView) scope() keymap.Scope {
	switch {
	case f.locked:
		return 0
	case f.rawOn && !f.away:
		return inRaw
	}
	return inFields
}

// next moves the focus by n fields. It says false, and leaves it where it is,
// when there is none.
func (f *formView) next(n int) bool {
	to := f.focus + n
	if f.rawOn || to < 0 || to >= len(f.form.Fields) {
		return false
	}
	f.focus = to
	return true
}

// edge puts the focus on the first field, or on the last.
func (f *formView) edge(last bool) {
	f.focus, f.away = 0, false
	if last {
		f.focus = max(0, len(f.form.Fields)-1)
	}
}

// key edits what has the focus.
func (f *formView) key(_ *Model, k tea.KeyPressMsg) tea.Cmd {
	switch {
	case f.locked || f.away:
	case f.rawOn:
		if _, changed := f.raw.Key(k); changed {
			f.rawWhy = ""
		}
	case f.focus < len(f.form.Fields):
		fieldKey(&f.form.Fields[f.focus], k)
	}
	return nil
}

// paste puts text into what has the focus.
func (f *formView) paste(text string) {
	switch {
	case f.locked || f.away:
	case f.rawOn:
		f.raw.Insert(text)
	case f.focus < len(f.form.Fields):
		x := &f.form.Fields[f.focus]
		if !x.Choice() && x.Kind != form.Other {
			x.Input.Insert(text)
			x.Typed()
		}
	}
}

// fieldKey edits a field. Backspace in one that is empty takes its value away:
// unset is not empty.
func fieldKey(x *form.Field, k tea.KeyPressMsg) {
	if x.Kind == form.Other {
		return
	}
	if x.Choice() {
		switch key := k.String(); key {
		case "right", "space", "l":
			x.Turn(1)
		case "left", "h":
			x.Turn(-1)
		case "backspace", "delete", "ctrl+u":
			x.Unset()
		default:
			if k.Text != "" {
				x.Pick(k.Text)
			}
		}
		return
	}
	if x.Input.Empty() && (k.String() == "backspace" || k.String() == "ctrl+u") {
		x.Unset()
		return
	}
	if _, changed := x.Input.Key(k); changed {
		x.Typed()
	}
}

// flip shows the other side: the fields, or the raw JSON.
func (f *formView) flip(m *Model) tea.Cmd {
	if !f.rawOn {
		f.rawOn = true
		f.rawWhy = ""
		f.raw.Set(string(form.Indent(f.form.JSON())))
		return nil
	}
	if err := f.form.SetJSON([]byte(f.raw.String())); err != nil {
		f.rawWhy = err.Error()
		return m.say("not shown as a form: "+safe.Line(err.Error()), refused)
	}
	f.rawOn = false
	return nil
}

// value is the JSON that the form means. problem says what is wrong with it, and
// the focus goes there; it is empty when the value may be sent.
func (f *formView) value() (json []byte, problem safe.Text) {
	f.tried = true
	if f.rawOn {
		if err := f.form.SetJSON([]byte(f.raw.String())); err != nil {
			f.rawWhy = err.Error()
			return nil, safe.Line(err.Error())
		}
	} else if i, why := f.form.Problem(); i >= 0 {
		f.focus, f.away = i, false
		return f.form.JSON(), named(f.form.Fields[i].Name) + ": " + safe.LineN(why, 200)
	}
	return f.form.JSON(), ""
}
