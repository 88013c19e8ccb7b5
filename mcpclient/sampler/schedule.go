package sampler

import "time"

// Intervals, as long as samples cost little.
const (
	shortest = 100 * time.Millisecond // of CPU time, memory, threads and processes
	resting  = time.Second            // … when nothing has begun or was cancelled for a while
	wide     = time.Second            // of files and connections
	longest  = 10 * time.Second
)

// fresh is for how long samples are taken at the shortest interval after a look.
const fresh = 10 * time.Second

// early is for how long after a look samples are taken at the shortest interval whatever they
// cost, as far as the share allows: the processes of a call mostly begin at once.
const early = time.Second

// share is the part of one core that each of the two kinds may take; together they leave
// some of the hundredth for what is done with a sample.
const share = 0.004

// burst is for how long samples may be taken as often as they are asked for.
const burst = 2 * time.Second

// schedule says when the next sample is due by what the last ones cost. It has no clock.
type schedule struct {
	base time.Duration
	cost time.Duration // of a sample, the latest counting most
}

// took notes what a sample cost.
func (p *schedule) took(cost time.Duration) {
	if cost >= p.cost {
		p.cost = cost
		return
	}
	p.cost = (3*p.cost + cost) / 4
}

// every is how long it is from one sample to the next.
func (p *schedule) every() time.Duration {
	needed := time.Duration(float64(p.cost) / share)
	return min(longest, max(p.base, needed.Round(10*time.Millisecond)))
}
