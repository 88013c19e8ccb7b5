package login

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// where is the authorization server that gives access to the MCP server, with the resource
// and the scopes to ask for.
type where struct {
	resource string
	scopes   []string // that the server's metadata names
	server   *oauthex.AuthServerMeta
	guessed  bool // no metadata names an authorization server: the MCP server is taken for its own
}

// discover finds the authorization server: by the metadata that the refusal
// names, else at the well-known addresses; without any, as 2025-03-26 had it,
// the server's own origin is asked.
func (l *Login) discover(ctx context.Context, said challenge) (*where, error) {
	prm, err := l.resource(ctx, said.metadata)
	if err != nil {
		return nil, failed(StepResource, err)
	}
	w := &where{resource: prm.Resource, scopes: prm.ScopesSupported}
	issuer, err := l.chooseIssuer(prm)
	if err != nil {
		return nil, failed(StepChoice, err)
	}
	if w.server, err = l.metadataOf(ctx, issuer); err != nil {
		return nil, failed(StepIssuer, err)
	}
	if w.server == nil {
		if !prm.guessed {
			return nil, failed(StepIssuer, fmt.Errorf("%s has none of the metadata that it must have (RFC 8414)", shownText(issuer)))
		}
		w.guessed = true
		w.server = &oauthex.AuthServerMeta{
			Issuer:                        issuer,
			AuthorizationEndpoint:         issuer + "/authorize",
			TokenEndpoint:                 issuer + "/token",
			RegistrationEndpoint:          issuer + "/register",
			CodeChallengeMethodsSupported: []string{"S256"},
		}
	}
	if !slices.Contains(w.server.CodeChallengeMethodsSupported, "S256") {
		return nil, failed(StepIssuer, errors.New("it does not support PKCE with S256, without which a login is not safe"))
	}
	needed := []string{w.server.TokenEndpoint}
	if !l.o.ClientCredentials {
		needed = append(needed, w.server.AuthorizationEndpoint)
	}
	for _, address := range needed {
		u, err := url.Parse(address)
		if err == nil {
			err = checkAddress(u)
		}
		if err != nil {
			return nil, failed(StepIssuer, err)
		}
	}
	return w, nil
}

// unregistered returns the error of a registration that failed. An MCP server that was only
// guessed to be its own authorization server, and does not answer like one, names none.
func (w *where) unregistered(ctx context.Context, err error) error {
	var r *oauthError
	if !w.guessed || ctx.Err() != nil || errors.As(err, &r) {
		return failed(StepClient, err)
	}
	return failed(StepResource, errors.New("it names no authorization server"))
}

// metadataOf reads what an authorization server says about itself, nil if it
// says nothing.
func (l *Login) metadataOf(ctx context.Context, issuer string) (*oauthex.AuthServerMeta, error) {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to ask", shownText(issuer))
	}
	if err := checkAddress(u); err != nil {
		return nil, err
	}
	client := l.guard.readingAtHome()
	last := &lastAnswer{RoundTripper: client.Transport, address: shown(u)}
	follow := client.CheckRedirect
	client.Transport, client.CheckRedirect = last, func(r *http.Request, via []*http.Request) error {
		last.fault = follow(r, via)
		return last.fault
	}
	meta, err := auth.GetAuthServerMetadata(ctx, strings.TrimSuffix(issuer, "/"), client) // RFC 8414, section 3.1: it goes before the path is looked at
	if err == nil {
		return meta, nil
	}
	switch kind, _, _ := mime.ParseMediaType(last.media); {
	case last.fault != nil:
		return nil, atAddress(last.address, last.fault)
	case last.status != http.StatusOK:
		return nil, fmt.Errorf("%s answers with the status %d", last.address, last.status)
	case kind != "application/json":
		return nil, fmt.Errorf("%s answers with %q, and its metadata must be JSON", last.address, bounded(last.media))
	}
	text := strings.ReplaceAll(err.Error(), "does not use HTTPS or is not a loopback address", "is not https")
	return nil, fmt.Errorf("the metadata at %s cannot be used: %s", last.address, bounded(text))
}

// lastAnswer remembers from where the last answer came and what it was: the
// errors of the SDK do not say it.
type lastAnswer struct {
	http.RoundTripper
	address, media string
	status         int
	fault          error // why there was none
}

// RoundTrip implements [http.RoundTripper].
func (l *lastAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	l.address, l.media, l.status = shown(r.URL), "", 0
	var resp *http.Response
	if resp, l.fault = l.RoundTripper.RoundTrip(r); l.fault == nil {
		l.media, l.status = resp.Header.Get("Content-Type"), resp.StatusCode
	}
	return resp, l.fault
}

// resourceMetadata is what the server says about who gives access.
type resourceMetadata struct {
	oauthex.ProtectedResourceMetadata
	guessed bool // there was none: the server is taken to be its own authorization server
}

