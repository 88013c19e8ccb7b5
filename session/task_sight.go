package session

import (
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/task"
)

// taskFates are the ends of a task, as evidence about its cancel.
var taskFates = map[task.Status]cancel.TaskFate{
	task.Completed: cancel.TaskIsCompleted, task.Failed: cancel.TaskHasFailed, task.Cancelled: cancel.TaskIsCancelled,
}

// sight is what a message tells of a task, as evidence about its cancel.
func (k *runningTask) sight(by task.Source, told mcp.Task, over mcp.Transport) cancel.Sight {
	status := task.ParseStatus(told.Status)
	fate, ended := taskFates[status]
	said := status.String()
	switch {
	case status == task.Unknown && told.Status == "":
		fate, said = cancel.TaskIsUntold, "it has no status"
	case status == task.Unknown: // whatever the server means by that
		fate, said = cancel.TaskIsUntold, "its status is "+sentence.Name(told.Status)
	case !ended:
		fate = cancel.TaskGoesOn
	}
	s := cancel.Sight{
		Fate: fate, By: by.String(), Said: said,
		Message: told.Message, Dated: told.Updated, Polled: by != task.FromEarlierGet && k.IsPolledAfterCancel() && !k.IsOut(task.Get),
		Answers: by == task.FromCancel, Apart: by == task.FromCancel && over == mcp.HTTP, GoneOn: k.GoneOn(),
	}
	s.Earliest, s.Latest = k.EndedBetween(told)
	return s
}

// otherWords say why what was told of a task is not about this one; empty: it is.
func otherWords(k *runningTask, told mcp.Task) string {
	if told.Wrong != "" {
		return told.Wrong
	}
	if told.ID != k.ID {
		return "it is about " + sentence.Name(told.ID)
	}
	return ""
}

// untoldBy says why an answer to tasks/get tells nothing of the task; empty: it tells of it.
func (k *runningTask) untoldBy(f *mcp.Frame) string {
	switch n := f.Task; {
	case f.Kind == mcp.FrameError:
		return "it is " + f.Error.Words()
	case f.Kind != mcp.FrameResult:
		return problemWords(f).text
	case n == nil || tellsOfNoTask(f):
		return "it is no task"
	case otherWords(k, n.Task) != "":
		return otherWords(k, n.Task)
	case task.ParseStatus(n.Task.Status) == task.Unknown:
		return k.sight(task.FromEarlierGet, n.Task, mcp.Stdio).Said
	}
	return ""
}
