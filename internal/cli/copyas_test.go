package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"belay/internal/shell"
	"belay/mcpclient"
	"belay/session/secret"
)

// What :copy-as gives is read by a real shell, and by belay itself, as the call that it
// was made of: the tool, the arguments, the server and the flags.
func TestACopiedCommandLineIsTheCall(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal("there is no shell here: ", err)
	}
	const arguments = `{"text":"it's \"here\" $HOME ` + "`id`" + ` \\n ☃","n":[1,2.50,null]}`
	for what, c := range map[string]struct {
		server target
		flags  []string
	}{
		"the demo":       {server: target{demo: true, shown: []string{"belay", "demo"}}},
		"a command":      {server: target{shown: []string{"./my server", "--a b", "it's", "$X"}}, flags: []string{"--protocol=2025-06-18", "--no-sampling", "--root=/tmp", "--root=/"}},
		"an address":     {server: target{http: mcpclient.HTTPOptions{Endpoint: "https://example.com/mcp?a=b&c"}, shown: []string{"https://example.com/mcp?a=b&c"}}},
		"a config entry": {server: target{shown: []string{"npx"}}, flags: []string{"--server=my files", "--config=a b.json", "--grace=2s", "--no-motion", "--record=x"}},
	} {
		root := newRoot(std{})
		if err := root.ParseFlags(c.flags); err != nil {
			t.Fatal(err)
		}
		words, hidden := callWords(c.server, root.Flags(), "the tool's name", []byte(arguments), secret.NewMask(""))
		if hidden {
			t.Errorf("%s: something is hidden: %q", what, words)
		}
		out, err := exec.Command(sh, "-c", `belay() { for w; do printf '%s\001' "$w"; done; }; `+shell.Join(words...)).Output() //nolint:gosec // that is the test
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Split(strings.TrimSuffix(string(out), "\x01"), "\x01")
		if !slices.Equal(got, words[1:]) {
			t.Errorf("%s: the shell reads %q, not %q", what, got, words[1:])
		}
		cmd := newCall(std{})
		if err := cmd.ParseFlags(got[1:]); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		set := cmd.Flags()
		if json, _ := set.GetString("json"); json != arguments {
			t.Errorf("%s: %s", what, json)
		}
		rest, typed, _, err := (&serverFlags{entry: entryFlags{set: set}}).split(set.Args(), set.ArgsLenAtDash())
		if err != nil || !slices.Equal(rest, []string{"the tool's name"}) {
			t.Errorf("%s: %q, %v", what, rest, err)
		}
		switch {
		case c.server.demo || what == "a config entry":
			if len(typed) > 0 {
				t.Errorf("%s: %q", what, typed)
			}
		case !slices.Equal(typed, c.server.shown):
			t.Errorf("%s: %q", what, typed)
		}
		for _, flag := range c.flags {
			name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
			if slices.Contains(screenOnly, name) {
				if set.Changed(name) {
					t.Errorf("%s: --%s is repeated", what, name)
				}
			} else if !set.Changed(name) || value != "" && name != "root" && set.Lookup(name).Value.String() != value {
				t.Errorf("%s: --%s is %q", what, name, set.Lookup(name).Value)
			}
		}
	}
}

// No secret is in it, wherever that stood.
func TestACopiedCommandLineHasNoSecrets(t *testing.T) {
	opts := mcpclient.Options{Env: []string{"API_TOKEN=s3cr3t-value-1"}, HTTP: mcpclient.HTTPOptions{}}
	root := newRoot(std{})
	if err := root.ParseFlags([]string{"--env=API_TOKEN=s3cr3t-value-1"}); err != nil {
		t.Fatal(err)
	}
	words, hidden := callWords(target{shown: []string{"server", "--key=s3cr3t-value-1"}}, root.Flags(), "login",
		[]byte(`{"user":"me","password":"hunter2hunter2","note":"s3cr3t-value-1"}`), opts.Mask())
	line := shell.Join(words...)
	if !hidden || strings.Contains(line, "s3cr3t-value-1") || strings.Contains(line, "hunter2") || !strings.Contains(line, `"user":"me"`) {
		t.Errorf("%v: %s", hidden, line)
	}
	for given, want := range map[string]string{"--client-secret=abc": "--client-secret=***", "--client-secret=${NAME}": "--client-secret=${NAME}"} {
		root := newRoot(std{})
		if err := root.ParseFlags([]string{given}); err != nil {
			t.Fatal(err)
		}
		words, hidden := callWords(target{demo: true}, root.Flags(), "login", nil, mcpclient.Options{}.Mask())
		if hidden != (given != want) || !slices.Contains(words, want) {
			t.Errorf("%s: %v, %q", given, hidden, words)
		}
	}
	b := &backend{}
	for _, name := range []string{"-x", "--json", "https://example.com"} {
		if line, _, err := b.CommandLine(name, nil); err == nil {
			t.Errorf("%s: %s", name, line)
		}
	}
}
