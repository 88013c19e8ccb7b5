//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// tell sends a signal to the editor. Where belay leads its process group, all of
// it are programs of the editor's, which may be a script that runs the editor
// proper; where it does not, the others may be those that started belay.
func (l *lent) tell(sig os.Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok || l.signals == nil || syscall.Getpgrp() != os.Getpid() {
		return l.process.Signal(sig)
	}
	signal.Ignore(s) // belay has heard it
	defer signal.Notify(l.signals, s)
	return syscall.Kill(0, s)
}
