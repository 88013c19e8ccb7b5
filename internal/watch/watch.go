// Package watch tells that files have changed, once they have come to rest.
//
// It looks at them twice a second. Libraries that are told by the system (fsnotify) were weighed
// and not taken: editors and compilers replace a file, after which its watch is that of a file
// which is gone; of network file systems and those of containers the system tells nothing; and to
// see that a file rests takes a clock in any case. A look at a few files costs next to nothing.
package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// pace is how often files are looked at.
	pace = 500 * time.Millisecond
	// rest is how long a file has to stay as it is.
	rest = 500 * time.Millisecond
	// entriesMost bounds what is looked at in a directory.
	entriesMost = 2000
)

// Watch looks at files, and at what lies directly in directories. Make one with [New].
type Watch struct {
	paths []string
	now   func() time.Time
	known map[string]*file
}

// file is what is known of one.
type file struct {
	was  shape     // when it was told of last
	is   shape     // as of the last look
	from time.Time // when it was seen so first
}

// shape is what changes when a file does.
type shape struct {
	info fs.FileInfo // for the identity of the file
	size int64
	at   time.Time
}

func (s shape) same(o shape) bool {
	return s.size == o.size && s.at.Equal(o.at) && os.SameFile(s.info, o.info)
}

// New begins with the files as they are now. Each has to be there; a directory must not hold more
// than 2000 entries.
func New(paths []string) (*Watch, error) {
	w := &Watch{now: time.Now, known: map[string]*file{}}
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		info, err := os.Stat(abs)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("there is no file %q", p)
		case err != nil:
			return nil, err
		}
		if info.IsDir() {
			entries, err := entriesOf(abs)
			if err != nil {
				return nil, err
			}
			if len(entries) > entriesMost {
				return nil, fmt.Errorf("the directory %q holds more than %d files: name those that matter", p, entriesMost)
			}
		}
		w.paths = append(w.paths, abs)
	}
	for name, s := range w.look() {
		w.known[name] = &file{was: s, is: s}
	}
	return w, nil
}

// Run tells of the files that have changed, by their paths, until ctx ends. A file that goes, or is
// away for a moment, has not changed; it has when it is back and is another.
func (w *Watch) Run(ctx context.Context, changed func(paths []string)) {
	ticks := time.NewTicker(pace)
	defer ticks.Stop()
	for {
		select {
		case <-ticks.C:
			if paths := w.changed(); len(paths) > 0 {
				changed(paths)
			}
		case <-ctx.Done():
			return
		}
	}
}

// changed are the files that have changed since they were told of, and rest.
func (w *Watch) changed() (paths []string) {
	now := w.now()
	for name, s := range w.look() {
		f := w.known[name]
		if f == nil {
			f = &file{}
			w.known[name] = f
		}
		isNew := f.is.info == nil
		if isNew || !f.is.same(s) {
			f.is, f.from = s, now
			continue
		}
		if (f.was.info == nil || !f.was.same(s)) && now.Sub(f.from) >= rest {
			f.was = s
			paths = append(paths, name)
		}
	}
	slices.SortFunc(paths, cmp.Compare)
	return paths
}

// look is how the files are now, by their paths; those that are not there are left out.
func (w *Watch) look() map[string]shape {
	found := map[string]shape{}
	for _, p := range w.paths {
		info, err := os.Stat(p)
		switch {
		case err != nil:
		case info.IsDir():
			w.lookInto(p, found)
		default:
			found[p] = shape{info, info.Size(), info.ModTime()}
		}
	}
	return found
}

// lookInto adds the files of a directory, but for those in the directories below, and for those
// that editors put there for themselves.
func (w *Watch) lookInto(dir string, found map[string]shape) {
	entries, _ := entriesOf(dir)
	for _, e := range entries[:min(len(entries), entriesMost)] {
		if isScratch(e.Name()) {
			continue
		}
		name := filepath.Join(dir, e.Name())
		if info, err := os.Stat(name); err == nil && !info.IsDir() {
			found[name] = shape{info, info.Size(), info.ModTime()}
		}
	}
}

// entriesOf are entries of a directory, one more than are looked at at most.
func entriesOf(dir string) ([]fs.DirEntry, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	entries, err := d.ReadDir(entriesMost + 1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

// isScratch reports whether a name is that of a scratch file: editors write one beside the file
// that is edited.
func isScratch(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "#") || strings.HasSuffix(name, "~") || name == "4913"
}
