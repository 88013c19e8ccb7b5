package session

import (
	"belay/session/mcp"
	"belay/session/sentence"
)

// name is how belay's sentences speak of a call: "#7 tools/call slow".
func (c *call) name() string {
	switch wire := c.wire().String(); {
	case c.Watch:
		return "#" + wire + " task " + sentence.Quoted(sentence.Clip(c.target))
	case c.target != "":
		return "#" + wire + " " + sentence.Name(c.Method) + " " + sentence.Name(c.target)
	default:
		return "#" + wire + " " + sentence.Name(c.Method)
	}
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
