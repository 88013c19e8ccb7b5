package mcpclient

import (
	"errors"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"belay/mcpclient/lines"
	"belay/mcpclient/process"
	"belay/mcpclient/sampler"
	"belay/session"
)

// child is the process of a server.
type child struct {
	*process.Child
	mark string // in its environment, by which its processes are known; empty: there is none
}

// spawn starts the server's process.
func spawn(o Options) (*child, error) {
	ch, env := &child{}, o.Env
	if !o.NoWitness {
		ch.mark = sampler.NewMark()
		env = append(slices.Clip(env), ch.mark)
	}
	var err error
	ch.Child, err = process.Spawn(process.Command{
		Argv: o.Command, Dir: o.Dir, Env: env, Expect: o.Expect,
		Group: func(id int) { o.Group(id, true) },
	})
	if err != nil {
		return nil, err
	}
	return ch, nil
}

// stdio is one connection to a server that is a child process. Its goroutines read stdout,
// read stderr, write stdin, watch stdin, wait for the process, sample its processes, and shut
// the process down.
type stdio struct {
	c *Client
	child
	x     session.ExchangeID
	steps steps

	// Under the client's lock.
	idle   bool                  // the writer waits, and its pipe has room
	handed chan []session.Output // one slot: what an idle writer is to write

	// Each is closed once, when it has happened.
	exited     chan struct{}
	exitedAt   time.Time // read once that is closed
	outEnded   chan struct{}
	errEnded   chan struct{}
	writeEnded chan struct{}
	watchEnded chan struct{}
	readerGone chan struct{} // the server closed its stdin
	wantClose  chan struct{} // the core or belay wants it closed in order
	wantKill   chan struct{} // at once
	inClosed   chan struct{} // we closed its stdin
	forced     chan struct{} // the pipes were closed under whoever holds them
	over       chan struct{} // nothing of it runs any more
	looked     chan struct{} // no sample of its processes is to come

	once struct{ readerGone, wantClose, wantKill, inClosed sync.Once }
	soon atomic.Bool // closeSoon was called

	came arrivals
	tail tail
	// births are noted by who writes, and asked by who samples.
	births  sampler.Births
	lives   sampler.Lives // likewise
	cancels bool          // a cancel is about to be written; of the goroutine that writes
	others  bool          // something else is; likewise
	marked  bool          // it is known what of stdout came before what was written last; likewise
	last    time.Time     // when its processes were sampled last; of the goroutine that does that
	asked   uint64        // how many looks at them had been wanted of the connections before

	mu      sync.Mutex
	failure string // why belay ended it; empty when it did not
	shut    string // why what waits is not written once stdin is closed; empty: the connection does not end yet
	readErr error
}

func newStdio(c *Client, ch *child) *stdio {
	p := &stdio{
		c: c, child: *ch, idle: true,
		handed:     make(chan []session.Output, 1),
		exited:     make(chan struct{}),
		outEnded:   make(chan struct{}),
		errEnded:   make(chan struct{}),
		writeEnded: make(chan struct{}),
		watchEnded: make(chan struct{}),
		readerGone: make(chan struct{}),
		wantClose:  make(chan struct{}),
		wantKill:   make(chan struct{}),
		inClosed:   make(chan struct{}),
		forced:     make(chan struct{}),
		over:       make(chan struct{}),
		looked:     make(chan struct{}),
	}
	p.came.Output = p.Stdout
	p.steps.start(c.opt.Now())
	return p
}

// run implements connection. The epoch is set under the lock before the first
// message can be handed over: the writer counts as idle from the start.
func (p *stdio) run(e session.Epoch) {
	p.x = session.ExchangeID{Epoch: e}
	p.asked = p.c.samples.asked.Load()
	go p.read()
	go p.readStderr()
	go p.write()
	go p.watch()
	go func() {
		defer close(p.exited)
		_ = p.Cmd.Wait() // its outcome is Cmd.ProcessState
		p.exitedAt = p.c.opt.Now()
	}()
	go p.shutdown()
	if p.c.opt.NoWitness {
		close(p.looked)
	} else {
		p.c.background.Go(p.witness)
	}
}

