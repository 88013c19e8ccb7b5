package mcpclient

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// Crash is a panic of belay's own that was caught: it ended the connection, not
// the program (SEC-28).
type Crash struct {
	Where string // which part failed: "the reader", "the writer" …
	Value string // what the panic said; may hold foreign text
	Stack string
}

func (c Crash) String() string {
	return fmt.Sprintf("belay failed in %s: %s", c.Where, c.Value)
}

// crashes keeps the first panic, which is the one that explains the others.
type crashes struct {
	mu    sync.Mutex
	first *Crash
}

// Crash is the first panic that was caught, or nil.
func (c *Client) Crash() *Crash {
	c.crashes.mu.Lock()
	defer c.crashes.mu.Unlock()
	return c.crashes.first
}

// onCrash notes a panic and ends the connection. It is called from a deferred
// function, so that the stack is that of the panic.
func (c *Client) onCrash(where string, v any) {
	cr := &Crash{Where: where, Value: fmt.Sprint(v), Stack: string(debug.Stack())}
	c.crashes.mu.Lock()
	if c.crashes.first == nil {
		c.crashes.first = cr
	}
	c.crashes.mu.Unlock()
	if p := c.current.Load(); p != nil {
		p.fail(cr.String())
	}
	c.signal()
}
