//go:build interop

package e2e

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

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
		s.See("ctrl+s send").Type("x").See("x").Press("ctrl+r", "ctrl+r")
		s.See("User declined to provide")
		s.Press("q").Exit(0)
	})
	t.Run("address", func(t *testing.T) {
		opened := browser(t)
		s := everything(t)
		s.See("Everything Reference Server")
		s.call("trigger-url-elicitation").See("url*")
		s.Type("https://example.com/login").Press("ctrl+s")
		s.See("asks you to open an address", "host: example.com", "ctrl+u open")
		s.Press("ctrl+u").See("opened", "User completed")
		opened("https://example.com/login")
		s.Press("esc").See("n new call").Press("q").Exit(0)
	})
	t.Run("address of an error", func(t *testing.T) {
		opened := browser(t)
		s := everything(t)
		s.See("Everything Reference Server")
		s.call("trigger-url-elicitation").See("url*")
		s.Type("https://example.com/a").Press("tab", "tab", "tab", "right").See("[true]").Press("ctrl+s")
		s.See("-32042", "host: modelcontextprotocol.io", "ctrl+u open").Press("ctrl+u")
		s.See("opened").Press("r") // the call again, which asks by a request now
		s.See("1 asks you", "ctrl+u open").Press("ctrl+u").See("User completed")
		opened("https://modelcontextprotocol.iohttps://example.com/a")
		s.Press("esc").See("n new call").Press("q").Exit(0)
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
			t.Parallel()
			s := against(t, nil, "node", interop(t, "ts-server.mjs"))
			s.See("ts-sdk").call(tt.tool).See(tt.asks)
			s.See("ctrl+s send").Type(tt.text).See(tt.text).Press("ctrl+s")
			s.See("answered: ", tt.text)
			s.Press("q").Exit(0)
		})
	}
}

// browser puts a program in the place of the user's browser, and waits until it was given
// something, which it may be after belay has stopped waiting for it.
func browser(t *testing.T) (opened func(want string)) {
	t.Helper()
	dir := t.TempDir()
	log, program := filepath.Join(dir, "opened"), filepath.Join(dir, "browser")
	if err := os.WriteFile(program, []byte("#!/bin/sh\nprintf '%s' \"$@\" >> '"+log+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("BROWSER", program)
	return func(want string) {
		t.Helper()
		got, err := os.ReadFile(log)
		for end := time.Now().Add(hang); string(got) != want && time.Now().Before(end); got, err = os.ReadFile(log) {
			time.Sleep(5 * time.Millisecond)
		}
		if string(got) != want {
			t.Errorf("the browser got %q, %v; want %q", got, err, want)
		}
	}
}
