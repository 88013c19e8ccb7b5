package session

import (
	"slices"
	"time"

	"belay/session/mcp"
	"belay/session/negotiate"
)

// What each machine keeps of a [Rest]: whether it rests, what it has come to, and how it goes on
// from there.

// since is how long ago a time was, and at least a moment; zero for the zero time.
func (l *log) since(t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return max(1, l.now.Sub(t))
}

// ago is the time of which since was d at the time now.
func ago(now time.Time, d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return now.Add(-d)
}

// resume counts on from the next ID. The requests before it are forgotten.
func (o *outgoing) resume(next int64) { o.nextID, o.gone = next, next-1 }

// resume leaves out the rows up to last.
func (r *rows) resume(last CallID) { r.table.LeaveOut(last) }

// isBusy reports whether something waits to be written, or to be reported as written.
func (o *outbox) isBusy() bool {
	return len(o.waiting) > 0 || slices.ContainsFunc(o.queues[:], func(q queue) bool { return q.live > 0 })
}

// resume counts on from the latest output.
func (o *outbox) resume(last uint64) { o.seq = last }

// rests reports whether the server asks nothing.
func (qs *incoming) rests() bool {
	return qs.waiting == 0 && len(qs.open) == 0 && len(qs.deferred) == 0 && !qs.roots.wanted && qs.roots.out == 0 && len(qs.roots.asks) == 0
}

// resume counts on from the next question.
func (qs *incoming) resume(next QuestionID) { qs.nextID = next }

// resume takes over how many unknown IDs were used; a recording of before these were counted
// says 0.
func (g *wrongs) resume(unknown int64) { g.unknown = max(g.unknown, unknown) }

// resume takes over how the next connection is to begin, and what the server has refused.
func (k *link) resume(known negotiate.Memory, refused []mcp.Revision) {
	k.known, k.refused = known, slices.Clone(refused)
}

// resume takes over whether the user wants no subscription to tasks.
func (l *taskListens) resume(pollsOnly bool) { l.pollsOnly = pollsOnly }

// resume takes over the state of the jitter.
func (sb *subscriptions) resume(jitter uint64) { sb.jitterState = jitter }

// resume takes over the level of log messages. Since 2026-07-28 each request of a connection
// declares what was changed meanwhile.
func (w *writer) resume(level string, over bool) {
	w.logLevel = level
	if v := w.conn.era.Asked(); v.IsModern() && !over {
		w.redeclare(v)
	}
}

// rest returns the time until the next periodic ping, and since the latest answer to one; zero
// where none is due.
func (p *pings) rest() (next, answered time.Duration) {
	at := p.timers.At(once(duePing))
	if at.IsZero() {
		return 0, 0
	}
	return at.Sub(p.now), p.now.Sub(p.health.answered)
}

// resume is the reverse of rest; missed pings are those in a row.
func (p *pings) resume(missed int, next, answered time.Duration) {
	p.health.missed = missed
	if next > 0 {
		p.health.answered = p.now.Add(-answered)
		p.timers.Set(once(duePing), p.now.Add(next))
	}
}

// rests reports whether no list is being fetched, or is to be.
func (g *catalog) rests() bool {
	return !slices.ContainsFunc(g.lists[:], func(l list) bool { return l.loading || l.changed || l.next != nil }) && !g.stopped.ask && !g.stopped.over
}

// rest returns the ages of the lists, and how long ago any of them was refreshed; zero: never.
func (g *catalog) rest() (lists []ListAge, refreshed time.Duration) {
	for k := range mcp.NumLists {
		l := &g.lists[k]
		lists = append(lists, ListAge{Ages: l.Ages, Gone: l.gone, TTL: l.TTL, Ago: g.since(l.Fetched), Looked: g.since(l.looked)})
	}
	return lists, g.since(g.refreshed)
}

// resume is the reverse of rest.
func (g *catalog) resume(lists []ListAge, refreshed time.Duration) {
	for k, age := range lists[:min(len(lists), int(mcp.NumLists))] {
		l := &g.lists[k]
		l.Ages, l.gone, l.TTL, l.Fetched, l.looked = age.Ages, age.Gone, age.TTL, ago(g.now, age.Ago), ago(g.now, age.Looked)
	}
	g.refreshed = ago(g.now, refreshed)
}
