//go:build unix

package cli

import (
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Whoever ends belay does not wait for an editor that is being started, which is ended as soon as it has begun.
func TestBelayEndsWhileAnEditorIsStarted(t *testing.T) {
	var l editorSession
	syscall.ForkLock.RLock() // no process can be started
	ended := make(chan error, 1)
	go func() { ended <- l.run(exec.Command("sleep", "1000")) }()
	stacks := make([]byte, 1<<20)
	waitUntil(t, "the editor is not being started", func() bool {
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "syscall.forkExec")
	})
	told := make(chan struct{})
	go func() {
		defer close(told)
		l.end(syscall.SIGTERM)
	}()
	select {
	case <-told:
	case <-time.After(time.Minute):
		t.Error("who ends belay waits for the editor")
	}
	syscall.ForkLock.RUnlock()
	if err := <-ended; !errors.Is(err, errEnding) {
		t.Error(err)
	}
}
