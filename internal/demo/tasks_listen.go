package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A listening is a subscriptions/listen that hears of tasks.
type listening struct {
	arrival
	tasks []*task
	wake  chan struct{}

	acknowledged chan struct{} // closed when the client was told what it hears of
}

type listeningKey struct{}

// listen serves subscriptions/listen: the SDK does all but the tasks.
func (s *tasks) listen(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.SubscriptionsListenRequest) (mcp.Result, error) {
	l := &listening{arrival: arrivalFrom(ctx), wake: make(chan struct{}, 1), acknowledged: make(chan struct{})}
	if l.taskIDs == nil {
		return next(ctx, method, req)
	}
	if !declaresTasks(req.Params) {
		return nil, errUndeclared()
	}
	for _, id := range l.taskIDs {
		if t, err := s.find(id, true); err == nil && !slices.Contains(l.tasks, t) {
			l.tasks = append(l.tasks, t)
			defer t.watch(l.wake)()
		}
	}
	if len(l.tasks) == 0 {
		return next(context.WithValue(ctx, listeningKey{}, l), method, req)
	}
	telling, stop := context.WithCancel(ctx)
	defer context.AfterFunc(s.life, stop)()
	told := make(chan struct{})
	go func() {
		defer close(told)
		l.tell(telling)
	}()
	res, err := next(context.WithValue(ctx, listeningKey{}, l), method, req)
	if err == nil { // it comes at once where the client hears of nothing else
		<-telling.Done()
	}
	stop()
	<-told
	return res, err
}

// acknowledgeTasks is the middleware that adds to an acknowledgement the tasks of
// which the client is told.
func acknowledgeTasks(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		l, _ := ctx.Value(listeningKey{}).(*listening)
		ack, isAck := req.GetParams().(*mcp.SubscriptionsAcknowledgedParams)
		session, ok := req.GetSession().(*mcp.ServerSession)
		if !isAck || !ok || l == nil {
			return next(ctx, method, req)
		}
		p := &acknowledgement{ParamsBase: mcp.ParamsBase{Meta: ack.Meta}}
		p.Notifications.NotificationSubscriptions = ack.Notifications
		for _, t := range l.tasks {
			p.Notifications.TaskIDs = append(p.Notifications.TaskIDs, t.id)
		}
		res, err := next(ctx, method, &mcp.ServerRequest[*acknowledgement]{Session: session, Params: p})
		close(l.acknowledged)
		return res, err
	}
}

type acknowledgement struct {
	mcp.ParamsBase
	Notifications struct {
		mcp.NotificationSubscriptions
		TaskIDs []string `json:"taskIds,omitempty"`
	} `json:"notifications"`
}

// tell tells of each task as it is, and then of its changes.
func (l *listening) tell(ctx context.Context) {
	select {
	case <-l.acknowledged:
	case <-ctx.Done():
		return
	}
	seen := make(map[*task]int)
	for {
		for _, t := range l.tasks {
			v, changes := t.view()
			if last, known := seen[t]; known && last == changes {
				continue
			}
			seen[t] = changes
			l.push(ctx, v)
		}
		select {
		case <-l.wake:
		case <-ctx.Done():
			return
		}
	}
}

// push writes a notification. An error means that nobody listens any more.
func (l *listening) push(ctx context.Context, v taskView) {
	params, err := json.Marshal(struct {
		taskView
		Meta mcp.Meta `json:"_meta"`
	}{v, mcp.Meta{mcp.MetaKeySubscriptionID: l.id}})
	if err != nil {
		return
	}
	const method = "notifications/tasks"
	if l.wire != nil {
		_ = l.wire.Write(ctx, &jsonrpc.Request{Method: method, Params: params})
	} else if l.events != nil {
		l.events.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
	}
}

// events is a stream of events on which the SDK writes, and we as well.
type events struct {
	http.ResponseWriter

	mu   sync.Mutex
	over bool
}

// Write implements [http.ResponseWriter]; the SDK writes a whole event at a time.
func (e *events) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ResponseWriter.Write(b)
}

// FlushError is what [http.ResponseController] looks for.
func (e *events) FlushError() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return http.NewResponseController(e.ResponseWriter).Flush()
}

// send writes a message as an event.
func (e *events) send(message []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.over {
		return
	}
	if _, err := fmt.Fprintf(e.ResponseWriter, "event: message\ndata: %s\n\n", message); err == nil {
		_ = http.NewResponseController(e.ResponseWriter).Flush()
	}
}

// end says that nothing more can be written.
func (e *events) end() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.over = true
}
