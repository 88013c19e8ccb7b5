package mcpclient

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"time"

	"belay/mcpclient/process"
	"belay/session"
)

// writeBlock is about how many bytes of cancels and answers leave in one write. It
// is small, so that each message is soon reported as written.
const writeBlock = 64 << 10

// firstBlock is the same for what an idle writer is handed. It is smaller, because the goroutine that
// hands it over may be handling a key.
const firstBlock = 4 << 10

// write carries out the core's outputs, one after the other. No other goroutine
// blocks when the server does not read (CXL-32), and closing stdin frees it.
func (p *stdio) write() {
	defer close(p.writeEnded)
	defer p.refuseHanded()
	defer func() {
		if v := recover(); v != nil {
			p.c.onCrash("the writer", v)
		}
	}()
	var batch []session.Output
	var buf []byte
	for {
		batch = p.take(batch[:0])
		if len(batch) == 0 {
			return
		}
		// What follows a cancel may wait for the server to read. That the cancel was written is told before that.
		n := afterLastCancel(batch)
		var err error
		for _, outs := range [][]session.Output{batch[:n], batch[n:]} {
			if len(outs) == 0 {
				continue
			}
			buf = appendLines(buf[:0], outs)
			var done []process.Piece
			p.cancels = slices.ContainsFunc(outs, func(out session.Output) bool { return out.IsCancel })
			p.others = slices.ContainsFunc(outs, func(out session.Output) bool { return !out.IsCancel })
			if len(buf) > 0 && err == nil {
				done, err = p.Stdin.WriteTimed(buf, p.aboutToWrite)
				if !p.others && !p.c.opt.NoWitness { // a cancel waits for no note; what was begun before this has the kernel's time, near the cancel
					p.births.Note(p.c.opt.Now())
				}
				if !p.marked {
					if n, ok := p.came.Come(true); ok {
						p.came.mark(n, p.c.opt.Now())
					}
				}
			}
			p.report(outs, done, err)
		}
		if err != nil {
			if !isClosed(p.inClosed) {
				p.onReaderGone()
			}
			return
		}
		if batch[len(batch)-1].Op == session.OpClose {
			p.close()
		}
		if cap(buf) > 4*writeBlock {
			buf = nil // one big message must not be kept for ever
		}
	}
}

// afterLastCancel is how many outputs of a batch there are up to its last cancel.
func afterLastCancel(batch []session.Output) (n int) {
	for i, out := range batch {
		if out.IsCancel {
			n = i + 1
		}
	}
	return n
}

// appendLines appends the messages of outputs, a line each.
func appendLines(buf []byte, outs []session.Output) []byte {
	for _, out := range outs {
		if out.Op == session.OpWrite {
			buf = append(append(buf, out.Data...), '\n')
		}
	}
	return buf
}

// aboutToWrite is now, right before bytes leave. What lies unread in stdout came before the server can
// read them, and which process is begun later began when the server may have read them. What lives before a
// cancel is read may have ended by it.
//
// A cancel does not wait for a reader that is kept from a processor while it takes bytes. What that reader
// takes has the time of its reading then, or of the end of the write. What is written next does wait.
func (p *stdio) aboutToWrite() (now time.Time) {
	n, ok := p.came.Come(!p.cancels)
	now = p.c.opt.Now()
	if p.marked = ok; ok {
		p.came.mark(n, now)
	}
	if p.others && !p.c.opt.NoWitness {
		p.births.Note(now)
	}
	if p.cancels {
		p.lives.Note(now)
	}
	return now
}

// take waits until there is something to write and the pipe has room for it,
// so that what cannot be written yet stays inside the core, where it can still
// be dropped or overtaken. It returns nothing when stdin is closed.
func (p *stdio) take(batch []session.Output) []session.Output {
	p.Stdin.WaitWritable()
	if isClosed(p.inClosed) {
		return nil
	}
	if batch = p.gather(batch); len(batch) > 0 {
		return batch
	}
	select {
	case <-p.inClosed:
		return nil
	case batch = <-p.handed:
		return batch
	}
}

// gather pulls what is to be written next. With an empty result the writer counts as idle
// from then on. What was handed over comes first: the writer counts as idle before
// it runs, and on a busy machine the core may have more by then.
func (p *stdio) gather(batch []session.Output) []session.Output {
	p.c.mu.lock()
	defer p.c.mu.unlock()
	select {
	case batch = <-p.handed:
	default:
	}
	now := p.c.inputTime()
	size := sizeOf(batch)
	for mayFollow(batch, size, writeBlock) {
		out, ok := p.c.next(now)
		if !ok {
			break
		}
		batch = append(batch, out)
		size += len(out.Data)
	}
	p.idle = len(batch) == 0
	return batch
}

// report tells the core how the writing of outputs went.
func (p *stdio) report(outs []session.Output, done []process.Piece, err error) {
	c := p.c
	defer c.signal()
	c.mu.lock()
	defer c.mu.unlock()
	now := c.inputTime()
	n := 0
	for _, out := range outs {
		if out.Op != session.OpWrite {
			continue
		}
		n += len(out.Data) + 1
		for len(done) > 0 && done[0].N < n {
			done = done[1:]
		}
		if len(done) > 0 {
			c.s.Tell(now, session.Sent{Seq: out.Seq, Ago: now.Sub(done[0].At)})
		} else {
			c.s.Tell(now, session.SendFailed{Seq: out.Seq, Why: p.writeTrouble(err)})
		}
	}
	c.settle(now)
}

// refuseHanded makes sure that nothing is left in the hands of a writer that
// has ended.
func (p *stdio) refuseHanded() {
	p.c.mu.lock()
	defer p.c.mu.unlock()
	p.idle = false
	select {
	case batch := <-p.handed:
		for _, out := range batch {
			if out.Op == session.OpWrite {
				p.c.s.Tell(p.c.inputTime(), session.SendFailed{Seq: out.Seq, Why: p.writeTrouble(os.ErrClosed)})
			}
		}
	default:
	}
}

const brokenPipe = "the server has closed its stdin"

// writeTrouble says in words why a message could not be written.
func (p *stdio) writeTrouble(err error) string {
	switch {
	case errors.Is(err, os.ErrClosed):
		p.mu.Lock()
		defer p.mu.Unlock()
		return cmp.Or(p.shut, shutWords(session.Close{ByUs: true}))
	case process.IsBrokenPipe(err):
		return brokenPipe
	default:
		return "writing to the server failed: " + err.Error()
	}
}
