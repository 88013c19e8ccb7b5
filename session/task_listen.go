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
//
//shape:machine 6
type taskListens struct {
	*writer
	followed *followedTasks

	pollsOnly bool // the user wants none

	calls []*call      // in flight, oldest first
	steps []followStep // still to be carried out
	stale bool         // what the user wants, or the server agreed to, changed since the tasks were looked at
	seen  uint64       // of the changes among the tasks that go on, the latest that was looked at
	off   bool         // none is begun on this connection any more

	refused string // why the server takes none; empty: it has not refused the last one; may hold foreign text
}

// begin forgets those of the connection before.
func (l *taskListens) begin() {
	l.calls, l.steps, l.stale, l.off, l.refused = nil, nil, false, false, ""
	l.seen = l.followed.changes
}

// next returns the next step; nil: there is none.
func (l *taskListens) next() followStep {
	if len(l.steps) == 0 {
		return nil
	}
	step := l.steps[0]
	l.steps = l.steps[1:]
	return step
}

// isStale reports whether the subscription is to follow what has changed.
func (l *taskListens) isStale() bool { return l.stale || l.seen != l.followed.changes }

// taskListen is such a subscription before it is a call. It implements ownRequest.
//
//shape:part of taskListens
type taskListen struct {
	of    *taskListens
	tasks []string
}

func (n taskListen) spec() CallSpec {
	return CallSpec{Method: methodListen, Params: mcp.Filter{Tasks: n.tasks}.Params(), Origin: FromBelay}
}

func (n taskListen) onMade(c *call) { n.of.calls = append(n.of.calls, c) }

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
	s.taskListens.onWish(!in.Off)
	return Reply{}
}

// onWish turns the subscription on or off. Turned on, the server is asked anew for what it did not
// agree to before.
func (l *taskListens) onWish(on bool) {
	l.pollsOnly, l.refused = !on, ""
	l.stale = true
	if !on {
		l.endOldest(len(l.calls), "you turned the subscription to tasks off")
		return
	}
	l.off = false
	l.followed.forgetUntold()
}

// mayListen reports whether the notifications about tasks may be asked for.
func (l *taskListens) mayListen() bool {
	return l.conn.phase == Ready && l.conn.taskProtocol() == task.Extension && l.conn.server.Has.TaskExtension &&
		!l.pollsOnly && !l.cfg.NoTasks && !l.off
}

// follow has the subscription follow the tasks that go on (TEX-43; extensions/tasks). It returns the
// tasks for which something changes by that.
func (l *taskListens) follow() (touched []*runningTask) {
	l.stale, l.seen = false, l.followed.changes
	touched = l.watch()
	if l.mayListen() {
		l.subscribe()
	}
	return touched
}

// subscribe has a subscription be made that names the tasks which go on, and those before it be ended.
func (l *taskListens) subscribe() {
	want := l.watchable()
	if len(want) == 0 {
		l.endOldest(len(l.calls), "no task goes on that it tells of")
		return
	}
	if len(l.calls) > 0 {
		newest := l.calls[len(l.calls)-1]
		if !newest.sub.active {
			return // until the server has answered it
		}
		l.endOldest(len(l.calls)-1, "another subscription tells of its tasks")
		if len(mcp.Filter{Tasks: want}.Without(newest.sub.asked).Tasks) == 0 {
			return
		}
	}
	l.steps = append(l.steps, beginStep{taskListen{l, want}})
}

// endOldest has the oldest n of them be ended.
func (l *taskListens) endOldest(n int, why string) {
	for _, c := range l.calls[:n] {
		l.steps = append(l.steps, cancelStep{c, cancel.BySuperseded, why})
	}
	l.calls = slices.Clone(l.calls[n:])
}

// watchable are the IDs of the tasks that go on, but for those that the server does not tell of.
func (l *taskListens) watchable() (ids []string) {
	size := 0
	for _, k := range l.followed.all {
		if k.Status().IsTerminal() || k.End() != task.Alive || k.untold || l.followed.byID[k.ID] != k {
			continue
		}
		if size += len(k.ID); size > watchedBytes || len(ids) == maxWatched {
			break
		}
		ids = append(ids, k.ID)
	}
	return ids
}

// watch tells each task whether the server has agreed to tell of it, and returns those for which that is
// news.
func (l *taskListens) watch() (touched []*runningTask) {
	heard := map[string]bool{}
	for _, c := range l.calls {
		if c.sub.active && c.stop == nil {
			for _, id := range c.sub.agreed.Tasks {
				heard[id] = true
			}
		}
	}
	for _, k := range l.followed.all {
		if k.Watch(l.now, heard[k.ID]) {
			touched = append(touched, k)
		}
	}
	return touched
}

// onAcknowledged takes what the server agreed to. It is asked no more for what it did not
// agree to: those tasks are polled as before (TEX-44; extensions/tasks).
func (l *taskListens) onAcknowledged(c *call) {
	if !slices.Contains(l.calls, c) {
		return
	}
	l.followed.markUntold(c.sub.asked.Without(c.sub.agreed).Tasks)
	l.stale = true
}

// onBroken takes it that such a subscription broke off, and is begun again.
func (l *taskListens) onBroken(c *call) {
	l.stale = l.stale || slices.Contains(l.calls, c)
}

// onOver takes the end of such a subscription, and reports whether it was one. After a
// refusal belay subscribes no more (TEX-45; extensions/tasks); after an end by the server, no more
// to the tasks of this subscription.
func (l *taskListens) onOver(c *call) bool {
	if c.Origin != FromBelay || !c.isListen() || len(c.sub.asked.Tasks) == 0 {
		return false
	}
	l.calls = slices.DeleteFunc(l.calls, func(other *call) bool { return other == c })
	l.stale = true
	switch {
	case l.conn.phase != Ready || c.epoch != l.conn.epoch:
	case c.stop != nil && c.stop.By == cancel.BySuperseded:
	case c.stop != nil:
		l.off = true
		l.event("belay hears of tasks by polling alone until the server is started again")
	case c.state == Failed:
		l.off, l.refused = true, refusalOf(c)
		l.steps = append(l.steps, passStep{c, "no failure: belay polls its tasks"})
		l.event("the server takes no subscription to its tasks: belay polls them")
	default:
		l.followed.markUntold(c.sub.asked.Tasks)
	}
	return true
}

// refusalOf says why the server took no such subscription.
func refusalOf(c *call) string {
	switch {
	case c.err != nil:
		return c.err.Words()
	case c.remark.text != "":
		return c.remark.text
	}
	return "it has failed"
}
