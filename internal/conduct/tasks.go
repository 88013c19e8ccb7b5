package conduct

import (
	"time"

	"belay/internal/peer"
)

// The words of the verdicts about a cancelled task (docs/verdicts.md).
const (
	TaskCancelled      = "task cancelled"
	TaskCompleted      = "task completed"
	TaskWorking        = "task still working"
	TaskUnseen         = "task not seen again"
	TaskRefused        = "task cancel refused"
	TaskUnacknowledged = "task cancel not acknowledged"
)

// TaskConduct is the behaviour of a server towards a call that runs as a task and is
// cancelled, and what is true of it in each of the two protocols.
type TaskConduct struct {
	Name   string
	Script peer.TaskScript
	Early  bool // the user cancels before the answer that creates the task, and then calls the fast tool

	Core, Extension TaskWant
}

// TaskWant is what is true of a conduct in one protocol. Where the row may have ended with an
// earlier verdict, which then grows, Verdict is the last one.
type TaskWant struct {
	Verdict []string // any of these
	Has     []string // what the detail of the call has; regular expressions
	Lacks   []string // … and what it has not
}

// Want is what is true on a way.
func (c TaskConduct) Want(way Way) TaskWant {
	switch {
	case way.Revision() == "2025-11-25":
		return c.Core
	case c.Early && way.IsHTTP(): // the exchange is closed: no handle can come
		return TaskWant{Verdict: []string{StreamClosed}}
	}
	return c.Extension
}

// TaskWays are those on which conducts of tasks are played.
var TaskWays = []Way{Stdio, StdioModern, JSON, HTTPModern}

// noProof is what is said of an acknowledgement.
const noProof = `the server answered tasks/cancel: that alone is no proof`

// claim is what must not be said of a task that went on.
const claim = `(?i)the (server|task) (has )?stopped`

// Tasks are the conducts of tasks that there are. Their names are unique.
func Tasks() []TaskConduct {
	same := func(c TaskConduct, verdict string, has ...string) TaskConduct {
		w := TaskWant{Verdict: []string{verdict}, Has: has}
		if verdict != TaskCancelled {
			w.Lacks = []string{claim}
		}
		c.Core, c.Extension = w, w
		return c
	}
	completed := TaskWant{Verdict: []string{TaskCompleted, Crossed}, Has: []string{`says that the task is completed`}, Lacks: []string{claim}}
	late := same(TaskConduct{Script: peer.TaskScript{CreateHeld: true}, Early: true}, TaskCancelled, `the handle of the task came after the cancel was wanted`)
	all := []TaskConduct{
		same(TaskConduct{Name: "a task that is cancelled"}, TaskCancelled, noProof, `says that the task is cancelled`),
		same(TaskConduct{Name: "a task that completes all the same", Script: peer.TaskScript{Completes: 1500 * time.Millisecond}},
			TaskCompleted, noProof, `tasks/get says that the task is completed`, `completed the task all the same`, `result, first seen [0-9.]+m?s later`),
		same(TaskConduct{Name: "a task that stays working", Script: peer.TaskScript{StaysOn: true}}, TaskWorking, noProof, `tasks/get says that the task is working`),
		same(TaskConduct{Name: "a task whose cancel is not answered", Script: peer.TaskScript{Unanswered: true}}, TaskUnacknowledged, `tasks/cancel was not answered`),
		{
			Name: "a task that vanishes", Script: peer.TaskScript{Vanishes: true},
			Core:      TaskWant{Verdict: []string{TaskCancelled}, Has: []string{`the answer to tasks/cancel says that the task is cancelled`}},
			Extension: TaskWant{Verdict: []string{TaskUnseen}, Has: []string{noProof, `does not find the task any more`}, Lacks: []string{claim}},
		},
		{
			Name: "a task that had completed", Script: peer.TaskScript{Finished: true},
			Core: TaskWant{Verdict: []string{TaskRefused}, Has: []string{`the server refused tasks/cancel`, `tasks/get says that the task is completed`}, Lacks: []string{claim}},
			// A server that has no processor for longer than the bound dates the end after the cancel, and is believed.
			Extension: TaskWant{Verdict: []string{Crossed, TaskCompleted}, Has: []string{`may have ended before the server read the cancel|by the server's dates the task ended [0-9.]+ m?s after the cancel, at the earliest`}, Lacks: []string{claim}},
		},
		{
			Name: "a task that is cancelled, and then completes", Script: peer.TaskScript{Flips: true},
			Core:      TaskWant{Verdict: []string{TaskCancelled}, Has: []string{`the answer to tasks/cancel says that the task is cancelled`, `tasks/get says that the task is completed, .*the first word stays`}},
			Extension: completed,
		},
		{Name: "a task whose outcome is told before its cancel is answered", Script: peer.TaskScript{ResultFirst: true}, Core: completed, Extension: completed},
		same(TaskConduct{Name: "a task whose status is told before its handle", Script: peer.TaskScript{StatusFirst: true, CreateAfter: 200 * time.Millisecond}}, TaskCancelled, noProof),
		same(TaskConduct{Name: "a task that asks for input", Script: peer.TaskScript{Asks: true}}, TaskCancelled, noProof),
	}
	late.Name = "a handle that comes after the cancel"
	all = append(all, late)
	late.Name, late.Script.StatusFirst = "a status and then a handle that come after the cancel", true
	return append(all, late)
}
