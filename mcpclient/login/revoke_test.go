package login

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// revocable has the authorization server revoke tokens: what it was asked, and
// by whom, is told.
func (w *servers) revocable(status int, body any) (forms *[]url.Values, users *[]string) {
	forms, users = new([]url.Values), new([]string)
	w.offers["revocation_endpoint"] = w.issuer.URL + "/revoke"
	w.parts["/revoke"] = func(rw http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		user, _, _ := r.BasicAuth()
		*forms, *users = append(*forms, r.PostForm), append(*users, user)
		answer(rw, status, body)
	}
	return forms, users
}

// forgotten fails if there is a token left, here or in a file.
func (w *servers) forgotten(l *Login, dir string) {
	w.t.Helper()
	if files, _ := filepath.Glob(filepath.Join(dir, grantFile+"*")); len(files) != 0 || l.HasToken() || !w.header(l).Empty() {
		w.t.Errorf("after the logout there is a token; files: %q", files)
	}
}

// A logout has both tokens revoked at who gave them, in the name of who got them.
func TestLogoutRevokes(t *testing.T) {
	for _, tc := range []struct {
		name   string
		o      Options
		offers []string
		client string
		basic  string
	}{
		{"registered by itself", Options{}, []string{"none"}, "client-1", ""},
		{"with a secret in the body", Options{ClientID: "me", ClientSecret: NewSecret("my-secret")}, []string{"client_secret_post"}, "me", ""},
		{"with a secret in the header", Options{ClientID: "me", ClientSecret: NewSecret("my-secret")}, []string{"client_secret_basic"}, "", "me"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newServers(t)
			w.offers["token_endpoint_auth_methods_supported"] = tc.offers
			forms, users := w.revocable(200, nil)
			dir := t.TempDir()
			l := w.login(in(dir), w.named, func(o *Options) { o.ClientID, o.ClientSecret = tc.o.ClientID, tc.o.ClientSecret })
			w.mustLogin(l)
			r, err := l.Forget(context.Background())
			if err != nil || !r.Revoked || r.Err != nil || r.Issuer != w.issuer.URL {
				t.Fatalf("%+v, %v", r, err)
			}
			w.forgotten(l, dir)
			if len(*forms) != 2 {
				t.Fatalf("asked for %v", *forms)
			}
			for i, want := range []string{w.renewal, w.current} {
				got := (*forms)[i]
				if got.Get("token") != want || got.Get("token_type_hint") != []string{"refresh_token", "access_token"}[i] ||
					got.Get("client_id") != tc.client || (*users)[i] != tc.basic {
					t.Errorf("request %d: %v as %q", i, got, (*users)[i])
				}
			}
			if r, err := l.Forget(context.Background()); err != nil || r != (Revocation{}) || len(*forms) != 2 {
				t.Errorf("a second logout: %+v, %v", r, err)
			}
		})
	}
}

// What the authorization server makes of it is told, and the token is forgotten
// whatever that is.
func TestLogoutWithoutRevocation(t *testing.T) {
	refusal := func(code string) map[string]any { return map[string]any{"error": code} }
	for _, tc := range []struct {
		name string
		set  func(w *servers)
		says []string // nothing: there is no error
		done bool
	}{
		{name: "no address for it", set: func(*servers) {}},
		{name: "a refusal", set: func(w *servers) { w.revocable(400, refusal("invalid_client")) }, says: []string{`the authorization server answered "invalid_client"`}},
		{name: "a status", set: func(w *servers) { w.revocable(503, "later") }, says: []string{"the status 503"}},
		{name: "a redirect", set: func(w *servers) {
			w.revocable(200, nil)
			w.parts["/revoke"] = func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, "https://evil.example/", http.StatusTemporaryRedirect)
			}
		}, says: []string{"credentials do not follow a redirect"}},
		{name: "an address without https", set: func(w *servers) { w.offers["revocation_endpoint"] = "http://evil.example/revoke?x=y" }, says: []string{"the address http://evil.example/revoke is not https"}},
		{name: "only refresh tokens", done: true, set: func(w *servers) {
			w.offers["revocation_endpoint"] = w.issuer.URL + "/revoke"
			w.parts["/revoke"] = func(rw http.ResponseWriter, r *http.Request) {
				if r.FormValue("token_type_hint") == "access_token" {
					answer(rw, 400, refusal("unsupported_token_type"))
				}
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newServers(t)
			tc.set(w)
			dir := t.TempDir()
			l := w.login(in(dir))
			w.mustLogin(l)
			r, err := l.Forget(context.Background())
			if err != nil || r.Revoked != tc.done || r.Issuer != w.issuer.URL {
				t.Errorf("%+v, %v", r, err)
			}
			if len(tc.says) > 0 {
				wants(t, r.Err, tc.says...)
			} else if r.Err != nil {
				t.Error(r.Err)
			}
			w.forgotten(l, dir)
		})
	}
}

// Where the authorization server has ended the token itself, there is none to
// revoke, and nobody is asked to.
func TestLogoutAfterARefusedRenewal(t *testing.T) {
	w := newServers(t)
	forms, _ := w.revocable(200, nil)
	dir := t.TempDir()
	l := w.login(in(dir))
	w.mustLogin(l)
	w.tokens(func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 400, map[string]any{"error": "invalid_grant"})
	})
	age(l)
	w.header(l)
	r, err := l.Forget(context.Background())
	if want := (Revocation{Issuer: w.issuer.URL, Gone: true}); err != nil || r != want || len(*forms) != 0 {
		t.Errorf("%+v, %v, asked %d times", r, err, len(*forms))
	}
	w.forgotten(l, dir)
}

// An authorization server that does not answer keeps nobody logged in, and its
// secret to itself.
func TestLogoutIsBounded(t *testing.T) {
	w := newServers(t)
	w.revocable(200, nil)
	release := make(chan struct{})
	defer close(release)
	dir := t.TempDir()
	l := w.login(in(dir))
	ctx, cancel := context.WithCancel(context.Background())
	w.parts["/revoke"] = func(http.ResponseWriter, *http.Request) {
		if files, _ := filepath.Glob(filepath.Join(dir, grantFile+"*")); len(files) != 0 {
			t.Error("the file is there until the authorization server answers")
		}
		cancel()
		<-release
	}
	w.mustLogin(l)
	if r, err := l.Forget(ctx); err != nil || r.Revoked || r.Err == nil {
		t.Errorf("%+v, %v", r, err)
	}
	w.forgotten(l, dir)
}

// A logout whose file cannot be removed says so.
func TestLogoutKeepsTheFile(t *testing.T) {
	w := newServers(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	w.mustLogin(l)
	path := filepath.Join(dir, l.held().file())
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Forget(context.Background()); err == nil || !strings.Contains(err.Error(), filepath.Base(path)) {
		t.Errorf("%v", err)
	}
	if l.HasToken() {
		t.Error("the token is still in use")
	}
}
