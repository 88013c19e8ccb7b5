package login

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestLogin(t *testing.T) {
	w := newWorld(t)
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
	if err := l.Forget(); err != nil {
		t.Fatal(err)
	}
	if !w.header(l).Empty() || !w.header(w.login(in(dir))).Empty() {
		t.Error("there is a token after Forget")
	}
}

func TestPaste(t *testing.T) {
	w := newWorld(t)
	l := w.login()
	a := w.begin(l, w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	page, _ := url.Parse(s.URL)
	back := w.approve(page.Query())
	foreign := *back
	foreign.RawQuery = url.Values{"code": {"evil"}, "state": {"other"}}.Encode()
	twice := back.String() + "&state=other"
	for _, text := range []string{"", "hello", back.Scheme + "://" + back.Host + back.Path, foreign.String(), twice, "?" + strings.Repeat("a", longestAnswer)} {
		if err := a.Paste(text); err == nil {
			t.Errorf("taken: %.80q", text)
		}
	}
	if now, _ := a.Watch(); now.Phase != PhasePage || w.tokenRequests() != 0 {
		t.Fatalf("after wrong pastes the attempt is %+v", now)
	}
	if err := a.Paste("  \"" + back.String() + "\"\n"); err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if w.header(l).Empty() {
		t.Error("there is no token")
	}
	if err := a.Paste(back.String()); err == nil {
		t.Error("the same answer is taken twice")
	}
	if c, err := net.Dial("tcp", back.Host); err == nil {
		_ = c.Close()
		t.Error("the listener is still there after the login")
	}
}

func TestCallbackTakesOnlyItsAnswer(t *testing.T) {
	w := newWorld(t)
	l := w.login()
	a := w.begin(l, w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	page, _ := url.Parse(s.URL)
	right := w.approve(page.Query())
	root := "http://" + right.Host
	for address, want := range map[string]int{
		root + "/":                                                 404,
		root + "/favicon.ico":                                      404,
		root + "/callback":                                         400,
		root + "/callback?code=x&state=guess":                      400,
		root + "/callback?error=x&state=":                          400,
		right.String() + "&state=again":                            400,
		root + "/callback?" + strings.Repeat("a", longestAnswer*2): 431,
	} {
		if got := w.get(address); got != want {
			t.Errorf("%.60s: %d, want %d", address, got, want)
		}
	}
	if now, _ := a.Watch(); now.Phase != PhasePage {
		t.Fatalf("a wrong answer moved the attempt to %v", now.Phase)
	}
	if got := w.get(right.String()); got != 200 {
		t.Errorf("the right answer gets %d", got)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n := w.tokenRequests(); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

func TestAbandon(t *testing.T) {
	w := newWorld(t)
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
	w := newWorld(t)
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
	w := newWorld(t)
	l := w.login()
	l.patience = 1
	a := w.begin(l, w.refused(Secret{}))
	err := a.Wait(context.Background())
	wants(t, err, string(StepPage), "nobody came back")
}

func TestManyWaitForOneAttempt(t *testing.T) {
	w := newWorld(t)
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
		t.Errorf("it is %v", s.Phase)
	}
	late.Abandon()
}

func TestWhatNoLoginMends(t *testing.T) {
	w := newWorld(t)
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
	w := newWorld(t)
	w.names["scopes_supported"] = []string{"read"}
	w.offers["scopes_supported"] = []string{"read", "write", "offline_access"}
	l := w.login()
	sent := w.mustLogin(l)
	if got := w.pages[0].Get("scope"); got != "read offline_access" {
		t.Errorf("the first login asks for %q", got)
	}
	for range stepUpLimit {
		if err := w.through(l, w.lacking(sent, "write admin")); err != nil {
			t.Fatal(err)
		}
		sent = w.header(l)
	}
	if got := w.pages[len(w.pages)-1].Get("scope"); !slices.Equal(words(got), []string{"admin", "offline_access", "read", "write"}) {
		t.Errorf("the step up asks for %q", got)
	}
	_, err := l.Begin(context.Background(), w.lacking(sent, "admin write"))
	wants(t, err, "admin write", "after 2 logins")
	if err := w.through(l, w.lacking(sent, "other")); err != nil {
		t.Errorf("another scope: %v", err)
	}
}

func TestRegistrationIsUsedAgain(t *testing.T) {
	w := newWorld(t)
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

func TestBusyRedirectIsRegisteredAnew(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	w.mustLogin(w.login(in(dir)))
	old, _ := url.Parse(w.pages[0].Get("redirect_uri"))
	busy, err := net.Listen("tcp", old.Host)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	l := w.login(in(dir))
	if err := l.Forget(); err != nil {
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
			w := newWorld(t)
			maps.Copy(w.offers, tc.offers)
			dir := t.TempDir()
			l := w.login(func(o *Options) {
				*o = tc.o
				o.Endpoint, o.Dir = w.endpoint(), dir
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
	w := newWorld(t)
	w.offers["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"}
	w.offers["authorization_endpoint"] = nil
	w.names["scopes_supported"] = []string{"read"}
	w.refresh = false
	dir := t.TempDir()
	l := w.login(in(dir), func(o *Options) {
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

func TestRenew(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	first := w.mustLogin(l)
	age(l)
	var all sync.WaitGroup
	headers := make([]Secret, 10)
	for i := range headers {
		all.Go(func() { headers[i], _ = l.Authorization(context.Background()) })
	}
	all.Wait()
	for _, h := range headers {
		if h.Reveal() != "Bearer "+w.current || h.Equal(first) {
			t.Fatal("a request got another token than the new one")
		}
	}
	if n := w.tokenRequests(); n != 2 {
		t.Errorf("%d token requests, not one for the login and one for all that wait", n)
	}
	if f := w.forms[1]; f.Get("resource") != w.endpoint() || f.Get("client_id") != "client-1" {
		t.Errorf("renewed with %v", f)
	}

	// A token that is refused early is renewed before the user is asked, once.
	a := w.begin(l, w.refused(headers[0]))
	if err := a.Wait(context.Background()); err != nil || len(w.pages) != 1 {
		t.Fatalf("%v, %d pages", err, len(w.pages))
	}
	second := w.header(l)
	if second.Equal(headers[0]) {
		t.Error("the refused token is still in use")
	}
	if ok, err := l.Renew(context.Background(), headers[0]); !ok || err != nil {
		t.Errorf("one who was refused with the old token is told %v %v", ok, err)
	}
	if ok, err := l.Renew(context.Background(), second); ok || err != nil {
		t.Errorf("what was just renewed is renewed again: %v %v", ok, err)
	}
	if err := w.through(l, w.refused(second)); err != nil || len(w.pages) != 2 {
		t.Errorf("%v, %d pages", err, len(w.pages))
	}

	// The next run goes on with the refresh token that was given last.
	next := w.login(in(dir))
	w.header(next)
	age(next)
	if h := w.header(next); h.Reveal() != "Bearer "+w.current {
		t.Error("the next run cannot renew")
	}
	// And the first one takes over what the next one has renewed.
	age(l)
	before := w.tokenRequests()
	if h := w.header(l); h.Reveal() != "Bearer "+w.current || w.tokenRequests() != before {
		t.Error("what another run has renewed is not taken over")
	}
}

func TestRenewBeforeTheEnd(t *testing.T) {
	w := newWorld(t)
	l := w.login()
	old := w.mustLogin(l)
	arrived, release := make(chan struct{}), make(chan struct{})
	w.mu.Lock()
	w.parts["/token"] = func(rw http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-release
		w.token(rw, r)
	}
	w.mu.Unlock()
	lasts(l, early-1)
	if h := w.header(l); !h.Equal(old) { // would wait for ever if it waited
		t.Error("a token that is still good is not used")
	}
	<-arrived
	l.mu.Lock()
	r := l.renewal
	l.mu.Unlock()
	close(release)
	<-r.done
	if h := w.header(l); h.Equal(old) || h.Reveal() != "Bearer "+w.current {
		t.Error("the token was not renewed before its end")
	}
}

func TestShortLivedTokenIsNotRenewedForEachRequest(t *testing.T) {
	w := newWorld(t)
	w.expires = int(early.Seconds()) - 1
	l := w.login()
	first := w.mustLogin(l)
	for range 3 {
		if h := w.header(l); !h.Equal(first) {
			t.Fatal("another token")
		}
	}
	l.Close() // after all that was begun
	if n := w.tokenRequests(); n != 1 {
		t.Errorf("%d token requests", n)
	}
}

func TestRenewIsRefused(t *testing.T) {
	w := newWorld(t)
	l := w.login(in(t.TempDir()))
	w.mustLogin(l)
	w.mu.Lock()
	w.renewal = ""
	w.mu.Unlock()
	age(l)
	if h := w.header(l); !h.Empty() {
		t.Error("there is a header")
	}
	before := w.tokenRequests()
	if h := w.header(l); !h.Empty() || w.tokenRequests() != before {
		t.Error("what was refused is tried again")
	}
	w.mustLogin(l)
}

func TestRenewFails(t *testing.T) {
	w := newWorld(t)
	l := w.login()
	w.mustLogin(l)
	w.mu.Lock()
	w.parts["/token"] = func(rw http.ResponseWriter, _ *http.Request) {
		http.Error(rw, w.renewal, http.StatusServiceUnavailable)
	}
	w.mu.Unlock()
	age(l)
	_, err := l.Authorization(context.Background())
	wants(t, err, string(StepRefresh), "503")
	w.mu.Lock()
	delete(w.parts, "/token")
	w.mu.Unlock()
	if h := w.header(l); h.Reveal() != "Bearer "+w.current {
		t.Error("the refresh token was lost with a server that was down for a moment")
	}
}

// A refresh token is often good for one use: a request that is cancelled while
// it waits must not take the answer with it.
func TestRenewOutlivesTheRequest(t *testing.T) {
	w := newWorld(t)
	l := w.login()
	w.mustLogin(l)
	arrived, release := make(chan struct{}), make(chan struct{})
	w.mu.Lock()
	w.parts["/token"] = func(rw http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		w.token(rw, r)
	}
	w.mu.Unlock()
	age(l)
	ctx, cancel := context.WithCancel(context.Background())
	gone := make(chan error)
	go func() {
		_, err := l.Authorization(ctx)
		gone <- err
	}()
	<-arrived
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled request is told %v", err)
	}
	close(release)
	if h := w.header(l); h.Reveal() != "Bearer "+w.current || w.tokenRequests() != 2 {
		t.Errorf("%d token requests, and the header is not the new token", w.tokenRequests())
	}
}

func TestClose(t *testing.T) {
	w := newWorld(t)
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

func TestNobodyCanListen(t *testing.T) {
	w := newWorld(t)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	redirect := "http://" + busy.Addr().String() + "/back"
	l := w.login(func(o *Options) { o.ClientID, o.RedirectURL = "me", redirect })
	a := w.begin(l, w.refused(Secret{}))
	s := w.reach(a, PhasePage)
	if s.NoListener == nil || s.Redirect != redirect {
		t.Fatalf("the state is %+v", s)
	}
	page, _ := url.Parse(s.URL)
	if err := a.Paste(w.approve(page.Query()).String()); err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
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
	w := newWorld(t)
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
