package conduct

import (
	"strings"
	"testing"

	"belay/internal/peer"
)

func TestConductsOfTasks(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Tasks() {
		if seen[c.Name] {
			t.Errorf("two conducts are called %q", c.Name)
		}
		seen[c.Name] = true
		for _, way := range TaskWays {
			if len(c.Want(way).Verdict) == 0 {
				t.Errorf("%q lacks a verdict over %s", c.Name, way)
			}
		}
	}
}

// The judge finds what breaks a rule of the messages of a cancelled task.
func TestTheWireOfATaskIsJudged(t *testing.T) {
	const (
		call    = `→{"id":1,"method":"tools/call","params":{"name":"slow"}}`
		handle  = `←{"id":1,"result":{"task":{"taskId":"t","status":"working"}}}`
		stop    = `→{"id":2,"method":"tasks/cancel","params":{"taskId":"t"}}`
		stopped = `←{"id":2,"result":{"taskId":"t","status":"cancelled"}}`
		refused = `←{"id":2,"error":{"code":-32602}}`
		poll    = `→{"id":3,"method":"tasks/get","params":{"taskId":"t"}}`
		ended   = `←{"id":3,"result":{"taskId":"t","status":"cancelled"}}`
		signal  = `→{"method":"notifications/cancelled","params":{"requestId":1}}`
		other   = `→{"method":"notifications/cancelled","params":{"requestId":9}}`
	)
	early := TaskConduct{Early: true}
	for _, tt := range []struct {
		name  string
		c     TaskConduct
		way   Way
		wire  []string
		wrong string // a part of what is wrong; empty: nothing is
	}{
		{"as it should be", TaskConduct{}, Stdio, []string{call, handle, stop, stopped, poll, ended}, ""},
		{"another request is cancelled", TaskConduct{}, Stdio, []string{call, handle, other, stop, stopped, poll, ended}, ""},
		{"no cancel", TaskConduct{}, Stdio, []string{call, handle}, "tasks/cancel: 0, want 1"},
		{"two cancels", TaskConduct{}, Stdio, []string{call, handle, stop, stop, stopped, poll, ended}, "tasks/cancel: 2, want 1"},
		{"the ordinary signal", TaskConduct{}, Stdio, []string{call, handle, signal, stop, stopped, poll, ended}, "names a call that is a task"},
		{"the ordinary signal before the handle, in 2025-11-25", early, Stdio, []string{call, signal, handle, stop, stopped, poll, ended}, "names a call that is a task"},
		{"… in the extension", early, StdioModern, []string{call, signal, handle, stop, stopped, poll, ended}, ""},
		{"a cancel before the handle", TaskConduct{}, Stdio, []string{call, stop, handle, stopped, poll, ended}, "before there was a handle"},
		{"no poll after the cancel told the end", TaskConduct{}, Stdio, []string{call, handle, stop, stopped}, "by the answer to tasks/cancel: 0, want 1"},
		{"no poll after the cancel was refused", TaskConduct{}, Stdio, []string{call, handle, stop, refused}, "by the answer to tasks/cancel: 0, want 1"},
		{"three polls after the cancel told the end", TaskConduct{}, Stdio, []string{call, handle, stop, stopped, poll, poll, poll}, "by the answer to tasks/cancel: 3, want 1"},
		{"a poll after the end was read", TaskConduct{}, Stdio, []string{call, handle, poll, ended, stop, poll}, "read in one: 1, want 0"},
		{"an answer for a cancelled task", TaskConduct{}, StdioModern, []string{call, handle, stop, `→{"id":5,"method":"tasks/update","params":{}}`}, "what a cancelled task asked: 1, want 0"},
		{"a request that the extension does not have", TaskConduct{}, HTTPModern, []string{call, handle, stop, `→{"id":5,"method":"tasks/result","params":{}}`}, "which the extension does not have"},
		{"an exchange that was closed, and a cancel", early, HTTPModern, []string{call, handle, stop}, "tasks/cancel: 1, want 0"},
	} {
		wrong := strings.Join(tt.c.judgeWire(tt.way, passed(tt.wire)), "; ")
		if (wrong == "") != (tt.wrong == "") || !strings.Contains(wrong, tt.wrong) {
			t.Errorf("%s: %q, want %q", tt.name, wrong, tt.wrong)
		}
	}
	for _, tt := range []struct {
		wire  []string
		twice bool
	}{
		{[]string{call, handle, stop, stopped, poll}, false},
		{[]string{call, handle, stop, poll, stopped, poll}, false},
		{[]string{call, handle, stop, stopped, poll, poll}, true},
		{[]string{call, handle, stop, refused, poll, poll}, true},
		{[]string{call, handle, stop, stopped, poll, poll, poll}, false}, // which the judge tells of
	} {
		if got := (TaskSeen{Wire: passed(tt.wire)}).HasPolledTwice(); got != tt.twice {
			t.Errorf("%q: polled twice is %v", tt.wire, got)
		}
	}
	told := TaskConduct{Core: TaskWant{Verdict: []string{TaskWorking}, Has: []string{"goes on"}, Lacks: []string{"stopped"}}}
	if wrong := told.Judge(Stdio, TaskSeen{Verdict: TaskCancelled, Detail: "it stopped"}); len(wrong) != 4 { // and no cancel was sent
		t.Errorf("%q", wrong)
	}
}

// passed reads a wire of lines that begin with → for the client's messages and ← for the server's.
func passed(lines []string) (wire []peer.Passed) {
	for _, line := range lines {
		text, sent := strings.CutPrefix(line, "←")
		wire = append(wire, peer.Passed{Sent: sent, Text: strings.TrimPrefix(text, "→")})
	}
	return wire
}
