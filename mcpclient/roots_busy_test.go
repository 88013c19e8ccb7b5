//go:build unix

package mcpclient

import (
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
)

// The wish to see the roots may come out while the writer is busy: it is then
// the writer that finds it, and it must not be taken for something to write.
func TestTheWriterFindsTheWishToSeeTheRoots(t *testing.T) {
	root := session.Root{URI: "file:///nowhere-at-all"}
	c, x := connected(Options{Session: session.Config{Roots: []session.Root{root}, DiscoverLimit: -1}})
	p := &stdio{c: c, handed: make(chan []session.Output, 1)}
	written := func() (all []session.Output) {
		for _, out := range p.gather(nil) {
			if out.Op != session.OpWrite {
				t.Fatalf("the writer was given %+v", out)
			}
			all = append(all, out)
		}
		return all
	}
	receive := func(line string) {
		c.mu.lock()
		defer c.mu.unlock()
		c.s.Receive(c.opt.Now(), x, mcp.Decode([]byte(line)))
	}
	written() // initialize
	receive(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}}}`)
	written() // initialized
	receive(`{"jsonrpc":"2.0","id":70,"method":"roots/list"}`)
	for late := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if outs := written(); len(outs) > 0 {
			if got := string(outs[0].Data); got != `{"jsonrpc":"2.0","id":70,"result":{"roots":[]}}` {
				t.Errorf("answered %s", got)
			}
			break
		}
		if time.Now().After(late) {
			t.Fatal("the request for the roots is never answered")
		}
	}
	c.background.Wait()
}
