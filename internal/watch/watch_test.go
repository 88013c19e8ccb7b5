package watch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// watched is a directory that is watched, with a clock of the test's.
type watched struct {
	t   *testing.T
	dir string
	w   *Watch
	at  time.Time
}

func watching(t *testing.T, paths ...string) *watched {
	t.Helper()
	x := &watched{t: t, dir: t.TempDir(), at: time.Unix(1_000_000, 0)}
	for _, name := range []string{"server", "src/main.py", "src/deep/below.py"} {
		x.write(name, "first")
	}
	var all []string
	for _, p := range paths {
		all = append(all, filepath.Join(x.dir, p))
	}
	var err error
	if x.w, err = New(all); err != nil {
		t.Fatal(err)
	}
	x.w.now = func() time.Time { return x.at }
	return x
}

// write writes a file, with another time each time.
func (x *watched) write(name, text string) {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
	x.at = x.at.Add(time.Nanosecond)
	if err := os.Chtimes(path, x.at, x.at); err != nil {
		x.t.Fatal(err)
	}
}

// after lets a pace pass, and returns what has changed by then, by names in the directory.
func (x *watched) after() string {
	x.at = x.at.Add(pace)
	var names []string
	for _, p := range x.w.changed() {
		name, _ := filepath.Rel(x.dir, p)
		names = append(names, filepath.ToSlash(name))
	}
	return strings.Join(names, " ")
}

// wants lets paces pass, and fails unless exactly these changes are told after each.
func (x *watched) wants(what string, changes ...string) {
	x.t.Helper()
	for i, want := range changes {
		if got := x.after(); got != want {
			x.t.Errorf("%s: after %d: %q, want %q", what, i+1, got, want)
		}
	}
}

// A change is told once, when the file has been at rest for a pace: one that is being written goes
// on changing.
func TestAChangeIsToldOnce(t *testing.T) {
	x := watching(t, "server")
	x.wants("nothing", "", "")
	x.write("server", "second")
	x.wants("a change", "", "server", "", "")
	for _, text := range []string{"a", "ab", "abc"} {
		x.write("server", text)
		x.wants("being written", "")
	}
	x.wants("written", "server", "")
}

// A file that was seen changed has to stay as it is for a while, however often it is looked at.
func TestAChangeIsToldWhenTheFileRests(t *testing.T) {
	x := watching(t, "server")
	x.write("server", "second")
	x.wants("a change", "")
	x.at = x.at.Add(-pace / 2)
	x.wants("soon after", "", "server")
}

// Editors and compilers replace a file, and it is away meanwhile: that is one change. A file that
// goes and comes back as it was has not changed, and one that stays away has not either.
func TestAFileIsReplaced(t *testing.T) {
	x := watching(t, "server")
	path, aside := filepath.Join(x.dir, "server"), filepath.Join(x.dir, "aside")
	if err := os.Rename(path, aside); err != nil {
		t.Fatal(err)
	}
	x.wants("away", "", "", "")
	if err := os.Rename(aside, path); err != nil {
		t.Fatal(err)
	}
	x.wants("back", "", "", "")
	x.write("other", "first")
	info, _ := os.Stat(path)
	_ = os.Chtimes(filepath.Join(x.dir, "other"), info.ModTime(), info.ModTime())
	if err := os.Rename(filepath.Join(x.dir, "other"), path); err != nil {
		t.Fatal(err)
	}
	x.wants("another file of the same size and time", "", "server", "")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	x.wants("gone", "", "", "")
	x.write("server", "third")
	x.wants("built anew", "", "server", "")
}

// Of a directory it is the files in it that count, also new ones, but not those further below and
// not what editors write for themselves.
func TestADirectoryIsWatched(t *testing.T) {
	x := watching(t, "src", "server")
	x.write("src/deep/below.py", "second")
	for _, name := range []string{".main.py.swp", "main.py~", "#main.py#", "4913"} {
		x.write("src/"+name, "x")
	}
	x.wants("nothing of it", "", "", "")
	x.write("src/new.py", "x")
	x.write("src/main.py", "second")
	x.write("server", "second")
	x.wants("changes", "", "server src/main.py src/new.py", "")
	if err := os.Remove(filepath.Join(x.dir, "src", "new.py")); err != nil {
		t.Fatal(err)
	}
	x.wants("a file less", "", "")
}

// What is not there, or is too much, is refused.
func TestWhatCannotBeWatched(t *testing.T) {
	dir := t.TempDir()
	if _, err := New([]string{filepath.Join(dir, "none")}); err == nil || !strings.Contains(err.Error(), "there is no file") {
		t.Errorf("%v", err)
	}
	for i := range entriesMost + 1 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := New([]string{dir}); err == nil || !strings.Contains(err.Error(), "holds more than 2000 files") {
		t.Errorf("%v", err)
	}
}

// It looks twice a second, and ends with its context.
func TestItLooksUntilItIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := watching(t, "server")
		x.w.now = time.Now
		ctx, end := context.WithCancel(t.Context())
		told := make(chan []string, 1)
		over := make(chan struct{})
		go func() {
			defer close(over)
			x.w.Run(ctx, func(paths []string) { told <- paths })
		}()
		x.write("server", "second")
		began := time.Now()
		if got := <-told; len(got) != 1 || time.Since(began) > 2*pace {
			t.Errorf("%q after %v", got, time.Since(began))
		}
		end()
		<-over
	})
}
