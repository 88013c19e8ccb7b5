package login

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"belay/mcpclient/address"
)

// Options say whose login it is and what the user has set up for it.
type Options struct {
	// Endpoint is the server's address: https, or http on the loopback address. At
	// another one there is no login, and no token is sent (RFC 6750, section 5.3).
	// A name and password in it, and its query, are not shown to the
	// authorization server.
	Endpoint string

	// Dir is where tokens are kept, see [Dir]. Empty: for this run only.
	Dir string

	// HTTP is the client whose proxy and TLS settings the login uses. Its
	// dialer, cookies, redirects and time limit are not used. Nil: the defaults
	// of net/http.
	HTTP *http.Client

	// Words tells what keeps an answer from coming, in plain words and without
	// the address. Nil: the error's own.
	Words func(error) string

	// Learn is told each secret once belay knows it, and before anybody else is
	// shown it: tokens, client secrets, codes, verifiers. Nil: nobody is.
	Learn func(secrets ...string)

	// ClientID is the client that the user has registered by hand at the authorization server,
	// with its secret if the server gave one. Issuer names that authorization server, and no
	// other is shown either. A secret is sent to nobody without Issuer: the server may name
	// whom it likes. An ID alone is bound to the one that the server names at the first login.
	ClientID     string
	ClientSecret Secret
	Issuer       string

	// IssuerOption is how the user sets Issuer, such as the name of a flag: errors
	// tell it.
	IssuerOption string

	// ClientMetadataURL is a client ID metadata document that the user hosts,
	// for authorization servers that read such.
	ClientMetadataURL string

	// RedirectURL is the address that the login page leads back to, where the
	// registration demands a certain one: http, a loopback host, any path.
	// Empty: 127.0.0.1 with a port that is free.
	RedirectURL string

	// ClientCredentials logs in as ClientID with ClientSecret, without a user
	// and a page. Such a token is not kept: another is had for the asking.
	ClientCredentials bool
}

// Login is the login at one server. Its methods may be called at once from
// several goroutines. It must be closed.
type Login struct {
	o        Options
	asked    string   // the server's address as the requests have it
	endpoint *url.URL // the same without what may be secret
	guard    *guard
	store    store
	readable bool          // what is sent to the server can be read on its way: it gets no token
	patience time.Duration // for the user and the login page
	pause    time.Duration // before a renewal without an answer is tried again

	life    context.Context // ends with Close
	end     context.CancelFunc
	running sync.WaitGroup // renewals

	mu      sync.Mutex
	closed  bool
	renewal *renewal // under way
	loaded  bool
	grant   *grant         // never changed, only replaced
	fault   error          // why the token in use was not renewed; nil: it was, or nobody tried
	renewed string         // the access token that a refusal made us fetch, until it is accepted
	attempt *Attempt       // the last one
	stepUps map[string]int // logins that succeeded for these scopes, after which they were still missing
}

const (
	patience    = 15 * time.Minute
	retryPause  = time.Second
	stepUpLimit = 2
	early       = 30 * time.Second // before its end a token is renewed
)

// New checks the options. It neither reads a file nor asks anybody.
func New(o Options) (*Login, error) {
	u, err := url.Parse(o.Endpoint)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%q is no address of a server", bounded(o.Endpoint))
	}
	asked := u.String()
	u.User, u.RawQuery, u.ForceQuery, u.Fragment = nil, "", false, ""
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.ClientCredentials {
		o.Dir = ""
	}
	life, end := context.WithCancel(context.Background())
	l := &Login{
		life:     life,
		end:      end,
		o:        o,
		asked:    asked,
		endpoint: u,
		guard:    newGuard(u, o.HTTP, o.Words),
		store:    store{dir: o.Dir},
		readable: address.IsReadable(o.Endpoint),
		patience: patience,
		pause:    retryPause,
		stepUps:  map[string]int{},
	}
	return l, nil
}

