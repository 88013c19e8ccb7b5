package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"belay/mcpclient/address"
	"belay/mcpclient/conns"
	"belay/session"
)

const (
	exchangeLimit = 30 * time.Second
	answerLimit   = 1 << 19 // bytes of an answer's body
	redirectLimit = 5
)

// guardError is a request that was not made, or not read to its end.
type guardError struct{ text string }

func (e *guardError) Error() string { return e.text }

func guardf(format string, args ...any) error { return &guardError{fmt.Sprintf(format, args...)} }

// wayError is a request that got no answer. It names the address.
type wayError struct{ text string }

func (e *wayError) Error() string { return e.text }

// guard is the way out for everything that a login asks. It makes https
// requests (http to the loopback address only), bounds their answers, and asks
// no address that lies further inside than the server's own (see reach).
type guard struct {
	endpoint *url.URL
	plain    http.RoundTripper // as the user's settings have it: with a proxy, this one is used
	proxy    func(*http.Request) (*url.URL, error)
	dialing  http.RoundTripper // looks at each address before it connects
	own      []*http.Transport // of the two, those that nobody else uses
	open     conns.Set         // the connections of those, but of a plain one without a dialer of its own

	words func(error) string // what keeps an answer from coming
	limit time.Duration      // for one request with its answer

	look  sync.Once
	inner reach // how far inside a login may ask, once looked up
}

// reach says how far inside an address lies.
type reach int

const (
	public  reach = iota
	private       // of the user's own network
	loopback
	nowhere // link-local (cloud metadata), multicast, unspecified
)

var shared = netip.MustParsePrefix("100.64.0.0/10") // between a provider and its customers (RFC 6598)

func reachOf(ip netip.Addr) reach {
	ip = ip.Unmap()
	switch {
	case !ip.IsValid(), ip.IsUnspecified(), ip.IsMulticast(), ip.IsLinkLocalUnicast():
		return nowhere
	case ip.IsLoopback():
		return loopback
	case ip.IsPrivate(), shared.Contains(ip):
		return private
	}
	return public
}

// newGuard takes the proxy and the TLS settings of base, and neither its cookies
// nor its dialer. A transport that makes TLS connections by itself, or that is
// none of net/http's, is used as it is, and trusted with where it connects to.
func newGuard(endpoint *url.URL, base *http.Client, words func(error) string) *guard {
	g := &guard{endpoint: endpoint, plain: http.DefaultTransport, words: words, limit: exchangeLimit}
	if words == nil {
		g.words = error.Error
	}
	if base != nil && base.Transport != nil {
		g.plain = base.Transport
	}
	g.dialing = g.plain
	if t, ok := g.plain.(*http.Transport); ok && t.DialTLSContext == nil {
		plain, guarded := t.Clone(), t.Clone()
		guarded.Proxy = nil
		guarded.DialContext = g.open.Through((&net.Dialer{Timeout: exchangeLimit, ControlContext: g.checkDial}).DialContext)
		if t.DialContext != nil {
			plain.DialContext = g.open.Through(t.DialContext)
		}
		g.plain, g.dialing, g.proxy, g.own = plain, guarded, t.Proxy, []*http.Transport{plain, guarded}
	}
	return g
}

// close ends the connections, so that nothing of the guard goes on running.
func (g *guard) close() {
	for _, t := range g.own {
		t.CloseIdleConnections()
	}
	g.open.Close()
}

// reading is for requests without credentials: a few redirects are followed.
func (g *guard) reading() *http.Client {
	return &http.Client{Transport: g, Timeout: g.limit, CheckRedirect: func(_ *http.Request, via []*http.Request) error {
		if len(via) > redirectLimit {
			return guardf("it redirects more than %d times", redirectLimit)
		}
		return nil // RoundTrip looks at each address
	}}
}

// readingAtHome is reading for what counts only from the origin that was asked,
// wherever a redirect leads in between.
func (g *guard) readingAtHome() *http.Client {
	client := g.reading()
	follow := client.CheckRedirect
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if from, to := session.OriginOf(via[0].URL), session.OriginOf(r.URL); from != to {
			return guardf("it redirects to %s, and what an authorization server says of itself counts only from its own origin", bounded(to))
		}
		return follow(r, via)
	}
	return client
}

