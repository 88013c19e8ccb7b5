package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A demoTool adds itself to a server.
type demoTool struct {
	name string
	add  func(*mcp.Server, Options)
}

// tools are all tools of the demo.
var tools = []demoTool{
	{"countdown", addCountdown},
	{"stubborn", addStubborn},
	{"restless", addRestless},
	{"prompt_error", addPromptError},
	{"ask_form", addAskForm},
	{"ask_url", addAskURL},
	{"ask_then_withdraw", addAskThenWithdraw},
	{"sample_then_withdraw", addSampleThenWithdraw},
	{"ask_twice", addAskTwice},
	{"summarise", addSummarise},
	{"needs_login", addNeedsLogin},
	{"flood", addFlood},
	{"big", addBig},
	{"fail", addFail},
	{"crash", addCrash},
	{"echo", addEcho},
	{"strike_bell", addBell},
	{"task_countdown", addTaskCountdown},
	{"task_stubborn", addTaskStubborn},
	{"task_stuck", addTaskStuck},
	{"task_ask", addTaskAsk},
	{"task_expires", addTaskExpires},
}

// tool describes a tool that changes nothing, here or elsewhere. The schema is
// written out, so that a form shows its fields in this order.
func tool(name, title, description, schema string) *mcp.Tool {
	return &mcp.Tool{
		Name:        name,
		Title:       title,
		Description: description,
		InputSchema: json.RawMessage(schema),
		Annotations: &mcp.ToolAnnotations{
			Title:           title,
			ReadOnlyHint:    true,
			IdempotentHint:  true,
			DestructiveHint: new(false),
			OpenWorldHint:   new(false),
		},
	}
}

// handler is what a tool does. An error that is a *[jsonrpc.Error] is answered
// as such, an [interim] as the questions it holds, any other as a result with
// isError.
type handler[In any] func(ctx context.Context, c *call, in In) (*mcp.CallToolResult, error)

// add registers a tool. The SDK has checked the arguments against the schema
// and filled in its defaults before h is called.
func add[In any](s *mcp.Server, t *mcp.Tool, h handler[In]) {
	mcp.AddTool(s, t, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		ctx, c := callFor(ctx, req)
		if c.asksByRounds() && handshakeOnly[t.Name] {
			return nil, nil, invalidParams("there is no tool %s in %s", t.Name, c.revision)
		}
		res, err := h(ctx, c, in)
		if asks, ok := errors.AsType[*interim](err); ok {
			return asks.result, nil, nil
		}
		return res, nil, err
	})
}

// listByRevision leaves out of tools/list what a revision has no use for.
func listByRevision(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		asked, isList := req.(*mcp.ListToolsRequest)
		if list, ok := res.(*mcp.ListToolsResult); ok && isList && err == nil && revisionOf(asked) >= firstWithRounds {
			list.Tools = slices.DeleteFunc(list.Tools, func(t *mcp.Tool) bool { return handshakeOnly[t.Name] })
		}
		return res, err
	}
}

// text is a result of text blocks.
func text(blocks ...string) *mcp.CallToolResult {
	res := new(mcp.CallToolResult)
	for _, b := range blocks {
		res.Content = append(res.Content, &mcp.TextContent{Text: b})
	}
	return res
}

func addBig(s *mcp.Server, _ Options) {
	type in struct {
		Megabytes int `json:"megabytes"`
	}
	add(s, tool("big", "Big result",
		"Answers at once with a text of the size you choose, to see how a client copes with a long message.",
		`{"type":"object","properties":{
			"megabytes":{"type":"integer","title":"Megabytes","description":"Size of the text, in MiB","default":1,"minimum":1,"maximum":64}
		},"additionalProperties":false}`),
		func(_ context.Context, _ *call, in in) (*mcp.CallToolResult, error) {
			return text(bigText(in.Megabytes << 20)), nil
		})
}

// bigText is n bytes of numbered lines of 64 bytes; n is a multiple of 64.
func bigText(n int) string {
	var b strings.Builder
	b.Grow(n)
	filler := strings.Repeat(".", 64-len("line 00000000 \n"))
	for i := 1; b.Len() < n; i++ {
		fmt.Fprintf(&b, "line %08d %s\n", i, filler)
	}
	return b.String()
}

func addFail(s *mcp.Server, _ Options) {
	type in struct {
		How string `json:"how"`
	}
	add(s, tool("fail", "Failure",
		"Fails at once, in either of the two ways a tool can: by a result that says isError, or by a JSON-RPC error.",
		`{"type":"object","properties":{
			"how":{"type":"string","title":"How","description":"tool_error: a result with isError. protocol_error: a JSON-RPC error","enum":["tool_error","protocol_error"],"default":"tool_error"}
		},"additionalProperties":false}`),
		func(_ context.Context, _ *call, in in) (*mcp.CallToolResult, error) {
			if in.How == "protocol_error" {
				return nil, &jsonrpc.Error{
					Code:    jsonrpc.CodeInternalError,
					Message: "this tool fails by a JSON-RPC error, as you asked",
					Data:    json.RawMessage(`{"how":"protocol_error"}`),
				}
			}
			res := text("This tool fails by a result with isError, as you asked.")
			res.IsError = true
			return res, nil
		})
}

func addCrash(s *mcp.Server, opts Options) {
	type in struct {
		Code int `json:"code"`
	}
	t := tool("crash", "Crash",
		"Writes two lines on stderr and ends the server's process without an answer, to see how a client tells of it.",
		`{"type":"object","properties":{
			"code":{"type":"integer","title":"Exit code","description":"The status that the process ends with","default":3,"minimum":0,"maximum":255}
		},"additionalProperties":false}`)
	t.Annotations.ReadOnlyHint = false
	t.Annotations.DestructiveHint = new(true)
	add(s, t, func(_ context.Context, _ *call, in in) (*mcp.CallToolResult, error) {
		fmt.Fprintf(opts.Stderr, "%s: fatal: the tool crash was called\n", Title)
		fmt.Fprintf(opts.Stderr, "%s: exiting with status %d\n", Title, in.Code)
		opts.Exit(in.Code)
		return nil, fmt.Errorf("the process did not end with status %d", in.Code)
	})
}

func addEcho(s *mcp.Server, _ Options) {
	type in struct {
		Text  string `json:"text"`
		Count int    `json:"count"`
		Loud  bool   `json:"loud"`
		Style string `json:"style"`
	}
	add(s, tool("echo", "Echo",
		"Answers at once with your text, and with the arguments as they arrived.",
		`{"type":"object","properties":{
			"text":{"type":"string","title":"Text","description":"What to say back","minLength":1},
			"count":{"type":"integer","title":"Count","description":"How often to say it","default":1,"minimum":1,"maximum":100},
			"loud":{"type":"boolean","title":"Loud","description":"In capitals","default":false},
			"style":{"type":"string","title":"Style","description":"What to put around it","enum":["plain","quoted","shanty"],"default":"plain"}
		},"required":["text"],"additionalProperties":false}`),
		func(_ context.Context, _ *call, in in) (*mcp.CallToolResult, error) {
			args, err := json.Marshal(in)
			if err != nil {
				return nil, err
			}
			line := in.Text
			if in.Loud {
				line = strings.ToUpper(line)
			}
			switch in.Style {
			case "quoted":
				line = "“" + line + "”"
			case "shanty":
				line = "♪ Heave ho, " + line + " ♪"
			}
			lines := strings.TrimSuffix(strings.Repeat(line+"\n", in.Count), "\n")
			return text(lines, string(args)), nil
		})
}
