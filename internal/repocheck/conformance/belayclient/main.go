// Command belayclient is belay without a screen for the conformance suite, which
// appends the URL of its server. Whatever the suite judges is belay's own: the
// core, the transport, the login, and the form that fills in defaults. The user
// is here: a user who tries everything on the server's lists once, agrees to every
// question of the server, and follows a login page wherever it leads.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"belay/internal/repocheck/conformance/hint"
	"belay/mcpclient"
	"belay/mcpclient/login"
	"belay/session"
)

// The suite waits 30 s for a client.
const (
	limit   = 25 * time.Second
	lastBit = 3 * time.Second // for the way out
)

// metadata is the client ID metadata document that the authorization servers of
// the suite accept, one that nobody fetches.
const metadata = "https://conformance-test.local/client-metadata.json"

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "belayclient: the URL of a server is needed")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "belayclient:", err)
		os.Exit(1)
	}
}

func run(endpoint string) (err error) {
	h, err := hint.Read()
	if err != nil {
		return err
	}
	who := login.Options{ClientID: h.ClientID, ClientSecret: login.NewSecret(h.ClientSecret), ClientMetadataURL: metadata}
	if !who.ClientSecret.Empty() {
		if who.Issuer, err = registeredAt(endpoint); err != nil {
			return err
		}
	}
	// The revision is not taken from the suite: belay finds it out.
	client := mcpclient.New(mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: endpoint, Login: who}})
	defer func() {
		ctx, cancel := context.WithTimeout(context.Background(), lastBit)
		defer cancel()
		err = errors.Join(err, client.Close(ctx))
	}()
	if err := client.Start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	u := &user{client: client, visited: map[string]bool{}}
	return u.use(ctx, h)
}

// use uses all that the server has. Single failures are told and passed over:
// the suite judges what it sees.
func (u *user) use(ctx context.Context, h hint.Hints) error {
	var catalog session.CatalogView
	err := u.until(ctx, func(s *session.Session) (bool, error) {
		st := s.Status()
		catalog = s.Catalog()
		switch {
		case st.Failure != nil:
			return false, fmt.Errorf("no connection: %s %s", st.Failure.Text, st.Failure.Hint)
		case st.Phase != session.Ready:
			return false, nil
		}
		for _, l := range catalog.Lists {
			if l.Declared && l.Loading {
				return false, nil
			}
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, l := range catalog.Lists {
		if l.Problem != "" {
			told(l.Problem)
		}
	}
	for _, c := range callsFor(catalog, h) {
		if err := u.call(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// registeredAt is where the client was registered whose secret the suite gives. A
// user knows that; the suite does not say it, so the server is asked.
func registeredAt(endpoint string) (string, error) {
	at, err := url.Parse(endpoint)
	if err != nil {
		return "", err
	}
	at.Path = "/.well-known/oauth-protected-resource" + at.Path
	answer, err := http.Get(at.String())
	if err != nil {
		return "", err
	}
	defer func() { _ = answer.Body.Close() }()
	var said struct {
		Servers []string `json:"authorization_servers"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(&said); err != nil || len(said.Servers) == 0 {
		return "", fmt.Errorf("%s names no authorization server: %w", at, err)
	}
	return said.Servers[0], nil
}

func told(what string) { fmt.Fprintln(os.Stderr, "belayclient:", what) }
