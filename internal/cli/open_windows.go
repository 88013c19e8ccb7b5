package cli

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach keeps a program away from our console.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS}
}
