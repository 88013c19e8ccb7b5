package demo

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// taskParams are those of all requests about tasks.
type taskParams struct {
	mcp.ParamsBase
	TaskID         string                     `json:"taskId"`
	Cursor         string                     `json:"cursor"`         // of tasks/list
	InputResponses map[string]json.RawMessage `json:"inputResponses"` // of tasks/update
}

type taskRequest = mcp.ServerRequest[*taskParams]

// The requests about tasks, in the core of 2025-11-25 and in the extension.
var (
	coreMethods      = []string{"tasks/get", "tasks/result", "tasks/list", "tasks/cancel"}
	extensionMethods = []string{"tasks/get", "tasks/update", "tasks/cancel"}
)

// addTo adds tasks to a server.
func (s *tasks) addTo(server *mcp.Server) {
	server.AddReceivingMiddleware(s.serve)
	server.AddSendingMiddleware(acknowledgeTasks)
	addTaskMethod(server, "tasks/get", s.get)
	addTaskMethod(server, "tasks/result", s.result)
	addTaskMethod(server, "tasks/list", s.list)
	addTaskMethod(server, "tasks/update", s.update)
	addTaskMethod(server, "tasks/cancel", s.cancel)
}

func addTaskMethod[R mcp.Result](server *mcp.Server, method string, f func(context.Context, *mcp.ServerSession, *taskParams) (R, error)) {
	err := mcp.AddReceivingCustomMethod(server, method, func(ctx context.Context, ss *mcp.ServerSession, p *taskParams) (R, error) {
		if p == nil {
			p = new(taskParams)
		}
		return f(ctx, ss, p)
	})
	if err != nil {
		panic(err) // the SDK has come to know the method: it is to be served by the SDK then
	}
}

// checkManage returns the error for a request about tasks that its revision does
// not have, or that lacks the extension.
func checkManage(ctx context.Context, method string, req *taskRequest) error {
	if req.Params == nil {
		req.Params = new(taskParams)
	}
	switch extension := revisionOf(req) >= firstWithRounds; {
	case extension && !slices.Contains(extensionMethods, method), !extension && !(isInCore(ctx, req) && slices.Contains(coreMethods, method)):
		return methodNotFound(method + " is not there in " + revisionOf(req))
	case !extension:
		return nil
	case !declaresTasks(req.Params):
		return errUndeclared()
	}
	return nil
}

// isByExtension reports whether a request that may be made is one of the extension.
func (p *taskParams) isByExtension() bool {
	_, named := p.GetMeta()[mcp.MetaKeyProtocolVersion]
	return named
}

// named returns the task that a request names.
func (s *tasks) named(ss *mcp.ServerSession, p *taskParams) (*task, error) {
	t, err := s.find(p.TaskID, p.isByExtension())
	if err == nil && !t.extension {
		t.known(ss)
	}
	return t, err
}

// answer is a task as the answer to a request about it.
func (t *task) answer() *taskResult {
	v, _ := t.view()
	if t.extension {
		return &taskResult{ResultType: "complete", taskView: &v}
	}
	return &taskResult{taskView: &v}
}

func (s *tasks) get(_ context.Context, ss *mcp.ServerSession, p *taskParams) (*taskResult, error) {
	t, err := s.named(ss, p)
	if err != nil {
		return nil, err
	}
	return t.answer(), nil
}

// result waits until the task is over. Meanwhile the task may ask its questions
// on the stream of this request.
func (s *tasks) result(ctx context.Context, ss *mcp.ServerSession, p *taskParams) (*mcp.CallToolResult, error) {
	t, err := s.named(ss, p)
	if err != nil {
		return nil, err
	}
	var cancelled <-chan struct{}
	if c := callFrom(ctx); c != nil {
		cancelled = c.cancelled
	}
	for {
		select {
		case <-t.over:
			return t.outcome()
		case t.streams <- taskStream{ctx, ss}:
		case <-cancelled:
			return nil, errAbandoned
		case <-ctx.Done():
			return nil, errAbandoned
		case <-t.life.Done():
			select {
			case <-t.over: // the work has ended by itself
				return t.outcome()
			default:
				return nil, errNoTask(t.id)
			}
		}
	}
}

type taskList struct {
	mcp.ResultBase
	Tasks      []taskView `json:"tasks"`
	NextCursor string     `json:"nextCursor,omitempty"`
}

func (s *tasks) list(_ context.Context, ss *mcp.ServerSession, p *taskParams) (*taskList, error) {
	page, next, err := s.page(ss, p.Cursor)
	if err != nil {
		return nil, err
	}
	list := &taskList{Tasks: []taskView{}, NextCursor: next}
	for _, t := range page {
		v, _ := t.view()
		list.Tasks = append(list.Tasks, v)
	}
	return list, nil
}

// update takes the answers to questions of a task.
func (s *tasks) update(_ context.Context, ss *mcp.ServerSession, p *taskParams) (*taskResult, error) {
	t, err := s.named(ss, p)
	if err != nil {
		return nil, err
	}
	if err := t.reply(p.InputResponses); err != nil {
		return nil, err
	}
	return &taskResult{ResultType: "complete"}, nil
}

func (s *tasks) cancel(_ context.Context, ss *mcp.ServerSession, p *taskParams) (*taskResult, error) {
	t, err := s.named(ss, p)
	if err != nil {
		return nil, err
	}
	if err := t.cancel(); err != nil {
		return nil, err
	}
	if t.extension {
		return &taskResult{ResultType: "complete"}, nil
	}
	return t.answer(), nil
}
