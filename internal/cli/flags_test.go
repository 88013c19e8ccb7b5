package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"belay/internal/caution"
	"belay/internal/requirements"
	"belay/mcpclient"
	"belay/session"
	"belay/session/mcp"
)

func parse(t *testing.T, args ...string) (flags, error) {
	t.Helper()
	var f flags
	set := pflag.NewFlagSet("belay", pflag.ContinueOnError)
	f.add(set)
	err := set.Parse(args)
	return f, err
}

func TestConfigFromFlags(t *testing.T) {
	f, err := parse(t, "--protocol", "2025-06-18", "--reason", "enough", "--timeout", "30s", "--max-timeout", "0",
		"--grace", "2s", "--no-probe", "--no-sampling", "--ping-every", "10s", "--no-urls", "--strict-asks", "--anonymous", "--no-sse", "--no-listen")
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.config()
	if err != nil {
		t.Fatal(err)
	}
	if got.Pin != mcp.Rev20250618 || got.Reason != "enough" || got.Idle != 30*time.Second || got.Max >= 0 ||
		got.Grace != 2*time.Second || !got.NoProbe || !got.NoSampling || got.NoElicitation || got.PingEvery != 10*time.Second ||
		!got.NoURLs || got.NoForms || got.SamplingTools || !got.StrictAsks || !got.Anonymous || !got.NoSSE || !got.NoListen {
		t.Errorf("%+v", got)
	}
}

func TestDefaultsOfTheFlags(t *testing.T) {
	requirements.Rows(t, "TMO-03")
	f, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.config()
	if err != nil {
		t.Fatal(err)
	}
	if got.Pin != "" || got.Idle != 5*time.Minute || got.Max != time.Hour || got.Grace != 5*time.Second || got.Reason != session.DefaultReason {
		t.Errorf("%+v", got)
	}
}

// The server's word on its tools counts when the user says so, or when the server
// is belay's own.
func TestCautionFromFlags(t *testing.T) {
	requirements.Rows(t, "SRV-03", "SRV-09")
	for _, tt := range []struct {
		args  []string
		demo  bool
		want  caution.Level
		trust bool
	}{
		{nil, false, caution.Destructive, false},
		{nil, true, caution.Destructive, true},
		{[]string{"--confirm", "never"}, false, caution.Never, false},
		{[]string{"--confirm", "unknown", "--trust"}, false, caution.Unknown, true},
		{[]string{"--confirm", "always"}, true, caution.Always, true},
	} {
		var l looks
		set := pflag.NewFlagSet("belay", pflag.ContinueOnError)
		l.add(set)
		if err := set.Parse(tt.args); err != nil {
			t.Fatal(err)
		}
		if o, err := l.options(tt.demo); err != nil || o.Confirm != tt.want || o.Trusted != tt.trust {
			t.Errorf("%v: %v, trusted %v, %v", tt.args, o.Confirm, o.Trusted, err)
		}
	}
	wrong := looks{confirm: "sometimes"}
	if _, err := wrong.options(false); err == nil || !strings.Contains(err.Error(), "never, destructive, unknown, always") {
		t.Errorf("%v", err)
	}
}

// The demo server is spoken to by handshake, unless the user says otherwise.
func TestTheRevisionOfTheDemo(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		pin   mcp.Revision
		probe bool
	}{
		{nil, "", false}, {[]string{"--protocol", "auto"}, "", true}, {[]string{"--protocol", "2026-07-28"}, mcp.Rev20260728, true},
	} {
		for _, demo := range []bool{true, false} {
			f, err := parse(t, tt.args...)
			if err != nil {
				t.Fatal(err)
			}
			opts, err := clientOptions(target{argv: []string{"x"}, demo: demo}, &f)
			if err != nil {
				t.Fatal(err)
			}
			if got := opts.Session; got.Pin != tt.pin || (got.DiscoverLimit >= 0) != (tt.probe || !demo) {
				t.Errorf("%v, demo %v: pin %q, probe %v", tt.args, demo, got.Pin, got.DiscoverLimit)
			}
		}
	}
}

func TestWrongFlagsSayWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o000); err != nil {
		t.Fatal(err)
	}
	vars := write(t, "A=s3cr3t\ns3cr3t\n", t.TempDir(), ".env")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"--protocol", "1.0"}, "no revision that belay speaks"},
		{[]string{"--timeout", "-5s"}, "cannot be negative"},
		{[]string{"--grace", "0"}, "at least a moment"},
		{[]string{"--timeout", "30"}, "a time has a unit, such as 300ms"},
		{[]string{"--root", filepath.Join(file, "no")}, "--root"},
		{[]string{"--root", "no-such-directory"}, "no such file"},
		{[]string{"--root", ""}, "--root takes a directory"},
		{[]string{"--ping-every", "1s"}, "at least 5s"},
		{[]string{"--root", os.Args[0]}, "is not a directory"},
		{[]string{"--client-metadata", "http://x"}, "no client ID metadata address"},
		{[]string{"--client-redirect", "http://example.com"}, "no redirect address"},
		{[]string{"--client-secret", "s3cr3t"}, "needs a client ID"},
		{[]string{"--client-issuer", "http://auth.example.com"}, "is no authorization server: the address http://auth.example.com is not https"},
		{[]string{"--client-issuer", "HTTP://auth.example.com"}, "the address http://auth.example.com is not https"},
		{[]string{"--client-issuer", "https://me:s3cr3t@auth.example.com/x"}, `"https://auth.example.com/x" is no authorization server: its address must have no user name, no query and no fragment`},
		{[]string{"--client-issuer", "https://auth.example.com/x?key=s3cr3t"}, `"https://auth.example.com/x?…" is no authorization server: its address must have no user name, no query and no fragment`},
		{[]string{"--client-issuer", "https://auth.example.com/x#"}, `"https://auth.example.com/x" is no authorization server: its address must have no user name, no query and no fragment`},
		{[]string{"--client-issuer", " https://auth.example.com"}, `"https://auth.example.com" is no authorization server: there is a blank before or after it`},
		{[]string{"--client-issuer", "https://me:s3cr3t%zz@auth.example.com"}, `"https://auth.example.com" is no authorization server: it is no address`},
		{[]string{"--client-metadata", "http://me:s3cr3t@x/y"}, `"http://x/y" is no client ID metadata address`},
		{[]string{"--client-redirect", "http://me:s3cr3t@example.com/?s3cr3t"}, `"http://example.com/?…" is no redirect address`},
		{[]string{"--client-credentials", "--client-id", "x"}, "needs a client ID and a client secret"},
		{[]string{"--client-id", ""}, "--client-id is empty"},
		{[]string{"--record", ""}, "--record is empty"},
		{[]string{"--record", "-"}, "there the screen is"},
		{[]string{"--record-unmasked"}, "there is none without --record"},
		{[]string{"--timeout", "10m", "--max-timeout", "5m"}, "--timeout 10m0s never comes"},
		{[]string{"--timeout", "2h"}, "ends a call after 1h0m0s"},
		{[]string{"--header", "nocolon"}, "Name: value"},
		{[]string{"--env", "=x"}, "NAME=value, or NAME"},
		{[]string{"--wrap", ""}, "--wrap is empty"},
		{[]string{"--env-file", ""}, "--env-file needs the name of a file"},
		{[]string{"--env-file", "no-such-file"}, `--env-file: there is no file "no-such-file"`},
		{[]string{"--env-file", t.TempDir()}, "it is no regular file, but a directory"},
		{[]string{"--env-file", vars}, vars + ":2:1: this line is not of the form NAME=value"},
		{[]string{"--max-message", "much"}, "a size between"},
	} {
		f, err := parse(t, tt.args...)
		if err == nil {
			err = f.check()
		}
		if err == nil || strings.Contains(err.Error(), "s3cr3t") || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %q", tt.args, err, tt.want)
		}
	}
}

// A variable comes from the entry, then from a file, then from --env; a file is
// read once.
func TestVariablesFromAFile(t *testing.T) {
	dir := t.TempDir()
	first, second := write(t, "# for a test\nA=1\nexport B=\"2 2\"\nC=3", dir, "one.env"), write(t, "C=4", dir, "two.env")
	f, err := parse(t, "--env-file", first, "--env", "A=typed", "--env-file="+second)
	if err == nil {
		err = f.check()
	}
	if err != nil {
		t.Fatal(err)
	}
	write(t, "A=changed", dir, "one.env")
	opts, err := clientOptions(target{argv: []string{"x"}, env: []string{"B=entry", "D=entry"}}, &f)
	if want := []string{"B=entry", "D=entry", "A=1", "B=2 2", "C=3", "C=4", "A=typed"}; err != nil || !slices.Equal(opts.Env, want) {
		t.Errorf("%q, %v, want %q", opts.Env, err, want)
	}
}

