//go:build interop

package e2e

import "testing"

// What server-everything asks is answered in the panels, and it goes on with
// the answers.
func TestServerEverythingAsks(t *testing.T) {
	t.Run("sampling", func(t *testing.T) {
		s := everything(t)
		s.See("Everything Reference Server")
		s.call("trigger-sampling-request").See("prompt*")
		s.Type("hello").Press("ctrl+s")
		s.See("asks you to answer for a model", "Resource trigger-sampling-request context: hello")
		s.See("ctrl+s send").Type("a human answer").See("a human answer").Press("ctrl+s")
		s.See("LLM sampling result", "a human answer", `"model": "human"`)
		s.Press("q").Exit(0)
	})
	t.Run("elicitation", func(t *testing.T) {
		s := everything(t)
		s.See("Everything Reference Server")
		s.call("trigger-elicitation-request")
		s.See("asks you to fill in a form", "Please provide inputs", "name*")
		s.See("ctrl+s send").Type("Ahab").See("Ahab").Press("ctrl+s")
		s.See("User provided the requested information", "Ahab")
		s.Press("q").Exit(0)
	})
	t.Run("decline", func(t *testing.T) {
		s := everything(t)
		s.See("Everything Reference Server")
		s.call("trigger-elicitation-request")
		s.See("asks you to fill in a form")
		s.See("ctrl+s send").Type("x").See("x").Press("ctrl+r")
		s.See("User declined to provide")
		s.Press("q").Exit(0)
	})
	t.Run("roots", func(t *testing.T) {
		dir := t.TempDir()
		s := everything(t, "--root", dir)
		s.See("Everything Reference Server")
		s.call("get-roots-list").See("Current MCP Roots (1 total)", "file://"+dir[:20])
		s.Press("q").Exit(0)
	})
}

// What the TypeScript SDK asks and does not take back is answered.
func TestTypeScriptSDKAsks(t *testing.T) {
	for _, tt := range []struct{ tool, asks, text, answer string }{
		{"elicit", "Which color?", "blue", `"color":"blue"`},
		{"sample", "Say hello", "hello", `"text":"hello"`},
	} {
		t.Run(tt.tool, func(t *testing.T) {
			s := against(t, nil, "node", interop(t, "ts-server.mjs"))
			s.See("ts-sdk").call(tt.tool).See(tt.asks)
			s.See("ctrl+s send").Type(tt.text).See(tt.text).Press("ctrl+s")
			s.See("answered: ", tt.text)
			s.Press("q").Exit(0)
		})
	}
}
