package demo

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
)

var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

func TestHandshake(t *testing.T) {
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := begin(t, revision)
				p.ping(1)
				got := decode[struct {
					ProtocolVersion string
					ServerInfo      struct{ Name, Version string }
					Instructions    string
					Capabilities    map[string]json.RawMessage
				}](t, p.answer(`"hello"`).Result)
				if got.ProtocolVersion != revision {
					t.Errorf("revision %q, want %q", got.ProtocolVersion, revision)
				}
				if got.ServerInfo.Name != Name || got.ServerInfo.Version == "" {
					t.Errorf("server info %+v", got.ServerInfo)
				}
				if !strings.Contains(got.Instructions, "countdown") || !strings.Contains(got.Instructions, "press x") {
					t.Errorf("instructions do not say what to try: %q", got.Instructions)
				}
				for _, c := range []string{"logging", "tools", "prompts", "resources"} {
					if _, ok := got.Capabilities[c]; !ok {
						t.Errorf("capability %s is missing", c)
					}
				}
				if s := p.stderr.String(); !strings.HasPrefix(s, Title) || strings.Count(s, "\n") != 1 {
					t.Errorf("stderr at start: %q, want one line", s)
				}
			})
		})
	}
}

// The quiet cancel is what every other verdict is told apart from, so it has
// to be the same in every revision.
func TestQuietCancelInEveryRevision(t *testing.T) {
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				p := begin(t, revision)
				p.call(7, "countdown", `{}`, `"tok"`)
				p.cancel(7, "enough")
				pong := p.ping(8)
				sleepLong()
				p.nothingAfter(pong)
				if n := len(p.answers("7")); n != 0 {
					t.Errorf("%d answers to the cancelled call", n)
				}
			})
		})
	}
}

func TestModernRevisionOverStdio(t *testing.T) {
	const meta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		synctest.Wait()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"countdown","arguments":{},"_meta":{%s}}}`, meta)
		p.cancel(1, "enough")
		p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"flood","arguments":{"kind":"log"},"_meta":{%s}}}`, meta)
		p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"flood","arguments":{"kind":"log","rate":10,"seconds":1},"_meta":{%s,"io.modelcontextprotocol/logLevel":"warning"}}}`, meta)
		sleepLong()
		if n := len(p.answers("1")); n != 0 {
			t.Errorf("%d answers to the cancelled call", n)
		}
		if !p.answer("2").tool(t).IsError {
			t.Error("log messages for a call that asked for none")
		}
		if got := p.logLevels(); len(got) != 1 || got["warning"] != 10 {
			t.Errorf("log messages by level: %v, want 10 warnings", got)
		}
	})
}

func TestToolsMakeGoodForms(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		synctest.Wait()
		type property struct {
			Type, Title, Description  string
			Default, Minimum, Maximum *json.RawMessage
			Enum                      []string
		}
		list := decode[struct {
			Tools []struct {
				Name, Title, Description string
				InputSchema              struct {
					Type       string
					Properties map[string]property
					Required   []string
				}
				Annotations map[string]any
			}
		}](t, p.answer("1").Result)
		if len(list.Tools) != len(tools) {
			t.Fatalf("%d tools, want %d", len(list.Tools), len(tools))
		}
		for _, tool := range list.Tools {
			if tool.Title == "" || tool.Description == "" || tool.InputSchema.Type != "object" {
				t.Errorf("%s: title, description or schema is missing", tool.Name)
			}
			if tool.Annotations["destructiveHint"] != (tool.Name == "crash") || tool.Annotations["openWorldHint"] != false {
				t.Errorf("%s: annotations %v", tool.Name, tool.Annotations)
			}
			if tool.Name != "echo" && len(tool.InputSchema.Required) > 0 {
				t.Errorf("%s cannot be called without arguments", tool.Name)
			}
			for name, prop := range tool.InputSchema.Properties {
				if prop.Title == "" || prop.Description == "" {
					t.Errorf("%s.%s: title or description is missing", tool.Name, name)
				}
				if prop.Default == nil && name != "text" {
					t.Errorf("%s.%s has no default", tool.Name, name)
				}
				if (prop.Type == "integer" || prop.Type == "number") && (prop.Minimum == nil || prop.Maximum == nil) {
					t.Errorf("%s.%s has no bounds", tool.Name, name)
				}
			}
		}
		if line := p.answer("1").line; strings.Index(line, `"rate"`) > strings.Index(line, `"kind"`) {
			t.Error("the fields of flood are not in the order they were written in")
		}
	})
}
