package session

import (
	"fmt"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
	"belay/session/task"
)

// A call may go on at the server after it was answered: as a task, in one of two protocols
// (basic/utilities/tasks of 2025-11-25; the extension io.modelcontextprotocol/tasks). The
// row of the call stays in flight; [task.Life] tells which requests about it are to be made,
// and what came. A cancel of it is tasks/cancel.

// takeHandle implements follower.
func (t *tasks) takeHandle(c *call, f *mcp.Frame) bool {
	n := t.conn.handleOf(c, f)
	if n != nil {
		t.onHandle(c, f, n)
	}
	return n != nil
}

// onHandle takes the answer to a call that is the handle of a task. One that comes after the
// cancel is not thrown away: nothing else could stop the work (CXL-39, TEX-59).
func (t *tasks) onHandle(c *call, f *mcp.Frame, n *mcp.TaskNote) {
	t.lint.checkTaskAnswer(c, f)
	early := t.notices.take(n.Task.ID)
	var life task.Life
	var found []mcp.Problem
	if c.Watch {
		life, found = task.Adopt(t.now, t.conn.taskProtocol(), n.Task)
	} else {
		life, found = task.New(t.now, t.conn.taskProtocol(), n.Task, early.firstStatus(n.Task), c.TTL)
		life.Written(c.req.written)
	}
	k := c.onTask(t.timers, life)
	t.rows.onTask(c)
	t.add(k)
	t.handles.onHandle(c.target)
	t.lint.taskProblems(k, found)
	t.moment(c, MomentView{Dir: In, Kind: MomTask, Text: "runs as task " + sentence.Name(k.ID), Entry: t.hist.cur})
	if n.Immediate != "" {
		t.note(c, "until the outcome comes, the server says "+sentence.Quoted(sentence.Clip(n.Immediate)))
	}
	if !c.Watch && k.Status().IsTerminal() {
		t.onStatus(k, task.FromHandle, n.Task, t.hist.cur)
	}
	for _, e := range early {
		t.onEarly(k, e, n.Task)
	}
	t.cancelBegun(k)
	if c.Watch {
		k.foundOver = k.Status() == task.Cancelled
		t.onStatus(k, task.FromGet, n.Task, t.hist.cur)
		switch {
		case c.pickUp.stops && c.stop == nil && !k.Status().IsTerminal():
			t.will(pickUpStep{c})
		case k.Protocol == task.Extension:
			t.onInputs(k, n.Task, f)
		}
	}
}

// onEarly takes a notification that overtook the handle of its task. One that tells of an earlier
// state than the handle came in order, and there is nothing more to say of it.
func (t *tasks) onEarly(k *runningTask, early earlyNotice, handle mcp.Task) {
	t.hist.attribute(early.entry, k.row.id)
	if early.HasRelated {
		t.diagnose(mcp.DiagTaskRelated, k.row.id, "notice", "a status notification names it twice")
	}
	if early.Task.Updated.IsZero() || !early.Task.Updated.Before(handle.Updated) {
		t.tell(k, task.FromEarlyNotice, early.Task, early.entry)
	}
}

// onAnswer implements follower.
func (t *tasks) onAnswer(of followUp, f *mcp.Frame) {
	e := of.(*taskRequest)
	if e.markTaken() {
		return
	}
	k := e.of
	k.answeredPoll(e, t.now)
	t.lint.checkTaskAnswer(e.call, f)
	switch {
	case e.input != nil:
		t.onUpdated(e, f)
	case e.does == task.Cancel && (f.Kind == mcp.FrameMalformed || f.Kind == mcp.FrameResult && f.Shape.Kind != '{'):
		t.onOddCancel(k, f)
	case f.Kind != mcp.FrameResult && f.Kind != mcp.FrameError && e.does == task.Get:
		k.Odd(t.now)
		t.untold(k, problemWords(f).text)
	case f.Kind != mcp.FrameResult && f.Kind != mcp.FrameError:
		t.onMissed(e, "a malformed response")
	case e.does == task.Result:
		t.onOutcome(e, f)
	case f.Kind == mcp.FrameError:
		t.onRefused(e, f)
	case e.does == task.Cancel:
		t.onCancelAnswer(k, f)
	case f.Task == nil || f.Task.Task.ID == "" && f.Task.Task.Wrong == "":
		t.diagnose(mcp.DiagTaskShape, k.row.id, "", "the answer to tasks/get is no task")
		k.Odd(t.now)
		t.untold(k, "it is no task")
	default:
		t.tell(k, task.FromGet, f.Task.Task, t.hist.cur)
		if why := otherWords(k, f.Task.Task); why != "" {
			t.untold(k, why)
		}
		if k.Protocol == task.Extension && f.Task.Task.ID == k.ID {
			t.onInputs(k, f.Task.Task, f)
		}
	}
	t.settleCancel(k)
	t.touch(k)
}

