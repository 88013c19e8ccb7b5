package session

import (
	"crypto/sha256"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
	"belay/session/task"
	"belay/session/timer"
)

// runningTask is a task of the server's, with the row that it is shown in.
//
//shape:value 6 of tasks
type runningTask struct {
	followed bool // it is one of [tasks.all]
	isShared bool // another row has, or had, a task with its ID

	task.Life
	row     *call
	slowest time.Duration              // the longest time that an answer to a poll took
	cancel  *taskRequest               // tasks/cancel, from when it is made on; nil: none
	shown   task.Status                // the last one that the timeline tells
	inputs  map[string]*taskInput      // of the extension, by their keys
	refused map[[sha256.Size]byte]bool // what of its inputs was wrong, and was told

	forgotten   bool    // the user wants nothing of it be kept
	tool        string  // … and this was known of it by what was kept, for its row of the past; foreign text
	isTakenBack bool    // its cancel was, before any of it had left
	leftEarly   bool    // the user stopped waiting before it was seen what the cancel did
	noOutcome   string  // why the last tasks/result brought no outcome; may hold foreign text
	brought     brought // by the answer to tasks/result
	foundOver   bool    // it was picked up, and cancelled by then: by whom is not known
	untold      bool    // the server was asked to tell of it, and does not

	leaveHeldAt time.Time // when tasks/result is waited for no more; zero: it is waited for, or not out
}

// taskRequest is a request about a task. It is a call of belay's own, with all that a call has,
// but for a row of its own: what comes of it is shown in the row of the task.
//
//shape:value 7 of tasks
type taskRequest struct {
	of     *runningTask
	does   task.Action
	call   *call
	input  *serverRequest // of tasks/update: what it answers; else nil
	params Bytes          // … and its parameters
	again  bool           // … and the row says that an answer of before was not taken, or may not have been
	taken  bool           // the task was told what came of it

	overdue bool // of the tasks/cancel for a late handle: it was not answered in time
}

// markTaken notes that the task was told how the request ended, and reports whether that was
// noted before.
func (e *taskRequest) markTaken() bool {
	was := e.taken
	e.taken = true
	return was
}

// tasks are the tasks of this connection that belay follows, and what of them is still to be
// carried out.
//
//shape:machine 5
type tasks struct {
	*writer
	timers   *timer.List
	lint     *lint
	results  *results
	catalog  *catalog
	incoming *incoming
	handles  *handles

	followedTasks
	taskWork
	taskIDs
	notices earlyNotices
	reused  int // the keys that tasks used for something else
	listed  taskList
}

const (
	// pollLimit is how long a server may take to answer tasks/get, tasks/update or tasks/list.
	pollLimit = 30 * time.Second
	// leastPollLimit is how long it may take at least for tasks/get, and lateAnswer how many times as
	// long as the slowest answer so far.
	leastPollLimit = 5 * time.Second
	lateAnswer     = 4
)

// begin forgets the tasks of the connection before.
func (t *tasks) begin() {
	t.forget()
	t.taskIDs, t.reused = taskIDs{ids: map[string]pastTask{}}, 0
	t.listed = taskList{}
}

// onRequestOver implements follower. Unless the answer came, the task is told of the end once the
// input at hand is carried out.
func (t *tasks) onRequestOver(of followUp, o outcome) {
	e := of.(*taskRequest)
	if e.markTaken() {
		return
	}
	why := o.says.text
	if why == "" {
		why = o.to.String()
	}
	if o.to == Cancelling {
		why = "it took too long"
	}
	t.miss(e, why)
}

// forget ends the following of all tasks: there is no connection any more.
func (t *tasks) forget() {
	t.stopFollowingAll()
	t.taskWork, t.notices = taskWork{}, nil
}

// onDue implements follower.
func (t *tasks) onDue(c *call) { t.touch(c.task()) }

