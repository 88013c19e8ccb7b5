package compose

import (
	"bytes"
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/secretfield"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// Form is the form for the arguments of a call, and below it the options of
// the call.
type Form struct {
	c       *Composer
	draft   string // the name of its draft
	method  string
	name    string // foreign
	about   about
	mirrors []mcp.Mirror // what goes out in the head of the call, too
	params  func(args []byte) ([]byte, error)

	Fields    *formview.View
	fresh     func() *formview.View // another one, in which nothing is filled in
	earlier   earlier
	room      image.Rectangle // of the fields, on the screen
	opt       int             // the option with the focus, when the fields do not have it
	opts      [numOptions]edit.Line
	optsOn    bool
	toConfirm []byte             // the arguments that are sent, although they break the schema, when the user presses the key once more
	optWhys   [numOptions]string // what is wrong with an option
	optOdd    [numOptions]string // what is odd about one that can be sent
	task      taskChoice
	rev       mcp.Revision       // by whose rules the _meta is judged
	secrets   secretfield.Judged // the fields that were judged
}

// View is the form of the arguments.
func (f *Form) View() *formview.View { return f.Fields }

// Scope is where its keys work.
func (f *Form) Scope() keymap.Scope {
	s := scope.Form | f.Fields.Scope()
	if n := f.Fields.Focus().Node; f.about.isLong() && !f.Fields.IsRaw() && (n == nil || !n.Writes() || n.Input.Height() == 1) {
		s |= scope.About
	}
	if f.optsOn && !f.Fields.IsRaw() {
		s |= formview.InStops
	}
	return s
}

// Step moves the focus by n fields, around the end.
func (f *Form) Step(n int) {
	switch {
	case !f.Fields.IsAway() && f.Fields.Next(n):
	case !f.Fields.IsAway() && f.optsOn:
		f.toOption((n - 1) / 2 % f.optCount())
	case !f.Fields.IsAway() || f.opt+n < 0 || f.opt+n >= f.optCount():
		f.Fields.Edge(n < 0)
	default:
		f.toOption(f.opt + n)
	}
}

// toOption puts the focus on an option; -1 is the last.
func (f *Form) toOption(o int) {
	f.Fields.Leave()
	f.opt = (o + f.optCount()) % f.optCount()
}

// Key types into the form, or into an option.
func (f *Form) Key(k tea.KeyPressMsg) tea.Cmd {
	f.toConfirm = nil
	if !f.Fields.IsAway() {
		return panel.TypeInto(f.c.host, f.Fields, k)
	}
	if cmd, taken := f.switchKey(k); taken {
		return cmd
	}
	if _, changed := f.opts[f.opt].Key(panel.FieldKey(k)); changed {
		f.judgeOptions()
	}
	return nil
}

// Paste puts text into the form, or into an option.
func (f *Form) Paste(text string) tea.Cmd {
	f.toConfirm = nil
	if f.Fields.IsAway() {
		if f.opt == optTask && f.task.why != "" {
			return f.c.host.Say(panel.Refused(f.task.why))
		}
		f.opts[f.opt].Insert(text)
		f.judgeOptions()
	} else {
		f.Fields.Paste(text)
	}
	return nil
}

// Close keeps the draft, and says so where something is in it.
func (f *Form) Close() tea.Cmd {
	f.c.host.Pop(f)
	f.c.drafts[f.draft] = f
	if !f.hasBegun() {
		return nil
	}
	return f.c.host.Say(panel.Said("the draft of " + wording.Name(f.name) + " is kept"))
}

// hasBegun reports whether something was filled in.
func (f *Form) hasBegun() bool {
	return f.optsOn || f.Fields.IsRaw() || !bytes.Equal(f.Fields.Form().JSON(), f.fresh().Form().JSON())
}

// Enter goes to the next field, and from the last one sends.
func (f *Form) Enter() tea.Cmd {
	switch {
	case f.Fields.IsAway() && f.opt == f.optCount()-1, !f.Fields.IsAway() && !f.optsOn && !f.Fields.Next(1):
		return f.submit()
	case f.Fields.IsAway() || f.optsOn:
		f.Step(1)
	}
	return nil
}

// toggleOptions shows the options and goes there, or hides them.
func (f *Form) toggleOptions() {
	f.optsOn = !f.optsOn
	f.Fields.Return()
	if f.optsOn {
		f.toOption(0)
	}
}

// submit sends, if nothing is wrong. JSON that was written by hand may break the
// schema, when it is sent a second time.
func (f *Form) submit() tea.Cmd {
	if cmd, waits := f.c.values.OnceJudged(f.Fields, f.submit); waits {
		return cmd
	}
	args, problem, byHand := f.Fields.Value()
	switch {
	case problem == "":
	case !byHand:
		return f.c.host.Say(panel.Refused("not sent: " + problem))
	case f.toConfirm == nil || !bytes.Equal(f.toConfirm, args):
		f.toConfirm = args
		return f.c.host.Say(panel.Refused("not sent yet: it breaks the schema · ctrl+s again sends it as it is"))
	}
	if cmd, waits := f.c.values.OnceConcealed(f.Fields, args, secretfield.Names(f.Fields.Form().Root), f.submit); waits {
		return cmd
	}
	return f.send(args)
}

// send makes the call, when the user has agreed to it where belay asks. The form stays
// where the call is refused: the server may have ended while it was filled in.
func (f *Form) send(args []byte) tea.Cmd {
	c, why := f.made(args)
	if why != "" {
		return f.c.host.Say(panel.Refused("not sent: " + why))
	}
	return f.c.host.Want(panel.Call{Spec: c, After: f.remember(args), Made: func() {
		f.c.host.Pop(f)
		delete(f.c.drafts, f.draft)
	}})
}

// made is the call that the form makes, and why it cannot be made. The option
// that is to blame gets the focus.
func (f *Form) made(args []byte) (c session.CallSpec, why safe.Text) {
	params, err := f.params(args)
	if err != nil {
		return c, safe.LineN(err.Error(), 300)
	}
	c = session.CallSpec{Method: f.method, Params: params}
	f.options(&c)
	for o, why := range f.optWhys {
		if why != "" {
			f.optsOn = true
			f.toOption(o)
			return c, optionWords[o].label + ": " + safe.LineN(why, 200)
		}
	}
	return c, ""
}
