package cli

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"belay/internal/headless"
	"belay/session"
	"belay/session/mcp"
)

// A server that was started more than once is told of, and what it has to say about that
// acts on nothing.
func TestASecondStartIsTold(t *testing.T) {
	st := session.Status{Undiscovered: true, Revision: mcp.Rev20251125, StartsWords: "the server was started twice: first it ended on server/discover: \x1b[2Jno"}
	got := negotiatedWords(&st)
	if len(got) != 2 || got[0] != "the server was started twice: first it ended on server/discover: ⟨ESC⟩[2Jno" || !strings.Contains(string(got[1]), "server/discover in time") {
		t.Errorf("%q", got)
	}
	if got := negotiatedWords(&session.Status{}); len(got) != 0 {
		t.Errorf("of nothing: %q", got)
	}
}

// A name says nothing of its tool in belay's place, and gives the runner of a CI no command.
func TestAListSpeaksForItself(t *testing.T) {
	items := []mcp.Item{
		{Name: "plain_name", InputSchema: []byte(`{"properties":{"a":{},"b":{}},"required":["a"]}`), Description: "It does."},
		{Name: "wipe - reads only", InputSchema: []byte(`{"properties":{"x] - [y":{}}}`)},
		{Name: "::error::x", Description: "##[error]y"},
		{Name: "same", Twin: 2, Twins: 3, Description: "It does."},
	}
	got := string(lsText([]mcp.ListKind{mcp.Tools}, map[mcp.ListKind]listed{mcp.Tools: {ListView: session.ListView{Items: items}}}))
	want := `plain_name a [b] - It does.
"wipe - reads only" ["x] - [y"]
"::error::x" - ##⟨[⟩error]y
same - It does. (2 of 3 of this name: which of them a call reaches is up to the server)
`
	if got != want {
		t.Errorf("%s", got)
	}
}

// A list that did not come is told from an empty one, by each heading and in the document, and
// a server's words act on nothing there.
func TestAListThatDidNotComeIsNotEmpty(t *testing.T) {
	kinds := []mcp.ListKind{mcp.Tools, mcp.Prompts, mcp.Resources, mcp.Templates}
	lists := map[mcp.ListKind]listed{
		mcp.Tools:     {ListView: session.ListView{Declared: true}, problem: &headless.ListError{Kind: mcp.Tools, Problem: "refused: \x1b[2J::no"}},
		mcp.Prompts:   {ListView: session.ListView{Declared: true, Items: []mcp.Item{{Name: "p", Raw: []byte(`{"name":"p"}`)}}}, problem: &headless.ListError{Kind: mcp.Prompts, Partial: true, Problem: "entry 2 is null"}},
		mcp.Resources: {ListView: session.ListView{Declared: true}},
		mcp.Templates: {},
	}
	const want = `tools: cannot be listed: refused: ⟨ESC⟩[2J::no

prompts (1, and not all could be read: entry 2 is null)
p

resources (0)

resource templates: the server offers none
`
	if got := string(lsText(kinds, lists)); got != want {
		t.Errorf("%s", got)
	}
	var doc struct {
		Tools, Prompts, Resources json.RawMessage
		Problems                  []lsProblem
	}
	raw := lsJSON(&session.Status{}, kinds, lists)
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if string(doc.Tools) != "null" || string(doc.Prompts) == "null" || string(doc.Resources) != "[]" ||
		!slices.Equal(doc.Problems, []lsProblem{{"tools", false, "refused: \x1b[2J::no"}, {"prompts", true, "entry 2 is null"}}) || bytes.ContainsRune(raw, '\x1b') {
		t.Errorf("%s", raw)
	}
}
