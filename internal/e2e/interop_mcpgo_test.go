//go:build interop

package e2e

import (
	"testing"

	servers "belay/internal/interop"
)

// A task of mcp-go is cancelled while it works, and completed where nobody cancels it. The
// server says that the task is cancelled, although its tool works on.
func TestMCPGosTasks(t *testing.T) {
	for name, begin := range map[string]func(t *testing.T) *stage{
		"stdio": func(t *testing.T) *stage {
			return against(t, []string{"--protocol", "2025-11-25"}, interop(t, "mcpgo"))
		},
		"http": func(t *testing.T) *stage {
			return reached(t, servers.Start(t, "/mcp", servers.File(t, "mcpgo")).URL, "--protocol", "2025-11-25")
		},
	} {
		t.Run(name+" cancelled", func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.See("mcp-go-tasks").call("works").See("seconds")
			s.Type("30").Press("ctrl+s").See("tasks/get", "1 in flight")
			s.Press("x").See("tasks/cancel", "task cancelled", "the server says that the task is cancelled")
			s.Press("q").Exit(0)
		})
		t.Run(name+" completed", func(t *testing.T) {
			t.Parallel()
			s := begin(t)
			s.See("mcp-go-tasks").call("works").See("seconds")
			s.Type("1").Press("ctrl+s").See("tasks/result", "done", "the work is finished")
			s.Press("q").Exit(0)
		})
	}
}
