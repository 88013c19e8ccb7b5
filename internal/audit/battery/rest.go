package battery

import (
	"time"

	"belay/internal/audit"
	"belay/session"
	"belay/session/witness"
)

// pause is how long nothing is in flight before a call: the use of an idle server is measured
// meanwhile.
const pause = 1200 * time.Millisecond

// lookWait is for how long a look at the processes is awaited: where they have cost too much, it is taken after ten
// seconds.
const lookWait = 15 * time.Second

// rest has nothing in flight for a while, and reports whether the audit goes on.
func (r *run) rest() bool { return r.sleep(pause) }

// restAlone rests after calls that were left alone, until the processes were looked at. The latest sample until then is
// of the end of those calls, or, where the machine has no time for more, of a time at which they were in flight: while
// nothing is, none is taken but after a cancel.
func (r *run) restAlone() bool {
	if !r.rest() {
		return false
	}
	r.over = r.c.Now()
	r.c.of.LookAtProcesses()
	_ = r.c.Sampled(r.within(lookWait), r.over)
	return r.ctx.Err() == nil
}

// noteEnd notes the end of a call: what was seen before is not what the server has at rest.
func (r *run) noteEnd(d *session.Detail) {
	at := d.Ended
	if at.IsZero() { // nobody waits for it any more
		at = r.c.Now()
	}
	if at.After(r.over) {
		r.over = at
	}
}

// atRest is what the processes used at a sample, after so many cancels, or calls that were left alone; false: the
// sample was taken before the calls were over, or there is none.
func atRest(t *witness.Totals, over time.Time, n int) (rest audit.Rest, ok bool) {
	if t == nil || t.At.IsZero() || t.At.Before(over) {
		return audit.Rest{}, false
	}
	rest = audit.Rest{
		Cancels: n, Processes: t.Processes, Connections: t.Connections, Files: t.Files, Capped: t.Capped, Memory: t.Memory,
		Counted: t.Counted && !t.CountedAt.Before(over), NoFiles: t.NoFiles > 0, NoConnections: t.NoConnections > 0,
	}
	if t.NoMemory > 0 {
		rest.Memory = 0
	}
	return rest, true
}

// keepUnprovoked keeps what the processes used before calls that are to be left alone, while nothing was in flight.
func (r *run) keepUnprovoked() {
	used := r.c.Status().Processes.Totals
	if rest, ok := atRest(&used, r.over, r.made); ok {
		r.seen.Unprovoked = append(r.seen.Unprovoked, rest)
	}
}

// keepRest keeps what the processes used before a call that was to be cancelled, while nothing was in flight. The calls
// before had been over at a time.
func (r *run) keepRest(id session.CallID, sent bool, over time.Time) {
	n := r.cancels
	if sent {
		n--
	}
	d, _ := r.c.Detail(id)
	if d.Processes == nil {
		return
	}
	if rest, ok := atRest(d.Processes.Before, over, n); ok {
		r.seen.Rests = append(r.seen.Rests, rest)
	}
}