// onNotice takes a notification about a task.
func (t *tasks) onNotice(f *mcp.Frame) {
	n, protocol := f.Task, t.conn.taskProtocol()
	switch {
	case protocol == 0 || (f.Method == "notifications/tasks") != (protocol == task.Extension):
		t.diagnose(mcp.DiagUnknownMethod, 0, f.Method, sentence.Name(f.Method))
		return
	case n == nil || n.Task.Wrong != "":
		t.diagnose(mcp.DiagTaskNotice, 0, "", "it names no task")
		return
	}
	k := t.byID[n.Task.ID]
	if k == nil {
		if was, known := t.ids[n.Task.ID]; known {
			t.onPastNotice(was, n.Task)
		} else {
			t.notices.keep(n, t.hist.cur)
		}
		return
	}
	t.hist.setCall(k.row.id)
	if n.HasRelated {
		t.diagnose(mcp.DiagTaskRelated, k.row.id, "notice", "a status notification names it twice")
	}
	old := k.IsOld(task.FromNotice, n.Task)
	t.tell(k, task.FromNotice, n.Task, t.hist.cur)
	if protocol == task.Extension && !old {
		t.onInputs(k, n.Task, f)
	}
}

// onPastNotice takes a notification about a task that is followed no more. The status in which it
// ended stays, and another one is a fault (TSK-25, TSK-62; basic/utilities/tasks).
func (t *tasks) onPastNotice(was pastTask, told mcp.Task) {
	if !was.status.IsTerminal() || !told.Updated.IsZero() && told.Updated.Before(was.updated) {
		return
	}
	t.hist.setCall(was.row)
	to := task.ParseStatus(told.Status)
	if to == was.status || to == task.Unknown {
		return
	}
	t.diagnose(mcp.DiagTaskFinal, was.row, told.Status, fmt.Sprintf("%s → %s, in %s", was.status, to, task.FromNotice))
	if c := t.rows.get(was.row); c != nil && c.task() != nil {
		k := c.task()
		if to != k.shown {
			t.tellStatus(k, to.String(), task.FromNotice, told, t.hist.cur)
			k.shown = to
		}
		t.see(k, k.sight(task.FromNotice, told, t.cfg.Transport))
	}
}

// tell has a task take what a message tells of it. What it was before is no news, and neither
// evidence nor an end: the diagnostic says all of it.
func (t *tasks) tell(k *runningTask, by task.Source, told mcp.Task, message Seq) {
	old := k.IsOld(by, told)
	found := k.Told(t.now, by, told)
	t.lint.taskProblems(k, found)
	t.lint.taskEarly(k, found)
	if told.Wrong == "" && told.ID == k.ID && !old {
		t.onStatus(k, by, told, message)
	}
}

// untold takes an answer to tasks/get that tells nothing of the task, and what it tells instead.
func (t *tasks) untold(k *runningTask, what string) {
	t.moment(k.row, MomentView{Dir: In, Kind: MomTask, Text: "the answer to tasks/get tells nothing of the task: " + what, Entry: t.hist.cur})
	t.see(k, cancel.Sight{Fate: cancel.TaskIsUntold, Said: what, Polled: k.IsPolledAfterCancel()})
	t.endUnlessAlive(k)
}

// see has the attempt to cancel a task know what the message that is being received tells of
// the task. Before the cancel has left, a message is no evidence about it. The end of a task that was picked up
// again is evidence about the cancel in its row of before, which was read by then.
func (t *tasks) see(k *runningTask, s cancel.Sight) {
	s.At, s.Began, s.Bound = t.now, t.began, t.conn.trips.Bound()
	if c := k.row; c.isCancelHandedOut() {
		c.touchStop().TaskSeen(s)
	}
	if s.Fate == cancel.TaskIsCompleted || s.Fate == cancel.TaskHasFailed || s.Fate == cancel.TaskIsCancelled {
		s.Polled = s.By == task.FromGet.String()
		for _, c := range t.rows.cancelledAndLeft(k) {
			c.touchStop().TaskSeen(s)
		}
	}
}

