package ui

import (
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/edit"
	"belay/ui/form"
	"belay/ui/keymap"
)

// argForm is the form for the arguments of a call. Beside it is the same as
// raw JSON, and below it are the options of the call.
type argForm struct {
	draft  string // the name of its draft
	method string
	name   string // foreign
	about  string // foreign
	params func(args []byte) ([]byte, error)

	form  *form.Form
	focus int
	top   int
	tried bool // sending was tried: what is required and missing is told now

	raw     edit.Area
	rawOn   bool
	rawWhy  string // why the JSON cannot become a form
	opts    [numOptions]edit.Line
	optsOn  bool
	optWhys [numOptions]string
}

// The options of a call.
const (
	optIdle = iota
	optMax
	optAfter
	optAt
	numOptions
)

var optionWords = [numOptions]struct{ label, hint safe.Text }{
	optIdle:  {"timeout", "of silence: 30s, 5m, off; empty: the session's"},
	optMax:   {"at most", "in all: 10m, 1h, off; empty: the session's"},
	optAfter: {"cancel after", "a time: 2s; empty: never"},
	optAt:    {"cancel at", "a share of the progress: 50%; empty: never"},
}

// begin shows the side that can show the arguments.
func (f *argForm) begin() {
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

func (m *Model) openForm(f *argForm) { m.push(f) }

func (f *argForm) scope() keymap.Scope {
	if f.rawOn {
		return inRaw
	}
	return inForm
}

// fields is how many fields tab goes through.
func (f *argForm) fields() int {
	if f.optsOn {
		return len(f.form.Fields) + numOptions
	}
	return len(f.form.Fields)
}

// option is the option that has the focus, or -1.
func (f *argForm) option() int {
	if f.rawOn || f.focus < len(f.form.Fields) {
		return -1
	}
	return f.focus - len(f.form.Fields)
}

// step moves the focus by n fields, around the end.
func (f *argForm) step(n int) {
	if k := f.fields(); k > 0 {
		f.focus = (f.focus + n + k) % k
	}
}

func (f *argForm) key(_ *Model, k tea.KeyPressMsg) tea.Cmd {
	if f.rawOn {
		if _, changed := f.raw.Key(k); changed {
			f.rawWhy = ""
		}
		return nil
	}
	if o := f.option(); o >= 0 {
		if _, changed := f.opts[o].Key(k); changed {
			f.optWhys[o] = ""
		}
		return nil
	}
	if f.focus < len(f.form.Fields) {
		fieldKey(&f.form.Fields[f.focus], k)
	}
	return nil
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

func (f *argForm) paste(_ *Model, text string) tea.Cmd {
	switch o := f.option(); {
	case f.rawOn:
		f.raw.Insert(text)
	case o >= 0:
		f.opts[o].Insert(text)
	case f.focus < len(f.form.Fields):
		x := &f.form.Fields[f.focus]
		if !x.Choice() && x.Kind != form.Other {
			x.Input.Insert(text)
			x.Typed()
		}
	}
	return nil
}

// close keeps the draft.
func (f *argForm) close(m *Model) tea.Cmd {
	m.pop(f)
	m.input.drafts[f.draft] = f
	return m.say("the draft of "+named(f.name)+" is kept", said)
}

// enter goes to the next field, and from the last one sends.
func (f *argForm) enter(m *Model) tea.Cmd {
	if f.focus+1 < f.fields() {
		f.focus++
		return nil
	}
	return f.submit(m)
}

// flip shows the other side: the fields, or the raw JSON.
func (f *argForm) flip(m *Model) tea.Cmd {
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

func (f *argForm) toggleOptions() {
	f.optsOn = !f.optsOn
	f.focus = min(f.focus, max(0, f.fields()-1))
	if f.optsOn && !f.rawOn {
		f.focus = len(f.form.Fields)
	}
}

// submit sends, if nothing is wrong.
func (f *argForm) submit(m *Model) tea.Cmd {
	f.tried = true
	if f.rawOn {
		if err := f.form.SetJSON([]byte(f.raw.String())); err != nil {
			f.rawWhy = err.Error()
			return m.say("not sent: "+safe.Line(err.Error()), refused)
		}
	} else if i, why := f.form.Problem(); i >= 0 {
		f.focus = i
		return m.say("not sent: "+named(f.form.Fields[i].Name)+": "+safe.LineN(why, 200), refused)
	}
	return f.send(m)
}

// send makes the call.
func (f *argForm) send(m *Model) tea.Cmd {
	params, err := f.params(f.form.JSON())
	if err != nil {
		return m.sayError(err)
	}
	c := session.Call{Method: f.method, Params: params}
	if o, why := f.options(&c); why != "" {
		f.optsOn, f.optWhys[o] = true, why
		if !f.rawOn {
			f.focus = len(f.form.Fields) + o
		}
		return m.say("not sent: "+optionWords[o].label+": "+safe.Text(why), refused)
	}
	m.pop(f)
	delete(m.input.drafts, f.draft)
	return m.call(c)
}

// options reads the options into the call; o is the first that is wrong.
func (f *argForm) options(c *session.Call) (o int, why string) {
	const wrong = "a duration such as 30s, 5m or 1h30m"
	for o := range f.opts {
		text := strings.TrimSpace(f.opts[o].String())
		if text == "" {
			continue
		}
		switch o {
		case optIdle, optMax, optAfter:
			d, err := parseLimit(text)
			if err != nil {
				return o, wrong
			}
			*[...]*time.Duration{&c.Idle, &c.Max, &c.Rules.After}[o] = d
		case optAt:
			v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
			if err != nil || v <= 0 || v > 100 {
				return o, "a percentage between 0 and 100"
			}
			c.Rules.AtFraction = v / 100
		}
	}
	c.Rules.After = max(0, c.Rules.After)
	return 0, ""
}

// setOptions shows the options of a call that is made again, where they are not
// the session's.
func (f *argForm) setOptions(_, _ time.Duration, r session.Rules) {
	if r.After > 0 {
		f.opts[optAfter].Set(shortDuration(r.After))
	}
	if r.AtFraction > 0 {
		f.opts[optAt].Set(strconv.FormatFloat(r.AtFraction*100, 'g', 4, 64) + "%")
	}
	f.optsOn = r.After > 0 || r.AtFraction > 0
}
