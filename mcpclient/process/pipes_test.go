//go:build unix

package process

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// When a message was written is noted before the system has it: the server may
// answer before the write returns.
func TestWhenAMessageWasWritten(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = r.Close(), w.Close() }()
	looked := 0
	now := func() time.Time {
		looked++
		conn, err := r.SyscallConn()
		if err != nil {
			t.Error(err)
		}
		_ = conn.Control(func(fd uintptr) {
			if poll(fd, unix.POLLIN) != 0 {
				t.Error("the server can read it already")
			}
		})
		return time.Unix(7, 0)
	}
	done, err := inputPipe{w}.WriteTimed([]byte("hello\n"), now)
	if err != nil || looked == 0 || len(done) != 1 || done[0] != (Piece{6, time.Unix(7, 0)}) {
		t.Errorf("%v, %v, looked %d times", done, err, looked)
	}
}

// What a server reads in pieces was written in pieces: the time of the last one
// counts, and closing frees a writer that waits.
func TestWhenAMessageWasWrittenInPieces(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	long := make([]byte, 1<<20)
	type result struct {
		done []Piece
		err  error
	}
	results := make(chan result)
	write := func() {
		tick := time.Unix(0, 0)
		done, err := inputPipe{w}.WriteTimed(long, func() time.Time { tick = tick.Add(time.Second); return tick })
		results <- result{done, err}
	}
	go write()
	for got := 0; got < len(long); {
		n, err := r.Read(make([]byte, 10_000))
		if err != nil {
			t.Fatal(err)
		}
		got += n
	}
	got := <-results
	if n := len(got.done); got.err != nil || n < 2 || got.done[n-1].N != len(long) || !got.done[n-1].At.After(got.done[0].At) {
		t.Errorf("%v, %v", got.done, got.err)
	}
	go write()
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if got := <-results; !errors.Is(got.err, os.ErrClosed) {
		t.Errorf("closed: %v", got.err)
	}
	_ = r.Close()
}
