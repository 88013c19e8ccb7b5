package wording

import (
	"strings"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/task"
)

// taskState is the state of a call that runs as a task: the word that the server said last.
func taskState(r session.Row) State {
	if r.Task.IsOdd {
		return oneForm(SignRunning, OddStatus(r.Task.Odd))
	}
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

// OddStatus names the word that a server says in place of a status of a task: no status of before is
// shown as if the server still said it. Said is foreign text; empty: the server says none.
func OddStatus(said string) safe.Text {
	if said == "" {
		return "status missing"
	}
	return safe.QuotedCut(said, 14) + ", no status"
}

// taskEndState is the state of a row whose task brought no outcome, or was not told of; false: it is that
// of any other row.
func taskEndState(r session.Row) (t State, ok bool) {
	switch {
	case r.Left:
		return oneForm(SignOther, "stopped waiting"), true
	case r.NotFound:
		return oneForm(SignFailed, "task not found"), true
	case r.Task == nil && r.Follows && r.State == session.Failed: // of the task nothing is known
		return oneForm(SignFailed, "tasks/get failed"), true
	case r.Task == nil:
	case r.State == session.Lost:
	case r.Task.FoundCancelled:
		return State{Sign: SignServerCancelled, Wide: "task is cancelled", Narrow: "is cancelled"}, true
	case r.Task.Status == task.Cancelled:
		return State{Sign: SignServerCancelled, Wide: "task was cancelled", Narrow: "was cancelled"}, true
	case r.Task.Status == task.Completed && r.ToolError: // in the extension, which does not call that failed
		return State{Sign: SignFailed, Wide: "completed · tool error", Narrow: "tool error"}, true
	case r.Task.End == task.Expired:
		return oneForm(SignFailed, "task expired"), true
	case r.Task.End == task.Gone:
		return oneForm(SignFailed, "task not found"), true
	}
	return State{}, false
}

// TaskSays is what the server said of the task of a failed or lost call with the last status, which
// the error of the call does not tell, or with a word in place of one; empty: the server said nothing, or
// the note of the call has it.
func TaskSays(r *session.Row) safe.Text {
	failed := r.Shown() == session.Failed || r.State == session.Lost || r.ToolError && r.State == session.Done
	if !failed || r.Task == nil || r.Task.Message == "" || strings.Contains(r.Note, sentence.Quoted(sentence.Clip(r.Task.Message))) {
		return ""
	}
	status, message := safe.Text(r.Task.Status.String()), safe.Quoted(r.Task.Message)
	if r.Task.IsOdd { // the message came with that word, and not with the status of before
		return "the server said of the task last, with " + OddStatus(r.Task.Odd) + ": " + message
	}
	if !r.Task.Status.IsTerminal() { // its end was not told, and what it is doing now nobody knows
		return "the server said of the task last, which was " + status + " then: " + message
	}
	return "the server says of the task, which is " + status + ": " + message
}

// TaskGoesOn names a task that has not ended by the end of belay, as far as is known: its ID picks
// it up again. A server over stdio ends with its connection, so that nobody but the server decides about
// its tasks.
func TaskGoesOn(over mcp.Transport, id string) safe.Text {
	words := safe.Text(" may go on at the server")
	if over == mcp.Stdio {
		words = mayOutlive
	}
	return "task " + safe.QuotedCut(id, mcp.MaxTaskID+2) + words
}

// UnnamedTaskGoesOn tells of a task whose ID did not come by the end of belay, or is unusable. Of is the
// call that may have made the task; empty: what it is said of.
func UnnamedTaskGoesOn(over mcp.Transport, of safe.Text, unusable bool) safe.Text {
	words, why := safe.Text("a task"), safe.Text(": its ID has not come")
	if of != "" {
		words += " of " + of
	}
	if unusable {
		why = ": its ID cannot be used"
	}
	if over == mcp.Stdio {
		return words + mayOutlive + why
	}
	return words + " may go on at the server" + why
}

const mayOutlive = " may go on, if it outlives the server's process"