// onSent tells of the tasks/cancel of a task whose row has a cancel of its own, by which the call
// was stopped before it had a handle.
func (t *tasks) onSent(of followUp, p *pending) {
	if e := of.(*taskRequest); e.does == task.Cancel {
		if st := e.of.row.stop; st != nil && st.Signal != cancel.CancelTask {
			t.see(e.of, cancel.Sight{Fate: cancel.TaskIsPursued})
		}
		momentAt(e.of.row, t.now, p.req.answer.message, MomentView{Dir: Out, Kind: MomTaskCancel, Entry: p.entry})
	}
}

// onStatus takes what a status of a task means for its row.
func (t *tasks) onStatus(k *runningTask, by task.Source, told mcp.Task, message Seq) {
	c, status := k.row, task.ParseStatus(told.Status)
	t.touch(k)
	if k.IsAskingAtWork() && t.isAsking(k) {
		t.diagnose(mcp.DiagTaskStatus, c.id, "asks", "it asks for input while it says working")
	}
	sight := k.sight(by, told, t.cfg.Transport)
	decides := sight.Polled && c.isCancelHandedOut() && !c.stop.IsTaskAtWork()
	switch {
	case status != task.Unknown && status != k.shown:
		t.tellStatus(k, sight.Said, by, told, message)
		k.shown = status
	case decides && sight.Fate == cancel.TaskGoesOn:
		t.tellStatus(k, "still "+sight.Said, by, told, message)
	case decides && sight.Fate == cancel.TaskIsUntold && !c.stop.IsTaskUntold():
		t.moment(c, MomentView{Dir: In, Kind: MomTask, Text: "the answer to tasks/get tells nothing of the task: " + sight.Said, Entry: message})
	}
	t.see(k, sight)
	if k.brought.early != nil && !k.Status().IsTerminal() && !k.IsOutcomeInDoubt() {
		k.brought.early = nil
		t.moment(c, MomentView{Dir: Local, Kind: MomTask, Text: "the error that answered tasks/result is no outcome: the task goes on"})
	}
	if !k.Status().IsTerminal() {
		t.tellNameless(t.incoming.questions)
		t.endUnlessAlive(k)
		return
	}
	t.closeQuestions(k, "the task has ended", c.stop == nil)
	if k.Protocol == task.Extension && told.Outcome != nil && status == k.Status() {
		k.brought.takeIn(told.Outcome)
	}
	if words := t.lint.taskDiffers(k); words != "" {
		t.see(k, cancel.Sight{Fate: cancel.TaskDisagrees, Said: words})
	}
	switch {
	case told.Outcome != nil && k.Protocol == task.Extension:
		t.end(k, told.Outcome)
	case k.Status() == task.Cancelled:
		t.end(k, nil)
	case k.Protocol == task.Extension && (by == task.FromGet || k.IsBlind()):
		t.diagnose(mcp.DiagTaskOutcome, c.id, "", told.Status)
		t.end(k, nil)
	}
	t.settleCancel(k)
}

// tellStatus puts a status of a task into the timeline of its call.
func (t *tasks) tellStatus(k *runningTask, status string, by task.Source, told mcp.Task, message Seq) {
	text := fmt.Sprintf("task %s, in %s", status, by)
	if told.Message != "" {
		text += ": " + sentence.Quoted(told.Message)
	}
	m := MomentView{Dir: In, Kind: MomTask, Text: text, Entry: message}
	if e := t.hist.get(message); by == task.FromEarlyNotice && e != nil { // which came before the handle
		momentAt(k.row, t.hist.timeOf(e), 0, m)
		return
	}
	t.moment(k.row, m)
}

