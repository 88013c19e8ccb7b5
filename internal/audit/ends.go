package audit

import "time"

// conclusion is how long a process of a call went on: until its cancel and after it together, and after
// it; and how long the call had run by then.
type conclusion struct{ ran, all, after time.Duration }

// apartBy is by how much the cancels of two calls are to differ for a comparison of what came after them.
const apartBy = LongEnough / 4

// cutsShort reports whether what went on after the cancel of a call is what the server does to end it, as a cleanup
// that takes long, by what went on in calls that were cancelled at other times. A tool that does not
// know of its cancels goes on until the same time in all of them. A server that ends its work goes on for as
// long after each cancel: in all for longer, by as much as that comes later, unless it was cleaning up already. As
// a busy machine makes any call longer or shorter, that is to be so by half of the difference, and more of the calls
// are to speak for the cleanup than do not.
//
// How much CPU was used is no such sign, as on a busy machine a process gets less in one call than in
// another. Until when it was used is one.
func cutsShort(c conclusion, others []conclusion) bool {
	votes := 0
	for _, u := range others {
		apart := u.ran - c.ran
		margin := max(apartBy, max(apart, -apart)/2)
		switch {
		case max(apart, -apart) < apartBy:
		case apart > 0 && u.all >= c.all+margin, apart < 0 && u.all <= c.all-margin && c.after <= u.after+LongEnough/10:
			votes++
		default:
			votes--
		}
	}
	return votes > 0
}

// singles visits the other calls that were cancelled by themselves, of which the processes were seen.
func (o *Observed) singles(c *Call, visit func(*Call)) {
	for i := range o.Trials {
		t := &o.Trials[i]
		for j := range t.Cancelled {
			if u := &t.Cancelled[j]; u != c && u.Sent && u.Processes != nil && len(t.Cancelled) == 1 {
				visit(u)
			}
		}
	}
}

// tidies reports whether a process that ended some time after the cancel of its call did what
// the server does to end a call.
func (o *Observed) tidies(c *Call, p *Process) bool {
	var others []conclusion
	o.singles(c, func(u *Call) {
		last := time.Duration(0)
		for i := range u.Processes.Began {
			switch q := &u.Processes.Began[i]; {
			case program(q.Name) != program(p.Name):
			case q.Lives:
				return
			default:
				last = max(last, q.Ended)
			}
		}
		if last > 0 && u.Stopped < LongEnough/10 {
			others = append(others, conclusion{u.Ran, u.Ran + last, last})
		}
	})
	return cutsShort(conclusion{c.Ran, c.Ran + p.Ended, p.Ended}, others)
}

// unwinds reports whether the server used CPU after the cancel of a call as it does to end a call.
func (o *Observed) unwinds(c *Call) bool {
	if !c.Processes.hasCalmed() || c.Processes.Busy == 0 {
		return false
	}
	var others []conclusion
	o.singles(c, func(u *Call) {
		if u.Processes.hasCalmed() && u.Stopped < LongEnough/10 {
			others = append(others, conclusion{u.Ran, u.Ran + u.Processes.Busy, u.Processes.Busy})
		}
	})
	return cutsShort(conclusion{c.Ran, c.Ran + c.Processes.Busy, c.Processes.Busy}, others)
}

// hasCalmed reports whether the CPU was seen to be at rest again when the processes were last looked at.
func (p *Processes) hasCalmed() bool { return p.Busy <= p.Looked+p.Window-LongEnough/10 }
