//go:build unix

package cli

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A report to a pipe that nobody reads is refused, and not waited for.
func TestAReportToAPipeThatNobodyReads(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe.md")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- writeFile(pipe, []byte("report"), true) }()
	select {
	case err := <-done:
		if err == nil || !strings.HasSuffix(err.Error(), "it is a pipe, and nobody reads it") {
			t.Errorf("%v", err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for somebody to read")
	}
}
