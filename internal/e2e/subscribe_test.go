package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	peers "belay/internal/peer"
	"belay/internal/termtest"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

const agreedNote = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},` +
	`"notifications":{"resourceSubscriptions":["demo://board"]}}}`

// Servers that take subscriptions: one of the handshake revisions, and one of
// the modern era, which ends a subscription when a tool is called, and says so
// twice.
func init() {
	conducts["subscribed"] = func(p *peer, in *bufio.Reader) {
		p.capabilities = `{"tools":{},"resources":{"subscribe":true}}`
		p.serve(in, func(m message) {
			switch m.Method {
			case "resources/list":
				p.result(m.ID, `{"resources":[]}`)
			case "resources/templates/list":
				p.result(m.ID, `{"resourceTemplates":[]}`)
			case "resources/subscribe":
				p.result(m.ID, `{}`)
				p.send(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"demo://board"}}`)
			case "resources/unsubscribe":
				p.result(m.ID, `{}`)
			}
		})
	}
	conducts["listened"] = func(p *peer, in *bufio.Reader) {
		p.modern, p.capabilities = true, `{"tools":{},"resources":{"subscribe":true}}`
		var listen json.RawMessage
		p.serve(in, func(m message) {
			switch m.Method {
			case "subscriptions/listen":
				listen = m.ID
				p.send(agreedNote, listen)
			case "tools/call":
				p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"closing time"}}`, listen)
				p.result(listen, fmt.Sprintf(`{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":%s}}`, listen))
			}
		})
	}
}

// x on a subscription sends resources/unsubscribe and never a cancellation; the
// row says what the server did about it.
func TestSubscriptionsOfTheHandshakeEra(t *testing.T) {
	t.Parallel()
	s := play(t, "subscribed").See("3 tools")
	s.Press(":").Type("subscribe demo://board").Press("enter").See("subscribed · 1 update")
	s.Press("x").See("cancelled · acknowledged")
	s.serverReads(1, `"method":"resources/unsubscribe"`, `"uri":"demo://board"`)
	s.Press("q").Exit(0)
	s.serverReads(0, "notifications/cancelled")
	s.serverReads(1, "EOF")
}

// In the modern era it is a request that stays open: x cancels it as that, and
// an end that the server tells twice is one.
func TestSubscriptionsOfTheModernEra(t *testing.T) {
	t.Parallel()
	s := play(t, "listened", "--protocol", "2026-07-28").See("3 tools")
	s.Press(":").Type("subscribe demo://board").Press("enter").See("● subscribed")
	s.serverReads(1, `"method":"subscriptions/listen"`, `"resourceSubscriptions":["demo://board"]`)
	s.call("fast").See("ended by the server", "done")
	s.serverReads(0, "notifications/cancelled")
	s.Press(":").Type("subscribe demo://board").Press("enter").See("● subscribed")
	s.Press("x").cancelling()
	s.serverReads(1, `"method":"notifications/cancelled"`, `"requestId":`+idOf(t, s.received(), "subscriptions/listen"))
	s.serverReads(2, `"method":"subscriptions/listen"`)
}

// idOf is the ID of the latest request of a method.
func idOf(t *testing.T, lines []logged, method string) string {
	t.Helper()
	id := ""
	for _, l := range lines {
		var m message
		if json.Unmarshal([]byte(l.Line), &m) == nil && m.Method == method {
			id = string(m.ID)
		}
	}
	if id == "" {
		t.Fatalf("no %s", method)
	}
	return id
}

// Over HTTP x closes the exchange of a subscription, and posts nothing.
func TestSubscriptionsOverHTTP(t *testing.T) {
	t.Parallel()
	p := peers.New(t).Modern(`{"name":"slow","inputSchema":{"type":"object"}}`)
	p.On("server/discover", func(x *peers.Exchange) {
		x.JSONResult(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"resources":{"subscribe":true}},"ttlMs":0,"cacheScope":"private"}`)
	})
	empty := func(list string) func(*peers.Exchange) {
		return func(x *peers.Exchange) {
			x.JSONResult(`{"resultType":"complete","` + list + `":[],"ttlMs":0,"cacheScope":"private"}`)
		}
	}
	p.On("resources/list", empty("resources"))
	p.On("resources/templates/list", empty("resourceTemplates"))
	s := termtest.Tell(t, termtest.Options{Cols: 140, Rows: 32, Argv: []string{belay, p.URL()}, Env: []string{raceOptions}})
	s.See("ready")
	s.Press(":").Type("subscribe demo://board").Press("enter")
	x := p.Await("subscriptions/listen")
	var m message
	if err := json.Unmarshal([]byte(x.Request.Body), &m); err != nil {
		t.Fatal(err)
	}
	x.SSE().Message(fmt.Sprintf(agreedNote, m.ID))
	s.See("● subscribed")
	x.Message(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":%s},"uri":"demo://board"}}`, m.ID))
	s.See("subscribed · 1 update")
	s.Press("x")
	x.AwaitAbort()
	s.See("cancelled · stream closed")
	if n := len(p.Requests("notifications/cancelled")); n != 0 {
		t.Errorf("%d cancels were posted", n)
	}

	s.Press("r")
	x = p.Await("subscriptions/listen")
	x.SSE().End()
	s.See("ended by the server")
	s.Press("q").Exit(0)
}

// The demo, which is built on the official SDK, takes subscriptions in both
// eras, and tells of each stroke of its bell.
func TestTheDemosBell(t *testing.T) {
	t.Parallel()
	for _, rev := range []mcp.Revision{mcp.Rev20250618, mcp.Rev20251125, mcp.Rev20260728} {
		t.Run(string(rev), func(t *testing.T) {
			a := askDemo(t, rev)
			spec := session.CallSpec{Method: "resources/subscribe", Params: []byte(`{"uri":"demo://bell"}`)}
			if rev.IsModern() {
				spec = session.CallSpec{Method: "subscriptions/listen", Params: mcp.Filter{URIs: []string{"demo://bell"}}.Params()}
			}
			made, _ := a.Do(session.StartCall{Spec: spec})
			row := func(s *session.Session) session.Row { r, _ := s.Row(made.Call); return r }
			a.until("subscribed", func(s *session.Session) bool { return row(s).Sub.Active })
			a.ends(a.call("strike_bell", `{"times":3,"interval_ms":1}`), session.Done, "")
			a.until("three updates", func(s *session.Session) bool { return row(s).Sub.Updates == 3 })
			_, _ = a.Do(session.Cancel{Call: made.Call, Reason: "enough"})
			a.until("ended", func(s *session.Session) bool { return row(s).State == session.Cancelled })
			a.ends(a.call("strike_bell", `{"times":1}`), session.Done, "")
			a.View(func(s *session.Session) {
				if r := row(s); r.Sub.Updates != 3 || r.Verdict != cancel.Acknowledged {
					t.Errorf("%+v, %v", r.Sub, r.Verdict)
				}
				for _, d := range s.Diagnostics() {
					if strings.Contains(d.Describe(), "subscri") {
						t.Errorf("%s: %s", d.Describe(), d.Detail)
					}
				}
			})
		})
	}
}
