package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"
)

const (
	resourcePath = "/.well-known/oauth-protected-resource/mcp"
	metadataPath = "/.well-known/oauth-authorization-server"
)

func TestHostileDiscovery(t *testing.T) {
	giant := func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(rw, `{"resource":"`+strings.Repeat("x", answerLimit)+`"}`)
	}
	loop := func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, r.URL.Path, http.StatusFound) }
	for _, tc := range []struct {
		name string
		set  func(*world)
		says []string
	}{
		{"metadata for another server", func(w *world) { w.names["resource"] = "https://evil.example/mcp" }, []string{string(StepResource), "evil.example"}},
		{"metadata for another path", func(w *world) { w.names["resource"] = w.server.URL + "/other" }, []string{string(StepResource), "/other"}},
		{"no authorization server", func(w *world) { w.names["authorization_servers"] = []string{} }, []string{string(StepResource), "names no authorization server"}},
		{"authorization server without https", func(w *world) { w.names["authorization_servers"] = []string{"http://evil.example"} }, []string{string(StepIssuer), "HTTPS"}},
		{"authorization server that is no address", func(w *world) { w.names["authorization_servers"] = []string{"javascript:alert(1)"} }, []string{string(StepIssuer)}},
		{"giant metadata of the server", func(w *world) { w.parts[resourcePath] = giant }, []string{string(StepResource), "longer than"}},
		{"broken metadata of the server", func(w *world) {
			w.parts[resourcePath] = func(rw http.ResponseWriter, _ *http.Request) { answer(rw, 200, []int{1}) }
		}, []string{string(StepResource), "cannot be read"}},
		{"server error for metadata", func(w *world) {
			w.parts[resourcePath] = func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "", http.StatusInternalServerError) }
		}, []string{string(StepResource), "500"}},
		{"redirect loop at the server", func(w *world) { w.parts[resourcePath] = loop }, []string{string(StepResource), "redirects more than"}},
		{"redirect to plain http", func(w *world) {
			w.parts[resourcePath] = func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, "http://evil.example/", http.StatusFound)
			}
		}, []string{string(StepResource), "not https"}},
		{"giant metadata of the authorization server", func(w *world) { w.parts[metadataPath] = giant }, []string{string(StepIssuer), "longer than"}},
		{"redirect loop at the authorization server", func(w *world) { w.parts[metadataPath] = loop }, []string{string(StepIssuer), "redirects more than"}},
		{"another issuer", func(w *world) { w.offers["issuer"] = "https://honest.example" }, []string{string(StepIssuer), "honest.example"}},
		{"no PKCE", func(w *world) { w.offers["code_challenge_methods_supported"] = nil }, []string{string(StepIssuer), "PKCE"}},
		{"plain PKCE", func(w *world) { w.offers["code_challenge_methods_supported"] = []string{"plain"} }, []string{string(StepIssuer), "S256"}},
		{"no metadata", func(w *world) { w.parts[metadataPath] = http.NotFound }, []string{string(StepIssuer), "RFC 8414"}},
		{"page by script", func(w *world) { w.offers["authorization_endpoint"] = "javascript:alert(1)" }, []string{string(StepIssuer)}},
		{"page with a user name", func(w *world) { w.offers["authorization_endpoint"] = "https://bank@evil.example/" }, []string{string(StepIssuer), "user name"}},
		{"token endpoint without https", func(w *world) { w.offers["token_endpoint"] = "http://evil.example/token" }, []string{string(StepIssuer)}},
		{"no token endpoint", func(w *world) { w.offers["token_endpoint"] = nil }, []string{string(StepIssuer)}},
		{"no registration", func(w *world) { w.offers["registration_endpoint"] = nil }, []string{string(StepClient), "client ID"}},
		{"registration is refused", func(w *world) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				answer(rw, 400, map[string]any{"error": "invalid_redirect_uri", "error_description": strings.Repeat("no ", 1000)})
			}
		}, []string{string(StepClient), "invalid_redirect_uri", "no no"}},
		{"registration that cannot be read", func(w *world) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.WriteHeader(201)
				_, _ = io.WriteString(rw, `{"client_id":1,"client_secret":"the-secret"}`)
			}
		}, []string{string(StepClient), "no registration"}},
		{"registration answered with a page", func(w *world) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "the-secret", http.StatusForbidden) }
		}, []string{string(StepClient), "403"}},
		{"registration by keys", func(w *world) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				answer(rw, 201, map[string]any{"client_id": "x", "token_endpoint_auth_method": "private_key_jwt"})
			}
		}, []string{string(StepClient), "private_key_jwt"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			tc.set(w)
			a := w.begin(w.login(), w.refused(Secret{}))
			if s := w.reach(a, PhasePage); s.Phase == PhasePage {
				t.Fatalf("the user is sent to %s", s.URL)
			}
			err := a.Wait(context.Background())
			wants(t, err, tc.says...)
			if !strings.HasPrefix(err.Error(), "the login failed while ") {
				t.Errorf("the error does not say that it is about the login: %s", err)
			}
			if w.tokenRequests() != 0 {
				t.Error("a token was asked for")
			}
		})
	}
}

