package witness

import "time"

// IdleKnownAt is from when on the idle server's use of CPU is known of a call that begins then;
// zero: that cannot be told yet.
func (m *Machine) IdleKnownAt() time.Time {
	switch {
	case m.idle.known:
		return m.ready
	case m.idleFrom != nil:
		return m.idleFrom.At.Add(leastIdle)
	}
	return time.Time{}
}

// rest takes a sample as the first, or the last, of a time in which nothing was in flight.
func (m *Machine) rest(t *Totals) {
	if a := m.first; a != nil {
		m.first = nil
		if !t.Until.After(a.began) { // it was complete, and came late
			a.before = t
		}
		if len(a.procs) == 0 || a.start == nil { // else the one before the call says more
			a.start = t
		}
		a.earlier = m.measure(t)
		a.idle, m.idleFrom = m.idle, nil
		return
	}
	switch {
	case len(m.flying) > 0:
	case m.awaits && !t.At.Before(m.ready):
		m.awaits, m.idleFrom, m.looked = false, t, t
	case m.idleFrom != nil && m.goesOn.call != 0:
		m.lookOn(t)
	}
}

// measure takes the idle use of the server until a call begins. While the work of a call that
// was cancelled before is seen going on, what is used is not idle use: the one that was
// measured before that call stands, and the call is returned.
func (m *Machine) measure(t *Totals) earlier {
	if used, in := since(m.idleFrom, t); in >= leastIdle {
		if m.goesOn.call == 0 || !m.idle.isExceeded(used, in) {
			m.idle, m.goesOn = idle{known: true, share: share(used, in)}, earlier{}
		} else {
			m.goesOn.share = share(used, in)
		}
	}
	if m.goesOn.share == 0 {
		return earlier{}
	}
	return m.goesOn
}

// lookOn looks whether the work of the call that was cancelled last goes on while nothing is in
// flight: the idle use is measured from where it was seen last.
func (m *Machine) lookOn(t *Totals) {
	used, in := since(m.looked, t)
	if in < leastIdle {
		return
	}
	if m.looked = t; m.idle.isExceeded(used, in) {
		m.goesOn.share, m.idleFrom = share(used, in), t
	}
}

// seenGoingOn is the part of one core that was used since the cancel of a call that has ended;
// 0: that was no work, or was not looked at for long enough.
func (a *Account) seenGoingOn() float64 {
	used, in, _ := a.work()
	if in < leastIdle || !a.idle.isExceeded(used, in) {
		return 0
	}
	return share(used, in)
}

// straysFor is for how long after a process of a cancelled call began the next one is awaited.
const straysFor = 3 * time.Second

// straysAt reports whether processes of a call that was cancelled are beginning at a time: of
// what begins then nobody can tell whether it is another call's.
func (m *Machine) straysAt(at time.Time) bool {
	return !m.strayed.IsZero() && at.Sub(m.strayed) <= straysFor
}

// stray notes a process that began while nothing was in flight. Where processes of a cancelled
// call began before, it may be another one of these, also if it is found by the next call, a.
func (m *Machine) stray(p *proc, a *Account) {
	if m.strayed.IsZero() {
		return
	}
	m.strayed = later(m.strayed, p.began)
	if a != nil && a == m.first {
		a.beset = m.straysAt(a.began)
	}
}

// itself notes a process that the server began by itself: while nothing was in flight, and so long
// after it was ready, and after the last call, that it is no start and no rest of these.
func (m *Machine) itself(p *proc) {
	if m.idleFrom != nil && p.began.After(m.idleFrom.At.Add(straysFor)) && !m.straysAt(p.began) {
		m.byItself = true
	}
}

// chain notes a process that began after the last call and is found by the first look of the next one, a. Where others of the
// same command begin in that call, the server may have begun them by itself as well.
func (m *Machine) chain(p *proc, a *Account) {
	if a != nil && a == m.first && m.idleFrom != nil && p.began.After(m.idleFrom.At) && p.began.After(m.ready.Add(straysFor)) {
		a.chain = p.called()
	}
}

// wasWorkAt reports whether a process that began at a time is work that went on after the cancel.
func (a *Account) wasWorkAt(at time.Time) bool {
	return !a.cancelled.IsZero() && at.After(a.cancelled.Add(a.bound))
}

// since is the CPU time that was used between two samples, and that between them; none after
// no sample.
func since(from, to *Totals) (used, in time.Duration) {
	if from == nil {
		return 0, 0
	}
	return to.CPU - from.CPU, to.At.Sub(from.At)
}

// share is a use of CPU as a part of one core.
func share(used, in time.Duration) float64 { return float64(used) / float64(in) }
