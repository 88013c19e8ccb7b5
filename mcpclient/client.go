package mcpclient

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"belay/mcpclient/address"
	"belay/mcpclient/conns"
	"belay/mcpclient/recording"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// Errors of starting and stopping.
var (
	ErrRunning = errors.New("the server is already running; restart it instead")
	ErrClosed  = errors.New("belay is closing; no server can be started any more")
)

// Client owns one session, the lock around it, and at most one connection at a
// time. All methods may be called from any goroutine. Only Start, Restart and
// Close wait; the others return at once, whatever the server does.
type Client struct {
	opt Options

	mu    priorityLock // guards what follows
	s     *session.Session
	link  link                   // the connection of now; nil when there is none
	alarm time.Time              // when the ticker is to look again; zero: never
	parts map[*partReporter]bool // messages of which something has come
	reads *conns.Set             // the network connections of the link over HTTP; nil: it is none

	partAge atomic.Int64 // see [session.Wish]
	current current      // the connection of now, or the last one
	crashes crashes
	tape    *recording.Tape
	rec     atomic.Pointer[recording.Recorder] // nil: nothing is recorded
	learnt  learnt
	keeper  *keeper

	background sync.WaitGroup // looks at the roots, checks of results, and starting a server again
	checks     checks
	samples    samples

	wake  chan struct{}
	rearm chan struct{} // one slot: alarm was set to an earlier time

	life    sync.Mutex // one Start, Restart or end of Close at a time
	closing atomic.Bool
	ticker  *ticker
	running *awakeClock
	done    chan struct{}
}

// link is one connection as the Client sees it, whatever carries its messages.
// ready and give are called under the lock; no method waits.
type link interface {
	// ready reports whether the link can carry out one more output now, after those of a batch.
	ready(batch []session.Output) bool
	// give hands it a batch that ready allowed, and that is its own from then on.
	give(batch []session.Output)
	// closeSoon ends the connection in order, but lets what is on its way be
	// written first, for a short while.
	closeSoon()
	// fail ends the connection because belay itself has failed.
	fail(why string)
}

// connection is a link with its life: from its start until nothing of it runs.
type connection interface {
	link
	// run begins it. The core has been told of the epoch.
	run(session.Epoch)
	// kill ends it at once, without waiting.
	kill()
	// ended is closed when nothing of it runs any more; isOver reports whether it is.
	ended() <-chan struct{}
	isOver() bool
	info() Process
}

// current holds a connection, or none.
type current struct{ p atomic.Pointer[connection] }

func (h *current) Store(c connection) { h.p.Store(&c) }

func (h *current) Load() connection {
	if p := h.p.Load(); p != nil {
		return *p
	}
	return nil
}

// New makes a client. No server runs until Start. Close ends what it holds, also
// when it was never started.
func New(o Options) *Client {
	o = o.withDefaults()
	o.Session.CheckRoots = true
	if o.HTTP.Endpoint != "" {
		o.Session.Transport, o.Session.Endpoint, o.Session.Login = mcp.HTTP, o.HTTP.Shown(), o.HTTP.logsIn()
		if u, err := url.Parse(o.HTTP.Endpoint); err == nil {
			o.Session.Origin = session.OriginOf(u)
			o.Session.WrongCancels = o.Session.WrongCancels || address.IsLoopback(u.Hostname())
		}
		if o.Session.FirstID == 0 {
			// Servers without sessions have taken one client's cancel for another's
			// request with the same ID. Five digits still fit a column.
			o.Session.FirstID = 10_000 + rand.Int64N(80_000)
		}
		if o.Session.Jitter == 0 {
			o.Session.Jitter = rand.Int64() | 1
		}
	}
	keeper := newKeeper(&o)
	running := &awakeClock{real: o.Now}
	o.Now = running.now
	origin := o.Now()
	c := &Client{
		opt:     o,
		keeper:  keeper,
		running: running,
		s:       session.New(o.Session, origin),
		wake:    make(chan struct{}, 1),
		rearm:   make(chan struct{}, 1),
		done:    make(chan struct{}),
		parts:   map[*partReporter]bool{},

		checks:  newChecks(),
		samples: samples{changed: make(chan struct{}, 1)},
	}
	keeper.tell(c)
	if o.Record != nil {
		var mask *secret.Mask
		if !o.RecordUnmasked {
			mask = o.Mask()
		}
		c.rec.Store(recording.NewRecorder(o.Record, mask, c.signal))
	}
	c.tape = recording.NewTape(c.s, origin, o.kept, c.rec.Load())
	return c
}

