package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addAskForm(s *mcp.Server, _ Options) {
	type in struct {
		Message string `json:"message"`
	}
	add(s, tool("ask_form", "Ask by a form",
		"Asks you to fill in a form that has every kind of field a server may ask for, and answers with what you sent.",
		`{"type":"object","properties":{
			"message":{"type":"string","title":"Message","description":"What it says above the form","default":"Which ship is it, and whose?","minLength":1}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			got, taken, err := c.elicit(ctx, takeBack{}, &mcp.ElicitParams{Mode: "form", Message: in.Message, RequestedSchema: everyField(c.revision)})
			return said(got, taken), err
		})
}

// everyField is a form with every kind of field that a revision has.
func everyField(revision string) json.RawMessage {
	// 2025-06-18 has no lists, other titles for choices, and defaults only for
	// booleans.
	name, crew, rig, ports := "", "", `"enum":["sloop","ketch","schooner"],"enumNames":["Sloop, one mast","Ketch, two masts","Schooner, two or more"]`, ""
	if revision != "2025-06-18" {
		name, crew = `,"default":"Pequod"`, `,"default":12`
		rig = `"oneOf":[{"const":"sloop","title":"Sloop, one mast"},{"const":"ketch","title":"Ketch, two masts"},{"const":"schooner","title":"Schooner, two or more"}],"default":"ketch"`
		ports = `,
		"ports":{"type":"array","title":"Ports","description":"Where she calls","minItems":1,"maxItems":3,"items":{"anyOf":[{"const":"NL RTM","title":"Rotterdam"},{"const":"DE HAM","title":"Hamburg"},{"const":"GB LON","title":"London"},{"const":"PT LIS","title":"Lisbon"}]}},
		"flags":{"type":"array","title":"Signal flags","items":{"type":"string","enum":["A","B","P","Q"]},"default":["Q"]}`
	}
	return json.RawMessage(`{"type":"object","properties":{
		"name":{"type":"string","title":"Name","description":"Of the ship","minLength":2,"maxLength":40` + name + `},
		"story":{"type":"string","title":"Story","description":"As long as you like","maxLength":2000},
		"email":{"type":"string","title":"E-mail","description":"Of her owner","format":"email"},
		"website":{"type":"string","title":"Website","format":"uri"},
		"launched":{"type":"string","title":"Launched","format":"date"},
		"sails_at":{"type":"string","title":"Sails at","format":"date-time"},
		"crew":{"type":"integer","title":"Crew","minimum":1,"maximum":500` + crew + `},
		"knots":{"type":"number","title":"Knots","description":"Her best speed","minimum":0},
		"insured":{"type":"boolean","title":"Insured","default":true},
		"rig":{"type":"string","title":"Rig",` + rig + `},
		"cargo":{"type":"string","title":"Cargo","enum":["none","tea","grain","oil"]}` + ports + `
	},"required":["name","rig"]}`)
}

func addAskURL(s *mcp.Server, _ Options) {
	type in struct {
		URL     string  `json:"url"`
		Seconds seconds `json:"complete_after"`
	}
	add(s, tool("ask_url", "Ask by a URL",
		"Asks you to visit a URL. If you agree it says, after a while, that you are done there; no page is really involved.",
		`{"type":"object","properties":{
			"url":{"type":"string","title":"URL","description":"Where it sends you","format":"uri","default":"https://example.com/belay-demo"},
			"complete_after":{"type":"number","title":"Complete after","description":"Seconds from your consent until it says that you are done; 0: it never does","default":3,"minimum":0,"maximum":3600}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			ask := &mcp.ElicitParams{Mode: "url", Message: "Please visit this page.", URL: in.URL}
			if !c.asksByRounds() { // where the ID and what it is for are gone
				ask.ElicitationID = nextElicitation()
			}
			got, taken, err := c.elicit(ctx, takeBack{}, ask)
			if err != nil || taken != "" || got.Action != "accept" {
				return said(got, taken), err
			}
			if in.Seconds == 0 {
				return text("You agreed to visit " + in.URL + "."), nil
			}
			if !pause(ctx, in.Seconds.duration(), c.cancelled) {
				return nil, errAbandoned
			}
			if ask.ElicitationID != "" {
				_ = c.session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: ask.ElicitationID})
			}
			return text(fmt.Sprintf("You agreed to visit %s, and were done after %v s.", in.URL, in.Seconds)), nil
		})
}

