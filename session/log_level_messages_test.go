package session

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

const logNote = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":%q,"data":%s}}`

// shownLogs are the log messages that the history shows.
func (r *rig) shownLogs() (raw []string) {
	first, last := r.s.HistorySpan()
	for q := first; q <= last; q++ {
		if e, ok := r.s.Entry(q); ok && e.Method == "notifications/message" {
			raw = append(raw, string(e.Raw))
		}
	}
	return raw
}

func TestLogsOfAServerThatDeclaresNone(t *testing.T) {
	requirements.Rows(t, "LOG-01")
	r := serving(t, mcp.Rev20251125, `{}`)
	for range 3 {
		r.recv(logNote, "info", `"x"`)
	}
	ds := r.s.Diagnostics()
	if len(ds) != 1 || ds[0].Code != mcp.DiagLogUndeclared || ds[0].Count != 3 || len(r.shownLogs()) != 3 {
		t.Errorf("%+v; %d shown", ds, len(r.shownLogs()))
	}
}

func TestLogLevels(t *testing.T) {
	requirements.Rows(t, "LOG-02", "LOG-03", "LOG-04", "LOG-11")
	r := ready(t, mcp.Rev20251125)
	for _, level := range logLevels {
		r.recv(logNote, level, `"x"`)
	}
	if n := len(r.s.Diagnostics()); n != 0 || len(r.shownLogs()) != 8 {
		t.Errorf("before a level is set: %v; %d shown", r.s.Diagnostics(), len(r.shownLogs()))
	}
	_, wire := r.made(CallSpec{Method: "logging/setLevel", Params: []byte(`{"level":"error"}`)})
	if m := read(t, r.lines[len(r.lines)-1]); m.Method != "logging/setLevel" || !strings.HasPrefix(string(m.Params), `{"level":"error"`) {
		t.Errorf("written: %v", r.lines)
	}
	r.recv(logNote, "info", `"x"`)
	r.wantDiag(mcp.DiagLogLevel, 0)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{}}`, wire)
	if got := r.s.Status().LogLevel; got != "error" {
		t.Errorf("the level is %q", got)
	}
	for i, level := range logLevels {
		before := r.diag(mcp.DiagLogLevel)
		r.recv(logNote, level, `"x"`)
		if below := r.diag(mcp.DiagLogLevel) > before; below != (i < 4) {
			t.Errorf("%s is below error: %v", level, below)
		}
	}
	r.recv(logNote, "trace", `"x"`)
	if ds := r.s.Diagnostics(); !strings.Contains(ds[len(ds)-1].Describe(), "trace") {
		t.Errorf("an unknown level reads %q", ds[len(ds)-1].Describe())
	}
	if n := len(r.shownLogs()); n != 18 {
		t.Errorf("%d of 18 messages are shown", n)
	}
}

func TestLogsOfAnyShape(t *testing.T) {
	requirements.Rows(t, "LOG-14")
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.HistoryCount = 1000 })
	for _, data := range []string{`"x"`, `1.5`, `true`, `null`, `[]`, `{}`} {
		r.recv(logNote, "info", data)
	}
	if n := len(r.s.Diagnostics()); n != 0 {
		t.Errorf("found wrong: %v", r.s.Diagnostics())
	}
	for _, params := range []string{`{}`, `[]`, `{"level":1,"data":1}`, `{"level":"info"}`} {
		r.recv(`{"jsonrpc":"2.0","method":"notifications/message","params":%s}`, params)
	}
	r.wantDiag(mcp.DiagLogMalformed, 4)
	for i := range 5000 {
		r.feed(logNote, "info", fmt.Sprint(i))
	}
	if n := len(r.shownLogs()); n != 1000 || r.s.Status().Received != 5011 {
		t.Errorf("%d are kept of %d", n, r.s.Status().Received)
	}
}

// loudWeb is a rig over HTTP in 2026-07-28 whose server has logging; every request
// asks for warnings.
func loudWeb(t *testing.T) *webRig {
	w := modernWeb(t)
	if _, err := w.s.Handle(w.now, SetLogLevel{Level: "warning"}); err != nil {
		t.Fatal(err)
	}
	return w
}

// logsOf are the log messages among the messages of a call.
func (r *rig) logsOf(id CallID) (n int) {
	for _, e := range r.s.CallEntries(nil, id, 100) {
		if e.Method == "notifications/message" && e.Call == id {
			n++
		}
	}
	return n
}

// A log message belongs to the call on whose stream it came; on stdio to the one
// call that asks for them.
func TestLogsBelongToTheirCall(t *testing.T) {
	requirements.Rows(t, "LOG-06")
	w := loudWeb(t)
	a, outA := w.tool("a")
	b, outB := w.tool("b")
	w.stream(outA.X)
	w.stream(outB.X)
	w.recvOn(outA.X, logNote, "error", `"first"`)
	w.later(time.Second)
	w.recvOn(outA.X, logNote, "warning", `"second"`)
	w.recvOn(outA.X, `{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[]}}`, w.row(a).Wire)
	w.want(a, Done, cancel.NoVerdict)
	if w.logsOf(a) != 2 || w.logsOf(b) != 0 || len(w.s.Diagnostics()) != 0 {
		t.Errorf("%d of the one, %d of the other; %v", w.logsOf(a), w.logsOf(b), w.s.Diagnostics())
	}
	d, _ := w.s.Detail(a)
	var told []string
	for _, m := range d.Timeline {
		if m.Kind == MomUpdate {
			told = append(told, m.Text)
		}
	}
	if strings.Join(told, "; ") != "log message, error; log message, warning" {
		t.Errorf("on its timeline: %q", told)
	}
	t.Run("on stdio", func(t *testing.T) {
		r := ready(t, mcp.Rev20260728)
		quiet, _ := r.call("quiet")
		asks, _ := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/logLevel":"info"}}`)})
		r.recv(logNote, "info", `"x"`)
		if r.logsOf(asks) != 1 || r.logsOf(quiet) != 0 {
			t.Errorf("%d of the one that asks, %d of the other", r.logsOf(asks), r.logsOf(quiet))
		}
		also, _ := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"u","_meta":{"io.modelcontextprotocol/logLevel":"info"}}`)})
		r.recv(logNote, "info", `"of either"`)
		if r.logsOf(asks) != 1 || r.logsOf(also) != 0 || len(r.s.Diagnostics()) != 0 {
			t.Errorf("of one of two: %d, %d; %v", r.logsOf(asks), r.logsOf(also), r.s.Diagnostics())
		}
	})
}

// Log messages come on the stream of a request that asks for them, and on no other
// one.
func TestLogsOnTheWrongStream(t *testing.T) {
	requirements.Rows(t, "LOG-07")
	w := modernWeb(t)
	subscription, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: methodListen, Params: []byte(`{"notifications":{"toolsListChanged":true}}`)}}))
	if err != nil {
		t.Fatal(err)
	}
	w.pump()
	listen := w.post(methodListen)
	w.stream(listen.X)
	w.recvOn(listen.X, agreedNote, w.row(subscription).Wire, `{"toolsListChanged":true}`)
	ask := func(name, meta string) (CallID, Output) {
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: fmt.Appendf(nil, `{"name":%q%s}`, name, meta)}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		out := w.post("tools/call")
		w.stream(out.X)
		return id, out
	}
	asks, own := ask("asks", `,"_meta":{"io.modelcontextprotocol/logLevel":"info"}`)
	sibling, other := ask("sibling", "")
	w.recvOn(own.X, logNote, "info", `"here"`)
	if len(w.s.Diagnostics()) != 0 || w.logsOf(asks) != 1 {
		t.Errorf("on its own: %v", w.s.Diagnostics())
	}
	w.recvOn(listen.X, logNote, "info", `"there"`)
	w.wantDiag(mcp.DiagSubStream, 1)
	w.recvOn(other.X, logNote, "info", `"elsewhere"`)
	w.wantDiag(mcp.DiagLogUnasked, 1)
	ds := w.s.Diagnostics()
	if len(ds) != 2 || ds[1].Call != sibling || !strings.Contains(ds[1].Describe(), "on the stream of #"+w.row(sibling).Wire.String()+" tools/call, which asks for none") {
		t.Errorf("%+v", ds)
	}
	if n := len(w.shownLogs()); n != 3 {
		t.Errorf("%d of 3 are shown", n)
	}
}

// What the server logs for a call that was cancelled is counted, and changes
// nothing.
func TestLogsAfterTheCancel(t *testing.T) {
	requirements.Rows(t, "LOG-15")
	r := ready(t, mcp.Rev20260728)
	id, _ := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/logLevel":"info"}}`)})
	r.cancel(id, "enough")
	for range 3 {
		r.wait(time.Second)
		r.recv(logNote, "info", `"still here"`)
	}
	if row := r.row(id); row.State != Cancelling || row.AfterCount != 3 {
		t.Errorf("%v, %d after the cancel", row.State, row.AfterCount)
	}
	r.wait(time.Minute)
	r.want(id, Cancelled, cancel.ServerUnresponsive)
	if e := r.evidence(id); !strings.Contains(e, "though the server said something after the cancel") {
		t.Error(e)
	}
	r.recv(logNote, "info", `"long after"`) // nothing asks for it any more
	if row := r.row(id); row.State != Cancelled || row.AfterCount != 3 {
		t.Errorf("%v, %d after the cancel", row.State, row.AfterCount)
	}
	r.wantDiag(mcp.DiagLogUnasked, 1)
}

// In the stateless revision there is no logging/setLevel: the answer to one that
// was sent all the same changes no level.
func TestNoLevelBySetLevelInTheStatelessEra(t *testing.T) {
	r := ready(t, mcp.Rev20260728)
	_, wire := r.made(CallSpec{Method: "logging/setLevel", Params: []byte(`{"level":"debug"}`)})
	r.recv(emptyAnswer, wire)
	if level := r.s.Status().LogLevel; level != "" {
		t.Errorf("the level is %q", level)
	}
}
