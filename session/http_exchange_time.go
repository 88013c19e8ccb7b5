package session

import (
	"slices"

	"belay/session/mcp"
	"belay/session/timer"
)

// What happens to exchanges by themselves, and when.

// due is the owner of the deadline of an exchange: when belay closes it by itself.
func (e *exchange) due() timer.Owner { return timer.Owner{Kind: dueExchange, ID: e.x.N} }

// resumption is the owner of the deadline at which the stream of a request that was
// sent is taken up again. While it waits for a login it has none.
func (r *request) resumption() timer.Owner { return timer.Owner{Kind: dueResume, ID: r.order} }

// onResumeDue takes the stream of a request up again.
func (s *Session) onResumeDue(order uint64) {
	for _, r := range s.http.waits {
		if r.order == order {
			s.resumeNow(r)
			return
		}
	}
}

// forget takes an exchange off those that are open.
func (w *exchanges) forget(e *exchange) {
	delete(w.open, e.x.N)
	w.timers.Stop(e.due())
}

// numbers are those of the open exchanges, in order: what happens must not
// depend on the order of a map.
func (w *exchanges) numbers() []uint64 {
	ns := make([]uint64, 0, len(w.open))
	for n := range w.open {
		ns = append(ns, n)
	}
	slices.Sort(ns)
	return ns
}

// onCloseOverdue closes an exchange that should have ended by itself.
func (s *Session) onCloseOverdue(e *exchange) {
	if e.answered {
		s.diagnose(mcp.DiagLinger, callOf(e), "", lingerLimit.String())
	}
	if (e.role == roleAnswer || e.role == roleNotice) && !e.opened {
		s.onUnacknowledged(e, "no answer within "+takeLimit.String())
	}
	s.http.abort(e)
}
