package witness

import (
	"slices"
	"time"
)

// Census are the processes that lived at one sample. Its zero value is that of no sample.
type Census struct {
	At     time.Time
	Living []Living // the server's own first, then as they were found; not to be changed
	All    bool     // there were no more than belay looks at
	Totals Totals   // what they used, all together
}

// Living is a process that lived at a sample.
type Living struct {
	PID   int
	Name  string // its command line, masked and cut, or its name; foreign text
	Began time.Time
}

// Census are the processes that lived at the latest sample.
func (m *Machine) Census() Census { return m.census }

// count counts the processes that live at a sample.
func (m *Machine) count(t *Totals) {
	var procs []*proc
	for _, p := range m.procs {
		if p.ended.IsZero() {
			procs = append(procs, p)
		}
	}
	slices.SortFunc(procs, func(a, b *proc) int { return a.found - b.found })
	m.census = Census{At: t.At, All: !t.Capped, Living: make([]Living, len(procs)), Totals: *t}
	for i, p := range procs {
		m.census.Living[i] = Living{p.PID, p.called(), p.began}
	}
}

// called is the command line of a process, or its name.
func (p *proc) called() string {
	if p.command == "" {
		return p.Name
	}
	return p.command
}
