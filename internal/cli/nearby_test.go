package cli

import (
	"path/filepath"
	"slices"
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
	if got := projectServers(sys, filepath.Join(dir, "repo", "sub")); !slices.Equal(got, []string{"near", "top"}) {
		t.Errorf("%q", got)
	}
	if got := projectServers(sys, filepath.Join(dir, "nothing")); got != nil {
		t.Errorf("a folder without files has %q", got)
	}
}
