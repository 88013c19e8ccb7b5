//go:build unix

package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	web "belay/internal/peer"
)

// A list with a fault keeps nobody from calling a good tool of it, and a list that did not come
// is not an empty one.
func TestListsThatAreNotWhole(t *testing.T) {
	const good = `{"name":"good","inputSchema":{"type":"object"}}`
	for what, c := range map[string]struct {
		first, second string // answers to tools/list
		call          int    // the exit code of a call of good
		says          string // on stderr, of each
		heading       string // of ls
		null, partial bool   // in the document
	}{
		"an entry that is none": {
			`{"tools":["\u001b[2Jnonsense",` + good + `]}`, "", 0,
			"not all of the list of tools could be read: entry 1 is a string", "tools (1, and not all could be read: entry 1 is a string)", false, true,
		},
		"a cursor again": {
			`{"tools":[` + good + `],"nextCursor":"2"}`, `{"tools":[{"name":"other"}],"nextCursor":"2"}`, 0,
			"the server repeats the same cursor", "tools (2, and not all could be read: the server repeats the same cursor", false, true,
		},
		"refused": {
			`{"code":-32603,"message":"no\u001b[2J database"}`, "", 1,
			"the tools cannot be listed: refused: error -32603: \"no", "tools: cannot be listed: refused: error -32603: \"no", true, false,
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			p := web.New(t)
			p.Handshake("2025-11-25")
			p.On("tools/list", func(x *web.Exchange) {
				page := c.first
				if strings.Contains(string(x.Params()), "cursor") {
					page = c.second
				}
				if strings.HasPrefix(page, `{"code"`) {
					x.JSONError(http.StatusOK, page)
					return
				}
				x.JSONResult(page)
			})
			p.On("tools/call", func(x *web.Exchange) { x.SSE().Result(`{"content":[{"type":"text","text":"called"}]}`).End() })

			if got := without(t, "call", p.URL(), "good", "--protocol", "2025-11-25"); got.code != c.call || (got.out == "called\n") != (c.call == 0) || !strings.Contains(got.errOut, c.says) {
				t.Errorf("call: %d\n%s\n--\n%s", got.code, got.out, got.errOut)
			}
			if got := without(t, "call", p.URL(), "goof", "--protocol", "2025-11-25"); got.code != map[bool]int{true: 1, false: 2}[c.null] || !strings.Contains(got.errOut, c.says) || strings.Contains(got.errOut, `did you mean "good"?`) == c.null {
				t.Errorf("call of what is not listed: %d\n%s", got.code, got.errOut)
			}
			if got := without(t, "audit", "--tool", "good", "--yes", "-o", "json", p.URL(), "--protocol", "2025-11-25"); c.partial && (got.code != 6 || !strings.Contains(got.out, c.says)) ||
				!c.partial && (got.code != 3 || !strings.Contains(got.errOut, c.says)) {
				t.Errorf("audit: %d\n%s\n--\n%s", got.code, got.out, got.errOut)
			}
			if got := without(t, "audit", "--tool", "goof", p.URL(), "--protocol", "2025-11-25"); strings.Contains(got.errOut, "is called up to") || got.code != map[bool]int{true: 3, false: 2}[c.null] || !strings.Contains(got.errOut, c.says) || strings.Contains(got.errOut, `did you mean "good"?`) == c.null {
				t.Errorf("audit of what is not listed: %d\n%s", got.code, got.errOut)
			}
			got := without(t, "ls", p.URL(), "--protocol", "2025-11-25")
			if got.code != 1 || !strings.HasPrefix(got.out, c.heading) || !strings.Contains(got.out, "prompts: the server offers none") || !strings.Contains(got.errOut, c.says) || strings.Contains(got.out+got.errOut, "\x1b") {
				t.Errorf("ls: %d\n%s\n--\n%s", got.code, got.out, got.errOut)
			}
			got = without(t, "ls", p.URL(), "-o", "json", "--protocol", "2025-11-25")
			var doc struct {
				Tools, Prompts json.RawMessage
				Problems       []struct {
					List, Why string
					Partial   bool
				}
			}
			if err := json.Unmarshal([]byte(got.out), &doc); err != nil || got.code != 1 || string(doc.Tools) == "null" != c.null || string(doc.Prompts) != "[]" ||
				len(doc.Problems) != 1 || doc.Problems[0].List != "tools" || doc.Problems[0].Why == "" || doc.Problems[0].Partial != c.partial {
				t.Errorf("ls -o json: %d, %v\n%s", got.code, err, got.out)
			}
		})
	}
}

// Of tools that share a name each is listed as one of several, and the arguments of a call may be
// those of any of them.
func TestToolsOfOneName(t *testing.T) {
	t.Parallel()
	tool := func(argument string) string {
		return `{"name":"same","inputSchema":{"type":"object","properties":{"` + argument + `":{"type":"string"}},"required":["` + argument + `"],"additionalProperties":false}}`
	}
	p := web.New(t)
	p.Handshake("2025-11-25", tool("a"), tool("b"))
	p.On("tools/call", func(x *web.Exchange) { x.SSE().Result(`{"content":[{"type":"text","text":"called"}]}`).End() })
	const note = "the server lists 2 tools of this name; which of them"
	for argument, code := range map[string]int{"a=1": 0, "b=1": 0, "c=1": 2} {
		if got := without(t, "call", p.URL(), "same", "--arg", argument, "--protocol", "2025-11-25"); got.code != code || !strings.Contains(got.errOut, note) {
			t.Errorf("call with %s: %d\n%s\n%s", argument, got.code, got.out, got.errOut)
		}
	}
	if got := without(t, "ls", p.URL(), "tools", "--protocol", "2025-11-25"); strings.Count(got.out, "of 2 of this name") != 2 {
		t.Errorf("ls: %d\n%s", got.code, got.out)
	}
	if got := without(t, "audit", "--tool", "same", "--json", `{"a":"1"}`, "--yes", p.URL(), "--protocol", "2025-11-25"); !strings.Contains(got.out, note) {
		t.Errorf("audit: %d\n%s\n%s", got.code, got.out, got.errOut)
	}
}

// A result without the structured content that its tool promises is said to be one, by a call
// and by an audit; the text of it is the result all the same.
func TestMissingStructuredContentWithoutAScreen(t *testing.T) {
	t.Parallel()
	const says = "a result without structuredContent, although its tool has an outputSchema"
	for tool, told := range map[string]bool{"typed": true, "plain": false} {
		p := web.New(t)
		p.Handshake("2025-11-25", `{"name":"typed","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`, `{"name":"plain","inputSchema":{"type":"object"}}`)
		p.On("tools/call", func(x *web.Exchange) { x.SSE().Result(`{"content":[{"type":"text","text":"called"}]}`).End() })
		if got := without(t, "call", p.URL(), tool, "--protocol", "2025-11-25"); got.code != 0 || got.out != "called\n" || strings.Contains(got.errOut, says) != told {
			t.Errorf("call %s: %d\n%s\n--\n%s", tool, got.code, got.out, got.errOut)
		}
		if got := without(t, "call", p.URL(), tool, "-o", "json", "--protocol", "2025-11-25"); strings.Contains(got.out, `"missing": true`) != told {
			t.Errorf("call %s: %s", tool, got.out)
		}
		if got := without(t, "audit", "--tool", tool, "--yes", p.URL(), "--protocol", "2025-11-25"); strings.Count(got.out, says) != map[bool]int{true: 1}[told] {
			t.Errorf("audit %s: %d\n%s\n%s", tool, got.code, got.out, got.errOut)
		}
	}
}
