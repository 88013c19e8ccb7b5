package config

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func system(goos, home string, env ...string) System {
	return System{GOOS: goos, Home: home, Env: func(name string) string {
		for _, kv := range env {
			if n, v, _ := strings.Cut(kv, "="); n == name {
				return v
			}
		}
		return ""
	}}
}

func TestTheUsersFiles(t *testing.T) {
	for _, tt := range []struct {
		sys  System
		want []string
	}{
		{system("linux", "/home/ann"), []string{
			"/home/ann/.config/belay/mcp.json",
			"/home/ann/.config/Claude/claude_desktop_config.json",
			"/home/ann/.config/Code/User/mcp.json",
			"/home/ann/.config/Code - Insiders/User/mcp.json",
			"/home/ann/.cursor/mcp.json",
		}},
		{system("freebsd", "/home/ann", "XDG_CONFIG_HOME=/x"), []string{
			"/x/belay/mcp.json", "/x/Claude/claude_desktop_config.json", "/x/Code/User/mcp.json", "/x/Code - Insiders/User/mcp.json",
			"/home/ann/.cursor/mcp.json",
		}},
		{system("darwin", "/Users/ann", "XDG_CONFIG_HOME=/x"), []string{
			"/Users/ann/Library/Application Support/belay/mcp.json",
			"/Users/ann/Library/Application Support/Claude/claude_desktop_config.json",
			"/Users/ann/Library/Application Support/Code/User/mcp.json",
			"/Users/ann/Library/Application Support/Code - Insiders/User/mcp.json",
			"/Users/ann/.cursor/mcp.json",
		}},
		{system("windows", `C:\Users\ann`, `APPDATA=C:\Users\ann\AppData\Roaming`), []string{
			`C:\Users\ann\AppData\Roaming\belay\mcp.json`,
			`C:\Users\ann\AppData\Roaming\Claude\claude_desktop_config.json`,
			`C:\Users\ann\AppData\Roaming\Code\User\mcp.json`,
			`C:\Users\ann\AppData\Roaming\Code - Insiders\User\mcp.json`,
			`C:\Users\ann\.cursor\mcp.json`,
		}},
		{system("linux", "/"), []string{ // in a container
			"/.config/belay/mcp.json", "/.config/Claude/claude_desktop_config.json", "/.config/Code/User/mcp.json",
			"/.config/Code - Insiders/User/mcp.json", "/.cursor/mcp.json",
		}},
		{system("linux", ""), nil},
	} {
		var got []string
		for _, p := range tt.sys.Places(nil) {
			got = append(got, p.Path)
			if p.Folder != "" {
				t.Errorf("%s belongs to %s", p.Path, p.Folder)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.sys.GOOS, got, tt.want)
		}
	}
}

func TestWhereSettingsAre(t *testing.T) {
	for _, tt := range []struct {
		sys  System
		want string
	}{
		{system("linux", "/h", "XDG_CONFIG_HOME=relative"), "/h/.config"},
		{system("linux", "", "XDG_CONFIG_HOME=/x"), "/x"},
		{system("linux", ""), ""},
		{system("windows", `C:\h`), `C:\h\AppData\Roaming`},
	} {
		if got := tt.sys.ConfigDir(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

func TestTheFilesOfAProject(t *testing.T) {
	got := system("linux", "/r").Places([]string{"/r/a", "/r"})
	want := []Place{
		{"/r/a/.mcp.json", "/r/a"},
		{"/r/a/mcp.json", "/r/a"},
		{"/r/a/.vscode/mcp.json", "/r/a"},
		{"/r/a/.cursor/mcp.json", "/r/a"},
		{"/r/.mcp.json", "/r"},
		{"/r/mcp.json", "/r"},
		{"/r/.vscode/mcp.json", "/r"},
		// /r/.cursor/mcp.json is the user's own: /r is the home directory.
		{"/r/.config/belay/mcp.json", ""},
		{"/r/.config/Claude/claude_desktop_config.json", ""},
		{"/r/.config/Code/User/mcp.json", ""},
		{"/r/.config/Code - Insiders/User/mcp.json", ""},
		{"/r/.cursor/mcp.json", ""},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A folder that is the root of a file system ends in a separator, which stands once in a path.
func TestAProjectAtTheRoot(t *testing.T) {
	for _, tt := range []struct {
		sys          System
		folder, want string
	}{
		{system("linux", ""), "/", "/mcp.json"},
		{system("windows", ""), `C:\`, `C:\mcp.json`},
	} {
		if got := tt.sys.Places([]string{tt.folder}); !slices.Contains(got, Place{tt.want, tt.folder}) {
			t.Errorf("%q lack %s", got, tt.want)
		}
	}
}

func TestAFileThatTheUserNames(t *testing.T) {
	linux, windows := system("linux", "/h"), system("windows", `C:\h`)
	for _, tt := range []struct {
		sys          System
		path, folder string
	}{
		{linux, "/p/mcp.json", "/p"},
		{linux, "/p/.mcp.json", "/p"},
		{linux, "/p/.vscode/mcp.json", "/p"},
		{linux, "/p/.cursor/mcp.json", "/p"},
		{linux, "/p/servers.json", ""},
		{linux, "/p/x.mcp.json", ""},
		{linux, "/h/.cursor/mcp.json", ""},
		{linux, "/h/.config/Code/User/mcp.json", ""},
		{linux, "/mcp.json", ""},
		{windows, `C:\p\.vscode\mcp.json`, `C:\p`},
	} {
		if got := tt.sys.Named(tt.path); got != (Place{tt.path, tt.folder}) {
			t.Errorf("%s belongs to %q, want %q", tt.path, got.Folder, tt.folder)
		}
	}
}

func TestUpwardsEndsAtTheRepository(t *testing.T) {
	dir := filepath.FromSlash("/r/a/b")
	is := func(root string) func(string) bool {
		return func(dir string) bool { return dir == filepath.FromSlash(root) }
	}
	for _, tt := range []struct {
		root string
		want []string
	}{
		{"/r", []string{"/r/a/b", "/r/a", "/r"}},
		{"/r/a/b", []string{"/r/a/b"}},
		{"/elsewhere", []string{"/r/a/b"}},
	} {
		var want []string
		for _, w := range tt.want {
			want = append(want, filepath.FromSlash(w))
		}
		if got := Upwards(dir, is(tt.root)); !slices.Equal(got, want) {
			t.Errorf("up to %s: %q, want %q", tt.root, got, want)
		}
	}
}