// add follows a task whose handle has come, or of which the ID alone is known.
func (t *tasks) add(k *runningTask) {
	known, guessable := t.learn(k.ID, k.Status() != task.Unknown)
	t.startFollowing(k)
	if known {
		t.rows.shareTask(k)
	}
	if known && !k.row.Watch { // one that was picked up is no new task
		t.diagnose(mcp.DiagTaskTwice, k.row.id, k.ID, k.ID)
	}
	if guessable {
		t.diagnose(mcp.DiagTaskID, k.row.id, "", k.ID)
	}
	t.touch(k)
}

// drop follows a task no more.
func (t *tasks) drop(k *runningTask) {
	t.stopFollowing(k)
	t.past(k)
	t.timers.Stop(k.row.due(dueFollow))
	if k.row.state == Cancelled {
		t.timers.Stop(k.row.due(dueStop))
	}
}

// goesOnAsTask reports whether progress of a call that was answered may still come, since the call
// goes on as a task of 2025-11-25 (PRG-13; basic/utilities/progress).
func (c *call) goesOnAsTask() bool {
	return c.task() != nil && c.task().Protocol == task.Core && !c.task().Status().IsTerminal()
}

// shownAs is the row that what comes for a call is shown in.
func (c *call) shownAs() CallID {
	if c.about != nil {
		return c.about.rowOf().id
	}
	return c.id
}

// handleOf is the task that an answer to a call is the handle of; nil: it is none.
func (n *connection) handleOf(c *call, f *mcp.Frame) *mcp.TaskNote {
	switch {
	case f.Kind != mcp.FrameResult || f.Task == nil || c.about != nil || c.task() != nil || n.wrongHandle(c, f) != "":
		return nil
	case c.Watch && c.stop != nil && !c.pickUp.stops: // nobody waits for the task, or wants it cancelled
		return nil
	case c.Watch:
		if f.Task.Is && !f.Task.Nested {
			return f.Task
		}
	case n.taskProtocol() == task.Extension:
		if f.Shape.ResultType == mcp.ResultTask && taskMethods[c.Method] && c.req.declared.tasks {
			return f.Task
		}
	case n.isAugmented(c) && f.Task.Nested:
		return f.Task
	}
	return nil
}

// wrongHandle says why an answer that is meant as the handle of a task is none; empty: it is one,
// or no handle at all (TSK-19; basic/utilities/tasks).
func (n *connection) wrongHandle(c *call, f *mcp.Frame) string {
	switch t := f.Task; {
	case f.Kind != mcp.FrameResult || c.about != nil:
	case c.Watch && c.task() == nil && tellsOfNoTask(f):
		return "it tells of no task"
	case t == nil:
	case c.Watch && t.Is && t.Task.Wrong == "" && t.Task.ID != c.target:
		return "asked of " + sentence.Name(c.target) + ", told of " + sentence.Name(t.Task.ID)
	case c.Watch, n.isAugmented(c) && t.Nested, n.taskProtocol() == task.Extension && f.Shape.ResultType == mcp.ResultTask && c.req.declared.tasks:
		return t.Task.Wrong
	}
	return ""
}

// tellsOfNoTask reports whether a result that is complete tells of no task at all.
func tellsOfNoTask(f *mcp.Frame) bool {
	complete := f.Shape.ResultType == "" || f.Shape.ResultType == mcp.ResultComplete
	return complete && f.Shape.Kind == '{' && (f.Task == nil || !f.Task.Is && f.Task.Task.Wrong == "" || f.Task.Nested)
}

// faultOfHandle is what a wrong handle breaks. Who asked for a task by its ID was told of another, or of none.
func faultOfHandle(c *call, f *mcp.Frame) mcp.DiagCode {
	if c.Watch && (f.Task == nil || f.Task.Task.Wrong == "") {
		return mcp.DiagTaskOther
	}
	if f.Task.Task.Long {
		return mcp.DiagTaskLongID
	}
	return mcp.DiagTaskShape
}

// taskMethods are the methods whose calls may run as tasks (TEX-07; extensions/tasks).
var taskMethods = map[string]bool{methodCallTool: true}

// isLeft reports whether the user waits for the task of a call no more.
func (c *call) isLeft() bool { return c.task() != nil && c.task().End() == task.Left }

