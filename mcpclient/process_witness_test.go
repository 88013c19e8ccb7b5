//go:build unix

package mcpclient

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/cancel"
	"belay/session/witness"
)

// cancelledCommand cancels a call for which the server runs a command, and waits for the
// verdict.
func cancelledCommand(t *testing.T, o Options, want cancel.Verdict) (c *Client, d session.Detail) {
	t.Helper()
	o.Session.Grace, o.Shutdown = 700*time.Millisecond, quick
	c = run(t, o)
	awaitReady(t, c)
	time.Sleep(100 * time.Millisecond)
	id := callTool(t, c, "any", "{}")
	awaitSent(t, c, id)
	time.Sleep(300 * time.Millisecond) // the server needs that to start the command
	if _, err := c.Do(session.Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	outcome(t, c, id)
	await(t, c, "the verdict", func(s *session.Session) bool {
		d, _ = s.Detail(id)
		return d.Verdict == want
	})
	return c, d
}

// What a server leaves behind is found in the system, named without secrets, and recorded.
func TestTheProcessesOfAServer(t *testing.T) {
	var file memory
	o := options(t, "runs a command")
	o.Record = &file
	c, d := cancelledCommand(t, o, cancel.LeftProcess)
	has := func(what string) bool {
		return slices.ContainsFunc(d.Processes.Processes, func(p witness.ProcessView) bool { return p.Lives && p.Name == what })
	}
	if !has("sleep 13") || !has("sh -c sleep 13; : --token *********") || d.Processes.At.Processes != 3 {
		t.Errorf("%+v", d.Processes)
	}
	for _, e := range d.Evidence {
		if strings.Contains(e.Text, "hunter-22") {
			t.Errorf("%q", e.Text)
		}
	}
	closeIt(t, c)
	if text := file.Bytes(); !bytes.Contains(text, []byte(`"command":"sleep 13"`)) || bytes.Contains(text, []byte("hunter-22")) {
		t.Errorf("%s", text)
	}
}

func TestProcessesAreLeftAlone(t *testing.T) {
	o := options(t, "runs a command")
	o.NoWitness = true
	if _, d := cancelledCommand(t, o, cancel.Quiet); d.Processes != nil {
		t.Errorf("%+v", d.Processes)
	}
}
