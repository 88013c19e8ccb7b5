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

// rest has nothing in flight before a call, and the processes of the server looked at when it has rested: the latest
// sample until then is of the end of the calls before, or, where the machine has no time for more, of a time at which
// they were in flight. It reports whether the audit goes on.
func (r *run) rest() bool {
	if !r.sleep(pause) {
		return false
	}
	r.rested = r.c.Now()
	r.c.of.LookAtProcesses()
	_ = r.c.Sampled(r.within(patience), r.rested)
	return r.ctx.Err() == nil
}

// atRest is what the processes used at a sample, after so many cancels, or calls that were left alone; false: it was
// taken before the server had rested, or there is none.
func (r *run) atRest(t *witness.Totals, n int) (rest audit.Rest, ok bool) {
	if t == nil || t.At.IsZero() || t.At.Before(r.rested) {
		return audit.Rest{}, false
	}
	rest = audit.Rest{
		Cancels: n, Processes: t.Processes, Connections: t.Connections, Files: t.Files, Capped: t.Capped, Memory: t.Memory,
		Counted: t.Counted && !t.CountedAt.Before(r.rested), NoFiles: t.NoFiles > 0, NoConnections: t.NoConnections > 0,
	}
	if t.NoMemory > 0 {
		rest.Memory = 0
	}
	return rest, true
}

// keepUnprovoked keeps what the processes used before calls that are to be left alone, while nothing was in flight.
func (r *run) keepUnprovoked() {
	used := r.c.Status().Processes.Totals
	if rest, ok := r.atRest(&used, r.made); ok {
		r.seen.Unprovoked = append(r.seen.Unprovoked, rest)
	}
}

// keepRest keeps what the processes used before a call that was to be cancelled, while nothing was in flight.
func (r *run) keepRest(id session.CallID, sent bool) {
	n := r.cancels
	if sent {
		n--
	}
	d, _ := r.c.Detail(id)
	if d.Processes == nil {
		return
	}
	if rest, ok := r.atRest(d.Processes.Before, n); ok {
		r.seen.Rests = append(r.seen.Rests, rest)
	}
}
