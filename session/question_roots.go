package session

import (
	"net/url"
	"slices"
	"strings"

	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// SetRoots changes the roots that the server may know, from now on and for later
// connections. A server to which belay declared roots hears of the change, once;
// [Reply] has that in Told. For any other server the next connection declares
// them. An address that is no absolute file:// URI, or that climbs, is refused.
//
// The core sees no disk: the caller has made sure that added roots can be read, and looks again
// when [OpRoots] asks for it (RTS-08, RTS-14; client/roots).
type SetRoots struct {
	Roots []Root `json:"roots,omitempty"`
}

func (in SetRoots) check(*Session) error {
	for _, r := range in.Roots {
		if !isRoot(r.URI) {
			return refuse(RefuseParams, "a root is an absolute file:// URI without \"..\", not %q", sentence.Clip(r.URI))
		}
	}
	return nil
}

func (in SetRoots) apply(s *Session) Reply {
	reaches := s.writer.declared.roots && (s.conn.phase == Connecting || s.conn.phase == Ready)
	if slices.Equal(in.Roots, s.cfg.Roots) {
		return Reply{Told: reaches}
	}
	s.cfg.Roots = slices.Clone(in.Roots)
	if v := s.conn.era.Asked(); v.IsModern() && (s.conn.phase == Connecting || s.conn.phase == Ready) {
		return Reply{Told: s.writer.redeclare(v)}
	}
	s.writer.rootsNews()
	return Reply{Told: reaches}
}

func (in SetRoots) masked(m masker) Input {
	in.Roots = m.roots(in.Roots)
	return in
}

// rootsNews announces a change of the roots to a server that was told that there are any. The
// modern era has no such notification (RTS-04; client/roots).
func (w *writer) rootsNews() {
	if !w.declared.roots || w.conn.era.Asked().IsModern() || w.conn.phase != Connecting && w.conn.phase != Ready {
		return
	}
	p := &pending{class: classRequest, method: "notifications/roots/list_changed", kind: EntNotification}
	p.Data = mcp.AppendNotification(nil, p.method, nil)
	w.out.enqueue(p)
}

// isRoot reports whether a URI may be given away as a root (RTS-05, RTS-09; client/roots).
func isRoot(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && u.Scheme == "file" && strings.HasPrefix(u.Path, "/") && u.Opaque == "" && u.Host == "" &&
		!slices.Contains(strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' }), "..")
}

func (qs *incoming) serveRoots(in *serverRequest) {
	switch {
	case !qs.declared.roots:
		qs.refuseUndeclared(in, mcp.CodeMethodNotFound, "roots")
	case qs.strict(in):
	case qs.cfg.CheckRoots && len(qs.cfg.Roots) > 0:
		c := &qs.roots
		if len(c.asks) >= maxWaiting {
			qs.diagnose(mcp.DiagQuestionFlood, 0, "", sentence.Name(in.method))
			qs.reject(in, mcp.CodeInternal, "too many requests for the roots")
			return
		}
		c.asks = append(c.asks, in)
		c.wanted = c.out == 0
	default:
		qs.answer(in, mcp.AppendResult(nil, in.idRaw, rootsResult(qs.cfg.Roots)))
	}
}

// ask has a request wait for a look.
func (c *rootCheck) ask(in *serverRequest) {
	c.asks = append(c.asks, in)
	c.wanted = c.out == 0
}

// rootsResult is the answer to roots/list.
func rootsResult(roots []Root) []byte {
	b := []byte(`{"roots":[`)
	for i, r := range roots {
		if i > 0 {
			b = append(b, ',')
		}
		b = rawjson.AppendQuote(append(b, `{"uri":`...), r.URI)
		if r.Name != "" {
			b = rawjson.AppendQuote(append(b, `,"name":`...), r.Name)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

func (qs *incoming) startRootChecks() {
	if qs.cfg.CheckRoots && qs.declared.roots {
		qs.timers.Set(once(dueRoots), qs.now.Add(rootsEvery))
	}
}

// onRootsDue looks at the roots.
func (qs *incoming) onRootsDue() {
	if qs.conn.phase != Ready {
		return
	}
	qs.timers.Set(once(dueRoots), qs.now.Add(rootsEvery))
	qs.roots.wanted = qs.roots.out == 0 && len(qs.cfg.Roots) > 0
}

func (qs *incoming) readableRoots() []Root {
	return slices.DeleteFunc(slices.Clone(qs.cfg.Roots), func(r Root) bool { return slices.Contains(qs.roots.gone, r) })
}
