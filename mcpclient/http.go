package mcpclient

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"belay/mcpclient/conns"
	"belay/mcpclient/login"
	"belay/session"
)

// httpTransport is a connection to a server over HTTP. It carries exchanges out and reports
// their course; their meaning is the core's business. Each exchange has a
// goroutine of its own, so that a stalled exchange stalls no other.
type httpTransport struct {
	c      *Client
	client *http.Client
	open   *conns.Set
	login  *login.Login // nil: there is none
	steps  steps

	unasked chan struct{} // the places of [httpTransport.readUnasked]

	all    context.Context // of every exchange
	cancel context.CancelFunc
	work   sync.WaitGroup

	// Under the client's lock.
	live   map[session.ExchangeID]context.CancelFunc
	ending bool // no exchange begins any more

	wantClose chan session.Output // one slot: how the core wants it closed
	closeNow  chan struct{}
	wantKill  chan struct{}
	over      chan struct{} // nothing of it runs any more
	once      struct{ closeNow, wantKill sync.Once }
	soon      sync.Once

	attempt atomic.Pointer[loginAttempt] // the last login

	mu       sync.Mutex
	failure  string
	refused  login.Secret // the token that was refused last
	trouble  string       // with the login, that was told last
	sessions int          // that the server has named
}

func newHTTPTransport(c *Client) (*httpTransport, error) {
	open := new(conns.Set)
	w := &httpTransport{
		c: c, client: newHTTPClient(c.opt.HTTP, c.opt.Now, open), open: open, live: map[session.ExchangeID]context.CancelFunc{},
		unasked:   make(chan struct{}, maxUnasked),
		wantClose: make(chan session.Output, 1), closeNow: make(chan struct{}),
		wantKill: make(chan struct{}), over: make(chan struct{}),
	}
	w.all, w.cancel = context.WithCancel(context.Background())
	w.steps.start(c.opt.Now())
	var err error
	if w.login, err = startLogin(c.opt.HTTP, w.client, c.learnTexts); err != nil {
		w.cancel()
		return nil, err
	}
	return w, nil
}

// run implements connection.
func (w *httpTransport) run(session.Epoch) { go w.end() }

func (w *httpTransport) isOver() bool           { return isClosed(w.over) }
func (w *httpTransport) ended() <-chan struct{} { return w.over }

// ready implements link: an exchange never waits for another one.
func (w *httpTransport) ready([]session.Output) bool { return true }

// give implements link.
func (w *httpTransport) give(batch []session.Output) {
	for _, out := range batch {
		switch out.Op {
		case session.OpClose:
			select {
			case w.wantClose <- out:
			default:
			}
		case session.OpAbort:
			w.abort(out)
		case session.OpLogin:
			if !w.ending {
				w.work.Go(func() { w.logIn(out) })
			}
		default:
			w.begin(out)
		}
	}
}

func (w *httpTransport) begin(out session.Output) {
	if w.ending {
		return
	}
	ctx, cancel := context.WithCancel(w.all)
	w.live[out.X] = cancel
	w.work.Go(func() {
		defer cancel()
		end := w.carryOut(ctx, out)
		w.c.locked(func(s *session.Session, now time.Time) {
			delete(w.live, out.X)
			s.Tell(now, session.Ended{ExchangeID: out.X, End: end})
		})
	})
}

// abort closes one exchange. Where that is the cancel, it is told before the
// end of the exchange is.
func (w *httpTransport) abort(out session.Output) {
	cancel := w.live[out.X]
	if cancel == nil {
		cancel = func() {}
	}
	if out.Seq == 0 {
		cancel()
		return
	}
	if w.ending {
		return
	}
	w.work.Go(func() {
		w.c.tell(session.Sent{Seq: out.Seq})
		cancel()
	})
}

// closeSoon implements link.
func (w *httpTransport) closeSoon() {
	w.soon.Do(func() {
		t := time.AfterFunc(w.c.opt.Shutdown.Quit, w.close)
		go func() {
			<-w.over
			t.Stop()
		}()
	})
}

// fail implements link.
func (w *httpTransport) fail(why string) {
	w.mu.Lock()
	if w.failure == "" {
		w.failure = why
	}
	w.mu.Unlock()
	w.close()
}

func (w *httpTransport) close() { w.once.closeNow.Do(func() { close(w.closeNow) }) }
func (w *httpTransport) kill()  { w.once.wantKill.Do(func() { close(w.wantKill) }) }

// end waits until the connection is to end, ends the session and every
// exchange, and tells the core.
func (w *httpTransport) end() {
	defer close(w.over)
	var how session.Output
	killed := false
	select {
	case how = <-w.wantClose:
	case <-w.closeNow:
	case <-w.wantKill:
		killed = true
	}
	w.c.mu.lock()
	w.ending = true
	w.c.mu.unlock()
	if len(how.Header) > 0 && !killed {
		w.endSession(how)
	}
	w.cancel()
	w.work.Wait()
	if w.login != nil {
		w.login.Close()
	}
	w.client.CloseIdleConnections()
	w.open.Close()
	w.steps.end(w.c.opt.Now(), "closed")
	w.mu.Lock()
	failure := w.failure
	w.mu.Unlock()
	var e session.Epoch
	w.c.View(func(s *session.Session) { e = s.Status().Epoch }) // it may have had several sessions
	w.c.onDisconnected(w, e, session.Close{ByUs: true, Err: failure}, time.Time{})
	w.c.signal()
}

// endSession tells the server that its session is over. The server may not know the method, or not
// answer: both are fine (HTL-43, HTL-44; basic/transports).
func (w *httpTransport) endSession(how session.Output) {
	ctx, cancel := context.WithTimeout(w.all, w.c.opt.Shutdown.Stdin)
	defer cancel()
	go func() {
		select {
		case <-w.wantKill:
			cancel()
		case <-ctx.Done():
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, w.c.opt.HTTP.Endpoint, nil)
	if err != nil {
		return
	}
	w.fields(req, how.Header)
	w.authorize(ctx, req)
	resp, err := w.client.Do(req)
	if err != nil {
		w.step("DELETE of the session: " + explain(err).Err)
		return
	}
	_ = resp.Body.Close()
	w.step("DELETE of the session: HTTP " + resp.Status)
}

func (w *httpTransport) step(text string) { w.steps.add(w.c.opt.Now(), StepOther, text) }

// info implements connection.
func (w *httpTransport) info() Process {
	w.steps.mu.Lock()
	defer w.steps.mu.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	return Process{
		Address: w.c.opt.HTTP.Shown(), Started: w.steps.started, Ended: w.steps.ended,
		Status: w.steps.status, Failure: w.failure, Steps: append([]Step(nil), w.steps.list...),
	}
}