// sending is for requests with credentials: they go where they were meant to
// and nowhere else.
func (g *guard) sending() *http.Client {
	return &http.Client{Transport: g, Timeout: g.limit, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
		return guardf("it redirects to %s, and credentials do not follow a redirect", bounded(r.URL.Host))
	}}
}

// RoundTrip implements [http.RoundTripper].
func (g *guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := checkAddress(r.URL); err != nil {
		return nil, err
	}
	way := g.dialing
	if g.proxy != nil {
		via, err := g.proxy(r)
		if err != nil {
			return nil, err
		}
		if via != nil { // the address that is dialed is the proxy's, and it looks up the names
			way = g.plain
			if ip, err := netip.ParseAddr(r.URL.Hostname()); err == nil {
				if err := g.checkAddress(r.Context(), ip); err != nil {
					return nil, err
				}
			}
		}
	}
	resp, err := way.RoundTrip(r)
	if err != nil {
		return nil, g.unanswered(r, err)
	}
	resp.Body = &boundedBody{resp.Body, answerLimit}
	return resp, nil
}

// unanswered says which address did not answer, and why.
func (g *guard) unanswered(r *http.Request, err error) error {
	var guarded *guardError
	switch cause := r.Context().Err(); {
	case errors.As(err, &guarded), cause != nil && !errors.Is(cause, context.DeadlineExceeded):
		return err
	case cause != nil:
		return &wayError{shown(r.URL) + " did not answer in time"}
	}
	return &wayError{"no answer from " + shown(r.URL) + ": " + bounded(g.words(err))}
}

// shown is an address without what may be secret in it.
func shown(u *url.URL) string {
	bare := *u
	bare.User, bare.RawQuery, bare.ForceQuery, bare.Fragment, bare.RawFragment = nil, "", false, "", ""
	return bounded(bare.String())
}

// shownText is the same for what is yet to be read as an address.
func shownText(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		address, _, _ = strings.Cut(address, "?")
		return bounded(address)
	}
	return shown(u)
}

// checkAddress says what is wrong with an address that a server named.
func checkAddress(u *url.URL) error {
	switch {
	case u.Host == "":
		return guardf("%q is no address with a host", shown(u))
	case u.User != nil:
		return guardf("the address %s has a user name in it", shown(u))
	case u.Scheme == "https", u.Scheme == "http" && address.IsLoopback(u.Hostname()):
		return nil
	}
	return guardf("the address %s is not https", shown(u))
}

// checkDial is asked for each address before a connection is made to it, after
// its name was looked up: a name that leads inside is found out here.
func (g *guard) checkDial(ctx context.Context, _, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return guardf("%s is no address to connect to", bounded(address))
	}
	return g.checkAddress(ctx, at.Addr())
}

func (g *guard) checkAddress(ctx context.Context, ip netip.Addr) error {
	g.look.Do(func() {
		// The answer is kept, so it must not depend on who asks first.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), exchangeLimit)
		defer cancel()
		g.inner = innermost(ctx, g.endpoint.Hostname())
	})
	if reachOf(ip) > g.inner {
		return guardf("it leads to %s, which lies inside a network that the server is not in", ip)
	}
	return nil
}

// innermost is how far inside the addresses of host lie. The user has named
// that host, so that as far may be asked.
func innermost(ctx context.Context, host string) reach {
	if address.IsLoopback(host) {
		return loopback
	}
	if ip, err := netip.ParseAddr(host); err == nil {
		return reachOf(ip)
	}
	inner := public
	ips, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host) // of an unknown name nothing is inside
	for _, ip := range ips {
		inner = max(inner, reachOf(ip))
	}
	return inner
}

// boundedBody fails when more is read than left, rather than to end early: a
// cut answer must not be taken for a whole one.
type boundedBody struct {
	io.ReadCloser
	left int64
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		var one [1]byte
		n, err := b.ReadCloser.Read(one[:])
		if n > 0 {
			return 0, guardf("its answer is longer than %d bytes", answerLimit)
		}
		return 0, err
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}
