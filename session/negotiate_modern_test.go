package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// aged is a rig in the modern era, whose server has tools and tells of changes.
func aged(t testing.TB, change ...func(*Config)) *rig {
	return serving(t, mcp.Rev20260728, `{"tools":{"listChanged":true},"logging":{}}`, change...)
}

// lists answers the request for tools that is out, with one.
func (r *rig) lists(hints string) {
	r.t.Helper()
	r.answerList(mcp.Tools, hints, `{"name":"a","inputSchema":{"type":"object"}}`)
}

func TestTheTypeOfAResult(t *testing.T) {
	requirements.Rows(t, "BASE-13", "BASE-14", "BASE-15")
	for _, tt := range []struct {
		result string
		state  State
		note   string
		diags  int
	}{
		{`{"content":[]}`, Done, "", 1},
		{`{"resultType":"complete","content":[]}`, Done, "", 0},
		{`{"resultType":"zzz","content":[{"type":"text","text":"all is well"}]}`, Failed, `invalid response: resultType "zzz"`, 1},
		{`{"resultType":"task","content":[]}`, Failed, `invalid response: resultType "task"`, 1},
		{`{"resultType":7,"content":[]}`, Failed, "invalid response: resultType a number", 1},
		{`{"resultType":null,"content":[]}`, Failed, "invalid response: resultType null", 1},
	} {
		r := aged(t)
		r.lists(fresh)
		id, wire := r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, tt.result)
		d, _ := r.s.Detail(id)
		if d.State != tt.state || d.Note != tt.note || string(d.Result) != tt.result {
			t.Errorf("%s: %v %q %s", tt.result, d.State, d.Note, d.Result)
		}
		r.wantDiag(mcp.DiagResultType, tt.diags)

		r = ready(t, mcp.Rev20251125) // there are no types
		id, wire = r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, tt.result)
		if row := r.row(id); row.State != Done || len(r.s.Diagnostics()) != 0 {
			t.Errorf("before that era, %s: %+v %v", tt.result, row, r.s.Diagnostics())
		}
	}
	t.Run("a list", func(t *testing.T) {
		r := aged(t)
		r.lists(`,"resultType":"zzz"`)
		if l := r.s.Catalog().Lists[mcp.Tools]; len(l.Items) != 0 || !strings.Contains(l.Problem, `resultType "zzz"`) {
			t.Errorf("%+v", l)
		}
	})
}

// After the cancel the server must not say anything more; what was on its way
// is no fault of its. Before that era it is a note.
func TestMessagesAfterTheCancel(t *testing.T) {
	requirements.Rows(t, "CXL-20")
	for _, rev := range []mcp.Revision{mcp.Rev20260728, mcp.Rev20251125} {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev)
			id, wire := r.call("t")
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
				t.Fatal(err)
			}
			r.pull()
			r.recv(progressNote, token(wire), 1) // in the same instant
			r.wantDiag(mcp.DiagAfterCancel, 0)
			r.wait(time.Second)
			r.recv(progressNote, token(wire), 2)
			r.recv(okAnswer, wire)
			want := 0
			if rev.IsModern() {
				want = 2
			}
			r.wantDiag(mcp.DiagAfterCancel, want)
			if row := r.row(id); row.AfterCount != 2 || row.Verdict != cancel.AnsweredLate {
				t.Errorf("%+v", row)
			}
		})
	}
}

func TestLogLevelsInTheModernEra(t *testing.T) {
	requirements.Rows(t, "LOG-05", "LOG-08")
	r := aged(t)
	r.lists(fresh)
	r.recv(logNote, "info", `"x"`)
	r.wantDiag(mcp.DiagLogUnasked, 1)
	r.lines = nil
	level := func(l string) error {
		id, err := madeBy(r.s.Handle(r.now, SetLogLevel{Level: l}))
		if id != 0 {
			t.Errorf("%s is call %d", l, id)
		}
		r.pull()
		return err
	}
	if err := level("warning"); err != nil {
		t.Fatal(err)
	}
	r.wantLines() // nothing is sent for it
	if r.call("t"); r.sent(`"io.modelcontextprotocol/logLevel":"warning"`) != 1 || r.s.Status().LogLevel != "warning" {
		t.Errorf("written: %v", r.lines)
	}
	r.recv(logNote, "error", `"x"`)
	r.wantDiag(mcp.DiagLogUnasked, 1)
	r.wantDiag(mcp.DiagLogLevel, 0)
	r.recv(logNote, "info", `"x"`)
	r.wantDiag(mcp.DiagLogLevel, 1)
	if err := level(LogOff); err != nil {
		t.Fatal(err)
	}
	r.lines = nil
	if r.call("t"); r.sent("logLevel") != 0 || len(r.lines) != 1 || r.s.Status().LogLevel != "" {
		t.Errorf("written: %v", r.lines)
	}
	if err := level("loud"); !errors.Is(err, errParams) {
		t.Errorf("an unknown level: %v", err)
	}
	if r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/logLevel":"debug"}}`)}); r.sent(`"io.modelcontextprotocol/logLevel":"debug"`) != 1 {
		t.Errorf("written: %v", r.lines)
	}
	t.Run("asked for by the user's own hand", func(t *testing.T) {
		r := aged(t)
		r.made(CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/logLevel":"debug"}}`)})
		r.recv(logNote, "info", `"x"`)
		r.wantDiag(mcp.DiagLogUnasked, 0)
	})
	t.Run("before", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		if id, err := madeBy(r.s.Handle(r.now, SetLogLevel{Level: "error"})); err != nil || id == 0 {
			t.Fatal(id, err)
		}
		r.pull()
		if r.sent(`"method":"logging/setLevel","params":{"level":"error"`) != 1 {
			t.Errorf("written: %v", r.lines)
		}
		if _, err := r.s.Handle(r.now, SetLogLevel{Level: LogOff}); !errors.Is(err, ErrNotSupported) {
			t.Errorf("off: %v", err)
		}
	})
}

