package termtest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// listProcesses reads /proc.
func listProcesses() ([]Process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("termtest: cannot list processes: %w", err)
	}
	var list []Process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // it has ended meanwhile
		}
		if p, ok := parseStat(pid, string(stat)); ok {
			list = append(list, p)
		}
	}
	return list, nil
}

// parseStat reads a line of /proc/PID/stat: pid (command) state parent group
// session …, where the command may hold spaces and parentheses. It is false for
// a process that has ended.
func parseStat(pid int, stat string) (Process, bool) {
	open, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if open < 0 || end < open {
		return Process{}, false
	}
	fields := strings.Fields(stat[end+1:])
	if len(fields) < 4 || fields[0] == "Z" || fields[0] == "X" {
		return Process{}, false
	}
	p := Process{PID: pid, Command: stat[open+1 : end]}
	for i, into := range []*int{&p.Parent, &p.Group, &p.Session} {
		n, err := strconv.Atoi(fields[i+1])
		if err != nil {
			return Process{}, false
		}
		*into = n
	}
	return p, true
}

// carriesMarker reports whether a process was started with the terminal's
// marker in its environment.
func carriesMarker(pid int, marker string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	want := []byte(markerName + "=" + marker)
	for _, kv := range bytes.Split(env, []byte{0}) {
		if bytes.Equal(kv, want) {
			return true
		}
	}
	return false
}

// slaveNumber is the number of a pseudo-terminal, as the system names the program's side.
func slaveNumber(pty *os.File) (n int, err error) {
	conn, err := pty.SyscallConn()
	if err != nil {
		return 0, err
	}
	if failed := conn.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN) }); failed != nil {
		return 0, failed
	}
	return n, err
}

// holdersOf are the processes that have the program's side of a pseudo-terminal open, each with its
// state. Also a thread is asked: of a process whose first thread has ended that one shows nothing.
func holdersOf(slave int) []string {
	name := fmt.Sprintf("/dev/pts/%d", slave)
	files, _ := filepath.Glob("/proc/[0-9]*/task/[0-9]*/fd/[0-9]*")
	var holders []string
	found := map[string]bool{}
	for _, file := range files {
		pid := strings.Split(file, "/")[2]
		if to, err := os.Readlink(file); err != nil || to != name || found[pid] {
			continue
		}
		found[pid] = true
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		end := bytes.LastIndexByte(stat, ')') + 1
		if end == 0 {
			holders = append(holders, pid+" (gone)")
			continue
		}
		fields := strings.Fields(string(stat[end:]))
		holders = append(holders, fmt.Sprintf("%s, state %s", stat[:end], strings.Join(fields[:min(4, len(fields))], " ")))
	}
	return holders
}
