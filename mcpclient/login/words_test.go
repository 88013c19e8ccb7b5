package login

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"

	"belay/session"
)

// Whatever goes wrong on the way to a login page is told in belay's words, with
// the address where it did, but not with what may be secret in that.
func TestPlainWords(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	refusing := func(err error) string {
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return "another error: " + err.Error()
		}
		return "nobody is in"
	}
	mine := func(o *Options) { o.ClientID, o.ClientSecret = "mine", NewSecret("the-secret") }
	for _, tc := range []struct {
		name   string
		set    func(*servers)
		given  func(*Options)
		named  string // the metadata that the refusal names
		says   string // SELF and ISSUER are the addresses of the two
		remedy session.RemedyKind
	}{
		{
			name: "nobody listens at the authorization server",
			set:  func(w *servers) { w.names["authorization_servers"] = []string{gone.URL + "?x=the-secret"} },
			says: "no answer from " + gone.URL + "/.well-known/oauth-authorization-server: nobody is in", remedy: session.RemedyToken,
		},
		{
			name: "nobody listens where the metadata is", named: gone.URL + "/meta?x=the-secret",
			set:  func(w *servers) { w.parts[resourcePath] = http.NotFound },
			says: "no answer from " + gone.URL + "/meta: nobody is in", remedy: session.RemedyToken,
		},
		{
			name: "a status",
			set: func(w *servers) {
				w.parts[metadataPath] = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusInternalServerError) }
			},
			says: "ISSUER/.well-known/oauth-authorization-server answers with the status 500", remedy: session.RemedyToken,
		},
		{
			name: "a page",
			set: func(w *servers) {
				w.parts[metadataPath] = func(rw http.ResponseWriter, _ *http.Request) {
					rw.Header().Set("Content-Type", "text/html; charset=utf-8")
					_, _ = io.WriteString(rw, "<html>")
				}
			},
			says: `ISSUER/.well-known/oauth-authorization-server answers with "text/html; charset=utf-8", and its metadata must be JSON`, remedy: session.RemedyToken,
		},
		{
			name: "an issuer without https",
			set: func(w *servers) {
				w.names["authorization_servers"] = []string{"http://user:the-secret@auth.example.com/x?key=the-secret"}
			},
			says: "the address http://auth.example.com/x has a user name in it", remedy: session.RemedyToken,
		},
		{
			name: "an endpoint without https",
			set:  func(w *servers) { w.offers["token_endpoint"] = "http://auth.example.com/token" },
			says: `the metadata at ISSUER/.well-known/oauth-authorization-server cannot be used: token_endpoint: URL "http://auth.example.com/token" is not https`, remedy: session.RemedyToken,
		},
		{
			name: "a client secret that it does not take", given: mine, set: func(*servers) {},
			says: "proving to the authorization server who belay is: it takes no client secret, only \"none\"", remedy: session.RemedyOwnClient,
		},
		{
			name: "a client that it does not know", given: mine,
			set: func(w *servers) {
				w.offers["token_endpoint_auth_methods_supported"] = []string{methodPost}
				w.parts["/token"] = func(rw http.ResponseWriter, _ *http.Request) {
					answer(rw, 401, map[string]any{"error": "invalid_client", "error_description": "not the-secret"})
				}
			},
			says: `who belay is: the client "mine" that you gave is refused: it answered "invalid_client": "not [hidden]"`, remedy: session.RemedyOwnClient,
		},
		{
			name: "nobody registers belay", set: func(w *servers) { w.offers["registration_endpoint"] = nil },
			says: "register belay there by hand and give its client ID", remedy: session.RemedyClient,
		},
		{
			name: "a server that names nobody", set: func(w *servers) { w.parts[resourcePath] = http.NotFound },
			says: "asking the server who gives access to it: it names no authorization server", remedy: session.RemedyToken,
		},
		{
			name: "a server that registers nobody",
			set: func(w *servers) {
				w.parts[resourcePath] = http.NotFound
				w.parts["/register"] = func(rw http.ResponseWriter, _ *http.Request) {
					answer(rw, 400, map[string]any{"error": "invalid_client_metadata"})
				}
			},
			says: `registering belay with the authorization server: it answered "invalid_client_metadata"`, remedy: session.RemedyClient,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			w := newServers(t)
			tc.set(w)
			r := w.refused(Secret{})
			if tc.named != "" {
				r.Header.Set("WWW-Authenticate", `Bearer resource_metadata="`+tc.named+`"`)
			}
			err := w.through(w.login(func(o *Options) {
				if o.Words = refusing; tc.given != nil {
					tc.given(o)
					w.named(o)
				}
			}), r)
			wants(t, err, strings.ReplaceAll(tc.says, "ISSUER", w.issuer.URL))
			var e *Error
			if !errors.As(err, &e) || e.Remedy().Kind != tc.remedy {
				t.Errorf("remedy %v: %v", e.Remedy(), err)
			}
		})
	}
}

// A login page that says no needs no advice, and a server that takes too long is
// named.
func TestLateAnswer(t *testing.T) {
	w := newServers(t)
	l := w.login()
	l.guard.limit = 1 // of time: over before anything is asked
	err := w.through(l, w.refused(Secret{}))
	wants(t, err, w.server.URL+resourcePath+" did not answer in time")
	if r := (&Error{Step: StepPage, Err: err}).Remedy(); r != (session.Remedy{}) {
		t.Errorf("remedy %v", r)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	a, err := w.login().Begin(ctx, w.refused(Secret{}))
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Wait(context.Background()); !errors.Is(err, context.Canceled) {
		t.Errorf("a login whose connection ended: %v", err)
	}
}
