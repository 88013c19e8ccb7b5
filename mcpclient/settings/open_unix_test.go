//go:build unix

package settings

import (
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// atOnce calls what must not wait for the other end of a pipe.
func atOnce(t *testing.T, what string, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(time.Minute): // against hanging, not a measure
		t.Fatalf("%s: it waits", what)
		return nil
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	if len(dir) > 80 { // the name of a socket is short
		t.Chdir(dir)
		dir = "."
	}
	pipe, socket, directory := filepath.Join(dir, "pipe"), filepath.Join(dir, "socket"), filepath.Join(dir, "directory")
	link := filepath.Join(dir, "link")
	l, err := net.Listen("unix", socket)
	if err := errors.Join(err, syscall.Mkfifo(pipe, 0o600), os.Mkdir(directory, 0o700), os.Symlink(pipe, link)); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	for path, words := range map[string]string{
		pipe: "is no regular file, but a named pipe", link: "but a named pipe", socket: "but a socket",
		directory: "but a directory", os.DevNull: "but a device",
	} {
		for _, flags := range []int{os.O_RDONLY, os.O_WRONLY | os.O_CREATE | os.O_APPEND, os.O_RDWR | os.O_CREATE} {
			err := atOnce(t, path, func() error { _, err := Open(path, flags); return err })
			var odd *IrregularError
			if !errors.As(err, &odd) || odd.Path != path || !strings.HasSuffix(err.Error(), words) {
				t.Errorf("%s, flags %x: %v", path, flags, err)
			}
		}
	}
	// It may become a pipe behind the look at it.
	if err := atOnce(t, "a pipe by now", func() error { _, err := open(pipe, os.O_RDONLY); return err }); !errors.As(err, new(*IrregularError)) {
		t.Errorf("a pipe by now: %v", err)
	}
}

func TestAFileOfTheSettingsIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if _, err := Open(path, os.O_RDONLY); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	for range 2 {
		f, err := Open(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.WriteString("line\n")
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(path, os.O_RDONLY)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	info, _ := f.Stat()
	if text, err := io.ReadAll(f); err != nil || string(text) != "line\nline\n" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", text, err, info.Mode())
	}
}
