package login

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// servers are a server and its authorization server, which do what they should
// unless a test replaces a part. Addresses are on the loopback address.
type servers struct {
	t       *testing.T
	server  *httptest.Server
	issuer  *httptest.Server
	parts   map[string]http.HandlerFunc // by path, in place of the usual part
	offers  map[string]any              // metadata of the authorization server, over the usual
	names   map[string]any              // metadata of the server, over the usual
	expires int                         // seconds that a token lasts
	refresh bool                        // tokens come with a refresh token

	mu      sync.Mutex
	asked   []string              // METHOD path, at the authorization server
	forms   []url.Values          // of the token requests
	basic   []string              // user name of their Authorization header
	pages   []url.Values          // queries of the login page
	regs    []map[string]any      // registrations
	codes   map[string]url.Values // what each code was given for; removed when used
	issued  int
	current string // the access token that was given last
	renewal string // the refresh token that is good now
}

func newServers(t *testing.T) *servers {
	w := &servers{t: t, parts: map[string]http.HandlerFunc{}, offers: map[string]any{}, names: map[string]any{}, expires: 3600, refresh: true, codes: map[string]url.Values{}}
	w.server = httptest.NewServer(http.HandlerFunc(w.serve))
	w.issuer = httptest.NewServer(http.HandlerFunc(w.authorize))
	t.Cleanup(func() { w.server.Close(); w.issuer.Close() })
	return w
}

func (w *servers) endpoint() string { return w.server.URL + "/mcp" }

// login returns a Login for the server, closed at the end of the test.
func (w *servers) login(change ...func(*Options)) *Login {
	w.t.Helper()
	o := Options{Endpoint: w.endpoint(), IssuerOption: "--name-it"}
	for _, c := range change {
		c(&o)
	}
	l, err := New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(l.Close)
	return l
}

// named is what a user sets who knows who gives access.
func (w *servers) named(o *Options) { o.Issuer = w.issuer.URL }

func in(dir string) func(*Options) { return func(o *Options) { o.Dir = dir } }

func (w *servers) serve(rw http.ResponseWriter, r *http.Request) {
	if part := w.parts[r.URL.Path]; part != nil {
		part(rw, r)
		return
	}
	if r.URL.Path != "/.well-known/oauth-protected-resource/mcp" {
		http.NotFound(rw, r)
		return
	}
	answer(rw, 200, over(map[string]any{"resource": w.endpoint(), "authorization_servers": []string{w.issuer.URL}}, w.names))
}

func (w *servers) authorize(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	w.asked = append(w.asked, r.Method+" "+r.URL.Path)
	part := w.parts[r.URL.Path]
	w.mu.Unlock()
	if part != nil {
		part(rw, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server":
		answer(rw, 200, over(map[string]any{
			"issuer":                                         w.issuer.URL,
			"authorization_endpoint":                         w.issuer.URL + "/page",
			"token_endpoint":                                 w.issuer.URL + "/token",
			"registration_endpoint":                          w.issuer.URL + "/register",
			"code_challenge_methods_supported":               []string{"S256"},
			"token_endpoint_auth_methods_supported":          []string{"none"},
			"authorization_response_iss_parameter_supported": true,
		}, w.offers))
	case "/register":
		var asked map[string]any
		_ = json.NewDecoder(r.Body).Decode(&asked)
		w.mu.Lock()
		w.regs = append(w.regs, asked)
		n := len(w.regs)
		w.mu.Unlock()
		answer(rw, 201, over(asked, map[string]any{"client_id": fmt.Sprintf("client-%d", n)}))
	case "/page":
		http.Redirect(rw, r, w.approve(r.URL.Query()).String(), http.StatusFound)
	case "/token":
		w.token(rw, r)
	default:
		http.NotFound(rw, r)
	}
}

// approve is the user's yes: the address that the login page leads to.
func (w *servers) approve(q url.Values) *url.URL {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pages = append(w.pages, q)
	w.issued++
	code := fmt.Sprintf("code-%d-secret", w.issued)
	w.codes[code] = q
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		w.t.Error(err)
		return &url.URL{}
	}
	back.RawQuery = url.Values{"code": {code}, "state": {q.Get("state")}, "iss": {w.issuer.URL}}.Encode()
	return back
}

