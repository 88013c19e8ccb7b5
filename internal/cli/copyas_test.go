package cli

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/shell"
	"belay/mcpclient"
	"belay/session"
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
	limits := session.Detail{Idle: defaultTimeout, Max: defaultMaxTimeout}
	with := func(change func(*session.Detail)) session.Detail {
		d := limits
		change(&d)
		return d
	}
	for what, c := range map[string]struct {
		server target
		flags  []string
		call   session.Detail
		wants  map[string]string // flags of the call itself
	}{
		"a wrapped command": {
			server: target{shown: []string{"sand box", "--ro", "server", "-x"}}, flags: []string{"--wrap=sand box", "--wrap=--ro", "--env-file=my vars.env"}, call: limits,
			wants: map[string]string{"env-file": "[my vars.env]"},
		},
		"a wrapped demo":  {server: target{demo: true, shown: []string{"nice", "belay", "demo"}}, flags: []string{"--wrap=nice"}, call: limits},
		"a wrapped entry": {server: target{shown: []string{"nice", "npx"}}, flags: []string{"--server=x", "--wrap=nice"}, call: limits},
		"a task": {
			server: target{demo: true}, wants: map[string]string{"task": "true", "ttl": "10m0s"},
			call: with(func(d *session.Detail) {
				d.Params, d.Task, d.Idle, d.Max = []byte(`{"name":"x","task":{"ttl":600000}}`), &session.TaskView{}, -1, -1
			}),
		},
		"a task that may live as the server likes": {
			server: target{demo: true}, wants: map[string]string{"task": "true", "ttl": "0s"},
			call: with(func(d *session.Detail) { d.Params = []byte(`{"name":"x","task":{}}`) }),
		},
		"limits of its own": {
			server: target{demo: true}, flags: []string{"--timeout=30s"}, wants: map[string]string{"timeout": "1m30s", "max-timeout": "2m0s"},
			call: with(func(d *session.Detail) { d.Idle, d.Max = 90*time.Second, 2*time.Minute }),
		},
		"no limits": {
			server: target{demo: true}, wants: map[string]string{"timeout": "0s", "max-timeout": "0s"},
			call: with(func(d *session.Detail) { d.Idle, d.Max = -1, -1 }),
		},
		"a silence that never comes": {
			server: target{demo: true}, wants: map[string]string{"timeout": "0s", "max-timeout": "1h0m0s"},
			call: with(func(d *session.Detail) { d.Idle = 2 * time.Hour }),
		},
		"a session's limits": {
			server: target{demo: true}, flags: []string{"--timeout=10s", "--max-timeout=20s"}, wants: map[string]string{"timeout": "10s", "max-timeout": "20s"},
			call: with(func(d *session.Detail) { d.Idle, d.Max = 10*time.Second, 20*time.Second }),
		},
		"cancels": {
			server: target{demo: true}, flags: []string{"--reason=of the session"},
			wants: map[string]string{"cancel-after": "2.5s", "cancel-at": "50%,3,message,answer", "reason": "it's late", "no-progress": "true", "meta": `{"com.example/k":"it's"}`},
			call: with(func(d *session.Detail) {
				d.Rules = session.Rules{After: 2500 * time.Millisecond, AtFraction: 0.5, AtProgress: 3, OnMessage: true, AtAnswer: true, Reason: "it's late"}
				d.NoProgress, d.Params = true, []byte(`{"name":"x","_meta":{"com.example/k":"it's"}}`)
			}),
		},
		"the demo":       {server: target{demo: true, shown: []string{"belay", "demo"}}, call: limits},
		"a command":      {server: target{shown: []string{"./my server", "--a b", "it's", "$X"}}, flags: []string{"--protocol=2025-06-18", "--no-sampling", "--root=/tmp", "--root=/"}, call: limits},
		"an address":     {server: target{http: mcpclient.HTTPOptions{Endpoint: "https://example.com/mcp?a=b&c"}, shown: []string{"https://example.com/mcp?a=b&c"}}, call: limits},
		"a config entry": {server: target{shown: []string{"npx"}}, flags: []string{"--server=my files", "--config=a b.json", "--grace=2s", "--no-motion", "--record=x"}, call: limits},
	} {
		root := newRoot(std{})
		if err := root.ParseFlags(c.flags); err != nil {
			t.Fatal(err)
		}
		words, hidden := callWords(c.server, root.Flags(), copied{&c.call, "the tool's name", []byte(arguments), what == "no limits"}, secret.NewMask(""))
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
		if unchecked, _ := set.GetBool("unchecked"); unchecked != (what == "no limits") {
			t.Errorf("%s: --unchecked is %v", what, unchecked)
		}
		for name, want := range c.wants {
			if got := set.Lookup(name).Value.String(); got != want || strings.Count(strings.Join(words, "\n"), "\n--"+name+"=") > 1 {
				t.Errorf("%s: --%s is %q, not %q: %q", what, name, got, want, words)
			}
		}
		if wrap, _ := set.GetStringArray("wrap"); len(wrap) != wrapped(root.Flags()) {
			t.Errorf("%s: --wrap is %q", what, wrap)
		}
		rest, typed, _, err := (&serverFlags{entry: entryFlags{set: set}}).split(set.Args(), set.ArgsLenAtDash())
		if err != nil || !slices.Equal(rest, []string{"the tool's name"}) {
			t.Errorf("%s: %q, %v", what, rest, err)
		}
		switch {
		case c.server.demo || isNamed(root.Flags()):
			if len(typed) > 0 {
				t.Errorf("%s: %q", what, typed)
			}
		case !slices.Equal(typed, c.server.shown[wrapped(root.Flags()):]):
			t.Errorf("%s: %q", what, typed)
		}
		for _, flag := range c.flags {
			name, value, _ := strings.Cut(strings.TrimPrefix(flag, "--"), "=")
			if _, own := c.wants[name]; own || name == "wrap" {
				continue
			} else if slices.Contains(screenOnly, name) {
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
	call := &session.Detail{Params: []byte(`{"_meta":{"com.example/key":"s3cr3t-value-1"}}`), Rules: session.Rules{Reason: "s3cr3t-value-1"}}
	words, hidden := callWords(target{shown: []string{"server", "--key=s3cr3t-value-1"}}, root.Flags(),
		copied{call, "login", []byte(`{"user":"me","password":"hunter2hunter2","note":"s3cr3t-value-1"}`), false}, opts.Mask())
	line := shell.Join(words...)
	if !hidden || strings.Contains(line, "s3cr3t-value-1") || strings.Contains(line, "hunter2") || !strings.Contains(line, `"user":"me"`) {
		t.Errorf("%v: %s", hidden, line)
	}
	for given, want := range map[string]string{"--client-secret=abc": "--client-secret=***", "--client-secret=${NAME}": "--client-secret=${NAME}"} {
		root := newRoot(std{})
		if err := root.ParseFlags([]string{given}); err != nil {
			t.Fatal(err)
		}
		words, hidden := callWords(target{demo: true}, root.Flags(), copied{call: &session.Detail{}, tool: "login"}, mcpclient.Options{}.Mask())
		if hidden != (given != want) || !slices.Contains(words, want) {
			t.Errorf("%s: %v, %q", given, hidden, words)
		}
	}
	b := &backend{}
	for _, name := range []string{"-x", "--json", "https://example.com"} {
		if line, _, err := b.CommandLine(&session.Detail{}, name, nil); err == nil {
			t.Errorf("%s: %s", name, line)
		}
	}
}
