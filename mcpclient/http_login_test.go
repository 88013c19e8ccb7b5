//go:build unix

package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient/login"
	"belay/session"
	"belay/session/mcp"
)

// scoped is a server whose tool wants a scope that the first token does not
// have, and its own authorization server.
type scoped struct {
	t   *testing.T
	url string

	mu    sync.Mutex
	asked []string // scopes of the token requests, in order
	calls []string // what the tool calls were authorized with
}

func newScoped(t *testing.T) *scoped {
	s := &scoped{t: t}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	s.url = web.URL
	return s
}

// ServeHTTP implements http.Handler.
func (s *scoped) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource/mcp":
		_, _ = fmt.Fprintf(w, `{"resource":"%s/mcp","authorization_servers":[%[1]q]}`, s.url)
	case "/.well-known/oauth-authorization-server":
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"%[1]s/page","token_endpoint":"%[1]s/token","response_types_supported":["code"],`+
			`"code_challenge_methods_supported":["S256"]}`, s.url)
	case "/token":
		scope := r.FormValue("scope")
		s.mu.Lock()
		s.asked = append(s.asked, scope)
		s.mu.Unlock()
		_, _ = fmt.Fprintf(w, `{"access_token":"for-%s","token_type":"Bearer","expires_in":3600}`, strings.ReplaceAll(scope, " ", "-"))
	case "/mcp":
		s.serve(w, r)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func (s *scoped) serve(w http.ResponseWriter, r *http.Request) {
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	var msg struct {
		ID     json.RawMessage
		Method string
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &msg)
	}
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case err != nil:
		s.t.Errorf("%s: %v", body, err)
	case token == "":
		w.Header().Set("WWW-Authenticate", `Bearer scope="read"`)
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"error":"invalid_token","error_description":"there is none"}`)
	case msg.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case msg.Method == "initialize":
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`, msg.ID)
	case !s.called(token):
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="write"`)
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"error":"insufficient_scope"}`)
	default:
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"you are %s"}]}}`, msg.ID, token)
	}
}

// called notes a call, and reports whether it may be made.
func (s *scoped) called(token string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, token)
	return strings.Contains(token, "write")
}

// credentials are a client's own, which need no page, at an issuer.
func credentials(issuer string) login.Options {
	return login.Options{ClientID: "me", ClientSecret: login.NewSecret("secret"), ClientCredentials: true, Issuer: issuer}
}

// callWrite calls the tool that wants a scope of its own.
func callWrite(t *testing.T, c *Client) session.CallID {
	t.Helper()
	id, err := callOf(c.Do(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"write"}`)}}))
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A token that was accepted until now and lacks a scope is not tried again: the
// next login asks for the scope as well.
func TestACallThatLacksAScopeStepsUp(t *testing.T) {
	s := newScoped(t)
	c := run(t, Options{
		HTTP:    HTTPOptions{Endpoint: s.url + "/mcp", Login: credentials(s.url)},
		Session: session.Config{Pin: mcp.Rev20251125}, Shutdown: patient,
	})
	id := callWrite(t, c)
	var d session.Detail
	var diags []session.Diagnostic
	await(t, c, "the end of the call", func(s *session.Session) bool {
		d, _ = s.Detail(id)
		diags = s.Diagnostics()
		return d.State.IsTerminal()
	})
	if d.State != session.Done {
		t.Errorf("the call is %v: %s", d.State, d.Note)
	}
	if len(diags) > 0 {
		t.Errorf("what OAuth says was taken for a message: %+v", diags)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if want := []string{"read", "read write"}; !slices.Equal(s.asked, want) {
		t.Errorf("scopes that were asked for: %q, want %q", s.asked, want)
	}
	if want := []string{"for-read", "for-read-write"}; !slices.Equal(s.calls, want) {
		t.Errorf("the call went with %q, want %q", s.calls, want)
	}
}

// forgetful is a server that forgets a token as soon as a tool was called with
// it.
type forgetful struct {
	*scoped

	mu     sync.Mutex
	grants []string // of the token requests, in order
	good   string   // the token that is accepted
}

// ServeHTTP implements http.Handler.
func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); {
	case r.URL.Path == "/token":
		f.grants = append(f.grants, r.FormValue("grant_type"))
		f.good = fmt.Sprintf("write-%d", len(f.grants))
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"refresh_token":"r","token_type":"Bearer","expires_in":3600}`, f.good)
	case r.URL.Path != "/mcp":
		f.scoped.ServeHTTP(w, r)
	case token == "" || token != f.good:
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
	default:
		before := len(f.calls)
		f.scoped.ServeHTTP(w, r)
		if len(f.calls) > before {
			f.good = ""
		}
	}
}

