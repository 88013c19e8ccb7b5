package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"belay/internal/build"
)

const instructions = "Call countdown and press x while it runs: it goes quiet, and the row says how the server took the cancel. " +
	"Then do the same to stubborn, restless and prompt_error, which each take it differently."

// closing are the instructions where a cancel closes the stream of its request.
const closing = "Call countdown and press x while it runs: over HTTP in 2026-07-28 that closes its stream, and nothing can be seen after it. " +
	"What becomes of a task can be: cancel task_countdown and task_stubborn, which each take it differently."

// Options are what a demo server needs from the process around it.
type Options struct {
	// Stderr receives the last words of the tool crash. Required.
	Stderr io.Writer
	// Exit ends the process for the tool crash; in production [os.Exit].
	// Required. When it returns, as in a test, the call fails.
	Exit func(code int)

	instructions string // "": those of a server that a cancel is sent to

	tasks *tasks // of all servers that share these options; nil: each has its own
}

// NewServer builds the demo server, with its tools, prompts, resources and
// templates, connected to nothing.
//
// By itself, over any of the SDK's transports, its tools take a cancel as well
// as the SDK lets them: the SDK answers every call, so none can go quiet. [Run]
// and [RunHTTP] add the wrapper that makes all of it possible where a cancel is
// a message.
func NewServer(opts Options) *mcp.Server {
	if opts.instructions == "" {
		opts.instructions = instructions
	}
	s := mcp.NewServer(
		&mcp.Implementation{Name: Name, Title: Title, Version: build.Version()},
		&mcp.ServerOptions{
			Instructions: opts.instructions,
			// No list here ever changes, so no list_changed is promised. One
			// resource does; the SDK keeps the subscriptions to it by itself.
			Capabilities: &mcp.ServerCapabilities{
				Logging:   &mcp.LoggingCapabilities{},
				Tools:     &mcp.ToolCapabilities{},
				Prompts:   &mcp.PromptCapabilities{},
				Resources: &mcp.ResourceCapabilities{Subscribe: true},
			},
			SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
			UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		})
	if opts.tasks == nil {
		opts.tasks = newTasks(context.Background())
	}
	opts.tasks.addTo(s)
	s.AddReceivingMiddleware(refuseUnknownLevels, listByRevision)
	for _, t := range tools {
		t.add(s, opts)
	}
	addPrompts(s, opts.instructions)
	addResources(s)
	return s
}

// levels are the severities of the specification (RFC 5424), mildest first.
var levels = []mcp.LoggingLevel{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}

// refuseUnknownLevels answers logging/setLevel with Invalid params when the
// level is none of the eight, as the specification asks; the SDK takes any.
func refuseUnknownLevels(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if p, ok := req.GetParams().(*mcp.SetLoggingLevelParams); ok && p != nil && !slices.Contains(levels, p.Level) {
			return nil, invalidParams("unknown log level %q; use one of %s", p.Level, joinLevels())
		}
		return next(ctx, method, req)
	}
}

func joinLevels() string {
	words := make([]string, len(levels))
	for i, l := range levels {
		words[i] = string(l)
	}
	return strings.Join(words, ", ")
}

func invalidParams(format string, args ...any) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf(format, args...)}
}