// follow has a task be looked at, and polled again where that was given up.
func (t *tasks) follow(k *runningTask) {
	if k.followed {
		t.touch(k)
		return
	}
	t.startFollowing(k)
	t.touch(k)
}

// checkWatch refuses a second row for a task that belay follows, unless that is to cancel it
// once more, as no cancel of it is known to have been read.
func (t *tasks) checkWatch(spec *CallSpec) error {
	if !spec.Watch {
		return nil
	}
	id := targetOf(spec.Method, spec.Params)
	if len(id) > mcp.MaxTaskID {
		return refuse(RefuseParams, "the ID has %d bytes: belay follows tasks with IDs of %d bytes at most", len(id), mcp.MaxTaskID)
	}
	if spec.Stop && t.conn.phase == Ready && t.conn.taskProtocol() == task.Core && !t.conn.server.Has.TaskCancels {
		return refuse(RefuseUndeclared, "%s: the task can only be waited for", lacksTaskCancelWords)
	}
	if c := t.rows.pickUpOf(id); c != nil {
		if c.pickUp.stops {
			return refuse(RefuseCancelling, "%s is being cancelled already: tasks/cancel is sent when tasks/get is answered, or was not for %v", c.name(), c.pickUp.within(c.Idle))
		}
		return refuse(RefuseParams, "the task is asked for already, by %s", c.name())
	}
	for _, k := range t.all {
		switch {
		case k.ID != id || !k.IsAlive():
		case spec.Stop && k.IsCancelAnswered():
			return refuse(RefuseCancelling, "the server has answered the cancel of the task already, in %s", k.row.name())
		case spec.Stop && k.row.hadCancelRead():
			return refuse(RefuseCancelling, "the server has read the cancel of the task already, in %s", k.row.name())
		case !spec.Stop:
			return refuse(RefuseParams, "the task is followed already, by %s", k.row.name())
		}
	}
	for _, c := range t.rows.tasks {
		if spec.Stop && c.epoch == t.conn.epoch && c.task().ID == id && c.hadCancelRead() {
			return refuse(RefuseCancelling, "the cancel of the task was delivered, by %s: it is sent once", c.name())
		}
	}
	return nil
}

// saysWhy is what the server says of a task with its last status, to end a sentence; empty: nothing.
func (k *runningTask) saysWhy() string {
	if message := k.View().Message; message != "" {
		return ": " + sentence.Quoted(sentence.Clip(message))
	}
	return ""
}

// unpolledWords say why no poll of a task follows its cancel; empty: one was answered, or the task has ended.
func (k *runningTask) unpolledWords() string {
	switch {
	case k.End() == task.Expired && !k.View().Unknown:
		return "the time of the task is over"
	case k.IsBlind() && k.IsAlive():
		return "the server does not know tasks/get"
	}
	return ""
}

// endWords say how a task ended of which there is no outcome.
func (k *runningTask) endWords() string {
	v := k.View()
	switch {
	case k.foundOver:
		return "the task is cancelled" + k.saysWhy()
	case k.Status() == task.Cancelled:
		return "the task was cancelled, but not by way of this call" + k.saysWhy()
	case k.Status().IsTerminal() && k.noOutcome != "":
		return "the task is " + k.Status().String() + ", and its outcome did not come: " + k.noOutcome
	case k.Status().IsTerminal():
		return "the task is " + k.Status().String() + ", and its outcome did not come"
	case k.End() == task.Expired && k.View().Unknown:
		return "the time of the task is over, and the server does not know it any more"
	case v.OutlivesItsTime():
		return "the time of the task is over: a last poll still found it, and it may be gone by now"
	case k.End() == task.Expired:
		return "the time of the task is over: it may be gone"
	case k.End() == task.Gone:
		return "the server does not know the task any more"
	case k.End() == task.NoPolls:
		return "its outcome has come"
	case k.row.stop != nil:
		return "the task may go on at the server, as " + sentence.Name(k.ID)
	case k.Status() == task.Unknown:
		return "the task may go on at the server, as " + sentence.Name(k.ID) + ": the server had not told of it"
	}
	return "the task goes on at the server, as " + sentence.Name(k.ID)
}
