package process

import (
	"io"
	"os"
	"time"
)

// Input is our end of a server's stdin.
type Input interface {
	io.WriteCloser

	// WriteTimed writes b, and tells piece by piece when that was: before the write that
	// took it, as the server may have answered before that returns.
	WriteTimed(b []byte, now func() time.Time) ([]Piece, error)

	// WaitWritable returns when there is room, or either side has closed it.
	WaitWritable()

	// ClosedByReader waits until nobody can read from it any more, and says so;
	// false when we closed it first.
	ClosedByReader() bool
}

// Piece is how many bytes were written in all, and when the last of them were.
type Piece struct {
	N  int
	At time.Time
}

// inputPipe is the stdin of a process.
type inputPipe struct{ *os.File }

// Output is our end of a server's stdout.
type Output interface {
	io.ReadCloser

	// Come is how many bytes have come: the bytes that a Read has taken, even before the Read
	// returns, and the bytes that lie in the output. While a Read takes bytes, Come waits for it:
	// some microseconds, or, if it may, to its end. False: that was too short, or the system does
	// not say.
	Come(mayWait bool) (n int64, ok bool)
}
