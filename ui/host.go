package ui

import (
	tea "charm.land/bubbletea/v2"

	"belay/session"
	"belay/ui/panel"
)

// host is the screen as its panels know it.
type host struct{ m *Model }

func (h host) Do(in session.Input) (session.Reply, error) { return h.m.backend.Do(in) }

func (h host) View(f func(*session.Session)) { h.m.backend.View(f) }

func (h host) Screen() panel.Screen { return h.m.screen() }

func (h host) Say(n panel.Notice) tea.Cmd { return h.m.status.Say(n) }

func (h host) Push(p panel.Panel) { h.m.push(p) }

func (h host) Pop(p panel.Panel) { h.m.pop(p) }

// Want routes what a panel wants done.
func (h host) Want(w panel.Wish) tea.Cmd {
	switch w := w.(type) {
	case panel.Cancel:
		return h.m.cancelRow(w.Row, "")
	case panel.Repeat:
		return h.m.repeat(w.Call)
	case panel.Choose:
		h.m.calls.Choose(w.Call)
	case panel.Call:
		return h.m.asker.Before(w.Spec, func() tea.Cmd { return h.m.make(session.StartCall{Spec: h.m.input.limited(w.Spec)}, w.Made, w.After) })
	case panel.Subscribe:
		return h.m.subscribe(w.URI)
	case panel.Copy:
		return h.m.toClipboard(w.Value)
	case panel.Save:
		return h.m.saveData(w.Value)
	case panel.Edit:
		return h.m.editText(w)
	case panel.PaneKey:
		return h.m.paneKey(w.Key)
	case panel.Unused:
		return h.m.unused(w.Key)
	}
	return nil
}

// finished tells how something ended that was done outside.
func (m *Model) finished(msg panel.Done) tea.Cmd {
	var cmds []tea.Cmd
	switch {
	case msg.Err != nil:
		cmds = append(cmds, m.status.Say(panel.Error(msg.Err)))
	case msg.Say != "":
		cmds = append(cmds, m.status.Say(panel.Said(msg.Say)))
	}
	if msg.Then != nil {
		cmds = append(cmds, msg.Then())
	}
	m.questions.Redo() // an editor that comes home late changes what a locked panel shows
	return tea.Batch(cmds...)
}
