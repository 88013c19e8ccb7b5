//go:build unix

package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// sharedScreen is a screen on the end of a pipe that others may have as well, so that it was not opened once more.
func sharedScreen(t *testing.T, redraw func()) (s *screen, reads *os.File) {
	t.Helper()
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	reads, out := os.NewFile(uintptr(ends[0]), "reads"), os.NewFile(uintptr(ends[1]), "writes")
	s = &screen{File: out, out: out, redraw: redraw}
	s.cond = sync.NewCond(&s.mu)
	t.Cleanup(func() {
		s.end()
		_, _ = reads.Close(), out.Close()
	})
	return s, reads
}

// Where somebody has set a terminal not to wait for its reader, belay waits for it.
func TestATerminalThatDoesNotWait(t *testing.T) {
	s, reads := sharedScreen(t, func() {})
	if err := syscall.SetNonblock(int(s.Fd()), true); err != nil {
		t.Fatal(err)
	}
	for n, err := 0, error(nil); !errors.Is(err, syscall.EAGAIN); n++ { // the pipe is full
		_, err = syscall.Write(int(s.Fd()), []byte{'.'})
		if n > 1<<21 {
			t.Fatal("the pipe is never full")
		}
	}
	go s.run()
	want := strings.Repeat("x", screenBound)
	_, _ = s.Write([]byte(want))
	waitUntil(t, "nothing waits", s.isSlow)
	var got bytes.Buffer
	for !bytes.HasSuffix(got.Bytes(), []byte(want)) {
		if _, err := io.CopyN(&got, reads, 1); err != nil {
			t.Fatal(err)
		}
		if n := got.Len(); n > 4<<20 {
			t.Fatalf("it got %d bytes", n)
		}
	}
}

// What a terminal could not take for a fault is drawn anew, and undone when belay leaves.
func TestATerminalThatFails(t *testing.T) {
	drawn := make(chan struct{}, 1)
	s, reads := sharedScreen(t, func() {
		select {
		case drawn <- struct{}{}:
		default:
		}
	})
	_ = reads.Close()
	go s.run()
	_, _ = s.Write([]byte("x"))
	select {
	case <-drawn:
	case <-time.After(time.Minute):
		t.Fatal("it is not drawn anew")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.gaps {
		t.Error("nothing is to be undone")
	}
}

// What a terminal that stopped has not taken is not written to it while another program has it.
func TestATerminalThatStoppedIsHandedOver(t *testing.T) {
	t.Parallel()
	s, reads := sharedScreen(t, func() {})
	go s.run()
	for range 3 {
		_, _ = s.Write([]byte(strings.Repeat("x", screenBound)))
		time.Sleep(time.Millisecond)
	}
	s.handOver()
	s.mu.Lock()
	if waits := len(s.left) + len(s.buf); waits > 0 || !s.gaps {
		t.Errorf("%d bytes wait, gaps: %v", waits, s.gaps)
	}
	s.mu.Unlock()
	s.end()
	go func() { _, _ = io.Copy(io.Discard, reads) }() // which lets the write that was under way end
	s.wait(time.Minute)
}
