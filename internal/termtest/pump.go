package termtest

import (
	"bytes"
	"errors"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// The ways of the bytes, each with its goroutine:
//
//	program → pty → read ─► draw → emulator → answer ─┐
//	program ← pty ← feed ◄── input queue ◄────────────┴── keys
//
// The queue has no bound, so that neither a program that does not read its
// input nor one that asks the terminal much can hold up the drawing.
func (t *Terminal) run() {
	chunks := make(chan []byte)
	t.tasks.begin("read", func() { t.read(chunks) })
	t.tasks.begin("draw", func() { t.draw(chunks) })
	t.tasks.begin("answer", t.answer)
	t.tasks.begin("feed", t.feed)
	t.tasks.begin("await the exit", t.awaitExit)
}

// announce tells those who wait that something changed; t.mu is held.
func (t *Terminal) announce() {
	close(t.changed)
	t.changed = make(chan struct{})
}

// read passes on what the program writes until its side is closed: EOF, or EIO
// on Linux.
func (t *Terminal) read(chunks chan<- []byte) {
	defer close(chunks)
	buf := make([]byte, 32<<10)
	for {
		t.mu.Lock()
		paused, pace := t.paused, t.pace
		t.mu.Unlock()
		if paused != nil {
			<-paused
		}
		most := len(buf)
		if pace.bytes > 0 {
			most = min(most, pace.bytes)
		}
		n, err := t.pty.Read(buf[:most])
		if n > 0 {
			chunks <- append([]byte(nil), buf[:n]...)
		}
		if err != nil && !errors.Is(err, syscall.EINTR) && !errors.Is(err, syscall.EAGAIN) {
			return
		}
		time.Sleep(pace.pause)
	}
}

// patience is how long the last bytes of a read wait for more bytes of the same
// character or update. A frame of one write arrives in several reads with no time
// between.
const patience = 20 * time.Millisecond

// mostHeld bounds, in bytes, what is held back of an update.
const mostHeld = 1 << 20

// draw gives the output to the emulator. The emulator ends a grapheme cluster
// where a write ends, so one that may go on is held back. So is a synchronized
// update without its end: nobody sees it before, and to draw its beginning the
// screen would have to be copied, which takes longer than all of the drawing.
func (t *Terminal) draw(chunks <-chan []byte) {
	var held []byte
	var since time.Time // when the first of held was read
	show := func(read, p []byte) {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.raw.add(read)
		t.emu.write(p)
		t.announce()
	}
	waits := time.NewTimer(0)
	defer waits.Stop()
	for {
		var late <-chan time.Time
		if len(held) > 0 {
			waits.Reset(patience - time.Since(since))
			late = waits.C
		}
		select {
		case read, more := <-chunks:
			if !more {
				show(nil, held)
				t.mu.Lock()
				t.drained, t.emu.frame = true, nil
				t.announce()
				t.mu.Unlock()
				return
			}
			p := append(held, read...)
			cut := lastCluster(p)
			if len(p) < mostHeld {
				cut = min(cut, lastUpdate(p))
			}
			if cut > 0 || len(held) == 0 {
				since = time.Now()
			}
			held = append([]byte(nil), p[cut:]...)
			show(read, p[:cut])
		case <-late:
			show(nil, held)
			held = nil
		}
	}
}

// lastUpdate is where the last synchronized update of p begins if its end is missing, and
// len(p) otherwise.
func lastUpdate(p []byte) int {
	begin := bytes.LastIndex(p, []byte(ansi.SetModeSynchronizedOutput))
	if begin < 0 || bytes.Contains(p[begin:], []byte(ansi.ResetModeSynchronizedOutput)) {
		return len(p)
	}
	return begin
}

// lastCluster is where the last character of p begins if more bytes could
// belong to it, which is so when p ends with something other than ASCII, and
// len(p) otherwise.
func lastCluster(p []byte) int {
	start := len(p)
	for start > 0 && p[start-1] >= utf8.RuneSelf {
		start--
	}
	for start < len(p) {
		cluster, _ := ansi.FirstGraphemeCluster(p[start:], ansi.GraphemeWidth)
		if len(cluster) == 0 || start+len(cluster) >= len(p) {
			break
		}
		next := start + len(cluster)
		if !utf8.FullRune(p[next:]) {
			break // the rest of that rune may join this cluster
		}
		start = next
	}
	return start
}

// answer queues what the emulator replies to the program's questions, unless the
// terminal is a mute one.
func (t *Terminal) answer() {
	type reply struct {
		text string
		due  time.Time
	}
	replies := make(chan reply, 1024)
	defer close(replies)
	t.tasks.begin("queue the answers", func() {
		for r := range replies {
			time.Sleep(time.Until(r.due))
			t.input.add(r.text)
		}
	})
	buf := make([]byte, 4096)
	for {
		n, err := t.emu.replies().Read(buf)
		if n > 0 && !t.opts.Mute {
			replies <- reply{string(buf[:n]), time.Now().Add(t.opts.Late)}
		}
		if err != nil {
			return
		}
	}
}

// escapePause is kept after a lone ESC. A program can tell the key from the
// beginning of a sequence only by the pause that follows it; the usual limit is
// 50 ms after it was read.
const escapePause = 120 * time.Millisecond

// feed types what was queued.
func (t *Terminal) feed() {
	for {
		text, ok := t.input.take()
		if !ok {
			return
		}
		// When the program is gone the write fails, and the key is lost as it
		// would be in any terminal.
		_, _ = t.pty.Write([]byte(text))
		if text == "\x1b" {
			time.Sleep(escapePause)
		}
	}
}

// awaitExit notes how the program ended.
func (t *Terminal) awaitExit() {
	err := t.cmd.Wait()
	code := t.cmd.ProcessState.ExitCode()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		if status, ok := failed.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			code = 128 + int(status.Signal())
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.exited, t.code = true, code
	t.announce()
}

// inputQueue holds what is still to be typed, in order.
type inputQueue struct {
	mu     sync.Mutex
	wake   *sync.Cond
	items  []string
	closed bool
}

func newInputQueue() *inputQueue {
	q := &inputQueue{}
	q.wake = sync.NewCond(&q.mu)
	return q
}

func (q *inputQueue) add(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, text)
	q.wake.Signal()
}

// take waits for the next item; it is false once the queue is closed.
func (q *inputQueue) take() (string, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.wake.Wait()
	}
	if q.closed {
		return "", false
	}
	text := q.items[0]
	q.items = q.items[1:]
	return text, true
}

func (q *inputQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.wake.Broadcast()
}

// rawLog keeps the newest limit bytes of what was written, and the count of all.
type rawLog struct {
	limit int
	buf   []byte
	total int64
}

func (r *rawLog) add(p []byte) {
	r.total += int64(len(p))
	r.buf = append(r.buf, p...)
	if len(r.buf) > 2*r.limit {
		r.buf = append(r.buf[:0], r.buf[len(r.buf)-r.limit:]...)
	}
}

func (r *rawLog) bytes() []byte {
	return append([]byte(nil), r.tail(r.limit)...)
}

func (r *rawLog) tail(n int) []byte { return r.buf[max(0, len(r.buf)-n):] }
