package config

import (
	"path/filepath"
	"slices"
	"strings"
)

// Place is where a config file may be.
type Place struct {
	Path string

	// Folder is the folder of the project that the file belongs to: its servers
	// run there, and ${workspaceFolder} stands for it. Empty for a file of the
	// user's, whose servers run where belay was started.
	Folder string
}

// projectFiles are looked for in a folder of a project, in this order.
var projectFiles = [][]string{{".mcp.json"}, {"mcp.json"}, {".vscode", "mcp.json"}, {".cursor", "mcp.json"}}

// System is what decides where a user's files are.
type System struct {
	GOOS string
	Home string              // the user's home directory
	Env  func(string) string // os.Getenv
}

// Places lists where config files may be, the nearest first: in each of the
// folders the files of a project, then the user's own. A file of the user's is
// one also where the home directory is a project.
func (s System) Places(folders []string) []Place {
	var out []Place
	user := s.userFiles()
	for _, folder := range folders {
		for _, name := range projectFiles {
			p := Place{Path: s.join(append([]string{folder}, name...)...), Folder: folder}
			if !slices.Contains(user, p.Path) {
				out = append(out, p)
			}
		}
	}
	for _, path := range user {
		out = append(out, Place{Path: path})
	}
	return out
}

// userFiles are belay's own, Claude Desktop's, VS Code's and Cursor's.
func (s System) userFiles() []string {
	conf := s.ConfigDir()
	if conf == "" {
		return nil
	}
	files := []string{
		s.join(conf, "belay", "mcp.json"),
		s.join(conf, "Claude", "claude_desktop_config.json"),
		s.join(conf, "Code", "User", "mcp.json"),
		s.join(conf, "Code - Insiders", "User", "mcp.json"),
	}
	if s.Home != "" {
		files = append(files, s.join(s.Home, ".cursor", "mcp.json"))
	}
	return files
}

// ConfigDir is the directory in which programs keep what the user has set;
// empty if the system does not say where the user's home is.
func (s System) ConfigDir() string {
	from := func(name string, rest ...string) string {
		if dir := s.Env(name); dir != "" {
			return dir
		}
		if s.Home == "" {
			return ""
		}
		return s.join(append([]string{s.Home}, rest...)...)
	}
	switch s.GOOS {
	case "windows":
		return from("APPDATA", "AppData", "Roaming")
	case "darwin", "ios":
		return from("", "Library", "Application Support")
	}
	if dir := s.Env("XDG_CONFIG_HOME"); dir != "" && !strings.HasPrefix(dir, "/") {
		return s.join(s.Home, ".config") // the specification: ignore a relative one
	}
	return from("XDG_CONFIG_HOME", ".config")
}

// join is filepath.Join for a system that may be another one. Its first part is a directory,
// which may be the root.
func (s System) join(parts ...string) string {
	first := strings.TrimRight(parts[0], s.separator())
	return strings.Join(append([]string{first}, parts[1:]...), s.separator())
}

func (s System) separator() string {
	if s.GOOS == "windows" {
		return `\`
	}
	return "/"
}

// Named returns the place of a file that the user has named; path is absolute. A
// file with the name and folder of a project's file belongs to that project,
// unless it is one of the user's own.
func (s System) Named(path string) Place {
	p := Place{Path: path}
	if slices.Contains(s.userFiles(), path) {
		return p
	}
	for _, name := range slices.Backward(projectFiles) {
		if folder, ok := strings.CutSuffix(path, s.separator()+s.join(name...)); ok && folder != "" {
			p.Folder = folder
			break
		}
	}
	return p
}

// Upwards lists dir and the directories above it, up to the first that isRoot;
// if there is none, dir alone: what lies above a directory that belongs to no
// project may be anybody's. dir is absolute.
func Upwards(dir string, isRoot func(dir string) bool) []string {
	all := []string{dir}
	for !isRoot(dir) {
		above := filepath.Dir(dir)
		if above == dir {
			return all[:1]
		}
		dir = above
		all = append(all, dir)
	}
	return all
}
