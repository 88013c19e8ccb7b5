package ui

import (
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/write"
)

// requestWords are the ID that the call is known by, and the one of its latest
// request when that is another.
func (p *detailPane) requestWords() safe.Text {
	c := &p.d
	t := safe.Line(c.Wire.String())
	if c.Latest != c.Wire {
		t += ", now " + safe.Line(c.Latest.String())
	}
	return t + originWords(c.Origin)
}

// roundFields tell how often the server answered that it needs input, and what
// the call waits for now. The state is the server's: only its size and a digest
// are shown, and the message on the wire has all of it (MRT-11).
func (m *Model) roundFields(d *write.Writer) {
	ro := &m.detail.d.Round
	if ro.Count == 0 {
		return
	}
	d.Field("rounds", wording.Thousands(ro.Count)+m.snap.roundWords(ro), d.Styles.Text)
	if ro.HasState {
		d.Field("state", wording.Size(ro.StateSize)+" · digest "+safe.Line(ro.StateSum)+" · opaque", d.Styles.Text)
	}
}

func (s *snapshot) roundWords(ro *session.RoundView) safe.Text {
	switch {
	case !ro.Waits:
		return ""
	case ro.Held:
		return " · held, r goes on"
	case ro.Relisting:
		return " · the tools are fetched again, r at once"
	case !ro.RetryAt.IsZero():
		left := max(0, ro.RetryAt.Sub(s.now)).Round(100 * time.Millisecond)
		return " · made again in " + safe.Text(left.String()) + ", r at once"
	case ro.Open > 0:
		return " · " + wording.Thousands(ro.Inputs-ro.Open) + " of " + wording.Count(ro.Inputs, "input") + " answered, nothing in flight"
	}
	return " · about to be made again"
}

// freshWords write how long a result may be kept, and whose cache may hold it.
func freshWords(h *mcp.CacheHint) safe.Text {
	t := safe.Text("not at all")
	if h.TTL > 0 {
		t = "for " + safe.Text(wording.ShortDuration(h.TTL))
	}
	if h.Scope != "" {
		t += ", " + wording.NameIn(h.Scope, 40)
	}
	return t + " · in the server's words"
}
