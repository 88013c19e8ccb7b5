package repocheck

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree parses the module once a test.
func tree(t *testing.T) (root string, files []File) {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	files, err = GoFiles(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 10 {
		t.Fatalf("only %d files found under %s", len(files), root)
	}
	return root, files
}

func TestEveryFileKeepsTheRules(t *testing.T) {
	_, files := tree(t)
	for _, f := range files {
		for _, fault := range append(Check(f), CheckFile(f)...) {
			t.Error(fault)
		}
		if hint := Hint(f); hint != "" {
			t.Log(hint)
		}
	}
}

func TestTopLevel(t *testing.T) {
	root, _ := tree(t)
	dir, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	var entries []string
	for _, e := range dir {
		entries = append(entries, e.Name())
	}
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range CheckTop(entries, string(ignored)) {
		t.Error(fault)
	}
}

// Rules about single files cannot see what a room gets through a third
// package; the go command can.
func TestRoomsDoNotReachAround(t *testing.T) {
	root, files := tree(t)
	for _, c := range []struct {
		room      string
		forbidden []string
		allowed   []string
	}{
		{"session", []string{Module + "/...", sdk, charm, charX}, []string{Module + "/session/..."}},
		{"mcpclient", []string{Module + "/ui/...", Module + "/internal/cli/...", charm}, nil},
		{"internal/form", []string{Module + "/...", charm, sdk}, []string{Module + "/internal/form/...", Module + "/internal/safe/...", Module + "/session/sentence"}},
		{"ui", []string{Module + "/mcpclient/...", Module + "/internal/cli/...", sdk}, nil},
	} {
		if !slices.ContainsFunc(files, func(f File) bool { return matchesAny([]string{c.room + "/..."}, f.Dir()) }) {
			continue // TestTopLevel says that the room is missing
		}
		cmd := exec.Command("go", "list", "-e", "-deps", "./"+c.room+"/...")
		cmd.Dir = root
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list: %v", err)
		}
		for _, dep := range strings.Fields(string(out)) {
			if matchesAny(c.forbidden, dep) && !matchesAny(c.allowed, dep) {
				t.Errorf("%s depends on %s", c.room, dep)
			}
		}
	}
}

