package demo

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addTaskCountdown(s *mcp.Server, _ Options) {
	type in struct {
		From int `json:"from"`
	}
	add(s, tool("task_countdown", "Task: countdown",
		"A countdown that can run as a task: cancel the task while it counts, and it stops and ends as cancelled.",
		`{"type":"object","properties":{
			"from":{"type":"integer","title":"From","description":"Number of steps, of a second each","default":20,"minimum":1,"maximum":3600}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			return c.countDown(ctx, in.From, time.Second)
		})
}

func addTaskStubborn(s *mcp.Server, _ Options) {
	type in struct {
		Seconds seconds `json:"seconds"`
	}
	add(s, tool("task_stubborn", "Task: stubborn",
		"A task that works for as long as you say: cancel it, and the cancel is acknowledged, but the task completes all the same.",
		`{"type":"object","properties":{
			"seconds":{"type":"number","title":"Seconds","description":"How long it works","default":8,"minimum":0,"maximum":3600}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			return c.workOn(ctx, in.Seconds)
		})
}

func addTaskStuck(s *mcp.Server, _ Options) {
	add(s, tool("task_stuck", "Task: stuck",
		"A task that never ends: cancel it, and the cancel is acknowledged, but it goes on working until its time to live is over, a minute unless you ask for another.",
		`{"type":"object","properties":{},"additionalProperties":false}`),
		func(ctx context.Context, c *call, _ struct{}) (*mcp.CallToolResult, error) {
			for k := 1; pause(ctx, time.Second, nil); k++ {
				message := "working"
				if c.isCancelled() {
					message = "still working, although I was told to stop"
				}
				c.report(ctx, k, 0, message)
			}
			return nil, errAbandoned
		})
}

func addTaskAsk(s *mcp.Server, _ Options) {
	add(s, tool("task_ask", "Task: ask",
		"A task that asks you something by a form after two seconds: answer it and the task completes, or cancel the task while the form is open.",
		`{"type":"object","properties":{},"additionalProperties":false}`),
		func(ctx context.Context, c *call, _ struct{}) (*mcp.CallToolResult, error) {
			if !pause(ctx, 2*time.Second, c.cancelled) {
				return nil, errAbandoned
			}
			got, taken, err := c.elicit(ctx, takeBack{}, question("Where does she sail to?", "port", "Port"))
			if err != nil || taken != "" {
				return said(got, taken), err
			}
			if !pause(ctx, time.Second, c.cancelled) {
				return nil, errAbandoned
			}
			return said(got, taken), nil
		})
}

func addTaskExpires(s *mcp.Server, _ Options) {
	add(s, tool("task_expires", "Task: expires",
		"A task that lives for five seconds, too short for its work: wait, and the server knows nothing of it any more.",
		`{"type":"object","properties":{},"additionalProperties":false}`),
		func(ctx context.Context, c *call, _ struct{}) (*mcp.CallToolResult, error) {
			for k := 1; pause(ctx, time.Second, c.cancelled); k++ {
				c.report(ctx, k, 0, "working")
			}
			return nil, errAbandoned
		})
}

// report is progress, and for a task its message too.
func (c *call) report(ctx context.Context, k, n int, message string) {
	if c.task != nil {
		c.task.say(message)
	}
	c.progress(ctx, k, n, message)
}
