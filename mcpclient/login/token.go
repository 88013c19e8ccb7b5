package login

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// askedFor are the scopes to ask for: what the refusal names, else all that
// the server's metadata names, else none; with what was asked for before, so
// that a step up loses nothing, and what a refresh token takes.
func (l *Login) askedFor(w *where, said challenge) []string {
	scopes := said.scopes
	if len(scopes) == 0 {
		scopes = w.scopes
	}
	var all []string
	if g := l.held(); g != nil && g.Issuer == w.server.Issuer && g.Resource == w.resource {
		all = append(all, g.Scopes...)
	}
	for _, s := range scopes {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	const offline = "offline_access" // asked for alone it would take the place of the server's own choice
	if len(all) > 0 && slices.Contains(w.server.ScopesSupported, offline) && !slices.Contains(all, offline) {
		all = append(all, offline)
	}
	return all
}

// exchange gives the code of the login page for a token.
func (l *Login) exchange(ctx context.Context, cfg *oauth2.Config, code, verifier, resource string) (*oauth2.Token, error) {
	token, err := cfg.Exchange(l.sendingFrom(ctx), code, oauth2.VerifierOption(verifier), oauth2.SetAuthURLParam("resource", resource))
	if err != nil {
		return nil, failed(StepToken, tokenFault(err, code, verifier, cfg.ClientSecret))
	}
	return token, failed(StepToken, usable(token))
}

// post makes a token request without an authorization code. The grant type is
// among the parameters: clientcredentials allows any, so that a refresh names the
// resource, too, unlike with [oauth2.Config].
func (l *Login) post(ctx context.Context, tokenURL string, c client, scopes []string, params url.Values) (*oauth2.Token, error) {
	cfg := clientcredentials.Config{
		ClientID:       c.ID,
		ClientSecret:   c.Secret,
		TokenURL:       tokenURL,
		Scopes:         scopes,
		EndpointParams: params,
		AuthStyle:      c.style(),
	}
	token, err := cfg.Token(l.sendingFrom(ctx))
	if err != nil {
		return nil, tokenFault(err, c.Secret, params.Get("refresh_token"))
	}
	return token, usable(token)
}

func (l *Login) sendingFrom(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, l.guard.sending())
}

// credentials logs in without a user.
func (l *Login) credentials(ctx context.Context, w *where, scopes []string) (*grant, error) {
	c, err := l.configured(w)
	if err != nil {
		return nil, failed(StepProof, err)
	}
	token, err := l.post(ctx, w.server.TokenEndpoint, *c, scopes, url.Values{"resource": {w.resource}})
	if err != nil {
		return nil, l.noToken(*c, w.server.Issuer, err)
	}
	return l.granted(w, *c, scopes, token), nil
}

func (l *Login) granted(w *where, c client, scopes []string, t *oauth2.Token) *grant {
	return &grant{
		Endpoint:  l.endpoint.String(),
		Issuer:    w.server.Issuer,
		Resource:  w.resource,
		TokenURL:  w.server.TokenEndpoint,
		RevokeURL: w.server.RevocationEndpoint,
		Client:    c,
		Access:    t.AccessToken,
		Refresh:   t.RefreshToken,
		Expires:   t.Expiry,
		Scopes:    scopes,
		Saved:     time.Now(),
	}
}

// usable says what is wrong with a token that was given.
func usable(t *oauth2.Token) error {
	if !strings.EqualFold(t.Type(), "Bearer") {
		return fmt.Errorf("it gave a token of the type %q, and belay sends bearer tokens only", bounded(t.TokenType))
	}
	if strings.ContainsFunc(t.AccessToken, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("it gave a token that cannot stand in a header")
	}
	return nil
}

// renewal is a request for another token, for which any number wait.
type renewal struct {
	done chan struct{} // closed when ok and err are there
	ok   bool
	err  error
}

// renew replaces old by the token that its refresh token gives. It reports whether
// the grant in use is now another, fresh one; false without an error means that
// the refresh token is of no more use.
func (l *Login) renew(ctx context.Context, old *grant) (bool, error) {
	r := l.startRenewal(old)
	select {
	case <-r.done:
		return r.ok, r.err
	case <-ctx.Done():
		return false, failed(StepRefresh, ctx.Err())
	}
}

