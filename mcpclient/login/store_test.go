package login

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"belay/session"
)

func TestWhatIsSecretInTheAddressStaysThere(t *testing.T) {
	w := newServers(t)
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
	if _, err := l.Forget(context.Background()); err != nil {
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
	w := newServers(t)
	dir := t.TempDir()
	l := w.login(in(dir))
	sent := w.mustLogin(l)
	leaked := []string{w.current, w.renewal, "client-1"}

	other := newServers(t)
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

func TestBrokenFile(t *testing.T) {
	w := newServers(t)
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
	w := newServers(t)
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

// A file of a login that others can read is so no longer once belay has read it.
func TestFilesThatOthersCanReadAreMended(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there are no modes
	}
	w := newServers(t)
	dir := t.TempDir()
	w.mustLogin(w.login(in(dir)))
	files, _ := filepath.Glob(filepath.Join(dir, grantFile+"*"))
	if len(files) != 1 {
		t.Fatalf("the files are %q", files)
	}
	if err := os.Chmod(files[0], 0o644); err != nil {
		t.Fatal(err)
	}
	if w.header(w.login(in(dir))).Empty() {
		t.Error("the token is not used")
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// Where others may write, nothing of a login is read, which could send secrets to
// them, and nothing is kept; the login works for this run, and says why.
func TestASettingsDirectoryThatOthersMayWriteTo(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // there are no modes
	}
	w := newServers(t)
	home := t.TempDir()
	dir := filepath.Join(home, "belay", "logins")
	w.mustLogin(w.login(in(dir)))
	for name, open := range map[string]func(grant string) (path string){
		"the directory":     func(string) string { return dir },
		"the one above":     func(string) string { return filepath.Join(home, "belay") },
		"the file of login": func(grant string) string { return grant },
	} {
		t.Run(name, func(t *testing.T) {
			files, _ := filepath.Glob(filepath.Join(dir, grantFile+"*"))
			if len(files) != 1 {
				t.Fatalf("the files are %q", files)
			}
			path := open(files[0])
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = os.Chmod(path, info.Mode()) }()
			if err := os.Chmod(path, info.Mode()|0o022); err != nil {
				t.Fatal(err)
			}
			before, regs := w.tokenRequests(), len(w.regs)
			text, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			l := w.login(in(dir))
			h, err := l.Authorization(context.Background())
			if !h.Empty() || w.tokenRequests() != before {
				t.Error("the login is used")
			}
			wants(t, err, string(StepStore), path+" may be written to by others (", "chmod go-w "+path)
			a := w.begin(l, w.refused(Secret{}))
			w.open(a)
			if err := a.Wait(context.Background()); err != nil || w.header(l).Empty() {
				t.Errorf("there is no login at all: %v", err)
			}
			if path == files[0] {
				return // what is written replaces it
			}
			s, _ := a.Watch()
			wants(t, s.NotKept, string(StepStore), path+" may be written to by others")
			if now, err := os.ReadFile(files[0]); err != nil || string(now) != string(text) || len(w.regs) != regs+1 {
				t.Errorf("%v, %d registrations: the file was written", err, len(w.regs)-regs)
			}
			if locks, _ := filepath.Glob(filepath.Join(dir, "lock-*")); len(locks) != 0 {
				t.Errorf("locks: %q", locks)
			}
		})
	}
}

// A token is a bearer's: it is neither fetched for, nor sent to, a server on whose
// way it can be read (RFC 6750, section 5.3).
func TestNoTokenWithoutTLS(t *testing.T) {
	dir := t.TempDir()
	const endpoint = "http://mcp.example/mcp"
	kept := &grant{Endpoint: endpoint, Issuer: "https://auth.example", Resource: endpoint, Access: "access-secret", Refresh: "refresh-secret", Saved: time.Now()}
	if err := (store{dir: dir}).saveGrant(kept, nil); err != nil {
		t.Fatal(err)
	}
	w := newServers(t)
	l := w.login(in(dir), func(o *Options) { o.Endpoint = endpoint })
	if h := w.header(l); !h.Empty() || l.HasToken() {
		t.Error("the token would be sent")
	}
	a := w.begin(l, w.refused(Secret{}))
	err := a.Wait(context.Background())
	wants(t, err, string(StepResource), endpoint+" is not https", "can be read on its way")
	var e *Error
	if !errors.As(err, &e) || e.Remedy().Kind != session.RemedyToken {
		t.Errorf("remedy: %v", err)
	}
}
