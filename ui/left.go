package ui

import (
	"slices"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/task"
)

// leftTasks are lines about the tasks of this run that may go on, and whose rows have ended: they were left,
// or cancelled and did not end, or asked for and not seen, or their IDs have not come (TSK-75). Told are
// rows that other lines tell of.
func leftTasks(s *session.Session, told []session.CallID) (lines []safe.Text) {
	status := s.Status()
	add := func(call session.CallID, line safe.Text) {
		if !slices.Contains(told, call) {
			lines = append(lines, line)
		}
	}
	rows, newer := s.TaskRows(nil, -1), map[string]bool{} // the IDs of tasks that a newer row tells of
	ended := endedTasks(rows)
	for _, t := range rows {
		if mayGoOn(t) && !newer[t.Task.ID] && !ended[t.Task.ID].IsTerminal() {
			add(t.Call, wording.TaskGoesOn(status.Transport, t.Task.ID)+", of "+taskMaker(t.Wire, t.Tool))
		}
		newer[t.Task.ID] = true
	}
	for _, t := range s.UnseenTasks() {
		add(t.Call, wording.TaskGoesOn(status.Transport, t.ID)+", of "+taskMaker(t.Wire, t.Tool))
	}
	for _, t := range s.UnnamedTasks() {
		add(t.Call, wording.UnnamedTaskGoesOn(status.Transport, taskMaker(t.Wire, t.Tool), t.Unusable))
	}
	return lines
}

// endedTasks are the IDs of the tasks that have ended by any of their rows, and how.
func endedTasks(rows []*session.TaskRow) map[string]task.Status {
	ended := map[string]task.Status{}
	for _, t := range rows {
		if t.Task.Status.IsTerminal() && !t.Task.GoesOnSince {
			ended[t.Task.ID] = t.Task.Status
		}
	}
	return ended
}

// leftBefore counts the tasks that the lines after the end name, of which nothing is asked or awaited now.
func leftBefore(s *session.Session) int {
	status := s.Status()
	return max(0, len(leftTasks(s, nil))-status.PolledOn-status.KeptCancels)
}

// cancelsUndelivered counts the tasks that were cancelled and may go on, and whose cancel the user may send once more,
// as nothing shows that the server has read it.
func cancelsUndelivered(s *session.Session) (n int) {
	newer := map[string]bool{} // the IDs of tasks that a newer row tells of
	for _, t := range s.TaskRows(nil, -1) {
		if (t.Task.MayCancelAgain || t.Task.LeftUncancelled) && t.Task.CancelSentBy == "" && !newer[t.Task.ID] {
			n++
		}
		newer[t.Task.ID] = true
	}
	return n
}

// taskMaker names the call of a task, and the tool that it runs.
func taskMaker(wire mcp.ID, tool string) safe.Text {
	maker := "#" + safe.Line(wire.String())
	if tool == "" {
		return maker
	}
	return wording.Join(maker, wording.Name(tool))
}

// mayGoOn reports whether the row of a task has ended, and the task has not, as far as is
// known.
func mayGoOn(t *session.TaskRow) bool {
	return t.Task.OutlivesItsTime() || t.Task.GoesOnSince || (t.State == session.Lost || t.State == session.Cancelled) && !t.Task.IsKnownOver()
}