// onOutcome takes the answer to tasks/result: it is what the call itself would have been answered
// with, a result or an error (TSK-42, TSK-44; basic/utilities/tasks). An answer that names another
// task says nothing of this task (TSK-49).
func (t *tasks) onOutcome(e *taskRequest, f *mcp.Frame) {
	k, n := e.of, f.Task
	switch {
	case f.Kind == mcp.FrameError && f.Error.Code == mcp.CodeMethodNotFound && k.IsAlive() && k.IsBlind():
		t.onRefused(e, f)
		return
	case f.Kind == mcp.FrameResult && n != nil && n.Related != "" && n.Related != k.ID:
		detail := "the answer to tasks/result names " + sentence.Name(n.Related)
		t.diagnose(mcp.DiagTaskRelated, k.row.id, detail, detail)
		t.onMissed(e, "the result of another task, "+sentence.Name(n.Related))
		return
	case f.Kind == mcp.FrameResult && (n == nil || n.Related == ""):
		t.diagnose(mcp.DiagTaskRelated, k.row.id, "the answer to tasks/result", "the answer to tasks/result")
	}
	if f.Kind == mcp.FrameError && k.FetchedError() {
		k.brought.early, k.brought.entry = &mcp.Frame{Kind: f.Kind, Error: f.Error}, t.hist.cur
		words := "tasks/result was answered with " + f.Error.Words() + " before anything had told that the task has ended"
		t.moment(k.row, MomentView{Dir: In, Kind: MomTask, Text: words + ": the outcome is asked for again, unless the task is cancelled", Entry: t.hist.cur})
		t.see(k, cancel.Sight{Fate: cancel.TaskIsUndecided, Said: words})
		return
	}
	k.Fetched()
	k.brought.early = nil
	k.brought.take(f)
	if words := t.lint.taskDiffers(k); words != "" {
		t.see(k, cancel.Sight{Fate: cancel.TaskDisagrees, Said: words})
	}
	if f.Kind == mcp.FrameResult {
		t.see(k, cancel.Sight{Fate: cancel.TaskIsFetched})
	}
	t.cancelRequests(k, cancelStep{by: cancel.BySuperseded, why: "the outcome of the task has come"}, task.Result)
	if k.Status() == task.Cancelled && f.Kind == mcp.FrameError {
		return // it tells no more than the status did
	}
	t.end(k, f)
}

// end ends the row of a task with its outcome; nil: there is none, and the status says all.
// A row that has ended, or is being cancelled, takes the outcome as evidence.
func (t *tasks) end(k *runningTask, f *mcp.Frame) {
	c := k.row
	says := rowNote{}
	switch {
	case c.state == Cancelling && t.takeCancelBack(k):
		says = saying(k.overBeforeCancel())
	case c.state != Running:
		switch {
		case f == nil || c.stop == nil:
		case c.late == nil:
			t.results.takeLateOutcome(c, f, t.began)
			t.moment(c, MomentView{Dir: In, Kind: MomLate, Entry: t.hist.cur})
		case c.late.awaitsOutcome():
			t.results.takeLateOutcome(c, f, t.began)
			t.moment(c, MomentView{Dir: In, Kind: MomTask, Text: "tasks/get brings the outcome of the task", Entry: t.hist.cur})
		}
		known := k.Status().IsTerminal() || f == nil || f.Kind == mcp.FrameResult // else tasks/cancel and a poll tell
		if c.state == Cancelling && c.isCancelHandedOut() && known && !t.awaitsCancelAnswer(k) {
			t.will(settleStep{c})
		}
		return
	}
	entry := t.hist.cur
	if f == nil && k.Status() != task.Cancelled {
		if f = k.brought.early; f != nil {
			entry = k.brought.entry
		}
	}
	if f == nil {
		text := k.endWords()
		if says != (rowNote{}) {
			text += "; tasks/cancel was not sent"
		}
		t.will(moveStep{c, outcome{to: Failed, says: saying(text)}})
		return
	}
	kind := MomResult
	if f.Kind != mcp.FrameResult {
		kind = MomError
	}
	t.moment(c, MomentView{Dir: In, Kind: kind, Entry: entry})
	t.results.checkShape(c, f, t.catalog.outputs[c.target])
	o := k.judged(t.results.take(c, f, rowNote{}))
	if o.says == (rowNote{}) {
		o.says = says
	}
	t.will(moveStep{c, o})
}