func TestHostileAnswerOfThePage(t *testing.T) {
	for _, tc := range []struct {
		name   string
		offers bool // of the authorization server: to name itself
		q      url.Values
		says   []string
		hides  string
	}{
		{"another issuer", true, url.Values{"code": {"x"}, "iss": {"https://evil.example"}}, []string{string(StepAnswer), "evil.example"}, ""},
		{"another issuer, not announced", false, url.Values{"code": {"x"}, "iss": {"https://evil.example"}}, []string{string(StepAnswer), "evil.example"}, ""},
		{"no issuer", true, url.Values{"code": {"x"}}, []string{string(StepAnswer), "promised"}, ""},
		{"issuer twice", true, url.Values{"code": {"x"}, "iss": {"SELF", "https://evil.example"}}, []string{string(StepAnswer), "more than one iss"}, ""},
		{"code twice", true, url.Values{"code": {"x", "y"}, "iss": {"SELF"}}, []string{string(StepAnswer), "more than one code"}, ""},
		{"a slash more", true, url.Values{"code": {"x"}, "iss": {"SELF/"}}, []string{string(StepAnswer)}, ""},
		{"error of another issuer", true, url.Values{"error": {"call 555"}, "iss": {"https://evil.example"}}, []string{string(StepAnswer)}, "555"},
		{"refused", true, url.Values{"error": {"access_denied"}, "error_description": {"the user said no"}, "iss": {"SELF"}}, []string{string(StepPage), "access_denied", "the user said no"}, ""},
		{"long error", true, url.Values{"error": {"e"}, "error_description": {strings.Repeat("\x1b[31m", 1000)}, "iss": {"SELF"}}, []string{string(StepPage)}, "\x1b"},
		{"nothing", true, url.Values{"iss": {"SELF"}}, []string{string(StepAnswer), "no code"}, ""},
		{"unknown code", true, url.Values{"code": {"stolen-secret"}, "iss": {"SELF"}}, []string{string(StepToken), "invalid_grant"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.offers["authorization_response_iss_parameter_supported"] = tc.offers
			l := w.login()
			a := w.begin(l, w.refused(Secret{}))
			s := w.reach(a, PhasePage)
			page, _ := url.Parse(s.URL)
			q := url.Values{"state": {page.Query().Get("state")}}
			for k, vs := range tc.q {
				for _, v := range vs {
					q.Add(k, strings.Replace(v, "SELF", w.issuer.URL, 1))
				}
			}
			if err := a.Paste(s.Redirect + "?" + q.Encode()); err != nil {
				t.Fatal(err)
			}
			err := a.Wait(context.Background())
			wants(t, err, tc.says...)
			if tc.hides != "" && strings.Contains(err.Error(), tc.hides) {
				t.Errorf("the error shows %q: %s", tc.hides, err)
			}
			if tc.says[0] != string(StepToken) && w.tokenRequests() != 0 {
				t.Error("a token was asked for")
			}
			if !w.header(l).Empty() {
				t.Error("there is a token")
			}
		})
	}
}

