package login

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// Phase is how far an attempt is.
type Phase int

// An attempt goes through the phases in this order; one without a user leaves
// out PhasePage.
const (
	PhaseFinding  Phase = iota // who gives access is being found out
	PhasePage                  // the user has to open State.URL
	PhaseFetching              // the login page has answered, the token is being fetched
	PhaseOver                  // see State.Err
)

// State is what there is to say about an attempt.
type State struct {
	Phase Phase

	// URL is the login page, in PhasePage. It is foreign text: the screen makes
	// it safe to show, and judges the address before the browser gets it.
	URL string

	// Issuer is the authorization server's own name, once it is known.
	Issuer string

	// Redirect is where the page leads back to, in PhasePage.
	Redirect string

	// NoListener says why nobody listens there, so that the address must be
	// pasted; nil if somebody listens.
	NoListener error

	// More holds the scopes that the server wants beyond those of the token; nil: the server
	// wants any token at all. Nil in PhaseOver.
	More *More

	// Stray says that in PhasePage an answer came to Redirect which belongs to
	// another login, or was made up. It was not taken.
	Stray bool

	// NotRenewed says why the token that there was could not be renewed, so that the
	// user is needed; "it" in its words is the authorization server. Nil: nobody has
	// tried to, and in PhaseOver.
	NotRenewed error

	// Err is nil in PhaseOver if there is a token now. Otherwise it is an
	// [*Error], [ErrAbandoned], or that of the context.
	Err error

	// NotKept says why the token is for this run only; nil if it was stored.
	NotKept error
}

// More is what a token lacks.
type More struct {
	Scopes []string // that the server wants for what was refused; none: it names none
	Again  bool     // the last login asked for the same, and got a token without it
}

// Attempt is one login, from the refusal to the token.
type Attempt struct {
	l    *Login
	stop context.CancelCauseFunc
	over chan struct{} // closed at the end, after all that was running

	mu      sync.Mutex
	state   State
	changed chan struct{} // closed by the next change
	secret  string        // the state parameter, known to the login page and us
	answer  chan url.Values
}

func start(ctx context.Context, l *Login, r Refusal, said challenge, key string) *Attempt {
	ctx, stop := context.WithCancelCause(ctx)
	a := &Attempt{l: l, stop: stop, over: make(chan struct{}), changed: make(chan struct{}), answer: make(chan url.Values, 1)}
	if r.Status == http.StatusForbidden {
		a.state.More = &More{Scopes: said.scopes, Again: l.stepUps[key] > 0}
	}
	go func() {
		defer close(a.over)
		defer stop(nil)
		err := a.run(ctx, r, said, key)
		if cause := context.Cause(ctx); err != nil && cause != nil {
			err = cause
		}
		a.set(func(s *State) { *s = State{Phase: PhaseOver, Issuer: s.Issuer, Err: err, NotKept: s.NotKept} })
	}()
	return a
}

// finished is an attempt that has nothing to do.
func finished(l *Login) *Attempt {
	a := &Attempt{l: l, stop: func(error) {}, over: make(chan struct{}), changed: make(chan struct{}), state: State{Phase: PhaseOver}}
	close(a.over)
	return a
}

// Watch returns the state and a channel that is closed when it changes.
func (a *Attempt) Watch() (State, <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state, a.changed
}

func (a *Attempt) set(change func(*State)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(&a.state)
	close(a.changed)
	a.changed = make(chan struct{})
}

func (a *Attempt) isOver() bool {
	s, _ := a.Watch()
	return s.Phase == PhaseOver
}

// Wait returns when the attempt is over, nil if there is a token now. The
// attempt goes on when ctx ends.
func (a *Attempt) Wait(ctx context.Context) error {
	select {
	case <-a.over:
		s, _ := a.Watch()
		return s.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Abandon ends the attempt; all that wait for it get [ErrAbandoned]. One that
// is over stays as it is.
func (a *Attempt) Abandon() { a.stop(ErrAbandoned) }

// Paste takes the address that the login page led the browser to, as the user
// copied it. An error says what is wrong with it, and the attempt goes on
// waiting.
func (a *Attempt) Paste(redirect string) error {
	q, err := pasted(redirect)
	if err != nil {
		return err
	}
	return a.accept(q)
}

// accept takes the answer of the login page, once.
func (a *Attempt) accept(q url.Values) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.state.Phase != PhasePage {
		return errors.New("no answer of a login page is waited for")
	}
	if len(q["state"]) != 1 || subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(a.secret)) != 1 {
		return errors.New("this is the answer to another login")
	}
	a.l.learn(q["code"]...)
	a.state.Phase, a.state.URL, a.state.Stray = PhaseFetching, "", false
	close(a.changed)
	a.changed = make(chan struct{})
	a.answer <- q
	return nil
}

// called takes the answer of the login page from whoever came to the redirect
// address.
func (a *Attempt) called(q url.Values) error {
	err := a.accept(q)
	if s, _ := a.Watch(); err != nil && s.Phase == PhasePage && !s.Stray && (q.Has("code") || q.Has("error")) {
		a.set(func(s *State) { s.Stray = s.Phase == PhasePage })
	}
	return err
}

