package demo

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// codeRequestCancelled is the code that the Language Server Protocol gives to a
// cancelled request; MCP names none.
const codeRequestCancelled = -32800

// seconds is a duration as a person types it.
type seconds float64

func (s seconds) duration() time.Duration { return time.Duration(float64(s) * float64(time.Second)) }

func addCountdown(s *mcp.Server, _ Options) {
	type in struct {
		From       int `json:"from"`
		IntervalMS int `json:"interval_ms"`
	}
	add(s, tool("countdown", "Countdown",
		"Counts down with progress at every step. When it is cancelled it stops and says nothing more, as the specification asks.",
		`{"type":"object","properties":{
			"from":{"type":"integer","title":"From","description":"Number of steps","default":10,"minimum":1,"maximum":1000000},
			"interval_ms":{"type":"integer","title":"Interval","description":"Time between two steps, in milliseconds","default":1000,"minimum":1,"maximum":60000}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			return c.countDown(ctx, in.From, time.Duration(in.IntervalMS)*time.Millisecond)
		})
}

// countDown is the work of a countdown, which stops when it is cancelled.
func (c *call) countDown(ctx context.Context, from int, interval time.Duration) (*mcp.CallToolResult, error) {
	for k := 1; k <= from; k++ {
		if !pause(ctx, interval, c.cancelled) {
			return nil, errAbandoned
		}
		c.report(ctx, k, from, fmt.Sprintf("%d to go", from-k))
	}
	return text(fmt.Sprintf("Counted down from %d to 0.", from)), nil
}

func addStubborn(s *mcp.Server, _ Options) {
	type in struct {
		Seconds seconds `json:"seconds"`
	}
	add(s, tool("stubborn", "Stubborn",
		"Works in silence for as long as you say. A cancel is ignored: the result comes all the same, late.",
		`{"type":"object","properties":{
			"seconds":{"type":"number","title":"Seconds","description":"How long it works","default":3,"minimum":0,"maximum":3600}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			return c.workOn(ctx, in.Seconds)
		})
}

// workOn is the work of what does not stop when it is cancelled.
func (c *call) workOn(ctx context.Context, s seconds) (*mcp.CallToolResult, error) {
	if !pause(ctx, s.duration(), nil) {
		return nil, errAbandoned
	}
	if c.isCancelled() {
		return text(fmt.Sprintf("Done after %v s, although I was told to stop.", s)), nil
	}
	return text(fmt.Sprintf("Done after %v s.", s)), nil
}

func addRestless(s *mcp.Server, _ Options) {
	type in struct {
		Seconds    seconds `json:"seconds"`
		IntervalMS int     `json:"interval_ms"`
	}
	add(s, tool("restless", "Restless",
		"Sends progress for as long as you say. After a cancel it never answers, but works on and goes on sending progress.",
		`{"type":"object","properties":{
			"seconds":{"type":"number","title":"Seconds","description":"How long it works","default":20,"minimum":0,"maximum":3600},
			"interval_ms":{"type":"integer","title":"Interval","description":"Time between two steps, in milliseconds","default":200,"minimum":1,"maximum":60000}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			interval := time.Duration(in.IntervalMS) * time.Millisecond
			steps := int(in.Seconds.duration() / interval)
			for k := 1; k <= steps; k++ {
				if !pause(ctx, interval, nil) {
					return nil, errAbandoned
				}
				message := "working"
				if c.isCancelled() {
					message = "still working, although I was told to stop"
				}
				c.progress(ctx, k, steps, message)
			}
			return text(fmt.Sprintf("Worked for %v s in %d steps.", in.Seconds, steps)), nil
		})
}

// tidying is how long prompt_error takes from the cancel to its error: long
// enough that the error cannot have been on its way already.
const tidying = 300 * time.Millisecond

func addPromptError(s *mcp.Server, _ Options) {
	type in struct {
		Seconds seconds `json:"seconds"`
		Breaks  bool    `json:"breaks"`
	}
	add(s, tool("prompt_error", "Prompt error",
		"Works in silence for as long as you say. When it is cancelled it stops, cleans up for 0.3 s, and then answers with a JSON-RPC error that repeats your reason.",
		`{"type":"object","properties":{
			"seconds":{"type":"number","title":"Seconds","description":"How long it works","default":30,"minimum":0,"maximum":3600},
			"breaks":{"type":"boolean","title":"Breaks","description":"The cleaning up fails, and the error tells of that instead","default":false}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			switch {
			case pause(ctx, in.Seconds.duration(), c.cancelled):
				return text(fmt.Sprintf("Done after %v s.", in.Seconds)), nil
			case !c.isCancelled() || !pause(ctx, tidying, nil):
				return nil, errAbandoned
			case in.Breaks:
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the scratch directory is busy"}
			case c.reason == "":
				return nil, &jsonrpc.Error{Code: codeRequestCancelled, Message: "cancelled"}
			default:
				return nil, &jsonrpc.Error{Code: codeRequestCancelled, Message: "cancelled: " + c.reason}
			}
		})
}
