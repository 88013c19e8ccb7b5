package ui

import (
	"bytes"
	"image"

	tea "charm.land/bubbletea/v2"

	"belay/internal/form/edit"
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/beside"
	"belay/ui/formview"
	"belay/ui/keymap"
	"belay/ui/panel"
	"belay/ui/scope"
)

// callForm is the form for the arguments of a call, and below it the options of
// the call.
type callForm struct {
	m       *Model
	draft   string // the name of its draft
	method  string
	name    string // foreign
	about   about
	mirrors []mcp.Mirror // what goes out in the head of the call, too
	params  func(args []byte) ([]byte, error)

	fields  *formview.View
	room    image.Rectangle // of the fields, on the screen
	opt     int             // the option with the focus, when the fields do not have it
	opts    [numOptions]edit.Line
	optsOn  bool
	sure    []byte             // the arguments that break the schema, of which the user was told
	optWhys [numOptions]string // what is wrong with an option
	optOdd  [numOptions]string // what is odd about one that can be sent
	rev     mcp.Revision       // by whose rules the _meta is judged
	secrets beside.Secrets     // the fields that were judged
}

func (f *callForm) View() *formview.View { return f.fields }

func (f *callForm) Scope() keymap.Scope {
	s := scope.Form | f.fields.Scope()
	if n := f.fields.Focus().Node; f.about.long() && !f.fields.Raw() && (n == nil || !n.Writes() || n.Input.Height() == 1) {
		s |= scope.About
	}
	if f.optsOn && !f.fields.Raw() {
		s |= formview.InStops
	}
	return s
}

// Step moves the focus by n fields, around the end.
func (f *callForm) Step(n int) {
	switch {
	case !f.fields.Away() && f.fields.Next(n):
	case !f.fields.Away() && f.optsOn:
		f.toOption((n - 1) / 2 % numOptions)
	case !f.fields.Away() || f.opt+n < 0 || f.opt+n >= numOptions:
		f.fields.Edge(n < 0)
	default:
		f.toOption(f.opt + n)
	}
}

// toOption puts the focus on an option; -1 is the last.
func (f *callForm) toOption(o int) {
	f.fields.Leave()
	f.opt = (o + numOptions) % numOptions
}

func (f *callForm) Key(k tea.KeyPressMsg) tea.Cmd {
	m := f.m
	f.sure = nil
	if !f.fields.Away() {
		return panel.TypeInto(m.host(), f.fields, k)
	}
	if _, changed := f.opts[f.opt].Key(panel.FieldKey(k)); changed {
		f.judgeOptions()
	}
	return nil
}

func (f *callForm) Paste(text string) tea.Cmd {
	f.sure = nil
	if f.fields.Away() {
		f.opts[f.opt].Insert(text)
		f.judgeOptions()
	} else {
		f.fields.Paste(text)
	}
	return nil
}

// close keeps the draft.
func (f *callForm) Close() tea.Cmd {
	m := f.m
	m.pop(f)
	m.input.drafts[f.draft] = f
	return m.say(panel.Said("the draft of " + wording.Name(f.name) + " is kept"))
}

// Enter goes to the next field, and from the last one sends.
func (f *callForm) Enter() tea.Cmd {
	switch {
	case f.fields.Away() && f.opt == numOptions-1, !f.fields.Away() && !f.optsOn && !f.fields.Next(1):
		return f.submit()
	case f.fields.Away() || f.optsOn:
		f.Step(1)
	}
	return nil
}

// toggleOptions shows the options and goes there, or hides them.
func (f *callForm) toggleOptions() {
	f.optsOn = !f.optsOn
	f.fields.Return()
	if f.optsOn {
		f.toOption(0)
	}
}

// submit sends, if nothing is wrong. JSON that was written by hand may break the
// schema, when it is sent a second time.
func (f *callForm) submit() tea.Cmd {
	m := f.m
	if cmd, waits := m.values.OnceJudged(f.fields, f.submit); waits {
		return cmd
	}
	args, problem, byHand := f.fields.Value()
	switch {
	case problem == "":
	case !byHand:
		return m.say(panel.Refused("not sent: " + problem))
	case f.sure == nil || !bytes.Equal(f.sure, args):
		f.sure = args
		return m.say(panel.Refused("not sent yet: it breaks the schema · ctrl+s again sends it as it is"))
	}
	if cmd, waits := m.values.OnceConcealed(f.fields, args, beside.SecretFields(f.fields.Form().Root), f.submit); waits {
		return cmd
	}
	return f.send(args)
}

// send makes the call, when the user has agreed to it where belay asks.
func (f *callForm) send(args []byte) tea.Cmd {
	m := f.m
	c, why := f.made(args)
	if why != "" {
		return m.say(panel.Refused("not sent: " + why))
	}
	return m.cautious(c, func() tea.Cmd {
		m.pop(f)
		delete(m.input.drafts, f.draft)
		return m.call(c)
	})
}

// made is the call that the form makes, and why it cannot be made. The option
// that is to blame gets the focus.
func (f *callForm) made(args []byte) (c session.CallSpec, why safe.Text) {
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
