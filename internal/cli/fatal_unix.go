//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// fatal are the signals of which the runtime ends a program, saying what each
// goroutine does. Faults of the program itself are not told as signals.
var fatal = []os.Signal{syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGSEGV, syscall.SIGBUS, syscall.SIGFPE}

// die does what the signal would have done had nobody heard it.
func die(sig os.Signal) {
	signal.Reset(sig)
	if s, ok := sig.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), s)
		time.Sleep(lastWords)
	}
	os.Exit(ExitUsage)
}
