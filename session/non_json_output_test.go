package session

import (
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
)

// What a server writes on its stdout in the place of JSON-RPC is told and quoted, while
// it is waited for, when it ends and when it does not answer; a log in JSON is no better.
func TestStdoutThatIsNoJSONRPC(t *testing.T) {
	requirements.Rows(t, "VER-17")
	const must = ". A server must write only JSON-RPC on stdout; logs belong on stderr"
	for raw, quoted := range map[string]string{
		"hello":                             `"hello"`,
		`{"level":"info","msg":"started"}`:  `"{\"level\":\"info\",\"msg\":\"started\"}"`,
		"\x1b[31mServer \"x\"\u202e":        "\"\x1b[31mServer \\\"x\\\"\u202e\"",
		strings.Repeat("日", 79) + "本 is it": `"` + strings.Repeat("日", 79) + `本…"`,
	} {
		want := "its stdout is not JSON-RPC: it wrote " + quoted + must
		for name, end := range map[string]func(r *rig){
			"it ends": func(r *rig) { r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 2"}}) },
			"it closes": func(r *rig) {
				r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "closed its output", Alive: true}})
			},
			"it waits": func(r *rig) { r.wait(time.Minute) },
		} {
			r := opened(t, Config{Idle: 30 * time.Second})
			r.recv("%s", raw)
			r.recv("and more")
			if got := r.s.Status().NonJSON; got != want {
				t.Errorf("%q, while it is waited for: %q, want %q", raw, got, want)
			}
			end(r)
			if f := r.s.Status().Failure; f == nil || f.Hint != want {
				t.Errorf("%q, then %s: %+v, want %q", raw, name, f, want)
			}
			if got := r.s.Status().NonJSON; got != "" {
				t.Errorf("%q, then %s: it is waited for still: %q", raw, name, got)
			}
		}
	}
	r := opened(t, Config{})
	r.recv("")
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 2"}})
	if f := r.s.Status().Failure; f == nil || f.Hint != "" {
		t.Errorf("of an empty line is said %+v", f)
	}
	r = ready(t, mcp.Rev20251125)
	r.recv("a banner that comes late")
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "exit status 2"}})
	if f := r.s.Status().Failure; f == nil || f.Hint != "" {
		t.Errorf("of a server that had answered is said %+v", f)
	}
}

// How a process ended that belay has ended is not told as a deed of the server's.
func TestWhatBelayEndedIsNoDeedOfTheServers(t *testing.T) {
	for _, tt := range []struct {
		why  Close
		want string
	}{
		{Close{ByUs: true, Status: "signal: terminated"}, "connection ended: belay ended it: signal: terminated"},
		{Close{Status: "signal: terminated"}, "connection ended: signal: terminated"},
		{Close{ByUs: true}, "connection ended: closed"},
	} {
		r := ready(t, mcp.Rev20251125)
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: tt.why})
		if got := r.events("connection ended"); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%+v: %q, want %q", tt.why, got, tt.want)
		}
	}
	r := opened(t, Config{Idle: 30 * time.Second})
	r.recv("hello")
	r.wait(time.Minute) // no answer: belay closes it, and the server ends by that
	r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{Status: "signal: terminated"}})
	if f := r.s.Status().Failure; f == nil || strings.Contains(f.Text+f.Hint, "signal") || !strings.Contains(f.Text, "no answer to") {
		t.Errorf("%+v", f)
	}
	if got := r.events("connection ended"); len(got) != 1 || !strings.Contains(got[0], "belay ended it") {
		t.Errorf("%q", got)
	}
}
