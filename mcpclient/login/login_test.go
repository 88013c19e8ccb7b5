package login

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
)

func TestLogin(t *testing.T) {
	w := newServers(t)
	dir := filepath.Join(t.TempDir(), "belay", "logins")
	l := w.login(in(dir))
	if h := w.header(l); !h.Empty() {
		t.Fatal("there is a header before any login")
	}
	if len(w.asked) != 0 {
		t.Fatalf("asking for the header asked the authorization server: %v", w.asked)
	}
	a := w.begin(l, w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	if s.Issuer != w.issuer.URL || s.NoListener != nil || !strings.HasPrefix(s.Redirect, "http://127.0.0.1:") {
		t.Errorf("the state is %+v", s)
	}
	if n := len(w.pages); n != 0 {
		t.Fatalf("the page was opened %d times by nobody", n)
	}
	if status := w.open(a); status != 200 {
		t.Errorf("the browser ends with %d", status)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if s, _ := a.Watch(); s.Phase != PhaseOver || s.Err != nil || s.NotKept != nil || s.URL != "" {
		t.Errorf("the state at the end is %+v", s)
	}
	if got := w.header(l).Reveal(); got != "Bearer "+w.current {
		t.Errorf("the header is %q", got)
	}
	for _, got := range []string{w.pages[0].Get("resource"), w.forms[0].Get("resource")} {
		if got != w.endpoint() {
			t.Errorf("the resource is %q", got)
		}
	}
	if reg := w.regs[0]; reg["application_type"] != "native" || reg["token_endpoint_auth_method"] != "none" {
		t.Errorf("registered as %v", reg)
	}

	// Another run of belay has the token without asking anybody.
	before := len(w.asked)
	if got := w.header(w.login(in(dir))).Reveal(); got != "Bearer "+w.current {
		t.Errorf("the next run has the header %q", got)
	}
	if len(w.asked) != before {
		t.Errorf("the next run asked %v", w.asked[before:])
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("the directory: %v %v", info.Mode(), err)
		}
		files, _ := os.ReadDir(dir)
		if len(files) != 2 {
			t.Errorf("there are %d files, not a grant and a registration", len(files))
		}
		for _, f := range files {
			if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %v %v", f.Name(), info.Mode(), err)
			}
		}
	}
	if _, err := l.Forget(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !w.header(l).Empty() || !w.header(w.login(in(dir))).Empty() {
		t.Error("there is a token after Forget")
	}
}

func TestAbandon(t *testing.T) {
	w := newServers(t)
	l := w.login()
	a := w.begin(l, w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	waiting, done := context.WithCancel(context.Background())
	done()
	if err := a.Wait(waiting); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait with a context that is over: %v", err)
	}
	a.Abandon()
	if err := a.Wait(context.Background()); !errors.Is(err, ErrAbandoned) {
		t.Errorf("Wait says %v", err)
	}
	back, _ := url.Parse(s.Redirect)
	if c, err := net.Dial("tcp", back.Host); err == nil {
		_ = c.Close()
		t.Error("the listener is still there")
	}
	if w.tokenRequests() != 0 {
		t.Error("a token was asked for")
	}
	a.Abandon() // again: nothing happens
	w.mustLogin(l)
}

func TestAttemptEndsWithItsContext(t *testing.T) {
	w := newServers(t)
	l := w.login()
	ctx, cancel := context.WithCancel(context.Background())
	a, err := l.Begin(ctx, w.refused(Secret{}))
	if err != nil {
		t.Fatal(err)
	}
	w.reach(a, PhasePage)
	cancel()
	if err := a.Wait(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait says %v", err)
	}
}

func TestNobodyComesBack(t *testing.T) {
	w := newServers(t)
	l := w.login()
	l.patience = 1
	a := w.begin(l, w.refused(Secret{}))
	err := a.Wait(context.Background())
	wants(t, err, string(StepPage), "nobody came back")
}

func TestManyWaitForOneAttempt(t *testing.T) {
	w := newServers(t)
	l := w.login()
	first := w.begin(l, w.refused(Secret{}))
	for range 9 {
		if w.begin(l, w.refused(Secret{})) != first {
			t.Fatal("a second attempt began")
		}
	}
	w.open(first)
	if err := first.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	late := w.begin(l, w.refused(Secret{})) // sent before the login, refused after it
	if err := late.Wait(context.Background()); err != nil || len(w.pages) != 1 {
		t.Errorf("a late refusal: %v, %d pages", err, len(w.pages))
	}
	if s, _ := late.Watch(); s.Phase != PhaseOver {
		t.Errorf("it is in phase %d", s.Phase)
	}
	late.Abandon()
}

func TestWhatNoLoginMends(t *testing.T) {
	w := newServers(t)
	l := w.login()
	for _, r := range []Refusal{
		{Status: 200},
		{Status: 404},
		{Status: 403},
		{Status: 403, Header: http.Header{"Www-Authenticate": {`Bearer error="invalid_token"`}}},
		{Status: 403, Header: http.Header{"Www-Authenticate": {`"`}}},
		{Status: 403, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope"` + strings.Repeat(",", longestAnswer)}}},
		{Status: 500, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope"`}}},
	} {
		if _, err := l.Begin(context.Background(), r); !errors.Is(err, ErrNoLogin) {
			t.Errorf("%v: %v", r, err)
		}
	}
}

func TestStepUp(t *testing.T) {
	w := newServers(t)
	w.names["scopes_supported"] = []string{"read"}
	w.offers["scopes_supported"] = []string{"read", "write", "offline_access"}
	l := w.login()
	sent := w.mustLogin(l)
	if got := w.pages[0].Get("scope"); got != "read offline_access" {
		t.Errorf("the first login asks for %q", got)
	}
	for i := range stepUpLimit {
		a := w.begin(l, w.lacking(sent, "write admin"))
		if s := w.reach(a, PhasePage); s.More == nil || !slices.Equal(s.More.Scopes, []string{"write", "admin"}) || s.More.Again != (i > 0) {
			t.Errorf("login %d is told to be for %+v", i+1, s.More)
		}
		w.open(a)
		if err := a.Wait(context.Background()); err != nil {
			t.Fatal(err)
		}
		sent = w.header(l)
	}
	if got := w.pages[len(w.pages)-1].Get("scope"); !slices.Equal(words(got), []string{"admin", "offline_access", "read", "write"}) {
		t.Errorf("the step up asks for %q", got)
	}
	_, err := l.Begin(context.Background(), w.lacking(sent, "admin write"))
	wants(t, err, "admin write", "after 2 logins")
	a := w.begin(l, w.lacking(sent, "other"))
	if s := w.reach(a, PhasePage); s.More == nil || s.More.Again {
		t.Errorf("another scope: %+v", s.More)
	}
	a.Abandon()
	_ = a.Wait(context.Background())
	if s := w.reach(w.begin(l, Refusal{Status: 401, Sent: sent}), PhasePage); s.More != nil {
		t.Errorf("a token that is refused lacks %+v", s.More)
	}
}

func TestClose(t *testing.T) {
	w := newServers(t)
	l := w.login()
	w.mustLogin(l)
	arrived, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	w.mu.Lock()
	w.parts["/token"] = func(http.ResponseWriter, *http.Request) {
		close(arrived)
		<-release
	}
	w.mu.Unlock()
	w.refresh = false
	age(l)
	told := make(chan error)
	go func() {
		_, err := l.Authorization(context.Background())
		told <- err
	}()
	<-arrived
	a := w.begin(l, Refusal{Status: 403, Header: w.lacking(Secret{}, "x").Header})
	w.reach(a, PhasePage)
	l.Close()
	if err := <-told; err == nil {
		t.Error("who waits for a token is not told of the end")
	}
	if err := a.Wait(context.Background()); !errors.Is(err, ErrAbandoned) {
		t.Errorf("the attempt ends with %v", err)
	}
	if _, err := l.Begin(context.Background(), w.refused(Secret{})); !errors.Is(err, ErrAbandoned) {
		t.Errorf("after the end an attempt begins: %v", err)
	}
	l.Close() // again: nothing happens
}

func TestDir(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "HOME", "AppData"} {
		t.Setenv(name, home)
	}
	dir, err := Dir()
	if err != nil || !strings.HasPrefix(dir, home) || !strings.HasSuffix(dir, filepath.Join("belay", "logins")) {
		t.Errorf("%q %v", dir, err)
	}
}

func TestNoMetadataAtAll(t *testing.T) {
	w := newServers(t)
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/authorize":
			q := r.URL.Query()
			back := w.approve(q)
			p := back.Query()
			p.Del("iss")
			back.RawQuery = p.Encode()
			http.Redirect(rw, r, back.String(), http.StatusFound)
		case "/token", "/register":
			w.authorize(rw, r)
		default:
			_, _ = rw.Write([]byte("<html>whatever you ask</html>"))
		}
	})
	l := w.login()
	err := w.through(l, w.refused(Secret{}))
	wants(t, err, string(StepIssuer)) // what answers with a page is no authorization server

	usual := w.server.Config.Handler
	w.server.Config.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/.well-known/") {
			http.NotFound(rw, r)
			return
		}
		usual.ServeHTTP(rw, r)
	})
	w.mustLogin(l)
}