// Start runs the server and begins the handshake. A server that cannot be run
// is a [*process.StartError]; the session has not been told anything then.
func (c *Client) Start() error {
	c.life.Lock()
	defer c.life.Unlock()
	if p := c.current.Load(); p != nil && !p.isOver() {
		return ErrRunning
	}
	return c.start()
}

// Restart closes the server in order, waits for its end, and runs the same
// command again as a new epoch. Without a running server it is Start.
func (c *Client) Restart() error {
	c.life.Lock()
	defer c.life.Unlock()
	if p := c.current.Load(); p != nil && !p.isOver() {
		c.locked(func(s *session.Session, now time.Time) {
			if s.Status().Phase != session.Disconnected {
				s.Tell(now, session.Disconnect{Reason: "belay restarts the server"})
			}
		})
		p.closeSoon()
		<-p.ended()
	}
	return c.start()
}

func (c *Client) start() error {
	if c.Quits() {
		return ErrClosed
	}
	p, err := c.open()
	if err != nil {
		return err
	}
	c.begin(p)
	return nil
}

// Quits reports whether belay ends: Close or Leave was called, or the core was told
// of it.
func (c *Client) Quits() (quitting bool) {
	c.View(func(s *session.Session) { quitting = s.Status().Quitting })
	return quitting || c.closing.Load()
}

// begin tells the core of a connection and runs it. What belay was told to end
// meanwhile is closed unused.
func (c *Client) begin(p connection) {
	if c.ticker == nil {
		c.ticker = startTicker(c)
		c.running.start(func() { c.locked(func(*session.Session, time.Time) {}) })
	}
	c.current.Store(p)
	var e session.Epoch
	c.locked(func(s *session.Session, now time.Time) {
		c.tape.Connecting(s, now)
		e = s.Tell(now, session.Connect{}).Epoch
		c.link, c.reads = p, nil
		if w, ok := p.(*httpTransport); ok {
			c.reads = w.open
		}
	})
	p.run(e)
	if c.closing.Load() { // Close came in between and may not have seen p
		p.closeSoon()
	}
}

// open makes the connection that the options ask for.
func (c *Client) open() (connection, error) {
	if c.opt.HTTP.Endpoint != "" {
		return newHTTPTransport(c)
	}
	if c.opt.open != nil {
		return c.opt.open(c), nil
	}
	ch, err := spawn(c.opt)
	if err != nil {
		return nil, err
	}
	return newStdio(c, ch), nil
}

// Do gives the session an input with the time of now, then carries out what the core
// asks for. The error is a *[session.Refusal]: nothing was changed. It does no I/O.
func (c *Client) Do(in session.Input) (reply session.Reply, err error) {
	c.locked(func(s *session.Session, now time.Time) { reply, err = s.Handle(now, in) })
	return reply, err
}

// tell is Do with what happened outside.
func (c *Client) tell(r session.Report) (reply session.Reply) {
	c.locked(func(s *session.Session, now time.Time) { reply = s.Tell(now, r) })
	return reply
}

// locked runs f under the lock with the time of now, then carries out what the core
// asks for. f must be short, must do no I/O, and must not call the Client.
func (c *Client) locked(f func(s *session.Session, now time.Time)) {
	if c.underLock(f) {
		// The writer was just woken. It runs at once if this goroutine steps
		// aside, instead of after whatever the caller does next: a cancel's bytes
		// leave before the screen is drawn.
		runtime.Gosched()
	}
	c.signal()
}

func (c *Client) underLock(f func(s *session.Session, now time.Time)) (handed bool) {
	c.mu.lock()
	defer c.mu.unlock()
	now := c.inputTime()
	f(c.s, now)
	return c.settle(now)
}

// inputTime is the time of an input, under the lock. That belay did not run for a while is told
// before whatever was read since.
func (c *Client) inputTime() time.Time {
	now := c.opt.Now()
	if at, d := c.running.take(); d > 0 {
		c.s.Tell(at, session.Suspended{For: d})
	}
	return now
}

// View runs f under the lock. f must only call views of the session, must be
// short and must not call the Client.
func (c *Client) View(f func(s *session.Session)) {
	c.mu.lock()
	defer c.mu.unlock()
	f(c.s)
}

// settle follows every input, still under the lock: what the core wants done is
// handed to the connection, a check is begun, and the ticker is set.
func (c *Client) settle(now time.Time) (handed bool) {
	var batch []session.Output
	for c.link != nil && c.link.ready(batch) {
		out, ok := c.next(now)
		if !ok {
			break
		}
		batch = append(batch, out)
	}
	if len(batch) > 0 {
		c.link.give(batch)
	}
	c.checkNext()
	c.keeper.take(c.s)
	wish := c.s.Wish()
	c.samples.take(wish.Samples)
	c.partAge.Store(int64(wish.PartAge))
	if at, ok := c.s.Deadline(); ok && (c.alarm.IsZero() || at.Before(c.alarm)) {
		c.alarm = at
		select {
		case c.rearm <- struct{}{}:
		default:
		}
	}
	return len(batch) > 0
}