// What is said of times fits together, also where only one of them is said.
func TestFlagsThatGoTogether(t *testing.T) {
	for _, args := range [][]string{
		nil,
		{"--max-timeout", "1m"},
		{"--timeout", "2h", "--max-timeout", "0"},
		{"--timeout", "0"},
		{"--timeout", "1m", "--max-timeout", "1m"},
		{"--record", "f", "--record-unmasked"},
		{"--record", "./-"},
		{"--client-id", "x", "--client-secret", "y", "--client-credentials"},
		{"--client-redirect", "http://127.0.0.1:7777/back", "--client-metadata", "https://example.com/me"},
	} {
		f, err := parse(t, args...)
		if err == nil {
			err = f.check()
		}
		if err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}

func TestRootsAreFileURIs(t *testing.T) {
	requirements.Rows(t, "RTS-05", "RTS-09")
	dir := filepath.Join(t.TempDir(), "a b#ü")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{dir, link, filepath.Join(dir, "..", filepath.Base(dir))} {
		r, err := rootOf(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(r.URI, "file:///") || !strings.HasSuffix(r.URI, "/a%20b%23%C3%BC") || strings.Contains(r.URI, "..") {
			t.Errorf("%s is %s", name, r.URI)
		}
	}
}

func TestSizes(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "512B": 512, "64KiB": 64 << 10, "16MiB": 16 << 20, "1GiB": 1 << 30, "2MB": 2_000_000} {
		if got, err := sizeOf(text); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-1MiB", "MiB", "3GiB", "1e3", "1MiBB", "99999999999999999999"} {
		if got, err := sizeOf(text); err == nil {
			t.Errorf("%q is taken as %d", text, got)
		}
	}
}

func TestTarget(t *testing.T) {
	for _, tt := range []struct {
		args []string
		dash int
		want string // of the error; "" for none
	}{
		{nil, -1, ""},
		{[]string{"npx", "server"}, 0, ""},
		{nil, 0, "no command behind --"},
		{[]string{"npx", "server"}, -1, "belay -- npx server"},
		{[]string{"npx", "server"}, 1, "no command of belay"},
		{[]string{"dmeo"}, -1, `did you mean "demo"? To run a server of that name: belay -- dmeo`},
		{[]string{"rplay", "run.jsonl"}, -1, `did you mean "replay"? To run a server of that name: belay -- rplay run.jsonl`},
		{[]string{"server"}, -1, `"server" is no command of belay; to run a server`},
		{[]string{"https://example.com/mcp"}, -1, ""},
		{[]string{"https://example.com/mcp", "x"}, -1, "more behind the address"},
		{[]string{"http://"}, -1, "names no host"},
		{[]string{"ftp://u:s3cr3t@x"}, -1, "belay speaks no ftp: "},
		{[]string{"localhost:8080/mcp"}, -1, "belay http://localhost:8080/mcp"},
		{[]string{"https://example.com/mcp", "server"}, 1, "two servers"},
	} {
		_, err := command(tt.args, tt.dash, newRoot(std{}).SuggestionsFor)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v at %d: %v, want %q", tt.args, tt.dash, err, tt.want)
		}
	}
}

// The words of --wrap stand in front of the server's command, as they are.
func TestAWrapperRunsTheServer(t *testing.T) {
	requirements.Rows(t, "SEC-06")
	f, err := parse(t, "--wrap", "bwrap", "--wrap=--unshare-net", "--wrap", "a b")
	if err != nil {
		t.Fatal(err)
	}
	got, err := target{argv: []string{"npx", "-y", "x"}, shown: []string{"npx", "-y", "${X}"}}.with(&f)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"bwrap", "--unshare-net", "a b", "npx", "-y", "x"}; !slices.Equal(got.argv, want) {
		t.Errorf("run: %q, want %q", got.argv, want)
	}
	if want := []string{"bwrap", "--unshare-net", "a b", "npx", "-y", "${X}"}; !slices.Equal(got.shown, want) {
		t.Errorf("shown: %q, want %q", got.shown, want)
	}
}

// A picture shows IDs as a run does: over HTTP they have as many digits, and the reason is told.
func TestAFrozenClockLeavesIDsAsLongAsTheyAre(t *testing.T) {
	t.Setenv("BELAY_FREEZE_CLOCK", "2026-11-21T12:01:06Z")
	f, err := parse(t)
	if err != nil {
		t.Fatal(err)
	}
	firstOf := func(of target) int64 {
		t.Helper()
		opts, err := clientOptions(of, &f)
		if err != nil {
			t.Fatal(err)
		}
		var first int64
		c := mcpclient.New(opts)
		defer func() { _ = c.Close(t.Context()) }()
		c.View(func(s *session.Session) { first = s.Status().FirstID })
		return first
	}
	of := target{http: mcpclient.HTTPOptions{Endpoint: "http://127.0.0.1:1/mcp"}}
	if a, b := firstOf(of), firstOf(of); a != b || a < 10_000 || a >= 90_000 {
		t.Errorf("over HTTP IDs begin at %d, and then at %d", a, b)
	}
	if got := firstOf(target{argv: []string{"x"}}); got != 1 {
		t.Errorf("over stdio IDs begin at %d", got)
	}
}
