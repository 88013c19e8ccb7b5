package demo

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// conduct is how a tool takes a cancel.
type conduct int

const (
	// standard leaves the cancel to the SDK, which ends the handler's context
	// and sends whatever the handler returns.
	standard conduct = iota
	// quiet stops: nothing for the call is written any more.
	quiet
	// deaf works on and answers as if nothing had been said.
	deaf
	// restless never answers, but works on and goes on telling of it.
	restless
	// protesting stops, cleans up, and answers with a JSON-RPC error.
	protesting
)

// conducts names the tools whose conduct is not the SDK's.
var conducts = map[string]conduct{
	"countdown":    quiet,
	"flood":        quiet,
	"strike_bell":  quiet,
	"stubborn":     deaf,
	"restless":     restless,
	"prompt_error": protesting,

	"ask_form":             quiet,
	"ask_url":              quiet,
	"ask_then_withdraw":    quiet,
	"sample_then_withdraw": quiet,
	"ask_twice":            quiet,
	"summarise":            quiet,
	"needs_login":          quiet,

	"task_ask":       quiet,
	"task_countdown": quiet,
	"task_expires":   quiet,
	"task_stubborn":  deaf,
	"task_stuck":     restless,
}

// errAbandoned ends a handler whose work is no longer wanted. Over stdio it is
// never written.
var errAbandoned = errors.New("stopped: the call was cancelled or its connection ended")

// A call is one tools/call in flight, as its tool sees it. The context that
// goes with it ends with the connection, never by a cancel.
type call struct {
	conduct   conduct
	token     json.RawMessage // as the caller wrote it; nil if it wants no progress
	logLevel  string          // at which log messages may be sent for it; "" for none
	cancelled <-chan struct{} // closed when its cancel was read
	wire      *conn           // nil where the SDK alone has the connection

	// Written before cancelled is closed, to be read only after.
	reason string

	task *task // that the call runs as; nil: none

	// As they came with the request.
	session      *mcp.ServerSession
	revision     string
	params       *mcp.CallToolParamsRaw
	capabilities *mcp.ClientCapabilities
}

type callKey struct{}

// lifeKey leads to the context that ends with the whole server, where the SDK
// alone has the connections.
type lifeKey struct{}

// outliving is a context with the end of one and the values of another.
type outliving struct {
	context.Context
	values context.Context
}

func (o outliving) Value(key any) any { return o.values.Value(key) }

// callFrom returns the call that ctx belongs to, or nil.
func callFrom(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// callFor returns the call of a request, and the context to run it under. A
// server without our connection has only the SDK's context to learn of a cancel
// from, and that context must not stop a tool that is to ignore it; the end of
// the whole server still does.
func callFor(ctx context.Context, req *mcp.CallToolRequest) (context.Context, *call) {
	c := callFrom(ctx)
	if c == nil {
		c = &call{conduct: conducts[req.Params.Name], cancelled: ctx.Done()}
		if token := req.Params.GetProgressToken(); token != nil {
			// A token came from JSON and goes back to it.
			c.token, _ = json.Marshal(token)
		}
		c.logLevel, _ = req.Params.GetMeta()["io.modelcontextprotocol/logLevel"].(string)
		life, ok := ctx.Value(lifeKey{}).(context.Context)
		if !ok {
			life = context.Background()
		}
		ctx = outliving{life, ctx}
	}
	c.session, c.revision = req.Session, revisionOf(req)
	c.params, c.capabilities = req.Params, req.ClientCapabilities()
	return ctx, c
}

// isCancelled reports whether the cancel of c was read.
func (c *call) isCancelled() bool {
	select {
	case <-c.cancelled:
		return true
	default:
		return false
	}
}

// progress tells the caller that k of n is done, if it asked to be told. Values
// must grow from one to the next.
func (c *call) progress(ctx context.Context, k, n int, message string) {
	if c.token == nil {
		return
	}
	if c.revision == "2024-11-05" {
		message = "" // the member came with 2025-03-26
	}
	var meta mcp.Meta
	if c.task != nil {
		meta = relatedTask(c.task.id)
	}
	// An error means that the connection is ending; then ctx ends too.
	_ = c.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
		Meta:          meta,
		ProgressToken: c.token,
		Progress:      float64(k),
		Total:         float64(n),
		Message:       message,
	})
}

// log sends a log message of the tool flood, at the level the client asked for.
func (c *call) log(ctx context.Context, data string) {
	p := &mcp.LoggingMessageParams{Level: mcp.LoggingLevel(c.logLevel), Logger: "flood", Data: data}
	if c.wire == nil {
		_ = c.session.Log(ctx, p)
		return
	}
	// The SDK sends nothing before a handshake client has set a level.
	if params, err := json.Marshal(p); err == nil {
		_ = c.wire.Write(ctx, &jsonrpc.Request{Method: "notifications/message", Params: params})
	}
}

// pause waits for d. It returns false, at once, when ctx ends or stop is
// closed; a nil stop never is.
func pause(ctx context.Context, d time.Duration, stop <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-stop:
		return false
	case <-ctx.Done():
		return false
	}
}
