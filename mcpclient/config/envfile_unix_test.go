//go:build unix

package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe is read where the user has typed its name, as a shell makes one of <(command). The
// entry of a file names none: it was not the user who made it.
func TestVariablesFromAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	go func() {
		for _, part := range []string{"A=1\nB=", "two\n"} { // in parts, as programs write
			_, _ = w.WriteString(part)
		}
		_ = w.Close()
	}()
	quiet := func() {}
	path := fmt.Sprintf("/dev/fd/%d", r.Fd())
	got, err := ReadTypedEnvFile(path, quiet)
	if err != nil || !slices.Equal(got.Vars, []string{"A=1", "B=two"}) || got.Digest == "" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := ReadEnvFile(path); err == nil || !strings.HasSuffix(err.Error(), "it is no regular file, but a named pipe") {
		t.Errorf("of an entry: %v", err)
	}

	dir := t.TempDir()
	named := filepath.Join(dir, "named")
	if err := syscall.Mkfifo(named, 0o600); err != nil {
		t.Fatal(err)
	}
	go func() { _ = os.WriteFile(named, []byte("C=3"), 0) }() // it comes later than the look
	if got, err := ReadTypedEnvFile(named, quiet); err != nil || !slices.Equal(got.Vars, []string{"C=3"}) {
		t.Errorf("a named pipe: %v, %v", got, err)
	}

	for path, wrong := range map[string]string{
		dir: "it is no regular file, but a directory", os.DevNull: "it is no regular file, but a device",
	} {
		if _, err := ReadTypedEnvFile(path, quiet); err == nil || !strings.HasSuffix(err.Error(), wrong) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := ReadTypedEnvFile(filepath.Join(dir, "gone"), quiet); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestAPipeIsBounded(t *testing.T) {
	named := filepath.Join(t.TempDir(), "named")
	if err := syscall.Mkfifo(named, 0o600); err != nil {
		t.Fatal(err)
	}
	const late = "it is a pipe, and did not come to its end within 10ms"
	if _, err := readPipe(named, 10*time.Millisecond, time.Minute, nil); err == nil || !strings.HasSuffix(err.Error(), late) {
		t.Errorf("nobody is at its other end: %v", err)
	}
	held, err := os.OpenFile(named, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Close() }()
	if _, err := readPipe(named, 10*time.Millisecond, time.Minute, nil); err == nil || !strings.HasSuffix(err.Error(), late) {
		t.Errorf("its other end says nothing: %v", err)
	}

	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	go func() {
		_, _ = w.WriteString(strings.Repeat("#", maxFile+1))
		_ = w.Close()
	}()
	if _, err := readPipe(fmt.Sprintf("/dev/fd/%d", r.Fd()), time.Minute, time.Minute, nil); err == nil || !strings.HasSuffix(err.Error(), "it is longer than 4 MiB") {
		t.Errorf("too long: %v", err)
	}
}

// Whoever waits for the end of a pipe is told so, once, and not where the end comes soon.
func TestAPipeThatIsSlow(t *testing.T) {
	for _, tt := range []struct {
		soon time.Duration
		want int
	}{{time.Millisecond, 1}, {time.Minute, 0}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.WriteString("A=1\n")
		told, ended := 0, make(chan struct{})
		end := func() { _ = w.Close(); close(ended) }
		if tt.want == 0 {
			end()
		}
		text, err := readPipe(fmt.Sprintf("/dev/fd/%d", r.Fd()), time.Minute, tt.soon, func() {
			if told++; told == 1 {
				time.AfterFunc(20*time.Millisecond, end)
			}
		})
		if err != nil || string(text) != "A=1\n" || told != tt.want {
			t.Errorf("%q, %v, and it is told %d times, want %d", text, err, told, tt.want)
		}
		if told == 0 && tt.want > 0 {
			end()
		}
		<-ended
		_ = r.Close()
	}
}