func TestErrorsOfTheModernEra(t *testing.T) {
	requirements.Rows(t, "ERR-03", "ERR-04", "ERR-05", "ERR-11")
	notFound := "resource not found"
	for _, tt := range []struct {
		code         int64
		method, data string
		want         string
		diag         mcp.DiagCode
	}{
		{-32602, "resources/read", "", notFound, 0},
		{-32602, "tools/call", "", "unknown tool, or invalid arguments", 0},
		{-32002, "resources/read", "", notFound, mcp.DiagErrorOld},
		{-32042, "tools/call", "", "the server wants you to visit a URL first", mcp.DiagErrorOld},
		{-32020, "tools/call", "", "the HTTP headers of the request do not say what its body says", 0},
		{-32021, "tools/call", `,"data":{"requiredCapabilities":{"sampling":{"tools":{}}}}`, `the server says that the request lacks a capability: {"sampling":{"tools":{}}}`, 0},
		{-32021, "tools/call", "", "the server says that the request lacks a capability", 0},
		{-32022, "no/such", `,"data":{"supported":["2027-01-01","2026-07-28"]}`, "the server does not speak this revision; it supports \"2027-01-01\", \"2026-07-28\"", 0},
		{-32023, "tools/call", "", "a code that this revision does not define", mcp.DiagErrorUndefined},
		{-32050, "tools/call", "", "a code that this revision does not define", mcp.DiagErrorUndefined},
		{-32099, "tools/call", "", "a code that this revision does not define", mcp.DiagErrorUndefined},
		{-32100, "tools/call", "", "application error -32100", 0},
		{-32004, "tools/call", "", "implementation-defined error", 0},
	} {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.made(CallSpec{Method: tt.method})
		r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":%d,"message":"m"%s}}`, wire, tt.code, tt.data)
		if d, _ := r.s.Detail(id); d.State != Failed || d.ErrText != tt.want {
			t.Errorf("%d on %s: %v %q", tt.code, tt.method, d.State, d.ErrText)
		}
		ds := r.s.Diagnostics()
		if (len(ds) > 0) != (tt.diag != 0) || len(ds) > 0 && (ds[0].Code != tt.diag || !strings.Contains(ds[0].Describe(), fmt.Sprint(tt.code))) {
			t.Errorf("%d: found wrong: %v", tt.code, ds)
		}
	}
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32021,"message":"m"}}`, wire)
	if d, _ := r.s.Detail(id); d.ErrText != "a code that this revision does not define" || len(r.s.Diagnostics()) != 0 {
		t.Errorf("before: %q %v", d.ErrText, r.s.Diagnostics())
	}
}

func TestAnonymously(t *testing.T) {
	requirements.Rows(t, "VER-22")
	r := aged(t, func(c *Config) { c.Anonymous, c.NoListen = true, true })
	r.lists(fresh)
	id, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"request-%v","progress":1}}`, wire)
	r.recv(okAnswer, wire)
	r.want(id, Done, cancel.NoVerdict)
	if d, _ := r.s.Detail(id); d.Progress.Count != 1 {
		t.Errorf("progress: %+v", d.Progress)
	}
	if r.sent(metaClientInfo) != 0 || r.sent("belay") != 0 || r.sent(metaVersion) != 3 {
		t.Errorf("written: %v", r.lines)
	}
}

// The periodic ping and the probe after a grace ask with what the era has.
func TestPingsOfTheModernEra(t *testing.T) {
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.PingEvery = 5 * time.Second })
	r.pings = true
	r.wait(6 * time.Second)
	id, _ := r.call("t")
	if _, err := r.s.Handle(r.now, Cancel{Call: id}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wait(6 * time.Second)
	r.want(id, Cancelled, cancel.Quiet)
	if n := r.sent(`"method":"server/discover"`); n < 3 || r.sent(`"ping"`) != 0 || r.sent(metaVersion) != n+1 {
		t.Errorf("written: %v", r.lines)
	}
}

// The modern era has no word for roots that change: every request says anew
// whether there are any.
func TestRootsOfTheModernEra(t *testing.T) {
	requirements.Rows(t, "RTS-02", "RTS-04")
	a := Root{URI: "file:///a"}
	r := aged(t, func(c *Config) { c.Roots, c.CheckRoots = []Root{a}, true })
	r.lists(fresh)
	declares := func(want string) {
		t.Helper()
		r.lines = nil
		r.call("t")
		if len(r.lines) != 1 || !strings.Contains(r.lines[0], `clientCapabilities":{`+want+`"sampling"`) {
			t.Errorf("written: %v", r.lines)
		}
	}
	declares(`"roots":{},`)
	set := func(roots ...Root) {
		t.Helper()
		told, err := toldOf(r.s.Handle(r.now, SetRoots{Roots: roots}))
		if err != nil || told != (len(roots) > 0) {
			t.Errorf("told %v: %v", told, err)
		}
		r.lines = nil
		r.pull()
		r.wantLines()
	}
	set(a, Root{URI: "file:///b"})
	declares(`"roots":{},`)
	r.wait(2 * time.Minute)
	if len(r.looks) == 0 {
		t.Fatal("nobody looks at the roots")
	}
	r.lines = nil
	r.s.Tell(r.now, RootsChecked{Seq: r.looks[len(r.looks)-1].Seq, Gone: []Root{a}})
	r.pull()
	r.wantLines()
	set()
	declares("")
}
