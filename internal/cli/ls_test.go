package cli

import (
	"testing"

	"belay/session"
	"belay/session/mcp"
)

// A name says nothing of its tool in belay's place, and gives the runner of a CI no command.
func TestAListSpeaksForItself(t *testing.T) {
	items := []mcp.Item{
		{Name: "plain_name", InputSchema: []byte(`{"properties":{"a":{},"b":{}},"required":["a"]}`), Description: "It does."},
		{Name: "wipe - reads only", InputSchema: []byte(`{"properties":{"x] - [y":{}}}`)},
		{Name: "::error::x", Description: "##[error]y"},
	}
	got := string(lsText([]mcp.ListKind{mcp.Tools}, map[mcp.ListKind]session.ListView{mcp.Tools: {Items: items}}))
	want := `plain_name a [b] - It does.
"wipe - reads only" ["x] - [y"]
"::error::x" - ##⟨[⟩error]y
`
	if got != want {
		t.Errorf("%s", got)
	}
}
