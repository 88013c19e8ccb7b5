package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"belay/mcpclient/reason"
)

// StartFailure says why a server could not be run.
type StartFailure uint8

// The ways in which a start fails (STD-29).
const (
	NoCommand        StartFailure = iota + 1 // the command is empty
	NotFound                                 // no such program
	IsDirectory                              // a directory
	NotExecutable                            // a file, but not one that may be run
	NoInterpreter                            // a script whose #! line names a program that is not there
	BadFormat                                // a file that the system cannot run
	BadDirectory                             // the working directory is not there, or not a directory
	PermissionDenied                         // the system does not allow it
	OtherFailure                             // anything else; Err says what
)

// StartError is the error of a server that could not be run. Nothing was
// started.
type StartError struct {
	Kind    StartFailure
	Program string // as given
	Dir     string // as given
	Err     error  // what the system said; nil for NoCommand
	Words   bool   // NotFound, but the first word of Program is a program
}

// Error is one sentence that names the program and says what to do.
func (e *StartError) Error() string {
	switch e.Kind {
	case NoCommand:
		return "no server to run: name its command after --"
	case NotFound:
		if e.Words {
			return fmt.Sprintf("cannot run %q: no program is called that; its arguments are words of their own, in a config file those of \"args\"", e.Program)
		}
		if filepath.Base(e.Program) == e.Program {
			return fmt.Sprintf("cannot run %q: no such program in PATH; is it installed?", e.Program)
		}
		return fmt.Sprintf("cannot run %q: there is no such file", e.Program)
	case IsDirectory:
		return fmt.Sprintf("cannot run %q: it is a directory", e.Program)
	case NotExecutable:
		return fmt.Sprintf("cannot run %q: it is not an executable file; check its permissions (chmod +x)", e.Program)
	case NoInterpreter:
		return fmt.Sprintf("cannot run %q: the program named in its first line (#!) is not there", e.Program)
	case BadFormat:
		return fmt.Sprintf("cannot run %q: this system cannot run such a file; is a #! line missing, or is it built for another system?", e.Program)
	case BadDirectory:
		return fmt.Sprintf("cannot run %q in the directory %q: %s", e.Program, e.Dir, reason.Of(e.Err))
	case PermissionDenied:
		return fmt.Sprintf("cannot run %q: permission denied", e.Program)
	default:
		return fmt.Sprintf("cannot run %q: %s", e.Program, reason.Of(e.Err))
	}
}

func (e *StartError) Unwrap() error { return e.Err }

// explainStart finds out why the program at path could not be started.
func explainStart(o Command, path string, err error) error {
	e := &StartError{Kind: OtherFailure, Program: o.Argv[0], Dir: o.Dir, Err: err}
	if o.Dir != "" {
		switch info, statErr := os.Stat(o.Dir); {
		case statErr != nil:
			e.Kind, e.Err = BadDirectory, statErr
			return e
		case !info.IsDir():
			e.Kind, e.Err = BadDirectory, syscall.ENOTDIR
			return e
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(o.Dir, path)
		}
	}
	info, statErr := os.Stat(path)
	switch {
	case statErr == nil && info.IsDir():
		e.Kind = IsDirectory
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot):
		e.Kind = NotFound
	case errors.Is(err, syscall.ENOEXEC):
		e.Kind = BadFormat
	case errors.Is(err, fs.ErrNotExist) && statErr == nil:
		e.Kind = NoInterpreter
	case errors.Is(err, fs.ErrNotExist):
		e.Kind = NotFound
	case errors.Is(err, fs.ErrPermission) && statErr == nil && info.Mode().Perm()&0o111 == 0:
		e.Kind = NotExecutable
	case errors.Is(err, fs.ErrPermission):
		e.Kind = PermissionDenied
	}
	if words := strings.Fields(e.Program); e.Kind == NotFound && len(words) > 1 {
		_, err := exec.LookPath(words[0])
		e.Words = err == nil
	}
	return e
}
