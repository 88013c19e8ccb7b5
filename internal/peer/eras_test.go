package peer_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"belay/internal/peer"
)

// The SDK's client finds its way through the standing answers of each era.
func TestAClientFindsItsWay(t *testing.T) {
	const tool = `{"name":"greet","inputSchema":{"type":"object"}}`
	const result = `{"content":[{"type":"text","text":"hello"}]}`
	for revision, tt := range map[string]struct {
		begin  func(*peer.Peer)
		answer func(*peer.Exchange)
	}{
		"2024-11-05": {
			func(p *peer.Peer) { p.HTTPSSE(tool) },
			func(x *peer.Exchange) {
				x.Accepted()
				x.Result(result)
			},
		},
		"2025-03-26": {func(p *peer.Peer) { p.Handshake("2025-03-26", tool) }, func(x *peer.Exchange) { x.JSONResult(result) }},
		"2025-11-25": {func(p *peer.Peer) { p.Handshake("2025-11-25", tool) }, func(x *peer.Exchange) { x.SSE().Result(result).End() }},
		"2026-07-28": {func(p *peer.Peer) { p.Modern(tool) }, func(x *peer.Exchange) {
			x.SSE().Result(`{"resultType":"complete","content":[{"type":"text","text":"hello"}]}`).End()
		}},
	} {
		t.Run(revision, func(t *testing.T) {
			p, s := peer.New(t), newSender(t)
			tt.begin(p)
			client := &http.Client{Transport: s.transport}
			var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: p.URL(), HTTPClient: client}
			if revision == "2024-11-05" {
				transport = &mcp.SSEClientTransport{Endpoint: p.At("/sse"), HTTPClient: client}
			}
			c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).
				Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
			if err != nil {
				t.Fatalf("%v\n%q", err, p.Story())
			}
			defer c.Close()
			list, err := c.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			called := make(chan error, 1)
			go func(ctx context.Context) {
				_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "greet"})
				called <- err
			}(t.Context())
			x := p.Await("tools/call")
			tt.answer(x)
			if err := <-called; err != nil {
				t.Error(err)
			}
			if revision == "2024-11-05" {
				p.Stream()
			} else if got := x.Header["Mcp-Protocol-Version"]; len(got) != 1 || got[0] != revision {
				t.Errorf("the revision in the header: %q", got)
			}
		})
	}
}
