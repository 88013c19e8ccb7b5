package login

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// client is who belay is to one authorization server.
type client struct {
	ID     string `json:"id"`
	Secret string `json:"secret,omitempty"`
	Method string `json:"method"` // of authentication: none, client_secret_post, client_secret_basic

	// ByHand says that the user registered it. Its secret stays where the
	// options come from.
	ByHand bool `json:"by_hand,omitempty"`
}

const (
	methodNone  = "none"
	methodPost  = "client_secret_post"
	methodBasic = "client_secret_basic"
)

func (c client) style() oauth2.AuthStyle {
	if c.Method == methodBasic {
		return oauth2.AuthStyleInHeader
	}
	return oauth2.AuthStyleInParams
}

// secretMethod picks how to show a secret. OAuth 2.1 prefers the body; where a
// server lists nothing, RFC 8414 says that it takes the header.
func secretMethod(supported []string) (string, error) {
	for _, m := range []string{methodPost, methodBasic} {
		if slices.Contains(supported, m) {
			return m, nil
		}
	}
	if len(supported) == 0 {
		return methodBasic, nil
	}
	return "", fmt.Errorf("it takes no client secret, only %s", quoted(supported))
}

// configured is the client that the user has set up beforehand, nil if there is
// none for this server: first what was registered by hand, then the metadata
// document where the server reads such.
func (l *Login) configured(w *where) (*client, error) {
	if l.o.ClientID != "" {
		if l.o.ClientSecret.Empty() {
			return &client{ID: l.o.ClientID, Method: methodNone, ByHand: true}, nil
		}
		if !isSameIssuer(w.server.Issuer, l.o.Issuer) { // as chooseIssuer has seen to
			return nil, fmt.Errorf("a client secret is not for %s", bounded(w.server.Issuer))
		}
		m, err := secretMethod(w.server.TokenEndpointAuthMethodsSupported)
		if err != nil {
			return nil, err
		}
		return &client{ID: l.o.ClientID, Secret: l.o.ClientSecret.Reveal(), Method: m, ByHand: true}, nil
	}
	if l.o.ClientMetadataURL != "" && w.server.ClientIDMetadataDocumentSupported {
		return &client{ID: l.o.ClientMetadataURL, Method: methodNone}, nil
	}
	return nil, nil
}

// register registers belay for one redirect address (RFC 7591).
func (l *Login) register(ctx context.Context, w *where, redirect string) (*registration, error) {
	if w.server.RegistrationEndpoint == "" {
		return nil, errors.New("it registers no clients by itself: register belay there by hand and give its client ID")
	}
	ask := &oauthex.ClientRegistrationMetadata{
		ClientName:      "belay",
		RedirectURIs:    []string{redirect},
		GrantTypes:      []string{"authorization_code", "refresh_token"},
		ResponseTypes:   []string{"code"},
		ApplicationType: "native", // the redirect leads to the user's own machine
	}
	supported := w.server.TokenEndpointAuthMethodsSupported
	if len(supported) > 0 { // else the server chooses
		ask.TokenEndpointAuthMethod = methodNone
		if !slices.Contains(supported, methodNone) {
			m, err := secretMethod(supported)
			if err != nil {
				return nil, err
			}
			ask.TokenEndpointAuthMethod = m
		}
	}
	got, err := oauthex.RegisterClient(ctx, w.server.RegistrationEndpoint, ask, l.guard.sending())
	if err != nil {
		return nil, registrationFault(err)
	}
	c := client{ID: got.ClientID, Secret: got.ClientSecret, Method: got.TokenEndpointAuthMethod}
	switch {
	case c.Method == "" && c.Secret == "":
		c.Method = methodNone
	case c.Method == "":
		c.Method = methodBasic // RFC 7591, section 2
	case c.Method != methodNone && c.Method != methodPost && c.Method != methodBasic:
		return nil, fmt.Errorf("it wants belay to prove itself by %q, which belay cannot", bounded(c.Method))
	}
	r := &registration{Issuer: w.server.Issuer, Client: c, Redirect: redirect}
	if !got.ClientSecretExpiresAt.IsZero() {
		r.Expires = got.ClientSecretExpiresAt
	}
	return r, nil
}

func (r *registration) valid(now time.Time) bool {
	return r != nil && (r.Expires.IsZero() || now.Before(r.Expires))
}

var refusedStatus = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^registration failed with status (\d{3})`) })

// registrationFault puts the SDK's error into words without the answer's text,
// which the SDK quotes and which may hold a client secret.
func registrationFault(err error) error {
	var refusal *oauthex.ClientRegistrationError
	if errors.As(err, &refusal) && refusal.ErrorCode != "" {
		return &oauthError{refusal.ErrorCode, answered("it", refusal.ErrorCode, refusal.ErrorDescription)}
	}
	if plain := networkFault(err); plain != nil {
		return plain
	}
	if m := refusedStatus().FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("it answered with the status %s", m[1])
	}
	return errors.New("its answer is no registration that could be read")
}
