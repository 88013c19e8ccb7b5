package demo

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// aTask is a task as it stands on the wire, in either protocol, and what stands
// beside it in a result.
type aTask struct {
	TaskID, Status, StatusMessage string
	CreatedAt, LastUpdatedAt      time.Time
	TTL, PollInterval             *int
	TTLMs, PollIntervalMs         *int
	ResultType                    string
	Result                        *toolResult
	Error                         *struct {
		Code    int
		Message string
	}
	InputRequests map[string]struct {
		Method string
		Params struct{ Mode, Message string }
	}
	Meta map[string]json.RawMessage `json:"_meta"`
}

// A tasker is a client that manages tasks over stdio.
type tasker struct {
	*peer
	meta string // of its requests: members, each with a comma before it
	last int
}

// withCore is a client of 2025-11-25 with these capabilities.
func withCore(t *testing.T, capabilities string) *tasker {
	t.Helper()
	return &tasker{peer: beginWith(t, "2025-11-25", capabilities), last: 100}
}

const (
	modernMeta  = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}`
	declaring   = `{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}`
	undeclaring = `{"elicitation":{}}`
)

// withExtension is a client of 2026-07-28 whose requests have these capabilities.
func withExtension(t *testing.T, capabilities string) *tasker {
	t.Helper()
	p := collecting(t)
	return &tasker{peer: p, last: 100, meta: modernMeta + `,"io.modelcontextprotocol/clientCapabilities":` + capabilities}
}

// begin sends a request whose params have these members.
func (c *tasker) begin(method, members string) (id int) {
	c.t.Helper()
	c.last++
	meta := ""
	if c.meta != "" {
		if meta = `"_meta":{` + c.meta + `}`; members != "" {
			meta += ","
		}
	}
	c.send(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`, c.last, method, meta, members)
	synctest.Wait()
	return c.last
}

// ask sends a request and returns the answer, which comes at once.
func (c *tasker) ask(method, members string) message {
	c.t.Helper()
	return c.answer(fmt.Sprint(c.begin(method, members)))
}

// about is ask for a request that names a task.
func (c *tasker) about(method, task string) message {
	c.t.Helper()
	return c.ask(method, fmt.Sprintf(`"taskId":%q`, task))
}

// get is the task as tasks/get has it.
func (c *tasker) get(task string) aTask {
	c.t.Helper()
	return c.task(c.about("tasks/get", task))
}

func (c *tasker) task(m message) aTask {
	c.t.Helper()
	if m.Error != nil {
		c.t.Fatalf("an error instead of a task: %s", m.line)
	}
	return decode[aTask](c.t, m.Result)
}

// create calls a tool as a task; the arguments are JSON, and more are members of
// the params besides, each with a comma before it.
func (c *tasker) create(tool, arguments, more string) aTask {
	c.t.Helper()
	m := c.ask("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s%s`, tool, arguments, more))
	if m.Error != nil {
		c.t.Fatalf("no task: %s", m.line)
	}
	var created aTask
	if c.meta == "" {
		created = decode[struct{ Task aTask }](c.t, m.Result).Task
	} else {
		created = decode[aTask](c.t, m.Result)
	}
	if created.TaskID == "" || created.Status != "working" {
		c.t.Fatalf("no task: %s", m.line)
	}
	return created
}

// refuses fails the test unless m is this error.
func refuses(t *testing.T, m message, code int) {
	t.Helper()
	if m.Error == nil || m.Error.Code != code {
		t.Errorf("not refused by %d: %s", code, m.line)
	}
}

// heard are the statuses of a task that the server has told by itself.
func (c *tasker) heard(method, task string) (statuses []string) {
	c.t.Helper()
	for _, m := range c.all() {
		if m.Method != method {
			continue
		}
		if told := decode[aTask](c.t, m.Params); told.TaskID == task {
			statuses = append(statuses, told.Status)
		}
	}
	return statuses
}

// same fails the test unless got is want.
func same[S ~[]E, E comparable](t *testing.T, what string, got S, want ...E) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
