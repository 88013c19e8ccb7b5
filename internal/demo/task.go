package demo

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The statuses of a task, in both protocols.
const (
	taskWorking       = "working"
	taskInputRequired = "input_required"
	taskCompleted     = "completed"
	taskFailed        = "failed"
	taskCancelled     = "cancelled"
)

// taskPoll is how often a client is asked to look after a task: often enough to
// see it live.
const taskPoll = time.Second

// A task is a tools/call that goes on after its answer.
type task struct {
	id        string
	seq       int  // in the order of creation
	extension bool // of 2026-07-28, not of the core of 2025-11-25
	ignores   bool // a cancel is acknowledged, and changes nothing
	created   time.Time
	ttl       time.Duration

	life      context.Context // of the work: ends with the server, or when the ttl is over
	cancelled chan struct{}   // closed by the first tasks/cancel
	over      chan struct{}   // closed at the terminal status
	streams   chan taskStream // the requests for its result, for whoever has a question to ask there
	notify    func(taskView)  // tells of a new status

	mu        sync.Mutex
	status    string
	message   string
	updated   time.Time
	changes   int
	result    *mcp.CallToolResult
	err       error
	questions mcp.InputRequestMap               // 2026-07-28: those without an answer
	replies   map[string]chan *mcp.ElicitResult // to all that were asked
	asking    chan struct{}                     // 2025-11-25: closed when no question is open; nil: none was
	owners    map[*mcp.ServerSession]bool       // 2025-11-25: the sessions that know its ID
	watchers  map[chan struct{}]bool            // one slot each: woken by a change
}

// A taskStream is where a question of a task of 2025-11-25 can be asked: the
// request that waits for its result.
type taskStream struct {
	ctx     context.Context
	session *mcp.ServerSession
}

// A taskView is a task as it is written, in either protocol.
type taskView struct {
	TaskID        string `json:"taskId"`
	Status        string `json:"status"`
	StatusMessage string `json:"statusMessage,omitempty"`
	CreatedAt     string `json:"createdAt"`
	LastUpdatedAt string `json:"lastUpdatedAt"`

	// 2025-11-25
	TTL          int64 `json:"ttl,omitempty"`
	PollInterval int64 `json:"pollInterval,omitempty"`

	// 2026-07-28
	TTLMs          int64               `json:"ttlMs,omitempty"`
	PollIntervalMs int64               `json:"pollIntervalMs,omitempty"`
	Result         *mcp.CallToolResult `json:"result,omitempty"`
	Error          *jsonrpc.Error      `json:"error,omitempty"`
	InputRequests  mcp.InputRequestMap `json:"inputRequests,omitempty"`
}

// view is the task as it is now, and the number of its changes so far.
func (t *task) view() (taskView, int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	v := taskView{
		TaskID: t.id, Status: t.status, StatusMessage: t.message,
		CreatedAt: stamp(t.created), LastUpdatedAt: stamp(t.updated),
	}
	if !t.extension {
		v.TTL, v.PollInterval = t.ttl.Milliseconds(), taskPoll.Milliseconds()
		return v, t.changes
	}
	v.TTLMs, v.PollIntervalMs = t.ttl.Milliseconds(), taskPoll.Milliseconds()
	switch t.status {
	case taskInputRequired:
		v.InputRequests = maps.Clone(t.questions)
	case taskCompleted:
		v.Result = t.result
	case taskFailed:
		v.Error = rpcError(t.err)
	}
	return v, t.changes
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// rpcError is an error as it stands in a message.
func rpcError(err error) *jsonrpc.Error {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return e
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
}

// set changes the status, unless the task is over, which it then stays. It
// reports whether it did.
func (t *task) set(status, message string) bool {
	return t.change(func() { t.status, t.message = status, message })
}

// say changes what is said of the work.
func (t *task) say(message string) { t.change(func() { t.message = message }) }

// change changes the task, unless it is over, and tells whoever is to know of
// it. It reports whether it did.
func (t *task) change(f func()) bool {
	t.mu.Lock()
	if t.isOver() {
		t.mu.Unlock()
		return false
	}
	before := t.status
	f()
	t.updated = time.Now()
	t.changes++
	if t.isOver() {
		close(t.over)
		t.questions = nil
	}
	for w := range t.watchers {
		select {
		case w <- struct{}{}:
		default: // it is to wake already
		}
	}
	moved := t.status != before
	t.mu.Unlock()
	if moved {
		v, _ := t.view()
		t.notify(v)
	}
	return true
}

// isOver reports whether the status is terminal. It is called with mu held.
func (t *task) isOver() bool {
	return slices.Contains([]string{taskCompleted, taskFailed, taskCancelled}, t.status)
}

// finish ends the task with what its call has come to. A tool's own error is a
// failure in 2025-11-25 and a result like any other in 2026-07-28.
func (t *task) finish(res *mcp.CallToolResult, err error) {
	t.change(func() {
		t.result, t.err = res, err
		switch {
		case err != nil:
			t.status, t.message = taskFailed, err.Error()
		case res.IsError && !t.extension:
			t.status, t.message = taskFailed, firstText(res)
		default:
			t.status, t.message = taskCompleted, ""
		}
	})
}

func firstText(res *mcp.CallToolResult) string {
	for _, c := range res.Content {
		if block, ok := c.(*mcp.TextContent); ok {
			return block.Text
		}
	}
	return "the tool failed"
}

// cancel tells the work to stop; the status says so first, so that what the work
// makes of it comes too late. In 2025-11-25 a task that is over is refused.
func (t *task) cancel() error {
	var done bool
	if t.ignores {
		done = t.change(func() {})
	} else {
		done = t.set(taskCancelled, "cancelled, as you asked")
	}
	if !done {
		if t.extension {
			return nil // acknowledged all the same
		}
		v, _ := t.view()
		return invalidParams("the task is over, by the status %s: it can no longer be cancelled", v.Status)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.cancelled:
	default:
		close(t.cancelled)
	}
	return nil
}

// outcome is the answer to tasks/result of a task that is over: what the call
// itself would have been answered with, and the name of the task. An open question
// is withdrawn first: over HTTP it can be on the stream that ends with the answer
// only.
func (t *task) outcome() (*mcp.CallToolResult, error) {
	t.mu.Lock()
	asking := t.asking
	t.mu.Unlock()
	if asking != nil {
		select {
		case <-asking:
		case <-t.life.Done():
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.status == taskCancelled:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "there is no result: the task was cancelled"}
	case t.err != nil:
		return nil, t.err
	}
	res := *t.result
	res.Meta = relatedTask(t.id)
	maps.Copy(res.Meta, t.result.Meta)
	return &res, nil
}

// watch has w woken by every change, until the function is called.
func (t *task) watch(w chan struct{}) (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watchers[w] = true
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.watchers, w)
	}
}

// known notes that a session knows the ID; isKnown reports whether it does.
func (t *task) known(by *mcp.ServerSession) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.owners[by] = true
}

func (t *task) isKnown(by *mcp.ServerSession) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.owners[by]
}
