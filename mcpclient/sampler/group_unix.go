//go:build unix

package sampler

import "golang.org/x/sys/unix"

// groupOf is the process group of a process, and its session; 0: not known.
func groupOf(pid int) (group, session int) {
	group, _ = unix.Getpgid(pid)
	session, _ = unix.Getsid(pid)
	return max(0, group), max(0, session)
}
