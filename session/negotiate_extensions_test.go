package session

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// An extension has the name of whoever defines it before its own.
func TestNamesOfExtensions(t *testing.T) {
	requirements.Rows(t, "VER-42")
	for id, fault := range map[string]string{
		"io.modelcontextprotocol/tasks": "", "com.example/x-y_z.1": "",
		"foo": "has no prefix", "": "has no prefix", "com.example/": "has no name",
		"/tasks": "has a prefix that is no labels", "a b/tasks": "has a prefix that is no labels", "com.example/a b": "has a name that is not letters",
	} {
		r := probing(t)
		r.agree(mcp.Rev20260728, `{"extensions":{"`+id+`":{}}}`)
		r.wantReady(mcp.Rev20260728, negotiate.Discovered)
		switch d := r.found(mcp.DiagExtensionName); {
		case fault == "" && d != nil:
			t.Errorf("%q: %s", id, d.Describe())
		case fault != "" && (d == nil || !strings.Contains(d.Describe(), fault)):
			t.Errorf("%q: %+v, want that it %s", id, d, fault)
		}
	}
	r := probing(t)
	r.agree(mcp.Rev20260728, `{"extensions":["foo"]}`)
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	if d := r.found(mcp.DiagExtensionName); d != nil {
		t.Errorf("no object: %s", d.Describe())
	}
}
