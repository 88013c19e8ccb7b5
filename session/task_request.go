package session

import (
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

const (
	methodCallTool   = "tools/call"
	methodTaskList   = "tasks/list"
	methodTaskUpdate = "tasks/update"
)

// spec is the request that is sent. The outcome of a task is waited for without a
// limit, as the server keeps it back until the end (TMO-16). The cancel of a task is given no
// clock beside that of its row, which is the grace: a timeout would cancel the cancel, and a
// server that heeds that lets the task go on against the wish of the user.
func (e *taskRequest) spec() CallSpec {
	if e.input != nil {
		return CallSpec{Method: methodTaskUpdate, Params: e.params, Origin: FromTask, NoProgress: true, Idle: pollLimit, Max: pollLimit}
	}
	spec := CallSpec{Method: e.does.Method(), Params: mcp.TaskParams(e.of.ID), Origin: FromTask, NoProgress: true, Idle: pollLimit, Max: pollLimit}
	if e.does == task.Get {
		spec.Idle = e.of.pollWithin()
		spec.Max = spec.Idle
	}
	if e.does == task.Result || e.does == task.Cancel {
		spec.Idle, spec.Max = -1, -1
	}
	return spec
}

// retryAfter is how long the server wants no other request after that of a call.
func (c *call) retryAfter() time.Duration {
	if c.req == nil {
		return 0
	}
	return c.req.retryAfter
}

// pollWithin is how long a poll may stay unanswered until another one is made. An answer may be lost,
// and what is known of the task is not to wait for it: so that is a multiple of the longest
// time that the server took for an answer, and twice as long after each poll that brought nothing.
func (k *runningTask) pollWithin() time.Duration {
	d := max(leastPollLimit, lateAnswer*k.slowest)
	for range min(k.Failures(), 8) {
		d *= 2
	}
	return min(d, pollLimit)
}

// answeredPoll takes it how long the server took to answer a poll.
func (k *runningTask) answeredPoll(e *taskRequest, now time.Time) {
	if e.does == task.Get && e.input == nil && !e.call.sent.IsZero() {
		k.slowest = max(k.slowest, now.Sub(e.call.sent))
	}
}

// undeclaredWords say what is true of a refusal for want of a capability, which names the
// capability; empty: the request was refused for something else.
func (e *taskRequest) undeclaredWords(f *mcp.Frame) string {
	if f.Kind != mcp.FrameError || f.Error.Code != mcp.CodeMissingCapability || e.of.Protocol != task.Extension {
		return ""
	}
	_, says := e.call.declaration().missingFor(&f.Error)
	return says.text
}

// requestFor is the request that a task wants.
func (k *runningTask) requestFor(a task.Action) *taskRequest {
	e := &taskRequest{of: k, does: a}
	k.Made(a)
	if a == task.Cancel {
		k.cancel = e
	}
	return e
}

// declaresTasks is the extension of tasks, where a request declares it: one that may be answered
// by the handle of a task, or that is about a task, of a server that has the extension as well
// (TEX-01, TEX-45; extensions/tasks).
func (c Config) declaresTasks(about *call, has mcp.Capabilities) []Capability {
	listens := about.isListen() && len(about.sub.asked.Tasks) > 0
	if about.about != nil && about.about.kind() == cancel.Task {
		return []Capability{CapTasks} // whatever made the task: the method belongs to the extension
	}
	if c.NoTasks || !has.TaskExtension || !taskMethods[about.Method] && !strings.HasPrefix(about.Method, "tasks/") && !listens {
		return nil
	}
	return []Capability{CapTasks}
}
