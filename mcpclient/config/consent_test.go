package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/mcpclient/settings"
)

func one(t *testing.T, path, text string) *Opened {
	t.Helper()
	f, err := Parse(Place{Path: path}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	o, err := f.Servers[0].Open(facts(nil))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestAConsentIsForOneEntryAsItIs(t *testing.T) {
	c := Consents{Path: filepath.Join(t.TempDir(), "new", "belay", "consents")}
	allowed := one(t, "/p/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-a"], "env": {"K": "`+canary+`"}}}}`)
	if known, err := c.Has(allowed); known || err != nil {
		t.Fatalf("allowed before it was: %v", err)
	}
	if err := c.Add(allowed); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		what, path, text string
		want             bool
	}{
		{"the same", "/p/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-a"], "env": {"K": "` + canary + `"}}}}`, true},
		{"with comments", "/p/mcp.json", "// hello\n" + `{"servers": {"x": { "command": "run", /* ! */ "args": ["-a",], "env": {"K": "` + canary + `"} }, "y": {"command": "z"}}}`, true},
		{"another argument", "/p/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-b"], "env": {"K": "` + canary + `"}}}}`, false},
		{"another value", "/p/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-a"], "env": {"K": "other"}}}}`, false},
		{"another variable", "/p/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-a"], "env": {"NODE_OPTIONS": "` + canary + `"}}}}`, false},
		{"another directory", "/p/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-a"], "env": {"K": "` + canary + `"}, "cwd": "/"}}}`, false},
		{"another name", "/p/mcp.json", `{"servers": {"z": {"command": "run", "args": ["-a"], "env": {"K": "` + canary + `"}}}}`, false},
		{"another file", "/q/mcp.json", `{"servers": {"x": {"command": "run", "args": ["-a"], "env": {"K": "` + canary + `"}}}}`, false},
	} {
		if got, err := c.Has(one(t, tt.path, tt.text)); got != tt.want || err != nil {
			t.Errorf("%s: %v, %v", tt.what, got, err)
		}
	}
	text, err := os.ReadFile(c.Path)
	if err != nil || strings.Contains(string(text), canary) || !strings.Contains(string(text), `"/p/mcp.json" "x"`) {
		t.Errorf("%v, kept is %q", err, text)
	}
}

