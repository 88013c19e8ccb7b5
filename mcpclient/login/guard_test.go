package login

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestSlowAnswer(t *testing.T) {
	for _, path := range []string{resourcePath, metadataPath} {
		w := newServers(t)
		release := make(chan struct{})
		w.parts[path] = func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(rw, "{")
			rw.(http.Flusher).Flush()
			<-release
		}
		l := w.login()
		l.guard.limit = 50 * time.Millisecond
		err := w.through(l, w.refused(Secret{}))
		close(release)
		wants(t, err, "the login failed while ")
	}
}

func TestReach(t *testing.T) {
	for text, want := range map[string]reach{
		"93.184.216.34": public, "2606:2800::1": public,
		"10.1.2.3": private, "192.168.0.1": private, "172.16.0.1": private, "100.64.0.1": private, "fd00::1": private, "::ffff:10.0.0.1": private,
		"127.0.0.1": loopback, "127.9.9.9": loopback, "::1": loopback,
		"169.254.169.254": nowhere, "fe80::1": nowhere, "0.0.0.0": nowhere, "224.0.0.1": nowhere, "::": nowhere,
	} {
		if got := reachOf(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
	for _, tc := range []struct {
		endpoint, asks string
		may            bool
	}{
		{"https://93.184.216.34/mcp", "93.184.216.35", true},
		{"https://93.184.216.34/mcp", "10.0.0.1", false},
		{"https://93.184.216.34/mcp", "127.0.0.1", false},
		{"https://10.0.0.1/mcp", "10.0.0.2", true},
		{"https://10.0.0.1/mcp", "127.0.0.1", false},
		{"https://10.0.0.1/mcp", "93.184.216.34", true},
		{"http://localhost/mcp", "10.0.0.1", true},
		{"http://localhost/mcp", "169.254.169.254", false},
	} {
		u, _ := url.Parse(tc.endpoint)
		err := newGuard(u, nil, nil).checkAddress(context.Background(), netip.MustParseAddr(tc.asks))
		if (err == nil) != tc.may {
			t.Errorf("%s leads to %s: %v", tc.endpoint, tc.asks, err)
		}
	}
}

func TestPublicServerCannotLeadInside(t *testing.T) {
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a server inside was asked") }))
	defer inside.Close()
	port := inside.URL[strings.LastIndex(inside.URL, ":"):]
	u, _ := url.Parse("https://93.184.216.34/mcp")
	dialer := &http.Transport{DialContext: (&net.Dialer{}).DialContext}
	for _, base := range []*http.Client{nil, {Transport: &http.Transport{}}, {Transport: dialer}, {Transport: &http.Transport{Proxy: func(*http.Request) (*url.URL, error) { return url.Parse(inside.URL) }}}} {
		g := newGuard(u, base, nil)
		for _, address := range []string{"http://127.0.0.1" + port, "http://[::1]" + port, "https://127.0.0.1" + port} {
			_, err := g.reading().Get(address)
			var guarded *guardError
			if !errors.As(err, &guarded) || !strings.Contains(err.Error(), "inside a network") {
				t.Errorf("%s: %v", address, err)
			}
		}
		g.close()
	}
}