func TestHostileTokenEndpoint(t *testing.T) {
	evil := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("credentials went to another host") }))
	defer evil.Close()
	token := func(v map[string]any) http.HandlerFunc {
		return func(rw http.ResponseWriter, _ *http.Request) { answer(rw, 200, v) }
	}
	for _, tc := range []struct {
		name string
		part http.HandlerFunc
		says []string
	}{
		{"another type", token(map[string]any{"access_token": "a-secret", "token_type": "DPoP"}), []string{"DPoP"}},
		{"header injection", token(map[string]any{"access_token": "a-secret\r\nX: y", "token_type": "Bearer"}), []string{"cannot stand in a header"}},
		{"no token", token(map[string]any{"token_type": "Bearer", "x": "a-secret"}), []string{"no token"}},
		{"no JSON", func(rw http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(rw, "a-secret") }, []string{"no token"}},
		{"giant", func(rw http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(rw, strings.Repeat(" ", answerLimit+1))
		}, []string{"no token"}},
		{"redirect to another host", func(rw http.ResponseWriter, r *http.Request) {
			http.Redirect(rw, r, evil.URL, http.StatusTemporaryRedirect)
		}, []string{"redirects to", "do not follow"}},
		{"what was sent comes back", func(rw http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			answer(rw, 400, map[string]any{"error": "bad-" + r.PostForm.Get("code"), "error_description": "you sent " + r.PostForm.Get("code") + r.PostForm.Get("code_verifier")})
		}, []string{"bad-" + hidden, "you sent " + hidden + hidden}},
		{"error page", func(rw http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm()
			http.Error(rw, r.PostForm.Encode(), http.StatusBadGateway)
		}, []string{"502"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newWorld(t)
			w.parts["/token"] = tc.part
			l := w.login()
			err := w.through(l, w.refused(Secret{}))
			wants(t, err, append(tc.says, string(StepToken))...)
			if !w.header(l).Empty() {
				t.Error("there is a token")
			}
		})
	}
}

// Whatever stands in a header or in what was pasted, it is refused or read, in
// a few words.
func FuzzForeignText(f *testing.F) {
	for _, s := range []string{
		"Bearer", `Bearer realm="x", scope="a b", resource_metadata="https://x/y"`, `Basic realm="\"", Bearer error=insufficient_scope`, `,"`, "Bearer \x00=",
		"http://127.0.0.1:1/callback?code=x&state=y&iss=z", "?code=%zz", "?a;b", "error=x", "?error=\x1b[31m",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		short := func(err error) {
			if err != nil && len(err.Error()) > 3*longestText {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		}
		_, err := parseChallenge(http.Header{"Www-Authenticate": {text}})
		short(err)
		q, err := pasted(text)
		short(err)
		_, err = codeOf(q, "https://issuer.example", true)
		short(err)
		if b := bounded(text); len(b) > longestText+len("…") || !utf8.ValidString(b) {
			t.Errorf("bounded to %q", b)
		}
	})
}

func TestSlowAnswer(t *testing.T) {
	for _, path := range []string{resourcePath, metadataPath} {
		w := newWorld(t)
		release := make(chan struct{})
		w.parts[path] = func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rw, "{")
			rw.(http.Flusher).Flush()
			<-release
		}
		l := w.login()
		l.guard.limit = 50 * time.Millisecond
		err := w.through(l, w.refused(Secret{}))
		close(release)
		wants(t, err, "the login failed while ")
	}
}

// The metadata that a header names is used, and when it is for another server
// the well-known places are asked before giving up.
func TestPlacesOfMetadata(t *testing.T) {
	w := newWorld(t)
	w.parts["/custom"] = func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 200, map[string]any{"resource": w.endpoint(), "authorization_servers": []string{w.issuer.URL}, "scopes_supported": []string{"custom"}})
	}
	w.parts["/wrong"] = func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 200, map[string]any{"resource": w.server.URL, "authorization_servers": []string{"https://evil.example"}})
	}
	w.parts["/.well-known/oauth-protected-resource"] = func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, 200, map[string]any{"resource": w.server.URL + "/", "authorization_servers": []string{w.issuer.URL}, "scopes_supported": []string{"root"}})
	}
	at := func(path string) Refusal {
		return Refusal{Status: 401, Header: http.Header{"Www-Authenticate": {`Bearer resource_metadata="` + w.server.URL + path + `"`}}}
	}
	for _, tc := range []struct{ path, scope string }{{"/custom", "custom"}, {"/wrong", ""}, {"/missing", ""}} {
		if err := w.through(w.login(), at(tc.path)); err != nil {
			t.Fatal(err)
		}
		if got := w.pages[len(w.pages)-1].Get("scope"); got != tc.scope {
			t.Errorf("%s: the scope is %q, want %q", tc.path, got, tc.scope)
		}
	}
	w.parts[resourcePath] = http.NotFound
	if err := w.through(w.login(), w.refused(Secret{})); err != nil {
		t.Fatal(err)
	}
	last := w.pages[len(w.pages)-1]
	if last.Get("scope") != "root" || last.Get("resource") != w.server.URL+"/" {
		t.Errorf("at the root: %v", last)
	}
}

