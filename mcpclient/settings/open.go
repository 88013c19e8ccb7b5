package settings

import (
	"errors"
	"io/fs"
	"os"
)

// IrregularError says that something lies where belay reads a file, and is none: a
// named pipe, a directory, a device.
type IrregularError struct {
	Path string
	Mode fs.FileMode
}

func (e *IrregularError) Error() string {
	return quoted(e.Path) + " is no regular file, but " + e.What()
}

// What is what lies there, with its article.
func (e *IrregularError) What() string {
	switch {
	case e.Mode.IsDir():
		return "a directory"
	case e.Mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case e.Mode&fs.ModeSocket != 0:
		return "a socket"
	default:
		return "a device"
	}
}

// Open opens a regular file, with the flags of [os.OpenFile]; one that it makes is for
// the user alone. Anything else is an [*IrregularError]: opening a pipe would wait for
// its other end, which may never come, and a device may have no end.
func Open(path string, flags int) (*os.File, error) {
	info, err := os.Stat(path)
	switch {
	case flags&os.O_CREATE != 0 && errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &IrregularError{path, info.Mode()}
	}
	return open(path, flags) // it may be another one by now
}

func open(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|nonblock, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &IrregularError{path, info.Mode()}
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