// onRefused takes an error that answers tasks/get or tasks/cancel.
func (t *tasks) onRefused(e *taskRequest, f *mcp.Frame) {
	k, c := e.of, e.of.row
	code := f.Error.Code
	saw := !k.IsBlind()
	k.RetryAfter(t.now, e.call.retryAfter())
	t.lint.taskProblems(k, k.Refused(t.now, e.does, code))
	switch isRefused := k.View().CancelRefused; {
	case !k.IsBlind() || !saw && e.does != task.Cancel:
	case isRefused:
		t.note(c, "the server does not know tasks/get, and refused tasks/cancel: what becomes of the task is not polled")
	case saw:
		t.note(c, "the server does not know tasks/get: the task can be cancelled, but what becomes of it is not polled")
	}
	words := f.Error.Words()
	if code == mcp.CodeMethodNotFound {
		words += ", which means that the server does not know " + e.does.Method()
	}
	if why := e.undeclaredWords(f); why != "" {
		words += ": " + why
	}
	switch {
	case !c.isCancelHandedOut():
	case e.does == task.Cancel:
		c.touchStop().TaskCancelRefused(t.now, words)
		c.watchStop(t.timers)
	case code == mcp.CodeInvalidParams:
		t.see(k, cancel.Sight{Fate: cancel.TaskIsUnknown, By: "tasks/get"})
	case e.does == task.Get:
		t.see(k, cancel.Sight{Fate: cancel.TaskIsUntold, Said: "it is " + words, Polled: k.IsPolledAfterCancel()})
	}
	t.moment(c, MomentView{Dir: In, Kind: MomTask, Text: e.does.Method() + " was answered with " + words, Entry: t.hist.cur})
	t.endUnlessAlive(k)
}

// takeMissed has a task know the first of the requests that ended without an answer.
func (t *tasks) takeMissed() {
	m := t.missed[0]
	t.missed = t.missed[1:]
	t.onMissed(m.taskRequest, m.why)
	t.settleCancel(m.of)
}

// onMissed takes it that a request about a task brought no answer, and why.
func (t *tasks) onMissed(e *taskRequest, why string) {
	k, c := e.of, e.of.row
	if e.input != nil {
		t.onUnanswered(e, why)
		return
	}
	k.RetryAfter(t.now, e.call.retryAfter())
	k.Missed(t.now, e.does)
	t.moment(c, MomentView{Dir: Local, Kind: MomTask, Text: e.does.Method() + " brought nothing: " + why})
	switch {
	case e.does == task.Cancel && e != k.cancel: // which was sent once more meanwhile
	case c.isCancelHandedOut() && e.does == task.Cancel:
		c.touchStop().TaskUnanswered(t.now, why)
		c.adviseTaskCancelAgain(why)
	case c.isCancelHandedOut() && e.does == task.Get && k.IsPolledAfterCancel():
		c.touchStop().TaskVain(t.now, why)
	case e.does == task.Result && k.Status().IsTerminal() && !k.WantsResult():
		k.noOutcome = why
		t.end(k, nil)
	}
	t.endUnlessAlive(k)
	t.touch(k)
}

// endUnlessAlive ends the row of a task that is not polled any more, and closes what the task
// asked: an answer reaches nobody (TEX-31; extensions/tasks).
func (t *tasks) endUnlessAlive(k *runningTask) {
	t.seeUnpolled(k)
	if k.End() == task.Alive {
		return
	}
	t.closeQuestions(k, k.overWords(), k.row.stop == nil)
	if k.row.state == Running {
		t.end(k, nil)
	}
}

// seeUnpolled has the attempt to cancel a task know that no poll will tell of the task, where none will.
func (t *tasks) seeUnpolled(k *runningTask) {
	if why := k.unpolledWords(); why != "" {
		t.see(k, cancel.Sight{Fate: cancel.TaskIsUnpolled, Said: why})
	}
}

// onOddCancel takes an answer to tasks/cancel that is none: it acknowledges nothing, and the
// polls tell what became of the task.
func (t *tasks) onOddCancel(k *runningTask, f *mcp.Frame) {
	c, what := k.row, "it is neither a result nor an error"
	if f.Kind == mcp.FrameResult {
		what = "its result is " + rawjson.KindWords(f.Result) + ", not an object"
		code := mcp.DiagTaskCancel
		if k.Protocol == task.Extension {
			code = mcp.DiagTaskAck
		}
		t.diagnose(code, c.id, "", "the answer to tasks/cancel: "+what)
	}
	t.oddCancel(k, what)
}

