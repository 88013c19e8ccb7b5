//go:build interop

package e2e

import (
	"testing"

	"belay/internal/requirements"
)

// A task of server-everything is cancelled while it works and while it asks for input. The
// server ends it, keeps its question open, and has no outcome of it.
func TestServerEverythingsTasksAreCancelled(t *testing.T) {
	requirements.Rows(t, "TSK-58", "TSK-61")
	for name, tt := range map[string]struct{ arguments, when, key string }{
		"while it works": {`{"topic":"rope"}`, "1 in flight", "x"},
		"while it asks":  {`{"topic":"rope","ambiguous":true}`, "asks you to fill in a form", "ctrl+x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := everything(t, "--protocol", "2025-11-25")
			s.See("Everything Reference Server")
			s.Press(":").Type(`send tools/call {"name":"simulate-research-query","arguments":` + tt.arguments + `,"task":{"ttl":60000}}`).Press("enter")
			s.See("tasks/get", tt.when).Press(tt.key).See("task cancelled")
			if tt.key == "ctrl+x" {
				s.See("you cancelled the task of #", "ctrl+s send").Press("esc").See("dismissed").Press("esc")
			}
			s.See("n new call").Press("q").Exit(0)
		})
	}
	t.Run("which completes", func(t *testing.T) {
		t.Parallel()
		s := everything(t, "--protocol", "2025-11-25")
		s.See("Everything Reference Server")
		s.Press(":").Type(`send tools/call {"name":"simulate-research-query","arguments":{"topic":"rope"},"task":{"ttl":60000}}`).Press("enter")
		s.See("tasks/result", "done", "Research Report").Press("q").Exit(0)
	})
	t.Run("which asks, and is answered", func(t *testing.T) {
		t.Parallel()
		s := everything(t, "--protocol", "2025-11-25")
		s.See("Everything Reference Server")
		s.Press(":").Type(`send tools/call {"name":"simulate-research-query","arguments":{"topic":"rope","ambiguous":true},"task":{"ttl":60000}}`).Press("enter")
		s.See("asks you to fill in a form", "multiple interpretations", "ctrl+s send").Press("right", "ctrl+s")
		s.See("done", "Research Report: rope (technical)").Press("q").Exit(0)
	})
}
