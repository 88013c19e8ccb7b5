package mcpclient

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"belay/mcpclient/address"
	"belay/mcpclient/conns"
	"belay/mcpclient/login"
	"belay/session"
)

// HTTPOptions say where a server is that is reached over HTTP, and how.
type HTTPOptions struct {
	// Endpoint is its address. A name and password in it are sent, and never
	// shown.
	Endpoint string

	// Header goes with every request, beside what the protocol needs; the
	// protocol's own fields win. Its values may be secrets: they are never shown
	// or recorded.
	Header http.Header

	// Login says how belay logs in where the server wants it. Its Endpoint and
	// HTTP are set by the client. There is no login when Header has an
	// Authorization of the user's own, or with NoLogin.
	Login   login.Options
	NoLogin bool

	// Label stands for the address wherever it is shown; empty: the address
	// without what may be secret.
	Label string

	// In tests: whom to trust, nil: whom the system trusts; what makes the
	// connections, nil: a dialer; what is put over the transport, nil: nothing; and how long what lies
	// unread is waited for, 0: [unreadMost].
	roots  *x509.CertPool
	dial   conns.DialFunc
	over   func(http.RoundTripper) http.RoundTripper
	unread time.Duration
}

// unreadMost is how long a silence that is judged waits at most for what lies unread in the connections. On stdio what
// lies unread comes before the answer to the probe.
const unreadMost = time.Second / 2

// waitsUnread is how long a silence that is judged waits for what lies unread.
func (o HTTPOptions) waitsUnread() time.Duration { return cmp.Or(o.unread, unreadMost) }

// logsIn reports whether belay may log in.
func (o HTTPOptions) logsIn() bool { return !o.NoLogin && o.Header.Get("Authorization") == "" }

// Shown is the address as it may be seen, see [address.Shown].
func (o HTTPOptions) Shown() string {
	if o.Label != "" {
		return address.Shown(o.Label)
	}
	return address.Shown(o.Endpoint)
}

// CheckEndpoint says in words what is wrong with an address.
func CheckEndpoint(endpoint string) error {
	u, err := url.Parse(endpoint)
	switch {
	case err != nil:
		return errors.New("it is no address")
	case u.Scheme != "http" && u.Scheme != "https":
		return errors.New("an address begins with http:// or https://")
	case u.Hostname() == "":
		return errors.New("the address names no host")
	case strings.ContainsFunc(endpoint, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return errors.New("the address holds control characters")
	}
	return nil
}

// Times of the network. A call has its own limits; these are for what comes
// before the server can have begun with it.
const (
	dialLimit = 10 * time.Second
	tlsLimit  = 10 * time.Second
	keepAlive = 30 * time.Second
	maxHops   = 5
)

// newHTTPClient makes a client that keeps no cookies, and takes nothing to
// another origin (HTM-52). Proxies come from the environment. Its connections are
// those of a set.
func newHTTPClient(o HTTPOptions, now func() time.Time, open *conns.Set) *http.Client {
	dial := o.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: dialLimit, KeepAlive: keepAlive}).DialContext
	}
	plain := open.Through(dial)
	dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := plain(ctx, network, addr)
		if err != nil {
			return nil, err
		}
		return &timedConn{Conn: conn, now: now}, nil
	}
	var transport http.RoundTripper = &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: o.roots, MinVersion: tls.VersionTLS12}, DialContext: dial,
		TLSHandshakeTimeout: tlsLimit, ForceAttemptHTTP2: true,
		MaxIdleConnsPerHost: 16, IdleConnTimeout: 90 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		// A compressed stream comes in bursts, and a small body can be huge;
		// belay asks for neither ([httpTransport.fields]).
		DisableCompression: true,
		HTTP2:              &http.HTTP2Config{SendPingTimeout: keepAlive, PingTimeout: 15 * time.Second},
	}
	if o.over != nil {
		transport = o.over(transport)
	}
	return &http.Client{Transport: transport, CheckRedirect: checkRedirect}
}

// redirectError is a redirection that is not followed.
type redirectError struct{ text, hint string }

func (e *redirectError) Error() string { return e.text }

func checkRedirect(req *http.Request, via []*http.Request) error {
	if t, ok := req.Context().Value(attemptKey{}).(*attempt); ok {
		t.led.Store(true)
		t.rests(session.Redirected)
	}
	first := via[0]
	switch from, to := session.OriginOf(first.URL), session.OriginOf(req.URL); {
	case req.URL.Scheme != "http" && req.URL.Scheme != "https":
		return &redirectError{
			text: fmt.Sprintf("the server redirects to %s, which is not an address of HTTP; belay does not go there", address.Shown(req.URL.String())),
			hint: "the server has to be mended",
		}
	case from != to:
		return &redirectError{
			text: fmt.Sprintf("the server redirects from %s to %s; belay sends nothing to another origin", from, to),
			hint: "if that is meant, give belay the address it leads to",
		}
	case req.Method != first.Method && req.URL.String() == first.URL.String():
		return &redirectError{
			text: fmt.Sprintf("the server redirects the %s to the same address, in a way that would lose its body", first.Method),
			hint: "the server has to be mended",
		}
	case req.Method != first.Method:
		return &redirectError{
			text: fmt.Sprintf("the server redirects the %s in a way that would lose its body, to %s", first.Method, address.Shown(req.URL.String())),
			hint: "if that is meant, give belay that address",
		}
	case len(via) > maxHops:
		return &redirectError{text: "the server redirects without end", hint: "is the address right? the server has to be mended otherwise"}
	}
	return nil
}
