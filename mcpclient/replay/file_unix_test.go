//go:build unix

package replay

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A named pipe would be waited for, and a file that cannot be read is told as such.
func TestOnlyAFileThatCanBeReadIsOpened(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(pipe); err == nil || !strings.Contains(err.Error(), "a named pipe") {
		t.Errorf("%v", err)
	}
	if _, err := Open(os.DevNull); err == nil || !strings.Contains(err.Error(), "a device") {
		t.Errorf("%v", err)
	}
	path := written(t, story(nil).file.Bytes())
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(loop); err == nil || !strings.Contains(err.Error(), "cannot replay") {
		t.Errorf("%v", err)
	}
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 {
		return // who may read everything
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("%v", err)
	}
}