// Check says what is wrong with what the user has set up, whatever the server.
func (o Options) Check() error {
	if o.ClientMetadataURL != "" {
		m, err := url.Parse(o.ClientMetadataURL)
		if err != nil || m.Scheme != "https" || m.Host == "" || strings.Trim(m.Path, "/") == "" {
			return fmt.Errorf("%q is no client ID metadata address: it must be https and have a path", bounded(address.Shown(o.ClientMetadataURL)))
		}
	}
	if o.RedirectURL != "" {
		r, err := url.Parse(o.RedirectURL)
		if err != nil || r.Scheme != "http" || !address.IsLoopback(r.Hostname()) || r.RawQuery != "" || r.Fragment != "" {
			return fmt.Errorf("%q is no redirect address: it must be http, on this machine, without a query", bounded(address.Shown(o.RedirectURL)))
		}
	}
	if o.Issuer != "" {
		if _, err := plainIssuer(o.Issuer); err != nil {
			return fmt.Errorf("%q is no authorization server: %w", bounded(address.Shown(o.Issuer)), err)
		}
	}
	if o.ClientID == "" && !o.ClientSecret.Empty() {
		return errors.New("a client secret needs a client ID")
	}
	if o.ClientCredentials && o.ClientSecret.Empty() {
		return errors.New("a login with client credentials needs a client ID and a client secret")
	}
	return nil
}

// Close abandons an attempt that is under way and ends what is running.
func (l *Login) Close() {
	l.mu.Lock()
	a := l.attempt
	l.closed = true
	l.mu.Unlock()
	l.end()
	l.running.Wait()
	if a != nil {
		a.Abandon()
		<-a.over
	}
	l.guard.close()
}

// Authorization returns the value of the Authorization header for a request
// that is sent now, empty if there is none. A token near its end is renewed
// meanwhile, one that is over is renewed first, once however many ask. It never
// opens a login: without a token the server refuses, and [Login.Begin] comes
// next.
//
// An error (a broken file, an authorization server out of reach, a disk that is
// full) is to be told, and does not forbid the request: with it comes the header
// that there is, which may be none. A login then mends it.
func (l *Login) Authorization(ctx context.Context) (Secret, error) {
	g, err := l.current()
	if err != nil {
		return Secret{}, failed(StepStore, err)
	}
	now := time.Now()
	if g == nil || g.isFresh(now) || g.Refresh == "" {
		return g.header(now), nil
	}
	if h := g.header(now); !h.Empty() {
		l.startRenewal(g)
		return h, nil
	}
	_, err = l.renew(ctx, g)
	return l.held().header(time.Now()), err
}

// Renew tries to get another token for one that was refused with 401, without
// the user: by the refresh token, or because somebody else has already done
// so. It reports whether [Login.Authorization] now gives another one than sent.
// A token that was got this way, and is refused before it was [Login.Accepted],
// is not renewed again: only the user can help then.
// It is for requests that may not open a login; Begin does the same first.
func (l *Login) Renew(ctx context.Context, sent Secret) (bool, error) {
	g, err := l.current()
	if err != nil || g == nil {
		return false, failed(StepStore, err)
	}
	if now := g.header(time.Now()); !now.Empty() && !now.Equal(sent) {
		return true, nil
	}
	l.mu.Lock()
	again := l.renewed != "" && l.renewed == g.Access
	l.mu.Unlock()
	if again || g.Refresh == "" {
		return false, nil
	}
	ok, err := l.renew(ctx, g)
	if g := l.held(); ok && g != nil {
		l.mu.Lock()
		l.renewed = g.Access
		l.mu.Unlock()
	}
	return ok, err
}

// Accepted notes that the server accepted a request with the token sent: should
// the server refuse that token later, a renewal may be tried again.
func (l *Login) Accepted(sent Secret) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.renewed != "" && sent.Equal(bearer(l.renewed)) {
		l.renewed = ""
	}
}

// HasToken reports whether a token is stored, be it expired or not.
func (l *Login) HasToken() bool { return l.held() != nil }

