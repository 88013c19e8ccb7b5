package witness

import (
	"slices"
	"time"
)

// Living is a process that lived when the processes were looked at last.
type Living struct {
	PID   int
	Name  string // its command line, masked and cut, or its name; foreign text
	Began time.Time
}

// Living are the processes that lived at the latest sample, the server's own first, then as they were
// found, and when that sample was taken. All is false where there may be others: no sample has come,
// or there were more than belay looks at.
func (m *Machine) Living() (living []Living, at time.Time, all bool) {
	if m.latest == nil {
		return nil, time.Time{}, false
	}
	var procs []*proc
	for _, p := range m.procs {
		if p.ended.IsZero() {
			procs = append(procs, p)
		}
	}
	slices.SortFunc(procs, func(a, b *proc) int { return a.found - b.found })
	for _, p := range procs {
		living = append(living, Living{p.PID, p.called(), p.began})
	}
	return living, m.latest.At, !m.latest.Capped
}

// called is the command line of a process, or its name.
func (p *proc) called() string {
	if p.command == "" {
		return p.Name
	}
	return p.command
}
