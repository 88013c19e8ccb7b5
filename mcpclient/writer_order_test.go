//go:build unix

package mcpclient

import (
	"testing"
	"time"

	"belay/mcpclient/process"
	"belay/session"
	"belay/session/mcp"
)

// A writer that comes to run late finds what was handed over meanwhile, and writes that
// before what the core has besides: a server that is asked to initialize first is of
// another era.
func TestWhatWasHandedOverIsWrittenFirst(t *testing.T) {
	c, x := connected(Options{Session: session.Config{Probe: 20 * time.Millisecond}})
	p := newStdio(c, &child{Child: &process.Child{}})
	p.x = x
	c.locked(func(*session.Session, time.Time) { c.link = p }) // the probe is handed over
	c.locked(func(s *session.Session, now time.Time) { s.Tell(now.Add(time.Second), session.Tick{}) })
	for _, want := range []string{"server/discover", "initialize"} {
		batch := p.gather(nil, true)
		if len(batch) != 1 || mcp.Decode(batch[0].Data).Method != want {
			t.Fatalf("%+v is written, want %s", batch, want)
		}
	}
	if batch := p.gather(nil, true); len(batch) != 0 || !p.idle {
		t.Errorf("%+v is left, idle %v", batch, p.idle)
	}
}
