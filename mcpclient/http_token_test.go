//go:build unix

package mcpclient

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
)

// gate stands before a peer, and lets through who has a token; it has an authorization server
// beside it, and notes where in a request the token stands.
type gate struct {
	t    *testing.T
	url  string
	path string // of the server
	to   *httputil.ReverseProxy

	mu    sync.Mutex
	with  map[string]int // the requests that had a token, by what they were
	wrong []string
}

const gateToken = "a-token-of-the-gate"

func newGate(t *testing.T, p *dictated.Peer, path string) *gate {
	t.Helper()
	to, err := url.Parse(p.At(""))
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{t: t, path: path, to: httputil.NewSingleHostReverseProxy(to), with: map[string]int{}}
	g.to.FlushInterval = -1
	g.to.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) } // a cancelled one
	web := httptest.NewServer(g)
	t.Cleanup(web.Close)
	g.url = web.URL
	return g
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/.well-known/oauth-protected-resource" + g.path:
		_, _ = fmt.Fprintf(w, `{"resource":"%s%s","authorization_servers":[%[1]q]}`, g.url, g.path)
		return
	case "/.well-known/oauth-authorization-server":
		_, _ = fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":"%[1]s/page","token_endpoint":"%[1]s/token","response_types_supported":["code"],`+
			`"code_challenge_methods_supported":["S256"]}`, g.url)
		return
	case "/token":
		_, _ = fmt.Fprintf(w, `{"access_token":%q,"token_type":"Bearer","expires_in":3600}`, gateToken)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		g.t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.note(r, body)
	if r.Header.Get("Authorization") != "Bearer "+gateToken {
		w.Header().Set("WWW-Authenticate", "Bearer")
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Del("Content-Type")
	g.to.ServeHTTP(w, r)
}

// note notes where a request has the token. The query of an endpoint that the server has named
// is the server's.
func (g *gate) note(r *http.Request, body []byte) {
	what := r.Method
	if at := bytes.Index(body, []byte(`"method":"`)); at >= 0 {
		method, _, _ := bytes.Cut(body[at+len(`"method":"`):], []byte(`"`))
		what += " " + string(method)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.RequestURI != g.path && r.RequestURI != "/messages?session=1" {
		g.wrong = append(g.wrong, what+" at "+r.RequestURI)
	}
	if bytes.Contains(body, []byte(gateToken)) {
		g.wrong = append(g.wrong, what+" in the body")
	}
	for name, values := range r.Header {
		switch has := strings.Contains(strings.Join(values, " "), gateToken); {
		case has && name == "Authorization":
			g.with[what]++
		case has:
			g.wrong = append(g.wrong, what+" in "+name)
		}
	}
}

// allHad reports whether each of these requests has come with the token.
func (g *gate) allHad(requests []string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !slices.ContainsFunc(requests, func(what string) bool { return g.with[what] == 0 })
}

// In each revision every request carries the token in its header and nowhere else, also one to
// an endpoint that the server has named, and one that tells it of a cancel.
func TestATokenIsInNoAddressOfAnyRevision(t *testing.T) {
	requirements.Rows(t, "SEC-36")
	for _, revision := range mcp.Supported() {
		t.Run(string(revision), func(t *testing.T) {
			p, path := dictated.New(t), dictated.Path
			sent := []string{"POST initialize", "POST notifications/initialized", "POST tools/list", "POST tools/call", "POST notifications/cancelled"}
			switch {
			case revision == mcp.Rev20241105:
				p.HTTPSSE(slow)
				path, sent = "/sse", append(sent, "GET")
				handshake := fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`, revision)
				p.On("initialize", func(x *dictated.Exchange) {
					if x.Path == path {
						x.Answer(http.StatusMethodNotAllowed, "", "")
						return
					}
					x.Accepted()
					x.Result(handshake)
				})
			case revision.IsModern():
				p.Modern(slow)
				sent = []string{"POST server/discover", "POST tools/list", "POST tools/call"}
			default:
				p.Handshake(string(revision), slow)
				sent = append(sent, "GET")
			}
			g := newGate(t, p, path)
			c := run(t, Options{
				HTTP:    HTTPOptions{Endpoint: g.url + path, Login: credentials(g.url)},
				Session: session.Config{Pin: revision}, Shutdown: patient,
			})
			awaitReady(t, c)
			id := callTool(t, c, "slow", "{}")
			call := p.Await("tools/call")
			if _, err := c.Do(session.Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			if revision.IsModern() {
				call.AwaitAbort()
			} else {
				p.Await("notifications/cancelled").Accepted()
			}
			await(t, c, "a token in each request", func(*session.Session) bool { return g.allHad(sent) })
			closeIt(t, c)
			if !revision.IsModern() && revision != mcp.Rev20241105 && !g.allHad([]string{"DELETE"}) {
				t.Error("the request that ends the session had no token")
			}
			g.mu.Lock()
			defer g.mu.Unlock()
			if len(g.wrong) > 0 {
				t.Errorf("outside of the header: %q", g.wrong)
			}
		})
	}
}
