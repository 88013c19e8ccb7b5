package mcpclient

import (
	"context"
	"time"

	"belay/internal/form"
	"belay/session"
	"belay/session/mcp"
)

// checks has structured content checked by the schema of its tool, one result at a time and
// outside the lock: a check takes as long as a server likes (SRV-11; server/tools).
type checks struct {
	ctx  context.Context // ends when belay closes
	stop context.CancelFunc
	busy bool // one is being made; guarded by the lock
}

func newChecks() (k checks) {
	k.ctx, k.stop = context.WithCancel(context.Background())
	return k
}

// checkNext begins the check that the core wants made next, if none is being made.
// It is called under the lock.
func (c *Client) checkNext() {
	if c.checks.busy || c.checks.ctx.Err() != nil {
		return
	}
	task, ok := c.s.NextCheck()
	if !ok {
		return
	}
	c.checks.busy = true
	c.background.Go(func() {
		report := check(c.checks.ctx, task)
		c.locked(func(s *session.Session, now time.Time) {
			c.checks.busy = false
			if c.checks.ctx.Err() == nil { // else it was broken off, and says nothing of the result
				s.Tell(now, session.SchemaChecked{Call: task.Call, Report: report})
			}
		})
	})
}

// check makes one check, with the rules of forms.
func check(ctx context.Context, task session.SchemaTask) session.SchemaReport {
	r := form.Check(ctx, task.Schema, mcp.ParseResult(task.Result).Structured)
	report := session.SchemaReport{More: r.More, NotChecked: r.Refused, Blind: r.Unchecked}
	for _, f := range r.Findings {
		report.Faults = append(report.Faults, session.SchemaFault{Where: f.Where, Why: f.Why})
	}
	return report
}
