package session

import "belay/session/mcp"

// ToolOf returns the tool that the parameters of tools/call name, as listed, or
// else with its name alone. Of several tools with that name it returns the most
// harmful.
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
