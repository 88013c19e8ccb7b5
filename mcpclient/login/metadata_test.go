package login

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What an authorization server says of itself counts from its own origin: another
// one that it redirects to is not asked, however many steps lie between.
func TestMetadataDoesNotLeaveItsOrigin(t *testing.T) {
	evil := newServers(t)
	detour := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, evil.issuer.URL+metadataPath, http.StatusFound)
	}))
	defer detour.Close()
	for name, chain := range map[string][]string{
		"at once":            {evil.issuer.URL + metadataPath},
		"by a step at home":  {"SELF/elsewhere", evil.issuer.URL + metadataPath},
		"by a step abroad":   {detour.URL},
		"under another name": {"LOCALHOST" + metadataPath},
	} {
		t.Run(name, func(t *testing.T) {
			w := newServers(t)
			evil.asked, evil.offers["issuer"] = nil, w.issuer.URL
			for i, path := range []string{metadataPath, "/elsewhere"}[:len(chain)] {
				to := strings.Replace(chain[i], "SELF", w.issuer.URL, 1)
				to = strings.Replace(to, "LOCALHOST", strings.Replace(w.issuer.URL, "127.0.0.1", "localhost", 1), 1)
				w.parts[path] = func(rw http.ResponseWriter, r *http.Request) { http.Redirect(rw, r, to, http.StatusFound) }
			}
			err := w.through(w.login(), w.refused(Secret{}))
			wants(t, err, string(StepIssuer), "it redirects to http://", "counts only from its own origin")
			if len(evil.asked) != 0 || w.tokenRequests() != 0 {
				t.Errorf("the other one was asked %v", evil.asked)
			}
		})
	}
}

// A redirect within the origin is followed.
func TestMetadataMayMoveWithinItsOrigin(t *testing.T) {
	w := newServers(t)
	w.parts[metadataPath] = func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "/moved", http.StatusTemporaryRedirect)
	}
	w.parts["/moved"] = func(rw http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		delete(w.parts, metadataPath)
		w.mu.Unlock()
		r.URL.Path = metadataPath
		w.authorize(rw, r)
	}
	w.mustLogin(w.login())
}
