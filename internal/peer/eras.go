package peer

import (
	"fmt"
	"net/http"
	"strings"
)

// The names by which the peer introduces itself.
const (
	Name      = "peer"
	SessionID = "session-1" // of [Peer.Handshake]
)

// Handshake gives standing answers to what surrounds the calls of a client in a
// revision from 2025-03-26 to 2025-11-25: the handshake with a session, ping,
// the lists, the end of the session; a GET is answered 405. Calls are left to
// the test. Each tool is a JSON object. [Peer.On] replaces any of the answers.
func (p *Peer) Handshake(revision string, tools ...string) *Peer {
	p.On("initialize", func(x *Exchange) {
		x.With("Mcp-Session-Id", SessionID).JSONResult(initialized(revision))
	})
	p.On("notifications/initialized", (*Exchange).Accepted)
	p.On("ping", func(x *Exchange) { x.JSONResult(`{}`) })
	p.On("tools/list", func(x *Exchange) { x.JSONResult(toolList(tools, "")) })
	p.On(http.MethodGet, func(x *Exchange) { x.With("Allow", "POST, DELETE").Answer(http.StatusMethodNotAllowed, "", "") })
	p.On(http.MethodDelete, func(x *Exchange) { x.Answer(http.StatusNoContent, "", "") })
	return p
}

// Modern gives standing answers to what surrounds the calls of a client in
// 2026-07-28: server/discover and the list of tools. Whoever tries a handshake
// is told which revision there is.
func (p *Peer) Modern(tools ...string) *Peer {
	p.On("server/discover", func(x *Exchange) {
		x.JSONResult(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private",` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"` + Name + `","version":"1"}}}`)
	})
	p.On("tools/list", func(x *Exchange) {
		x.JSONResult(toolList(tools, `"resultType":"complete","ttlMs":0,"cacheScope":"private",`))
	})
	p.On("initialize", func(x *Exchange) {
		x.JSONError(http.StatusBadRequest, `{"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"2025-11-25"}}`)
	})
	return p
}

// HTTPSSE gives standing answers in the transport of 2024-11-05: a GET of /sse
// opens the stream of the session, which first names /messages; what is posted
// there is answered 202, and by an event on that stream. A call is left to the
// test, which answers it by Accepted and [Exchange.Result], in either order.
func (p *Peer) HTTPSSE(tools ...string) *Peer {
	p.On(http.MethodGet, func(x *Exchange) {
		p.mu.Lock()
		p.stream = x
		p.mu.Unlock()
		x.SSE().Event(Event{Name: "endpoint", Data: "/messages?session=1"})
	})
	answer := func(result string) func(*Exchange) {
		return func(x *Exchange) {
			x.Accepted()
			x.Result(result)
		}
	}
	p.On("initialize", answer(initialized("2024-11-05")))
	p.On("notifications/initialized", (*Exchange).Accepted)
	p.On("ping", answer(`{}`))
	p.On("tools/list", answer(toolList(tools, "")))
	return p
}

// Stream is the session's stream of [Peer.HTTPSSE], once a client has opened it.
func (p *Peer) Stream() *Exchange {
	p.t.Helper()
	p.until("the stream of the session", func() bool { return p.stream != nil })
	return p.sessionStream()
}

func (p *Peer) sessionStream() *Exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stream
}

func initialized(revision string) string {
	return fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":%q,"version":"1"}}`, revision, Name)
}

func toolList(tools []string, more string) string {
	return `{` + more + `"tools":[` + strings.Join(tools, ",") + `]}`
}
