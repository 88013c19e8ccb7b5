package mcpclient

import (
	"context"
	"errors"
	"net/http"
	"time"

	"belay/mcpclient/login"
	"belay/session"
)

// ErrNoLogin says that no login is under way.
var ErrNoLogin = errors.New("no login is under way")

// startLogin makes what this connection logs in with; nil when it does not.
func startLogin(o HTTPOptions, client *http.Client) (*login.Login, error) {
	if !o.logsIn() {
		return nil, nil
	}
	how := o.Login
	how.Endpoint, how.HTTP = o.Endpoint, client
	return login.New(how)
}

// authorize gives a request the token that there is, and returns it.
func (w *web) authorize(ctx context.Context, req *http.Request) login.Secret {
	if w.login == nil {
		return login.Secret{}
	}
	token, err := w.login.Authorization(ctx)
	if err != nil && ctx.Err() == nil {
		w.tell("login: " + err.Error())
	}
	if !token.Empty() {
		req.Header.Set("Authorization", token.Reveal())
	}
	return token
}

// renewed says whether a request that was refused may be sent again at once:
// there is another token by now, without the user (design: not delivered).
func (w *web) renewed(ctx context.Context, status int, sent login.Secret) bool {
	if w.login == nil || status != http.StatusUnauthorized {
		return false
	}
	w.mu.Lock()
	w.refused = sent
	w.mu.Unlock()
	ok, err := w.login.Renew(ctx, sent)
	if err != nil && ctx.Err() == nil {
		w.tell("login: " + err.Error())
	}
	return ok
}

// logIn does the login that the core asks for.
func (w *web) logIn(out session.Output) {
	failure := ""
	if err := w.logInNow(out); err != nil {
		failure = err.Error()
	}
	w.c.Do(func(s *session.Session, now time.Time) { s.LoggedIn(now, out.Seq, failure) })
}

func (w *web) logInNow(out session.Output) error {
	w.mu.Lock()
	sent := w.refused
	w.mu.Unlock()
	a, err := w.login.Begin(w.all, login.Refusal{
		Status: out.Head.Status, Header: http.Header{"Www-Authenticate": out.Head.Challenge}, Sent: sent,
	})
	if err != nil {
		return err
	}
	w.attempt.Store(a)
	defer w.attempt.Store(nil)
	for {
		st, changed := a.Watch()
		w.c.signal() // whoever shows it looks again
		if st.Phase == login.PhaseOver {
			if st.NotKept != nil {
				w.tell("the token could not be kept, it is for this run only: " + st.NotKept.Error())
			}
			return st.Err
		}
		<-changed
	}
}

// tell puts a line of belay's own among the messages.
func (w *web) tell(text string) {
	w.c.Do(func(s *session.Session, now time.Time) { s.Remark(now, text) })
}

// Login is the login that is under way, and false when there is none.
func (c *Client) Login() (login.State, bool) {
	if a := c.attempt(); a != nil {
		st, _ := a.Watch()
		return st, true
	}
	return login.State{}, false
}

// PasteLogin takes the address that the login page led the browser to.
func (c *Client) PasteLogin(redirect string) error {
	if a := c.attempt(); a != nil {
		return a.Paste(redirect)
	}
	return ErrNoLogin
}

// AbandonLogin gives up the login that is under way: what waits for it fails,
// and the connection stays as it is.
func (c *Client) AbandonLogin() {
	if a := c.attempt(); a != nil {
		a.Abandon()
	}
}

// Logout forgets the token of the server, also in its file.
func (c *Client) Logout() error {
	w, ok := c.current.Load().(*web)
	if !ok || w.login == nil {
		return ErrNoLogin
	}
	return w.login.Forget()
}

func (c *Client) attempt() *login.Attempt {
	if w, ok := c.current.Load().(*web); ok {
		return w.attempt.Load()
	}
	return nil
}
