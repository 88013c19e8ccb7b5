package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// name is how belay's sentences speak of a call: "#7 tools/call slow".
func (c *call) name() string {
	n := "#" + c.wire().String() + " " + sentence.Name(c.Method)
	switch {
	case c.Watch:
		return "#" + c.wire().String() + " task " + sentence.Quoted(sentence.Clip(c.target))
	case c.target != "":
		n += " " + sentence.Name(c.target)
	}
	return n
}

// wire is the ID of the first request, which the row is called by.
func (c *call) wire() mcp.ID { return c.first }

// latest is the ID of the request that was made last.
func (c *call) latest() mcp.ID {
	if c.req == nil {
		return c.first
	}
	return c.req.id
}
