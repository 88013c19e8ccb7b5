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

	"github.com/charmbracelet/x/ansi"
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

// What was copied, and a notification, are for the terminal also where it had not taken them, or half of them, when
// another program got it.
func TestWhatWasCopiedOutlivesAHandOver(t *testing.T) {
	t.Parallel()
	s, reads := sharedScreen(t, func() {})
	go s.run()
	copied, notified := ansi.SetSystemClipboard(strings.Repeat("x", 200<<10)), ansi.Notify("belay: done")
	_, _ = s.Write([]byte(copied))
	waitUntil(t, "nothing is written", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.left) > 0 && len(s.left) < len(copied)
	})
	_, _ = s.Write([]byte(notified))
	s.handOver()
	_, _ = s.Write([]byte("frame"))
	var got bytes.Buffer
	for !bytes.HasSuffix(got.Bytes(), []byte("frame")) {
		if _, err := io.CopyN(&got, reads, 1); err != nil {
			t.Fatal(err)
		}
	}
	if want := copied + notified + "frame"; !strings.HasSuffix(got.String(), want) {
		t.Errorf("of %d bytes for the clipboard it got %d, which end in %.60q", len(copied), got.Len(), got.String()[got.Len()-60:])
	}
}

// What a terminal did not take for a fault is set again with the screen that is drawn anew, which sets none of it.
func TestWhatATerminalThatFailsIsSetTo(t *testing.T) {
	s, reads := sharedScreen(t, func() {})
	_ = reads.Close()
	const copied, notified = "\x1b]52;c;dHdv\a", "\x1b]9;belay: done\a"
	s.batch = []byte("\x1b[?1002h" + copied)
	s.left, s.buf = s.batch[len(s.batch)-3:], []byte("\x1b[?1002l\x1b[?1003h"+notified)
	s.states.keep([]byte("\x1b[?1003l")) // by what was left out since then
	s.messages.keep([]byte(ansi.Notify("belay: asked")))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeNext()
	want := "\x1b[?1002l\x1b[?1003l" + copied + notified + ansi.Notify("belay: asked")
	if got := s.messages.take(s.states.take(nil)); string(got) != want {
		t.Errorf("it is set to %q, want %q", got, want)
	}
}
