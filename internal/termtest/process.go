package termtest

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// Process is a process that has not ended; a zombie has.
type Process struct {
	PID, Parent, Group int
	Session            int // 0 where the system does not tell
	Command            string
}

// String names the process for messages.
func (p Process) String() string { return fmt.Sprintf("%s (pid %d)", p.Command, p.PID) }

var markers atomic.Int64

// newMarker is a value that no other terminal has.
func newMarker() string {
	return fmt.Sprintf("%d-%d-%d", os.Getpid(), markers.Add(1), time.Now().UnixNano())
}

// ChildrenOf lists the processes whose parent is pid.
func ChildrenOf(pid int) ([]Process, error) {
	all, err := listProcesses()
	if err != nil {
		return nil, err
	}
	var children []Process
	for _, p := range all {
		if p.Parent == pid {
			children = append(children, p)
		}
	}
	return children, nil
}

// IsProcessAlive reports whether a process exists and has not ended; it is true
// where that cannot be found out.
func IsProcessAlive(pid int) bool {
	all, err := listProcesses()
	for _, p := range all {
		if p.PID == pid {
			return true
		}
	}
	return err != nil
}

// WaitProcessGone waits until a process has ended, whoever's child it is.
func WaitProcessGone(pid int, timeout time.Duration) error {
	deadline := time.Now().Add(timeout)
	// No system call waits for the end of another's child everywhere.
	for IsProcessAlive(pid) {
		if time.Now().After(deadline) {
			return fmt.Errorf("termtest: process %d is still alive after %s", pid, timeout)
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}

// family lists what the program has started and is still there: its
// descendants, its session and group, and what carries the terminal's marker.
func (t *Terminal) family() ([]Process, error) {
	all, err := listProcesses()
	if err != nil {
		return nil, err
	}
	root, self := t.PID(), os.Getpid()
	_, exited := t.exitCode()
	byParent := make(map[int][]Process)
	for _, p := range all {
		byParent[p.Parent] = append(byParent[p.Parent], p)
	}
	found := make(map[int]bool)
	var family []Process
	var take func(p Process)
	take = func(p Process) {
		if p.PID == self || p.PID == root || found[p.PID] {
			return
		}
		found[p.PID] = true
		family = append(family, p)
		for _, child := range byParent[p.PID] {
			take(child)
		}
	}
	if !exited { // afterwards the ID may be another's
		for _, p := range byParent[root] {
			take(p)
		}
	}
	for _, p := range all {
		if p.Session == root || p.Group == root || carriesMarker(p.PID, t.marker) {
			take(p)
		}
	}
	return family, nil
}

// awaitFamily waits for a time until nothing that the program started is left.
func (t *Terminal) awaitFamily(timeout time.Duration) {
	for deadline := time.Now().Add(timeout); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if family, err := t.family(); err != nil || len(family) == 0 {
			return
		}
	}
}

// kill ends the program and its family and returns what was there.
func (t *Terminal) kill() Leftover {
	var left Leftover
	deadline := time.Now().Add(5 * time.Second)
	for round := 0; ; round++ {
		_, exited := t.exitCode()
		family, err := t.family()
		if round == 0 {
			left = Leftover{Running: !exited, Processes: family}
		}
		if exited && len(family) == 0 || time.Now().After(deadline) {
			return left
		}
		if !exited {
			_ = t.cmd.Process.Kill()
		}
		for _, p := range family {
			killProcess(p.PID)
		}
		if err != nil && exited {
			return left
		}
		time.Sleep(2 * time.Millisecond) // a killed process takes a moment to end
	}
}
