package login

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"belay/session"
)

// chooseIssuer picks the authorization server among those that the MCP server
// names. Of a client with a secret it is the one that the user has named: the
// MCP server is not trusted with the choice of who gets that secret. Otherwise
// it is the one that the login in use came from, else the first.
func (l *Login) chooseIssuer(prm *resourceMetadata) (string, error) {
	listed := prm.AuthorizationServers
	named := "the server names " + quoted(listed)
	if prm.guessed {
		named = "the server names nobody, so that it has to be " + bounded(listed[0]) + " itself"
	}
	held := l.held()
	bound := l.o.Issuer
	switch {
	case bound == "" && !l.o.ClientSecret.Empty():
		return "", fmt.Errorf("%s, and a client secret is sent only to one that you have named%s", named, l.byOption())
	case bound == "" && held != nil:
		bound = held.Issuer
	}
	for _, i := range listed {
		if isSameIssuer(i, bound) {
			return i, nil
		}
	}
	switch {
	case l.o.Issuer != "":
		return "", fmt.Errorf("%s, and you have named %s%s: nothing is sent to another", named, bounded(l.o.Issuer), l.byOption())
	case bound != "" && l.o.ClientID != "":
		return "", fmt.Errorf("%s, but the client ID was used with %s: name the one that it belongs to%s", named, bounded(bound), l.byOption())
	}
	return listed[0], nil
}

// byOption tells how a user names an issuer, in words behind "named".
func (l *Login) byOption() string {
	if l.o.IssuerOption == "" {
		return ""
	}
	return " with " + l.o.IssuerOption
}

// isSameIssuer reports whether two addresses name one issuer: the same origin,
// however it is spelled, and the same path, but for one slash at the end, which
// the SDK forgives as well. Issuers have neither query nor fragment (RFC 8414,
// section 2); addresses with one are the same only letter by letter.
func isSameIssuer(a, b string) bool {
	x, errX := plainIssuer(a)
	y, errY := plainIssuer(b)
	if errX != nil || errY != nil {
		return a == b && a != ""
	}
	return session.OriginOf(x) == session.OriginOf(y) && strings.TrimSuffix(x.EscapedPath(), "/") == strings.TrimSuffix(y.EscapedPath(), "/")
}

// plainIssuer reads the address of an issuer.
func plainIssuer(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case strings.TrimSpace(address) != address:
		return nil, errors.New("there is a blank before or after it")
	case err != nil || u.Host == "" || u.Opaque != "":
		return nil, errors.New("it is no address")
	case u.User != nil || strings.ContainsAny(address, "?#"):
		return nil, errors.New("its address must have no user name, no query and no fragment")
	}
	return u, checkAddress(u)
}

// proof is the client of a grant as it proves itself to the issuer of that grant.
// The secret of one that the user has registered is not in the file: it comes
// from the options, and is for the issuer that the options name.
func (l *Login) proof(g *grant) (client, error) {
	c := g.Client
	if !c.ByHand {
		return c, nil
	}
	if !l.o.ClientSecret.Empty() && !isSameIssuer(g.Issuer, l.o.Issuer) {
		return client{}, fmt.Errorf("the token comes from %s, and a client secret is sent only to one that you have named%s", bounded(g.Issuer), l.byOption())
	}
	c.Secret = l.o.ClientSecret.Reveal()
	return c, nil
}
