package demo

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const bellURI = "demo://bell"

// A bell counts its strokes. Each stroke changes the resource, so that a client has something
// to subscribe to.
type bell struct {
	mu      sync.Mutex
	strokes int
}

func (b *bell) strike() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.strokes++
	return b.strokes
}

func (b *bell) words() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("The bell was struck %d times.", b.strokes)
}

// addBell adds the bell, and the tool that strikes it: each stroke is an update
// for those who subscribed, in any session of this server.
func addBell(s *mcp.Server, _ Options) {
	b := new(bell)
	s.AddResource(&mcp.Resource{
		URI: bellURI, Name: "bell", Title: "Ship's bell", MIMEType: "text/plain",
		Description: "How often the bell was struck. Subscribe to it, then call strike_bell.",
	}, textResource(func(string) (string, error) { return b.words(), nil }))

	type in struct {
		Times      int `json:"times"`
		IntervalMS int `json:"interval_ms"`
	}
	t := tool("strike_bell", "Strike the bell",
		"Strikes the ship's bell, which changes the resource "+bellURI+": whoever subscribed to it hears of each stroke. It stops when it is cancelled.",
		`{"type":"object","properties":{
			"times":{"type":"integer","title":"Times","description":"Number of strokes","default":8,"minimum":1,"maximum":1000},
			"interval_ms":{"type":"integer","title":"Interval","description":"Time between two strokes, in milliseconds","default":1000,"minimum":1,"maximum":60000}
		},"additionalProperties":false}`)
	t.Annotations.ReadOnlyHint, t.Annotations.IdempotentHint = false, false
	add(s, t, func(ctx context.Context, c *call, in in) (*mcp.CallToolResult, error) {
		for k := 1; k <= in.Times; k++ {
			n := b.strike()
			if err := s.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: bellURI}); err != nil {
				return nil, err
			}
			c.progress(ctx, k, in.Times, fmt.Sprintf("stroke %d", n))
			if k < in.Times && !pause(ctx, time.Duration(in.IntervalMS)*time.Millisecond, c.cancelled) {
				return nil, errAbandoned
			}
		}
		return text(b.words()), nil
	})
}
