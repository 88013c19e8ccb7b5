package witness

import (
	"fmt"
	"time"
	"unsafe"
)

// Bounds of a sample.
const (
	// MostProcesses is how many processes a sample holds; the rest is counted.
	MostProcesses = 64
	// MostConnections is how many connections a sample holds.
	MostConnections = 64
	// MostCommand is how long a command line may be, in bytes.
	MostCommand = 200
)

// Sample is what was seen of a server's processes at one moment.
type Sample struct {
	Every       time.Duration `json:"every"`               // until the next sample is taken
	EveryWide   time.Duration `json:"everyWide,omitempty"` // the interval at which files and connections are counted
	Took        time.Duration `json:"took,omitempty"`      // from its time until all of it was read
	Wide        bool          `json:"wide,omitempty"`      // this sample counts files and connections, too
	Looked      bool          `json:"looked,omitempty"`    // all processes of the machine were looked through
	Processes   []Process     `json:"processes"`           // the server's own first, then as they were found
	Connections []Connection  `json:"connections,omitempty"`
	More        int           `json:"more,omitempty"`  // processes of the server's beyond MostProcesses
	Lacks       []string      `json:"lacks,omitempty"` // what cannot be seen here

	// Processors is how many processors the server may use, and Idle for how long they were idle
	// since the machine was started, all together. Without processors neither is known.
	Processors int           `json:"processors,omitempty"`
	Idle       time.Duration `json:"idle,omitempty"`
}

// Memory is about how many bytes a sample takes.
func (s Sample) Memory() int {
	n := len(s.Processes)*int(unsafe.Sizeof(Process{})) + len(s.Connections)*int(unsafe.Sizeof(Connection{}))
	for i := range s.Processes {
		n += len(s.Processes[i].Name) + len(s.Processes[i].Command)
	}
	for _, c := range s.Connections {
		n += len(c.Local) + len(c.Remote)
	}
	return n
}

// Process is what was seen of one process. Its name and its command line are foreign text.
type Process struct {
	PID     int           `json:"pid"`
	Start   int64         `json:"start"` // tells it from a later one with the same number
	Parent  int           `json:"parent"`
	Age     time.Duration `json:"age"` // at the time of the sample; negative: it began while that was taken
	Name    string        `json:"name"`
	Command string        `json:"command,omitempty"` // when it was seen first, or is another; masked, and cut
	Ended   bool          `json:"ended,omitempty"`   // it has ended, and nobody has waited for it yet
	CPU     time.Duration `json:"cpu"`
	Reaped  time.Duration `json:"reaped,omitempty"` // the CPU time of those of its children that it has waited for
	Memory  uint64        `json:"memory"`           // resident, in bytes
	Threads int           `json:"threads"`
	Files   int           `json:"files,omitempty"` // that it holds open, where they were counted

	NoFiles       bool `json:"noFiles,omitempty"`       // the system did not let its files be counted
	NoConnections bool `json:"noConnections,omitempty"` // … or its connections be seen
}

// More than this no process of a server has that belay has started, and the sum over a sample can be written.
const (
	mostCPU     = 366 * 24 * time.Hour // of one core
	mostMemory  = 1 << 50
	mostThreads = 1 << 22 // of Linux: no more than that begin at all
	mostAge     = 100 * mostCPU

	mostProcessors = 1 << 16
)

// Impossible says what in a sample cannot be, as only a file can say that others wrote; empty: nothing.
func (s *Sample) Impossible() string {
	if s.More < 0 {
		return fmt.Sprintf("there are %d more processes, which cannot be", s.More)
	}
	for i := range s.Processes {
		if what := s.Processes[i].impossible(); what != "" {
			return fmt.Sprintf("process %d has %s, which cannot be", s.Processes[i].PID, what)
		}
	}
	return ""
}

func (p *Process) impossible() string {
	switch {
	case p.PID < 0:
		return "a number below 0"
	case p.Age < -mostAge || p.Age > mostAge:
		return "an age of " + p.Age.String()
	case p.CPU < 0 || p.CPU > mostCPU || p.Reaped < 0 || p.Reaped > mostCPU:
		return fmt.Sprintf("used %v of CPU, and its children %v", p.CPU, p.Reaped)
	case p.Memory > mostMemory:
		return fmt.Sprintf("%d bytes of memory", p.Memory)
	case p.Threads < 0 || p.Threads > mostThreads:
		return fmt.Sprintf("%d threads", p.Threads)
	case p.Files < 0:
		return fmt.Sprintf("%d open files", p.Files)
	}
	return ""
}

// Connection is a connection of a process over a network.
type Connection struct {
	PID    int    `json:"pid"`
	Local  string `json:"local"`
	Remote string `json:"remote"`
}
