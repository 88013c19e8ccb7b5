package session

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
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
	covers.Rows(t, "BASE-13", "BASE-14", "BASE-15")
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
		id, wire := r.made(Call{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
		r.recv(`{"jsonrpc":"2.0","id":%v,"result":%s}`, wire, tt.result)
		d, _ := r.s.Detail(id)
		if d.State != tt.state || d.Note != tt.note || string(d.Result) != tt.result {
			t.Errorf("%s: %v %q %s", tt.result, d.State, d.Note, d.Result)
		}
		r.wantDiag(mcp.DiagResultType, tt.diags)

		r = ready(t, mcp.Rev20251125) // there are no types
		id, wire = r.made(Call{Method: "tools/call", Params: []byte(`{"name":"t"}`)})
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
	covers.Rows(t, "CXL-20")
	for _, rev := range []mcp.Revision{mcp.Rev20260728, mcp.Rev20251125} {
		t.Run(string(rev), func(t *testing.T) {
			r := ready(t, rev)
			id, wire := r.call("t")
			if err := r.s.Cancel(r.now, id, ""); err != nil {
				t.Fatal(err)
			}
			r.pull()
			r.recv(progressNote, token(wire), 1) // in the same instant
			r.wantDiag(mcp.DiagAfterCancel, 0)
			r.wait(time.Second)
			r.recv(progressNote, token(wire), 2)
			r.recv(okAnswer, wire)
			want := 0
			if rev.Modern() {
				want = 2
			}
			r.wantDiag(mcp.DiagAfterCancel, want)
			if row := r.row(id); row.AfterCount != 2 || row.Verdict != AnsweredLate {
				t.Errorf("%+v", row)
			}
		})
	}
}

func TestLogLevelsInTheModernEra(t *testing.T) {
	covers.Rows(t, "LOG-05", "LOG-08")
	r := aged(t)
	r.lists(fresh)
	r.recv(logNote, "info", `"x"`)
	r.wantDiag(mcp.DiagLogUnasked, 1)
	r.lines = nil
	level := func(l string) error {
		id, err := r.s.SetLogLevel(r.now, l)
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
	if err := level("loud"); !errors.Is(err, ErrParams) {
		t.Errorf("an unknown level: %v", err)
	}
	if r.made(Call{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/logLevel":"debug"}}`)}); r.sent(`"io.modelcontextprotocol/logLevel":"debug"`) != 1 {
		t.Errorf("written: %v", r.lines)
	}
	t.Run("asked for by the user's own hand", func(t *testing.T) {
		r := aged(t)
		r.made(Call{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/logLevel":"debug"}}`)})
		r.recv(logNote, "info", `"x"`)
		r.wantDiag(mcp.DiagLogUnasked, 0)
	})
	t.Run("before", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		if id, err := r.s.SetLogLevel(r.now, "error"); err != nil || id == 0 {
			t.Fatal(id, err)
		}
		r.pull()
		if r.sent(`"method":"logging/setLevel","params":{"level":"error"`) != 1 {
			t.Errorf("written: %v", r.lines)
		}
		if _, err := r.s.SetLogLevel(r.now, LogOff); !errors.Is(err, ErrNotSupported) {
			t.Errorf("off: %v", err)
		}
	})
}

func TestErrorsOfTheModernEra(t *testing.T) {
	covers.Rows(t, "ERR-03", "ERR-04", "ERR-05", "ERR-11")
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
		{-32021, "tools/call", `,"data":{"requiredCapabilities":{"sampling":{"tools":{}}}}`, `the server needs a capability that belay did not declare: {"sampling":{"tools":{}}}`, 0},
		{-32021, "tools/call", "", "the server needs a capability that belay did not declare", 0},
		{-32022, "no/such", `,"data":{"supported":["2027-01-01","2026-07-28"]}`, "the server does not speak this revision; it supports 2027-01-01, 2026-07-28", 0},
		{-32023, "tools/call", "", "a code that this revision does not define", mcp.DiagErrorUndefined},
		{-32050, "tools/call", "", "a code that this revision does not define", mcp.DiagErrorUndefined},
		{-32099, "tools/call", "", "a code that this revision does not define", mcp.DiagErrorUndefined},
		{-32100, "tools/call", "", "application error -32100", 0},
		{-32004, "tools/call", "", "implementation-defined error", 0},
	} {
		r := ready(t, mcp.Rev20260728)
		id, wire := r.made(Call{Method: tt.method})
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

// A list is fetched again when it is looked at and its time is over, and not by
// itself.
func TestListsThatAge(t *testing.T) {
	covers.Rows(t, "SRV-39", "SRV-42", "SRV-43")
	r := aged(t)
	r.lists(fresh)
	asked := func(want int, when string) {
		t.Helper()
		r.pull()
		if got := r.sent(`"tools/list"`); got != want {
			t.Errorf("%s: asked %d times, want %d", when, got, want)
		}
	}
	r.lines = nil
	l := r.s.Catalog().Lists[mcp.Tools]
	if !l.Ages || l.TTL != time.Minute || l.Scope != "public" || !l.Fetched.Equal(r.now) || l.Expired(r.now) || !l.Complete {
		t.Errorf("%+v", l)
	}
	r.wait(time.Minute - 1)
	r.s.Look(r.now)
	asked(0, "while it is fresh")
	r.wait(time.Hour)
	asked(0, "while nobody looks")
	r.s.Look(r.now)
	r.s.Look(r.now)
	asked(1, "old, and looked at")
	if l := r.s.Catalog().Lists[mcp.Tools]; len(l.Items) != 1 || !l.Loading {
		t.Errorf("meanwhile the old one is shown: %+v", l)
	}
	r.lists(fresh)
	r.s.Look(r.now)
	asked(1, "fresh again")
	if err := r.s.Reload(r.now); err != nil {
		t.Fatal(err)
	}
	asked(2, "reloaded")
	r.lists(fresh)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	r.wait(time.Second)
	asked(3, "changed")
	r.wantDiag(mcp.DiagSubTag, 1)
	for hints, ages := range map[string]time.Duration{
		``: 0, `,"resultType":"complete"`: 0, `,"ttlMs":0`: 0, `,"ttlMs":-5`: 0, `,"ttlMs":"9"`: 0, `,"ttlMs":1500`: 1500 * time.Millisecond,
		`,"ttlMs":1.5`: 0, `,"ttlMs":9007199254740993`: math.MaxInt64 / time.Millisecond * time.Millisecond, `,"ttlMs":1e3`: time.Second,
	} {
		r := aged(t)
		r.lists(hints)
		l := r.s.Catalog().Lists[mcp.Tools]
		if l.TTL != ages || ages < time.Hour && !l.Expired(r.now.Add(ages)) || ages > 0 && l.Expired(r.now.Add(ages-1)) {
			t.Errorf("%s: %+v", hints, l)
		}
	}
	t.Run("before", func(t *testing.T) {
		r := serving(t, mcp.Rev20251125, `{"tools":{}}`)
		r.lists(`,"ttlMs":1`)
		r.wait(time.Hour)
		r.lines = nil
		r.s.Look(r.now)
		r.pull()
		r.wantLines()
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Ages || l.Expired(r.now) {
			t.Errorf("%+v", l)
		}
	})
}

func TestWhatResultsSayOfTheirCaching(t *testing.T) {
	covers.Rows(t, "SRV-38", "SRV-46")
	for hints, want := range map[string]string{
		`,"ttlMs":0,"cacheScope":"private"`:  "",
		`,"cacheScope":"public"`:             "ttlMs is missing",
		`,"ttlMs":-1,"cacheScope":"public"`:  "ttlMs cannot be right",
		`,"ttlMs":"1","cacheScope":"public"`: "ttlMs cannot be right",
		`,"ttlMs":1`:                         "cacheScope is missing",
		`,"ttlMs":1,"cacheScope":"ours"`:     "cacheScope cannot be right",
		``:                                   "ttlMs is missing, cacheScope is missing",
	} {
		r := aged(t)
		r.lists(`,"resultType":"complete"` + hints)
		var found string
		for _, d := range r.s.Diagnostics() {
			if d.Code == mcp.DiagCacheHint {
				found = d.Detail
			}
		}
		if found != strings.TrimSuffix("tools/list: "+want, "tools/list: ") {
			t.Errorf("%s: %q", hints, found)
		}
	}
	t.Run("pages of different scopes", func(t *testing.T) {
		r := aged(t)
		r.lists(`,"resultType":"complete","ttlMs":9000,"cacheScope":"private","nextCursor":"2"`)
		r.lists(`,"resultType":"complete","ttlMs":5000,"cacheScope":"public"`)
		if l := r.s.Catalog().Lists[mcp.Tools]; l.Scope != "private" || l.TTL != 5*time.Second || len(l.Items) != 2 {
			t.Errorf("%+v", l)
		}
		r.wantDiag(mcp.DiagCacheScope, 1)
	})
}

// What the user reads is shown with how long it stays fresh; it is read anew each
// time.
func TestAResourceSaysHowLongItStaysFresh(t *testing.T) {
	r := aged(t)
	r.lists(fresh)
	read := Call{Method: "resources/read", Params: []byte(`{"uri":"file:///a"}`)}
	id, wire := r.made(read)
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","contents":[],"ttlMs":1500,"cacheScope":"private"}}`, wire)
	if d, _ := r.s.Detail(id); d.Cache == nil || d.Cache.TTL != 1500*time.Millisecond || d.Cache.Scope != "private" {
		t.Errorf("%+v", d.Cache)
	}
	r.lines = nil
	r.made(read)
	if r.sent(`"resources/read"`) != 1 {
		t.Errorf("written: %v", r.lines)
	}
	id, wire = r.call("t")
	r.recv(`{"jsonrpc":"2.0","id":%v,"result":{"resultType":"complete","content":[],"ttlMs":5}}`, wire)
	if d, _ := r.s.Detail(id); d.Cache != nil {
		t.Errorf("the result of a tool: %+v", d.Cache)
	}
}

func TestAnonymously(t *testing.T) {
	covers.Rows(t, "VER-22")
	r := aged(t, func(c *Config) { c.Anonymous, c.NoListen = true, true })
	r.lists(fresh)
	id, wire := r.call("t")
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"request-%v","progress":1}}`, wire)
	r.recv(okAnswer, wire)
	r.want(id, Done, NoVerdict)
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
	if err := r.s.Cancel(r.now, id, ""); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wait(6 * time.Second)
	r.want(id, Cancelled, Quiet)
	if n := r.sent(`"method":"server/discover"`); n < 3 || r.sent(`"ping"`) != 0 || r.sent(metaVersion) != n+1 {
		t.Errorf("written: %v", r.lines)
	}
}

// The modern era has no word for roots that change: every request says anew
// whether there are any.
func TestRootsOfTheModernEra(t *testing.T) {
	covers.Rows(t, "RTS-02", "RTS-04")
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
		told, err := r.s.SetRoots(r.now, roots)
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
	r.s.RootsChecked(r.now, r.looks[len(r.looks)-1].Seq, []Root{a}, "")
	r.pull()
	r.wantLines()
	set()
	declares("")
}
