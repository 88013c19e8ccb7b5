// Package peer is an MCP server over HTTP whose every byte a test dictates: for
// what no well-behaved server does, and to see what a client really sent.
//
// A test starts a [Peer], points a client at its URL, awaits what the client
// sends, one [Exchange] at a time, and answers each step by step:
//
//	p := peer.New(t)
//	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
//	client(p.URL())
//	call := p.Await("tools/call")
//	call.SSE().Event(peer.Event{ID: "1", Data: progress})
//	p.Await("notifications/cancelled").Accepted()
//	call.Result(`{"content":[]}`).End()
//
// What has a standing answer ([Peer.On], [Peer.Handshake], [Peer.Modern],
// [Peer.HTTPSSE]) is answered without being awaited. Everything is recorded
// ([Peer.Requests], [Peer.Story]). Nothing sleeps: what is awaited and does not
// come fails the test after ten seconds, with the story so far.
//
// A server of tasks has more to keep in mind than a test wants to dictate:
// [Peer.Tasks] plays one by a [TaskScript], and [TaskLines] the same over lines.
package peer
