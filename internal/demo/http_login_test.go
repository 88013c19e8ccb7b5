package demo

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// gated is what a gate lets through, and a way to ask it.
func gated(t *testing.T) (ask func(method, target, body, token string) *httptest.ResponseRecorder) {
	t.Helper()
	g := newGate(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }))
	return func(method, target, body, token string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:8080"+target, strings.NewReader(body))
		if strings.Contains(body, "=") {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		g.ServeHTTP(w, r)
		return w
	}
}

const calling = `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`

// The gate lets everything through but calls without a token; a token is had for
// the code of the page, once, and renewed by its refresh token, once.
func TestTheGate(t *testing.T) {
	ask := gated(t)
	if w := ask("POST", pathMCP, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, ""); w.Code != http.StatusAccepted {
		t.Errorf("a list: %d", w.Code)
	}
	if w := ask("POST", pathMCP, calling, "guessed"); w.Code != http.StatusUnauthorized || w.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Errorf("a call without a login: %d", w.Code)
	}
	if w := ask("POST", pathMCP, `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"x"}}`, ""); w.Code != http.StatusUnauthorized {
		t.Errorf("a request about a task without a login: %d", w.Code)
	}
	if w := ask("GET", "/.well-known/oauth-protected-resource/mcp", "", ""); !strings.Contains(w.Body.String(), `"resource":"http://127.0.0.1:8080/mcp"`) {
		t.Errorf("it says of itself %s", w.Body)
	}

	const verifier, back = "a-verifier", "http://127.0.0.1:9/callback"
	sum := sha256.Sum256([]byte(verifier))
	page := url.Values{
		"redirect_uri": {back}, "state": {"s"}, "code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	code := func() string {
		to, err := url.Parse(ask("GET", pathAuthorize+"?"+page.Encode(), "", "").Header().Get("Location"))
		if err != nil || !strings.HasPrefix(to.String(), back) || to.Query().Get("state") != "s" {
			t.Fatalf("the page leads to %v: %v", to, err)
		}
		return to.Query().Get("code")
	}
	fetch := func(form url.Values) (access, refresh string) {
		var got struct {
			Access  string `json:"access_token"`
			Refresh string `json:"refresh_token"`
		}
		_ = json.Unmarshal(ask("POST", pathToken, form.Encode(), "").Body.Bytes(), &got)
		return got.Access, got.Refresh
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {code()}, "code_verifier": {"another"}, "redirect_uri": {back}}
	if access, _ := fetch(form); access != "" {
		t.Error("a token was given to somebody who did not ask for the page")
	}
	form.Set("code_verifier", verifier)
	form.Set("code", code())
	access, refresh := fetch(form)
	if w := ask("POST", pathMCP, calling, access); w.Code != http.StatusAccepted {
		t.Errorf("a call with a token: %d", w.Code)
	}
	if again, _ := fetch(form); again != "" {
		t.Error("a code is good twice")
	}
	renewal := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {refresh}}
	next, _ := fetch(renewal)
	if again, _ := fetch(renewal); next == "" || next == access || again != "" {
		t.Error("a refresh token is not good once")
	}
	ask("POST", pathRevoke, url.Values{"token": {next}}.Encode(), "")
	if w := ask("POST", pathMCP, calling, next); w.Code != http.StatusUnauthorized {
		t.Errorf("a call with a token that was revoked: %d", w.Code)
	}
}

// The page leads back to this machine only, and gives nothing to who cannot prove
// that he asked for it.
func TestTheGateLeadsBackHere(t *testing.T) {
	ask := gated(t)
	for _, q := range []string{
		"redirect_uri=http%3A%2F%2Fevil.example%2F&code_challenge=x&code_challenge_method=S256",
		"redirect_uri=javascript%3Aalert(1)&code_challenge=x&code_challenge_method=S256",
		"redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F&code_challenge=x&code_challenge_method=plain",
		"redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F",
	} {
		if w := ask("GET", pathAuthorize+"?"+q, "", ""); w.Code != http.StatusBadRequest || w.Header().Get("Location") != "" {
			t.Errorf("%s leads to %d %q", q, w.Code, w.Header().Get("Location"))
		}
	}
}
