package ui

import (
	"bytes"
	"image"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/edit"
	"belay/ui/keymap"
)

// callForm is the form for the arguments of a call, and below it the options of
// the call.
type callForm struct {
	draft   string // the name of its draft
	method  string
	name    string // foreign
	about   about
	mirrors []session.Mirror // what goes out in the head of the call, too
	params  func(args []byte) ([]byte, error)

	*formView
	room    image.Rectangle // of the fields, on the screen
	opt     int             // the option with the focus, when the fields do not have it
	opts    [numOptions]edit.Line
	optsOn  bool
	sure    []byte // the arguments that break the schema, of which the user was told
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

func (f *callForm) view() *formView { return f.formView }

func (f *callForm) scope() keymap.Scope {
	s := inForm | f.formView.scope()
	if n := f.focus.Node; f.about.long() && !f.rawOn && (f.away || n == nil || !n.Writes() || n.Input.Height() == 1) {
		s |= inAbout
	}
	if f.optsOn && !f.rawOn {
		s |= inStops
	}
	return s
}

// step moves the focus by n fields, around the end.
func (f *callForm) step(n int) {
	switch {
	case !f.away && f.next(n):
	case !f.away && f.optsOn:
		f.toOption((n - 1) / 2 % numOptions)
	case !f.away || f.opt+n < 0 || f.opt+n >= numOptions:
		f.edge(n < 0)
	default:
		f.toOption(f.opt + n)
	}
}

// toOption puts the focus on an option; -1 is the last.
func (f *callForm) toOption(o int) {
	f.away, f.opt = true, (o+numOptions)%numOptions
}

func (f *callForm) key(m *Model, k tea.KeyPressMsg) tea.Cmd {
	f.sure = nil
	if !f.away {
		return f.formView.key(m, k)
	}
	if _, changed := f.opts[f.opt].Key(k); changed {
		f.judgeOptions()
	}
	return nil
}

func (f *callForm) paste(_ *Model, text string) tea.Cmd {
	f.sure = nil
	if f.away {
		f.opts[f.opt].Insert(text)
		f.judgeOptions()
	} else {
		f.formView.paste(text)
	}
	return nil
}

// close keeps the draft.
func (f *callForm) close(m *Model) tea.Cmd {
	m.pop(f)
	m.input.drafts[f.draft] = f
	return m.say("the draft of "+named(f.name)+" is kept", said)
}

// enter goes to the next field, and from the last one sends.
func (f *callForm) enter(m *Model) tea.Cmd {
	switch {
	case f.away && f.opt == numOptions-1, !f.away && !f.optsOn && !f.next(1):
		return f.submit(m)
	case f.away || f.optsOn:
		f.step(1)
	}
	return nil
}

// toggleOptions shows the options and goes there, or hides them.
func (f *callForm) toggleOptions() {
	f.optsOn = !f.optsOn
	f.away = false
	if f.optsOn {
		f.toOption(0)
	}
}

// submit sends, if nothing is wrong. JSON that was written by hand may break the
// schema, when it is sent a second time.
func (f *callForm) submit(m *Model) tea.Cmd {
	args, problem, byHand := f.value()
	switch {
	case problem == "":
	case !byHand:
		return m.say("not sent: "+problem, refused)
	case f.sure == nil || !bytes.Equal(f.sure, args):
		f.sure = args
		return m.say("not sent yet: it breaks the schema · ctrl+s again sends it as it is", refused)
	}
	return f.send(m, args)
}

// send makes the call.
func (f *callForm) send(m *Model, args []byte) tea.Cmd {
	params, err := f.params(args)
	if err != nil {
		return m.sayError(err)
	}
	c := session.Call{Method: f.method, Params: params}
	f.options(&c)
	for o, why := range f.optWhys {
		if why != "" {
			f.optsOn = true
			f.toOption(o)
			return m.say("not sent: "+optionWords[o].label+": "+safe.Text(why), refused)
		}
	}
	m.pop(f)
	delete(m.input.drafts, f.draft)
	return m.call(c)
}

// judgeOptions says beside each option what is wrong with it.
func (f *callForm) judgeOptions() { f.options(&session.Call{}) }

// options reads the options into the call, and says in optWhys which are wrong.
func (f *callForm) options(c *session.Call) {
	f.optWhys = [numOptions]string{}
	for o := range f.opts {
		text := strings.TrimSpace(f.opts[o].String())
		if text == "" {
			continue
		}
		switch o {
		case optIdle, optMax, optAfter:
			d, err := parseLimit(text)
			if err != nil {
				f.optWhys[o] = "a duration such as 30s, 5m or 1h30m"
				continue
			}
			*[...]*time.Duration{&c.Idle, &c.Max, &c.Rules.After}[o] = d
		case optAt:
			v, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(text, "%")), 64)
			if err != nil || !(v > 0 && v <= 100) {
				f.optWhys[o] = "a percentage between 0 and 100"
				continue
			}
			c.Rules.AtFraction = v / 100
		}
	}
	c.Rules.After = max(0, c.Rules.After)
}

// setOptions shows the options of a call that is made again, where they are not
// the session's.
func (f *callForm) setOptions(_, _ time.Duration, r session.Rules) {
	if r.After > 0 {
		f.opts[optAfter].Set(shortDuration(r.After))
	}
	if r.AtFraction > 0 {
		f.opts[optAt].Set(strconv.FormatFloat(r.AtFraction*100, 'g', 4, 64) + "%")
	}
	f.optsOn = r.After > 0 || r.AtFraction > 0
}
