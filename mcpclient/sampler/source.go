package sampler

import (
	"errors"
	"time"

	"belay/session/witness"
)

// source is where a system tells of its processes.
type source interface {
	// begin begins a sample of a time that is now, or was a moment ago: the ages of processes
	// are those of that time, and negative of one that began later.
	begin(now time.Time)
	// quiet reports whether no process has begun since it was asked last, as far as the
	// system can say that at little cost.
	quiet() bool
	// all are the numbers of all processes.
	all() ([]int, error)
	// read reads one process. Its command, files and Ended are not filled in everywhere.
	read(pid int) (reading, error)
	// command is the command line of a process, argument by argument.
	command(pid int) []string
	// environment is the start of that of a process, as it was when its program began. It is
	// valid until it is asked for again.
	environment(pid int) ([]byte, error)
	// files counts the open files of a process.
	files(pid int) (int, error)
	// connections are those of a process over a network.
	connections(pid int) ([]witness.Connection, error)
	// idle is for how long the processors that the server may use have been idle, all together,
	// and how many they are; 0 processors: that is not known.
	idle() (all time.Duration, processors int)
	// lacks says what this system does not tell at all.
	lacks() []string
}

// reading is what is read of one process at once.
type reading struct {
	witness.Process
	group, session int  // 0: not known
	cpuRefused     bool // the system does not tell how much CPU time it used
}

// errGone is told of a process that is not there any more.
var errGone = errors.New("the process has ended")

// cost measures what the work of one goroutine costs.
type cost interface {
	// begin starts a measurement, which ends with the function that it returns.
	begin() (end func() time.Duration)
}
