package session

import (
	"time"

	"belay/session/mcp"
)

// writer makes the messages that belay writes, and puts them into the outbox: requests,
// cancels, answers, and what every request says of belay.
type writer struct {
	*log
	cfg      *Config
	out      *outbox
	outgoing *outgoing
}

func limit(own, general time.Duration) time.Duration {
	if own == 0 {
		return general
	}
	return own
}

// request encodes the next request of a call and queues it.
func (w *writer) request(c *call) *request {
	r := &request{id: w.outgoing.issue(), method: c.Method, call: c}
	token := w.outgoing.tokenOf(c, r.id)
	p := &pending{class: classRequest, req: r, method: c.Method, kind: EntRequest, raw: c.Raw}
	if c.Origin == FromHandshake {
		p.class = classHandshake
	}
	p.Call = c.id
	params := c.Params
	if c.isWaiting() {
		params = c.wait.params
		if !c.req.token.IsZero() {
			token = w.outgoing.tokenFor(r.id) // also in place of one that the user gave (PRG-02)
		}
	}
	r.params = params
	p.Data, r.token = mcp.AppendRequest(nil, r.id, c.Method, params, token, w.metaOf(c))
	r.ownToken = r.token != token
	r.declared = w.conn.declares(c)
	r.logs = w.conn.logsFor(c, params)
	w.outgoing.reserve(r)
	c.req = r
	w.out.enqueue(p)
	c.req.out = p
	return r
}

// tokenOf is the progress token that belay gives a request; zero: none.
func (o *outgoing) tokenOf(c *call, id mcp.ID) mcp.ID {
	if c.NoProgress || c.Raw || c.Origin == FromHandshake {
		return mcp.ID{}
	}
	return o.tokenFor(id)
}
