// Command mcpgo is a server on mcp-go: a tool that runs as a task (2025-11-25), as the example of
// tasks that comes with mcp-go does not compile, and one that heeds its context. It speaks HTTP at the port that PORT names,
// and stdio where there is none.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("mcp-go-tasks", "1.0.0", server.WithTaskCapabilities(true, true, true), server.WithToolCapabilities(true))
	tool := mcp.NewTool("works", mcp.WithTaskSupport(mcp.TaskSupportRequired), mcp.WithDescription("A task that works for some seconds."),
		mcp.WithReadOnlyHintAnnotation(true), mcp.WithDestructiveHintAnnotation(false), mcp.WithNumber("seconds", mcp.Required()))
	s.AddTool(tool, func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		// mcp-go cancels the context of a task as soon as the call is answered by its handle.
		time.Sleep(time.Duration(r.GetFloat("seconds", 1) * float64(time.Second)))
		return mcp.NewToolResultText("the work is finished"), nil
	})
	heeds := mcp.NewTool("heeds", mcp.WithDescription("Works for two seconds, and stops when its context ends."),
		mcp.WithReadOnlyHintAnnotation(true), mcp.WithDestructiveHintAnnotation(false))
	s.AddTool(heeds, func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(2 * time.Second):
			return mcp.NewToolResultText("the work is finished"), nil
		}
	})
	var err error
	if port := os.Getenv("PORT"); port != "" {
		err = server.NewStreamableHTTPServer(s).Start("127.0.0.1:" + port)
	} else {
		err = server.ServeStdio(s)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
