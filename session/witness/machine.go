package witness

import (
	"cmp"
	"slices"
	"time"
)

// shortly is how long before a cancel something was that the look right before the cancel was written found.
const shortly = time.Microsecond

// rounding is by how much a process may seem to have begun earlier than it did: systems
// count in hundredths of a second.
const rounding = 10 * time.Millisecond

// Machine is what is known of the processes of one server, over all of its connections. A call
// may begin before the first sample has come. [Machine.Connected] begins a connection.
type Machine struct {
	procs   map[key]*proc
	conns   map[Connection]*conn
	found   int // of both, so far
	latest  *Totals
	prior   *Totals       // the sample before that
	census  Census        // of the latest
	counted Totals        // files and connections, when they were counted last
	lost    time.Duration // the CPU time of processes that nobody waited for
	earlier time.Duration // … and of those that are known, before there was room to look at them

	flying  map[int]flight // the calls in flight
	since   time.Time      // when the first of them began, of which some may have ended
	watched []*Account     // those that were cancelled, and are followed
	last    *Account       // the one that ended last of these; nil: another call began since
	first   *Account       // whose first sample is still to come
	unowned *unowned
	crowds  []crowd   // the latest, oldest first
	capped  time.Time // when not all processes could be watched; zero: they always could

	idle     idle
	idleFrom *Totals   // the first sample since nothing is in flight
	awaits   bool      // that sample is still to come
	ready    time.Time // what a server uses before this, it uses to start
	goesOn   earlier   // the call that was cancelled last since idle use was measured; its share is 0 until work is seen
	looked   *Totals   // the sample until which that work was looked for
	strayed  time.Time // when a process began last that may be of the work of a cancelled call; zero: none was seen
	byItself bool      // the server has begun a process by itself, see [Machine.itself]
	young    []Number  // see [Resting]
	left     []Number  // see [Resting]; …
	leaver   *Account  // … and what stands for the calls that left them

	looks uint64
	until time.Time
}

// flight is a call in flight, of which there may be thousands.
type flight struct {
	*Account               // nil where the call began beside others and is not cancelled
	joined   time.Duration // when such a call began, after the first
}

// crowd is a time in which several calls were in flight. Its end is zero until it has come.
type crowd struct{ from, to time.Time }

// mostCrowds is how many of them are remembered: a process is found seconds after it began
// at most.
const mostCrowds = 32

type key struct {
	pid   int
	start int64
}

// Wish says when samples are wanted.
type Wish struct {
	InFlight bool      // now, and until it is another
	Until    time.Time // … or until one has been taken then, or later
	Looks    uint64    // when this grows, one is wanted at once that looks at everything
}

// Wish is what is wanted now.
func (m *Machine) Wish() Wish {
	return Wish{InFlight: len(m.flying) > 0, Until: m.until, Looks: m.looks}
}

// Connected forgets the processes of the connection before.
func (m *Machine) Connected() {
	*m = Machine{looks: m.looks + 1, procs: map[key]*proc{}, conns: map[Connection]*conn{}, flying: map[int]flight{}, unowned: &unowned{}}
}

// Ready notes that the server has started: its idle use of CPU is measured from now on.
func (m *Machine) Ready(now time.Time) {
	m.idleFrom, m.awaits, m.ready = nil, len(m.flying) == 0, now
	m.looks++
}

// Disconnected notes that no sample is to come any more, and returns which calls that concerns.
// Died says that the server ended by itself: what was seen last of a call is evidence then, also
// before the end of its grace.
func (m *Machine) Disconnected(died bool) (news []News) {
	for _, a := range m.watched {
		a.unseen = true
		if a.over.IsZero() {
			a.died, a.outlived = died, died && m.hasServerEnded()
		}
		news = append(news, News{Call: a.id})
	}
	m.watched, m.until = nil, time.Time{}
	return news
}

// hasServerEnded reports whether the server's own process had ended at the latest sample. What it
// had begun may go on.
func (m *Machine) hasServerEnded() bool {
	for _, p := range m.procs {
		if p.found == 1 {
			return !p.ended.IsZero()
		}
	}
	return m.latest != nil
}

