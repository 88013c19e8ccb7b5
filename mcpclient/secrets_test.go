//go:build unix

package mcpclient

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	dictated "belay/internal/peer"
	"belay/internal/requirements"
	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// memory is a recording that is kept.
type memory struct{ bytes.Buffer }

// Close implements io.Closer.
func (*memory) Close() error { return nil }

var _ io.WriteCloser = (*memory)(nil)

// What belay was given is masked in what a server repeats, wherever that is.
func TestARecordingHoldsNothingOfTheEnvironment(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	secrets := []string{"hunter-22", "postgres://u:pass-22@h/db", "pass-22", "from-the-input", `od"d\-one`, "learnt-later", "handed-on", "production", os.TempDir() + "/x", "option-22"}
	t.Setenv("BELAY_TEST_OWN", "handed-on")
	for _, keep := range []bool{false, true} {
		var recording memory
		o := options(t, "plain")
		o.Env = append(o.Env, "API_TOKEN=hunter-22", "DATABASE_URL=postgres://u:pass-22@h/db", "ODD="+`od"d\-one`, "MODE=production", "DIR="+os.TempDir()+"/x", "BELAY_TEST_OWN", "LEVEL=debug")
		o.Command = append(o.Command, "--api-key", "option-22")
		o.Secrets = []string{"input=from-the-input"}
		o.Record, o.RecordUnmasked = &recording, keep
		c := run(t, o)
		awaitReady(t, c)
		c.learnTexts("learnt-later")
		wantState(t, c, callTool(t, c, "to debug: "+strings.Join(secrets, " "), `{"level":"debug","encoded":"`+base64.StdEncoding.EncodeToString([]byte("me:hunter-22"))+`"}`), session.Done)
		closeIt(t, c)
		got := recording.String()
		for _, s := range secrets {
			quoted, _ := json.Marshal(s) // in the message, which is quoted once more in the record
			again, _ := json.Marshal(string(quoted))
			if inside := string(again[3 : len(again)-3]); strings.Contains(got, inside) != keep {
				t.Errorf("%s is in the recording: %v, want %v", inside, !keep, keep)
			}
		}
		for text, want := range map[string]bool{"to debug": true, `\"level\":\"debug\"`: keep, "bWU6aHVudGVyLTIy": keep, "aHVudGVy": keep} {
			if strings.Contains(got, text) != want {
				t.Errorf("%s is in the recording: %v, want %v: %s", text, !want, want, got)
			}
		}
		first, _, _ := strings.Cut(got, "\n")
		if says := `"masked":{"anywhere":`; strings.Contains(first, says) == keep || strings.Contains(first, `"unmasked":true`) != keep {
			t.Errorf("the first line says not what is masked: %s", first)
		}
	}
}

