//go:build unix

package termtest

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// psProcesses asks ps, which every Unix has.
func psProcesses() ([]Process, error) {
	out, err := exec.Command("ps", "-axo", "pid=,ppid=,pgid=,stat=,comm=").Output()
	if err != nil {
		return nil, fmt.Errorf("termtest: cannot list processes with ps: %w", err)
	}
	return parsePS(string(out)), nil
}

// parsePS reads lines of pid, parent, group, state and command, and leaves out
// what has ended.
func parsePS(out string) []Process {
	var list []Process
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		if len(fields) < 5 || strings.HasPrefix(fields[3], "Z") {
			continue
		}
		var n [3]int
		var err error
		for i := range n {
			if n[i], err = strconv.Atoi(fields[i]); err != nil {
				break
			}
		}
		if err == nil {
			list = append(list, Process{PID: n[0], Parent: n[1], Group: n[2], Command: strings.Join(fields[4:], " ")})
		}
	}
	return list
}

func killProcess(pid int) { _ = syscall.Kill(pid, syscall.SIGKILL) }