// Each rule is broken once here, so that none can be there in name only.
func TestEveryRuleCanFail(t *testing.T) {
	broken := map[string]bool{}
	for _, c := range []struct {
		path, src string
		rule      string // "" for a source that keeps them all
	}{
		{"session/a.go", `import "os"`, "session does no I/O"},
		{"session/a.go", `import "os/exec"`, "session does no I/O"},
		{"session/sub/a.go", `import "net/http"`, "session does no I/O"},
		{"session/a.go", `import "fmt"; func f() { fmt.Println() }`, "session does no I/O"},
		{"session/a.go", `import "log"`, "session does no I/O"},
		{"session/a.go", `import "log/slog"; func f() { slog.Info("x") }`, "session does no I/O"},
		{"session/a.go", `import "log/slog"; var l slog.Level`, ""},
		{"session/a.go", `import . "fmt"`, "session does no I/O"},
		{"session/a.go", `import "net/url"`, ""},
		{"session/a.go", `import "fmt"; var _ = fmt.Sprintln()`, ""},
		{"session/a_test.go", `import "os"`, ""},
		{"session/a.go", `import "time"; var now = time.Now`, "session has no clock and no dice"},
		{"session/a.go", `import t "time"; func f() { t.Sleep(1) }`, "session has no clock and no dice"},
		{"session/a.go", `import "time"; var d = time.Second; type x struct{ at time.Time }`, ""},
		{"session/a.go", `import "math/rand/v2"`, "session has no clock and no dice"},
		{"session/a.go", `import "sync/atomic"`, "session has no goroutines"},
		{"session/a.go", `import "context"`, "session has no goroutines"},
		{"session/a.go", `func f() { go f() }`, "session has no goroutines"},
		{"session/a.go", `var c chan int`, "session has no goroutines"},
		{"session/a.go", `func f() { select {} }`, "session has no goroutines"},
		{"session/a.go", `import "github.com/modelcontextprotocol/go-sdk/mcp"`, "session knows no library of its users"},
		{"session/a.go", `import "charm.land/lipgloss/v2"`, "session knows no library of its users"},
		{"session/a.go", `var s = "wait, then :restart"`, "session names no key, command or option"},
		{"session/mcp/a.go", `var s = "--max-message raises it"`, "session names no key, command or option"},
		{"session/a.go", "var s = `done; r makes the call again`", "session names no key, command or option"},
		{"session/a.go", `var s = "the wire pane has it"`, "session names no key, command or option"},
		{"session/a.go", `type x struct { a int "json:\"a\"" }; var s = "http://a b: c -- d"`, ""},
		{"session/a_test.go", `var s = "--header"`, ""},
		{"session/a.go", `import "belay/internal/safe"`, "session imports no other room"},
		{"session/a.go", `import "belay/session/journal"`, ""},
		{"session/a_test.go", `import "belay/internal/requirements"`, ""},
		{"session/a_test.go", `import "belay/mcpclient"`, "the tests of session stay in session"},
		{"sessions/a.go", `import "os"`, ""},
		{"mcpclient/a.go", `import "belay/ui"`, "mcpclient does not know the screen"},
		{"mcpclient/a.go", `import "charm.land/bubbletea/v2"`, "mcpclient does not know the screen"},
		{"mcpclient/a.go", `import ("os"; "belay/session"); func f() { go f() }`, ""},
		{"ui/a.go", `import "os"`, "ui does no I/O"},
		{"ui/forms/a.go", `import "net/http"`, "ui does no I/O"},
		{"ui/a.go", `import "belay/mcpclient"`, "ui knows the protocol from session only"},
		{"ui/a.go", `import "github.com/modelcontextprotocol/go-sdk/mcp"`, "ui knows the protocol from session only"},
		{"ui/a.go", `import ("belay/session"; "belay/internal/safe"; "charm.land/bubbletea/v2")`, ""},
		{"internal/demo/a.go", `import "belay/session"`, "demo is a server and nothing else"},
		{"mcpclient/a.go", `import "belay/internal/demo"`, "demo belongs to cli"},
		{"internal/cli/a.go", `import "belay/internal/demo"`, ""},
		{"mcpclient/a_test.go", `import "belay/internal/demo"`, ""},
		{"internal/x/a_test.go", `import "belay/internal/cli"`, "cli belongs to main"},
		{"main.go", `import "belay/internal/cli"`, ""},
		{"ui/a_test.go", `import "belay"`, "nothing imports main"},
		{"internal/cli/a.go", `import "belay/internal/termtest"`, "the emulated screen is for tests and pictures"},
		{"screenshots/a.go", `import "belay/internal/termtest"`, ""},
		{"internal/e2e/a_test.go", `import "belay/internal/termtest"`, ""},
		{"mcpclient/a.go", `import "belay/internal/peer"`, "the servers of the tests are for tests"},
		{"ui/a.go", `import "belay/internal/interop"`, "the servers of the tests are for tests"},
		{"mcpclient/a.go", `import "belay/internal/conduct"`, "the servers of the tests are for tests"},
		{"mcpclient/a_test.go", `import "belay/internal/peer"`, ""},
		{"ui/question/a.go", `import "belay/ui/panel/paneltest"`, "what the tests of several packages share is for tests"},
		{"ui/timeline/a.go", `import "belay/internal/wording/calltest"`, "what the tests of several packages share is for tests"},
		{"ui/question/a_test.go", `import "belay/ui/panel/paneltest"`, ""},
		{"mcpclient/a.go", `import "belay/internal/requirements"`, "requirements is for tests"},
		{"ui/a_test.go", `import "belay/internal/repocheck"`, "repocheck is about the repository"},
		{"internal/form/a.go", `import "belay/ui/canvas"`, "the floor has no screen"},
		{"internal/form/edit/a.go", `import tea "charm.land/bubbletea/v2"`, "the floor has no screen"},
		{"internal/suspect/a.go", `import "belay/ui"`, "the floor has no screen"},
		{"internal/caution/a.go", `import "belay/session/mcp"`, ""},
		{"internal/form/a.go", `import ("belay/internal/form/edit"; "belay/internal/safe"; "net/url")`, ""},
		{"internal/wording/a.go", `import "belay/ui/theme"`, "words have no screen"},
		{"internal/wording/a.go", `import ("belay/session"; "belay/session/cancel"; "belay/internal/safe")`, ""},
		{"internal/report/a.go", `import "belay/ui/timeline"`, "a report has no screen"},
		{"internal/report/a.go", `import ("belay/session"; "belay/internal/wording"; "html/template")`, ""},
		{"internal/guard/a.go", `import "belay/mcpclient"`, "the guard stands alone"},
		{"internal/guard/a.go", `import ("belay/internal/safe"; "github.com/charmbracelet/x/term")`, ""},
		{"internal/safe/a.go", `import "belay/session"`, "safe stands alone"},
	} {
		f, err := Parse(c.path, []byte("package p; "+c.src))
		if err != nil {
			t.Fatal(err)
		}
		faults := Check(f)
		if c.rule == "" {
			if len(faults) > 0 {
				t.Errorf("%s, %s: %v", c.path, c.src, faults)
			}
			continue
		}
		broken[c.rule] = true
		if !slices.ContainsFunc(faults, func(s string) bool { return strings.Contains(s, ": "+c.rule+" (") }) {
			t.Errorf("%s, %s: %q does not object; faults: %v", c.path, c.src, c.rule, faults)
		}
	}
	for _, r := range Rules {
		if !broken[r.Name] {
			t.Errorf("no source here breaks the rule %q", r.Name)
		}
	}
}