// takenBack describes a tool that withdraws its request.
func takenBack(name, title, description string) *mcp.Tool {
	return tool(name, title, description, `{"type":"object","properties":{
		"seconds":{"type":"number","title":"Seconds","description":"How long it waits for you","default":5,"minimum":0,"maximum":3600},
		"reason":{"type":"string","title":"Reason","description":"What it says when it takes the question back","default":"changed my mind"}
	},"additionalProperties":false}`)
}

// takeBack says when a request to the user is withdrawn, and why. Its zero value
// waits for ever.
type takeBack struct {
	Seconds *seconds `json:"seconds"`
	Reason  string   `json:"reason"`
}

func addAskThenWithdraw(s *mcp.Server, _ Options) {
	add(s, takenBack("ask_then_withdraw", "Ask, then withdraw",
		"Asks you by a form, and takes the question back after a while. From then on no answer may be written for it."),
		func(ctx context.Context, c *call, in takeBack) (*mcp.CallToolResult, error) {
			got, taken, err := c.elicit(ctx, in, question("What shall I do?", "order", "Order"))
			return said(got, taken), err
		})
}

func addSampleThenWithdraw(s *mcp.Server, _ Options) {
	add(s, takenBack("sample_then_withdraw", "Sample, then withdraw",
		"Asks for the answer of a model, and takes the question back after a while. From then on no answer may be written for it."),
		func(ctx context.Context, c *call, in takeBack) (*mcp.CallToolResult, error) {
			got, taken, err := c.sample(ctx, in, &mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
				{Role: "user", Content: &mcp.TextContent{Text: "Tell me a sea story, quickly."}},
			}})
			return told(got, taken), err
		})
}

func addAskTwice(s *mcp.Server, _ Options) {
	add(s, tool("ask_twice", "Ask twice",
		"Asks you two things at the same time, and answers when it has both answers.",
		`{"type":"object","properties":{},"additionalProperties":false}`),
		func(ctx context.Context, c *call, _ struct{}) (*mcp.CallToolResult, error) {
			from, to := question("Where from?", "from", "From"), question("Where to?", "to", "To")
			if c.asksByRounds() {
				return c.askBoth(from, to)
			}
			type outcome struct {
				text string
				err  error
			}
			ask := func(p *mcp.ElicitParams) <-chan outcome {
				done := make(chan outcome, 1)
				go func() {
					got, taken, err := c.elicit(ctx, takeBack{}, p)
					done <- outcome{outcomeOf(got, taken), err}
				}()
				return done
			}
			one, two := ask(from), ask(to)
			a, b := <-one, <-two
			if a.err != nil {
				return nil, a.err
			}
			return text(a.text, b.text), b.err
		})
}

// askBoth asks two things in one round.
func (c *call) askBoth(from, to *mcp.ElicitParams) (*mcp.CallToolResult, error) {
	answers, err := c.round(mcp.InputRequestMap{"from": from, "to": to})
	if err != nil {
		return nil, err
	}
	a, err := elicited(answers, "from")
	if err != nil {
		return nil, err
	}
	b, err := elicited(answers, "to")
	return text(outcomeOf(a, ""), outcomeOf(b, "")), err
}

