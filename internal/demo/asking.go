package demo

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A withdrawal is the cancel of a request of the server's own, should there be
// one. The SDK writes it with the words of Go's context as its reason; our
// connection finds the withdrawal in the context of what is written, and puts
// the real one there.
type withdrawal struct {
	mu      sync.Mutex
	reason  string
	written chan struct{} // closed when the cancel was written
	once    sync.Once
}

type withdrawalKey struct{}

func withdrawalFrom(ctx context.Context) *withdrawal {
	w, _ := ctx.Value(withdrawalKey{}).(*withdrawal)
	return w
}

// taken is the reason of the withdrawal, empty when there is none.
func (w *withdrawal) taken() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reason
}

// because notes the first reason.
func (w *withdrawal) because(reason string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.reason == "" {
		w.reason = reason
	}
}

func (w *withdrawal) done() { w.once.Do(func() { close(w.written) }) }

// cancelled is the cancel with the reason in it.
func (w *withdrawal) cancelled(req *jsonrpc.Request) (*jsonrpc.Request, error) {
	var p struct {
		RequestID json.RawMessage `json:"requestId"`
		Reason    string          `json:"reason"`
	}
	if err := json.Unmarshal(req.Params, &p); err != nil {
		return nil, err
	}
	if p.Reason = w.taken(); p.Reason == "" {
		p.Reason = "no longer needed"
	}
	params, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	return &jsonrpc.Request{Method: req.Method, Params: params}, nil
}

// withdrawLimit bounds how long a tool waits for its withdrawal to be written.
const withdrawLimit = time.Second

// asks makes a request to the user. It is withdrawn when its time is over or
// the call is cancelled; taken says why it was. Over stdio the withdrawal is
// written before asks returns, so that the answer to the call comes after it.
func asks[R any](ctx context.Context, c *call, until takeBack, request func(context.Context) (R, error)) (got R, taken string, err error) {
	w := &withdrawal{written: make(chan struct{})}
	asking, stop := context.WithCancel(context.WithValue(ctx, withdrawalKey{}, w))
	defer stop()
	if until.Seconds != nil {
		reason := until.Reason
		if reason == "" {
			reason = "no reason given"
		}
		defer time.AfterFunc(until.Seconds.duration(), func() {
			w.because(reason)
			stop()
		}).Stop()
	}
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-c.cancelled:
			w.because("the call that asked was cancelled")
			stop()
		case <-over:
		}
	}()
	got, err = request(asking)
	if taken = w.taken(); err == nil || taken == "" {
		return got, "", err
	}
	if c.wire != nil {
		select {
		case <-w.written:
		case <-ctx.Done():
		case <-time.After(withdrawLimit):
		}
	}
	return got, taken, nil
}

// answerName is the name of the only question of a round.
const answerName = "answer"

// elicit asks the user by a form or a URL, by whichever way the revision has;
// taken says why the question was taken back, if it was.
func (c *call) elicit(ctx context.Context, until takeBack, p *mcp.ElicitParams) (got *mcp.ElicitResult, taken string, err error) {
	switch {
	case c.task != nil:
		return c.task.elicit(ctx, c, p)
	case c.asksByRounds():
		answers, err := c.round(mcp.InputRequestMap{answerName: p})
		if err != nil {
			return nil, "", err
		}
		got, err = elicited(answers, answerName)
		return got, "", err
	}
	return asks(ctx, c, until, func(ctx context.Context) (*mcp.ElicitResult, error) { return c.session.Elicit(ctx, p) })
}

// sample asks for the answer of a model, as elicit does the user.
func (c *call) sample(ctx context.Context, until takeBack, p *mcp.CreateMessageParams) (got *mcp.CreateMessageResult, taken string, err error) {
	if c.asksByRounds() {
		answers, err := c.round(mcp.InputRequestMap{answerName: p})
		if err != nil {
			return nil, "", err
		}
		got, err = sampled(answers, answerName)
		return got, "", err
	}
	return asks(ctx, c, until, func(ctx context.Context) (*mcp.CreateMessageResult, error) { return c.session.CreateMessage(ctx, p) })
}

// afterwards runs f after a while, unless the connection ends before. A server
// without our connection never runs it: nothing tells when its session ends.
func (c *call) afterwards(d time.Duration, f func(context.Context)) {
	if c.wire == nil {
		return
	}
	life := c.wire.life
	go func() {
		if pause(life, d, nil) {
			f(life)
		}
	}()
}
