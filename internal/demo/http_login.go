package demo

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
)

// The paths of the authorization server, which is on the demo's own address.
const (
	pathAuthorize = "/authorize"
	pathToken     = "/token"
	pathRegister  = "/register"
	pathRevoke    = "/revoke"
)

// tokenLife is how long an access token lasts, in seconds.
const tokenLife = 3600

// maxLogins bounds the codes and tokens that are kept; beyond that the old ones
// are forgotten.
const maxLogins = 1000

// gate lets no tool be called without a login, whatever the revision, and is the
// authorization server for that (OAuth 2.1: code with PKCE, for public clients).
// Its user says yes by opening the page. It protects nothing: whoever asks gets a
// token.
type gate struct {
	next http.Handler

	mu      sync.Mutex
	codes   map[string]url.Values // what each was given for; used once
	access  map[string]bool       // tokens that are good
	refresh map[string]bool       // used once
}

func newGate(next http.Handler) http.Handler {
	g := &gate{next: next, codes: map[string]url.Values{}, access: map[string]bool{}, refresh: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/oauth-protected-resource/{path...}", func(w http.ResponseWriter, r *http.Request) {
		tell(w, http.StatusOK, map[string]any{"resource": own(r) + "/" + r.PathValue("path"), "authorization_servers": []string{own(r)}})
	})
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", func(w http.ResponseWriter, r *http.Request) {
		tell(w, http.StatusOK, map[string]any{
			"issuer": own(r), "authorization_endpoint": own(r) + pathAuthorize, "token_endpoint": own(r) + pathToken,
			"registration_endpoint": own(r) + pathRegister, "revocation_endpoint": own(r) + pathRevoke,
			"code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
		})
	})
	mux.HandleFunc("POST "+pathRegister, func(w http.ResponseWriter, _ *http.Request) { // all clients are one: they have no secret
		tell(w, http.StatusCreated, map[string]any{"client_id": "belay-7", "token_endpoint_auth_method": "none"})
	})
	mux.HandleFunc("GET "+pathAuthorize, g.authorize)
	mux.HandleFunc("POST "+pathToken, g.token)
	mux.HandleFunc("POST "+pathRevoke, g.revoke)
	mux.HandleFunc("/", g.pass)
	return mux
}

// own is the demo's address, by the name that it was called by.
func own(r *http.Request) string { return "http://" + r.Host }

func tell(w http.ResponseWriter, status int, v map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// pass lets everything through but calls, and requests about tasks, without a
// token.
func (g *gate) pass(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		http.Error(w, "the body cannot be read, or is too long", http.StatusRequestEntityTooLarge)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var asked struct{ Method string }
	isWork := json.Unmarshal(body, &asked) == nil && (asked.Method == "tools/call" || strings.HasPrefix(asked.Method, "tasks/"))
	if isWork && !g.knows(r.Header.Get("Authorization")) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	g.next.ServeHTTP(w, r)
}

func (g *gate) knows(header string) bool {
	token, bearer := strings.CutPrefix(header, "Bearer ")
	g.mu.Lock()
	defer g.mu.Unlock()
	return bearer && g.access[token]
}

// authorize is the page: whoever opens it agrees, and is sent back.
func (g *gate) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || back.Scheme != "http" || !isHere(back.Host) || q.Get("code_challenge") == "" || q.Get("code_challenge_method") != "S256" {
		http.Error(w, "this is no login that the demo can give: it leads back to this machine only, and needs PKCE with S256", http.StatusBadRequest)
		return
	}
	code := rand.Text()
	g.mu.Lock()
	if len(g.codes) >= maxLogins {
		clear(g.codes)
	}
	g.codes[code] = q
	g.mu.Unlock()
	answer := back.Query()
	answer.Set("code", code)
	answer.Set("state", q.Get("state"))
	back.RawQuery = answer.Encode()
	http.Redirect(w, r, back.String(), http.StatusFound)
}

// isHere reports whether a host is this machine.
func isHere(hostport string) bool {
	name := hostname(hostport)
	ip, err := netip.ParseAddr(name)
	return err == nil && ip.IsLoopback() || strings.EqualFold(name, "localhost")
}

// token gives an access token for a code or for a refresh token.
func (g *gate) token(w http.ResponseWriter, r *http.Request) {
	form(w, r)
	g.mu.Lock()
	defer g.mu.Unlock()
	good := false
	switch r.PostFormValue("grant_type") {
	case "authorization_code":
		page, known := g.codes[r.PostFormValue("code")]
		delete(g.codes, r.PostFormValue("code"))
		sum := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
		good = known && page.Get("code_challenge") == base64.RawURLEncoding.EncodeToString(sum[:]) && page.Get("redirect_uri") == r.PostFormValue("redirect_uri")
	case "refresh_token":
		good = g.refresh[r.PostFormValue("refresh_token")]
		delete(g.refresh, r.PostFormValue("refresh_token"))
	}
	if !good {
		tell(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant"})
		return
	}
	if len(g.access) >= maxLogins {
		clear(g.access)
		clear(g.refresh)
	}
	access, refresh := rand.Text(), rand.Text()
	g.access[access], g.refresh[refresh] = true, true
	tell(w, http.StatusOK, map[string]any{"access_token": access, "refresh_token": refresh, "token_type": "Bearer", "expires_in": tokenLife})
}

// form reads what was posted, before anybody has to wait for it. What cannot be
// read has no values.
func form(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	_ = r.ParseForm()
}

func (g *gate) revoke(w http.ResponseWriter, r *http.Request) {
	form(w, r)
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.access, r.PostFormValue("token"))
	delete(g.refresh, r.PostFormValue("token"))
	w.WriteHeader(http.StatusOK)
}