// What a file says of an input that the entry takes is allowed with the entry, wherever it is
// taken; an input that it does not take may change.
func TestAConsentIsForTheInputsOfTheEntry(t *testing.T) {
	requirements.Rows(t, "SEC-03")
	const picked = `{"id": "k", "type": "pickString", "options": [{"label": "quiet", "value": "-q"}, "-v"], "default": "-v"}`
	const typed = `{"id": "k", "type": "promptString", "description": "A word", "default": "w"}`
	const other = `{"id": "other", "type": "promptString", "default": "o"}`
	for name, entry := range map[string]string{
		"an argument":  `{"command": "run", "args": ["-a", "x${input:k}"]}`,
		"the command":  `{"command": "${input:k}"}`,
		"a variable":   `{"command": "run", "env": {"K": "${input:k}"}}`,
		"the folder":   `{"command": "run", "cwd": "${input:k}"}`,
		"the address":  `{"url": "https://a.example/${input:k}"}`,
		"a header":     `{"url": "https://a.example/", "headers": {"X-K": "${input:k}"}}`,
		"as an escape": `{"command": "run", "args": ["\u0024{\u0069nput:k}"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			with := func(input, other string) string {
				return `{"inputs": [` + input + `, ` + other + `], "servers": {"x": ` + entry + `}}`
			}
			for _, from := range []string{picked, typed} {
				c := Consents{Path: filepath.Join(t.TempDir(), "belay", "consents")}
				if err := c.Add(one(t, "/p/mcp.json", with(from, other))); err != nil {
					t.Fatal(err)
				}
				for change, want := range map[[2]string]bool{
					{"", ""}:                               true,
					{`"o"`, `"p"`}:                         true,
					{`"-q"`, `"-c evil"`}:                  from == typed,
					{`"quiet"`, `"loud"`}:                  from == typed,
					{`, "-v"]`, `, "-v", "-w"]`}:           from == typed,
					{`"default": "-v"`, `"default": "-q"`}: from == typed,
					{`, "default": "w"`, ``}:               from == picked,
					{`"default": "w"`, `"default": "x"`}:   from == picked,
					{`"A word"`, `"A password"`}:           from == picked,
					{`"type": "promptString", "description"`, `"type": "promptString", "password": true, "description"`}: from == picked,
				} {
					text := strings.Replace(with(from, other), change[0], change[1], 1)
					if got, err := c.Has(one(t, "/p/mcp.json", text)); got != want || err != nil {
						t.Errorf("%q for %q: %v, %v", change[1], change[0], got, err)
					}
				}
			}
		})
	}
}

func TestConsentsAreTheUsersOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("a mode says nothing on Windows; the profile is the user's own there")
		return
	}
	c := Consents{Path: filepath.Join(t.TempDir(), "belay", "consents")}
	for i, name := range []string{"a", "b"} {
		if err := c.Add(one(t, "/p/mcp.json", `{"servers": {"`+name+`": {"command": "run"}}}`)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(c.Path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if i == 0 { // somebody opens it; the next consent closes it again
			if err := os.Chmod(c.Path, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestALongNameDoesNotLoseTheConsents(t *testing.T) {
	c := Consents{Path: filepath.Join(t.TempDir(), "consents")}
	s := one(t, "/p/mcp.json", `{"servers": {"`+strings.Repeat("n", 1<<20)+`": {"command": "run"}}}`)
	other := one(t, "/p/mcp.json", `{"servers": {"x\n": {"command": "run"}}}`)
	for _, s := range []*Opened{s, other} {
		if err := c.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []*Opened{s, other} {
		if known, err := c.Has(s); !known || err != nil {
			t.Errorf("%v, %v", known, err)
		}
	}
}

func TestWithoutADirectoryNothingIsRemembered(t *testing.T) {
	s := one(t, "/p/mcp.json", `{"servers": {"x": {"command": "run"}}}`)
	if known, err := (Consents{}).Has(s); known || err != nil {
		t.Errorf("%v, %v", known, err)
	}
	if err := (Consents{}).Add(s); err == nil {
		t.Error("remembered, but where?")
	}
}

// A consent is for the envFile as it was read: whatever changes in it is asked
// about, and only what was asked about runs.
func TestAConsentCoversTheEnvFile(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, ".env")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	entry := func() *Opened {
		t.Helper()
		return one(t, filepath.Join(dir, "mcp.json"), `{"servers": {"x": {"command": "run", "envFile": "`+filepath.ToSlash(file)+`"}}}`)
	}
	c := Consents{Path: filepath.Join(dir, "consents")}
	write("A=" + canary)
	allowed := entry()
	if err := c.Add(allowed); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"A=" + canary: true, "A=other": false, "A=" + canary + "\nLD_PRELOAD=x": false, "A=" + canary + "\n": false, "": false,
	} {
		write(text)
		if got, err := c.Has(entry()); got != want || err != nil {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	// What was opened stays what it is, though the file is another by now.
	l, err := allowed.Resolve()
	if err != nil || !slices.Equal(l.Env, []string{"A=" + canary}) || !slices.Equal(allowed.Vars.Names(), []string{"A"}) {
		t.Errorf("%q, %v", l.Env, err)
	}
	if known, err := c.Has(allowed); !known || err != nil {
		t.Errorf("%v, %v", known, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if l, err := allowed.Resolve(); err != nil || len(l.Env) != 1 {
		t.Errorf("%q, %v", l.Env, err)
	}
	if text, err := os.ReadFile(c.Path); err != nil || strings.Contains(string(text), canary) {
		t.Errorf("%v, kept is %q", err, text)
	}
}

// The name of an envFile may be asked for; each input is asked for once.
func TestTheNameOfAnEnvFileIsAskedForOnce(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "test.env"), []byte("A=1"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Parse(Place{Path: filepath.Join(dir, "mcp.json"), Folder: dir}, []byte(
		`{"inputs": [{"id": "k", "type": "promptString"}], "servers": {"x": {"command": "run", "args": ["${input:k}"], "envFile": "${input:k}.env"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	what, asked := facts(nil), 0
	what.Input = func(Input) (string, error) { asked++; return "test", nil }
	l, err := resolved(f.Servers[0], what)
	if err != nil || asked != 1 || !slices.Equal(l.Command, []string{"run", "test"}) || !slices.Equal(l.Env, []string{"A=1"}) || !slices.Equal(l.Taken, []string{"k=test"}) {
		t.Errorf("%+v after %d questions, %v", l, asked, err)
	}
}

// Where others may write, nothing is allowed, and nothing is remembered.
func TestConsentsThatOthersMayWriteToDoNotCount(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("a mode says nothing on Windows; the profile is the user's own there")
		return
	}
	home := t.TempDir()
	c := Consents{Path: filepath.Join(home, "belay", "consents")}
	allowed := one(t, "/p/mcp.json", `{"servers": {"x": {"command": "run"}}}`)
	other := one(t, "/p/mcp.json", `{"servers": {"y": {"command": "run"}}}`)
	if err := c.Add(allowed); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{c.Path, filepath.Dir(c.Path), home} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, info.Mode()|0o022); err != nil {
			t.Fatal(err)
		}
		known, err := c.Has(allowed)
		var e *settings.Error
		if known || !errors.As(err, &e) || e.Path != path {
			t.Errorf("%s: %v, %v", path, known, err)
		}
		if err := c.Add(other); !errors.As(err, &e) {
			t.Errorf("%s: %v", path, err)
		}
		if err := os.Chmod(path, info.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if known, err := c.Has(allowed); !known || err != nil {
		t.Errorf("%v, %v", known, err)
	}
	if known, err := c.Has(other); known || err != nil {
		t.Errorf("%v, %v", known, err)
	}
}
