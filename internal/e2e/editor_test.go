package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"belay/internal/termtest"
)

// The user's editor gets the terminal, and what it leaves is in the form.
func TestTheEditorOfAForm(t *testing.T) {
	editor := filepath.Join(t.TempDir(), "editor")
	program := `#!/bin/sh
if ! test -t 0 || ! test -t 1; then exit 9; fi
printf 'written in the %s' editor > "$2"
`
	if err := os.WriteFile(editor, []byte(program), 0o700); err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, Story: termtest.Tell(t, termtest.Options{
		Cols: 100, Rows: 30, Argv: []string{belay}, Env: []string{"GORACE=atexit_sleep_ms=0", "VISUAL=", "EDITOR=" + editor + " --wait"},
	})}
	s.See("belay demo")
	s.call("echo").See("tools/call echo", "ctrl+s")
	s.Press("ctrl+o").See("written in the editor")
	s.Press("ctrl+s").See(`{"content":[{"type":"text","text":"written`)
	s.Press("q").Exit(0)
}
