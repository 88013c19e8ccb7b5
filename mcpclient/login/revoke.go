package login

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// revokeLimit is how long a logout waits for another belay that renews the token,
// and then for the authorization server.
const revokeLimit = 5 * time.Second

// Revocation is what became of a token at who gave it.
type Revocation struct {
	Issuer  string // who gave it; empty: there was none
	Revoked bool   // it is of no use to anybody any more

	// Gone says that there was none any more to revoke: the issuer had refused to
	// renew it.
	Gone bool

	// Err is why it was not revoked, in words like those of an [Error]. Nil without
	// Revoked and Gone: the issuer names no address for that.
	Err error
}

// Forget logs out: the token is dropped, here and in its file, and scopes that
// were asked for in vain may be asked for again. Then the authorization server is
// told to revoke it, if its metadata names an address for that (RFC 7009). That
// is bounded in time, and its outcome changes nothing here. The error is about
// the file.
func (l *Login) Forget(ctx context.Context) (Revocation, error) {
	g, err := l.current()
	if err != nil {
		return Revocation{}, err
	}
	if g != nil {
		turn, cancel := context.WithTimeout(ctx, revokeLimit)
		defer cancel()
		defer l.store.lock(turn, g)()
		if held := l.held(); held != nil { // it may have been renewed meanwhile
			g = held
		}
		g = l.latest(g)
	}
	l.mu.Lock()
	l.grant, l.fault, l.stepUps = nil, nil, map[string]int{}
	l.mu.Unlock()
	if g == nil {
		return Revocation{}, nil
	}
	err = l.store.remove(g.file())
	r := Revocation{Issuer: g.Issuer, Gone: g.Access+g.Refresh == ""}
	if g.RevokeURL != "" && !r.Gone {
		asking, cancel := context.WithTimeout(ctx, revokeLimit)
		defer cancel()
		r.Err = l.revoke(asking, g)
		r.Revoked = r.Err == nil
	}
	return r, err
}

// revoke has both tokens revoked: with the refresh token an authorization server
// should end the access token as well, but need not.
func (l *Login) revoke(ctx context.Context, g *grant) error {
	c, err := l.proof(g)
	if err != nil {
		return err
	}
	if err = l.revokeOne(ctx, g.RevokeURL, c, "refresh_token", g.Refresh); err != nil {
		return err
	}
	err = l.revokeOne(ctx, g.RevokeURL, c, "access_token", g.Access)
	if g.Refresh != "" && isOAuthError(err, "unsupported_token_type") {
		return nil // it goes with the refresh token, or ends by itself
	}
	return err
}

func (l *Login) revokeOne(ctx context.Context, address string, c client, kind, token string) error {
	if token == "" {
		return nil
	}
	form := url.Values{"token": {token}, "token_type_hint": {kind}}
	if c.Method != methodBasic {
		form.Set("client_id", c.ID)
		if c.Secret != "" {
			form.Set("client_secret", c.Secret)
		}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("%q is no address to ask", shownText(address))
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if c.Method == methodBasic {
		req.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret)) // RFC 6749, 2.3.1
	}
	resp, err := l.guard.sending().Do(req)
	if err != nil {
		return atAddress(address, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode/100 == 2 {
		return nil
	}
	var said struct {
		Error       string `json:"error"`
		Description string `json:"error_description"`
	}
	if json.NewDecoder(resp.Body).Decode(&said) == nil && said.Error != "" {
		return &oauthError{said.Error, answered("the authorization server", said.Error, said.Description, token, c.Secret)}
	}
	return fmt.Errorf("the authorization server answered with the status %d", resp.StatusCode)
}
