package session

import (
	"slices"
	"strings"

	"belay/session/mcp"
	"belay/session/sentence"
)

// lintExtensions tells of extensions whose identifiers break the rule (VER-42; basic/versioning).
func (l *lint) lintExtensions() {
	for _, id := range mcp.Extensions(l.conn.server.Capabilities) {
		if fault := mcp.ExtensionFault(id); fault != "" {
			l.diagnose(mcp.DiagExtensionName, 0, id, sentence.Name(id)+" "+fault)
		}
	}
}

// extensionWords name the extensions that the server lists, as one of them may have types of
// results of its own (BASE-17; basic).
func (n *connection) extensionWords() string {
	names := slices.DeleteFunc(mcp.Extensions(n.server.Capabilities), func(name string) bool { return name == mcp.TasksExtension })
	if len(names) == 0 {
		return ""
	}
	names = names[:min(len(names), 5)]
	for i, name := range names {
		names[i] = sentence.Clip(name)
	}
	return "; the server has extensions that belay does not declare: " + strings.Join(names, ", ")
}
