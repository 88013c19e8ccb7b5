package repocheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// The libraries that some rooms must not see.
const (
	sdk   = "github.com/modelcontextprotocol/..."
	charm = "charm.land/..."
	charX = "github.com/charmbracelet/..."
)

// Rule forbids things in a part of the tree. A pattern that ends in /... means
// a path and all below it.
type Rule struct {
	Name string
	Why  string // said to whoever breaks it

	In     []string // directories to which it applies
	Except []string // and those of them to which it does not
	Tests  bool     // it applies to test files too

	Imports []string            // import paths that are forbidden
	Allowed []string            // and those of them that are not
	Uses    map[string][]string // import path to names of it that are forbidden
	Chans   bool                // go statements, channels and select are forbidden
	Strings *regexp.Regexp      // what no string may hold
}

// Rules are what may import what, as docs/architecture.md draws them.
var Rules = []Rule{
	{
		Name:    "session does no I/O",
		Why:     "session is the protocol as a value: files, sockets, processes and the terminal belong to mcpclient and ui",
		In:      []string{"session/..."},
		Imports: []string{"os/...", "net/...", "syscall/...", "io/ioutil", "log/...", "embed", "golang.org/x/sys/...", "golang.org/x/term/..."},
		Allowed: []string{"net/url", "net/netip", "log/slog"}, // slog for its values: the record is written elsewhere
		Uses: map[string][]string{
			"fmt": {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
			"log/slog": {
				"Debug", "DebugContext", "Default", "Error", "ErrorContext", "Info", "InfoContext", "Log", "LogAttrs",
				"New", "SetDefault", "Warn", "WarnContext", "With",
			},
		},
	},
	{
		Name: "session has no clock and no dice",
		Why:  "time and chance come into session as arguments, so that a run can be simulated and replayed",
		In:   []string{"session/..."},
		Imports: []string{
			"math/rand/...", "crypto/rand",
		},
		Uses: map[string][]string{"time": {"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "NewTimer", "NewTicker", "Tick", "Timer", "Ticker"}},
	},
	{
		Name:    "session has no goroutines",
		Why:     "nothing happens inside session by itself; the lock and the goroutines live in mcpclient",
		In:      []string{"session/..."},
		Imports: []string{"sync/...", "context", "golang.org/x/sync/..."},
		Chans:   true,
	},
	{
		Name:    "session knows no library of its users",
		Why:     "session owns the protocol: neither the SDK nor the screen may shape it",
		In:      []string{"session/..."},
		Imports: []string{sdk, charm, charX, "github.com/spf13/..."},
	},
	{
		Name:    "session names no key, command or option",
		Why:     "who shows the session may have none of them: say what helps as a session.Remedy",
		In:      []string{"session/..."},
		Strings: regexp.MustCompile(`(^|[\s(])(--|:)[a-z]|\br (makes|declares|calls)\b|\b(pane|esc|ctrl)\b`),
	},
	{
		Name:    "session imports no other room",
		Why:     "session is the floor that the other rooms stand on",
		In:      []string{"session/..."},
		Imports: []string{Module + "/..."},
		Allowed: []string{Module + "/session/..."},
	},
	{
		Name:    "the tests of session stay in session",
		Why:     "the protocol is proved without the rooms above it",
		In:      []string{"session/..."},
		Tests:   true,
		Imports: []string{Module + "/ui/...", Module + "/mcpclient/...", Module + "/internal/cli/...", Module + "/internal/demo/..."},
	},
	{
		Name:    "mcpclient does not know the screen",
		Why:     "what is seen belongs to ui, commands and flags to internal/cli",
		In:      []string{"mcpclient/..."},
		Imports: []string{charm, charX, "github.com/spf13/...", Module + "/ui/...", Module + "/internal/demo/..."},
	},
	{
		Name:    "ui does no I/O",
		Why:     "what touches the outside belongs to mcpclient, and comes into ui as values and functions",
		In:      []string{"ui/..."},
		Imports: []string{"os/...", "net/...", "syscall/...", "io/ioutil", "golang.org/x/sys/..."},
		Allowed: []string{"net/url"},
	},
	{
		Name:    "ui knows the protocol from session only",
		Why:     "ui shows what session says; it neither connects nor decodes",
		In:      []string{"ui/..."},
		Imports: []string{sdk, Module + "/mcpclient/...", Module + "/internal/demo/..."},
	},
	{
		Name:    "demo is a server and nothing else",
		Why:     "the demo server stands on the SDK, like any server that belay meets",
		In:      []string{"internal/demo/..."},
		Imports: []string{Module + "/session/...", Module + "/mcpclient/...", Module + "/ui/..."},
	},
	{
		Name:    "demo belongs to cli",
		Why:     "only the command line starts the demo server; everyone else meets it as a process",
		In:      []string{"./..."},
		Except:  []string{"internal/cli/...", "internal/demo/..."},
		Imports: []string{Module + "/internal/demo/..."},
	},
	{
		Name:    "cli belongs to main",
		Why:     "nothing imports a command",
		In:      []string{"./..."},
		Except:  []string{".", "internal/cli/...", "internal/repocheck/flags/..."}, // which writes the pages of the flags
		Tests:   true,
		Imports: []string{Module + "/internal/cli/..."},
	},
	{
		Name:    "nothing imports main",
		Why:     "nothing imports a command",
		In:      []string{"./..."},
		Tests:   true,
		Imports: []string{Module},
	},
	{
		Name:    "the emulated screen is for tests and pictures",
		Why:     "a pty and a screen inside the program would be dead weight for its users",
		In:      []string{"./..."},
		Except:  []string{"internal/termtest/...", "screenshots/..."},
		Imports: []string{Module + "/internal/termtest/...", "github.com/charmbracelet/x/vt/...", "github.com/creack/pty/..."},
	},
	{
		Name:    "the servers of the tests are for tests",
		Why:     "the dictated server and the starters of other people's are no part of the program",
		In:      []string{"./..."},
		Except:  []string{"internal/peer/...", "internal/interop/...", "internal/conduct/..."},
		Imports: []string{Module + "/internal/peer/...", Module + "/internal/interop/...", Module + "/internal/conduct/..."},
	},
	{
		Name:    "what the tests of several packages share is for tests",
		Why:     "the program has a screen of its own, and its calls are real ones",
		In:      []string{"./..."},
		Except:  []string{"ui/panel/paneltest/...", "internal/wording/calltest/..."},
		Imports: []string{Module + "/ui/panel/paneltest/...", Module + "/internal/wording/calltest/..."},
	},
	{
		Name:    "requirements is for tests",
		Why:     "only a test can prove a row",
		In:      []string{"./..."},
		Imports: []string{Module + "/internal/requirements/..."},
	},
	{
		Name:    "repocheck is about the repository",
		Why:     "the checks of the repository are no part of the product",
		In:      []string{"./..."},
		Except:  []string{"internal/repocheck/..."},
		Tests:   true,
		Imports: []string{Module + "/internal/repocheck/..."},
	},
	{
		Name:    "the floor has no screen",
		Why:     "a schema is filled in, an address judged and a call thought twice about without a terminal, too: by the command line and by the conformance client",
		In:      []string{"internal/form/...", "internal/suspect/...", "internal/caution/...", "internal/uritemplate/..."},
		Imports: []string{Module + "/...", sdk, charm, "os/...", "net/...", "syscall/..."},
		Allowed: []string{Module + "/internal/form/...", Module + "/internal/safe/...", Module + "/session/mcp/...", Module + "/session/secret/...", Module + "/session/sentence", "net/url", "net/netip"},
	},
	{
		Name:    "words have no screen",
		Why:     "the screen, the command line and a report say of a message, a moment and a verdict what the others do; how it looks, and with which key it is helped, is for each of them",
		In:      []string{"internal/wording/..."},
		Imports: []string{Module + "/...", sdk, charm, "os/...", "net/...", "syscall/..."},
		Allowed: []string{Module + "/internal/wording/...", Module + "/internal/safe/...", Module + "/session/..."},
	},
	{
		Name:    "a report has no screen",
		Why:     "a report is made of a session alone, by the screen and by the command line, and read where there is no belay",
		In:      []string{"internal/report/..."},
		Imports: []string{Module + "/...", sdk, charm, "os/...", "net/...", "syscall/..."},
		Allowed: []string{Module + "/internal/report/...", Module + "/internal/wording", Module + "/internal/safe/...", Module + "/session/..."},
	},
	{
		Name:    "the guard stands alone",
		Why:     "it runs when belay has failed: the less of belay it needs, the less of it can have failed, too",
		In:      []string{"internal/guard/..."},
		Imports: []string{Module + "/...", sdk, charm},
		Allowed: []string{Module + "/internal/guard/...", Module + "/internal/safe/..."},
	},
	{
		Name:    "safe stands alone",
		Why:     "what makes foreign text safe must not depend on who shows it",
		In:      []string{"internal/safe/..."},
		Imports: []string{Module + "/..."},
		Allowed: []string{Module + "/internal/safe/..."},
	},
}

// Check returns what f breaks: one line a fault, with file, line, rule and
// reason.
func Check(f File) []string {
	var faults []string
	for _, r := range Rules {
		if !r.appliesTo(f) {
			continue
		}
		for _, fault := range r.faults(f) {
			pos := f.Fset.Position(fault.node.Pos())
			faults = append(faults, fmt.Sprintf("%s:%d: %s (%s): %s", f.Path, pos.Line, r.Name, fault.what, r.Why))
		}
	}
	return faults
}

func (r Rule) appliesTo(f File) bool {
	return (r.Tests || !f.Test) && matchesAny(r.In, f.Dir()) && !matchesAny(r.Except, f.Dir())
}

type fault struct {
	node ast.Node
	what string
}

func (r Rule) faults(f File) []fault {
	var found []fault
	for _, spec := range f.AST.Imports {
		name := strings.Trim(spec.Path.Value, "`\"")
		if spec.Name != nil && spec.Name.Name == "." && len(r.Uses) > 0 {
			found = append(found, fault{spec, "imports " + name + " under no name"})
		}
		if matchesAny(r.Imports, name) && !matchesAny(r.Allowed, name) {
			found = append(found, fault{spec, "imports " + name})
		}
	}
	forbidden := map[string]string{} // "time.Now" as f spells it, to the same as everyone does
	for path, names := range r.Uses {
		local, ok := f.ImportName(path)
		for _, name := range names {
			if ok {
				forbidden[local+"."+name] = path + "." + name
			}
		}
	}
	ast.Inspect(f.AST, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				if what, ok := forbidden[x.Name+"."+n.Sel.Name]; ok {
					found = append(found, fault{n, "uses " + what})
				}
			}
		case *ast.GoStmt, *ast.ChanType, *ast.SelectStmt:
			if r.Chans {
				found = append(found, fault{n, "has a go statement, a channel or a select"})
			}
		case *ast.BasicLit:
			if r.Strings == nil || n.Kind != token.STRING {
				break
			}
			if s, err := strconv.Unquote(n.Value); err == nil && r.Strings.MatchString(s) {
				found = append(found, fault{n, "says " + n.Value})
			}
		}
		return true
	})
	return found
}

// matchesAny reports whether path is, or lies below, one of the patterns.
func matchesAny(patterns []string, path string) bool {
	for _, p := range patterns {
		if p == "./..." || p == path {
			return true
		}
		if root, ok := strings.CutSuffix(p, "/..."); ok && (path == root || strings.HasPrefix(path, root+"/")) {
			return true
		}
	}
	return false
}
