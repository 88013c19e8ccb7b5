package audit

import "time"

// alike is how long a process with the same command line had lived in another call when that was
// cancelled, at most; 0: no other call had one. A process that began with a cancel or
// after that is known by this age for one of the call.
func (o *Observed) alike(c *Call, p *Process) (age time.Duration) {
	o.inOthers(c, func(q *Process) {
		if q.Name == p.Name {
			age = max(age, -q.Began)
		}
	})
	return age
}

// endsAnyway says why the processes of a call, which ended soon after its cancel, may have ended by
// themselves; empty: they would have lived on. The same program had lived longer in a call that was
// cancelled later, and in no call did one outlive the cancel for long.
func (o *Observed) endsAnyway(c *Call) (why string) {
	for i := range c.Processes.Began {
		b := &c.Processes.Began[i]
		if !b.wasBefore() || b.Ended <= 0 {
			continue // it is no work that was seen to stop, or had ended before the cancel
		}
		var longest time.Duration
		o.inOthers(c, func(q *Process) {
			if program(q.Name) == program(b.Name) {
				longest = max(longest, -q.Began)
			}
		})
		if longest < b.Ended-b.Began+LongEnough/10 {
			why = "it may have ended by itself: it had lived no longer in calls that were cancelled later"
		}
	}
	for i := range o.Trials {
		t := &o.Trials[i]
		for j := range t.Cancelled {
			u := &t.Cancelled[j]
			if u.Processes == nil || len(t.Cancelled) > 1 {
				continue
			}
			for k := range u.Processes.Began {
				if p := &u.Processes.Began[k]; p.wasBefore() && !p.Lives && p.Ended > o.rest(u)/2 {
					return "it may have ended by itself: in another call one ended " + took(p.Ended) + " after the cancel"
				}
			}
		}
	}
	return why
}

// hasMissed reports whether no process of a call was seen, though there was one in another call when
// that was cancelled.
func (o *Observed) hasMissed(c *Call) (missed bool) {
	if len(c.Processes.Began) == 0 {
		o.inOthers(c, func(*Process) { missed = true })
	}
	return missed
}

// inOthers visits the processes that lived in other calls when these were cancelled.
func (o *Observed) inOthers(c *Call, visit func(*Process)) {
	for i := range o.Trials {
		t := &o.Trials[i]
		for j := range t.Cancelled {
			u := &t.Cancelled[j]
			if u == c || u.Processes == nil || len(t.Cancelled) > 1 {
				continue
			}
			for k := range u.Processes.Began {
				if p := &u.Processes.Began[k]; p.wasBefore() && (p.Lives || p.Ended > 0) {
					visit(p)
				}
			}
		}
	}
}

// livesLonger is how much longer a process lives, in a call that is cancelled later, than one that
// was ended by a cancel.
const livesLonger = 2

// begunLate judges a call whose processes began with its cancel, or after it: a cancel that is
// sent at once comes while the server begins the work. What it means of other processes than
// those of other calls is not known.
func (o *Observed) begunLate(c *Call, rest, slack time.Duration) finding {
	var last *Process
	var lived time.Duration
	for i := range c.Processes.Began {
		b := &c.Processes.Began[i]
		if b.wasBefore() && !b.Lives && b.Ended <= 0 {
			continue // it had ended before the cancel
		}
		age := o.alike(c, b)
		if b.wasBefore() || b.Lives || age == 0 {
			return finding{}
		}
		if last == nil || b.Ended > last.Ended {
			last, lived = b, age
		}
	}
	switch {
	case last == nil:
		return finding{}
	case last.hasGoneToTheEnd(rest, slack) && o.tidies(c, last):
		return found(Unseen, tidying, took(last.Ended), last.words())
	case last.hasGoneToTheEnd(rest, slack):
		return found(Fail, "a process of the call, begun %s, went on until %s after the cancel, when the call would have ended: %s", last.begun(), took(last.Ended), last.words())
	case last.Ended <= rest/2 && !c.Processes.wereBusy() && lived >= max(LongEnough/4, livesLonger*(last.Ended-last.Began)):
		return found(Pass, "the last process of the call, begun %s, ended %s after the cancel; in a call that was cancelled later the same one lived for %s until then", last.begun(), took(last.Ended), took(lived))
	}
	return found(Unseen, "a process of the call ended %s after the cancel, and whether by the cancel is not known: %s; the call would have gone on for %s", took(last.Ended), last.words(), took(rest))
}

// begun says when a process began that did not surely begin before the cancel.
func (p *Process) begun() string {
	if p.Began <= rounding {
		return "as the cancel came"
	}
	return took(p.Began) + " after the cancel"
}