// oddCancel notes what such an answer is.
func (t *tasks) oddCancel(k *runningTask, what string) {
	c := k.row
	t.moment(c, MomentView{Dir: In, Kind: MomTask, Text: "the answer to tasks/cancel is malformed: " + what, Entry: t.hist.cur})
	if c.stop != nil {
		c.touchStop().TaskOdd(t.now, what)
		c.watchStop(t.timers)
	}
	k.CancelAnswered(t.now)
}

// onCancelAnswer takes the answer to tasks/cancel: in 2025-11-25 it is the task, and what is another
// task or none acknowledges nothing; in the extension it is empty and proves nothing.
func (t *tasks) onCancelAnswer(k *runningTask, f *mcp.Frame) {
	c := k.row
	if k.Protocol == task.Core {
		if f.Task == nil || !f.Task.Is {
			t.diagnose(mcp.DiagTaskCancel, c.id, "", "it is no task")
			t.oddCancel(k, "it is no task")
			return
		}
		if why := otherWords(k, f.Task.Task); why != "" {
			t.tell(k, task.FromCancel, f.Task.Task, t.hist.cur)
			t.oddCancel(k, why)
			return
		}
	}
	if c.stop != nil {
		c.touchStop().TaskAcknowledged(t.now)
		c.watchStop(t.timers)
	}
	t.moment(c, MomentView{Dir: In, Kind: MomTask, Text: "tasks/cancel is acknowledged", Entry: t.hist.cur})
	if k.Protocol == task.Core {
		if task.ParseStatus(f.Task.Task.Status) != task.Cancelled {
			t.diagnose(mcp.DiagTaskCancel, c.id, "", sentence.Name(f.Task.Task.Status))
		}
		t.tell(k, task.FromCancel, f.Task.Task, t.hist.cur)
	}
	k.CancelAnswered(t.now)
	t.seeUnpolled(k)
}

// onAnswerOfLeft takes the answer to a call that was waited for no more before that came. A handle
// gives the task its name, and nothing is asked about it.
func (t *tasks) onAnswerOfLeft(c *call, f *mcp.Frame) {
	if c.Watch && c.task() != nil { // it was cancelled by its ID alone, and is polled since
		t.onEarlierGet(c.task(), f)
		return
	}
	if t.takeHandle(c, f) {
		t.leave(c.task(), "its ID came after belay had stopped waiting")
		return
	}
	if e, ok := c.about.(*taskRequest); ok && t.takeLeftOutcome(e, f) {
		return
	}
	t.note(c, "it was answered after belay had stopped waiting")
}

// onEarlierGet takes the answer to the tasks/get by which a task was looked for, where the task was
// cancelled without it. The server may have said it before the cancel: how the task has ended counts as
// in a notification, and all else is evidence that decides nothing.
func (t *tasks) onEarlierGet(k *runningTask, f *mcp.Frame) {
	const by = task.FromEarlierGet
	told := mcp.Task{}
	if f.Kind == mcp.FrameResult && f.Task != nil && !tellsOfNoTask(f) {
		told = f.Task.Task
	}
	why, status := k.untoldBy(f), task.ParseStatus(told.Status)
	sight, old := k.sight(by, told, t.cfg.Transport), k.IsOld(by, told)
	asked := cancel.Sight{Fate: cancel.TaskIsUndecided, Said: sight.Words()}
	switch {
	case why != "":
		asked.Said = by.String() + " tells nothing of the task: " + why
		t.moment(k.row, MomentView{Dir: In, Kind: MomTask, Text: asked.Said, Entry: t.hist.cur})
	case old, status == k.shown: // else the timeline has it as a change
		t.tellStatus(k, sight.Said, by, told, t.hist.cur)
	}
	if why != "" || old {
		t.see(k, asked)
	}
	switch {
	case told.ID != "" || told.Wrong != "":
		t.tell(k, by, told, t.hist.cur)
	case f.Kind == mcp.FrameResult:
		t.diagnose(mcp.DiagTaskShape, k.row.id, "", "the answer to tasks/get is no task")
	}
}

// takeLeftOutcome takes an answer to tasks/result that came after that was waited for no more, and
// reports whether it is an outcome of the task. It is evidence.
func (t *tasks) takeLeftOutcome(e *taskRequest, f *mcp.Frame) bool {
	if e.does != task.Result || f.Kind != mcp.FrameResult || f.Task != nil && f.Task.Related != "" && f.Task.Related != e.of.ID {
		return false
	}
	e.of.FetchedLeft()
	t.end(e.of, f)
	return true
}
