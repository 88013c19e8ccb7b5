package demo

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestWebPagesAreKeptOut(t *testing.T) {
	served := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	for _, tt := range []struct {
		host, origin string
		in           bool
	}{
		{"127.0.0.1:8080", "", true},
		{"localhost:8080", "", true},
		{"[::1]:8080", "", true},
		{"192.168.1.7:8080", "", true},
		{"ship.example:8080", "", true}, // what was listened on
		{"SHIP.example:8080", "", true},
		{"evil.example:8080", "", false},
		{"localhost.evil.example", "", false},
		{"127.0.0.1.evil.example:8080", "", false},
		{"", "", false},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", true},
		{"127.0.0.1:8080", "http://localhost:6274", true},
		{"ship.example:8080", "http://ship.example:8080", true},
		{"ship.example:8080", "http://ship.example", false},
		{"127.0.0.1:8080", "https://evil.example", false},
		{"127.0.0.1:8080", "http://localhost.evil.example", false},
		{"127.0.0.1:8080", "null", false},
		{"127.0.0.1:8080", "file://localhost/x", false},
		{"127.0.0.1:8080", "%", false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Host = tt.host
		if tt.origin != "" {
			r.Header.Set("Origin", tt.origin)
		}
		w := httptest.NewRecorder()
		onlyFrom("ship.example", served).ServeHTTP(w, r)
		if in := w.Code == http.StatusTeapot; in != tt.in || !in && w.Code != http.StatusForbidden {
			t.Errorf("host %q, origin %q: status %d", tt.host, tt.origin, w.Code)
		}
	}
}

func TestAddressesAsTheyAreTyped(t *testing.T) {
	for addr, want := range map[string]string{
		"8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080", "0": "127.0.0.1:0", "localhost:1": "localhost:1",
		"0.0.0.0:80": "0.0.0.0:80", "[::1]:80": "[::1]:80",
		"": "no address", "localhost": "no address", "http://localhost:80": "no address", ":": "no port", ":99999": "no port", "99999": "no port", ":-1": "no port", ":x y": "no port",
	} {
		host, port, err := splitAddr(addr)
		switch {
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%q: %v, want %s", addr, err, want)
		case err == nil && net.JoinHostPort(host, port) != want:
			t.Errorf("%q: %s and %s, want %s", addr, host, port, want)
		}
	}
}

// runHTTP runs the server and returns what it says where it is, what is on its
// stderr by then, and what ends it.
func runHTTP(t *testing.T, addr string) (line, stderr string, end func() error) {
	t.Helper()
	var warned bytes.Buffer
	said, out := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		err := RunHTTP(ctx, addr, false, out, &warned)
		_ = out.CloseWithError(err)
		done <- err
	}()
	line, err := bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatalf("it said %q, then: %v", line, err)
	}
	return line, warned.String(), func() error {
		stop()
		return <-done
	}
}

func TestRunHTTPSaysWhereItIs(t *testing.T) {
	line, stderr, end := runHTTP(t, ":0")
	fields := strings.Fields(line)
	if len(fields) < 3 || !strings.HasPrefix(fields[2], "http://127.0.0.1:") || stderr != "" {
		t.Fatalf("it says %q and %q", line, stderr)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: transport}).Post(fields[2], "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("status %d", resp.StatusCode)
	}
	port := strings.TrimSuffix(strings.TrimPrefix(fields[2], "http://127.0.0.1:"), "/mcp")
	if err := RunHTTP(t.Context(), port, false, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "port "+port) {
		t.Errorf("a port that is taken: %v", err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}

func TestRunHTTPWarnsWhereOthersCanReachIt(t *testing.T) {
	_, stderr, end := runHTTP(t, "0.0.0.0:0")
	if !strings.Contains(stderr, "whoever reaches 0.0.0.0:") || strings.Count(stderr, "\n") != 1 {
		t.Errorf("stderr: %q", stderr)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}
