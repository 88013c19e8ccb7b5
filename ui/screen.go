package ui

import (
	"belay/ui/keymap"
	"belay/ui/layout"
	"belay/ui/panel"
	"belay/ui/question"
	"belay/ui/row"
	"belay/ui/scope"
)

// screen is what a panel may know of the screen.
func (m *Model) screen() panel.Screen {
	return panel.Screen{
		Looks: m.looks(), Status: m.snap.status, Now: m.snap.now, W: m.w, H: m.h, Layout: m.lay, Spin: m.spinner(),
		Top: m.modal(), Told: m.status.Notice(), Number: m.status.Number(), Free: m.isIdle(),
		Chosen: m.calls.Chosen(), AwaitsRetry: m.awaitsRetry(),
	}
}

// isIdle reports whether a question may take the screen by itself: no dialog is
// open, nothing is being typed, and the user looks at the calls (SEC-32).
func (m *Model) isIdle() bool {
	return len(m.stack) == 0 && m.focus == layout.Calls && m.lay.Mode != layout.Tiny && !m.leave.closing
}

// scope is where the keys work now.
func (m *Model) scope() keymap.Scope {
	_, asked := m.modal().(*question.Panel)
	switch {
	case asked && m.lay.Mode == layout.Tiny:
		return scope.Small
	case len(m.stack) > 0:
		return m.modal().Scope()
	}
	where := [...]keymap.Scope{layout.Calls: scope.Calls, layout.Detail: scope.Detail, layout.Wire: scope.Wire}[m.focus]
	if m.lay.Mode == layout.Tiny {
		where = scope.Tiny
	}
	if r, ok := m.target(); ok && (row.IsTask(r) || row.MayCancelAgain(r)) {
		where |= scope.Task
	}
	where |= m.replay.Scope()
	return where
}
