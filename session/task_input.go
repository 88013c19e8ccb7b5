package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

// StopWaiting has belay wait for a task no more, which goes on at the server. What belay has asked
// about the task is cancelled as any request is; the task is not (CXL-38, TSK-06;
// basic/utilities/tasks).
type StopWaiting struct {
	Call CallID `json:"call"`
}

func (in StopWaiting) check(s *Session) error {
	if c := s.rows.get(in.Call); c != nil && (c.isPickUp() || c.task() == nil && s.writer.mustLeave(c)) {
		return nil // before its handle has come
	}
	_, err := s.rows.taskOf(in.Call)
	return err
}

func (in StopWaiting) apply(s *Session) Reply {
	c := s.rows.get(in.Call)
	if c.isStopWished() && s.writer.kindOf(c) == cancel.Task { // the cancel that was promised leaves for the ID alone, as when tasks/get takes too long
		s.timers.Stop(c.due(dueRule)) // which wants no more than that
		s.onClockOver(c, dueIdle)
		if s.settle(); c.state.IsTerminal() { // of which nothing was in flight
			return Reply{}
		}
	}
	s.tasks.leaveCall(c, youStopped)
	return Reply{}
}

// ForgetTask has belay know no more of a task, whatever row the task has, and keep its ID no
// longer beyond the end of belay (TEX-41; extensions/tasks). The task goes on at the server.
type ForgetTask struct {
	never
	ID string `json:"id"` // foreign text
}

func (in ForgetTask) apply(s *Session) Reply {
	s.tasks.forgetTask(in.ID)
	return Reply{}
}

func (in ForgetTask) masked(m masker) Input {
	in.ID = m.written("taskId", in.ID)
	return in
}

// PollTask polls a task now, before its time, or again where it was given up. One that the
// user waits for no more, whose time was over, or whose connection has ended, is taken up in a row
// of its own, which the reply names: the row before has ended.
type PollTask struct {
	Call CallID `json:"call"`

	// Anew has the questions be shown that the task asks under keys of before, as the user
	// wants to see it.
	Anew bool `json:"anew,omitempty"`
}

func (in PollTask) check(s *Session) error {
	c, err := s.rows.taskOf(in.Call)
	if err == nil {
		err = unready(s.conn.phase, s.cfg.Transport)
	}
	switch {
	case err != nil:
		return err
	case c.task().Status().IsTerminal():
		return refuse(RefuseFinished, "the task is %v: there is nothing more to ask", c.task().Status())
	case in.Anew && (c.task().reusedKeys() == 0 || s.isOfBefore(c)):
		return refuse(RefuseParams, "the task asks for nothing under a key that it used before")
	case s.tasks.needsRow(c) && c.task().Protocol != s.conn.taskProtocol():
		return refuse(RefuseUnsupported, "the task was begun in the other protocol of tasks: this connection cannot ask for it")
	case s.tasks.needsRow(c):
		spec := watchSpec(c.task().ID)
		return s.tasks.checkWatch(&spec)
	case c.task().IsOut(task.Get) && !in.Anew:
		return refuse(RefuseParams, "tasks/get is out already")
	}
	return nil
}

func (in PollTask) apply(s *Session) Reply {
	c, _ := s.rows.taskOf(in.Call)
	if in.Anew {
		c.task().agreeToKeys()
	}
	if s.tasks.needsRow(c) {
		s.conn.use(FromUser)
		return Reply{Call: s.newCall(watchSpec(c.task().ID), nil).id}
	}
	c.task().Poll(s.now)
	s.tasks.follow(c.task())
	return Reply{}
}

// needsRow reports whether a task is polled again in a row of its own: that of its call has ended, and
// the outcome would not be seen there.
func (t *tasks) needsRow(c *call) bool {
	return c.isLeft() || t.isOfBefore(c) || c.state == Failed && !c.task().IsAlive()
}

// watchSpec is the call that follows a task from its ID on.
func watchSpec(id string) CallSpec {
	return CallSpec{Method: task.Get.Method(), Params: mcp.TaskParams(id), Origin: FromUser, Watch: true}
}

// taskOf is the call that runs as a task.
func (r *rows) taskOf(id CallID) (*call, error) {
	c := r.get(id)
	switch {
	case c == nil:
		return nil, refuse(RefuseUnknown, "there is no call %d", id)
	case c.task() == nil:
		return nil, refuse(RefuseParams, "%s runs as no task", c.name())
	}
	return c, nil
}

// forgetTask forgets all that is known of a task, but for the rows of the past (TEX-41;
// extensions/tasks).
func (t *tasks) forgetTask(id string) {
	for _, c := range t.rows.tasks {
		if k := c.task(); k.ID == id && !k.forgotten {
			k.tool = t.toolOf(c) // before what was kept goes
			k.forgotten = true
		}
	}
	for _, k := range slices.Clone(t.all) {
		if k.ID == id {
			k.forgotten, k.inputs = true, nil
			t.leave(k, youStopped)
			t.drop(k)
		}
	}
	delete(t.ids, id)
	t.notices.take(id)
	t.kept.drop(id)
	delete(t.kept.tools, id)
	delete(t.kept.made, id)
	t.listed.takeOverSeen(id, t.rows.tasks, t.conn.epoch)
}
