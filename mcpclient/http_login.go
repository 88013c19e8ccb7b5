package mcpclient

import (
	"context"
	"errors"
	"net/http"

	"belay/mcpclient/login"
	"belay/session"
)

// ErrNoLogin says that no login is under way.
var ErrNoLogin = errors.New("no login is under way")

// startLogin makes what this connection logs in with; nil when it does not.
func startLogin(o HTTPOptions, client *http.Client, learn func(...string)) (*login.Login, error) {
	if !o.logsIn() {
		return nil, nil
	}
	how := o.Login
	how.Endpoint, how.HTTP, how.Learn = o.Endpoint, client, learn
	how.Words = func(err error) string { return explain(err).Err }
	return login.New(how)
}

// authorize gives a request the token that there is, and returns it.
func (w *httpTransport) authorize(ctx context.Context, req *http.Request) login.Secret {
	if w.login == nil {
		return login.Secret{}
	}
	token, err := w.login.Authorization(ctx)
	if err != nil && ctx.Err() == nil {
		w.tellTrouble(err)
	}
	if !token.Empty() {
		req.Header.Set("Authorization", token.Reveal())
	}
	return token
}

// onAccepted notes that a request was not refused for its token.
func (w *httpTransport) onAccepted(status int, sent login.Secret) {
	if w.login != nil && status/100 == 2 {
		w.login.Accepted(sent)
	}
}

// renew gets another token for a request that was refused, without the user, and reports whether the
// request may be sent again at once. The token that was refused is kept for
// the login that may follow.
func (w *httpTransport) renew(ctx context.Context, status int, sent login.Secret) bool {
	if w.login == nil || status != http.StatusUnauthorized && status != http.StatusForbidden {
		return false
	}
	w.mu.Lock()
	w.refused = sent
	w.mu.Unlock()
	if status == http.StatusForbidden { // the token is good, its scopes are not
		return false
	}
	ok, err := w.login.Renew(ctx, sent)
	if err != nil && ctx.Err() == nil {
		w.tellTrouble(err)
	}
	return ok
}

// logIn does the login that the core asks for.
func (w *httpTransport) logIn(out session.Output) {
	failure := ""
	switch err := w.logInNow(out); {
	case errors.Is(err, context.Canceled):
		failure = "the connection ended first"
	case err != nil:
		failure = err.Error()
	}
	w.c.tell(session.LoggedIn{Seq: out.Seq, Failure: failure})
}

func (w *httpTransport) logInNow(out session.Output) error {
	w.mu.Lock()
	sent := w.refused
	w.mu.Unlock()
	a, err := w.login.Begin(w.all, login.Refusal{
		Status: out.Head.Status, Header: http.Header{"Www-Authenticate": out.Head.Challenge}, Sent: sent,
	})
	if err != nil {
		return err
	}
	w.attempt.Store(&loginAttempt{a, out.Seq})
	told := false
	for {
		st, changed := a.Watch()
		if why := st.NotRenewed; why != nil && !told {
			told = true
			w.c.tell(session.NotRenewed{Seq: out.Seq, Why: why.Error()})
		}
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
func (w *httpTransport) tell(text string) {
	w.c.tell(session.Remark{Text: text})
}

// tellTrouble tells what keeps a request from having a token: once, since the
// trouble is mostly that of all requests.
func (w *httpTransport) tellTrouble(err error) {
	w.mu.Lock()
	again := w.trouble == err.Error()
	w.trouble = err.Error()
	w.mu.Unlock()
	if !again {
		w.tell("login: " + err.Error())
	}
}

// loginAttempt is a login that the core asked for.
type loginAttempt struct {
	*login.Attempt
	seq uint64
}

// Login is what is known of the login at the server.
type Login struct {
	Able  bool // belay logs in where the server wants it
	Token bool // there is a token

	// Seq tells one login of the client from the next; 0: there was none on this
	// connection. State is that of the last one, also when it is over.
	Seq   uint64
	State login.State
}

// Login tells of the login at the server. It does not block.
func (c *Client) Login() Login {
	w, ok := c.current.Load().(*httpTransport)
	if !ok || w.login == nil {
		return Login{}
	}
	l := Login{Able: true, Token: w.login.HasToken()}
	if a := w.attempt.Load(); a != nil {
		l.Seq = a.seq
		l.State, _ = a.Watch()
	}
	return l
}

// PasteLogin takes the address that the login page led the browser to. An error
// says what is wrong with it, and the login goes on. It does not block.
func (c *Client) PasteLogin(redirect string) error {
	if a := c.loginAttempt(); a != nil {
		return a.Paste(redirect)
	}
	return ErrNoLogin
}

// AbandonLogin gives up the login that is under way: what waits for it fails,
// and the connection stays as it is. It does not block.
func (c *Client) AbandonLogin() {
	if a := c.loginAttempt(); a != nil {
		a.Abandon()
	}
}

// Logout forgets the token of the server, also in its file, and has it revoked
// where that can be done. It blocks for a few seconds at most.
func (c *Client) Logout() (login.Revocation, error) {
	w, ok := c.current.Load().(*httpTransport)
	if !ok || w.login == nil {
		return login.Revocation{}, ErrNoLogin
	}
	revocation, err := w.login.Forget(w.all)
	if !w.login.HasToken() {
		c.tell(session.LoggedOut{})
	}
	return revocation, err
}

func (c *Client) loginAttempt() *loginAttempt {
	if w, ok := c.current.Load().(*httpTransport); ok {
		return w.attempt.Load()
	}
	return nil
}