// next is what the connection is to do next. What the core wants of somebody
// else is seen to here, whoever asks.
func (c *Client) next(now time.Time) (session.Output, bool) {
	for {
		out, ok := c.s.Next(now)
		if !ok || out.Op != session.OpRoots {
			return out, ok
		}
		c.background.Go(func() { c.lookAtRoots(out) })
	}
}

// Now is the time by the clock of the session: it stands still while belay is stopped.
func (c *Client) Now() time.Time { return c.opt.Now() }

// Wake has one slot, filled on every change: of the session, of the process or of the
// recording. A screen waits on this channel, and draws the state at that time.
func (c *Client) Wake() <-chan struct{} { return c.wake }

func (c *Client) signal() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// Done is closed when Close has finished.
func (c *Client) Done() <-chan struct{} { return c.done }

// Leave begins the way out of Close, and waits for nothing, not even for the lock:
// whoever holds that for ever keeps no server alive. The work is not cancelled.
func (c *Client) Leave() {
	c.closing.Store(true)
	c.checks.stop()
	if p := c.current.Load(); p != nil {
		p.closeSoon()
	}
}

// Close is the way out: the work is cancelled, the cancels get a short while to
// be written, then the server is closed step by step and the recording is
// written to its end. When ctx ends first, the server is killed. After Close
// nothing of the client runs any more. The error is the recording's, if it has
// failed. Close may be called more than once.
func (c *Client) Close(ctx context.Context) error {
	c.Leave()
	select {
	case <-c.done:
		return c.Recording().Err
	default:
	}
	// The lock may never be had; the server is ended nevertheless.
	stop := context.AfterFunc(ctx, c.Kill)
	defer stop()
	c.tell(session.Quit{})
	// What holds life now is a Start or Restart; it sees closing, or its process
	// was told above.
	c.life.Lock()
	if p := c.current.Load(); p != nil {
		<-p.ended()
	}
	c.life.Unlock()
	c.background.Wait() // one of them may want life
	c.life.Lock()
	defer c.life.Unlock()
	select {
	case <-c.done:
		return c.Recording().Err
	default:
	}
	if c.ticker != nil {
		c.ticker.stop()
		c.running.end()
	}
	c.keeper.close(ctx)
	c.rec.Load().Close(ctx)
	close(c.done)
	c.signal()
	return c.Recording().Err
}

// Kill ends the server and its process group at once, whatever step of closing
// it is at. It does not wait.
func (c *Client) Kill() {
	if p := c.current.Load(); p != nil {
		p.kill()
	}
}

// KillAndWait ends the server like Kill, and waits until its processes are gone, at
// most for limit. It takes no lock, so that also a core that hangs is left.
func (c *Client) KillAndWait(limit time.Duration) {
	p := c.current.Load()
	if p == nil {
		return
	}
	p.kill()
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case <-p.ended():
	case <-over.C:
	}
}

// Process describes the server's process, or the last one. It is the zero
// value before the first Start.
func (c *Client) Process() Process {
	if p := c.current.Load(); p != nil {
		return p.info()
	}
	return Process{}
}

// onDisconnected tells the core that p, the connection of an epoch, is gone. At is when its
// server ended; zero: now.
func (c *Client) onDisconnected(p connection, e session.Epoch, why session.Close, at time.Time) {
	again := false
	c.locked(func(s *session.Session, now time.Time) {
		if c.link == link(p) {
			c.link = nil
		}
		in := session.Closed{Epoch: e, Why: why}
		if !at.IsZero() {
			in.Ago = max(0, now.Sub(at))
		}
		s.Tell(now, in)
		again = s.Status().StartAgain
	})
	if again {
		c.background.Go(func() { c.startAgain(p) })
	}
}

// startAgain begins another connection after p has ended, as the core wants it,
// unless somebody else was quicker, or the user has left meanwhile.
func (c *Client) startAgain(p connection) {
	<-p.ended()
	c.life.Lock()
	defer c.life.Unlock()
	wanted := false
	c.View(func(s *session.Session) { wanted = s.Status().StartAgain })
	if !wanted || c.current.Load() != p {
		return
	}
	if err := c.start(); err != nil && !errors.Is(err, ErrClosed) {
		c.tell(session.NotStarted{Why: err.Error()})
	}
}
