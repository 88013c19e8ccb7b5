package demo

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An arrival is what came with a request and is not handed on by the SDK.
type arrival struct {
	wire    *conn           // nil where the SDK alone has the connection
	id      any             // of a subscriptions/listen
	task    json.RawMessage // the parameter task of a tools/call
	taskIDs []string        // those that a subscriptions/listen is to hear of
	events  *events         // over HTTP, since 2026-07-28: the stream of a subscriptions/listen
}

type arrivalKey struct{}

// arrivalFrom returns the arrival of the request that ctx belongs to.
func arrivalFrom(ctx context.Context) arrival {
	a, _ := ctx.Value(arrivalKey{}).(arrival)
	return a
}

// serve is the middleware that adds tasks to a server: the SDK knows nothing of
// them.
func (s *tasks) serve(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch req := req.(type) {
		case *mcp.CallToolRequest:
			return s.call(ctx, next, method, req)
		case *mcp.ListToolsRequest:
			res, err := next(ctx, method, req)
			return withSupport(ctx, req, res), err
		case *mcp.SubscriptionsListenRequest:
			return s.listen(ctx, next, method, req)
		case *taskRequest:
			if err := checkManage(ctx, method, req); err != nil {
				return nil, err
			}
		}
		res, err := next(ctx, method, req)
		return declared(ctx, res), err
	}
}

// declared adds tasks to the capabilities, in the way of the revision.
func declared(ctx context.Context, res mcp.Result) mcp.Result {
	switch res := res.(type) {
	case *mcp.InitializeResult:
		if res.ProtocolVersion == withTasks && arrivalFrom(ctx).wire != nil {
			none := struct{}{}
			return &initialized{InitializeResult: res, Capabilities: capabilities{
				ServerCapabilities: res.Capabilities,
				Tasks:              map[string]any{"list": none, "cancel": none, "requests": map[string]any{"tools": map[string]any{"call": none}}},
			}}
		}
	case *mcp.DiscoverResult:
		res.Capabilities.AddExtension(extensionTasks, nil)
	}
	return res
}

// initialized is the answer to initialize where tasks are in the core.
type initialized struct {
	*mcp.InitializeResult
	Capabilities capabilities `json:"capabilities"`
}

type capabilities struct {
	*mcp.ServerCapabilities
	Tasks map[string]any `json:"tasks"`
}

// listed is a list of tools that says which run as tasks.
type listed struct {
	*mcp.ListToolsResult
	Tools []listedTool `json:"tools"`
}

type listedTool struct {
	*mcp.Tool
	Execution map[string]string `json:"execution,omitempty"`
}

// withSupport says in a list which tools run as tasks. Since 2026-07-28 the
// list says nothing of it; before 2025-11-25 those tools are not there.
func withSupport(ctx context.Context, req *mcp.ListToolsRequest, res mcp.Result) mcp.Result {
	list, ok := res.(*mcp.ListToolsResult)
	switch {
	case !ok || revisionOf(req) >= firstWithRounds:
		return res
	case !isInCore(ctx, req):
		list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { _, is := taskTools[t.Name]; return is })
		return list
	}
	all := &listed{ListToolsResult: list}
	for _, t := range list.Tools {
		one := listedTool{Tool: t}
		if kind, ok := taskTools[t.Name]; ok {
			one.Execution = map[string]string{"taskSupport": kind.support()}
		}
		all.Tools = append(all.Tools, one)
	}
	return all
}

// isInCore reports whether a request is of the revision that has tasks in its
// core. The parameter by which they are asked for comes over our connection only.
func isInCore(ctx context.Context, req interface {
	ProtocolVersion() string
	GetParams() mcp.Params
},
) bool {
	return revisionOf(req) == withTasks && arrivalFrom(ctx).wire != nil
}

// declaresTasks reports whether a request says that its client has the extension.
// What another request of the same client said is of no account.
func declaresTasks(p mcp.Params) bool {
	caps, _ := p.GetMeta()[mcp.MetaKeyClientCapabilities].(map[string]any)
	extensions, _ := caps["extensions"].(map[string]any)
	_, ok := extensions[extensionTasks].(map[string]any)
	return ok
}

// errUndeclared refuses what needs the extension.
func errUndeclared() error {
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "this needs the extension " + extensionTasks + ", and the request does not declare it",
		Data:    json.RawMessage(`{"requiredCapabilities":{"extensions":{"` + extensionTasks + `":{}}}}`),
	}
}

func methodNotFound(message string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: message}
}

// call serves tools/call: as a task where the client asks for one, in
// 2025-11-25, or can be given one, since 2026-07-28.
func (s *tasks) call(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.CallToolRequest) (mcp.Result, error) {
	name, a := req.Params.Name, arrivalFrom(ctx)
	kind, runs := taskTools[name]
	t := &task{ttl: kind.ttl, ignores: kind.ignores, notify: func(taskView) {}}
	switch {
	case revisionOf(req) >= firstWithRounds:
		switch {
		case !runs:
			return next(ctx, method, req)
		case !declaresTasks(req.Params) && kind.required:
			return nil, errUndeclared()
		case !declaresTasks(req.Params):
			return next(ctx, method, req)
		}
		t.extension = true
	case !isInCore(ctx, req):
		if runs {
			return nil, invalidParams("there is no tool %s in %s", name, revisionOf(req))
		}
		return next(ctx, method, req)
	case a.task == nil && kind.required:
		return nil, methodNotFound("the tool " + name + " runs as a task only: call it with the parameter task")
	case a.task == nil:
		return next(ctx, method, req)
	case !runs:
		return nil, methodNotFound("the tool " + name + " does not run as a task: call it without the parameter task")
	default:
		var asked struct {
			TTL *float64 `json:"ttl"`
		}
		if err := json.Unmarshal(a.task, &asked); err != nil {
			return nil, invalidParams("the parameter task is to be an object, with a ttl in milliseconds or without: %v", err)
		}
		t.ttl = kind.lifetime(asked.TTL)
		t.notify = func(v taskView) { notifyStatus(a.wire, v) }
	}
	c := callFrom(ctx)
	if c == nil {
		c = &call{conduct: conducts[name]}
		if token := req.Params.GetProgressToken(); token != nil && !t.extension {
			c.token, _ = json.Marshal(token)
		}
	}
	begun, err := s.create(t, func(t *task) (mcp.Result, error) {
		mine := &call{conduct: c.conduct, token: c.token, logLevel: c.logLevel, wire: c.wire, cancelled: t.cancelled, task: t}
		if t.extension {
			mine.token = nil // tasks have no progress there
		}
		return next(context.WithValue(t.life, callKey{}, mine), method, req)
	})
	if err != nil {
		return nil, err
	}
	if t.extension {
		return &taskResult{ResultType: "task", taskView: &begun}, nil
	}
	t.known(req.Session)
	return &createdTask{Task: begun}, nil
}

// notifyStatus tells a client of 2025-11-25 of a change. An error means that its
// session has ended: the task lives on.
func notifyStatus(wire *conn, v taskView) {
	if params, err := json.Marshal(v); err == nil {
		_ = wire.Write(context.Background(), &jsonrpc.Request{Method: "notifications/tasks/status", Params: params})
	}
}

// createdTask is the answer to a call that runs as a task, in 2025-11-25.
type createdTask struct {
	mcp.ResultBase
	Task taskView `json:"task"`
}

// taskResult is a task as the result of a request; without the task it is an
// acknowledgement.
type taskResult struct {
	mcp.ResultBase
	ResultType string `json:"resultType,omitempty"` // since 2026-07-28
	*taskView
}
