package wording

import (
	"testing"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

const bad = "x\x1b[2J\ny"

// Each moment has a name of its own. What a server says in it stands in quotes, or is one
// of the names that need none, and cannot end its line.
func TestMoments(t *testing.T) {
	local, in, out := session.Local, session.In, session.Out
	for _, c := range []struct {
		mo     session.MomentView
		change func(c *session.Detail)
		want   safe.Text
	}{
		{at(0, session.MomCreated, local, "tools/call"), nil, "you asked for tools/call"},
		{at(0, session.MomCreated, local, bad), nil, `you asked for "x⟨ESC⟩[2J⏎y"`},
		{at(0, session.MomCreated, local, "tools/list"), func(c *session.Detail) { c.Origin = session.FromBelay }, "belay asked for tools/list"},
		{at(0, session.MomCreated, local, "initialize"), func(c *session.Detail) { c.Origin = session.FromHandshake }, "belay asked for initialize"},
		{at(0, session.MomSent, out, "tools/call"), nil, "tools/call"},
		{at(0, session.MomProgress, in, "3/5"), nil, "progress 3/5"},
		{session.MomentView{Kind: session.MomProgress, Text: "3/5 step", Value: "1/5", Count: 3}, nil, `progress 1/5 to 3/5 "step" · 3 notices`},
		{session.MomentView{Kind: session.MomProgress, Text: "0 step", Value: "0", Count: 3}, nil, `progress 0 "step" · 3 notices`},
		{session.MomentView{Kind: session.MomProgress, Text: "3/5 step", Value: "1/5 4/5", Count: 3}, nil, `progress 3/5 "step" · 3 notices, 1/5 to 4/5`},
		{session.MomentView{Kind: session.MomProgress, Text: "3/5 " + bad, Count: 1200}, nil, `progress 3/5 "x⟨ESC⟩[2J⏎y" · 1,200 notices`},
		{at(0, session.MomLog, in, bad), nil, `log "x⟨ESC⟩[2J⏎y"`},
		{at(0, session.MomRound, in, "2 inputs"), nil, "input required: 2 inputs"},
		{at(0, session.MomAgain, out, "9"), nil, "again, request 9"},
		{at(0, session.MomQuestion, local, "elicitation/create"), nil, "you are asked: elicitation/create"},
		{at(0, session.MomQuestion, in, bad), nil, `"x⟨ESC⟩[2J⏎y"`},
		{at(0, session.MomQuestionEnd, local, "answered"), nil, "the question was answered"},
		{at(0, session.MomCancelWanted, local, ""), nil, "you cancel it"},
		{at(0, session.MomCancelWanted, local, ""), func(c *session.Detail) { c.Initiator = cancel.ByTimeout }, "timed out: belay cancels it"},
		{at(0, session.MomCancelWanted, local, ""), func(c *session.Detail) { c.Initiator = cancel.ByQuit }, "belay leaves: it cancels this"},
		{at(0, session.MomCancelWanted, local, ""), func(c *session.Detail) { c.Initiator = cancel.ByDisconnect }, "belay ends the connection: it cancels this"},
		{at(0, session.MomCancelWanted, local, ""), func(c *session.Detail) { c.Initiator = cancel.ByRule }, "your rule cancels it"},
		{at(0, session.MomCancelSent, out, bad), nil, `cancelled "x⟨ESC⟩[2J⏎y"`},
		{at(0, session.MomClosing, out, ""), nil, "closes the exchange"},
		{at(0, session.MomHTTP, local, "HTTP 404"), nil, "HTTP 404"},
		{session.MomentView{Kind: session.MomResumed, Text: "17", Count: 3}, nil, "taken up again, 3 times, without a message; now after 17"},
		{at(0, session.MomResult, in, ""), nil, "result"},
		{at(0, session.MomResult, in, ""), func(c *session.Detail) { c.ToolError = true }, "result, isError"},
		{at(0, session.MomError, in, ""), func(c *session.Detail) { c.Err = &mcp.RPCError{Code: -32603} }, "error -32603"},
		{at(0, session.MomLate, in, ""), nil, "answer, late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{}), "result, 2.31s late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{ToolError: true}), "result (isError), 2.31s late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{Malformed: true}), "malformed answer, 2.31s late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{Handle: true}), "handle of a task, 2.31s late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{Asks: true}), "input required, 2.31s late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{Err: &mcp.RPCError{Code: -1}}), "error -1, 2.31s late"},
		{at(0, session.MomLate, in, ""), late(session.LateAnswer{Status: 502}), "HTTP 502, 2.31s late"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) { c.Late = &session.LateAnswer{} }, "result, begun before the cancel was written"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) { c.Late, c.State = &session.LateAnswer{}, session.Cancelling }, "result"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) {
			c.Verdict, c.Late = cancel.Crossed, &session.LateAnswer{After: 3 * time.Millisecond}
		}, "result, 3ms after"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) {
			c.Verdict, c.Late = cancel.NotDelivered, &session.LateAnswer{After: 3 * time.Millisecond, Crossed: true}
		}, "result, 3ms after"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) { c.Verdict, c.Late = cancel.NotDelivered, &session.LateAnswer{} }, "result"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) {
			c.Verdict, c.Task, c.TaskEnd, c.Late = cancel.Crossed, &session.TaskView{}, cancel.EndInDoubt, &session.LateAnswer{After: 3 * time.Millisecond}
		}, "result, first seen 3ms later"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) {
			c.Verdict, c.Task, c.TaskEnd, c.Late = cancel.Crossed, &session.TaskView{}, cancel.EndToldBefore, &session.LateAnswer{After: 3 * time.Millisecond}
		}, "result, 3ms after"},
		{at(0, session.MomLate, in, ""), func(c *session.Detail) {
			c.Task, c.Late = &session.TaskView{}, &session.LateAnswer{After: 2310 * time.Millisecond}
		}, "result, first seen 2.31s later"},
		{at(0, session.MomAfter, in, "notifications/progress"), nil, "progress, after the cancel"},
		{session.MomentView{Kind: session.MomAfter, Value: "7 " + bad}, nil, `progress 7 after the cancel "x⟨ESC⟩[2J⏎y"`},
		{at(0, session.MomGrace, local, ""), nil, "the grace is over"},
		{at(0, session.MomProbe, out, "ping"), nil, "ping, a probe"},
		{at(0, session.MomProbeAnswer, in, "ping"), nil, "answer to ping"},
		{at(0, session.MomProbeLate, local, ""), nil, "no answer to that either"},
		{at(0, session.MomAgreed, in, "tools"), nil, "acknowledged: tools"},
		{session.MomentView{Kind: session.MomUpdate, Text: "demo://a", Count: 2}, nil, "demo://a · 2 notices"},
		{at(0, session.MomUnsubscribe, out, ""), nil, "resources/unsubscribe"},
		{at(0, session.MomEnded, in, "the server ended it"), nil, "the server ended it"},
		{at(0, session.MomEnd, local, "EOF"), nil, "the connection ended: EOF"},
		{at(0, session.MomNote, local, "the list is gone"), nil, "the list is gone"},
		{session.MomentView{}, nil, ""},
	} {
		d := cancelled(cancel.AnsweredLate)
		if c.change != nil {
			c.change(d)
		}
		if got := Moment(d, c.mo); got != c.want {
			t.Errorf("%v: %q, want %q", c.mo.Kind, got, c.want)
		}
	}
}

