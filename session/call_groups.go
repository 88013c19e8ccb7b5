package session

import "belay/session/mcp"

// group is a part of the protocol that a server has to declare before it offers
// it (SRV-51).
type group struct {
	name  string
	since mcp.Revision // before, there was nothing to declare
	has   func(mcp.Capabilities) bool
}

var (
	toolsGroup       = group{name: "tools", has: func(c mcp.Capabilities) bool { return c.Tools }}
	promptsGroup     = group{name: "prompts", has: func(c mcp.Capabilities) bool { return c.Prompts }}
	resourcesGroup   = group{name: "resources", has: func(c mcp.Capabilities) bool { return c.Resources }}
	loggingGroup     = group{name: "logging", has: func(c mcp.Capabilities) bool { return c.Logging }}
	completionsGroup = group{name: "completions", since: mcp.Rev20250326, has: func(c mcp.Capabilities) bool { return c.Completions }}
)

// offers are the requests whose answer shows that the server has a group.
var offers = map[string]*group{
	"tools/list": &toolsGroup, "prompts/list": &promptsGroup, "resources/list": &resourcesGroup,
	"resources/templates/list": &resourcesGroup, "logging/setLevel": &loggingGroup, "completion/complete": &completionsGroup,
}

// checkGroup tells of a group that works although the server does not declare
// it.
func (l *lint) checkGroup(c *call, f *mcp.Frame) {
	g := offers[c.Method]
	if f.Kind != mcp.FrameResult || g == nil || g.has(l.conn.server.Has) || l.conn.rev < g.since || l.conn.server.Unsaid {
		return
	}
	l.diagnose(mcp.DiagGroupUndeclared, 0, g.name, g.name+", as "+c.Method+" shows")
}

// checkDeclared tells of a list that the server has declared and does not know.
// The templates of resources are a list that it may do without (SRV-52).
func (g *catalog) checkDeclared(r *request, f *mcp.Frame) {
	l := &g.lists[r.list]
	isDeclared := l.Declared && r.list != mcp.Templates && g.conn.rev.IsModern() && !g.conn.server.Unsaid
	if isDeclared && f.Kind == mcp.FrameError && f.Error.Code == mcp.CodeMethodNotFound {
		g.diagnose(mcp.DiagGroupMissing, r.call.id, r.method, r.method+" is an unknown method to it")
	}
}