// Begun notes that the request of a call leaves. It returns the other call that was in flight alone, or had been: from now on
// less can be told of that call. 0: there is none.
func (m *Machine) Begun(id int, now time.Time) (less int) {
	if _, known := m.flying[id]; known || m.flying == nil {
		return 0
	}
	if m.last != nil {
		m.last.close()
		less, m.last = m.last.id, nil
	}
	if len(m.flying) == 0 {
		a := &Account{id: id, began: now, before: m.latest, start: m.latest, idle: m.idle, unowned: m.unowned}
		a.beset = m.straysAt(now)
		m.flying[id], m.first, m.since = flight{Account: a}, a, now
		m.looks++
		return less
	}
	if len(m.flying) == 1 {
		m.crowds = append(m.crowds[max(0, len(m.crowds)-mostCrowds+1):], crowd{from: now})
		for _, other := range m.flying {
			if other.Account != nil {
				other.crowded, less = now, other.id
			}
		}
	}
	m.flying[id] = flight{joined: now.Sub(m.since)}
	return less
}

// Cancelled notes the last byte of a call's cancel, and the bound of the time. It returns what is
// kept of the call from now on; nil: nothing is.
func (m *Machine) Cancelled(id int, at time.Time, bound time.Duration) *Account {
	f, known := m.flying[id]
	a := f.Account
	switch {
	case !known:
		return nil
	case a == nil:
		began := m.since.Add(f.joined)
		a = &Account{id: id, began: began, crowded: began, idle: m.idle, unowned: m.unowned}
		m.flying[id] = flight{Account: a}
	case !a.cancelled.IsZero():
		return a
	}
	a.cancelled, a.bound = at, bound
	a.at, a.byItself = m.lastBefore(a), a.byItself || m.byItself
	a.blind = !m.capped.Before(a.began)
	for len(m.watched) > 0 && m.watched[0].isPast(at) && !m.watched[0].Awaits() { // there are no samples
		m.watched = m.watched[1:]
	}
	for _, t := range []*Totals{m.prior, m.latest} { // which came before the cancel was told as written
		if t != nil && !t.At.Before(at) {
			a.took(t, &Sample{})
		}
	}
	m.watched = append(m.watched, a)
	m.until = later(m.until, at.Add(Follow))
	m.looks++
	return a
}

// lastBefore is the last sample that was complete when the cancel of a call was written; nil: it is
// too old, or was taken before the call. The first sample behind the cancel comes milliseconds later: by
// then a server may have ended processes. No sample is taken for a cancel that is wanted: that sample would
// be under way when the cancel is written, and the cancel is not to wait.
func (m *Machine) lastBefore(a *Account) *Totals {
	for _, t := range []*Totals{m.latest, m.prior} {
		if t != nil && t != a.start && !t.At.Before(a.began) && !t.Until.After(a.cancelled) {
			if a.cancelled.Sub(t.At) > mostBefore {
				return nil
			}
			return t
		}
	}
	return nil
}

