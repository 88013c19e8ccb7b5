package replay

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"os"
)

const (
	// longestLine is the longest line that is read. A message of 16 MiB, belay's usual
	// limit, takes up to six times as much where all of it has to be escaped.
	longestLine = 128 << 20
	// atOnce is how much of a line is read before whoever waits is heard again.
	atOnce = 4 << 20
)

var (
	errLong    = errors.New("there is more of the line")
	errTooLong = errors.New("it is longer than 128 MiB, and was left out")
)

// lines reads a file line by line, from its beginning. What stands behind the last line
// end is a line when the file is not followed, and waits for its end otherwise.
type lines struct {
	file *os.File
	in   *bufio.Reader
	off  int64 // bytes that were read
	buf  []byte
	over bool // the line is too long, and its beginning was left out
	done bool // buf was given out
}

func newLines(f *os.File) *lines { return linesFrom(f, 0) }

// linesFrom reads from the beginning of a line.
func linesFrom(f *os.File, off int64) *lines {
	return &lines{file: f, off: off, in: bufio.NewReaderSize(io.NewSectionReader(f, off, math.MaxInt64-off), 256<<10)}
}

// next is the next line, without its end. io.EOF comes with what there is of a line
// whose end is not there (yet); the next call goes on there. errLong says that the line
// goes on: call again. After errTooLong comes the line behind that one.
func (l *lines) next() ([]byte, error) {
	if l.done {
		l.buf, l.over, l.done = l.buf[:0], false, false
		if cap(l.buf) > 2*atOnce {
			l.buf = nil
		}
	}
	for read := 0; read < atOnce; {
		part, err := l.in.ReadSlice('\n')
		l.off += int64(len(part))
		read += len(part)
		if l.over = l.over || len(l.buf)+len(part) > longestLine; l.over {
			l.buf = nil
		} else {
			l.buf = append(l.buf, part...)
		}
		switch {
		case err == nil && l.over:
			l.done = true
			return nil, errTooLong
		case err == nil:
			l.done = true
			return bytes.TrimRight(l.buf, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return l.buf, err
		}
	}
	return nil, errLong
}
