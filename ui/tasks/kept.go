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

// Notice tells at once, and once, that tasks of an earlier run or connection may go on, that a
// task uses a key twice, and why the IDs of tasks are not kept that ought to be; empty: they are.
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
	screen := t.host.Screen()
	if t.offered == screen.Status.Epoch || !screen.IsSized() || screen.Status.Phase != session.Ready {
		return nil
	}
	n, of := t.adrift(), safe.Text(" of an earlier connection")
	if t.offered == 0 && n == 0 {
		n, of = len(t.before()), " of an earlier run"
	}
	t.offered = screen.Status.Epoch
	if n == 0 {
		return nil
	}
	may := safe.Text(" may still go on: :tasks shows them")
	if n == 1 {
		may = " may still go on: :tasks shows it"
	}
	return t.host.Say(panel.Said(wording.Count(n, "task") + of + may))
}

// adrift counts the tasks of this run whose connection has ended before they have.
func (t *Tasks) adrift() (n int) {
	t.host.View(func(s *session.Session) {
		newer := map[string]bool{}
		for _, r := range s.TaskRows(nil, rowsMost) {
			if r.Adrift && !newer[r.Task.ID] {
				n++
			}
			newer[r.Task.ID] = true
		}
	})
	return n
}
