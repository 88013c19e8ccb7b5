package config

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// gather writes files, the nearest first, and gathers them. An empty text is a
// file that is not there.
func gather(t *testing.T, texts ...string) (c *Collection, paths []string) {
	t.Helper()
	dir := t.TempDir()
	var places []Place
	for i, text := range texts {
		path := filepath.Join(dir, string(rune('a'+i))+".json")
		if text != "" {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		places, paths = append(places, Place{Path: path}), append(paths, path)
	}
	return Gather(places), paths
}

func TestTheNearestOfANameIsTaken(t *testing.T) {
	c, paths := gather(t,
		`{"servers": {"other": {"command": "x"}}}`,
		``,
		`{"mcpServers": {"files": {"command": "near"}}}`,
		`{"mcpServers": {"files": {"command": "far"}, "more": {"command": "y"}}}`,
		`{"servers": {"files": {"command": "farthest"}}}`,
	)
	s, further, err := c.Find("files")
	if err != nil || s.Command.Raw != "near" || s.File.Path != paths[2] {
		t.Fatalf("%+v, %v", s, err)
	}
	if len(further) != 2 || further[0].Command.Raw != "far" || further[1].Command.Raw != "farthest" {
		t.Errorf("further ones: %v", further)
	}
	var names []string
	for _, s := range c.Servers() {
		names = append(names, s.Name+" "+s.Command.Raw)
	}
	if want := []string{"other x", "files near", "more y"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestAFileThatCannotBeReadMatters(t *testing.T) {
	c, paths := gather(t, `{"servers": {"near": {"command": "x"}}}`, `{"servers": `, `{"servers": {"far": {"command": "x"}}}`)
	if _, _, err := c.Find("near"); err != nil {
		t.Errorf("a broken file further away: %v", err)
	}
	if _, _, err := c.Find("far"); err == nil || !strings.HasPrefix(err.Error(), paths[1]+":1:") {
		t.Errorf("a broken file that is nearer: %v", err)
	}
	_, _, err := c.Find("zzz")
	if err == nil || !strings.HasPrefix(err.Error(), "there is no server \"zzz\" in any file that can be read\nlooked in:\n") || !strings.Contains(err.Error(), "\n  "+paths[1]+":1:") {
		t.Errorf("a name that is nowhere, beside a broken file: %v", err)
	}
	if failed := c.Failed(); len(failed) != 1 || !strings.HasPrefix(failed[0].Error(), paths[1]) {
		t.Errorf("%v", failed)
	}
}

func TestANameThatIsNowhere(t *testing.T) {
	c, paths := gather(t, `{"servers": {"filesystem": {"command": "x"}, "github": {"command": "x"}, "Weather": {"command": "x"}}}`, ``, `{}`)
	for name, near := range map[string][]string{
		"githib":     {"github"},
		"weather":    {"Weather"},
		"file":       {"filesystem"},
		"filesytsem": {"filesystem"},
		"zzz":        nil,
		"":           {"filesystem", "github", "Weather"},
	} {
		_, _, err := c.Find(name)
		var e *NotFoundError
		if !errors.As(err, &e) || !slices.Equal(e.Near, near) {
			t.Errorf("%q: %v", name, err)
		}
	}
	_, _, err := c.Find("githib\x1b")
	want := "there is no server \"githib\\x1b\"; did you mean \"github\"?\nlooked in:\n  " + paths[0] + " (3 servers)\n  " + paths[2] + " (0 servers)"
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	none, paths := gather(t, ``, ``)
	_, _, err = none.Find("x")
	if err == nil || !strings.HasSuffix(err.Error(), "\n  "+paths[0]+" (not there)\n  "+paths[1]+" (not there)") {
		t.Errorf("%v", err)
	}
}
