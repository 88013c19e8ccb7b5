//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// detach gives a program a session of its own: it outlives belay, and cannot
// write into its screen.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