func (p *stdio) isOver() bool           { return isClosed(p.over) }
func (p *stdio) ended() <-chan struct{} { return p.over }

func isClosed(ch <-chan struct{}) bool {
	select {
	case <-ch:
		return true
	default:
		return false
	}
}

// ready implements link. An idle writer is handed all that it may write at once: it need not ask
// for the rest, and wait for the lock beside a reader in a flood.
func (p *stdio) ready(batch []session.Output) bool {
	return p.idle && mayFollow(batch, sizeOf(batch), firstBlock)
}

// give implements link.
func (p *stdio) give(batch []session.Output) {
	p.idle = false
	p.handed <- batch
}

// mayFollow reports whether one more output may be written at once with a batch of a size: after an
// urgent one, up to a block of so many bytes. Anything else is written by itself: what comes meanwhile may
// have to overtake the next.
func mayFollow(batch []session.Output, size, block int) bool {
	return len(batch) == 0 || batch[len(batch)-1].Urgent && size < block
}

// sizeOf is how many bytes the messages of a batch have.
func sizeOf(batch []session.Output) (size int) {
	for _, out := range batch {
		size += len(out.Data)
	}
	return size
}

// closeSoon implements link.
func (p *stdio) closeSoon() {
	if p.soon.Swap(true) {
		return
	}
	t := time.AfterFunc(p.c.opt.Shutdown.Quit, p.close)
	go func() {
		<-p.over
		t.Stop()
	}()
}

// fail implements link.
func (p *stdio) fail(why string) {
	p.mu.Lock()
	if p.failure == "" {
		p.failure = why
	}
	p.mu.Unlock()
	p.close()
}

func (p *stdio) close() { p.once.wantClose.Do(func() { close(p.wantClose) }) }
func (p *stdio) kill()  { p.once.wantKill.Do(func() { close(p.wantKill) }) }

func (p *stdio) onReaderGone() { p.once.readerGone.Do(func() { close(p.readerGone) }) }

// closeStdin is the first step of every end. It also frees a writer that the
// server does not read from.
func (p *stdio) closeStdin() {
	p.once.inClosed.Do(func() {
		close(p.inClosed)
		_ = p.Stdin.Close()
	})
}

// read takes stdout to the core until its end.
func (p *stdio) read() {
	defer close(p.outEnded)
	defer func() { _ = p.Stdout.Close() }()
	defer func() {
		if v := recover(); v != nil {
			p.c.onCrash("the reader", v)
			// A server that blocks on its stdout would not see its stdin closing.
			_, _ = io.Copy(io.Discard, p.Stdout)
		}
	}()
	ls := lines.NewReader(&p.came, p.c.opt.MaxLine, p.c.opt.Now)
	ls.By = p.came.by
	err := pump(ls, newInbox(p.c, p.x, p.forced))
	if !errors.Is(err, io.EOF) && !isClosed(p.forced) {
		p.mu.Lock()
		p.readErr = err
		p.mu.Unlock()
	}
}

// pump feeds the lines to the inbox until the stream's end, and returns what
// ended it: io.EOF when that was its proper end.
func pump(ls *lines.Reader, in *inbox) error {
	g := &partReporter{c: in.c, x: in.x, waits: true}
	defer g.close()
	for {
		err := ls.Fill()
		if err == nil && ls.IsAtEnd() { // what comes last may lack its end
			g.onEnded(in)
		}
		for ln, ok := ls.Next(); ok; ln, ok = ls.Next() {
			if ln.Over != nil {
				in.addFrame(ln.Over, ln.Began)
				continue
			}
			in.add(ln.Text, ln.Owned, ln.Began)
			if ln.Owned {
				in.flush() // big: show it before the next is decoded
			}
		}
		in.flush()
		if err != nil {
			return err
		}
		g.at(ls.Part())
	}
}

// watch notices that the server closed its stdin while nothing is written: it
// can never be told anything again, which otherwise only a timeout would show.
func (p *stdio) watch() {
	defer close(p.watchEnded)
	if p.Stdin.ClosedByReader() {
		p.onReaderGone()
	}
}
