package repocheck

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"belay/internal/requirements"
)

// The cancel notification is written in one place. A second writer would be a
// second set of rules about what may be cancelled, when and how.
func TestOnePlaceWritesTheCancelNotification(t *testing.T) {
	requirements.Rows(t, "SDX-07")
	_, files := tree(t)
	const (
		method  = "notifications/cancelled"
		written = `"method":"` + method
	)
	writers := 0
	for _, f := range files {
		if f.Test || !matchesAny([]string{".", "session/...", "mcpclient/...", "ui/...", "internal/cli/..."}, f.Dir()) {
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
				if f.Dir() != "session/mcp" {
					t.Errorf("%s writes the notification", at)
				}
			}
			if strings.Contains(s, method) && matchesAny([]string{".", "mcpclient/...", "internal/cli/..."}, f.Dir()) {
				t.Errorf("%s speaks of the notification: what is cancelled, and how, is decided in session", at)
			}
			return true
		})
	}
	if writers != 1 {
		t.Errorf("%d places write the notification, want one", writers)
	}
}

// codes are the numbers of the range that JSON-RPC reserves which the source may
// know: those of JSON-RPC and of MCP. Belay has none of its own there.
var codes = map[string]bool{
	"32700": true, "32600": true, "32601": true, "32602": true, "32603": true,
	"32002": true, "32042": true, "32020": true, "32021": true, "32022": true,
	"32000": true, "32019": true, "32099": true, // the ends of the ranges
}

// foreignCodes are the error codes in a file that are neither JSON-RPC's nor MCP's.
func foreignCodes(f File) (found []string) {
	ast.Inspect(f.AST, func(n ast.Node) bool {
		minus, ok := n.(*ast.UnaryExpr)
		if !ok || minus.Op != token.SUB {
			return true
		}
		lit, ok := minus.X.(*ast.BasicLit)
		if !ok || lit.Kind != token.INT {
			return true
		}
		if code, err := strconv.ParseInt(lit.Value, 0, 64); err == nil && code >= 32000 && code <= 32768 && !codes[lit.Value] {
			found = append(found, fmt.Sprintf("%s: -%s", f.Fset.Position(lit.Pos()), lit.Value))
		}
		return true
	})
	return found
}

// Error codes of belay's own lie outside of the range that is reserved.
func TestNoReservedErrorCodes(t *testing.T) {
	requirements.Rows(t, "ERR-13")
	_, files := tree(t)
	for _, f := range files {
		if f.Test {
			continue
		}
		for _, at := range foreignCodes(f) {
			t.Errorf("%s is reserved, and neither JSON-RPC's nor MCP's", at)
		}
	}
	bad, err := Parse("session/bad.go", []byte("package session\n\nconst codeOurs = -32123\n\nconst codeRejected = -1\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := foreignCodes(bad); len(got) != 1 || !strings.HasSuffix(got[0], "-32123") {
		t.Errorf("found %q", got)
	}
}

// Type checks, races and findings of the linters fail the run: the script
// stops at the first command that fails, and these are among its commands.
func TestCIFailsOnFindings(t *testing.T) {
	requirements.Rows(t, "SD3-43")
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
		`step "golangci-lint" golangci-lint run --allow-parallel-runners ./...`,
		`step "go test -race" go test -race -p "$(($(nproc) + 1))" -timeout 30m ./internal/e2e ./mcpclient ./session ./ui ./...`,
		`beside -v "go test" go test -p "$(($(nproc) + 1))" -timeout 30m ./...`,
	} {
		if !commands[want] {
			t.Errorf(".ci/run has no line: %s", want)
		}
	}
}
