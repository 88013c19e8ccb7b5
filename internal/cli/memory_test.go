package cli

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"belay/mcpclient"
	"belay/session/secret"
)

// remembering is a memory of a server, with settings of its own.
func remembering(t *testing.T, target target, opts mcpclient.Options) *memory {
	t.Helper()
	opts.Now = time.Now
	return newMemory(opts, placeOf(target, opts))
}

// What belay was given, and what turns out to be secret while it runs, is not kept; what is kept is
// there for the same server, whoever belay is there.
func TestTheMemoryKeepsNoSecret(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", home)
	t.Setenv("AppData", home)
	opts := mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: "https://example.com/mcp", Header: http.Header{"X-Team": {"team-4711"}}}}
	m := remembering(t, target{}, opts)
	if err := m.Remember("tools/call", "t", []byte(`{"a":"team-4711","b":"learnt-0815","c":"plain"}`), []string{"d"}); err != nil {
		t.Fatal(err)
	}
	m.learn(secret.Value{Text: "learnt-0815"})
	if err := m.Remember("tools/call", "t", []byte(`{"a":"team-4711","b":"learnt-0815","c":"plain","d":"x"}`), []string{"d"}); err != nil {
		t.Fatal(err)
	}
	opts.HTTP.Header = nil
	other := remembering(t, target{}, opts)
	sets, err := other.Earlier("tools/call", "t")
	if err != nil || len(sets) != 2 {
		t.Fatalf("%v: %v", err, sets)
	}
	for i, want := range []string{`{"c":"plain"} a b d`, `{"b":"learnt-0815","c":"plain"} a`} {
		if got := string(sets[i].Arguments) + " " + strings.Join(sets[i].Without, " "); got != want {
			t.Errorf("%d: %s, want %s", i, got, want)
		}
	}
	if n, err := other.Forget(); n != 2 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	other.finish(t.Context())
}

// The demo server is one server wherever belay lies; a command in another directory is another.
func TestThePlaceOfAServer(t *testing.T) {
	place := func(demo bool, dir string, argv ...string) string {
		return strings.Join(placeOf(target{demo: demo}, mcpclient.Options{Command: argv, Dir: dir}).Place, " ")
	}
	if place(true, "", "/a/belay", "demo") != place(true, "", "/b/belay", "demo") {
		t.Error("the demo server is another in another build")
	}
	if place(false, "/a", "./server") == place(false, "/b", "./server") || place(false, "/a", "./server") == place(false, "/a", "./server", "-v") {
		t.Error("two servers are one")
	}
}

// A memory that is switched off keeps and offers nothing, but deletes what earlier runs have kept.
func TestAMemoryThatIsSwitchedOffForgets(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, home)
	}
	opts := mcpclient.Options{Command: []string{"server"}, Now: time.Now}
	earlier := remembering(t, target{}, opts)
	if err := earlier.Remember("tools/call", "t", []byte(`{"a":1}`), nil); err != nil {
		t.Fatal(err)
	}
	off := remembering(t, target{}, opts).switchOff("no arguments are kept (--no-memory)")
	if err := off.Remember("tools/call", "t", []byte(`{"a":2}`), nil); err != nil {
		t.Fatal(err)
	}
	if sets, err := off.Earlier("tools/call", "t"); err != nil || len(sets) > 0 {
		t.Errorf("it offers %v, %v", sets, err)
	}
	if off.Absent() != "" || off.Forgetful() == "" {
		t.Errorf("%q, %q", off.Absent(), off.Forgetful())
	}
	if n, err := off.Forget(); n != 1 || err != nil {
		t.Errorf("forgot %d, %v", n, err)
	}
	if sets, err := earlier.Earlier("tools/call", "t"); err != nil || len(sets) > 0 {
		t.Errorf("%v are there still, %v", sets, err)
	}
}

// A memory that is switched off touches nothing, and says why; so does one without a directory.
func TestAMemoryThatKeepsNothing(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		t.Setenv(name, "")
	}
	opts := mcpclient.Options{Command: []string{"/bin/true"}}
	nowhere := remembering(t, target{demo: true}, opts)
	for why, m := range map[string]*memory{"--no-memory": remembering(t, target{demo: true}, opts).switchOff("no arguments are kept (--no-memory)"), "no directory": nowhere} {
		m.learn(secret.Value{Text: "x"})
		err := m.Remember("tools/call", "t", []byte(`{"a":1}`), nil)
		sets, readErr := m.Earlier("tools/call", "t")
		n, forgetErr := m.Forget()
		if err != nil || readErr != nil || forgetErr != nil || len(sets) > 0 || n != 0 || !strings.Contains(m.Forgetful(), why) {
			t.Errorf("%s: %v, %v, %v, %d sets, %q", why, err, readErr, forgetErr, len(sets), m.Forgetful())
		}
		m.finish(t.Context())
	}
}
