package mcpclient

import (
	"slices"
	"sync"
	"time"
)

// Process describes a server's process, for people.
type Process struct {
	PID     int    // 0: it is no process of ours, but reached over HTTP
	Address string // of a server over HTTP, as it may be seen
	Argv    []string
	Dir     string   // empty: belay's own working directory
	Env     []string // the names of its environment variables, sorted; no values
	Started time.Time
	Ended   time.Time // zero while it runs
	Status  string    // how it ended: "exit status 3", "signal: killed"; empty while it runs
	Failure string    // of belay's own, when that is why it was closed
	Stderr  string    // the last lines it wrote there; foreign text
	Steps   []Step    // of closing it
}

// IsRunning reports whether it has been started and has not ended.
func (p Process) IsRunning() bool { return !p.Started.IsZero() && p.Ended.IsZero() }

// Step is one step of closing a server, in belay's own words.
type Step struct {
	At   time.Time
	Text string
	Kind StepKind
}

// StepKind is what a step of closing a server did to its process.
type StepKind uint8

// The kinds of steps.
const (
	StepOther       StepKind = iota // it did nothing to the process
	StepClosed                      // belay closed its stdin while it ran
	StepTerminated                  // it had not ended in time, and was sent SIGTERM
	StepKilled                      // it had not ended in time, and was killed
	StepKilledByAsk                 // it was killed as belay was told to end it at once: it had not had its time
	StepExited                      // it ended, after one of these
)

// steps is the log of one process.
type steps struct {
	mu      sync.Mutex
	started time.Time
	ended   time.Time
	status  string
	list    []Step
}

func (s *steps) start(now time.Time) { s.started = now }

func (s *steps) add(now time.Time, kind StepKind, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, Step{At: now, Text: text, Kind: kind})
}

func (s *steps) end(now time.Time, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended, s.status = now, status
}

// info implements connection.
func (p *stdio) info() Process {
	p.steps.mu.Lock()
	defer p.steps.mu.Unlock()
	return Process{
		PID:     p.Cmd.Process.Pid,
		Argv:    slices.Clone(p.c.opt.Command),
		Dir:     p.c.opt.Dir,
		Env:     slices.Clone(p.Names),
		Started: p.steps.started,
		Ended:   p.steps.ended,
		Status:  p.steps.status,
		Failure: p.failed(),
		Stderr:  p.tail.String(),
		Steps:   slices.Clone(p.steps.list),
	}
}
