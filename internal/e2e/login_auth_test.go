package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
)

// secretMark is part of whatever an [authServer] gives in confidence.
const secretMark = "-in-confidence"

// authServer is an OAuth authorization server on the loopback address, whose user
// agrees at once. Who asks for its page is sent back with a code.
type authServer struct {
	*httptest.Server
	t        *testing.T
	resource string     // what tokens are for
	refuses  url.Values // what the page answers in place of a code

	mu     sync.Mutex
	asked  []string              // METHOD path
	codes  map[string]url.Values // what each code was given for
	tokens map[string]bool       // Authorization headers that are good
	shown  []string              // client secrets
}

func newAuthServer(t *testing.T) *authServer {
	a := &authServer{t: t, codes: map[string]url.Values{}, tokens: map[string]bool{}}
	a.Server = httptest.NewServer(http.HandlerFunc(a.serve))
	t.Cleanup(a.Close)
	return a
}

func (a *authServer) serve(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.asked = append(a.asked, r.Method+" "+r.URL.Path)
	answer := func(status int, v map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	switch r.URL.Path {
	case "/resource":
		answer(200, map[string]any{"resource": a.resource, "authorization_servers": []string{a.URL}})
	case "/.well-known/oauth-authorization-server":
		answer(200, map[string]any{
			"issuer": a.URL, "authorization_endpoint": a.URL + "/page", "token_endpoint": a.URL + "/token",
			"registration_endpoint": a.URL + "/register", "revocation_endpoint": a.URL + "/revoke", "code_challenge_methods_supported": []string{"S256"},
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_post"}, "authorization_response_iss_parameter_supported": true,
		})
	case "/register":
		client := map[string]any{}
		_ = json.NewDecoder(r.Body).Decode(&client)
		client["client_id"] = "belay-here"
		answer(201, client)
	case "/page":
		http.Redirect(w, r, a.agree(r.URL.Query()), http.StatusFound)
	case "/token":
		a.token(r, answer)
	case "/revoke":
		delete(a.tokens, "Bearer "+r.PostFormValue("token"))
	default:
		http.NotFound(w, r)
	}
}

// agree is the user's yes: where the page leads to.
func (a *authServer) agree(q url.Values) string {
	back, err := url.Parse(q.Get("redirect_uri"))
	if err != nil {
		a.t.Error(err)
		return ""
	}
	out := url.Values{"state": {q.Get("state")}, "iss": {a.URL}}
	if a.refuses != nil {
		for name, v := range a.refuses {
			out[name] = v
		}
	} else {
		code := fmt.Sprintf("code-%d%s", len(a.codes), secretMark)
		a.codes[code] = q
		out.Set("code", code)
	}
	back.RawQuery = out.Encode()
	return back.String()
}

func (a *authServer) token(r *http.Request, answer func(int, map[string]any)) {
	_ = r.ParseForm()
	if secret := r.PostForm.Get("client_secret"); secret != "" {
		a.shown = append(a.shown, secret)
	}
	page, known := a.codes[r.PostForm.Get("code")]
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	if !known || page.Get("code_challenge") != base64.RawURLEncoding.EncodeToString(sum[:]) || page.Get("redirect_uri") != r.PostForm.Get("redirect_uri") {
		answer(400, map[string]any{"error": "invalid_grant"})
		return
	}
	access := fmt.Sprintf("access-%d%s", len(a.tokens), secretMark)
	a.tokens["Bearer "+access] = true
	answer(200, map[string]any{"access_token": access, "refresh_token": "refresh" + secretMark, "token_type": "Bearer", "expires_in": 3600})
}

// knows reports whether an Authorization header is good.
func (a *authServer) knows(header string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.tokens[header]
}

// good is how many tokens are good.
func (a *authServer) good() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.tokens)
}

// count counts the requests for METHOD path.
func (a *authServer) count(what string) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, asked := range a.asked {
		if asked == what {
			n++
		}
	}
	return n
}

// secrets are the client secrets that it was shown.
func (a *authServer) secrets() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.shown)
}

// all counts all requests.
func (a *authServer) all() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asked)
}

// follow asks for the page as a browser on another machine does, and returns the
// address at which that ends.
func (a *authServer) follow(page string) *url.URL {
	a.t.Helper()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Get(page)
	if err != nil {
		a.t.Fatal(err)
	}
	_ = resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		a.t.Fatal(err)
	}
	return back
}

// browse is a browser for the user of an [authServer].
func browse(page string) int {
	resp, err := http.Get(page)
	if err != nil {
		return 1
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return 1
	}
	return 0
}
