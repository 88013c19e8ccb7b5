package settings

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Files are small files of JSON in one directory, which belong to the user alone and are
// written as a whole. An empty Dir keeps nothing.
type Files struct {
	Dir   string
	What  string // what a file holds, with its article: "a login"
	Mends string // what the user may do in the place of mending one: "log in again"
}

// longestFile bounds what is read of one.
const longestFile = 1 << 20

// Read reads a file into v, which from then on only the user can read. What is wrong with it
// is said without its text. A file that others may write to, or replace, is not read.
func (s Files) Read(file string, v any) error {
	if s.Dir == "" {
		return fs.ErrNotExist
	}
	path := filepath.Join(s.Dir, file)
	f, err := Open(path, os.O_RDONLY)
	if odd := new(IrregularError); errors.As(err, &odd) {
		return fmt.Errorf("%w: move it away, or %s", err, s.Mends)
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := s.Trusted(path); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		// A copy that others can read is mended. Where modes mean nothing, that
		// fails, or is of no use.
		_ = f.Chmod(mode & 0o700)
	}
	text, err := io.ReadAll(io.LimitReader(f, longestFile+1))
	if err != nil {
		return err
	}
	if len(text) > longestFile {
		return fmt.Errorf("the file %s is too long to be %s", path, s.What)
	}
	if json.Unmarshal(text, v) != nil {
		return fmt.Errorf("the file %s is broken: move it away, or %s", path, s.Mends)
	}
	return nil
}

// Trusted tells as an [*Error] who else may write to the directory, or to a file in it.
func (s Files) Trusted(path string) error {
	if err := Check(s.Dir); err != nil {
		return err
	}
	return Check(path)
}

// isBroken reports whether what is there cannot be such a file.
func (s Files) isBroken(path string) bool {
	f, err := Open(path, os.O_RDONLY)
	if odd := new(IrregularError); errors.As(err, &odd) {
		return true
	}
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, longestFile+1))
	return err == nil && (len(text) > longestFile || !json.Valid(text))
}

// Write replaces a file at once. Only the user can read it. A file that is there and cannot be
// read is put aside under another name first. Nothing is written where others may write.
func (s Files) Write(file string, v any) error {
	if s.Dir == "" {
		return nil
	}
	if err := os.MkdirAll(s.Dir, 0o700); err != nil {
		return err
	}
	if err := Check(s.Dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(s.Dir, file)
	if s.isBroken(path) {
		if err := os.Rename(path, path+".broken"); err != nil {
			return err
		}
	}
	tmp, err := os.CreateTemp(s.Dir, file+".*") // created with 0600
	if err != nil {
		return err
	}
	_, err = tmp.Write(append(text, '\n'))
	err = errors.Join(err, tmp.Sync(), tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name()) // the error before it is the one to tell
	}
	return err
}

// Remove removes a file, if it is there.
func (s Files) Remove(file string) error {
	if s.Dir == "" {
		return nil
	}
	err := os.Remove(filepath.Join(s.Dir, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// lockPause is how long Lock rests between two tries.
const lockPause = 20 * time.Millisecond

// Lock keeps every other belay that asks for the same lock waiting until undo is called. It
// waits for another holder until ctx ends: so long a holder is stuck. Where a file cannot be
// locked there is nothing to wait for. Waits is told of each try that is in vain; nil: nobody is.
// The holder may remove the file of the lock.
func (s Files) Lock(ctx context.Context, name string, waits func()) (undo func()) {
	nothing := func() {}
	if s.Dir == "" || os.MkdirAll(s.Dir, 0o700) != nil || Check(s.Dir) != nil {
		return nothing
	}
	path := filepath.Join(s.Dir, name)
	f, err := Open(path, os.O_CREATE|os.O_RDWR)
	if err != nil {
		return nothing
	}
	undo = func() { _ = f.Close() } // which gives the lock back
	pause := time.NewTicker(lockPause)
	defer pause.Stop()
	for {
		got, err := tryLock(f)
		if err != nil || got && isAt(path, f) {
			return undo
		}
		if got { // its holder has removed it: whoever comes now locks another file
			again, err := Open(path, os.O_CREATE|os.O_RDWR)
			if err != nil || ctx.Err() != nil {
				return undo
			}
			_ = f.Close()
			f = again
			continue
		}
		if waits != nil {
			waits()
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return undo
		}
	}
}

// isAt reports whether an open file is the one that lies at a path.
func isAt(path string, f *os.File) bool {
	there, err := os.Stat(path)
	if err != nil {
		return false
	}
	open, err := f.Stat()
	return err == nil && os.SameFile(there, open)
}
