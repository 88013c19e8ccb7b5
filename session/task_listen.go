package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/task"
)

const (
	// maxWatched bounds the tasks that one subscription names, and watchedBytes their IDs.
	// The others are polled, as all are where the server takes no such subscription.
	maxWatched   = 1000
	watchedBytes = 64 << 10
)

// taskListens are belay's own subscriptions to the tasks that go on (the extension
// io.modelcontextprotocol/tasks, notifications). A subscription cannot be changed: where tasks
// come that the one that stands does not name, another takes its place, and the first is
// ended once the server has agreed to the second.
type taskListens struct {
	calls []*call // in flight, oldest first
	stale bool    // the tasks that go on, or what the server agreed to, changed since this was looked at
	off   bool    // none is begun on this connection any more
}

// SubscribeToTasks turns belay's own subscription to tasks on or off, for as long as belay runs. Off, the
// tasks are polled alone.
type SubscribeToTasks struct {
	Off bool `json:"off,omitempty"`
}

func (in SubscribeToTasks) check(s *Session) error {
	if s.conn.phase != Ready || s.conn.taskProtocol() != task.Extension || !s.conn.server.Has.TaskExtension {
		return refuse(RefuseUnsupported, "the server has no subscription to tasks: belay polls them")
	}
	return nil
}

func (in SubscribeToTasks) apply(s *Session) Reply {
	s.tasks.onSubscribeWish(!in.Off)
	return Reply{}
}

// onSubscribeWish turns the subscription on or off. Turned on, the server is asked anew for what it did not
// agree to before.
func (t *tasks) onSubscribeWish(on bool) {
	t.pollsOnly = !on
	t.listens.stale = true
	if !on {
		t.endListens(len(t.listens.calls), "you turned the subscription to tasks off")
		return
	}
	t.listens.off = false
	for _, k := range t.all {
		k.untold = false
	}
}

// subscribesToTasks reports whether the notifications about tasks may be asked for.
func (t *tasks) subscribesToTasks() bool {
	return t.conn.phase == Ready && t.conn.taskProtocol() == task.Extension && t.conn.server.Has.TaskExtension &&
		!t.pollsOnly && !t.cfg.NoTasks && !t.listens.off
}

// listen has the subscription follow the tasks that go on (TEX-43; extensions/tasks).
func (t *tasks) listen() {
	l := &t.listens
	l.stale = false
	t.watch()
	if !t.subscribesToTasks() {
		return
	}
	want := t.watchable()
	if len(want) == 0 {
		t.endListens(len(l.calls), "no task goes on that it tells of")
		return
	}
	if len(l.calls) > 0 {
		newest := l.calls[len(l.calls)-1]
		if !newest.sub.active {
			return // until the server has answered it
		}
		t.endListens(len(l.calls)-1, "another subscription tells of its tasks")
		if len(mcp.Filter{Tasks: want}.Without(newest.sub.asked).Tasks) == 0 {
			return
		}
	}
	t.will(followStep{begins: &CallSpec{Method: methodListen, Params: mcp.Filter{Tasks: want}.Params(), Origin: FromBelay}})
}

// onListenBegun takes the call that was made of it.
func (t *tasks) onListenBegun(c *call) { t.listens.calls = append(t.listens.calls, c) }

// endListens has the oldest n of them be ended.
func (t *tasks) endListens(n int, why string) {
	for _, c := range t.listens.calls[:n] {
		t.will(followStep{ends: c, why: why})
	}
	t.listens.calls = slices.Clone(t.listens.calls[n:])
}

// watchable are the IDs of the tasks that go on, but for those that the server does not tell of.
func (t *tasks) watchable() (ids []string) {
	size := 0
	for _, k := range t.all {
		if k.Status().Terminal() || k.End() != task.Alive || k.untold || t.byID[k.ID] != k {
			continue
		}
		if size += len(k.ID); size > watchedBytes || len(ids) == maxWatched {
			break
		}
		ids = append(ids, k.ID)
	}
	return ids
}

// watch tells each task whether the server has agreed to tell of it.
func (t *tasks) watch() {
	heard := map[string]bool{}
	for _, c := range t.listens.calls {
		if c.sub.active && c.stop == nil {
			for _, id := range c.sub.agreed.Tasks {
				heard[id] = true
			}
		}
	}
	for _, k := range t.all {
		if k.Watch(t.now, heard[k.ID]) {
			t.touch(k)
		}
	}
}

// onListenAcknowledged takes what the server agreed to. It is asked no more for what it did not
// agree to: those tasks are polled as before (TEX-44; extensions/tasks).
func (t *tasks) onListenAcknowledged(c *call) {
	if !slices.Contains(t.listens.calls, c) {
		return
	}
	t.markUntold(c.sub.asked.Without(c.sub.agreed).Tasks)
	t.listens.stale = true
}

func (t *tasks) markUntold(ids []string) {
	for _, id := range ids {
		if k := t.byID[id]; k != nil {
			k.untold = true
		}
	}
}

// onListenBroken takes it that such a subscription broke off, and is begun again.
func (t *tasks) onListenBroken(c *call) {
	t.listens.stale = t.listens.stale || slices.Contains(t.listens.calls, c)
}

// onListenOver takes the end of such a subscription, and reports whether it was one. After a
// refusal belay subscribes no more (TEX-45; extensions/tasks); after an end by the server, no more
// to the tasks of this subscription.
func (t *tasks) onListenOver(c *call) bool {
	l := &t.listens
	if c.Origin != FromBelay || !c.isListen() || len(c.sub.asked.Tasks) == 0 {
		return false
	}
	l.calls = slices.DeleteFunc(l.calls, func(other *call) bool { return other == c })
	l.stale = true
	switch {
	case t.conn.phase != Ready || c.epoch != t.conn.epoch:
	case c.stop != nil && c.stop.By == cancel.BySuperseded:
	case c.stop != nil:
		l.off = true
		t.event("belay hears of tasks by polling alone until the server is started again")
	case c.state == Failed:
		l.off = true
		t.will(followStep{passes: c, why: "no failure: belay polls its tasks"})
		t.event("the server takes no subscription to its tasks: belay polls them")
	default:
		t.markUntold(c.sub.asked.Tasks)
	}
	return true
}
