package session

import "belay/session/mcp"

// Preview is a call as it would go out if it were made now (SRV-04; server/tools).
type Preview struct {
	// Message is the JSON of the request. Its ID is the next one, which another
	// request may take before.
	Message []byte
	// Head is what of the protocol goes out in the head, over HTTP. The ID of a
	// session is a secret: it is masked.
	Head    []Header
	Omitted []string // why parameters do not go out in the head that should; may hold foreign text
}

// Preview returns the message of a call, and sends nothing. It refuses the same
// calls as [StartCall], and all calls until the revision is agreed on, because
// the message depends on the revision.
func (s *Session) Preview(spec CallSpec) (Preview, error) {
	if s.conn.phase == Connecting {
		return Preview{}, refuse(RefuseNotReady, "still connecting; what goes out depends on the revision")
	}
	spec.Method = validText(spec.Method)
	if err := s.checkCall(spec); err != nil {
		return Preview{}, err
	}
	spec.Params = s.handles.wishOf(&spec).params
	id := mcp.IntID(s.outgoing.nextID)
	c := &call{CallSpec: spec}
	var p Preview
	p.Message, _ = mcp.AppendRequest(nil, id, spec.Method, spec.Params, s.outgoing.tokenOf(c, id), s.writer.metaOf(c))
	if s.cfg.Transport != mcp.HTTP {
		return p, nil
	}
	if !s.conn.rev.IsModern() {
		for _, h := range s.http.sessionHeaders() {
			if h.Name == headerSession {
				h.Value = masked
			}
			p.Head = append(p.Head, h)
		}
		return p, nil
	}
	fields, omitted := s.catalog.callHeaders(spec, spec.Raw)
	p.Head, p.Omitted = append(methodHeaders(s.conn.rev, spec.Method), fields...), omitted
	return p, nil
}
