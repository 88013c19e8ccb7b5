package session

import (
	"time"

	"belay/session/witness"
)

// processes are those of the server in a simulation.
type simProcesses struct {
	began map[int]time.Time // by their number; that of the server is 1
	cpu   time.Duration
	next  int
}

// samples has a process begin or end, or work, now and then, and samples all of them. What
// the core finds in that is not computed again here: that it is weighed as it must be is, and
// that a replay finds the same.
func (w *simulation) samples(a, b uint64) {
	if w.web != nil || w.server == nil || (a^b)%3 > 0 {
		return
	}
	p := &w.procs
	if p.began == nil {
		p.began, p.next = map[int]time.Time{1: w.now}, 2
	}
	alone := w.s.rows.byUser == 1 // else nothing is found
	stops := alone && w.s.rows.yoursStopping == 1
	switch k := a % 8; {
	case k == 0, k > 4 && alone && !stops:
		p.began[p.next] = w.now
		p.next++
	case k == 1, k > 4 && stops:
		for pid := range p.next {
			if _, lives := p.began[pid]; lives && pid > 1 && (b%3 > 0 || pid%2 == 0) {
				delete(p.began, pid)
			}
		}
	case k == 2:
		p.cpu += time.Duration(b%2000) * time.Millisecond
	}
	s := witness.Sample{Every: 100 * time.Millisecond, Wide: b%2 == 0}
	for pid := range p.next {
		began, lives := p.began[pid]
		if !lives {
			continue
		}
		one := witness.Process{PID: pid, Parent: pid - 1, Age: w.now.Sub(began), Name: "p\xff", Command: "p --token sk-live-0123456789abcdef"}
		if pid == 1 {
			one.CPU = p.cpu
		}
		s.Processes = append(s.Processes, one)
	}
	w.input(func() {
		w.oracle.taken()
		w.s.Tell(w.now, ProcessSample{Epoch: w.epoch, Ago: time.Duration(b%3) * time.Millisecond, Sample: s})
	})
}

// found is what the core finds in the samples for a row.
func (h *oracle) found(id CallID) witness.Finding {
	c := h.w.s.rows.get(id)
	if c == nil || c.stop == nil {
		return witness.Nothing
	}
	return c.stop.Processes.Finding()
}
