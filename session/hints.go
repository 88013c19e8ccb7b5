package session

import "belay/session/mcp"

// ToolOf is the tool that the parameters of tools/call name, as it is listed, or
// else with its name alone. Of several with that name it is the one that may do
// most harm.
func (s *Session) ToolOf(params []byte) mcp.Item {
	tool := mcp.Item{Kind: mcp.Tools, Name: targetOf("tools/call", params)}
	harm := -1
	l := &s.catalog.lists[mcp.Tools]
	for _, items := range [][]mcp.Item{l.Items, l.Coming} {
		for i := range items {
			it := &items[i]
			if it.Name != tool.Name {
				continue
			}
			if n := it.Hints().Harm(); n > harm {
				tool, harm = *it, n
			}
		}
	}
	return tool
}