// Each token that was accepted for a while and is refused then is renewed
// unseen, not only the first one. None is in a recording, though the server
// repeats them all.
func TestEachRefusedTokenIsRenewed(t *testing.T) {
	f := &forgetful{scoped: &scoped{t: t}}
	web := httptest.NewServer(f)
	t.Cleanup(web.Close)
	f.url = web.URL
	var recording memory
	c := run(t, Options{
		Record:  &recording,
		HTTP:    HTTPOptions{Endpoint: f.url + "/mcp", Login: credentials(f.url)},
		Session: session.Config{Pin: mcp.Rev20251125}, Shutdown: patient,
	})
	for range 4 {
		id := callWrite(t, c)
		await(t, c, "the end of the call", func(s *session.Session) bool {
			row, _ := s.Row(id)
			return row.State == session.Done
		})
	}
	closeIt(t, c)
	if got := recording.String(); strings.Contains(got, "write-") || strings.Count(got, "you are *******") != 4 {
		t.Errorf("recorded: %s", got)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if want := []string{"client_credentials", "refresh_token", "refresh_token", "refresh_token"}; !slices.Equal(f.grants, want) {
		t.Errorf("token requests: %q, want %q", f.grants, want)
	}
}

// A command is never logged in to, whatever it answers and whatever the user has
// set up for addresses: its credentials come from its environment.
func TestNoLoginForACommand(t *testing.T) {
	requirements.Rows(t, "SEC-35")
	dir := t.TempDir()
	o := options(t, "wants a login")
	o.HTTP.Login = login.Options{Dir: dir, ClientID: "belay"}
	c := run(t, o)
	awaitReady(t, c)
	c.View(func(s *session.Session) {
		if s.Config().Login {
			t.Error("calls would wait for a login")
		}
	})
	if d := wantState(t, c, callTool(t, c, "any", `{}`), session.Failed); d.Login {
		t.Errorf("%+v", d.Row)
	}
	if l := c.Login(); l.Able || l.Token || l.Seq != 0 {
		t.Errorf("%+v", l)
	}
	if _, err := c.Logout(); !errors.Is(err, ErrNoLogin) {
		t.Errorf("Logout: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
		t.Errorf("kept: %v, %v", files, err)
	}
}

// breaking is a scoped server with sessions, whose streams break once and are resumed.
type breaking struct {
	*scoped

	mu    sync.Mutex
	with  map[string]int // the requests that had a token, by what they were for
	wrong []string       // where else one stood, or may have stood
	call  json.RawMessage
}

// ServeHTTP implements http.Handler.
func (b *breaking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/mcp" {
		b.scoped.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		b.t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	var msg struct {
		ID     json.RawMessage
		Method string
	}
	_ = json.Unmarshal(body, &msg) // there is none in a GET
	what := strings.Join(strings.Fields(r.Method+" "+msg.Method+" "+r.Header.Get("Last-Event-ID")), " ")
	b.note(what, r)
	switch {
	case what == "GET 1":
		b.mu.Lock()
		defer b.mu.Unlock()
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", b.call)
	case what == "DELETE":
		w.WriteHeader(http.StatusOK)
	case msg.Method == "tools/call" && strings.Contains(r.Header.Get("Authorization"), "write"):
		b.mu.Lock()
		defer b.mu.Unlock()
		b.call = msg.ID
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "id: 1\nretry: 1\ndata:\n\n")
	default:
		if msg.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "a-session")
		}
		b.scoped.ServeHTTP(w, r)
	}
}

// note notes where a request has a token.
func (b *breaking) note(what string, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.RequestURI != "/mcp" {
		b.wrong = append(b.wrong, what+" at "+r.RequestURI)
	}
	if r.Header.Get("Authorization") != "" {
		b.with[what]++
	}
	for name, values := range r.Header {
		if name != "Authorization" && strings.Contains(strings.Join(values, " "), "for-") {
			b.wrong = append(b.wrong, what+" in "+name)
		}
	}
}

// A token stands in the header of a request and nowhere else, never in its address,
// which others log: neither when a message is sent nor when a stream is opened or
// resumed, nor when the session is ended.
func TestATokenIsNotInAnAddress(t *testing.T) {
	requirements.Rows(t, "SEC-36")
	b := &breaking{scoped: &scoped{t: t}, with: map[string]int{}}
	web := httptest.NewServer(b)
	t.Cleanup(web.Close)
	b.url = web.URL
	c := run(t, Options{
		HTTP:    HTTPOptions{Endpoint: b.url + "/mcp", Login: credentials(b.url)},
		Session: session.Config{Pin: mcp.Rev20251125}, Shutdown: patient,
	})
	id := callWrite(t, c)
	await(t, c, "the end of the call", func(s *session.Session) bool {
		row, _ := s.Row(id)
		return row.State == session.Done || s.Status().Phase == session.Disconnected
	})
	closeIt(t, c)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.wrong) > 0 {
		t.Errorf("outside of the header: %q", b.wrong)
	}
	for _, what := range []string{"POST initialize", "POST notifications/initialized", "POST tools/call", "GET", "GET 1", "DELETE"} {
		if b.with[what] == 0 {
			t.Errorf("%s had no token: %v", what, b.with)
		}
	}
}
