package witness

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Resting is what a [Machine] knows of a server while no call is in flight and none is
// followed: by it another machine judges the next call as this one would.
type Resting struct {
	At     time.Time     `json:"at"`
	Share  float64       `json:"share,omitempty"` // of one core, that the idle server used before the last call
	Known  bool          `json:"known,omitempty"` // … as far as that is known
	Awaits bool          `json:"awaits,omitempty"`
	Lost   time.Duration `json:"lost,omitempty"` // the CPU time of processes that nobody waited for
	From   *Totals       `json:"from,omitempty"` // the first sample since then
	Ready  time.Time     `json:"ready,omitzero"` // see [Machine.Ready]

	Earlier time.Duration `json:"earlier,omitempty"` // the CPU time of processes before there was room to look at them
	Latest  *Totals       `json:"latest,omitempty"`

	// The call that was cancelled last since idle use was measured, and the part of one core
	// that was used while its work was seen going on.
	Stopped int     `json:"stopped,omitempty"`
	GoesOn  float64 `json:"goesOn,omitempty"`

	Strayed time.Time `json:"strayed,omitzero"` // when a process of a cancelled call began last, after its cancel

	Itself bool `json:"itself,omitempty"` // the server has begun a process by itself

	// The processes that began just now: the next call may seem to have begun them.
	Young []Number `json:"young,omitempty"`

	// The processes that cancelled calls have left: what these begin is not known to be the next call's.
	Left []Number `json:"left,omitempty"`
}

// Number is by which a process is known, as the number alone is used again.
type Number struct {
	PID   int   `json:"pid"`
	Start int64 `json:"start"`
}

// Resting returns what is known at a time, and false while a call is in flight or followed.
func (m *Machine) Resting(now time.Time) (Resting, bool) {
	if len(m.flying) > 0 || m.Follows(now) {
		return Resting{}, false
	}
	return Resting{
		At: now, Share: m.idle.share, Known: m.idle.known, Awaits: m.awaits, Lost: m.lost, Earlier: m.earlier,
		From: m.idleFrom, Ready: m.ready, Latest: m.latest,
		Stopped: m.goesOn.call, GoesOn: m.goesOn.share, Strayed: m.strayed, Itself: m.byItself,
		Young: m.youngAt(now), Left: m.leftByCancelled(),
	}, true
}

// youngAt are the processes that a call which begins at a time may seem to have begun: that a
// process is as old is known to some milliseconds only.
func (m *Machine) youngAt(now time.Time) (all []Number) {
	if len(m.procs) == 0 { // no sample has come since it was resumed
		return m.young
	}
	for _, p := range slices.SortedFunc(maps.Values(m.procs), func(a, b *proc) int { return a.order() - b.order() }) {
		if p.found > 1 && !p.began.Add(2*rounding).Before(now) {
			all = append(all, Number{p.PID, p.Start})
		}
	}
	return all
}

// leftByCancelled are the living processes that were begun by a cancelled call, or below such a process.
func (m *Machine) leftByCancelled() (all []Number) {
	if len(m.procs) == 0 { // no sample has come since it was resumed
		return m.left
	}
	for _, p := range slices.SortedFunc(maps.Values(m.procs), func(a, b *proc) int { return a.order() - b.order() }) {
		if of := cmp.Or(p.of, p.below); of != nil && !of.cancelled.IsZero() && p.ended.IsZero() {
			all = append(all, Number{p.PID, p.Start})
		}
	}
	return all
}

// Impossible says what of it cannot be, as only a file can say that others wrote; empty: nothing.
func (r *Resting) Impossible() string {
	share := func(f float64) bool { return f >= 0 && f <= mostProcessors } // which NaN is not
	switch {
	case !share(r.Share), !share(r.GoesOn):
		return fmt.Sprintf("an idle server used %g of one core, and at work %g, which cannot be", r.Share, r.GoesOn)
	case r.Lost < 0 || r.Lost > mostAge || r.Earlier < 0 || r.Earlier > mostAge:
		return fmt.Sprintf("processes that have ended used %v of CPU, and others %v before they were looked at, which cannot be", r.Lost, r.Earlier)
	}
	if n := max(len(r.Young), len(r.Left)); n > MostProcesses {
		return fmt.Sprintf("%d processes began just now, or were left, and belay looks at %d", n, MostProcesses)
	}
	for _, t := range []*Totals{r.From, r.Latest} {
		if t.isImpossible() {
			return "the processes have figures that cannot be"
		}
	}
	return ""
}

// isImpossible reports whether a sum over a sample is more than that of any, or below zero.
func (t *Totals) isImpossible() bool {
	if t == nil {
		return false
	}
	counts := []int{t.Threads, t.Files, t.Connections, t.Processes, t.Processors, t.NoMemory, t.NoThreads, t.NoFiles, t.NoConnections}
	return slices.Min(counts) < 0 || t.CPU < 0 || t.CPU > mostAge || t.Idle < 0 || t.Memory > mostMemory*MostProcesses || t.Until.Before(t.At)
}

// Resume forgets the samples of a connection, and goes on from what another machine knew.
func (m *Machine) Resume(in Resting, now time.Time) {
	m.Connected()
	m.idle, m.awaits, m.lost, m.earlier = idle{share: in.Share, known: in.Known}, in.Awaits, in.Lost, in.Earlier
	m.idleFrom, m.latest = in.From.moved(now.Sub(in.At)), in.Latest.moved(now.Sub(in.At))
	if t := m.latest; t != nil {
		m.counted = Totals{}
		m.counted.takeCounts(t)
	}
	m.ready = in.Ready.Add(now.Sub(in.At))
	m.byItself = in.Itself
	m.young, m.left = in.Young, in.Left
	m.leaver = &Account{ended: true, cancelled: now.Add(-2 * Follow)} // or the other machine had not come to rest
	m.goesOn, m.looked = earlier{in.Stopped, in.GoesOn}, m.idleFrom
	if m.strayed = in.Strayed; !m.strayed.IsZero() {
		m.strayed = m.strayed.Add(now.Sub(in.At))
	}
}

// moved is a sample that was taken later by d.
func (t *Totals) moved(d time.Duration) *Totals {
	if t == nil {
		return nil
	}
	later := *t
	later.At, later.Until = t.At.Add(d), t.Until.Add(d)
	if later.Counted = t.Counted && !t.CountedAt.IsZero(); later.Counted { // older recordings do not tell when
		later.CountedAt = t.CountedAt.Add(d)
	}
	return &later
}

// Follows reports whether a cancelled call is followed at a time.
func (m *Machine) Follows(now time.Time) bool {
	return slices.ContainsFunc(m.watched, func(a *Account) bool { return !a.isPast(now) })
}
