package ui

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/remedy"
	"belay/ui/row"
)

// toast is the status line: one sentence, for a few seconds, until the next key,
// or until it is not true any more. Refusals are told here and never in a dialog.
type toast struct {
	text safe.Text
	kind toastKind
	n    int // counts the sentences, so that an old timer ends no new one

	before bool // it names the question that was answered just now
	asks   bool // it tells of a question that is not open, and would seem to tell of one that opens

	// over says that what the sentence tells of has ended, and what to say
	// instead; nil: nothing ends it.
	over func(*session.Session) (instead safe.Text, over bool)
}

type toastKind uint8

const (
	said    toastKind = iota // something was done
	refused                  // something cannot be done; nothing was
	failed                   // something went wrong
)

type toastMsg int

const toastTime = 6 * time.Second

func (t *toast) expire(n toastMsg) {
	if int(n) == t.n {
		t.clear()
	}
}

func (t *toast) clear() { *t = toast{n: t.n} }

// say shows a sentence in the status line.
func (m *Model) say(text safe.Text, kind toastKind) tea.Cmd {
	n := m.toast.n + 1
	m.toast = toast{text: text, kind: kind, n: n}
	m.dirty = true
	if m.opts.Frozen {
		return nil
	}
	return tea.Tick(toastTime, func(time.Time) tea.Msg { return toastMsg(n) })
}

// sayWhy says why something was not done; where it was, why is empty.
func (m *Model) sayWhy(why safe.Text) tea.Cmd {
	if why == "" {
		return nil
	}
	return m.say(why, refused)
}

// sayAside shows a sentence about a question that is not open, until one opens.
func (m *Model) sayAside(text safe.Text, kind toastKind) tea.Cmd {
	cmd := m.say(text, kind)
	m.toast.asks = true
	return cmd
}

// sayUntil shows a sentence that is true until over says so.
func (m *Model) sayUntil(text safe.Text, over func(*session.Session) (safe.Text, bool)) tea.Cmd {
	cmd := m.say(text, said)
	m.toast.over = over
	return cmd
}

// refreshToast ends a sentence that is not true any more.
func (m *Model) refreshToast() tea.Cmd {
	if m.toast.over == nil {
		return nil
	}
	var instead safe.Text
	var over bool
	m.backend.View(func(s *session.Session) { instead, over = m.toast.over(s) })
	switch {
	case !over:
		return nil
	case instead == "":
		m.toast.clear()
		return nil
	}
	return m.say(instead, said)
}

// untilEnded ends a sentence about a call with what became of the call.
func (m *Model) untilEnded(id session.CallID) func(*session.Session) (safe.Text, bool) {
	return func(s *session.Session) (safe.Text, bool) {
		r, ok := s.Row(id)
		if !ok {
			return "", true
		}
		if r.InFlight() {
			return "", false
		}
		return wording.Join("#"+safe.Line(r.Wire.String())+" "+m.words().State(r).Wide, row.TrailingNote(r)), true
	}
}

// untilAllEnded ends a sentence about several calls without another one.
func untilAllEnded(ids []session.CallID) func(*session.Session) (safe.Text, bool) {
	return func(s *session.Session) (safe.Text, bool) {
		for _, id := range ids {
			if r, ok := s.Row(id); ok && r.InFlight() {
				return "", false
			}
		}
		return "", true
	}
}

// sayError shows why something was refused or failed. The sentences of the
// core are belay's own, but may hold names of the server's.
func (m *Model) sayError(err error) tea.Cmd {
	var r *session.Refusal
	if errors.As(err, &r) {
		return m.say(errorWords(err), refused)
	}
	return m.say(errorWords(err), failed)
}

// errorWords say why something was refused or failed.
func errorWords(err error) safe.Text {
	var r *session.Refusal
	if errors.As(err, &r) {
		return remedy.With(safe.Line(r.Text), r.Remedy)
	}
	return safe.Line(err.Error())
}

// asciiDots spells the one character of the core's words that is not ASCII.
func asciiDots(t safe.Text) safe.Text {
	return safe.Text(strings.ReplaceAll(string(t), "…", "..."))
}

// doneMsg tells how something ended that was done outside.
type doneMsg struct {
	say  safe.Text
	err  error
	then func(*Model) tea.Cmd
}

func (m *Model) finished(msg doneMsg) tea.Cmd {
	var cmds []tea.Cmd
	switch {
	case msg.err != nil:
		cmds = append(cmds, m.sayError(msg.err))
	case msg.say != "":
		cmds = append(cmds, m.say(msg.say, said))
	}
	if msg.then != nil {
		cmds = append(cmds, msg.then(m))
	}
	if p, ok := m.panel(); ok {
		p.ask.doc = nil // an editor that comes home late changes what a locked panel shows
	}
	return tea.Batch(cmds...)
}
