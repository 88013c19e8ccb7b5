package ui

import (
	"strings"
	"testing"
	"time"

	"belay/ui/login"
)

// On a narrow screen the header says which server it is, whatever there is to say at its right:
// belay's own name gives way first.
func TestTheHeaderNamesTheServerBesideALongStatus(t *testing.T) {
	for _, width := range []int{60, 64, 68, 72, 76, 80} {
		run(t, width, 15, Options{}, func(w *harness) {
			w.handshakeWith(strings.Replace(initResult, `"demo","version":"1.2.0"`, `"mcp-servers/everything","version":"2.0.0"`, 1))
			header := func() string { return strings.Split(w.screen(), "\n")[0] }
			if !strings.HasPrefix(header(), ` belay  ● "mcp-servers/every`) {
				t.Errorf("width %d: %q", width, header())
			}
			w.call("countdown")
			w.feed("%s", `{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{"message":"x","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`)
			w.wait(2 * time.Second)
			for _, want := range []string{`● "mcp-se`, "stdio · 2025-11-25", "1 in flight", "1 asks you"} {
				if !strings.Contains(header(), want) {
					t.Errorf("width %d: the header has no %q: %q", width, want, header())
				}
			}
		})
	}
}

// What was told when the screen began gives way to the server, its light, and what is going on.
func TestTheHeaderNamesTheServerBesideWarnings(t *testing.T) {
	for _, width := range []int{60, 64, 68, 72, 76, 80} {
		run(t, width, 15, Options{Minds: []string{"a cookie goes without TLS", "the file will hold passwords"}}, func(w *harness) {
			w.handshakeWith(strings.Replace(initResult, `"demo","version":"1.2.0"`, `"mcp-servers/everything","version":"2.0.0"`, 1))
			for range 12 {
				w.call("countdown")
			}
			w.feed("%s", `{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{"message":"x","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}`)
			w.wait(2 * time.Second)
			header := strings.Split(w.screen(), "\n")[0]
			wants := []string{`● "mcp-s`, "stdio · 2025-11-25", "12 in flight", "1 asks you"}
			if width >= 72 {
				wants = append(wants, "2 warn")
			}
			for _, want := range wants {
				if !strings.Contains(header, want) {
					t.Errorf("width %d: the header has no %q: %q", width, want, header)
				}
			}
		})
	}
}

// A login is told in a word where the server's name and the revision would be cut for it.
func TestTheHeaderNamesTheServerBesideALogin(t *testing.T) {
	for _, tt := range []struct {
		width int
		want  string
	}{
		{60, ` ● "belay de…"  stdio · 2025-11-25  1 in flight · login · !`},
		{66, ` ● "belay demo"  stdio · 2025-11-25       1 in flight · login · !`},
		{70, ` ● "belay …"  stdio · 2025-11-25  1 in flight · waiting for login · !`},
		{80, ` belay  ● "belay demo"  stdio · 2025-11-25  1 in flight · waiting for login · !`},
	} {
		run(t, tt.width, 15, Options{}, func(w *harness) {
			w.handshakeWith(strings.Replace(initResult, `"demo","version":"1.2.0"`, `"belay demo","version":""`, 1))
			w.call("countdown")
			w.login(in(aLogin(), login.Finding))
			if got := strings.TrimRight(strings.Split(w.screen(), "\n")[0], " "); got != tt.want {
				t.Errorf("width %d:\n%q, want\n%q", tt.width, got, tt.want)
			}
		})
	}
}
