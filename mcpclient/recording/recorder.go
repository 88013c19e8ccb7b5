package recording

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"unsafe"

	"belay/mcpclient/reason"
	"belay/session"
	"belay/session/journal"
	"belay/session/secret"
	"belay/session/sentence"
)

// recordBound is how much of the journal may wait for the disk. Beyond it the
// reader waits; the keys never do.
const recordBound = 8 << 20

// State says how a recording is doing.
type State struct {
	On    bool  // lines are being written
	Bytes int64 // written
	Err   error // why it stopped; nil when it did not
}

// Create makes the file of a recording, readable by its owner only.
// It never overwrites a file. A character device is written to as it is.
func Create(path string) (*os.File, error) {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeCharDevice != 0 {
		flags = os.O_WRONLY
	}
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot record to %q: %s", path, whyNot(path, err))
	}
	return f, nil
}

// whyNot says why the file of a recording cannot be made, and what to do.
func whyNot(path string, err error) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "it is a directory; name a file in it"
	}
	if errors.Is(err, fs.ErrExist) {
		return "the file exists already; name another one, or remove it"
	}
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("there is no directory %q; name another file, or make it", dir)
	}
	return reason.Of(err) + "; name another file"
}

// Recorder writes the journal to a file. It takes records under a lock of its owner's,
// and masks, encodes and writes them in a goroutine of its own, which lives until Close or
// until the disk fails. A nil Recorder records nothing. Its methods may be called from any
// goroutine.
type Recorder struct {
	out    io.WriteCloser
	mask   *secret.Mask // of flush alone; nil: secrets are kept
	masks  bool         // it is there
	signal func()

	mu      sync.Mutex
	begun   []batch        // what was kept before the recording began: written first
	waiting batch          // not handed to the disk yet
	learnt  []secret.Value // not in the mask yet
	freed   chan struct{}  // closed when waiting was handed on, then replaced
	closing bool
	trial   bool   // Try is to tell whether something can be written
	failure string // what the disk said
	state   State

	kick  chan struct{}
	ended chan struct{}
	tried chan struct{} // closed when something was written, or cannot be, where trial was set
}

// NewRecorder makes a recorder that writes to out, which the recorder closes. Secrets that mask
// knows, and those learnt later, are written masked; without a mask all are written as they are.
// signal is called when the recording has failed.
func NewRecorder(out io.WriteCloser, mask *secret.Mask, signal func()) *Recorder {
	r := &Recorder{
		out: out, mask: mask, masks: mask != nil, signal: signal,
		freed: make(chan struct{}),
		state: State{On: true},
		kick:  make(chan struct{}, 1),
		ended: make(chan struct{}),
		tried: make(chan struct{}),
	}
	go r.flush()
	return r
}

// Learn has secrets masked in what is added from now on, at the latest. It only notes
// them: to make a mask of long ones takes time and memory, and is left to flush.
func (r *Recorder) Learn(secrets ...secret.Value) {
	if r == nil || !r.masks {
		return
	}
	r.mu.Lock()
	if r.state.On && !r.closing {
		r.learnt = append(r.learnt, secrets...)
	}
	r.mu.Unlock()
	r.wakeFlush()
}

// batch is a number of records. Their bytes are together in one piece of
// memory, as they come in hundreds of thousands a second. Large records have their bytes themselves.
type batch struct {
	records []journal.Record // without their bytes
	sizes   []int            // of the bytes of each; 0: it has none, or has them itself
	bytes   []byte
	more    int // bytes that records have themselves
}

// recordCost is about what a record takes of memory besides its bytes.
const recordCost = int(unsafe.Sizeof(journal.Record{})+unsafe.Sizeof(session.Received{})+unsafe.Sizeof(int(0))) + 64

// add takes a record, whose message may be a large one; nil: it is none. What a session hands out
// stays as it is (see [session.Journal.Hand]), and is not copied either where it is large.
func (b *batch) add(r journal.Record, large *Large) {
	b.more += memoryOf(r)
	text := r.Bytes()
	lasts := r.Output != nil && len(text) >= largeFrom
	if _, came := r.Input.(session.Received); came && large != nil {
		r, text, lasts = r.WithBytes(large.raw), large.raw, true
	}
	switch {
	case lasts:
		b.more, b.sizes = b.more+len(text), append(b.sizes, 0)
	default:
		b.bytes, b.sizes = append(b.bytes, text...), append(b.sizes, len(text))
		if text != nil {
			r = r.WithBytes(nil)
		}
	}
	b.records = append(b.records, r)
}

// memoryOf is about how much memory an input takes beside its bytes, where that may be much.
func memoryOf(r journal.Record) int {
	if in, ok := r.Input.(interface{ Memory() int }); ok {
		return in.Memory()
	}
	return 0
}

// length is how many bytes a record has, together with the others or itself.
func (b *batch) length(i int) int { return max(b.sizes[i], len(b.records[i].Bytes())) }

// size is about the memory that the batch takes.
func (b *batch) size() int { return len(b.bytes) + b.more + len(b.records)*recordCost }

// emptied returns an empty batch with the memory of this batch, unless that has
// grown beyond the usual size.
func (b *batch) emptied() batch {
	if cap(b.bytes) > 2*recordBound {
		return batch{}
	}
	clear(b.records)
	return batch{records: b.records[:0], sizes: b.sizes[:0], bytes: b.bytes[:0]}
}

