package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/task"
)

// A task of 2025-11-25 whose request does not complete successfully is failed: by an error, or by the
// result of a tool that says isError (TSK-67; basic/utilities/tasks). Status and outcome come in two
// messages, and a server may say one thing here and another there. In the extension both are in one, and
// the error of a tool is what a task is completed with.

// brought is what the outcome of a task was. An error that answers tasks/result may be about
// tasks/result itself.
//
//shape:part of runningTask
type brought struct {
	result  bool
	isError bool // … that says isError, in answer to tasks/result
	failed  bool // an error, and none of those that may be about tasks/result itself
	told    bool // that it and the status of the task disagree

	early *mcp.Frame // an error that came while the task went on, as far as was known; nil: none, or it was of tasks/result itself
	entry Seq        // … which message that was
}

// take takes the answer to tasks/result.
func (b *brought) take(f *mcp.Frame) {
	b.result, b.isError = f.Kind == mcp.FrameResult, f.Shape.IsError
	b.failed = f.Kind == mcp.FrameError && f.Error.Code != mcp.CodeInvalidParams && f.Error.Code != mcp.CodeMethodNotFound
}

// takeIn takes the outcome that a status of the extension holds.
func (b *brought) takeIn(f *mcp.Frame) {
	b.result, b.isError, b.failed = f.Kind == mcp.FrameResult, false, f.Kind == mcp.FrameError
}

// tell notes that such words are told, and reports whether they were not yet.
func (b *brought) tell(words string) bool {
	was := b.told
	b.told = was || words != ""
	return b.told && !was
}

// differs says how the status in which a task has ended disagrees with it; empty: they agree, or one of
// them has not come. Stopped says that belay has had the task be cancelled: what the server brings of
// such a one may be as far as the work came.
func (b *brought) differs(status task.Status, stopped bool) string {
	switch {
	case status == task.Failed && b.result && !b.isError:
		return failedWithResult
	case status == task.Completed && b.result && b.isError:
		return "the server says that the task is completed, and its outcome is a result that says isError"
	case status == task.Completed && b.failed:
		return "the server says that the task is completed, and its outcome is an error"
	case status == task.Cancelled && b.result && !b.isError && !stopped:
		return "the server says that the task is cancelled, and its outcome is a result that says no isError"
	}
	return ""
}

// differs says how the status in which a task has ended and its outcome disagree; empty: they do not.
func (k *runningTask) differs() string {
	return k.brought.differs(k.Status(), k.row.isCancelHandedOut())
}

// taskDiffers tells that status and outcome disagree, where they do, also in the row of the task if that
// has ended and was not cancelled. The words are evidence about a cancel; empty: nothing is told.
func (l *lint) taskDiffers(k *runningTask) (words string) {
	words = k.differs()
	if !k.brought.tell(words) {
		return ""
	}
	if k.Protocol == task.Core { // else what is wrong is told of the message
		l.diagnose(mcp.DiagTaskDiffers, k.row.id, "", words)
	}
	if c := k.row; c.state.IsTerminal() && !c.isCancelHandedOut() {
		l.note(c, words)
	}
	return words
}

// taskEarly has the row of a task that has ended by its outcome say that a poll finds the task at work
// after that (TSK-43; basic/utilities/tasks).
func (l *lint) taskEarly(k *runningTask, found []mcp.Problem) {
	early := slices.IndexFunc(found, func(p mcp.Problem) bool { return p.Code == mcp.DiagTaskEarly })
	if early >= 0 && k.row.state.IsTerminal() && !k.row.isCancelHandedOut() {
		l.note(k.row, "the outcome came before the task had ended: "+found[early].Detail)
	}
}

// deniesSuccess reports whether the server calls a task failed or cancelled whose outcome was a result. Which
// of the two came first makes no difference for what is shown of its call.
func (k *runningTask) deniesSuccess() bool {
	return k != nil && k.brought.result && (k.Status() == task.Failed || k.Status() == task.Cancelled)
}

// judged is how the call of a task ends by its outcome. A task that the server calls failed is no
// success, whatever its outcome is (TSK-66, TEX-21; basic/utilities/tasks, extensions/tasks).
func (k *runningTask) judged(o outcome) outcome {
	if o.to == Done && k.Status() == task.Failed {
		return outcome{to: Failed, says: saying(failedWithResult), told: true}
	}
	if words := k.differs(); words != "" {
		if o.says.text != "" {
			words = o.says.text + "; " + words
		}
		o.says = advising(words, o.says.remedy())
	}
	return o
}

const failedWithResult = "the server says that the task is failed, and its outcome is a result that says no isError"