func TestTopLevelCanFail(t *testing.T) {
	good := append([]string{".git", ".gitignore", "belay", "x.prof"}, topLevel...)
	ignored := "/belay\n*.prof\n"
	if faults := CheckTop(good, ignored); len(faults) > 0 {
		t.Errorf("a good tree: %v", faults)
	}
	if faults := CheckTop(append(good, "scripts"), ignored); len(faults) != 1 {
		t.Errorf("an entry too many: %v", faults)
	}
	if faults := CheckTop(good[:len(good)-1], ignored); len(faults) != 1 {
		t.Errorf("an entry too few: %v", faults)
	}
}

func TestFileRulesCanFail(t *testing.T) {
	long := "package p\n" + strings.Repeat("// x\n", longFile)
	for _, c := range []struct {
		path, src string
		faults    int
		hint      bool
	}{
		{"ui/util.go", "package p", 1, false},
		{"ui/string_utils.go", "package p", 1, false},
		{"ui/util/a.go", "package p", 1, false},
		{"ui/utility.go", "package p", 0, false},
		{"ui/a.go", long, 0, true},
		{"ui/a.go", strings.TrimSuffix(long, "// x\n"), 0, false},
		{"ui/a_test.go", long, 0, false},
		{"ui/a.go", "// Code generated by x. DO NOT EDIT.\n\n" + long, 0, false},
	} {
		f, err := Parse(c.path, []byte(c.src))
		if err != nil {
			t.Fatal(err)
		}
		if faults := CheckFile(f); len(faults) != c.faults {
			t.Errorf("%s: %v, want %d", c.path, faults, c.faults)
		}
		if hint := Hint(f); (hint != "") != c.hint {
			t.Errorf("%s: hint %q", c.path, hint)
		}
	}
}
