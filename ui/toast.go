package ui

import (
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/session"
)

// toast is the status line: one sentence, for a few seconds or until the next
// key. Refusals are told here and never in a dialog.
type toast struct {
	text safe.Text
	kind toastKind
	n    int // counts the sentences, so that an old timer ends no new one
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
		t.text = ""
	}
}

func (t *toast) clear() { t.text = "" }

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

// sayError shows why something was refused or failed. The sentences of the
// core are belay's own, but may hold names of the server's.
func (m *Model) sayError(err error) tea.Cmd {
	var r *session.Refusal
	if errors.As(err, &r) {
		return m.say(safe.Line(r.Text), refused)
	}
	return m.say(safe.Line(err.Error()), failed)
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
	return tea.Batch(cmds...)
}
