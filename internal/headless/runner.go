package headless

import (
	"context"
	"errors"
	"sync"
	"time"

	"belay/mcpclient"
	"belay/mcpclient/login"
	"belay/session"
)

// Client is what a runner drives: a *[mcpclient.Client].
type Client interface {
	Start() error
	Do(session.Input) (session.Reply, error)
	View(func(*session.Session))
	Wake() <-chan struct{}
	Done() <-chan struct{}
	Now() time.Time
	Login() mcpclient.Login
	AbandonLogin()
	Kill()
	Close(context.Context) error
}

// ErrClosed is returned by a wait that [Runner.Close] has ended.
var ErrClosed = errors.New("the runner is closed")

// Runner drives one client. Make one with [New].
type Runner struct {
	Client

	mu      sync.Mutex
	changed chan struct{} // closed, and made anew, when something may have changed
	needed  bool          // a login that needs a user was given up

	once    sync.Once
	leave   chan struct{} // closed by Close: the pump ends
	pumping sync.WaitGroup
}

// New makes a runner of a client that nobody else waits for: from now on the runner has
// its wake-ups. Close ends both.
func New(c Client) *Runner {
	r := &Runner{Client: c, changed: make(chan struct{}), leave: make(chan struct{})}
	r.pumping.Go(r.pump)
	return r
}

// pump tells all who wait that something may have changed. The client's own channel has
// one slot and one reader.
func (r *Runner) pump() {
	for {
		select {
		case <-r.Wake():
			gaveUp := r.giveUpLogin()
			r.mu.Lock()
			r.needed = r.needed || gaveUp
			close(r.changed)
			r.changed = make(chan struct{})
			r.mu.Unlock()
		case <-r.leave:
			return
		}
	}
}

// Changed returns a channel that is closed when something may have changed. Who takes
// it before looking misses nothing.
func (r *Runner) Changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.changed
}

// Await waits until cond holds. It is called under the lock of the session, after each
// change: it must be short, and must not call the runner. The error is that of the
// context, or [ErrClosed].
func (r *Runner) Await(ctx context.Context, cond func(*session.Session) bool) error {
	for {
		changed := r.Changed()
		holds := false
		r.View(func(s *session.Session) { holds = cond(s) })
		if holds {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		case <-r.leave:
			return ErrClosed
		}
	}
}

// Sampled waits until the latest sample of the server's processes is of a time or later. Where there are no
// samples, and where the connection has ended, it waits for none. The error is that of [Runner.Await].
func (r *Runner) Sampled(ctx context.Context, at time.Time) error {
	return r.Await(ctx, func(s *session.Session) bool {
		st := s.Status()
		latest := st.Processes.At
		return latest.IsZero() || !latest.Before(at) || st.Phase == session.Disconnected
	})
}

// Status is that of the session as it is now.
func (r *Runner) Status() (st session.Status) {
	r.View(func(s *session.Session) { st = s.Status() })
	return st
}

// ConnectError says why there is no connection: Failure is the core's word on it, or
// Err the client's. Login says that it is for want of a login, which needs a user.
type ConnectError struct {
	Failure *session.Failure
	Err     error
	Login   bool
}

// Error is a sentence; it may hold foreign text.
func (e *ConnectError) Error() string {
	switch {
	case e.Login:
		return "the server wants a login, which needs a browser and somebody in front of it"
	case e.Failure != nil:
		return e.Failure.Text
	case e.Err != nil:
		return e.Err.Error()
	}
	return "the connection ended"
}

// Unwrap returns the client's error, or that of the context.
func (e *ConnectError) Unwrap() error { return e.Err }

// Connect starts the server, or connects to it, and waits until calls can leave. The error
// is a *[ConnectError]. A login that needs nobody, such as one with the client's own
// secret, is made; one that needs a user is given up.
func (r *Runner) Connect(ctx context.Context) (session.Status, error) {
	if err := r.Start(); err != nil {
		return session.Status{}, &ConnectError{Err: err}
	}
	return r.Ready(ctx)
}

// Ready waits until the connection is ready, also again after it was negotiated anew.
func (r *Runner) Ready(ctx context.Context) (st session.Status, err error) {
	err = r.Await(ctx, func(s *session.Session) bool {
		st = s.Status()
		return st.Phase == session.Ready || isOver(&st)
	})
	switch {
	case err != nil:
		return st, &ConnectError{Err: err}
	case st.Phase != session.Ready:
		return st, r.lost(&st)
	}
	return st, nil
}

// isOver reports whether there is no connection, and none comes by itself.
func isOver(st *session.Status) bool { return st.Phase == session.Disconnected && !st.StartAgain }

func (r *Runner) lost(st *session.Status) *ConnectError {
	return &ConnectError{Failure: st.Failure, Login: r.HasWantedLogin()}
}

// HasWantedLogin reports whether the server wanted a login that needs a user. It was given
// up: what waited for it has failed.
func (r *Runner) HasWantedLogin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.needed
}

// giveUpLogin gives up a login that waits for a user, and reports whether there was one.
func (r *Runner) giveUpLogin() bool {
	l := r.Login()
	if l.Seq == 0 || l.State.Phase != login.PhasePage {
		return false
	}
	r.AbandonLogin()
	return true
}

// Close ends the session: what is in flight is cancelled, the cancels get a moment to be
// written, and the server is closed step by step (its stdin, SIGTERM, SIGKILL). When ctx
// ends first, the server is killed. Nothing of it is left afterwards. Whoever still waits
// gets [ErrClosed]. The error is that of a recording that has failed.
func (r *Runner) Close(ctx context.Context) error {
	err := r.Client.Close(ctx)
	r.once.Do(func() { close(r.leave) })
	r.pumping.Wait()
	return err
}
