//go:build unix

package mcpclient

import (
	"strings"
	"testing"

	"belay/internal/requirements"
	"belay/session"
)

// conformity waits for the check of a call's structured content.
func conformity(t *testing.T, c *Client, id session.CallID) (d session.Detail) {
	t.Helper()
	outcome(t, c, id)
	await(t, c, "a check", func(s *session.Session) bool {
		d, _ = s.Detail(id)
		return d.Conformity != session.Unjudged
	})
	return d
}

// What is checked needs no connection: the last result counts as well.
func TestStructuredContentIsChecked(t *testing.T) {
	requirements.Rows(t, "SRV-11")
	c := run(t, options(t, "breaks its own schema"))
	awaitReady(t, c)
	await(t, c, "the tools", func(s *session.Session) bool { return len(s.Catalog().Lists[0].Items) > 0 })
	for arguments, want := range map[string]session.Conformity{`{"n":1}`: session.Conforms, `{"n":"x"}`: session.Breaks} {
		if d := conformity(t, c, callTool(t, c, "any", arguments)); d.Conformity != want {
			t.Errorf("%s: conformity %v, want %v", arguments, d.Conformity, want)
		}
	}
	last := callTool(t, c, "any", `{"n":"x","last":true}`)
	awaitEnd(t, c)
	if d := conformity(t, c, last); d.Conformity != session.Breaks || len(d.Schema.Faults) != 1 {
		t.Errorf("the last result: conformity %v, %+v", d.Conformity, d.Schema)
	}
}

// A check that takes long holds nothing up: not the messages that come, and not the end.
func TestACheckEndsWithTheClient(t *testing.T) {
	c := run(t, options(t, "breaks its own schema"))
	awaitReady(t, c)
	await(t, c, "the tools", func(s *session.Session) bool { return len(s.Catalog().Lists[0].Items) > 0 })
	large := callTool(t, c, "any", `{"rows":[`+strings.Repeat(`{"n":1},`, 200_000)+`{}]}`)
	outcome(t, c, large)
	outcome(t, c, callTool(t, c, "any", `{"n":1}`))
	closeIt(t, c)
	if c.checks.ctx.Err() == nil {
		t.Error("a check would go on")
	}
}