// current returns the grant in use, which is read from its file once.
func (l *Login) current() (*grant, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.loaded || l.readable {
		return l.grant, nil
	}
	g, err := l.stored()
	if err != nil {
		return nil, err
	}
	l.learnGrant(g)
	l.grant, l.loaded = g, true
	return g, nil
}

// stored is the newest grant in the files that this login may use.
func (l *Login) stored() (*grant, error) {
	return l.store.grantFor(l.endpoint.String(), l.asked, l.o.ClientID, l.o.Issuer)
}

// held is the grant in use, nil if there is none or it cannot be read.
func (l *Login) held() *grant {
	g, _ := l.current()
	return g
}

// keep makes g the grant in use. An error means that it is for this run only.
func (l *Login) keep(g *grant) error {
	l.learnGrant(g)
	l.mu.Lock()
	old := l.grant
	l.grant, l.loaded, l.fault = g, true, nil
	l.mu.Unlock()
	stored := *g
	if g.Client.ByHand {
		stored.Client.Secret = ""
	}
	return failed(StepStore, l.store.saveGrant(&stored, old))
}

func (l *Login) learnGrant(g *grant) {
	if g != nil {
		l.learn(g.Access, g.Refresh, g.Client.Secret)
	}
}

func (l *Login) learn(secrets ...string) {
	if l.o.Learn != nil {
		l.o.Learn(secrets...)
	}
}

// isFresh reports whether the token is valid for a while yet. A short-lived token counts as
// over in the last quarter of its life: else it would be renewed for each request.
func (g *grant) isFresh(now time.Time) bool {
	end := min(early, g.Expires.Sub(g.Saved)/4)
	return g.Access != "" && (g.Expires.IsZero() || now.Add(end).Before(g.Expires))
}

// header is empty for a token that is over: sending it could only be refused.
func (g *grant) header(now time.Time) Secret {
	if g == nil || g.Access == "" || !g.Expires.IsZero() && !now.Before(g.Expires) {
		return Secret{}
	}
	return bearer(g.Access)
}

func bearer(access string) Secret { return NewSecret("Bearer " + access) }

// Refusal is an answer that a login may mend.
type Refusal struct {
	Status int         // 401, or 403
	Header http.Header // of the answer
	Sent   Secret      // what [Login.Authorization] gave for the request
}

// Begin starts the login that a refusal asks for, or returns the one that is
// under way: any number of requests wait for the same attempt. If there is
// another token by now than the one that was sent, the attempt is already over,
// and the request may be sent again.
//
// ctx bounds the attempt, not only Begin: it is that of the connection. The
// error is [ErrNoLogin] where a login cannot help, and says so in its own words
// where the same scopes are still missing after two logins for them. A request
// that is refused with 401 again after the login it waited for should not begin
// another one by itself.
func (l *Login) Begin(ctx context.Context, r Refusal) (*Attempt, error) {
	said, err := parseChallenge(r.Header)
	switch {
	case r.Status == http.StatusUnauthorized: // also with a header that cannot be read
	case r.Status == http.StatusForbidden && err == nil && said.err == "insufficient_scope":
	default:
		return nil, ErrNoLogin
	}
	now := l.held().header(time.Now())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, ErrAbandoned
	}
	if l.attempt != nil && !l.attempt.isOver() {
		return l.attempt, nil
	}
	if !now.Empty() && !now.Equal(r.Sent) {
		return finished(l), nil
	}
	wanted := slices.Sorted(slices.Values(said.scopes))
	key := strings.Join(wanted, " ")
	if r.Status == http.StatusForbidden && l.stepUps[key] >= stepUpLimit {
		return nil, fmt.Errorf("the server still wants the scopes %q after %d logins that asked for them", bounded(key), stepUpLimit)
	}
	l.attempt = start(ctx, l, r, said, key)
	return l.attempt, nil
}

// steppedUp counts a login after which the scopes should be there.
func (l *Login) steppedUp(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stepUps[key]++
}
