package mcpclient

import (
	"testing"

	"belay/internal/covers"
	"belay/session"
)

func TestConnectCallQuit(t *testing.T) {
	covers.Rows(t, "STD-01")
	c := run(t, options(t, "plain"))
	awaitReady(t, c)
	await(t, c, "the list of tools", func(s *session.Session) bool { return len(s.Catalog().Lists[session.Tools].Items) == 1 })
	wantState(t, c, callTool(t, c, "any", `{}`), session.Done)
	closeIt(t, c)
	select {
	case <-c.Done():
	default:
		t.Error("Done is not closed after Close")
	}
	if got := c.Process().Status; got != "exit status 0" {
		t.Errorf("the server ended with %q", got)
	}
}
