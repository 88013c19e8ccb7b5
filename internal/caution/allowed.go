package caution

import (
	"crypto/sha256"

	"belay/session/mcp"
)

// Tool is one tool of one server, as the server defines it: another definition of the
// same name is another tool.
type Tool struct {
	server, name string
	definition   [sha256.Size]byte
}

// definitionMost bounds the definition of a tool that can be told from others, in bytes:
// it is read between two keys.
const definitionMost = 64 << 10

// ToolOf is the tool that a server of that name lists. It is none that could be known
// again where it is not listed, shares its name with others, or is too long.
func ToolOf(it *mcp.Item, server string) (t Tool, ok bool) {
	if len(it.Raw) == 0 || len(it.Raw) > definitionMost || it.Twins > 1 {
		return Tool{}, false
	}
	return Tool{server: server, name: it.Name, definition: sha256.Sum256(it.Raw)}, true
}

// Allowed are the tools that the user wants no question before. The zero value is none.
type Allowed struct{ tools map[Tool]bool }

// Add adds a tool, in the place of what had its name.
func (a *Allowed) Add(t Tool) {
	if a.tools == nil {
		a.tools = map[Tool]bool{}
	}
	for old := range a.tools {
		if old.server == t.server && old.name == t.name {
			delete(a.tools, old)
		}
	}
	a.tools[t] = true
}

// Has reports whether the tool is one of them, as it is defined now.
func (a *Allowed) Has(t Tool) bool { return a.tools[t] }

// Len is how many there are.
func (a *Allowed) Len() int { return len(a.tools) }

// Clear takes all of them out.
func (a *Allowed) Clear() { a.tools = nil }
