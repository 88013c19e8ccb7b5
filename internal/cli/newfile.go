package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"belay/ui/panel"
)

// Write implements ui.Backend. The name may be below ~.
func (*desktop) Write(name string, data []byte, over bool) (string, error) {
	name, err := belowHome(name)
	if err != nil {
		return "", err
	}
	if err := writeFile(name, data, over); err != nil {
		return "", err
	}
	return filepath.Abs(name)
}

// Write is the desktop's, and does not replace the recording that is written.
func (b *backend) Write(name string, data []byte, over bool) (string, error) {
	if err := sparesRecording(b.Recorded(), name); err != nil {
		return "", err
	}
	return b.desktop.Write(name, data, over)
}

// Write is the desktop's, and does not replace the recording that is shown.
func (r *recording) Write(name string, data []byte, over bool) (string, error) {
	if err := sparesRecording(r.Path(), name); err != nil {
		return "", err
	}
	return r.desktop.Write(name, data, over)
}

// sparesRecording refuses to write a report over the recording that it is on.
func sparesRecording(path, name string) error {
	name, err := belowHome(name)
	if err == nil && path != "" && isSameFile(path, name) {
		return fmt.Errorf("cannot write %q: it is the recording that the report is on; name another file", name)
	}
	return err
}

// writeFile writes a file of the user's, readable by its owner only. Where there is one
// already it is not written without over: the error is [panel.ErrExists] then. After an
// error nothing new is left, and an old file is as it was. A device or a pipe is written
// to as it is, also through a link. A link to a file is refused.
func writeFile(path string, data []byte, over bool) error {
	info, err := os.Stat(path)
	switch link := linkToFile(path); {
	case link != nil:
		return cannotWrite(path, link)
	case err == nil && info.IsDir():
		return fmt.Errorf("cannot write %q: it is a directory; name a file in it", path)
	case err == nil && info.Mode()&fs.ModeNamedPipe != 0:
		err = writeTo(path, os.O_WRONLY|syscall.O_NONBLOCK, data) // to open one that nobody reads would wait for ever
		if errors.Is(err, syscall.ENXIO) {
			err = errors.New("it is a pipe, and nobody reads it")
		}
		return cannotWrite(path, err)
	case err == nil && !info.Mode().IsRegular():
		return cannotWrite(path, writeTo(path, os.O_WRONLY, data))
	case err == nil && !over:
		return fmt.Errorf("cannot write %q: %w", path, panel.ErrExists)
	case err == nil && isOfSystem(path): // a file may not take the place of its link
		return cannotWrite(path, writeTo(path, os.O_WRONLY|os.O_TRUNC, data))
	case err == nil:
		return cannotWrite(path, replace(path, data))
	}
	err = writeTo(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, data)
	if errors.Is(err, fs.ErrExist) { // it has come about meanwhile
		return fmt.Errorf("cannot write %q: %w", path, panel.ErrExists)
	}
	return cannotWrite(path, err)
}

// cannotWrite tells of a file that cannot be written. Where it was opened and takes no more, as on a full disk,
// the command line is not what is wrong.
func cannotWrite(path string, err error) error {
	if err == nil {
		return nil
	}
	at, ok := errors.AsType[*fs.PathError](err)
	if !ok {
		return fmt.Errorf("cannot write %q: %w", path, err)
	}
	told := fmt.Errorf("cannot write %q: %w", path, at.Err)
	if at.Op == "write" || at.Op == "close" {
		return &exitError{code: ExitScreen, err: told, told: true}
	}
	return told
}

// writeTo writes all of a file. A file that was made for the data is removed again if
// writing fails.
func writeTo(path string, flags int, data []byte) error {
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil && flags&os.O_EXCL != 0 {
		_ = os.Remove(path)
	}
	return err
}

// linkToFile refuses a name that is a link to a file, also to one that is not there: whoever names the link
// may not know what is written over, and that loses its mode. It returns nil for any other name.
func linkToFile(path string) error {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 || isOfSystem(path) {
		return nil
	}
	if target, err := os.Stat(path); err == nil && !target.Mode().IsRegular() {
		return nil
	}
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		to, _ = os.Readlink(path)
	}
	return fmt.Errorf("it is a link to %q; name that file itself, or another one", to)
}

// isOfSystem reports whether a name is one of the system's for what is open already, as /dev/stdout is.
func isOfSystem(path string) bool {
	abs, err := filepath.Abs(path)
	return err == nil && (abs == "/dev/stdout" || abs == "/dev/stderr" || strings.HasPrefix(abs, "/dev/fd/") || strings.HasPrefix(abs, "/proc/"))
}

// replace puts a file in the place of another one, which stays until all is written.
func replace(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".belay-*") // readable by its owner only
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
