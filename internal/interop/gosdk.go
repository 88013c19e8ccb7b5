//go:build interop

package interop

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A GoServer is a server on the Go SDK as it comes, in both eras at one address,
// with what its tools have noticed.
type GoServer struct {
	URL string

	mu      sync.Mutex
	noticed []string
}

// Noticed are lines such as "heeds stopped" and "ignores went on", in order.
func (s *GoServer) Noticed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.noticed...)
}

func (s *GoServer) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.noticed = append(s.noticed, fmt.Sprintf(format, args...))
}

// GoSDK serves until the test ends. The tools are those of the server on the
// TypeScript SDK. The modern era is only served without sessions, so that what a
// request says of its revision chooses between two handlers.
func GoSDK(t testing.TB) *GoServer {
	s := new(GoServer)
	server := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
	s.addTools(server)
	get := func(*http.Request) *mcp.Server { return server }
	legacy := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)})
	modern := mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Session-Id") == "" && r.Header.Get("MCP-Protocol-Version") >= "2026-07-28" {
			modern.ServeHTTP(w, r)
		} else {
			legacy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	s.URL = web.URL + "/mcp"
	return s
}

func (s *GoServer) addTools(server *mcp.Server) {
	tool := func(name string, run func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error)) {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			res, err := run(ctx, req)
			return res, nil, err
		})
	}
	text := func(t string) *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: t}}}
	}
	tool("heeds", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.note("heeds: started")
		select {
		case <-ctx.Done():
			s.note("heeds stopped")
			return nil, ctx.Err()
		case <-time.After(time.Minute):
			return text("never told to stop"), nil
		}
	})
	tool("ignores", func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.note("ignores: started")
		<-time.After(6 * time.Second)
		s.note("ignores went on, told to stop: %v", ctx.Err() != nil)
		return text("went on to the end"), nil
	})
	tool("tells", func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for k := range 100 {
			if token := req.Params.GetProgressToken(); token != nil {
				_ = req.Session.NotifyProgress(context.WithoutCancel(ctx), &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(k + 1), Total: 100})
			}
			<-time.After(50 * time.Millisecond)
		}
		return text("told all of it"), nil
	})
	// The SDK asks handshake clients by requests of its own.
	asks := func(name string, question mcp.InputRequest) {
		tool(name, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if answer := req.Params.InputResponses["answer"]; answer != nil {
				return text(fmt.Sprintf("answered: %T", answer)), nil
			}
			return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"answer": question}}, nil
		})
	}
	asks("elicit", &mcp.ElicitParams{
		Message: "Which color?", Mode: "form",
		RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"color": map[string]any{"type": "string"}}},
	})
	asks("sample", &mcp.CreateMessageParams{
		MaxTokens: 20, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Say hello"}}},
	})
}
