package caution

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// Who wants no question before a tool has seen it as it was defined: whatever changes in
// it, it is another tool.
func TestAllowedIsOneDefinition(t *testing.T) {
	requirements.Rows(t, "SRV-01")
	one := func(raw, server string) Tool {
		t.Helper()
		tool, ok := ToolOf(&mcp.Item{Name: "drop", Raw: []byte(raw)}, server)
		if !ok {
			t.Fatalf("%s cannot be known again", raw)
		}
		return tool
	}
	const as = `{"name":"drop","description":"Drops.","annotations":{"destructiveHint":true},"inputSchema":{"type":"object"}}`
	var a Allowed
	if a.Has(one(as, "s")) || a.Len() != 0 {
		t.Error("all are allowed at first")
	}
	a.Add(one(as, "s"))
	a.Add(one(as, "s"))
	if !a.Has(one(as, "s")) || a.Len() != 1 {
		t.Errorf("%d, and not it", a.Len())
	}
	for _, change := range [][2]string{{"Drops.", "Reads."}, {"true", "false"}, {`"name":"drop"`, `"name":"drop","title":"Read"`}, {`"object"`, `"object","properties":{"x":{}}`}} {
		if a.Has(one(strings.Replace(as, change[0], change[1], 1), "s")) {
			t.Errorf("%q as %q is the same tool", change[0], change[1])
		}
	}
	if a.Has(one(as, "another server")) {
		t.Error("that of another server is the same tool")
	}
	a.Add(one(strings.Replace(as, "Drops.", "Reads.", 1), "s"))
	if a.Has(one(as, "s")) || a.Len() != 1 {
		t.Errorf("%d: what the definition was before is allowed still", a.Len())
	}
	a.Clear()
	if a.Len() != 0 {
		t.Error("some are left")
	}
}

func TestWhatCannotBeKnownAgainIsNotAllowed(t *testing.T) {
	raw := []byte(`{"name":"drop"}`)
	for what, it := range map[string]mcp.Item{
		"a tool that is not listed": {Name: "drop"},
		"one of two of a name":      {Name: "drop", Raw: raw, Twin: 1, Twins: 2},
		"a very long definition":    {Name: "drop", Raw: make([]byte, definitionMost+1)},
	} {
		if _, ok := ToolOf(&it, "s"); ok {
			t.Errorf("%s can be known again", what)
		}
	}
}
