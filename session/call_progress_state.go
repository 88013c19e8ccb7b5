package session

import (
	"math"
	"time"

	"belay/session/mcp"
	"belay/session/timer"
)

// progress is the last accepted progress of a call. The message is kept raw
// and decoded only when somebody looks, so that a flood costs nothing.
//
//shape:part of call
type progress struct {
	count, invalid int
	value, total   float64
	hasTotal       bool
	message        []byte // a JSON string, or empty
}

func (p *progress) view() ProgressView {
	v := ProgressView{Count: p.count, Value: p.value, Total: p.total, HasTotal: p.hasTotal, Invalid: p.invalid}
	v.Message = unquoted(p.message)
	return v
}

// take takes a notification, and returns what is wrong with it. It counts when it is a
// finite number that has grown.
func (p *progress) take(n *mcp.ProgressNote) (code mcp.DiagCode, detail string, counts bool) {
	switch {
	case math.IsNaN(n.Value) || math.IsInf(n.Value, 0) || n.Value < 0:
		p.invalid++
		return mcp.DiagProgressValue, "progress " + number(n.Value), false
	case p.count > 0 && n.Value <= p.value:
		p.invalid++
		return mcp.DiagProgressOrder, number(p.value) + " → " + number(n.Value), false
	}
	p.count++
	p.value = n.Value
	p.hasTotal = n.HasTotal && n.Total > 0 && !math.IsInf(n.Total, 0) && !math.IsNaN(n.Total)
	p.total = 0
	if p.hasTotal {
		p.total = n.Total
		if n.Value > n.Total {
			code, detail = mcp.DiagProgressValue, number(n.Value)+" of "+number(n.Total)
		}
	}
	p.message = append(p.message[:0], shortString(n.Message)...)
	return code, detail, true
}

// noted is what a notification says, whatever came before it.
func noted(n *mcp.ProgressNote) progress {
	return progress{value: n.Value, total: n.Total, hasTotal: n.HasTotal, message: shortString(n.Message)}
}

// takeProgress takes progress of a call, and returns what is wrong with it and whether it
// counts.
func (c *call) takeProgress(n *mcp.ProgressNote) (code mcp.DiagCode, detail string, counts bool) {
	c.touch()
	return c.progress.take(n)
}

// beginAnew gives the next request of a call progress and clocks of its own (TMO-14).
func (c *call) beginAnew(t *timer.List, now time.Time) {
	c.progress = progress{}
	c.renewClocks(t, now)
}
