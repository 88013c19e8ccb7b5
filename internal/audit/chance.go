package audit

import (
	"math"
	"slices"
	"time"
)

// beyondChance is below what likelihood a coincidence is taken for none.
const beyondChance = 1e-5

// draw is a call, or several at once, whose answer came in a part of the time of a call.
type draw struct {
	from, to time.Duration
	calls    []*Call // that were cancelled; none: it was left alone
}

// answeredByCancel are the calls that were answered by their cancels, though each of these answers may
// have been on its way, and at how many moments they were cancelled. One such answer says nothing. A
// tool that does not know of cancels, however, takes a time that does not depend on them:
// where every call is answered just as it is cancelled, be that early or late, and none
// that is left alone is, one and the same tool would have to take another time for each.
func (o *Observed) answeredByCancel() (calls []*Call, moments int) {
	all := o.drawsAlone()
	for i := range o.Trials {
		d, ok := o.drawn(&o.Trials[i])
		switch {
		case !ok:
			return nil, 0
		case len(d.calls) > 0:
			all = append(all, d)
		}
	}
	likely := 1.0
	for _, at := range apart(all) {
		share := float64(len(at)) / float64(len(all))
		likely *= math.Pow(share, float64(len(at)))
		if slices.ContainsFunc(at, func(d draw) bool { return len(d.calls) == 0 }) {
			continue // it would have ended then
		}
		moments++
		for _, d := range at {
			calls = append(calls, d.calls...)
		}
	}
	if likely > beyondChance {
		return nil, 0
	}
	return calls, moments
}

// drawsAlone are the calls that were left alone. The fastest of them does not count: by its time it is
// decided when others are cancelled. What ran at once counts as one.
func (o *Observed) drawsAlone() (all []draw) {
	for _, c := range o.Alone {
		all = append(all, draw{from: min(c.Ran, o.Took), to: c.Ran})
	}
	if len(all) > 0 {
		all = all[1:]
	}
	if len(o.Together) > 0 {
		d := draw{from: o.Took, to: o.Took}
		for _, c := range o.Together {
			d.from, d.to = min(d.from, c.Ran), max(d.to, c.Ran)
		}
		all = append(all, d)
	}
	return all
}

// drawn is what a trial says of whether cancels are answered; no calls: nothing. It is false where the
// trial speaks against that: a call had ended before its cancel, or went on after it.
func (o *Observed) drawn(t *Trial) (d draw, ok bool) {
	if t.Situation < AtOnce || t.Situation > Crowd || t.Lost != "" {
		return draw{}, true
	}
	for i := range t.Cancelled {
		c := &t.Cancelled[i]
		switch {
		case c.Sent && c.Crossed && c.Task == nil && !c.Blind && c.Deaf == "" && c.delay() == 0 && !o.overtakes(c):
			wide := max(c.Bound, c.After)
			if len(d.calls) == 0 {
				d.from, d.to = c.Ran-wide, c.Ran+wide
			}
			d.from, d.to, d.calls = min(d.from, c.Ran-wide), max(d.to, c.Ran+wide), append(d.calls, c)
		case t.Situation == Crowd: // of which a server may not have begun all
			return draw{}, true
		default:
			return draw{}, o.isNeutral(t, c)
		}
	}
	return d, true
}

// isNeutral reports whether a call that was not answered just as it was cancelled says nothing of whether
// others were by their cancels.
func (o *Observed) isNeutral(t *Trial, c *Call) bool {
	switch {
	case c.Task != nil, c.Blind, c.Deaf != "", c.delay() > 0, o.overtakes(c):
		return true
	case !c.Sent:
		return false
	case c.Answer == NoAnswer: // a server may not have begun a call that is cancelled at once
		return t.Situation == AtOnce
	}
	return c.Crossed || c.After < o.rest(c)/2 // which fails by itself
}

// apart sorts draws by when they were answered. Those of which that may be the same time are together.
func apart(all []draw) (at [][]draw) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b draw) int { return int(a.from - b.from) })
	var to time.Duration
	for _, d := range all {
		if len(at) == 0 || d.from > to {
			at = append(at, nil)
		}
		at[len(at)-1] = append(at[len(at)-1], d)
		to = max(to, d.to)
	}
	return at
}
