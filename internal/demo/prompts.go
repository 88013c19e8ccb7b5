package demo

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// verdicts explains the words in which belay says how a server took a cancel.
var verdicts = map[string]string{
	"nothing running":     "No request was in flight when it was cancelled, so nothing was sent.",
	"not delivered":       "The cancel could not be written, or over HTTP the server did not accept it: to its knowledge the request goes on.",
	"server died":         "The server ended by itself before it had answered.",
	"crossed":             "The answer came so soon after the cancel that it may have been on its way already.",
	"says cancelled":      "The server answered the cancelled request with an error which says that it was cancelled. That is its own word, and no proof; the specification asks it to send nothing. Try prompt_error.",
	"answered with error": "The server answered the cancelled request with an error that tells of something else. The specification asks it to send nothing. Try prompt_error with breaks.",
	"answered late":       "The server answered the cancelled request with a result, which is ignored. Try stubborn.",
	"stream closed":       "Closing the stream was the cancel, and nothing can be seen after it.",
	"still working":       "Messages of the cancelled request go on coming, so its work goes on. Try restless.",
	"server unresponsive": "The server did not answer a ping that was sent to see whether it had read the cancel.",
	"quiet":               "The server read the cancel and sent nothing more for the request, as the specification asks. Try countdown.",
	"nothing heard":       "Nothing more came, and there was no way to ask the server whether it had read the cancel.",
}

func verdictWords() string { return strings.Join(slices.Sorted(maps.Keys(verdicts)), ", ") }

func addPrompts(s *mcp.Server, instructions string) {
	s.AddPrompt(&mcp.Prompt{
		Name:        "welcome",
		Title:       "Welcome",
		Description: "What to try first; it takes no arguments.",
	}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return userMessage("What to try first", instructions), nil
	})

	s.AddPrompt(&mcp.Prompt{
		Name:        "explain_verdict",
		Title:       "Explain a verdict",
		Description: "Asks for an explanation of the word that ended a cancelled call.",
		Arguments: []*mcp.PromptArgument{
			{Name: "verdict", Title: "Verdict", Description: "The word in the row, such as: answered late", Required: true},
			{Name: "audience", Title: "Audience", Description: "Who is to understand it; a newcomer, if nothing is said"},
		},
	}, explainVerdict)

	s.AddPrompt(&mcp.Prompt{
		Name:        "bug_report",
		Title:       "Bug report",
		Description: "Asks for a bug report to the author of a server that takes a cancel badly.",
		Arguments: []*mcp.PromptArgument{
			{Name: "server", Title: "Server", Description: "Name and version of the server", Required: true},
			{Name: "tool", Title: "Tool", Description: "The tool that was cancelled", Required: true},
			{Name: "observed", Title: "Observed", Description: "What it did after the cancel"},
		},
	}, bugReport)
}

func explainVerdict(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args, err := promptArguments(req, "verdict")
	if err != nil {
		return nil, err
	}
	meaning, ok := verdicts[args["verdict"]]
	if !ok {
		return nil, invalidParams("no verdict is called %q; use one of: %s", args["verdict"], verdictWords())
	}
	audience := args["audience"]
	if audience == "" {
		audience = "a newcomer"
	}
	return userMessage("The verdict "+args["verdict"], fmt.Sprintf(
		"A cancelled MCP request ended with the verdict “%s”. It means: %s\n\nExplain to %s, in one paragraph, why that can happen and whether the server is at fault.",
		args["verdict"], meaning, audience)), nil
}

func bugReport(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	args, err := promptArguments(req, "server", "tool")
	if err != nil {
		return nil, err
	}
	observed := args["observed"]
	if observed == "" {
		observed = "It did not stop."
	}
	return userMessage("A bug report for "+args["server"], fmt.Sprintf(
		"Write a short, friendly bug report for the authors of the MCP server %s.\n\nThe tool %s was cancelled with notifications/cancelled. What happened then: %s\n\n"+
			"Say what the specification asks for instead: stop the work, free what it held, and send no response for the cancelled request.",
		args["server"], args["tool"], observed)), nil
}

// promptArguments returns the arguments of req, or the error for the first
// required one that is missing; the SDK does not look.
func promptArguments(req *mcp.GetPromptRequest, required ...string) (map[string]string, error) {
	for _, name := range required {
		if req.Params.Arguments[name] == "" {
			return nil, invalidParams("the prompt %s needs the argument %q", req.Params.Name, name)
		}
	}
	return req.Params.Arguments, nil
}

func userMessage(description, content string) *mcp.GetPromptResult {
	return &mcp.GetPromptResult{
		Description: description,
		Messages:    []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: content}}},
	}
}