// startRenewal returns the renewal that is under way, or a new one. It goes on
// whoever stops waiting for it: a refresh token is often good for one use, and
// its answer must not be lost.
func (l *Login) startRenewal(old *grant) *renewal {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.renewal != nil {
		return l.renewal
	}
	r := &renewal{done: make(chan struct{})}
	if l.closed {
		r.err = failed(StepRefresh, context.Canceled)
		close(r.done)
		return r
	}
	l.renewal = r
	l.running.Go(func() {
		r.ok, r.err = l.renewNow(l.life, old)
		l.mu.Lock()
		l.renewal = nil
		l.mu.Unlock()
		close(r.done)
	})
	return r
}

// latest is g, or what another belay has made of it since.
func (l *Login) latest(g *grant) *grant {
	stored, err := l.stored()
	if err != nil || stored == nil || stored.Access == g.Access || !stored.Saved.After(g.Saved) {
		return g
	}
	return stored
}

func (l *Login) renewNow(ctx context.Context, old *grant) (bool, error) {
	undo := l.store.lock(ctx, old)
	defer undo()
	if g := l.held(); g == nil || g.Access != old.Access { // changed before it was our turn
		return g != nil && g.isFresh(time.Now()), nil
	}
	if g := l.latest(old); g != old {
		l.learnGrant(g)
		l.mu.Lock()
		l.grant = g
		l.mu.Unlock()
		if old = g; g.isFresh(time.Now()) || g.Refresh == "" {
			return g.isFresh(time.Now()), nil
		}
	}
	c, err := l.proof(old)
	if err != nil {
		err = failed(StepChoice, err)
		l.unrenewed(err)
		return false, err
	}
	token, err := l.post(ctx, old.TokenURL, c, nil, url.Values{
		"grant_type":    {"refresh_token"},
		"refresh_token": {old.Refresh},
		"resource":      {old.Resource},
	})
	if g := l.held(); g == nil || g.Access != old.Access { // a login or Forget came first
		return g != nil && g.isFresh(time.Now()), nil
	}
	next := *old
	next.Saved = time.Now()
	switch {
	case err == nil:
		next.Access, next.Expires = token.AccessToken, token.Expiry
		if token.RefreshToken != "" {
			next.Refresh = token.RefreshToken
		}
	case isOAuthError(err, "invalid_grant", "invalid_client", "unauthorized_client"):
		next.Access, next.Refresh = "", "" // the scopes stay, for the next login
	default:
		l.unrenewed(err)
		return false, failed(StepRefresh, err)
	}
	notKept := l.keep(&next)
	if err != nil {
		l.unrenewed(l.refusedClient(old.Client, old.Issuer, err))
	}
	return err == nil, notKept
}

// unrenewed notes why the token in use was not renewed; with the next token that
// is over.
func (l *Login) unrenewed(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fault = why
}

// notRenewed is why the token in use was not renewed; nil: nobody has tried, or
// there is another one since.
func (l *Login) notRenewed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}

// refusedClient explains invalid_client: a client that belay registered and the
// authorization server has forgotten is registered again at the next login.
func (l *Login) refusedClient(c client, issuer string, err error) error {
	switch {
	case !isOAuthError(err, "invalid_client"):
	case c.ByHand:
		return fmt.Errorf("the client %q that you gave is refused: %w", bounded(c.ID), err)
	default:
		// Another belay may have registered since.
		if r, _ := l.store.registrationAt(issuer); r != nil && r.Client.ID == c.ID {
			_ = l.store.forgetRegistration(issuer)
		}
	}
	return err
}

// noToken says why a client got no token.
func (l *Login) noToken(c client, issuer string, err error) error {
	if err = l.refusedClient(c, issuer, cause(err)); c.ByHand && isOAuthError(err, "invalid_client") {
		return failed(StepProof, err)
	}
	return failed(StepToken, err)
}
