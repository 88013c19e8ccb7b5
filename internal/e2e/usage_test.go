package e2e

import (
	"os/exec"
	"strings"
	"testing"
)

func TestCommandLinesThatAreWrong(t *testing.T) {
	for _, tt := range []struct {
		args string
		want string
	}{
		{"--no-such-flag", "no-such-flag"},
		{"--timeout abc", "abc"},
		{"--protocol 1.0 -- true", "no revision that belay speaks"},
		{"npx server", "belay -- npx server"},
		{"--", "no command behind --"},
		{"https://example.com/mcp more", "more behind the address"},
		{"http://", "names no host"},
		{"--header X:y -- true", "servers over HTTP"},
		{"--cwd / https://example.com/mcp", "reached over HTTP"},
		{"--header nocolon https://example.com/mcp", "Name: value"},
		{"demo extra", "extra"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(belay, strings.Fields(tt.args)...)
			out, err := cmd.CombinedOutput()
			if err == nil || cmd.ProcessState.ExitCode() != 2 {
				t.Errorf("%v, want exit status 2", err)
			}
			if !strings.Contains(string(out), tt.want) {
				t.Errorf("want %q in\n%s", tt.want, out)
			}
		})
	}
}
