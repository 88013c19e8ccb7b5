package conduct

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"belay/internal/peer"
)

// TaskSeen is what a client said of a cancelled task, and what passed at the server.
type TaskSeen struct {
	Verdict string
	Detail  string
	Wire    []peer.Passed
}

// String is all that was seen.
func (s TaskSeen) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s\n", s.Verdict, s.Detail)
	for _, p := range s.Wire {
		way := "→"
		if p.Sent {
			way = "←"
		}
		fmt.Fprintf(&b, "%s %s\n", way, strings.TrimSpace(p.Text))
	}
	return b.String()
}

// Judge says what is not true in what was seen, and which rules the client broke.
func (c TaskConduct) Judge(way Way, s TaskSeen) (wrong []string) {
	want := c.Want(way)
	if !slices.Contains(want.Verdict, s.Verdict) {
		wrong = append(wrong, fmt.Sprintf("%q is not %s", s.Verdict, strings.Join(want.Verdict, " or ")))
	}
	for _, p := range want.Has {
		if !regexp.MustCompile(p).MatchString(s.Detail) {
			wrong = append(wrong, fmt.Sprintf("the detail does not say %q", p))
		}
	}
	for _, p := range want.Lacks {
		if regexp.MustCompile(p).MatchString(s.Detail) {
			wrong = append(wrong, fmt.Sprintf("the detail says %q", p))
		}
	}
	return append(wrong, c.judgeWire(way, s.Wire)...)
}

// taskMessage is what the judge looks at in a message.
type taskMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name      string
		RequestID json.RawMessage
		TaskID    string
		Status    string
	}
	Result struct {
		TaskID, ResultType, Status string
		Task                       struct{ TaskID, Status string }
	}
	Error *struct{ Code int }
}

// taskWire is what the judge knows of the wire so far.
type taskWire struct {
	methods map[string]string // of the client's requests, by their IDs
	call    string            // the ID of the call
	handled bool              // the handle was sent

	cancels   int  // tasks/cancel
	signals   int  // notifications/cancelled that name the call
	stopped   bool // the user's cancel has come, by what ever
	answers   int  // answers to what the task asks, after that
	read      bool // a terminal status was sent in an answer to tasks/get
	pollsRead int  // tasks/get after that
	told      bool // … in the answer to tasks/cancel, or that was -32602
	pollsTold int  // tasks/get after that
}

// isTerminal reports whether a task that has this status has ended.
func isTerminal(status string) bool {
	return slices.Contains([]string{"completed", "failed", "cancelled"}, status)
}

// HasPolledTwice reports whether two polls came after the answer to tasks/cancel that told the
// end, where one is due. The first may have left before the client had read that answer, and a
// server cannot see that: in most runs of a conduct it is one poll too many.
func (s TaskSeen) HasPolledTwice() bool {
	w, _ := readTaskWire(s.Wire, false)
	return w.told && w.pollsTold == 2
}

// readTaskWire reads what has passed, and says what is wrong with single messages. With core the
// revision is 2025-11-25.
func readTaskWire(wire []peer.Passed, core bool) (w taskWire, wrong []string) {
	w.methods = map[string]string{}
	for _, p := range wire {
		var m taskMessage
		if json.Unmarshal([]byte(p.Text), &m) != nil {
			wrong = append(wrong, "a message that cannot be read: "+p.Text)
			continue
		}
		if p.Sent {
			w.sent(m)
		} else if why := w.taken(m, core); why != "" {
			wrong = append(wrong, why)
		}
	}
	return w, wrong
}

// judgeWire says which rules about the messages of a cancelled task were broken.
func (c TaskConduct) judgeWire(way Way, wire []peer.Passed) []string {
	core := way.Revision() == "2025-11-25"
	w, wrong := readTaskWire(wire, core)
	cancels, signals := 1, 0
	if c.Early && !core { // before its handle it is an ordinary request
		signals = 1
		if way.IsHTTP() { // whose exchange is closed
			cancels, signals = 0, 0
		}
	}
	count := func(what string, got, want int) {
		if got != want {
			wrong = append(wrong, fmt.Sprintf("%s: %d, want %d", what, got, want))
		}
	}
	count("tasks/cancel", w.cancels, cancels)
	count("notifications/cancelled of the call", w.signals, signals)
	count("polls after the end was read in one", w.pollsRead, 0)
	count("answers to what a cancelled task asked", w.answers, 0)
	if w.told && w.pollsTold != 2 { // HasPolledTwice tells of two
		count("polls after the end was told by the answer to tasks/cancel", w.pollsTold, 1)
	}
	return wrong
}

// sent takes a message of the server's.
func (w *taskWire) sent(m taskMessage) {
	switch method := w.methods[string(m.ID)]; {
	case m.ID == nil || m.Method != "":
	case string(m.ID) == w.call:
		w.handled = m.Result.Task.TaskID != "" || m.Result.ResultType == "task"
	case method == "tasks/get" && isTerminal(m.Result.Status):
		w.read = true
	case method == "tasks/cancel" && !w.read && (isTerminal(m.Result.Status) || m.Error != nil && m.Error.Code == -32602):
		w.told = true
	}
}

// taken takes a message of the client's, and says what is wrong with it.
func (w *taskWire) taken(m taskMessage, core bool) string {
	if m.ID != nil && m.Method != "" {
		w.methods[string(m.ID)] = m.Method
	}
	switch m.Method {
	case "tools/call":
		if m.Params.Name == SlowTool {
			w.call = string(m.ID)
		}
	case "tasks/cancel":
		w.cancels++
		w.stopped = true
		if !w.handled {
			return "tasks/cancel before there was a handle"
		}
	case "notifications/cancelled":
		if string(m.Params.RequestID) != w.call {
			return ""
		}
		w.signals++
		if core || w.handled {
			return "notifications/cancelled names a call that is a task"
		}
	case "tasks/get":
		if w.read {
			w.pollsRead++
		}
		if w.told {
			w.pollsTold++
		}
	case "tasks/update":
		if w.stopped {
			w.answers++
		}
	case "tasks/result":
		if !core {
			return "tasks/result, which the extension does not have"
		}
	}
	return ""
}
