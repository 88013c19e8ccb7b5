// Package settings looks at whether the directory of the user's settings is the
// user's alone, and opens what lies in it. That decides what runs without a question,
// and where tokens go: whoever else may write there could decide both.
package settings

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Dir is a directory of belay's in the user's config directory, by its name there. The error
// says that the system names no config directory.
func Dir(name string) (string, error) {
	conf, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no directory for the user's settings: %w", err)
	}
	return filepath.Join(conf, "belay", name), nil
}

// Error says who else may write to a path, and what to do about it. It is of one
// line.
type Error struct {
	Path   string // the file or directory that lets others in
	Mode   fs.FileMode
	Owner  string // whom it belongs to; empty: the user
	Remedy string // what to do, without a full stop
}

func (e *Error) Error() string {
	what := "the file "
	if e.Mode.IsDir() {
		what = "the directory "
	}
	what += quoted(e.Path)
	if e.Owner != "" {
		return what + " belongs to " + e.Owner + ", who can change what is in it: " + e.Remedy
	}
	return what + " may be written to by others (" + listed(e.Mode) + "): " + e.Remedy
}

// listed is a mode as ls lists it: an x that is also setuid, setgid or sticky is an s or a t
// there, and a capital where nobody may execute.
func listed(m fs.FileMode) string {
	out := []byte("-" + m.Perm().String()[1:])
	switch {
	case m.IsDir():
		out[0] = 'd'
	case m&fs.ModeSymlink != 0:
		out[0] = 'l'
	case m&fs.ModeNamedPipe != 0:
		out[0] = 'p'
	case m&fs.ModeSocket != 0:
		out[0] = 's'
	case m&fs.ModeCharDevice != 0:
		out[0] = 'c'
	case m&fs.ModeDevice != 0:
		out[0] = 'b'
	}
	for _, special := range []struct {
		is     fs.FileMode
		at     int
		letter byte
	}{{fs.ModeSetuid, 3, 's'}, {fs.ModeSetgid, 6, 's'}, {fs.ModeSticky, 9, 't'}} {
		if m&special.is == 0 {
			continue
		}
		if out[special.at] != 'x' {
			special.letter -= 'a' - 'A'
		}
		out[special.at] = special.letter
	}
	return string(out)
}

// quoted is a path as it may stand among words, and in a command.
func quoted(path string) string {
	if q := strconv.Quote(path); strings.ContainsAny(path, " '$&;|<>()*?`") || q != `"`+path+`"` {
		return q
	}
	return path
}

// Check reports as an [*Error] who else than the user, or the system's
// administrator, may write to a directory or file of the user's settings, or
// replace it by another: by its mode or owner, or by those of a directory that it
// lies in, also behind symbolic links. What is not there is nobody's. A sticky
// directory, as /tmp is, may hold the directory, and may not be it. On Windows
// every path is sound: the profile of a user is the user's.
func Check(path string) error {
	abs, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	return check(abs)
}
