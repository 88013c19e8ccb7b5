package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/ui/form"
	"belay/ui/keymap"
)

// choosing are the places of the focus in which its node is set by keys that are
// no text.
func (f *formView) choosing() (s keymap.Scope) {
	n := f.focus.Node
	adds := f.focus.Part == form.Adding || f.focus.Part == form.Value && !n.Writes() && n.Adds() == n
	if adds {
		s |= inAdding
	}
	if f.focus.Part != form.Value {
		return s
	}
	if n.Writes() {
		if n.Input.Empty() && n.Set() {
			s |= inUnsetting
		}
		return s
	}
	switch n.Kind {
	case form.Object, form.List:
		if !n.Set() {
			s |= inOpening
			if !adds {
				s |= inFilling
			}
		}
	case form.Many:
		s |= inChoosing | inTicking
	case form.Choice, form.Variant:
		s |= inChoosing
		if n.Filter.Empty() {
			s |= inTurning
		}
	case form.JSON, form.Text, form.Number, form.Integer:
	}
	switch {
	case finds(n):
		s |= inFinding
	case n.Kind == form.Choice && !n.Fixed, n.Kind == form.Many:
		s |= inJumping
	}
	if n.Filter.Empty() && (n.Set() || n.Kind == form.Variant && n.Branch() >= 0) {
		s |= inUnsetting
	}
	return s
}

// turn chooses the option or the variant before, on the key left, or the one
// after.
func (f *formView) turn(key string) (why string) {
	d := 1
	if key == "left" {
		d = -1
	}
	f.focus.Node.Turn(d)
	return ""
}

func (f *formView) tick(string) (why string) {
	f.focus.Node.Toggle()
	return ""
}

func (f *formView) find(text string) (why string) {
	n := f.focus.Node
	n.Filter.Insert(text)
	n.Filtered()
	return ""
}

func (f *formView) jump(text string) (why string) {
	if !f.focus.Node.Jump(text) {
		return "no option begins with " + string(safe.QuotedCut(text, 20))
	}
	return ""
}

// unset takes the value away that has the focus: unset is not empty.
func (f *formView) unset(string) (why string) {
	n := f.focus.Node
	if n.Kind == form.Variant && !n.Writes() {
		n.Turn(-n.Branch() - 1)
	} else {
		n.Unset()
	}
	return ""
}

func (f *formView) open(string) (why string) {
	f.focus.Node.Open()
	return ""
}

// untyped says why what has the focus takes no text.
func (f *formView) untyped(m *Model) string {
	n := f.focus.Node
	to := string(m.glyphs.Out)
	switch {
	case f.focus.Part == form.Adding:
		return "nothing is typed here: space adds a member"
	case n.Fixed && n.Set():
		return "nothing else can be chosen here"
	case n.Fixed:
		return "nothing is typed here: " + to + " chooses the only value"
	case n.Kind == form.Variant:
		return "nothing is typed here: " + string(m.glyphs.In) + " " + to + " choose what it is"
	case n.Adds() == n:
		return "nothing is typed here: space adds to it"
	case !n.Set():
		return "nothing is typed here: " + to + " fills it in"
	}
	return "nothing is typed here: tab goes to what is in it"
}

// refuseKey says why a key did nothing.
func (m *Model) refuseKey(why string) tea.Cmd { return m.say(safe.Text(why), refused) }

// unused says of a key that does nothing here what it does in other places of
// forms and questions. Of any other key there is nothing to say.
func (m *Model) unused(k tea.KeyPressMsg) tea.Cmd {
	b, ok := m.keys.Find(inForm|inFields|inStops|inGrowing|inItem|inLines|inElicit|inSampling, k.String())
	if !ok {
		return nil
	}
	return m.refuseKey(k.String() + " does nothing here: it is for \"" + b.Name + "\"")
}