// GraceOver notes that the grace of a call is over without an answer.
func (m *Machine) GraceOver(id int, now time.Time) {
	if a := m.flying[id].Account; a != nil && a.over.IsZero() && !a.cancelled.IsZero() {
		a.over = now
		m.until = later(m.until, now) // the sample on which the verdict stands
		m.looks++
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Over notes that a call is in flight no longer.
func (m *Machine) Over(id int, now time.Time) {
	f, known := m.flying[id]
	a := f.Account
	if !known {
		return
	}
	delete(m.flying, id)
	if len(m.flying) == 1 {
		m.crowds[len(m.crowds)-1].to = now
	}
	if a != nil {
		if m.first == a {
			m.first = nil
		}
		a.ended = true
	}
	if len(m.flying) > 0 {
		return
	}
	if a != nil && !a.cancelled.IsZero() {
		m.last = a
		m.goesOn = earlier{call: id, share: a.seenGoingOn()}
	}
	m.idleFrom, m.awaits = nil, true
	m.looks++
}

// News is what a sample has told of a call.
type News struct {
	Call int
	At   time.Time // of what the text tells
	Text string    // of its timeline; empty: its figures are others, and its verdict may be
}

// Sampled notes a sample that was taken at a time, and returns what there is to tell.
func (m *Machine) Sampled(at time.Time, s Sample) (news []News) {
	if m.flying == nil {
		return nil
	}
	s.Processes = s.Processes[:min(len(s.Processes), MostProcesses)]
	s.Connections = s.Connections[:min(len(s.Connections), MostConnections)]
	s.Lacks = s.Lacks[:min(len(s.Lacks), mostLacks)]
	news = m.processes(at, &s)
	if s.Wide {
		news = append(news, m.connections(at, &s)...)
	}
	t := m.totals(at, &s)
	if t.Capped {
		m.capped = at
	}
	m.rest(t)
	m.watched = slices.DeleteFunc(m.watched, func(a *Account) bool {
		more := a.took(t, &s)
		news = append(news, News{Call: a.id})
		return !more
	})
	m.prior, m.latest = m.latest, t
	m.count(t)
	return news
}

// until is when a sample of a time was complete: what had ended may have lived until then.
func (s *Sample) until(at time.Time) time.Time { return at.Add(max(0, s.Took)) }

// mostLacks is how many things are named that cannot be seen.
const mostLacks = 8

// processes compares those of a sample with those that are known.
func (m *Machine) processes(at time.Time, s *Sample) (news []News) {
	seen := make(map[key]bool, len(s.Processes))
	mayBeOld := m.latest != nil && m.latest.Capped && len(m.procs) > 0
	var grown []*Account
	var reaped time.Duration // that was told now of processes that ended before
	for _, p := range s.Processes {
		k := key{p.PID, p.Start}
		if p.PID <= 0 || seen[k] {
			continue
		}
		seen[k] = true
		known := m.procs[k]
		if known == nil {
			m.found++
			known = &proc{Process: p, found: m.found, began: at.Add(-p.Age), seen: at.Add(-p.Age)}
			m.procs[k] = known
			if mayBeOld && known.began.Before(m.latest.At) { // it lived, and there was no room for it: what it used until now is of no call
				m.earlier += p.CPU + p.Reaped
			}
			m.give(known, at)
			if a := known.of; a != nil {
				grown = append(grown, a)
				if !a.cancelled.IsZero() {
					news = append(news, News{Call: a.id})
				}
			}
		} else {
			reaped += p.Reaped - known.Reaped
		}
		known.Process = p
		if p.Command != "" {
			known.command = p.Command
		}
		if !p.Ended {
			known.seen = at
		}
		if p.Ended && known.ended.IsZero() {
			news = append(news, known.end(s.until(at))...)
		}
	}
	var gone time.Duration
	for _, p := range unseen(m.procs, seen, (*proc).order) {
		if p.ended.IsZero() {
			news = append(news, p.end(s.until(at))...)
		}
		gone += p.CPU + p.Reaped
		delete(m.procs, key{p.PID, p.Start})
	}
	for _, a := range grown {
		a.trim()
	}
	// What has ended is counted by the parent that waited for it, unless there was none.
	m.lost += max(0, gone-reaped)
	slices.SortStableFunc(news, byCall)
	return news
}

// unseen are those of a map that a sample has no longer, in the order in which they were
// found: a recording has to play again as it was.
func unseen[K comparable, V any](known map[K]V, seen map[K]bool, order func(V) int) (all []V) {
	for k, v := range known {
		if !seen[k] {
			all = append(all, v)
		}
	}
	slices.SortFunc(all, func(a, b V) int { return order(a) - order(b) })
	return all
}

func (p *proc) order() int { return p.found }

func byCall(a, b News) int { return a.Call - b.Call }

// give decides in which call a process was begun.
func (m *Machine) give(p *proc, at time.Time) {
	if p.found == 1 { // the server's own, which may be as young as the first call
		return
	}
	switch n := (Number{p.PID, p.Start}); {
	case slices.Contains(m.left, n):
		p.below = m.leaver
		return
	case slices.Contains(m.young, n):
		return
	}
	a, told := m.owner(p.began, at)
	switch above := m.callAbove(p); {
	case above != nil:
		m.giveBelow(p, above, a)
	case !told:
		m.unowned.add(p)
	case a == nil, p.began.Add(rounding).Before(a.began), m.isOfStart(p, a):
		m.itself(p)
		m.stray(p, a)
		m.chain(p, a)
	case a.beset:
		a.strays += a.countUntilOver(p)
		m.strayed = later(m.strayed, p.began)
	default:
		p.of = a
		a.byItself = a.byItself || a.chain != "" && a.chain == p.called()
	}
	if of := p.of; of != nil {
		of.procs = append(of.procs, p)
	}
	if of := cmp.Or(p.of, p.below); of != nil && of.wasWorkAt(p.began) {
		m.strayed = later(m.strayed, p.began)
	}
}

// callAbove is the call that may be at work in the process by which another process was begun: it is in flight, or was
// cancelled, and its work may go on. Nil: there is none. What an answered call has left, as a browser or a shell, serves the
// calls that come.
func (m *Machine) callAbove(p *proc) *Account {
	var parent *proc // of several with its number the latest: the others have ended
	for _, other := range m.procs {
		if other.PID == p.Parent && other != p && (parent == nil || other.found > parent.found) {
			parent = other
		}
	}
	if parent == nil {
		return nil
	}
	above := cmp.Or(parent.of, parent.below)
	if above != nil && above.ended && above.cancelled.IsZero() {
		return nil
	}
	return above
}

// giveBelow gives a process to the call above, while that call is followed. Beside a call in flight alone, only, nobody can
// tell for which of the two calls it was begun: only counts the process.
func (m *Machine) giveBelow(p *proc, above, only *Account) {
	both := only != nil && only != above && !p.began.Add(rounding).Before(only.began)
	if both {
		only.below += only.countUntilOver(p)
	}
	if above.ended && (both || !p.began.Before(above.cancelled.Add(Follow))) {
		p.below = above
	} else {
		p.of = above
	}
}

// isOfStart reports whether a process may be one with which the server started, as the process behind a
// wrapper: that had begun when the server answered, and a call that was sent at once is as young. One that seems to have
// begun before any other call by no more than the rounding is the call's, as most servers
// begin a command within milliseconds.
func (m *Machine) isOfStart(p *proc, a *Account) bool {
	return p.began.Before(m.ready) && !a.began.Before(m.ready)
}

// wasCrowded reports whether several calls were in flight at a time, which may be long past
// when what began then is found.
func (m *Machine) wasCrowded(at time.Time) bool {
	return slices.ContainsFunc(m.crowds, func(c crowd) bool {
		return !at.Add(rounding).Before(c.from) && (c.to.IsZero() || at.Before(c.to))
	})
}

// owner is the only call for which a process may have begun that is found at a time; nil: there was
// none. It is not told where there were several.
func (m *Machine) owner(began, at time.Time) (a *Account, told bool) {
	switch {
	case m.wasCrowded(began):
		return nil, false
	case len(m.flying) <= 1:
		return m.alone(at), true
	}
	for _, f := range m.flying { // one at most was in flight before the others
		if a := f.Account; a != nil && a.began.Before(a.crowded) && began.Add(rounding).Before(a.crowded) {
			return a, true
		}
	}
	return nil, false
}

// alone is the only call for which a process may begin at a time; nil: there are several, or
// none.
func (m *Machine) alone(at time.Time) *Account {
	if len(m.flying) == 1 {
		for _, f := range m.flying {
			return f.Account
		}
	}
	if len(m.flying) == 0 && m.last != nil && !m.last.closed && at.Before(m.last.cancelled.Add(Follow)) {
		return m.last
	}
	return nil
}

// end notes the end of a process, which is told of a call that was cancelled.
func (p *proc) end(at time.Time) []News {
	p.ended = at
	if a := p.of; a != nil && !a.cancelled.IsZero() {
		if at.Equal(a.cancelled) { // the look right before the cancel was written found it gone
			at = at.Add(-shortly)
			p.ended = at
		}
		if !a.isOwn(p) {
			return nil
		}
		if a.isEndUnsure(p) {
			return []News{{a.id, at, p.words() + " was gone: it was seen last " + a.sinceCancel(p.seen)}}
		}
		return []News{{a.id, at, p.words() + " ended"}}
	}
	return nil
}

// count adds the files of a process, as they were counted.
func (t *Totals) count(p *Process) {
	t.Files += p.Files
	if p.NoFiles {
		t.NoFiles++
	}
	if p.NoConnections {
		t.NoConnections++
	}
}

// takeCounts takes what was counted at another moment.
func (t *Totals) takeCounts(from *Totals) {
	t.Counted, t.CountedAt, t.Files, t.Connections = from.Counted, from.CountedAt, from.Files, from.Connections
	t.NoFiles, t.NoConnections = from.NoFiles, from.NoConnections
}

// totals adds up a sample.
func (m *Machine) totals(at time.Time, s *Sample) *Totals {
	t := &Totals{At: at, Until: s.until(at), CPU: m.lost - m.earlier, Capped: s.More > 0, Processors: s.Processors, Idle: s.Idle, every: s.Every, everyWide: s.EveryWide, lacks: s.Lacks}
	if s.Wide {
		m.counted = Totals{Counted: true, CountedAt: at, Connections: len(s.Connections)}
	}
	for _, p := range s.Processes {
		t.CPU += p.CPU + p.Reaped
		if p.Ended {
			continue
		}
		t.Processes++
		t.Memory += p.Memory
		t.Threads += p.Threads
		if p.Memory == 0 {
			t.NoMemory++
		}
		if p.Threads == 0 {
			t.NoThreads++
		}
		if s.Wide {
			m.counted.count(&p)
		}
	}
	t.takeCounts(&m.counted)
	if m.latest != nil {
		t.CPU = max(t.CPU, m.latest.CPU)
	}
	return t
}