// resource reads the protected resource metadata (RFC 9728). Metadata that is
// for another resource must not be used; when nothing better is found, that is
// the error, rather than a guess.
func (l *Login) resource(ctx context.Context, named string) (*resourceMetadata, error) {
	var faults []error
	for _, p := range l.metadataPlaces(named) {
		prm, err := l.metadataAt(ctx, p.address)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case err != nil:
			faults = append(faults, err)
		case prm == nil:
		case canonical(prm.Resource) != canonical(p.resource) && prm.Resource != l.asked:
			faults = append(faults, fmt.Errorf("the metadata at %s is for %q, not for %s", shownText(p.address), bounded(prm.Resource), p.resource))
		case len(prm.AuthorizationServers) == 0:
			return nil, fmt.Errorf("the metadata at %s names no authorization server", shownText(p.address))
		default:
			return &resourceMetadata{ProtectedResourceMetadata: *prm}, nil
		}
	}
	if len(faults) > 0 {
		return nil, faults[0]
	}
	root := *l.endpoint
	root.Path, root.RawPath = "", ""
	return &resourceMetadata{guessed: true, ProtectedResourceMetadata: oauthex.ProtectedResourceMetadata{
		Resource:             l.endpoint.String(),
		AuthorizationServers: []string{root.String()},
	}}, nil
}

// place is where metadata may be, and the resource that it must be for.
type place struct{ address, resource string }

func (l *Login) metadataPlaces(named string) (places []place) {
	const wellKnown = "/.well-known/oauth-protected-resource"
	own := l.endpoint.String()
	if named != "" {
		places = append(places, place{named, own})
	}
	at := *l.endpoint
	at.RawPath = ""
	if path := strings.TrimRight(at.Path, "/"); path != "" {
		at.Path = wellKnown + path
		places = append(places, place{at.String(), own})
	}
	root := at
	root.Path = ""
	at.Path = wellKnown
	return append(places, place{at.String(), root.String()})
}

// canonical spells an address in one way: scheme and host small, no fragment,
// no slash that stands for an empty path.
func canonical(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address
	}
	u.Scheme, u.Host, u.Fragment = strings.ToLower(u.Scheme), strings.ToLower(u.Host), ""
	if u.Path == "/" {
		u.Path = ""
	}
	return u.String()
}

// metadataAt returns nil where there is none: for a 4xx, and for a page that
// is no JSON, with which many web servers answer whatever they are asked.
func (l *Login) metadataAt(ctx context.Context, address string) (*oauthex.ProtectedResourceMetadata, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("%q is no address to ask", shownText(address))
	}
	req.Header.Set("Accept", "application/json")
	resp, err := l.guard.reading().Do(req)
	if err != nil {
		return nil, atAddress(address, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode/100 == 4 {
		return nil, nil
	}
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers with the status %d", shownText(address), resp.StatusCode)
	}
	if kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return nil, nil
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, atAddress(address, err)
	}
	var prm oauthex.ProtectedResourceMetadata
	if err := json.Unmarshal(body, &prm); err != nil {
		return nil, fmt.Errorf("the metadata at %s cannot be read: %s", shownText(address), bounded(err.Error()))
	}
	return &prm, nil
}

// atAddress names the address at which something went wrong, unless that is named.
func atAddress(address string, err error) error {
	var way *wayError
	switch plain := networkFault(err); {
	case errors.As(plain, &way), errors.Is(plain, context.Canceled):
		return plain
	case plain != nil:
		err = plain
	}
	return fmt.Errorf("%s: %s", shownText(address), bounded(err.Error()))
}

// challenge is what a refusal says about the way in.
type challenge struct {
	metadata string   // address of the resource metadata
	scopes   []string // that the refused request needs
	err      string   // error code of the bearer challenge
}

func parseChallenge(h http.Header) (challenge, error) {
	length := 0
	for _, v := range h.Values("WWW-Authenticate") {
		length += len(v)
	}
	if length > longestAnswer { // the SDK's parser takes time with the square of the length
		return challenge{}, fmt.Errorf("its WWW-Authenticate header has %d bytes", length)
	}
	parsed, err := oauthex.ParseWWWAuthenticate(h.Values("WWW-Authenticate"))
	if err != nil {
		return challenge{}, fmt.Errorf("its WWW-Authenticate header cannot be read: %s", bounded(err.Error()))
	}
	var said challenge
	for _, c := range parsed {
		if c.Scheme != "bearer" {
			continue
		}
		if said.metadata == "" {
			said.metadata = c.Params["resource_metadata"]
		}
		if said.scopes == nil {
			said.scopes = strings.Fields(c.Params["scope"])
		}
		if said.err == "" {
			said.err = c.Params["error"]
		}
	}
	return said, nil
}