func addSummarise(s *mcp.Server, _ Options) {
	type in struct {
		Text string `json:"text"`
	}
	add(s, tool("summarise", "Summarise",
		"Asks for the answer of a model that sums up your text, and answers with it. The model is you.",
		`{"type":"object","properties":{
			"text":{"type":"string","title":"Text","description":"What to sum up","minLength":1,"default":"Call me Ishmael. Some years ago, never mind how long precisely, having little or no money in my purse, and nothing particular to interest me on shore, I thought I would sail about a little and see the watery part of the world."}
		},"additionalProperties":false}`),
		func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			got, taken, err := c.sample(ctx, takeBack{}, &mcp.CreateMessageParams{
				SystemPrompt: "You sum up texts in one sentence.",
				Messages: []*mcp.SamplingMessage{
					{Role: "user", Content: &mcp.TextContent{Text: "Sum this up:\n\n" + in.Text}},
				},
				MaxTokens: 120, Temperature: 0.2,
				ModelPreferences: &mcp.ModelPreferences{Hints: []*mcp.ModelHint{{Name: "haiku"}}, SpeedPriority: 0.8},
			})
			return told(got, taken), err
		})
}

func addNeedsLogin(s *mcp.Server, _ Options) {
	type in struct {
		Seconds seconds `json:"complete_after"`
	}
	var visited atomic.Bool
	add(s, tool("needs_login", "Needs a login",
		"Fails with error -32042, which wants you to visit a URL first, and after a while says that you were there. Called again after that, it answers, and forgets you.",
		`{"type":"object","properties":{
			"complete_after":{"type":"number","title":"Complete after","description":"Seconds until it says that you were there","default":3,"minimum":0,"maximum":3600}
		},"additionalProperties":false}`),
		func(_ context.Context, c *call, in in) (*mcp.CallToolResult, error) {
			if c.revision != "2025-11-25" {
				return nil, fmt.Errorf("error -32042 exists only in revision 2025-11-25, and this is %s", c.revision)
			}
			if visited.Swap(false) {
				return text("You are logged in, for this one call."), nil
			}
			id := nextElicitation()
			c.afterwards(in.Seconds.duration(), func(ctx context.Context) {
				visited.Store(true)
				_ = c.session.NotifyElicitationComplete(ctx, &mcp.ElicitationCompleteParams{ElicitationID: id})
			})
			return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{
				Mode: "url", Message: "Please log in first.", URL: "https://example.com/belay-demo/login", ElicitationID: id,
			}})
		})
}

var elicitations atomic.Int64

// nextElicitation is a new elicitation ID.
func nextElicitation() string { return fmt.Sprintf("demo-%d", elicitations.Add(1)) }

// question is a form with one field of text.
func question(message, field, title string) *mcp.ElicitParams {
	return &mcp.ElicitParams{
		Mode: "form", Message: message,
		RequestedSchema: json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","title":%q}},"required":[%[1]q]}`, field, title)),
	}
}

// said is the result of a tool that asked by an elicitation.
func said(got *mcp.ElicitResult, taken string) *mcp.CallToolResult {
	return text(outcomeOf(got, taken))
}

func outcomeOf(got *mcp.ElicitResult, taken string) string {
	switch {
	case taken != "":
		return "Taken back: " + taken + "."
	case got == nil:
		return ""
	case got.Action == "accept" && got.Content != nil:
		// What came from JSON goes back to it.
		content, _ := json.Marshal(got.Content)
		return "You answered " + string(content)
	}
	return map[string]string{"accept": "You agreed.", "decline": "You declined.", "cancel": "You left it without a choice."}[got.Action]
}

// told is the result of a tool that asked for the answer of a model.
func told(got *mcp.CreateMessageResult, taken string) *mcp.CallToolResult {
	if taken != "" || got == nil {
		return text(outcomeOf(nil, taken))
	}
	block, ok := got.Content.(*mcp.TextContent)
	if !ok {
		return text(fmt.Sprintf("%s answered with something other than text.", got.Model))
	}
	return text(fmt.Sprintf("%s answered: %s", got.Model, strings.TrimSpace(block.Text)))
}
