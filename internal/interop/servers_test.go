//go:build interop

package interop

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect connects the Go SDK's client, which answers what it is asked.
func connect(t *testing.T, transport mcp.Transport, revision string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"color": "red"}}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "me", Role: "assistant", Content: &mcp.TextContent{Text: "hello"}}, nil
		},
	})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		t.Fatalf("agreed on %s, want %s", got, revision)
	}
	return session
}

// call calls a tool and returns its first text.
func call(ctx context.Context, t *testing.T, c *mcp.ClientSession, tool string) (string, error) {
	t.Helper()
	params := &mcp.CallToolParams{Name: tool, Arguments: map[string]any{}}
	res, err := c.CallTool(ctx, params)
	if err != nil {
		return "", err
	}
	for _, block := range res.Content {
		if b, ok := block.(*mcp.TextContent); ok {
			return b.Text, nil
		}
	}
	return "", nil
}

// eventually waits for what a server notices on its own time.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	late := time.After(time.Minute)
	for !holds() {
		select {
		case <-late:
			t.Fatalf("it never came to: %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// heeds counts what the tool of that name has noticed in all calls of it.
type heeds struct{ started, stopped func() int }

// bothEras runs the same calls against a server in each of its revisions.
func bothEras(t *testing.T, url string, noticed heeds) {
	for _, revision := range []string{"2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			c := connect(t, &mcp.StreamableClientTransport{Endpoint: url}, revision)
			for tool, want := range map[string]string{"ignores": "went on", "elicit": "answered", "sample": "answered"} {
				if got, err := call(t.Context(), t, c, tool); err != nil || !strings.Contains(got, want) {
					t.Errorf("%s: %q, %v", tool, got, err)
				}
			}
			if revision >= "2026-07-28" {
				cancelByClosing(t, c, noticed)
			} else {
				cancelByHand(t, url, revision, noticed)
			}
		})
	}
	eventually(t, "every call of heeds was told to stop", func() bool { return noticed.stopped() == 3 })
}

// cancelByClosing calls heeds and closes the exchange once the tool runs. A call
// that is cancelled before that never reaches its tool in some servers.
func cancelByClosing(t *testing.T, c *mcp.ClientSession, noticed heeds) {
	t.Helper()
	before := noticed.started()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		_, err := call(ctx, t, c, "heeds")
		over <- err
	}()
	eventually(t, "heeds runs", func() bool { return noticed.started() > before })
	cancel()
	if err := <-over; !errors.Is(err, context.Canceled) {
		t.Errorf("heeds: %v", err)
	}
}

// cancelByHand calls heeds and cancels it by a message once the tool runs. The
// SDK's client is no use for that: before there is a head to the answer it gives
// the request up and tells the server nothing.
func cancelByHand(t *testing.T, url, revision string, noticed heeds) {
	t.Helper()
	session := ""
	post := func(ctx context.Context, body string) (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
			req.Header.Set("MCP-Protocol-Version", revision)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return resp, err
	}
	resp, err := post(t.Context(), `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	session = resp.Header.Get("Mcp-Session-Id")
	if _, err := post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		t.Fatal(err)
	}
	started, stopped := noticed.started(), noticed.stopped()
	ctx, giveUp := context.WithCancel(t.Context())
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = post(ctx, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"heeds","arguments":{}}}`)
	}()
	eventually(t, "heeds runs", func() bool { return noticed.started() > started })
	if _, err := post(t.Context(), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"stop"}}`); err != nil {
		t.Fatal(err)
	}
	eventually(t, "heeds is told to stop", func() bool { return noticed.stopped() > stopped })
	giveUp()
	<-over
}

func TestTypeScriptServesBothEras(t *testing.T) {
	s := TypeScript(t)
	count := func(line string) func() int { return func() int { return strings.Count(s.Output(), line) } }
	bothEras(t, s.URL, heeds{count("heeds: started"), count("heeds: told to stop")})
}

func TestGoSDKServesBothEras(t *testing.T) {
	s := GoSDK(t)
	count := func(line string) func() int {
		return func() int { return strings.Count(strings.Join(s.Noticed(), "\n"), line) }
	}
	bothEras(t, s.URL, heeds{count("heeds: started"), count("heeds stopped")})
}

func TestServerEverythingServes(t *testing.T) {
	for mode, revision := range map[string]string{"streamableHttp": "2025-11-25", "sse": "2024-11-05"} {
		t.Run(mode, func(t *testing.T) {
			s := Everything(t, mode)
			var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: s.URL}
			if mode == "sse" {
				transport = &mcp.SSEClientTransport{Endpoint: s.URL}
			}
			c := connect(t, transport, revision)
			list, err := c.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) < 8 {
				t.Errorf("%+v, %v", list, err)
			}
		})
	}
}
