package replay

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"belay/mcpclient/settings"
	"belay/session"
	"belay/session/journal"
)

// File is a recording that was opened. Make one with [Open].
type File struct {
	f      *os.File
	path   string
	first  journal.Step  // with the configuration
	head   []byte        // how the first line begins
	blank  bool          // there is no recording in it yet
	length time.Duration // of the whole, as far as its end tells or was played
}

// Open opens a recording and reads its first line. The error says in a sentence what is
// wrong with the file.
func Open(path string) (*File, error) {
	x, err := open(path)
	if err != nil {
		return nil, cannot(path, err)
	}
	return x, nil
}

// open is Open without a word of the file in the error.
func open(path string) (*File, error) {
	f, err := settings.Open(path, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	x := &File{f: f, path: path}
	if err := x.begin(); err != nil {
		_ = f.Close()
		return nil, err
	}
	x.length = x.lastTime()
	return x, nil
}

// Path is the name that the file was opened by.
func (x *File) Path() string { return x.path }

// Close closes the file.
func (x *File) Close() error { return x.f.Close() }

func cannot(path string, err error) error {
	var irregular *settings.IrregularError
	var at *fs.PathError
	switch {
	case errors.As(err, &irregular):
		return fmt.Errorf("there is nothing to replay: %w", irregular)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %q", path)
	case errors.As(err, &at):
		err = at.Err
	}
	return fmt.Errorf("cannot replay %q: %w", path, err)
}

var (
	errNoRecording = errors.New("it is no recording of belay's, which begins with its configuration and the version of its format")
	errEmpty       = errors.New("the file is empty")
	errBegun       = errors.New("the recording is cut in its first line: there is nothing to show")
)

// begin reads the first line. That is small in whatever belay has written.
func (x *File) begin() error {
	l := newLines(x.f)
	line, err := l.next()
	switch {
	case errors.Is(err, errLong):
		return errNoRecording
	case errors.Is(err, io.EOF) && len(line) == 0:
		return errEmpty
	case errors.Is(err, io.EOF) && !bytes.HasPrefix(line, []byte(`{"seq":1,`[:min(len(line), len(`{"seq":1,`))])):
		return errNoRecording
	case errors.Is(err, io.EOF):
		if x.first, err = journal.Read(line); err != nil {
			return errBegun
		}
	case err != nil:
		return err
	default:
		var version *journal.VersionError
		var figures *journal.FiguresError
		switch x.first, err = journal.Read(line); {
		case errors.As(err, &version) && version.Is != 0:
			return version
		case errors.As(err, &figures):
			return figures
		case err != nil || x.first.Config == nil:
			return errNoRecording
		}
	}
	if year := x.first.Wall.Year(); x.first.Config == nil || x.first.T != 0 || year < 2000 || year > 9999 {
		return errNoRecording
	}
	x.head = bytes.Clone(line[:min(len(line), headMost)])
	x.first.Config = bounded(*x.first.Config)
	x.first.Wall = x.first.Wall.Local()
	return nil
}

// bounded is a configuration that takes no more memory than one of belay's own,
// whatever the file says.
func bounded(cfg session.Config) *session.Config {
	const most = 10 // times what belay uses
	within := func(n *int, usual int) {
		if *n <= 0 || *n > most*usual {
			*n = usual
		}
	}
	within(&cfg.HistoryBytes, 64<<20)
	within(&cfg.HistoryCount, 200_000)
	within(&cfg.FinishedRows, 20_000)
	within(&cfg.MaxRounds, 1000)
	return &cfg
}

// lastTime is the time of the last whole line that can be read near the end of the
// file.
func (x *File) lastTime() time.Duration {
	info, err := x.f.Stat()
	if err != nil {
		return 0
	}
	for part := int64(64 << 10); ; part *= 8 {
		from := max(0, info.Size()-part)
		tail := make([]byte, info.Size()-from)
		n, _ := x.f.ReadAt(tail, from)
		tail = tail[:n]
		for tries := 0; len(tail) > 0 && tries < 100; tries++ {
			cut := bytes.LastIndexByte(tail, '\n')
			if r, err := journal.Parse(tail[cut+1:]); err == nil && (cut >= 0 || from == 0) {
				return max(0, r.T)
			}
			tail = tail[:max(0, cut)]
		}
		if from == 0 || part >= longestLine/8 {
			return 0
		}
	}
}

// size is how many bytes the file has now.
func (x *File) size() int64 {
	info, err := x.f.Stat()
	if err != nil {
		return 0
	}
	return info.Size()
}
