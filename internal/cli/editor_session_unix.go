//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// tell sends a signal to the editor. If belay leads its process group, the whole
// group is signalled: the editor may be a script that runs the real one.
// Otherwise the group may hold the programs that started belay, and only the
// editor is signalled.
func (l *editorSession) tell(sig os.Signal) error {
	s, ok := sig.(syscall.Signal)
	if !ok || l.signals == nil || syscall.Getpgrp() != os.Getpid() {
		return l.process.Signal(sig)
	}
	signal.Ignore(s) // belay has heard it
	defer l.hear(s)
	return syscall.Kill(0, s)
}
