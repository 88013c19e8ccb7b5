package tasks

import (
	tea "charm.land/bubbletea/v2"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/panel"
)

// before are the tasks of an earlier run that may go on at this server.
func (t *Tasks) before() (kept []session.KeptTask) {
	now := t.host.Screen().Now
	t.host.View(func(s *session.Session) { kept = s.KeptBefore(now) })
	return kept
}

// Notice tells at once, and once, that tasks of an earlier run may go on, that a task uses a key
// twice, and why the IDs of tasks are not kept that ought to be; empty: they are.
func (t *Tasks) Notice(notKept string) tea.Cmd {
	if notKept != t.notKept {
		if t.notKept = notKept; notKept != "" {
			return t.host.Say(panel.Failed(safe.LineN(notKept, 400)))
		}
	}
	if n := t.host.Screen().Status.ReusedKeys; n != t.reused {
		more := n > t.reused
		if t.reused = n; more {
			return t.host.Say(panel.Failed("a task asks for something else under a key that was used: :ask shows it"))
		}
	}
	if screen := t.host.Screen(); t.offered || !screen.Sized() || screen.Status.Phase != session.Ready {
		return nil
	}
	t.offered = true
	n := len(t.before())
	if n == 0 {
		return nil
	}
	may := safe.Text(" may still go on: :tasks shows them")
	if n == 1 {
		may = " may still go on: :tasks shows it"
	}
	return t.host.Say(panel.Said(wording.Count(n, "task") + " of an earlier run" + may))
}