// Each request of a login says for which server it is (RFC 8707), and the code can
// be used only by who asked for it, proved by a hash (RFC 7636).
func TestEachRequestNamesTheServerAndIsProved(t *testing.T) {
	requirements.Rows(t, "SEC-36")
	w := newServers(t)
	l := w.login()
	w.mustLogin(l)
	age(l)
	w.header(l)
	if len(w.pages) != 1 || len(w.forms) != 2 {
		t.Fatalf("%d pages, %d token requests", len(w.pages), len(w.forms))
	}
	page, code, refresh := w.pages[0], w.forms[0], w.forms[1]
	if code.Get("grant_type") != "authorization_code" || refresh.Get("grant_type") != "refresh_token" {
		t.Fatalf("%v, %v", code, refresh)
	}
	for what, q := range map[string]url.Values{"the page": page, "the code": code, "the refresh": refresh} {
		if got := q["resource"]; !slices.Equal(got, []string{w.endpoint()}) {
			t.Errorf("%s is for %q", what, got)
		}
	}
	sum := sha256.Sum256([]byte(code.Get("code_verifier")))
	if page.Get("code_challenge_method") != "S256" || page.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || len(code.Get("code_verifier")) < 43 {
		t.Errorf("proved by %q %q, then %q", page.Get("code_challenge_method"), page.Get("code_challenge"), code.Get("code_verifier"))
	}
	if page.Has("code_verifier") || page.Has("client_secret") {
		t.Errorf("the page is told %v", page)
	}
	alone := newServers(t).takesSecrets()
	if err := alone.begin(alone.login(robot, alone.named), alone.refused(Secret{})).Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if len(alone.forms) != 1 || alone.forms[0].Get("grant_type") != "client_credentials" || !slices.Equal(alone.forms[0]["resource"], []string{alone.endpoint()}) {
		t.Errorf("with the client's credentials alone: %v", alone.forms)
	}
}
