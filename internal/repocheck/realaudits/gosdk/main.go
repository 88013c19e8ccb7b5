// Command gosdk is a server on the official Go SDK, whose tools work for two seconds: heeds
// stops when its context ends, ignores does not. It speaks stdio, or HTTP at the port that PORT
// names: up to 2025-11-25 with sessions, with -stateless in 2026-07-28, and with -propagate
// a response that is closed ends the context of its call, which is not the SDK's default.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	stateless := flag.Bool("stateless", false, "serve 2026-07-28 over HTTP, without sessions")
	propagate := flag.Bool("propagate", false, "a closed response ends the context of its call")
	flag.Parse()
	if err := run(&mcp.StreamableHTTPOptions{Stateless: *stateless, PropagateRequestCancellation: *propagate}); err != nil {
		fmt.Fprintln(os.Stderr, "gosdk:", err)
		os.Exit(1)
	}
}

func run(options *mcp.StreamableHTTPOptions) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1.8.0"}, nil)
	tool(s, "heeds", func(ctx context.Context) <-chan struct{} { return ctx.Done() })
	tool(s, "ignores", func(context.Context) <-chan struct{} { return nil })
	port := os.Getenv("PORT")
	if port == "" {
		return s.Run(context.Background(), &mcp.StdioTransport{})
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, options))
	web := &http.Server{Addr: "127.0.0.1:" + port, Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return web.ListenAndServe()
}

// tool adds a tool that tells its progress, and stops early by what it listens to.
func tool(s *mcp.Server, name string, stop func(context.Context) <-chan struct{}) {
	about := &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}
	mcp.AddTool(s, about, func(ctx context.Context, req *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
		const steps = 8
		for k := range steps {
			select {
			case <-stop(ctx):
				return nil, nil, errors.New("stopped: " + ctx.Err().Error())
			case <-time.After(250 * time.Millisecond):
			}
			if token := req.Params.GetProgressToken(); token != nil {
				_ = req.Session.NotifyProgress(context.WithoutCancel(ctx), &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(k + 1), Total: steps})
			}
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "worked to the end"}}}, nil, nil
	})
}
