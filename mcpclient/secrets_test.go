//go:build unix

package mcpclient

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"belay/internal/covers"
	dictated "belay/internal/peer"
	"belay/session"
	"belay/session/mcp"
)

// memory is a recording that is kept.
type memory struct{ bytes.Buffer }

// Close implements io.Closer.
func (*memory) Close() error { return nil }

var _ io.WriteCloser = (*memory)(nil)

// What belay was given is masked in what a server repeats, wherever that is.
func TestARecordingHoldsNothingOfTheEnvironment(t *testing.T) {
	covers.Rows(t, "LOG-13")
	secrets := []string{"hunter-22", "postgres://u:pass-22@h/db", "pass-22", "from-the-input", `od"d\-one`, "learnt-later", "handed-on"}
	t.Setenv("BELAY_TEST_OWN", "handed-on")
	for _, keep := range []bool{false, true} {
		var recording memory
		o := options(t, "plain")
		o.Env = append(o.Env, "API_TOKEN=hunter-22", "DATABASE_URL=postgres://u:pass-22@h/db", "ODD="+`od"d\-one`, "MODE=production", "DIR="+os.TempDir(), "BELAY_TEST_OWN")
		o.Secrets = []string{"input=from-the-input"}
		o.Record, o.RecordSecrets = &recording, keep
		c := run(t, o)
		awaitReady(t, c)
		c.learn("learnt-later")
		wantState(t, c, callTool(t, c, "in production at "+os.TempDir()+": "+strings.Join(secrets, " "), `{}`), session.Done)
		closeIt(t, c)
		got := recording.String()
		for _, s := range secrets {
			quoted, _ := json.Marshal(s) // in the message, which is quoted once more in the record
			again, _ := json.Marshal(string(quoted))
			if inside := string(again[3 : len(again)-3]); strings.Contains(got, inside) != keep {
				t.Errorf("%s is in the recording: %v, want %v", inside, !keep, keep)
			}
		}
		if !strings.Contains(got, "in production at "+os.TempDir()) {
			t.Errorf("an ordinary word is gone from %s", got)
		}
	}
}

// So it is with what an address and header fields hold, and with the ID of the
// session.
func TestARecordingHoldsNothingThatWasSent(t *testing.T) {
	covers.Rows(t, "LOG-13")
	const sessionID = "a-session-of-1"
	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow)
	s.On("initialize", func(x *dictated.Exchange) {
		x.With("Mcp-Session-Id", sessionID).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	})
	for _, keep := range []bool{false, true} {
		var recording memory
		c := dial(t, strings.Replace(s.URL(), "://", "://usr:from-the-url@", 1)+"?k=from-the-query", mcp.Rev20251125, func(o *Options) {
			o.Record, o.RecordSecrets = &recording, keep
			o.HTTP.Header = http.Header{"Authorization": {"Token hunter-22"}, "X-Thing": {"some-thing-7"}, "Cookie": {"a=b; sid=a-cookie-7"}}
		})
		awaitReady(t, c)
		id := callTool(t, c, "slow", `{}`)
		x := s.Await("tools/call")
		text, _ := json.Marshal(fmt.Sprintf("%q %s from-the-url", x.Header, x.Path))
		x.JSONResult(`{"content":[{"type":"text","text":` + string(text) + `}],"structuredContent":{"you":["` + sessionID + `"],"` + sessionID + `":1}}`)
		wantState(t, c, id, session.Done)
		closeIt(t, c)
		got := recording.String()
		for _, secret := range []string{sessionID, "hunter-22", "some-thing-7", "a-cookie-7", "from-the-url", "from-the-query"} {
			if strings.Contains(got, secret) != keep {
				t.Errorf("%s is in the recording: %v, want %v: %s", secret, !keep, keep, got)
			}
		}
	}
}

func TestWhatMayBeSecret(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{
		{"MODE", "production", ""},
		{"LEVEL", "DEBUG", ""},
		{"PORT", "8080", ""},
		{"DIR", os.TempDir(), ""},
		{"PATH", os.TempDir() + ":/nowhere/at/all", ""},
		{"URL", "https://example.com/x?page=2", ""},
		{"THING", "a1b2c3d4", "a1b2c3d4"},
		{"THING", "/no+such+path/AbC=", "/no+such+path/AbC="},
		{"PASSWORD", "production", "production"},
		{"WORDS", "correct horse battery", "correct horse battery"},
		{"DB", "postgres://u:p2w@h/db", "p2w,dTpwMnc=,postgres://u:p2w@h/db"},
		{"HOOK", "https://h/x?token=a1b2c3d4", "a1b2c3d4,https://h/x?token=a1b2c3d4"},
		{"PEM", "-----BEGIN-----\nMIIEabcdefgh1234567\n", "MIIEabcdefgh1234567,-----BEGIN-----\nMIIEabcdefgh1234567\n"},
	} {
		if got := strings.Join(secretsIn(tt.name, tt.value), ","); got != tt.want {
			t.Errorf("%s=%s: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}

// What lets in whoever has it is known by its name, or by what it looks like.
func TestCredentials(t *testing.T) {
	for _, tt := range []struct {
		address string
		header  http.Header
		want    []string
	}{
		{"http://h/mcp?page=2", http.Header{"X-Trace": {"on"}, "User-Agent": {"me"}}, nil},
		{"http://h/mcp", http.Header{"Authorization": {"x"}, "Cookie": {"a=b"}, "X-Api-Key": {"1"}}, []string{"Authorization", "Cookie", "X-Api-Key"}},
		{"http://h/mcp", http.Header{"X-Odd": {"on", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"}}, []string{"X-Odd"}},
		{"http://me@h/mcp?api_key=1&key=2&page=2", nil, []string{"the account in the address", "the parameter api_key", "the parameter key"}},
	} {
		if got := (HTTPOptions{Endpoint: tt.address, Header: tt.header}).Credentials(); !slices.Equal(got, tt.want) {
			t.Errorf("%s %v: %q, want %q", tt.address, tt.header, got, tt.want)
		}
	}
}
