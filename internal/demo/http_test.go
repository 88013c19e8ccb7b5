package demo

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// everyWay are the revisions, each over the transport that it has; the oldest
// over HTTP+SSE.
var everyWay = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

func TestTheSDKsClientIsServedInEveryRevision(t *testing.T) {
	for _, revision := range everyWay {
		t.Run(revision, func(t *testing.T) {
			inSite(t, func(t *testing.T, s *site) {
				c := s.connect(revision)
				if got := c.InitializeResult().ProtocolVersion; got != revision {
					t.Fatalf("agreed on %s", got)
				}
				list, err := c.ListTools(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				want := len(tools)
				switch {
				case revision >= firstWithRounds:
					want -= len(handshakeOnly)
				case revision < withTasks:
					want -= len(taskTools)
				}
				if len(list.Tools) != want {
					t.Errorf("%d tools, want %d", len(list.Tools), want)
				}
				if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "welcome"}); err != nil {
					t.Error(err)
				}
				if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: guideURI}); err != nil {
					t.Error(err)
				}
				for _, tt := range []struct{ tool, arguments, words string }{
					{"echo", `{"text":"ahoy"}`, "ahoy"},
					{"countdown", `{}`, "Counted down"},
					{"stubborn", `{}`, "Done"},
					{"restless", `{"seconds":2}`, "Worked"},
					{"prompt_error", `{}`, "Done"},
					{"flood", `{"rate":100,"seconds":1}`, "sent 100 progress"},
					{"big", `{}`, "line 00000001"},
					{"fail", `{}`, "as you asked"},
				} {
					if got := called(t, c, tt.tool, tt.arguments); !strings.Contains(got, tt.words) {
						t.Errorf("%s: %.80s", tt.tool, got)
					}
				}
			})
		})
	}
}

// called is the text of a tool's result.
func called(t *testing.T, c *mcp.ClientSession, tool, arguments string) string {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}
	params.SetProgressToken("token")
	res, err := c.CallTool(t.Context(), params)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	var all strings.Builder
	for _, block := range res.Content {
		if b, ok := block.(*mcp.TextContent); ok {
			all.WriteString(b.Text + "\n")
		}
	}
	return all.String()
}

func TestTheSDKsClientIsAskedInEveryRevision(t *testing.T) {
	for revision, asks := range map[string]map[string]string{
		"2025-06-18": {"ask_form": `"rig":"ketch"`, "ask_twice": "Nantucket", "summarise": "A man goes to sea.", "ask_then_withdraw": "You answered"},
		"2025-11-25": {
			"ask_form": `"rig":"ketch"`, "ask_twice": "Nantucket", "summarise": "A man goes to sea.", "ask_url": "You agreed to visit",
			"ask_then_withdraw": "You answered", "sample_then_withdraw": "A man goes",
		},
		"2026-07-28": {"ask_form": `"rig":"ketch"`, "ask_twice": "Rokovoko", "summarise": "A man goes to sea.", "ask_url": "You agreed to visit"},
	} {
		t.Run(revision, func(t *testing.T) {
			inSite(t, func(t *testing.T, s *site) {
				c := s.connect(revision)
				for tool, words := range asks {
					if got := called(t, c, tool, `{}`); !strings.Contains(got, words) {
						t.Errorf("%s: %s", tool, got)
					}
				}
			})
		})
	}
}

// Over HTTP a cancel of a handshake revision is a message, and taken as over
// stdio: what comes afterwards comes on the stream of the call.
func TestCancelsByMessage(t *testing.T) {
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			inSite(t, func(t *testing.T, s *site) {
				h := s.shakeHands(revision, `{}`)
				calls := map[string]*exchange{}
				ids := map[string]int{}
				for _, tool := range []string{"countdown", "stubborn", "restless", "prompt_error", "flood"} {
					calls[tool], ids[tool] = h.call(tool, `{}`)
				}
				pass(1100 * time.Millisecond)
				before := map[string]int{}
				for tool, id := range ids {
					h.cancelled(id, "wrong branch")
					before[tool] = len(calls[tool].got())
				}
				pass(time.Minute)
				for _, tool := range []string{"countdown", "flood"} {
					if n := len(calls[tool].got()); n != before[tool] || calls[tool].ended() {
						t.Errorf("%s is to go quiet: %d messages, before the cancel %d", tool, n, before[tool])
					}
				}
				if got := calls["stubborn"].result().tool(t); got.IsError || !strings.Contains(got.Content[0].Text, "although") {
					t.Errorf("stubborn: %+v", got)
				}
				if all := calls["restless"].got(); len(all) != 100 || all[99].Method == "" {
					t.Errorf("restless: %d messages, the last %s", len(all), all[len(all)-1].line)
				}
				if got := calls["prompt_error"].result(); got.Error == nil || !strings.Contains(got.Error.Message, "wrong branch") {
					t.Errorf("prompt_error: %s", got.line)
				}
			})
		})
	}
}

// Since 2026-07-28 closing the stream of a call is its cancel. Nothing more can
// be seen of it; the server, which waits for its calls to end, shows when it did.
func TestCancelsByClosingTheStream(t *testing.T) {
	for tool, want := range map[string]time.Duration{
		"countdown": 0, "prompt_error": tidying, "flood": 0, "stubborn": 1900 * time.Millisecond, "restless": 18900 * time.Millisecond,
	} {
		t.Run(tool, func(t *testing.T) {
			inSite(t, func(t *testing.T, s *site) {
				x := s.modern(tool, `{}`, `{}`, "")
				unlike := "countdown"
				if tool == unlike {
					unlike = "stubborn"
				}
				other := s.modern(unlike, `{}`, `{}`, "")
				pass(1100 * time.Millisecond)
				x.cancel()
				closed := time.Now()
				pass(30 * time.Second)
				if got := s.doneWith(tool).Sub(closed); got.Truncate(100*time.Millisecond) != want {
					t.Errorf("it ended %v after the stream was closed, want %v", got, want)
				}
				if got := other.result().tool(t); got.IsError {
					t.Errorf("another call was hit: %+v", got)
				}
			})
		})
	}
}

func TestTheEndOfTheServerEndsWhatIsInFlight(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		h := s.shakeHands("2025-11-25", asksAll)
		for _, tool := range []string{"countdown", "stubborn", "restless", "ask_form"} {
			h.call(tool, `{}`)
			s.modern(tool, `{}`, asksAll, "")
		}
		h.do("GET", pathMCP, "", h.headers()...)
		s.do("GET", pathSSE, "")
		pass(time.Second)
		began := time.Now()
		s.stop()
		<-s.done
		if took := time.Since(began); took > grace {
			t.Errorf("it took %v to end", took)
		}
	})
}

// The instructions promise of a cancel what can be seen of it in the revision that is spoken.
func TestInstructionsAreTrueOfTheRevision(t *testing.T) {
	inSite(t, func(t *testing.T, s *site) {
		x := s.do("POST", pathMCP, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{
			"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
			"io.modelcontextprotocol/clientCapabilities":{}}}}`, headerRevision+": 2026-07-28", "Mcp-Method: server/discover")
		modern := decode[struct{ Instructions string }](t, x.result().Result).Instructions
		legacy := s.connect("2025-11-25").InitializeResult().Instructions
		if strings.Contains(modern, "quiet") || !strings.Contains(modern, "closes its stream") {
			t.Errorf("2026-07-28: %q", modern)
		}
		if !strings.Contains(legacy, "it goes quiet") {
			t.Errorf("2025-11-25: %q", legacy)
		}
	})
}