// So it is with what an address and header fields hold, and with the ID of the
// session.
func TestARecordingHoldsNothingThatWasSent(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	const sessionID = "a-session-of-1"
	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow)
	s.On("initialize", func(x *dictated.Exchange) {
		x.With("Mcp-Session-Id", sessionID).JSONResult(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"peer","version":"1"}}`)
	})
	for _, keep := range []bool{false, true} {
		var recording memory
		c := dial(t, strings.Replace(s.URL(), "://", "://usr:from-the-url@", 1)+"?k=from-the-query", mcp.Rev20251125, func(o *Options) {
			o.Record, o.RecordUnmasked = &recording, keep
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

// A media type comes in lower case, whatever the server wrote; programs write variables
// in capitals.
func TestARecordingHoldsNothingInAnotherCase(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	const key = "Hunter-Two-Key"
	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow)
	var recording memory
	c := dial(t, s.URL(), mcp.Rev20251125, func(o *Options) {
		o.Record, o.HTTP.Header = &recording, http.Header{"X-Key": {key}}
	})
	awaitReady(t, c)
	id := callTool(t, c, "slow", `{}`)
	s.Await("tools/call").Answer(http.StatusOK, key+"/plain", "the key is "+strings.ToUpper(key))
	wantState(t, c, id, session.Failed)
	closeIt(t, c)
	got := recording.String()
	if stars := strings.Repeat("*", len(key)); strings.Contains(strings.ToLower(got), strings.ToLower(key)) || !strings.Contains(got, stars+"/plain") || !strings.Contains(got, "the key is "+stars) {
		t.Errorf("the key is in the recording, or what is around it is not: %s", got)
	}
}

// Where belay keeps only a part of what a server said, it may have cut a value in two.
func TestARecordingHoldsNoPartOfWhatWasCut(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	key := strings.Repeat("0123456789", 6) + "wxyz"
	cut := func(recording *memory, marks ...string) {
		t.Helper()
		got := recording.String()
		if strings.Contains(got, key[:6]) {
			t.Errorf("a part of the key is in the recording: %s", got)
		}
		for _, mark := range marks {
			if !strings.Contains(got, mark+"******") {
				t.Errorf("nothing was cut behind %s: %s", mark, got)
			}
		}
	}
	var recording memory
	o := options(t, "says its key at the cuts")
	o.Env, o.MaxLine, o.Record = append(o.Env, "BELAY_TEST_KEY="+key), 8<<10, &recording
	c := run(t, o)
	awaitReady(t, c)
	wantState(t, c, callTool(t, c, "any", `{}`), session.Failed)
	closeIt(t, c)
	cut(&recording, "eeeee", "mmmmm")
	if got := strings.Count(recording.String(), "e**"); got != 3 { // the second line comes twice
		t.Errorf("%d lines were cut: %s", got, recording.String())
	}

	s := newScripted(t, mcp.Rev20251125)
	s.Handshake("2025-11-25", slow)
	recording = memory{}
	c = s.connect(func(o *Options) {
		o.Record, o.HTTP.Header = &recording, http.Header{"X-Thing": {key}}
	})
	half := func(n int, letter string) string { return strings.Repeat(letter, n-len(key)/2) + key + " and more" }
	refused := callTool(t, c, "slow", `{}`)
	s.Await("tools/call").Answer(http.StatusBadRequest, "text/plain", half(maxPreview, "b"))
	wantState(t, c, refused, session.Failed)
	answered := callTool(t, c, "slow", `{}`)
	x := s.Await("tools/call").SSE()
	x.Event(dictated.Event{Name: "other", ID: half(8<<10, "i"), Data: half(maxErrorBody, "d")})
	x.Event(dictated.Event{Name: half(8<<10, "n"), Data: "x"}).Result(`{"content":[]}`)
	wantState(t, c, answered, session.Done)
	closeIt(t, c)
	cut(&recording, "bbbbb", "iiiii", "ddddd", "nnnnn")
}

func TestWhatMayBeSecret(t *testing.T) {
	for _, tt := range []struct{ name, value, want string }{ // after all of the value
		{"MODE", "production", ""},
		{"PORT", "8080", ""},
		{"PATH", "/usr/bin:/bin", ""},
		{"URL", "https://example.com/x?page=2", "page=2"},
		{"DB", "postgres://u:p2w@h/db", "=p2w,Authorization=dTpwMnc="},
		{"HOOK", "https://h/x?token=a1b2c3d4", "token=a1b2c3d4,token=a1b2c3d4"},
		{"GIT", "https://a1b2c3d4@h/x", "=a1b2c3d4,Authorization=YTFiMmMzZDQ6YTFiMmMzZDQ="},
		{"DSN", "me:p2w@tcp(h)/db", "DSN=p2w"},
		{"DSN", "host=h password=p2w", "password=p2w"},
		{"DSN", "Server=h;Pwd=p2w;Encrypt=true", "Pwd=p2w"},
		{"PEM", "-----BEGIN-----\nMIIEabcdefgh1234567\n", "PEM=-----BEGIN-----\nMIIEabcdefgh1234567,PEM=MIIEabcdefgh1234567"},
		{"PADDED", " a1b2c3d4\n", "PADDED=a1b2c3d4"},
		{"KEY", `{"type":"account","x":[{"private_key":"a1b2"}]}`, "private_key=a1b2"},
		{"AUTH_HEADER", "Bearer a1b2c3d4", "AUTH_HEADER=a1b2c3d4"},
		{"Authorization", "Custom a1b2c3d4", "Authorization=a1b2c3d4"},
		{"Authorization", "Basic bWU6cDJ3", "Authorization=bWU6cDJ3,password=p2w"},
		{"Cookie", "a=b; sid=c3d4", "a=b,sid=c3d4"},
	} {
		var got []string
		for _, v := range secretsIn(tt.name, tt.value)[1:] {
			got = append(got, v.Name+"="+v.Text)
		}
		if got := strings.Join(got, ","); got != tt.want {
			t.Errorf("%s=%s: %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
}

// The name of a program is no secret where a variable tells which program to run. A path is one, as
// everything else is, and so is the name of a program behind the name of a secret.
func TestTheNameOfAProgramIsNoSecret(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	program := filepath.Join(dir, "transcoder")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "notes-file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		variable string
		masked   bool
	}{
		{"ENCODER=transcoder", false},
		{"ENCODER=transcoder2", true},
		{"ENCODER=transcoder -x", true},
		{"ENCODER=" + program, true},
		{"ENCODER=notes-file", true}, // nothing that runs
		{"MODE=production", true},
		{"ENCODER_TOKEN=transcoder", true},
		{"PASSWORD=transcoder", true},
		{"API_KEY=transcoder", true},
	} {
		_, value, _ := strings.Cut(tt.variable, "=")
		mask := Options{Env: []string{tt.variable}}.Mask()
		for _, text := range []string{"still running: " + value + " in.mp4", `{"text":"` + value + `"}`} {
			if got := mask.RedactText(text); strings.Contains(got, value) == tt.masked {
				t.Errorf("%s: %s", tt.variable, got)
			}
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

// Of the command it is what stands behind the name of a secret.
func TestSecretsInTheCommand(t *testing.T) {
	got := fmt.Sprint(secretsInCommand([]string{"npx", "-y", "server", "--api-key", "a1", "--token=b2", "--max-tokens", "5", "PASSWORD=c3", "password", "d4", "--pin"}))
	if want := "[{api-key a1} {token b2} {PASSWORD c3} {pin }]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Of the variables that are only handed on, an address may hold a password.
func TestPasswordsOfProxies(t *testing.T) {
	t.Setenv("HTTPS_PROXY", "http://me:pr0xy-22@h:1")
	t.Setenv("LANG", "en_US.UTF-8")
	all := fmt.Sprint(Options{Command: []string{"x"}}.secrets())
	if !strings.Contains(all, "pr0xy-22") || strings.Contains(all, "UTF-8") {
		t.Error(all)
	}
}

// Whoever wants to know what turns out to be secret is told, whether there is a recording or not.
func TestWhatTurnsOutToBeSecretIsTold(t *testing.T) {
	var told []secret.Value
	c := New(Options{Command: []string{"true"}, Learn: func(values ...secret.Value) { told = append(told, values...) }})
	c.Conceal(secret.Value{Name: "a", Text: "b"})
	c.learnTexts("c")
	if want := []secret.Value{{Name: "a", Text: "b"}, {Text: "c"}}; !slices.Equal(told, want) {
		t.Errorf("told %v", told)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
}