// add takes one record, as [batch.add] does, and never waits.
func (r *Recorder) add(rec journal.Record, large *Large) {
	r.mu.Lock()
	if r.state.On && !r.closing {
		r.waiting.add(rec, large)
	}
	r.mu.Unlock()
	r.wakeFlush()
}

func (r *Recorder) wakeFlush() {
	select {
	case r.kick <- struct{}{}:
	default:
	}
}

// Wait waits until less than the bound waits for the disk, and reports whether that is so: false
// when stop was closed first.
func (r *Recorder) Wait(stop <-chan struct{}) bool {
	for r != nil {
		r.mu.Lock()
		full, freed := r.state.On && r.waiting.size() >= recordBound, r.freed
		r.mu.Unlock()
		if !full {
			return true
		}
		select {
		case <-freed:
		case <-stop:
			return false
		}
	}
	return true
}

// writeSize is how much is given to the disk at once.
const writeSize = 256 << 10

// flush is the goroutine that encodes and writes.
func (r *Recorder) flush() {
	defer close(r.ended)
	var spare batch
	var block []byte
	for {
		<-r.kick
		r.mu.Lock()
		begun, taken, learnt, closing := r.begun, r.waiting, r.learnt, r.closing
		r.begun, r.waiting, r.learnt = nil, spare, nil
		close(r.freed)
		r.freed = make(chan struct{})
		r.mu.Unlock()

		if r.masks && len(learnt) > 0 { // before anything is written that came after it was learnt
			r.mask = r.mask.With(learnt...)
		}
		var n int
		var err error
		if block, n, err = r.writeAll(append(begun, taken), block); closing || err != nil {
			if cerr := r.out.Close(); err == nil {
				err = cerr
			}
		}
		r.wrote(n, err, closing)
		if closing || err != nil {
			return
		}
		spare = taken.emptied()
	}
}

// writeAll is write for several batches.
func (r *Recorder) writeAll(all []batch, block []byte) (_ []byte, n int, err error) {
	for _, b := range all {
		wrote := 0
		block, wrote, err = r.write(b, block)
		if n += wrote; err != nil {
			break
		}
	}
	return block, n, err
}

// write encodes and writes a batch. It returns the memory used, for the next
// batch, and the number of bytes written.
func (r *Recorder) write(b batch, block []byte) (_ []byte, n int, err error) {
	block = block[:0]
	for i, rec := range b.records {
		if n := b.sizes[i]; n > 0 {
			rec, b.bytes = rec.WithBytes(b.bytes[:n:n]), b.bytes[n:]
		}
		block = append(rec.Append(block, r.mask), '\n')
		if len(block) < writeSize && i < len(b.records)-1 {
			continue
		}
		wrote, err := r.out.Write(block)
		if n += wrote; err != nil {
			return nil, n, err
		}
		if block = block[:0]; cap(block) > 2*recordBound {
			block = nil
		}
	}
	return block, n, nil
}

// wrote notes how a write went. After an error nothing more is recorded, and
// the session goes on.
func (r *Recorder) wrote(n int, err error, closing bool) {
	r.mu.Lock()
	r.state.Bytes += int64(n)
	if err != nil {
		r.failure = reason.Of(err)
	}
	if err != nil && !r.trial { // else Try tells of it
		r.state.Err = fmt.Errorf("the recording stopped after %s: %s", sentence.Size(int(r.state.Bytes)), r.failure)
	}
	if r.trial {
		if err == nil {
			r.state.Err = nil
		}
		r.trial = false
		close(r.tried)
	}
	if err != nil || closing {
		r.state.On, r.begun, r.waiting, r.learnt = false, nil, batch{}, nil
		close(r.freed)
		r.freed = make(chan struct{})
	}
	r.mu.Unlock()
	if err != nil {
		r.signal()
	}
}

// follows keeps the error of the recording before as the state of a new one, until the disk has taken
// something of the new one, or is believed to.
func (r *Recorder) follows(before *Recorder) {
	was := before.State().Err
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Err = was
}

// Try writes what [Tape.Begin] gave the recorder, waits until that is written, and says why it
// cannot be. A disk that takes longer than ctx is believed to take it.
func (r *Recorder) Try(ctx context.Context) error {
	r.wakeFlush()
	select {
	case <-r.tried:
	case <-ctx.Done():
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.trial = false; r.failure == "" {
		r.state.Err = nil
		return nil
	}
	return errors.New("nothing was recorded: " + r.failure + "; name another file")
}

// State returns how the recording is doing.
func (r *Recorder) State() State {
	if r == nil {
		return State{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.state
}

// Close writes what waits and closes the file. A disk that does not take it
// before ctx ends is left behind, and State says so.
func (r *Recorder) Close(ctx context.Context) {
	if r == nil {
		return
	}
	r.mu.Lock()
	r.closing = true
	r.mu.Unlock()
	r.wakeFlush()
	select {
	case <-r.ended:
		return
	default:
	}
	select {
	case <-r.ended:
	case <-ctx.Done():
		r.mu.Lock()
		r.state.On = false
		r.state.Err = errors.New("the recording is not complete: the disk did not take it in time")
		r.mu.Unlock()
	}
}
