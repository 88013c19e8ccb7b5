package session

import "belay/session/mcp"

// The header fields of MCP, beside those that every POST and GET of the
// transport has (Accept, Content-Type).
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "MCP-Protocol-Version"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
	headerLastID  = "Last-Event-ID"
)

// postHeaders are those of a message (HTL-39, HTL-45, HTM-03, HTM-17;
// basic/transports, basic/transports/streamable-http).
func (s *Session) postHeaders(p *pending) []Header {
	rev := s.conn.rev
	if rev == "" {
		if rev = s.conn.era.Asked(); p.method == methodDiscover {
			rev = s.conn.era.DiscoverRevision()
		}
	}
	if rev.IsModern() {
		return s.catalog.modernHeaders(rev, p)
	}
	if p.method == methodInitialize {
		return nil
	}
	return s.http.sessionHeaders()
}

// getHeaders are those of a GET.
func (xs *exchanges) getHeaders(e *exchange) []Header {
	h := xs.sessionHeaders()
	if e.lastID != "" {
		h = append(h, Header{headerLastID, e.lastID})
	}
	return h
}

// sessionHeaders name the session and the revision, where there is one.
func (xs *exchanges) sessionHeaders() (h []Header) {
	if xs.session != "" {
		h = append(h, Header{headerSession, xs.session})
	}
	if xs.conn.rev.HasVersionHeader() {
		h = append(h, Header{headerVersion, string(xs.conn.rev)})
	}
	return h
}

// modernHeaders repeat in the head what the body says, for those who route without reading it
// (HTM-17, HTM-23, HTM-24, HTM-26; basic/transports/streamable-http).
func (g *catalog) modernHeaders(rev mcp.Revision, p *pending) []Header {
	h := methodHeaders(rev, p.method)
	if p.req == nil || p.req.call == nil {
		return h
	}
	fields, omitted := g.callHeaders(p.req.call.CallSpec, p.raw)
	for _, why := range omitted {
		g.note(p.req.call, why)
	}
	return append(h, fields...)
}

// methodHeaders are the fields that every message has.
func methodHeaders(rev mcp.Revision, method string) []Header {
	return []Header{{headerVersion, string(rev)}, {headerMethod, fieldValue(method)}}
}

// callHeaders are the fields for what a call is about, and why some of its
// parameters do not go out in one.
func (g *catalog) callHeaders(c CallSpec, raw bool) (h []Header, omitted []string) {
	name := targetOf(c.Method, c.Params)
	if !namedInHead[c.Method] || name == "" {
		return nil, nil
	}
	if c.Method == "tools/call" && !raw {
		h, omitted = g.paramHeaders(&c, name)
	}
	return append([]Header{{headerName, fieldValue(name)}}, h...), omitted
}

// namedInHead are the methods whose Mcp-Name is demanded, those of tasks by the extension
// (TEX-47; extensions/tasks).
var namedInHead = map[string]bool{
	"tools/call": true, "prompts/get": true, "resources/read": true,
	"tasks/get": true, "tasks/update": true, "tasks/cancel": true,
}