func TestWhatIsSecretInTheAddressStaysThere(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	address := strings.Replace(w.endpoint(), "http://", "http://me:my-secret@", 1) + "?key=my-secret"
	l := w.login(in(dir), func(o *Options) { o.Endpoint = address })
	w.mustLogin(l)
	if got := w.pages[0].Get("resource"); got != w.endpoint() {
		t.Errorf("the authorization server is told %q", got)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, f := range files {
		if text, _ := os.ReadFile(f); strings.Contains(string(text), "my-secret") {
			t.Errorf("it is in %s", filepath.Base(f))
		}
	}
	// Unless the server itself says that this is its name.
	w.names["resource"] = w.endpoint() + "?project=x"
	project := func(name string) *Login {
		return w.login(in(dir), func(o *Options) { o.Endpoint = w.endpoint() + "?project=" + name })
	}
	if err := l.Forget(); err != nil {
		t.Fatal(err)
	}
	l = project("x")
	w.mustLogin(l)
	if got := w.pages[1].Get("resource"); got != w.endpoint()+"?project=x" {
		t.Errorf("the authorization server is told %q", got)
	}
	if w.header(project("x")).Empty() || !w.header(project("y")).Empty() {
		t.Error("a token for one project is one for all, or for none")
	}
	wants(t, w.through(project("y"), w.refused(Secret{})), "project=x")
}

func TestAnotherIssuer(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	sent := w.mustLogin(l)
	leaked := []string{w.current, w.renewal, "client-1"}

	other := newWorld(t)
	other.server.Close()
	other.server = w.server
	w.names["authorization_servers"] = []string{other.issuer.URL}
	var saw atomic.Value
	saw.Store("")
	usual := other.issuer.Config.Handler
	front := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		saw.Store(saw.Load().(string) + r.URL.String() + string(body) + fmt.Sprint(r.Header))
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		usual.ServeHTTP(rw, r)
	}))
	defer front.Close()
	other.issuer.Close()
	other.issuer = front
	w.names["authorization_servers"] = []string{front.URL}
	w.mu.Lock()
	w.renewal = "" // revoked where it came from
	w.mu.Unlock()
	other.issued = 100 // of the other's tokens none is spelt like the first's
	other.regs = make([]map[string]any, 7)

	if err := other.through(l, w.refused(sent)); err != nil {
		t.Fatal(err)
	}
	for _, s := range leaked {
		if strings.Contains(saw.Load().(string), s) {
			t.Errorf("the other issuer was shown %q", s)
		}
	}
	if got := w.header(w.login(in(dir))).Reveal(); got != "Bearer "+other.current {
		t.Error("the next run does not use the newer login")
	}
	if grants, _ := filepath.Glob(filepath.Join(dir, grantFile+"*")); len(grants) != 1 {
		t.Errorf("%d grants are kept for one server", len(grants))
	}
}

func TestConfiguredClientIsNotShownToAnotherIssuer(t *testing.T) {
	w := newWorld(t)
	mine := func(o *Options) { o.ClientID, o.ClientSecret = "me", NewSecret("s-secret") }
	w.offers["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"}
	l := w.login(mine)
	sent := w.mustLogin(l)
	w.refresh, w.renewal = false, ""
	other := newWorld(t)
	w.names["authorization_servers"] = []string{other.issuer.URL}
	wants(t, w.through(l, w.refused(sent)), "the client ID was used with", w.issuer.URL)
	wants(t, w.through(w.login(mine, func(o *Options) { o.Issuer = w.issuer.URL }), w.refused(Secret{})), "the client ID belongs to", w.issuer.URL)
	if len(other.asked) != 0 {
		t.Errorf("the other issuer was asked %v", other.asked)
	}
}

