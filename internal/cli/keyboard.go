package cli

import (
	"context"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// typedAhead is how many keys and other events of the terminal may wait for the
// loop of the screen. What is typed at a loop that is stuck is left out beyond.
const typedAhead = 4096

// keyboard is the terminal as an input of the screen. It decodes what comes with
// the reader that Bubble Tea would use, but in a goroutine of its own that never
// waits for the loop: ctrl+c is seen, however the terminal encodes it, when the
// loop is stuck; a paste that holds that character is a paste.
//
// Bubble Tea gets it as a terminal whose modes it sets, and which says nothing.
// That it begins to read tells when the terminal is in those modes.
type keyboard struct {
	tty  *os.File
	seen func(uv.Event)  // is called with each event at once, and never waits
	lost func(err error) // is called when nothing can be read any more

	isKept atomic.Bool   // Bubble Tea sets the terminal's modes no more
	reads  chan struct{} // closed when it begins to read
	once   sync.Once

	mu     sync.Mutex
	reader cancelreader.CancelReader // nil: nothing is read
	paused *atomic.Bool              // the reader was given up on purpose
	ended  chan struct{}             // closed when the reader has ended
	over   bool
	queue  chan uv.Event
}

func newKeyboard(tty *os.File, seen func(uv.Event), lost func(error)) *keyboard {
	return &keyboard{tty: tty, seen: seen, lost: lost, reads: make(chan struct{}), queue: make(chan uv.Event, typedAhead)}
}

// It must not have a Name: only without one does cancelreader leave the terminal's
// bytes alone.
var _ term.File = (*keyboard)(nil)

func (k *keyboard) Write(p []byte) (int, error) { return k.tty.Write(p) }
func (k *keyboard) Close() error                { return nil }

// Fd is that of the terminal, whose modes Bubble Tea sets, or of none.
func (k *keyboard) Fd() uintptr {
	if k.isKept.Load() {
		return ^uintptr(0)
	}
	return k.tty.Fd()
}

// keep keeps Bubble Tea from setting the terminal's modes. A program that is about to begin
// may be setting them: it is waited for until it reads, for a time at most, as it may be stuck.
func (k *keyboard) keep(limit time.Duration) {
	k.isKept.Store(true)
	select {
	case <-k.reads:
	case <-time.After(limit):
	}
}

// leave is keep and stop that wait for nothing: the terminal is the shell's.
func (k *keyboard) leave() {
	k.isKept.Store(true)
	k.mu.Lock()
	k.over = true
	if k.paused != nil {
		k.paused.Store(true)
	}
	k.mu.Unlock()
	go k.pause()
}

// Read begins to read from the terminal. Whoever calls it learns nothing.
func (k *keyboard) Read([]byte) (int, error) {
	k.once.Do(func() { close(k.reads) })
	k.begin()
	return 0, io.EOF
}

// feed hands the events to the loop of the screen, until the program has ended.
func (k *keyboard) feed(send func(uv.Event), over <-chan struct{}) {
	for {
		select {
		case ev := <-k.queue:
			send(ev)
		case <-over:
			return
		}
	}
}

func (k *keyboard) begin() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.over || k.reader != nil {
		return
	}
	r, err := uv.NewCancelReader(k.tty)
	if err != nil {
		go k.lost(err)
		return
	}
	k.reader, k.paused, k.ended = r, new(atomic.Bool), make(chan struct{})
	events, paused, ended := make(chan uv.Event), k.paused, k.ended
	go func() {
		defer close(ended)
		for ev := range events {
			k.take(ev)
		}
	}()
	go func() {
		defer close(events)
		err := uv.NewTerminalReader(ofJob(r, k.tty, paused), os.Getenv("TERM")).StreamEvents(context.Background(), events)
		if err == nil && !paused.Load() { // a terminal that is gone has an end, which is no error of the reader's
			err = io.EOF
		}
		if err != nil {
			k.lost(err)
		}
	}()
}

func (k *keyboard) take(ev uv.Event) {
	k.seen(ev)
	select {
	case k.queue <- ev:
	default:
	}
}

// pause stops reading: the terminal is another program's. What is read when Bubble
// Tea has the terminal again is read by begin.
func (k *keyboard) pause() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.reader == nil {
		return
	}
	k.paused.Store(true)
	if k.reader.Cancel() {
		select {
		case <-k.ended:
		case <-time.After(heardWithin): // another program has read what this one was told of
		}
	}
	_ = k.reader.Close()
	k.reader = nil
}

// stop is pause for good.
func (k *keyboard) stop() {
	k.mu.Lock()
	k.over = true
	k.mu.Unlock()
	k.pause()
}

// interrupts counts how often ctrl+c was pressed with nothing else between.
type interrupts struct{ n int }

// pressed takes an event, and returns how often ctrl+c has come in a row when it
// is one of those; else 0.
func (i *interrupts) pressed(ev uv.Event) int {
	switch ev := ev.(type) {
	case uv.KeyPressEvent:
		const locks = uv.ModCapsLock | uv.ModNumLock | uv.ModScrollLock
		if (ev.Code == 'c' || ev.BaseCode == 'c') && ev.Mod&^locks == uv.ModCtrl {
			i.n++
			return i.n
		}
		i.n = 0
	case uv.PasteEvent, uv.MouseClickEvent:
		i.n = 0
	}
	return 0
}
