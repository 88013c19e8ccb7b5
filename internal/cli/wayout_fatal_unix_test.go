//go:build unix

package cli

import (
	"syscall"
	"testing"
)

// A signal that is for a program that hangs says more than the one that it comes with.
func TestAFatalSignalComesWithAnother(t *testing.T) {
	onWayOut(t, func(r *wayRig) {
		r.signals <- syscall.SIGTERM
		r.signals <- syscall.SIGQUIT
		r.after(0)
		r.want(t, "begin by terminated 0s", "fall by quit 0s")
	})
}
