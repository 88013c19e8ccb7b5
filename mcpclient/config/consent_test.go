package config

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func one(t *testing.T, path, text string) *Server {
	t.Helper()
	f, err := Parse(Place{Path: path}, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f.Servers[0]
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
	for _, s := range []*Server{s, other} {
		if err := c.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range []*Server{s, other} {
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