// token checks what a token endpoint has to check.
func (w *servers) token(rw http.ResponseWriter, r *http.Request) {
	_ = r.ParseForm()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.forms = append(w.forms, r.PostForm)
	user, _, _ := r.BasicAuth()
	w.basic = append(w.basic, user)
	scope := r.PostForm.Get("scope")
	refuse := func(code string) { answer(rw, 400, map[string]any{"error": code, "error_description": "no"}) }
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		page, known := w.codes[r.PostForm.Get("code")]
		delete(w.codes, r.PostForm.Get("code"))
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		if !known || page.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || page.Get("code_challenge_method") != "S256" ||
			page.Get("redirect_uri") != r.PostForm.Get("redirect_uri") || page.Get("resource") != r.PostForm.Get("resource") {
			refuse("invalid_grant")
			return
		}
		scope = page.Get("scope")
	case "refresh_token":
		if r.PostForm.Get("refresh_token") != w.renewal || w.renewal == "" {
			refuse("invalid_grant")
			return
		}
	case "client_credentials":
	default:
		refuse("unsupported_grant_type")
		return
	}
	w.issued++
	w.current = fmt.Sprintf("access-%d-secret", w.issued)
	t := map[string]any{"access_token": w.current, "token_type": "Bearer", "expires_in": w.expires}
	if scope != "" {
		t["scope"] = scope
	}
	if w.refresh {
		w.renewal = fmt.Sprintf("refresh-%d-secret", w.issued)
		t["refresh_token"] = w.renewal
	}
	answer(rw, 200, t)
}

func over(usual, instead map[string]any) map[string]any {
	for k, v := range instead {
		if usual[k] = v; v == nil {
			delete(usual, k)
		}
	}
	return usual
}

func answer(rw http.ResponseWriter, status int, v any) {
	rw.Header().Set("Content-Type", "application/json")
	rw.WriteHeader(status)
	_ = json.NewEncoder(rw).Encode(v)
}

// tokenRequests counts what reached the token endpoint.
func (w *servers) tokenRequests() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, a := range w.asked {
		if a == "POST /token" {
			n++
		}
	}
	return n
}

// refused is the answer of the server to a request with what was sent.
func (w *servers) refused(sent Secret) Refusal {
	return Refusal{Status: 401, Sent: sent, Header: http.Header{"Www-Authenticate": {"Bearer"}}}
}

func (w *servers) lacking(sent Secret, scope string) Refusal {
	return Refusal{Status: 403, Sent: sent, Header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope", scope="` + scope + `"`}}}
}

// begin starts an attempt.
func (w *servers) begin(l *Login, r Refusal) *Attempt {
	w.t.Helper()
	a, err := l.Begin(context.Background(), r)
	if err != nil {
		w.t.Fatal(err)
	}
	return a
}

// reach waits until the attempt is in a phase, or over.
func (w *servers) reach(a *Attempt, p Phase) State {
	w.t.Helper()
	late := time.After(time.Minute) // against hanging, not a measure
	for {
		s, changed := a.Watch()
		if s.Phase == p || s.Phase == PhaseOver {
			return s
		}
		select {
		case <-changed:
		case <-late:
			w.t.Fatalf("the attempt stays in phase %d", s.Phase)
		}
	}
}

// open follows the page of the attempt to its end, as a browser does, and
// returns the status of the last answer.
func (w *servers) open(a *Attempt) int {
	w.t.Helper()
	s := w.reach(a, PhasePage)
	if s.Phase != PhasePage {
		w.t.Fatalf("there is no page to open: %v", s.Err)
	}
	return w.get(s.URL)
}

func (w *servers) get(address string) int {
	w.t.Helper()
	browser := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := browser.Get(address)
	if err != nil {
		w.t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// through logs in, and returns how it ended.
func (w *servers) through(l *Login, r Refusal) error {
	w.t.Helper()
	a := w.begin(l, r)
	if s := w.reach(a, PhasePage); s.Phase == PhasePage {
		w.open(a)
	}
	return a.Wait(context.Background())
}

// header is what a request would be sent with.
func (w *servers) header(l *Login) Secret {
	w.t.Helper()
	s, err := l.Authorization(context.Background())
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *servers) mustLogin(l *Login) Secret {
	w.t.Helper()
	if err := w.through(l, w.refused(Secret{})); err != nil {
		w.t.Fatal(err)
	}
	s := w.header(l)
	if s.Reveal() != "Bearer "+w.current {
		w.t.Fatalf("after the login the header is not the token that was given")
	}
	return s
}

// age makes the token in use one that is over.
func age(l *Login) { lasts(l, -time.Minute) }

// lasts makes the token in use one of an hour, of which d is left.
func lasts(l *Login, d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := *l.grant
	g.Expires = time.Now().Add(d)
	g.Saved = g.Expires.Add(-time.Hour)
	l.grant = &g
}

func wants(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("the error does not say %q: %s", p, err)
		}
	}
	if strings.Contains(err.Error(), "-secret") {
		t.Errorf("a secret is in the error: %s", err)
	}
	if len(err.Error()) > 3*longestText {
		t.Errorf("the error has %d bytes", len(err.Error()))
	}
}

func words(s string) []string {
	out := strings.Fields(s)
	slices.Sort(out)
	return out
}
