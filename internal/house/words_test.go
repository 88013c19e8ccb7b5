package house

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"belay/internal/covers"
)

// The cancel notification is written in one place. A second writer would be a
// second set of rules about what may be cancelled, when and how.
func TestOnePlaceWritesTheCancelNotification(t *testing.T) {
	covers.Rows(t, "SDX-07")
	_, files := tree(t)
	const (
		method  = "notifications/cancelled"
		written = `"method":"` + method
	)
	writers := 0
	for _, f := range files {
		if f.Test || !matchAny([]string{".", "session/...", "mcpclient/...", "ui/...", "internal/cli/..."}, f.Dir()) {
			continue
		}
		ast.Inspect(f.AST, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			s, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Fatal(err)
			}
			at := f.Fset.Position(lit.Pos())
			if strings.Contains(s, written) {
				writers++
				if f.Dir() != "session" {
					t.Errorf("%s writes the notification", at)
				}
			}
			if strings.Contains(s, method) && matchAny([]string{".", "mcpclient/...", "internal/cli/..."}, f.Dir()) {
				t.Errorf("%s speaks of the notification: what is cancelled, and how, is decided in session", at)
			}
			return true
		})
	}
	if writers != 1 {
		t.Errorf("%d places write the notification, want one", writers)
	}
}

// Type checks, races and findings of the linters fail the run: the script
// stops at the first command that fails, and these are among its commands.
func TestCIFailsOnFindings(t *testing.T) {
	covers.Rows(t, "SD3-43")
	root, _ := tree(t)
	script := filepath.Join(root, ".ci", "run")
	info, err := os.Stat(script)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode()&0o111 == 0 {
		t.Error(".ci/run is not executable")
	}
	text, err := os.ReadFile(script)
	if err != nil {
		t.Fatal(err)
	}
	commands := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "#") {
			commands[line] = true
		}
		if strings.Contains(line, "|| true") || strings.Contains(line, "|| :") || line == "set +e" {
			t.Errorf("a failure is passed over: %s", line)
		}
	}
	for _, want := range []string{
		"set -euo pipefail",
		`step "go vet" go vet ./...`,
		`step "golangci-lint" golangci-lint run ./...`,
		`step "go test -race" go test -race ./...`,
		`step -v "go test" go test ./...`,
	} {
		if !commands[want] {
			t.Errorf(".ci/run has no line: %s", want)
		}
	}
}
