//go:build unix

package mcpclient

import (
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A root that has become a pipe cannot be read, and is not waited for.
func TestARootThatHasBecomeAPipe(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan bool, 1)
	go func() { done <- readable("file://" + filepath.ToSlash(pipe)) }()
	select {
	case can := <-done:
		if can {
			t.Error("a pipe passes")
		}
	case <-time.After(time.Minute): // against hanging, not a measure
		t.Fatal("it waits for the other end")
	}
}
