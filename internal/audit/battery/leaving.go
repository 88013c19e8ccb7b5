package battery

import (
	"fmt"
	"slices"

	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/task"
)

// inFlightNow are the calls of the tool, made on the connection, that have not ended.
func (r *run) inFlightNow() []session.CallID {
	return slices.DeleteFunc(slices.Clone(r.ids), func(id session.CallID) bool {
		row, ok := r.c.Row(id)
		return !ok || !row.IsInFlight()
	})
}

// goOn says what may go on at the server when the connection is closed, where these calls were in flight before
// that: tasks that have not ended, and over HTTP calls whose cancels have not reached it. A server over stdio has
// ended, and its calls with it.
func (r *run) goOn(flying []session.CallID) (lines []string) {
	over, undelivered := r.c.Status().Transport, 0
	for _, id := range r.ids {
		switch d, ok := r.c.Detail(id); {
		case !ok:
		case mayGoOn(d.Task):
			lines = append(lines, string(wording.TaskGoesOn(over, d.Task.ID)))
		case over == mcp.HTTP && slices.Contains(flying, id) && (momentsOf(&d).cancelled.IsZero() || d.Undelivered != ""):
			undelivered++
		}
	}
	r.c.View(func(s *session.Session) {
		for _, t := range s.UnnamedTasks() {
			lines = append(lines, string(wording.UnnamedTaskGoesOn(over, "a call", t.Unusable)))
		}
	})
	if undelivered > 0 {
		lines = append(lines, fmt.Sprintf("%s may go on at the server: no cancel reached it", wording.Count(undelivered, "call")))
	}
	return lines
}

// mayGoOn reports whether a task may go on, as far as is known; nil is none.
func mayGoOn(t *session.TaskView) bool {
	return t != nil && !t.Status.IsTerminal() && t.End != task.Expired && t.End != task.Gone
}
