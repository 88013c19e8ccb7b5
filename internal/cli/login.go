package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/pflag"

	"belay/mcpclient/login"
	"belay/session"
	loginui "belay/ui/login"
)

// loginFlags say who belay is to an authorization server.
type loginFlags struct {
	clientID, clientSecret, metadata, issuer, redirect string
	noUser                                             bool
}

func (f *loginFlags) add(set *pflag.FlagSet) {
	set.StringVar(&f.clientID, "client-id", "", "log in as this OAuth `client`, which was registered by hand")
	set.StringVar(&f.clientSecret, "client-secret", "", "the `secret` of that client; ${NAME} is a variable. It goes only to --client-issuer")
	set.StringVar(&f.issuer, "client-issuer", "", "the authorization server (`address`) that gave it; belay logs in at no other")
	set.StringVar(&f.redirect, "client-redirect", "", "the redirect `address` of that client, on this machine")
	set.StringVar(&f.metadata, "client-metadata", "", "the `address` of a client ID metadata document")
	set.BoolVar(&f.noUser, "client-credentials", false, "log in with the client's secret alone, without a page")
}

// options are what a login is made with. Tokens are kept in the user's config
// directory; without one, for this run only. Took are the variables that the client's
// secret was made of, as NAME=value.
func (f *loginFlags) options() (o login.Options, took []string, err error) {
	secret, took, err := withVariables(f.clientSecret)
	if err != nil {
		return o, nil, usage("--client-secret: %s", err)
	}
	dir, err := login.Dir()
	if err != nil {
		dir = ""
	}
	o = login.Options{
		Dir: dir, ClientID: f.clientID, ClientSecret: login.NewSecret(secret), Issuer: f.issuer, IssuerOption: "--client-issuer",
		ClientMetadataURL: f.metadata, RedirectURL: f.redirect, ClientCredentials: f.noUser,
	}
	if err := o.Check(); err != nil {
		return o, nil, usage("%w", err)
	}
	return o, took, nil
}

// Login implements ui.Backend.
func (b *backend) Login() loginui.Status {
	l := b.Client.Login()
	st := l.State
	var remedy session.Remedy
	var fault *login.Error
	if errors.As(st.Err, &fault) {
		remedy = fault.Remedy()
	}
	shown := loginui.Status{
		Able: l.Able, Token: l.Token, Seq: l.Seq, Phase: loginPhases[st.Phase],
		URL: st.URL, Issuer: st.Issuer, Redirect: st.Redirect,
		NoListener: errorText(st.NoListener), Failure: errorText(st.Err), Remedy: remedy, NotKept: errorText(st.NotKept),
		NotRenewed: errorText(st.NotRenewed), Stray: st.Stray,
		Ended: errors.Is(st.Err, login.ErrAbandoned) || errors.Is(st.Err, context.Canceled),
	}
	if st.More != nil {
		shown.More, shown.Scopes, shown.Again = true, strings.Join(st.More.Scopes, " "), st.More.Again
	}
	return shown
}

// Logout implements ui.Backend.
func (b *backend) Logout() (loginui.Logout, error) {
	r, err := b.Client.Logout()
	return loginui.Logout{Revoked: r.Revoked, Gone: r.Gone, Failure: errorText(r.Err)}, err
}

var loginPhases = map[login.Phase]loginui.Phase{
	login.PhaseFinding: loginui.Finding, login.PhasePage: loginui.Page,
	login.PhaseFetching: loginui.Fetching, login.PhaseOver: loginui.Over,
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