// late is a call whose answer came 2.31 s after the cancel.
func late(l session.LateAnswer) func(*session.Detail) {
	l.After = 2310 * time.Millisecond
	return func(c *session.Detail) { c.Late = &l }
}

// What a message carries, beside what it is called.
func TestMessages(t *testing.T) {
	decoder := mcp.NewDecoder()
	for _, c := range []struct {
		raw  string
		call session.CallID
		want safe.Text
	}{
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"no\u001b"}}`, 0, `#7 "no⟨ESC⟩"`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7,"reason":"no"}}`, 3, `"no"`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`, 0, `#7`},
		{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":[7]}}`, 0, `#[7]`},
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1,"total":3,"message":"m\n"}}`, 3, `1/3 "m⏎"`},
		{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1.5}}`, 3, `1.5`},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"d"}}`, 0, `info "d"`},
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"[late, ignored]","logger":"l","data":{"a":1}}}`, 0, `"[late, ig…" "l": {"a":1}`},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"m\u001b"}}`, 3, `-32601 "m⟨ESC⟩"`},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":1}}`, 3, `41 B {"a":1}`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}`, 3, `{"name":"x"}`},
		{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, 0, ``},
	} {
		f := decoder.Decode([]byte(c.raw))
		if got := Message(f, &session.Entry{Call: c.call, Size: len(c.raw)}); got != c.want {
			t.Errorf("%s\n%q, want %q", c.raw, got, c.want)
		}
	}
}

// What was on the wire has a name, and of its flags the one that matters most is said.
func TestEntries(t *testing.T) {
	for want, e := range map[safe.Text]session.Entry{
		"tools/call":   {Kind: session.EntRequest, Method: "tools/call"},
		"progress":     {Kind: session.EntNotification, Method: "notifications/progress"},
		"result":       {Kind: session.EntResult, Method: "tools/call"},
		"error":        {Kind: session.EntError},
		"stderr":       {Kind: session.EntStderr},
		"not JSON-RPC": {Kind: session.EntInvalid},
		"too long":     {Kind: session.EntOversize},
		"batch":        {Kind: session.EntBatch},
		"":             {Kind: session.EntEvent, Method: "x"},
	} {
		if got := Entry(&e); got != want {
			t.Errorf("%v: %q, want %q", e.Kind, got, want)
		}
	}
	for f, want := range map[session.EntryFlags]safe.Text{
		session.FlagStale | session.FlagLate: "[old connection]", session.FlagLate | session.FlagDiag: "[late, ignored]", session.FlagProbe: "[probe]", 0: "",
	} {
		if got := Flag(f); got != want {
			t.Errorf("%v: %q, want %q", f, got, want)
		}
	}
}