func TestBrokenFile(t *testing.T) {
	w := newWorld(t)
	dir := t.TempDir()
	w.mustLogin(w.login(in(dir)))
	files, _ := filepath.Glob(filepath.Join(dir, grantFile+"*"))
	const text = `{"access_token": "half-a-secret`
	if err := os.WriteFile(files[0], []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l := w.login(in(dir))
	h, err := l.Authorization(context.Background())
	wants(t, err, string(StepStore), files[0], "broken")
	if !h.Empty() {
		t.Error("there is a header")
	}
	elsewhere := w.login(in(dir), func(o *Options) { o.Endpoint = w.server.URL + "/other" })
	if !w.header(elsewhere).Empty() {
		t.Error("another server has a token")
	}
	w.mustLogin(l)
	if kept, err := os.ReadFile(files[0] + ".broken"); err != nil || string(kept) != text {
		t.Errorf("what was in the file is lost: %q %v", kept, err)
	}
	if w.header(w.login(in(dir))).Empty() {
		t.Error("the new login is not found")
	}

	moved := filepath.Join(dir, grantFiles(w.endpoint())+"0.json")
	if err := os.Rename(files[0], moved); err != nil {
		t.Fatal(err)
	}
	_, err = w.login(in(dir)).Authorization(context.Background())
	wants(t, err, moved)
}

func TestStoreThatCannotBeWritten(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	l := w.login()
	l.store.dir = filepath.Join(file, "logins") // below what is no directory
	l.loaded = true
	a := w.begin(l, w.refused(Secret{}))
	w.open(a)
	if err := a.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
	s, _ := a.Watch()
	wants(t, s.NotKept, string(StepStore))
	if w.header(l).Empty() {
		t.Error("the token is not used in this run")
	}
	age(l)
	h, err := l.Authorization(context.Background())
	wants(t, err, string(StepStore))
	if h.Reveal() != "Bearer "+w.current {
		t.Error("the new token does not come with the error")
	}
}

func TestReach(t *testing.T) {
	for text, want := range map[string]reach{
		"93.184.216.34": public, "2606:2800::1": public,
		"10.1.2.3": private, "192.168.0.1": private, "172.16.0.1": private, "100.64.0.1": private, "fd00::1": private, "::ffff:10.0.0.1": private,
		"127.0.0.1": loopback, "127.9.9.9": loopback, "::1": loopback,
		"169.254.169.254": nowhere, "fe80::1": nowhere, "0.0.0.0": nowhere, "224.0.0.1": nowhere, "::": nowhere,
	} {
		if got := reachOf(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	for _, tc := range []struct {
		endpoint, asks string
		may            bool
	}{
		{"https://93.184.216.34/mcp", "93.184.216.35", true},
		{"https://93.184.216.34/mcp", "10.0.0.1", false},
		{"https://93.184.216.34/mcp", "127.0.0.1", false},
		{"https://10.0.0.1/mcp", "10.0.0.2", true},
		{"https://10.0.0.1/mcp", "127.0.0.1", false},
		{"https://10.0.0.1/mcp", "93.184.216.34", true},
		{"http://localhost/mcp", "10.0.0.1", true},
		{"http://localhost/mcp", "169.254.169.254", false},
	} {
		u, _ := url.Parse(tc.endpoint)
		err := newGuard(u, nil).mayAsk(context.Background(), netip.MustParseAddr(tc.asks))
		if (err == nil) != tc.may {
			t.Errorf("%s leads to %s: %v", tc.endpoint, tc.asks, err)
		}
	}
}

func TestPublicServerCannotLeadInside(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a server inside was asked") }))
	defer inside.Close()
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	u, _ := url.Parse("https://93.184.216.34/mcp")
	dialer := &http.Transport{DialContext: (&net.Dialer{}).DialContext}
	for _, base := range []*http.Client{nil, {Transport: &http.Transport{}}, {Transport: dialer}, {Transport: &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(inside.URL) }}}} {
		g := newGuard(u, base)
		for _, address := range []string{"http://127.0.0.1" + port, "http://[::1]" + port, "https://127.0.0.1" + port} {
			_, err := g.reading().Get(address)
			var guarded *guardError
			if !errors.As(err, &guarded) || !strings.Contains(err.Error(), "inside a network") {
				t.Errorf("%s: %v", address, err)
			}
		}
		g.close()
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{
		{},
		{Endpoint: "/mcp"},
		{Endpoint: "https://x/mcp", ClientMetadataURL: "http://x/y"},
		{Endpoint: "https://x/mcp", ClientMetadataURL: "https://x/"},
		{Endpoint: "https://x/mcp", RedirectURL: "https://x/callback"},
		{Endpoint: "https://x/mcp", RedirectURL: "http://x/callback"},
		{Endpoint: "https://x/mcp", ClientSecret: NewSecret("s-secret")},
		{Endpoint: "https://x/mcp", ClientCredentials: true, ClientID: "x"},
	} {
		_, err := New(o)
		wants(t, err)
	}
}
