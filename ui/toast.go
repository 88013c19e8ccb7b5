package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/panel"
	"belay/ui/row"
)

// toast is the status line: one sentence, for a few seconds, until the next key,
// or until it is not true any more.
type toast struct {
	panel.Notice
	n int // counts the sentences, so that an old timer ends no new one
}

type toastMsg int

const toastTime = 6 * time.Second

func (t *toast) expire(n toastMsg) {
	if int(n) == t.n {
		t.clear()
	}
}

func (t *toast) clear() { *t = toast{n: t.n} }

// say shows a sentence in the status line; an empty one changes nothing.
func (m *Model) say(n panel.Notice) tea.Cmd {
	switch {
	case n.Clears:
		m.toast.clear()
		return nil
	case n.Text == "":
		return nil
	case n.Stays:
		m.toast.Text = n.Text
		return nil
	}
	m.toast = toast{Notice: n, n: m.toast.n + 1}
	m.dirty = true
	if m.opts.Frozen {
		return nil
	}
	is := m.toast.n
	return tea.Tick(toastTime, func(time.Time) tea.Msg { return toastMsg(is) })
}

// refreshToast ends a sentence that is not true any more.
func (m *Model) refreshToast() tea.Cmd {
	if m.toast.Until == nil {
		return nil
	}
	var instead safe.Text
	var over bool
	m.backend.View(func(s *session.Session) { instead, over = m.toast.Until(s) })
	switch {
	case !over:
		return nil
	case instead == "":
		m.toast.clear()
		return nil
	}
	return m.say(panel.Said(instead))
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

// finished tells how something ended that was done outside.
func (m *Model) finished(msg panel.Done) tea.Cmd {
	var cmds []tea.Cmd
	switch {
	case msg.Err != nil:
		cmds = append(cmds, m.say(panel.Error(msg.Err)))
	case msg.Say != "":
		cmds = append(cmds, m.say(panel.Said(msg.Say)))
	}
	if msg.Then != nil {
		cmds = append(cmds, msg.Then())
	}
	m.prompts.Redo() // an editor that comes home late changes what a locked panel shows
	return tea.Batch(cmds...)
}
