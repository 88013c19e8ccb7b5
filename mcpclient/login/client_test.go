package login

import (
	"context"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRegistrationIsUsedAgain(t *testing.T) {
	w := newServers(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	sent := w.mustLogin(l)
	w.refresh, w.renewal = false, "" // only the page can help
	if err := w.through(l, w.refused(sent)); err != nil {
		t.Fatal(err)
	}
	if len(w.regs) != 1 || w.pages[0].Get("redirect_uri") != w.pages[1].Get("redirect_uri") {
		t.Errorf("%d registrations, %q then %q", len(w.regs), w.pages[0].Get("redirect_uri"), w.pages[1].Get("redirect_uri"))
	}
	// What did not lead back may have been unknown to the page.
	a := w.begin(l, w.refused(w.header(l)))
	w.reach(a, PhasePage)
	a.Abandon()
	_ = a.Wait(context.Background())
	if err := w.through(l, w.refused(w.header(l))); err != nil {
		t.Fatal(err)
	}
	if len(w.regs) != 2 || w.pages[2].Get("client_id") != "client-2" {
		t.Errorf("%d registrations after an abandoned login", len(w.regs))
	}
}

// An authorization server that has forgotten a client which belay registered by
// itself gets a new one before the page is opened, which would not know the old
// one either. A client that the user gave stays, and it is said that it is refused.
func TestAForgottenClientIsRegisteredAnew(t *testing.T) {
	for _, given := range []string{"", "mine"} {
		w := newServers(t)
		dir := t.TempDir()
		l := w.login(in(dir), func(o *Options) { o.ClientID = given })
		sent := w.mustLogin(l)
		w.tokens(func(rw http.ResponseWriter, _ *http.Request) {
			answer(rw, 401, map[string]any{"error": "invalid_client"})
		})
		a := w.begin(l, w.refused(sent))
		s := w.reach(a, PhasePage)
		w.tokens(nil)
		page, err := url.Parse(s.URL)
		if err != nil || s.Phase != PhasePage {
			t.Fatalf("%v, %+v", err, s)
		}
		want, says := "client-2", "it answered"
		if given != "" {
			want, says = given, `the client "mine" that you gave is refused: it answered`
		}
		if id := page.Query().Get("client_id"); id != want {
			t.Errorf("the page is opened as %q, want %q", id, want)
		}
		notRenewed(t, s, says, "invalid_client")
		w.open(a)
		if err := a.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

// What another belay has registered meanwhile is used.
func TestAClientThatWasRegisteredMeanwhile(t *testing.T) {
	w := newServers(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	sent := w.mustLogin(l)
	r, err := l.store.registrationAt(w.issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	r.Client.ID = "newer"
	if err := l.store.saveRegistration(r); err != nil {
		t.Fatal(err)
	}
	w.tokens(func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 401, map[string]any{"error": "invalid_client"})
	})
	s := w.reach(w.begin(l, w.refused(sent)), PhasePage)
	if page, err := url.Parse(s.URL); err != nil || page.Query().Get("client_id") != "newer" || len(w.regs) != 1 {
		t.Errorf("%v: the page is %s after %d registrations", err, s.URL, len(w.regs))
	}
}

func TestBusyRedirectIsRegisteredAnew(t *testing.T) {
	w := newServers(t)
	dir := t.TempDir()
	w.mustLogin(w.login(in(dir)))
	old, _ := url.Parse(w.pages[0].Get("redirect_uri"))
	busy, err := net.Listen("tcp", old.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	l := w.login(in(dir))
	if _, err := l.Forget(context.Background()); err != nil {
		t.Fatal(err)
	}
	w.mustLogin(l)
	if len(w.regs) != 2 {
		t.Errorf("%d registrations", len(w.regs))
	}
}

func TestConfiguredClient(t *testing.T) {
	const id = "https://belay.example/client.json"
	for _, tc := range []struct {
		name    string
		offers  map[string]any
		o       Options
		client  string
		inBasic bool
		secret  string
	}{
		{"public", nil, Options{ClientID: "me"}, "me", false, ""},
		{"secret, nothing listed", map[string]any{"token_endpoint_auth_methods_supported": nil}, Options{ClientID: "me", ClientSecret: NewSecret("s-secret")}, "me", true, ""},
		{"secret in the body", map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_basic", "client_secret_post"}}, Options{ClientID: "me", ClientSecret: NewSecret("s-secret")}, "me", false, "s-secret"},
		{"metadata document", map[string]any{"client_id_metadata_document_supported": true}, Options{ClientMetadataURL: id}, id, false, ""},
		{"metadata document that is not read", nil, Options{ClientMetadataURL: id}, "client-1", false, ""},
		{"by hand before metadata document", map[string]any{"client_id_metadata_document_supported": true}, Options{ClientID: "me", ClientMetadataURL: id}, "me", false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newServers(t)
			maps.Copy(w.offers, tc.offers)
			dir := t.TempDir()
			l := w.login(func(o *Options) {
				*o = tc.o
				o.Endpoint, o.Dir = w.endpoint(), dir
				if !o.ClientSecret.Empty() {
					w.named(o)
				}
			})
			w.mustLogin(l)
			if got := w.pages[0].Get("client_id"); got != tc.client {
				t.Errorf("the client is %q", got)
			}
			if got := w.basic[0]; (got == tc.client) != tc.inBasic {
				t.Errorf("the header names %q", got)
			}
			if got := w.forms[0].Get("client_secret"); got != tc.secret {
				t.Errorf("the body has the secret %q", got)
			}
			age(l)
			if h := w.header(l); h.Reveal() != "Bearer "+w.current || len(w.forms) != 2 {
				t.Errorf("the token is not renewed with the secret")
			}
			// A run with another client does not act in the name of this one.
			byHand := tc.o.ClientID != ""
			if h := w.header(w.login(in(dir))); h.Empty() != byHand {
				t.Errorf("a run without a client of its own has a token: %v", !h.Empty())
			}
			if h := w.header(w.login(in(dir), func(o *Options) { o.ClientID = "other" })); !h.Empty() {
				t.Error("a run with another client has the token")
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*"))
			for _, f := range files {
				if text, _ := os.ReadFile(f); strings.Contains(string(text), "s-secret") {
					t.Errorf("the user's client secret is in %s", filepath.Base(f))
				}
			}
		})
	}
}

func TestClientCredentials(t *testing.T) {
	w := newServers(t)
	w.offers["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"}
	w.offers["authorization_endpoint"] = nil
	w.names["scopes_supported"] = []string{"read"}
	w.refresh = false
	dir := t.TempDir()
	l := w.login(in(dir), w.named, func(o *Options) {
		o.ClientID, o.ClientSecret, o.ClientCredentials = "robot", NewSecret("s-secret"), true
	})
	a := w.begin(l, w.refused(Secret{}))
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.header(l).Reveal() != "Bearer "+w.current || w.basic[0] != "robot" || w.forms[0].Get("resource") != w.endpoint() || w.forms[0].Get("scope") != "read" {
		t.Errorf("asked with %v as %v", w.forms, w.basic)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("kept: %v", files)
	}
}
