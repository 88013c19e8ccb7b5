package session

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"belay/session/cancel"
	"belay/session/mcp"
)

// simListen is a subscription to tasks that the server has read.
type simListen struct {
	ask    *simAsk
	asked  []string
	agreed []string
	broken bool // its stream was lost: it is begun again as it was
}

// openStream opens the stream of the server's own, where belay wants one.
func (w *taskSimulation) openStream() {
	if gets := w.w.gets(); !w.modern && len(gets) > 0 {
		w.stream = gets[len(gets)-1].X
		w.w.stream(w.stream)
		w.read()
	}
}

// onListen holds what may be subscribed to.
func (w *taskSimulation) onListen(a *simAsk, line string) {
	var m struct {
		Params struct {
			Notifications struct {
				TaskIDs []string `json:"taskIds"`
			}
		}
	}
	if err := json.Unmarshal([]byte(line), &m); err != nil {
		w.fail("%v", err)
	}
	ids := m.Params.Notifications.TaskIDs
	if len(ids) == 0 || !strings.Contains(line, mcp.TasksExtension) {
		w.fail("a subscription to nothing, or without the extension: %s", line)
	}
	again := slices.ContainsFunc(w.subs, func(s *simListen) bool { return s.broken && slices.Equal(s.asked, ids) })
	for _, id := range ids {
		if k := w.tasks[id]; k == nil || k.epoch != w.r.epoch || k.toldAt.IsZero() && !k.isCancelledUntold() || k.endedBy == "get" && !again {
			w.fail("a subscription to %s, which does not go on", id)
		}
	}
	if standing := w.standing(); len(standing) > 1 {
		w.fail("a third subscription is begun while %d stand", len(standing))
	}
	w.subs = append(w.subs, &simListen{ask: a, asked: slices.Clone(ids), agreed: ids})
}

// standing are the subscriptions that nobody has ended.
func (w *taskSimulation) standing() (subs []*simListen) {
	for _, sub := range w.subs {
		if !sub.ask.closed {
			subs = append(subs, sub)
		}
	}
	return subs
}

// answerListen has the server agree to a part of a subscription, or refuse it.
func (w *taskSimulation) answerListen(a *simAsk) {
	sub := w.subs[slices.IndexFunc(w.subs, func(s *simListen) bool { return s.ask == a })]
	switch {
	case a.closed:
		return
	case w.rnd.IntN(10) == 0:
		w.deliver(a, `"error":{"code":-32601,"message":"not here"}`)
		a.closed = true
		return
	}
	sub.agreed = slices.DeleteFunc(sub.agreed, func(string) bool { return w.rnd.IntN(6) == 0 })
	ids, _ := json.Marshal(sub.agreed)
	line := fmt.Sprintf(agreedNote, a.id, `{"taskIds":`+string(ids)+`}`)
	w.note("← %s", line)
	if w.w != nil {
		w.w.stream(a.x)
		w.w.recvOn(a.x, "%s", line)
	} else {
		w.r.recv("%s", line)
	}
	sub.ask.due = w.r.now // it is acknowledged
	w.seen["subscription agreed"]++
}

// listenerOf is a subscription by which a task may be told of; nil: there is none.
func (w *taskSimulation) listenerOf(k *simTask) *simListen {
	for _, sub := range w.standing() {
		if !slices.Contains(w.asks, sub.ask) && slices.Contains(sub.agreed, k.id) {
			return sub
		}
	}
	return nil
}

// endListen has the server end a subscription, or lose its stream.
func (w *taskSimulation) endListen() {
	for _, sub := range w.standing() {
		if slices.Contains(w.asks, sub.ask) {
			continue
		}
		sub.ask.closed = true
		if w.w != nil && w.rnd.IntN(2) == 0 {
			w.seen["subscription broken"]++
			sub.broken = true
			w.w.ended(sub.ask.x, End{Err: "connection reset"})
			w.read()
			return
		}
		w.seen["subscription ended"]++
		line := fmt.Sprintf(finalAnswer, sub.ask.id, sub.ask.id)
		if w.w != nil {
			w.w.recvOn(sub.ask.x, "%s", line)
			w.w.ended(sub.ask.x, End{})
		} else {
			w.r.recv("%s", line)
		}
		w.read()
		return
	}
}

// isOut reports whether a request about a task awaits its answer.
func (w *taskSimulation) isOut(k *simTask, method string) bool {
	return slices.ContainsFunc(w.asks, func(a *simAsk) bool { return a.task == k && a.method == method && !a.closed })
}

// taskCount is how often each thing happened, in one revision and on one transport.
type taskCount struct {
	rev  mcp.Revision
	over mcp.Transport
	n    map[string]int
}

type taskCounts []taskCount

// check fails for every race that was not played.
func (all taskCounts) check(t *testing.T) {
	verdicts := map[string]int{}
	for _, c := range all {
		want := []string{
			"cancel after the handle", "cancel without an ID", "end told by a notice", "end polled", "another end", "cancel refused",
			"result before the acknowledgement", "connection ended before the acknowledgement", "connection ended before the handle",
			"a poll that tells of another task",
		}
		switch {
		case !c.rev.IsModern():
			want = append(want, "handle after the cancel", "notice before the handle", "end told by the cancel", "the outcome of another task", "connection ended between the cancel and the handle", "left, as it cannot be cancelled")
		case c.over == mcp.Stdio:
			want = append(want, "handle after the cancel", "notice before the handle", "connection ended between the cancel and the handle")
			want = append(want, "subscription agreed", "told by a subscription", "subscription ended")
		default:
			want = append(want, "subscription agreed", "told by a subscription", "subscription ended", "subscription broken")
		}
		if c.over == mcp.HTTP && !c.rev.IsModern() {
			want = append(want, "handle of a connection that has ended")
		}
		want = append(want, "picked up and cancelled", "picked up and left", "cancelled and left, untold")
		for _, what := range want {
			if c.n[what] == 0 {
				t.Errorf("%s, %v: no history has: %s", c.rev, c.over, what)
			}
		}
		for v := cancel.TaskRefused; v <= cancel.TaskUnacknowledged; v++ {
			verdicts[v.String()] += c.n[v.String()]
		}
		t.Logf("%s %v: %v", c.rev, c.over, c.n)
	}
	for v, n := range verdicts {
		if n == 0 {
			t.Errorf("no history ends with the verdict %q", v)
		}
	}
}
