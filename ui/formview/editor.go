package formview

import (
	"belay/internal/form"
	"belay/internal/safe"
)

// Outside is what the user's editor gets: the text that has the focus, and
// otherwise the whole as JSON, with the ending of a file of that kind. take takes
// over what came of it. What is no JSON then is shown on the raw side, so that
// nothing of it is lost, and why says so.
func (f *View) Outside() (text, ending string, take func(after string) (why safe.Text)) {
	n := f.Focus().Node
	switch {
	case f.rawOn:
		return f.raw.String(), ".json", f.takeJSON
	case n == nil || f.focus.Part != form.Value || n.Kind != form.Text || n.AsJSON():
		return string(form.Indent(f.form.JSON())), ".json", f.takeJSON
	}
	return n.Input.String(), ".txt", func(after string) safe.Text {
		n.Input.Set(after)
		n.Input.End()
		n.Typed()
		return ""
	}
}

func (f *View) takeJSON(text string) (why safe.Text) {
	back := !f.rawOn
	if back {
		f.rawFrom = string(form.Indent(f.form.JSON()))
	}
	f.Hide()
	f.rawOn, f.rawWhy, f.rawTook = true, "", ""
	f.raw.Set(text)
	if f.unread != nil { // the fields that it is for are not there yet
		return ""
	}
	if err := f.reload(false); err != nil {
		return noForm(err)
	}
	f.rawOn = !back
	return ""
}
