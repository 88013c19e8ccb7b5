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
func (t *tasks) sight(k *runningTask, by task.Source, told mcp.Task) cancel.Sight {
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
	return cancel.Sight{
		Fate: fate, By: by.String(), Said: said,
		Message: told.Message, Dated: told.Updated, Polled: k.IsPolledAfterCancel() && !k.IsOut(task.Get),
		Apart: by == task.FromCancel && t.cfg.Transport == mcp.HTTP,
	}
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
