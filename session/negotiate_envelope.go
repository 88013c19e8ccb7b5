package session

import (
	"strings"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// The members of _meta that every request of the modern era carries (VER-20 … VER-22; basic), and
// what a result's _meta says of its server (VER-46).
const (
	metaVersion      = "io.modelcontextprotocol/protocolVersion"
	metaClientInfo   = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaLogLevel     = "io.modelcontextprotocol/logLevel"
)

// modernEnvelope is what each request says of belay in a modern revision, in
// place of a handshake.
func (w *writer) modernEnvelope(rev mcp.Revision) []mcp.MetaMember {
	return w.envelopeOf(rev, w.declared)
}

func (w *writer) envelopeOf(rev mcp.Revision, has declared) []mcp.MetaMember {
	m := []mcp.MetaMember{{Name: metaVersion, Value: rawjson.AppendQuote(nil, string(rev))}}
	if !w.cfg.Anonymous {
		m = append(m, mcp.MetaMember{Name: metaClientInfo, Value: w.cfg.clientInfo(nil, rev)})
	}
	m = append(m, mcp.MetaMember{Name: metaCapabilities, Value: has.capabilities(nil, rev)})
	if w.logLevel != "" {
		m = append(m, mcp.MetaMember{Name: metaLogLevel, Value: rawjson.AppendQuote(nil, w.logLevel)})
	}
	return m
}

// redeclare rebuilds the capabilities that are sent with every request from now on, and
// reports whether roots are among them. In the modern era roots have no list_changed.
func (w *writer) redeclare(rev mcp.Revision) bool {
	w.declared = w.cfg.declares(rev).with(w.conn.era.required)
	w.envelope = w.modernEnvelope(rev)
	return w.declared.roots
}

// askForLogs asks for log messages of a level in every request from now on.
func (w *writer) askForLogs(level string) {
	if level == LogOff {
		level = ""
	}
	w.logLevel = level
	w.envelope = w.modernEnvelope(w.conn.rev)
}

// offer is what initialize is to declare. The requests after it say nothing of belay.
func (w *writer) offer(rev mcp.Revision) {
	w.declared, w.envelope = w.cfg.declares(rev), nil
}

// clientInfo appends who belay is.
func (c Config) clientInfo(b []byte, rev mcp.Revision) []byte {
	b = rawjson.AppendQuote(append(b, `{"name":`...), c.ClientName)
	if c.ClientTitle != "" && rev >= mcp.Rev20250618 {
		b = rawjson.AppendQuote(append(b, `,"title":`...), c.ClientTitle)
	}
	b = rawjson.AppendQuote(append(b, `,"version":`...), c.ClientVersion)
	return append(b, '}')
}

// capabilities appends what is declared, in the words of a revision. The modern era has no
// notification for roots that change (RTS-02; client/roots).
func (d declared) capabilities(b []byte, rev mcp.Revision) []byte {
	var caps []string
	switch {
	case d.roots && rev.IsModern():
		caps = append(caps, `"roots":{}`)
	case d.roots:
		caps = append(caps, `"roots":{"listChanged":true}`)
	}
	switch {
	case d.tools:
		caps = append(caps, `"sampling":{"tools":{}}`)
	case d.sampling:
		caps = append(caps, `"sampling":{}`)
	}
	switch {
	case !rev.ElicitsURL() && d.form:
		caps = append(caps, `"elicitation":{}`)
	case d.form && d.url:
		caps = append(caps, `"elicitation":{"form":{},"url":{}}`)
	case d.form:
		caps = append(caps, `"elicitation":{"form":{}}`)
	case d.url:
		caps = append(caps, `"elicitation":{"url":{}}`)
	}
	if d.tasks && rev.IsModern() {
		caps = append(caps, `"extensions":{"`+mcp.TasksExtension+`":{}}`)
	}
	b = append(append(b, '{'), strings.Join(caps, ",")...)
	return append(b, '}')
}

// metaOf is what belay adds to the _meta of a call: nothing to one that the user
// wrote by hand.
func (w *writer) metaOf(c *call) []mcp.MetaMember {
	if c.Raw || c.Method == methodInitialize {
		return nil
	}
	e := w.conn.era
	if c.Method == methodDiscover && c.Origin == FromHandshake { // it may be made again, after a login, beside initialize
		return w.envelopeOf(e.DiscoverRevision(), w.cfg.declares(e.DiscoverRevision()).with(e.required))
	}
	if v := e.Asked(); v.IsModern() && w.declares(c) != w.declared {
		return w.envelopeOf(v, w.declares(c))
	}
	return w.envelope
}

// declares is what the next request of a call declares.
func (w *writer) declares(c *call) declared {
	if !w.conn.era.Asked().IsModern() {
		return w.declared
	}
	if c.Undeclared {
		return w.declared.with(c.Declare)
	}
	if c.about != nil { // the server goes by what the call declared that goes on
		return w.declared.with(c.about.rowOf().Declare).with(w.cfg.declaresTasks(c, w.conn.server.Has))
	}
	return w.declared.with(c.Declare).with(w.cfg.declaresTasks(c, w.conn.server.Has))
}

// logsFor is the level of the log messages that a request of the modern era asks
// for, by the user's own _meta or by that of belay's; empty: it asks for none.
// Those of a subscription never come.
func (w *writer) logsFor(c *call, params []byte) string {
	own, ok := rawjson.TextAt(mcp.MetaOf(params), metaLogLevel)
	switch {
	case c.isListen():
		return ""
	case ok:
		return own
	case c.Raw:
		return ""
	}
	return w.logLevel
}

// declared is what initialize told the server of belay's capabilities, in the
// revision that it offered. What was not declared is refused, whatever the
// configuration says by now.
//
//shape:plain
type declared struct {
	roots    bool
	sampling bool
	tools    bool // within sampling
	form     bool // within elicitation
	url      bool
	tasks    bool // the extension of 2026-07-28
}

func (c Config) declares(offer mcp.Revision) declared {
	elicits := !c.NoElicitation && offer.Elicits()
	return declared{
		roots:    len(c.Roots) > 0,
		sampling: !c.NoSampling,
		tools:    !c.NoSampling && c.SamplingTools && offer >= mcp.Rev20251125,
		form:     elicits && !c.NoForms,
		url:      elicits && !c.NoURLs && offer.ElicitsURL(),
	}
}

// initializeParams declares what belay can do and nothing else (VER-02, RTS-01; basic/lifecycle,
// client/roots).
func (w *writer) initializeParams() []byte {
	rev := w.conn.era.Asked()
	b := rawjson.AppendQuote([]byte(`{"protocolVersion":`), string(rev))
	b = w.declared.capabilities(append(b, `,"capabilities":`...), rev)
	b = w.cfg.clientInfo(append(b, `,"clientInfo":`...), rev)
	return append(b, '}')
}