// run does the whole of it.
func (a *Attempt) run(ctx context.Context, r Refusal, said challenge, key string) error {
	l := a.l
	if l.readable {
		return failed(StepResource, fmt.Errorf("%s is not https, and a token that is sent there can be read on its way", shown(l.endpoint)))
	}
	if r.Status == http.StatusUnauthorized {
		// What the file or the refresh token cannot mend, the login does.
		ok, why := a.renew(ctx, r.Sent)
		if ok {
			return nil
		}
		a.set(func(s *State) { s.NotRenewed = cause(why) })
	}
	w, err := l.discover(ctx, said)
	if err != nil {
		return err
	}
	a.set(func(s *State) { s.Issuer = w.server.Issuer })
	scopes := l.askedFor(w, said)
	var g *grant
	if l.o.ClientCredentials {
		g, err = l.credentials(ctx, w, scopes)
	} else {
		g, err = a.withUser(ctx, w, scopes)
	}
	if err != nil {
		return err
	}
	if r.Status == http.StatusForbidden {
		l.steppedUp(key)
	}
	if err := l.keep(g); err != nil {
		a.set(func(s *State) { s.NotKept = err })
	}
	return nil
}

// renew tries the refresh token, which needs no user, and returns why that failed.
// A renewal without an answer is tried once more after a pause, also after a
// renewal by a request: the refresh token may still be good.
func (a *Attempt) renew(ctx context.Context, sent Secret) (bool, error) {
	for again := isUnanswered(a.l.notRenewed()); ; again = true {
		if again {
			select {
			case <-time.After(a.l.pause):
			case <-ctx.Done():
				return false, nil
			}
		}
		ok, err := a.l.Renew(ctx, sent)
		if ok || !isUnanswered(err) {
			return ok, a.l.notRenewed()
		}
		if again {
			a.l.unrenewed(nil) // the next attempt tries twice as well
			return false, err
		}
	}
}

// withUser logs in by the authorization code grant with PKCE.
func (a *Attempt) withUser(ctx context.Context, w *where, scopes []string) (_ *grant, err error) {
	who, back, err := a.introduce(ctx, w)
	if err != nil {
		return nil, err
	}
	defer back.close()
	defer func() {
		if err != nil && who.reused {
			// The page may not have known it any more, and says so only to the
			// user: the next attempt registers anew.
			_ = a.l.store.forgetRegistration(w.server.Issuer)
		}
	}()
	cfg := &oauth2.Config{
		ClientID:     who.ID,
		ClientSecret: who.Secret,
		RedirectURL:  back.address,
		Scopes:       scopes,
		Endpoint:     oauth2.Endpoint{AuthURL: w.server.AuthorizationEndpoint, TokenURL: w.server.TokenEndpoint, AuthStyle: who.style()},
	}
	verifier, secret := oauth2.GenerateVerifier(), rand.Text()
	a.l.learn(verifier, secret, who.Secret)
	page := cfg.AuthCodeURL(secret, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", w.resource))
	a.set(func(s *State) {
		s.Phase, s.URL, s.Redirect, s.NoListener = PhasePage, page, back.address, back.fault
		a.secret = secret
	})
	late := time.NewTimer(a.l.patience)
	defer late.Stop()
	select {
	case q := <-a.answer:
		code, err := codeOf(q, w.server.Issuer, w.server.AuthorizationResponseIssParameterSupported, secret)
		if err != nil {
			return nil, err
		}
		token, err := a.l.exchange(ctx, cfg, code, verifier, w.resource)
		if err != nil {
			return nil, a.l.noToken(who.client, w.server.Issuer, err)
		}
		return a.l.granted(w, who.client, scopes, token), nil
	case <-late.C:
		return nil, failed(StepPage, fmt.Errorf("nobody came back within %s", a.l.patience))
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// codeOf takes the code out of the answer of a login page. An answer that
// names another issuer is not looked at any further (RFC 9207).
func codeOf(q url.Values, issuer string, announced bool, secrets ...string) (string, error) {
	for _, name := range []string{"iss", "code", "error"} {
		if len(q[name]) > 1 {
			return "", failed(StepAnswer, fmt.Errorf("it has more than one %s in it", name))
		}
	}
	switch iss := q.Get("iss"); {
	case iss == "" && announced:
		return "", failed(StepAnswer, errors.New("it does not say which authorization server it is from, which this one promised to say"))
	case iss != "" && iss != issuer:
		return "", failed(StepAnswer, fmt.Errorf("it is from %q, and belay asked %s", bounded(iss), bounded(issuer)))
	}
	if code := q.Get("error"); code != "" {
		return "", failed(StepPage, answered("it", code, q.Get("error_description"), secrets...))
	}
	if q.Get("code") == "" {
		return "", failed(StepAnswer, errors.New("there is no code in it"))
	}
	return q.Get("code"), nil
}
