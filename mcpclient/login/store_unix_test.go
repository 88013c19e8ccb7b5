//go:build unix

package login

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Where a pipe lies in place of a login, that is told, and nothing waits for its other
// end; the next login puts it aside.
func TestALoginThatIsAPipe(t *testing.T) {
	w := newServers(t)
	dir := t.TempDir()
	w.mustLogin(w.login(in(dir)))
	files, _ := filepath.Glob(filepath.Join(dir, grantFile+"*"))
	if len(files) != 1 {
		t.Fatalf("the files are %q", files)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(files[0], 0o600); err != nil {
		t.Fatal(err)
	}
	l := w.login(in(dir))
	read := make(chan error, 1)
	go func() {
		_, err := l.Authorization(context.Background())
		read <- err
	}()
	select {
	case err := <-read:
		wants(t, err, string(StepStore), files[0], "is no regular file, but a named pipe: move it away, or log in again")
	case <-time.After(time.Minute): // against hanging, not a measure
		t.Fatal("it waits for the other end")
	}
	w.mustLogin(l)
	if info, err := os.Stat(files[0] + ".broken"); err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("it is not put aside: %v", err)
	}
	if w.header(w.login(in(dir))).Empty() {
		t.Error("the new login is not found")
	}
}
