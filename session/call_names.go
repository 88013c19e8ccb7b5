package session

import "belay/session/sentence"

// name is how belay's sentences speak of a call: "#7 tools/call slow".
func (c *call) name() string {
	n := "#" + c.wire().String() + " " + sentence.Name(c.Method)
	if c.target != "" {
		n += " " + sentence.Name(c.target)
	}
	return n
}
