package wording

import (
	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/session/task"
)

// taskState is the state of a call that runs as a task: the word that the server said last.
func taskState(r session.Row) State {
	word := safe.Text(r.Task.Status.String())
	switch r.Task.Status {
	case task.InputRequired:
		return oneForm(SignAsks, word)
	case task.Working:
		return progressing(word, r.Progress)
	case task.Unknown, task.Completed, task.Failed, task.Cancelled: // its outcome is fetched
	}
	return oneForm(SignRunning, word)
}

// taskEndState is the state of a row whose task brought no outcome; false: it is that of
// any other row.
func taskEndState(r session.Row) (t State, ok bool) {
	switch {
	case r.Left:
		return oneForm(SignOther, "stopped waiting"), true
	case r.Task == nil:
	case r.State == session.Lost:
	case r.Task.Status == task.Cancelled:
		return State{Sign: SignServerCancelled, Wide: "cancelled by the server", Narrow: "server cancelled"}, true
	case r.Task.Status == task.Completed && r.ToolError: // in the extension, which does not call that failed
		return State{Sign: SignFailed, Wide: "completed · tool error", Narrow: "tool error"}, true
	case r.Task.End == task.Expired:
		return oneForm(SignFailed, "task expired"), true
	case r.Task.End == task.Gone:
		return oneForm(SignFailed, "task not found"), true
	}
	return State{}, false
}

// TaskGoesOn names a task that has not ended, as far as is known: its ID picks it up again. Left
// says that the user left it, with the server alive.
func TaskGoesOn(left bool, id string) safe.Text {
	words := safe.Text(" goes on at the server")
	if !left {
		words = " may go on at the server"
	}
	return "task " + safe.QuotedCut(id, mcp.MaxTaskID+2) + words
}
