package login

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
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
		set  func(*servers)
		says []string
	}{
		{"metadata for another server", func(w *servers) { w.names["resource"] = "https://evil.example/mcp" }, []string{string(StepResource), "evil.example"}},
		{"metadata for another path", func(w *servers) { w.names["resource"] = w.server.URL + "/other" }, []string{string(StepResource), "/other"}},
		{"no authorization server", func(w *servers) { w.names["authorization_servers"] = []string{} }, []string{string(StepResource), "names no authorization server"}},
		{"authorization server without https", func(w *servers) { w.names["authorization_servers"] = []string{"http://evil.example"} }, []string{string(StepIssuer), "the address http://evil.example is not https"}},
		{"authorization server that is no address", func(w *servers) { w.names["authorization_servers"] = []string{"javascript:alert(1)"} }, []string{string(StepIssuer)}},
		{"giant metadata of the server", func(w *servers) { w.parts[resourcePath] = giant }, []string{string(StepResource), "longer than"}},
		{"broken metadata of the server", func(w *servers) {
			w.parts[resourcePath] = func(rw http.ResponseWriter, _ *http.Request) { answer(rw, 200, []int{1}) }
		}, []string{string(StepResource), "cannot be read"}},
		{"server error for metadata", func(w *servers) {
			w.parts[resourcePath] = func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "", http.StatusInternalServerError) }
		}, []string{string(StepResource), "500"}},
		{"redirect loop at the server", func(w *servers) { w.parts[resourcePath] = loop }, []string{string(StepResource), "redirects more than"}},
		{"redirect to plain http", func(w *servers) {
			w.parts[resourcePath] = func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, "http://evil.example/", http.StatusFound)
			}
		}, []string{string(StepResource), "not https"}},
		{"giant metadata of the authorization server", func(w *servers) { w.parts[metadataPath] = giant }, []string{string(StepIssuer), "longer than"}},
		{"redirect loop at the authorization server", func(w *servers) { w.parts[metadataPath] = loop }, []string{string(StepIssuer), "redirects more than"}},
		{"another issuer", func(w *servers) { w.offers["issuer"] = "https://honest.example" }, []string{string(StepIssuer), "honest.example"}},
		{"no PKCE", func(w *servers) { w.offers["code_challenge_methods_supported"] = nil }, []string{string(StepIssuer), "PKCE"}},
		{"plain PKCE", func(w *servers) { w.offers["code_challenge_methods_supported"] = []string{"plain"} }, []string{string(StepIssuer), "S256"}},
		{"no metadata", func(w *servers) { w.parts[metadataPath] = http.NotFound }, []string{string(StepIssuer), "RFC 8414"}},
		{"page by script", func(w *servers) { w.offers["authorization_endpoint"] = "javascript:alert(1)" }, []string{string(StepIssuer)}},
		{"page with a user name", func(w *servers) { w.offers["authorization_endpoint"] = "https://bank@evil.example/" }, []string{string(StepIssuer), "user name"}},
		{"token endpoint without https", func(w *servers) { w.offers["token_endpoint"] = "http://evil.example/token" }, []string{string(StepIssuer)}},
		{"no token endpoint", func(w *servers) { w.offers["token_endpoint"] = nil }, []string{string(StepIssuer)}},
		{"no registration", func(w *servers) { w.offers["registration_endpoint"] = nil }, []string{string(StepClient), "client ID"}},
		{"registration is refused", func(w *servers) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				answer(rw, 400, map[string]any{"error": "invalid_redirect_uri", "error_description": strings.Repeat("no ", 1000)})
			}
		}, []string{string(StepClient), "invalid_redirect_uri", "no no"}},
		{"registration that cannot be read", func(w *servers) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				rw.WriteHeader(201)
				_, _ = io.WriteString(rw, `{"client_id":1,"client_secret":"the-secret"}`)
			}
		}, []string{string(StepClient), "no registration"}},
		{"registration answered with a page", func(w *servers) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) { http.Error(rw, "the-secret", http.StatusForbidden) }
		}, []string{string(StepClient), "403"}},
		{"registration by keys", func(w *servers) {
			w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
				answer(rw, 201, map[string]any{"client_id": "x", "token_endpoint_auth_method": "private_key_jwt"})
			}
		}, []string{string(StepClient), "private_key_jwt"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newServers(t)
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
		{"error of another issuer", true, url.Values{"error": {"call 555"}, "iss": {"https://evil.example"}}, []string{string(StepAnswer)}, "call 555"},
		{"refused", true, url.Values{"error": {"access_denied"}, "error_description": {"the user said no"}, "iss": {"SELF"}}, []string{string(StepPage), "access_denied", "the user said no"}, ""},
		{"long error", true, url.Values{"error": {"e"}, "error_description": {strings.Repeat("\x1b[31m", 1000)}, "iss": {"SELF"}}, []string{string(StepPage)}, "\x1b"},
		{"nothing", true, url.Values{"iss": {"SELF"}}, []string{string(StepAnswer), "no code"}, ""},
		{"unknown code", true, url.Values{"code": {"stolen-secret"}, "iss": {"SELF"}}, []string{string(StepToken), "invalid_grant"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newServers(t)
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
			w := newServers(t)
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

// The metadata that a header names is used, and when it is for another server
// the well-known places are asked before giving up.
func TestPlacesOfMetadata(t *testing.T) {
	w := newServers(t)
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
		{Endpoint: "https://x/mcp", Issuer: "x"},
		{Endpoint: "https://x/mcp", Issuer: "http://auth.example.com"},
		{Endpoint: "https://x/mcp", Issuer: "https://me@auth.example.com"},
		{Endpoint: "https://x/mcp", Issuer: "https://auth.example.com?tenant=a"},
		{Endpoint: "https://x/mcp", Issuer: "https://auth.example.com#a"},
	} {
		_, err := New(o)
		wants(t, err)
	}
}
