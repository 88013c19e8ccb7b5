package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"belay/mcpclient/config"
)

// The servers of a folder are those of its project's files; the user's own are no news.
func TestTheServersOfAFolder(t *testing.T) {
	dir := t.TempDir()
	write(t, "", dir, "repo", ".git")
	write(t, `{"servers": {"near": {"command": "c"}, "broken": {}}}`, dir, "repo", "sub", "mcp.json")
	write(t, `{"mcpServers": {"top": {"url": "https://a.example/"}}}`, dir, "repo", ".mcp.json")
	write(t, `{"mcpServers": [`, dir, "repo", ".cursor", "mcp.json")
	write(t, `{"mcpServers": {"mine": {"command": "c"}}}`, dir, "home", ".cursor", "mcp.json")
	sys := config.System{GOOS: "linux", Home: filepath.Join(dir, "home"), Env: func(string) string { return "" }}
	got, failures := projectServers(sys, filepath.Join(dir, "repo", "sub"))
	if !slices.Equal(got, []string{"near", "top"}) {
		t.Errorf("%q", got)
	}
	if len(failures) != 1 || !strings.Contains(failures[0].Error(), filepath.Join(".cursor", "mcp.json")) {
		t.Errorf("not read: %q", failures)
	}
	if got, failures := projectServers(sys, filepath.Join(dir, "nothing")); got != nil || failures != nil {
		t.Errorf("a folder without files has %q, %q", got, failures)
	}
}
