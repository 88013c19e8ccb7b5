package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// relatedTask is the metadata that every message has that belongs to a task of
// 2025-11-25, and does not name it otherwise.
func relatedTask(id string) mcp.Meta {
	return mcp.Meta{metaRelatedTask: map[string]any{"taskId": id}}
}

// elicit asks the user for a task, which waits for the answer as input_required.
// When the task is cancelled, taken says so.
func (t *task) elicit(ctx context.Context, c *call, p *mcp.ElicitParams) (got *mcp.ElicitResult, taken string, err error) {
	if t.extension {
		return t.elicitByUpdate(ctx, c, p)
	}
	// The question goes out on the stream of a tasks/result: over HTTP there may
	// be no other.
	t.set(taskInputRequired, "there is a question: tasks/result brings it")
	var stream taskStream
	select {
	case stream = <-t.streams:
	case <-t.cancelled:
		return nil, "the task was cancelled", nil
	case <-ctx.Done():
		return nil, "", errAbandoned
	}
	closed := make(chan struct{})
	defer close(closed)
	t.mu.Lock()
	t.asking = closed
	t.mu.Unlock()
	p.Meta = relatedTask(t.id)
	asking := context.WithValue(outliving{ctx, stream.ctx}, callKey{}, c)
	got, taken, err = asks(asking, c, takeBack{}, func(ctx context.Context) (*mcp.ElicitResult, error) { return stream.session.Elicit(ctx, p) })
	t.set(taskWorking, "")
	return got, taken, err
}

// elicitByUpdate asks through the status of the task.
func (t *task) elicitByUpdate(ctx context.Context, c *call, p *mcp.ElicitParams) (got *mcp.ElicitResult, taken string, err error) {
	if err := c.checkAsk(p); err != nil {
		return nil, "", err
	}
	reply := make(chan *mcp.ElicitResult, 1)
	t.change(func() {
		key := fmt.Sprintf("question-%d", len(t.replies)+1) // of which there is never another
		t.replies[key] = reply
		if t.questions == nil {
			t.questions = mcp.InputRequestMap{}
		}
		t.questions[key] = p
		t.status, t.message = taskInputRequired, "there is a question: tasks/get brings it"
	})
	select {
	case got = <-reply:
		return got, "", nil
	case <-t.cancelled:
		return nil, "the task was cancelled", nil
	case <-ctx.Done():
		return nil, "", errAbandoned
	}
}

// reply hands on the answers to questions that wait for one. Those to others are
// ignored, whatever they are.
func (t *task) reply(answers map[string]json.RawMessage) error {
	t.mu.Lock()
	open := maps.Clone(t.questions)
	t.mu.Unlock()
	taken := map[string]*mcp.ElicitResult{}
	for key := range open {
		raw, answered := answers[key]
		if !answered {
			continue
		}
		got := new(mcp.ElicitResult)
		if json.Unmarshal(raw, got) != nil || !slices.Contains([]string{"accept", "decline", "cancel"}, got.Action) {
			return invalidParams("inputResponses: %s is not the answer to an elicitation", key)
		}
		taken[key] = got
	}
	if len(taken) == 0 {
		return nil
	}
	t.change(func() {
		for key, answer := range taken {
			if _, open := t.questions[key]; open { // two may come at the same time
				delete(t.questions, key)
				t.replies[key] <- answer
			}
		}
		if len(t.questions) == 0 {
			t.status, t.message = taskWorking, ""
		}
	})
	return nil
}
