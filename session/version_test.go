package session

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// initialized is the answer to the first initialize of a rig.
func initialized(rev mcp.Revision) string { return handshakeAnswer(mcp.IntID(1), rev, `{}`) }

func TestTheHandshake(t *testing.T) {
	requirements.Rows(t, "VER-01", "VER-02", "VER-04", "VER-05", "RTS-01")
	r := newRig(t, Config{ClientVersion: "9.9"})
	r.epoch = r.s.Tell(r.now, Connect{}).Epoch
	id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/list"}}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.s.Handle(r.now, Notify{Method: "notifications/x"}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wait(time.Second)
	if len(r.lines) != 1 {
		t.Fatalf("before the answer: %v", r.lines)
	}
	m := read(t, r.lines[0])
	var p map[string]any
	if err := json.Unmarshal(m.Params, &p); err != nil || m.Method != "initialize" {
		t.Fatalf("first is %s: %v", r.lines[0], err)
	}
	info, _ := p["clientInfo"].(map[string]any)
	caps, _ := p["capabilities"].(map[string]any)
	if p["protocolVersion"] != "2025-11-25" || info["name"] != "belay" || info["version"] != "9.9" || caps == nil {
		t.Errorf("offered: %s", m.Params)
	}
	if _, ok := caps["roots"]; ok {
		t.Error("roots are declared, and nobody named any")
	}
	r.want(id, Queued, cancel.NoVerdict)
	r.lines = nil
	r.agree(mcp.Rev20251125, `{}`)
	if len(r.lines) != 3 || read(t, r.lines[0]).Method != "notifications/initialized" || read(t, r.lines[1]).Method != "tools/list" {
		t.Errorf("after the answer: %v", r.lines)
	}
}

func TestWhatIsOffered(t *testing.T) {
	requirements.Rows(t, "VER-07", "VER-08")
	for _, tt := range []struct {
		name string
		cfg  Config
		want string
	}{
		{"newest", Config{}, `"2025-11-25","capabilities":{"sampling":{},"elicitation":{"form":{},"url":{}}}`},
		{"2025-11-25", Config{Pin: mcp.Rev20251125}, `"2025-11-25","capabilities":{"sampling":{},"elicitation":{"form":{},"url":{}}}`},
		{"2025-06-18", Config{Pin: mcp.Rev20250618}, `"2025-06-18","capabilities":{"sampling":{},"elicitation":{}}`},
		{"2025-03-26", Config{Pin: mcp.Rev20250326}, `"2025-03-26","capabilities":{"sampling":{}}`},
		{"2024-11-05", Config{Pin: mcp.Rev20241105}, `"2024-11-05","capabilities":{"sampling":{}}`},
		{"roots", Config{Roots: []Root{{URI: "file:///a"}}, NoSampling: true, NoElicitation: true}, `"2025-11-25","capabilities":{"roots":{"listChanged":true}}`},
		{"nothing", Config{NoSampling: true, NoElicitation: true}, `"2025-11-25","capabilities":{}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := opened(t, tt.cfg)
			if !strings.Contains(r.lines[0], `"protocolVersion":`+tt.want+`,"clientInfo"`) {
				t.Errorf("offered %s", r.lines[0])
			}
		})
	}
}

func TestTheServerChoosesTheRevision(t *testing.T) {
	requirements.Rows(t, "VER-09", "VER-13", "VER-14")
	for _, rev := range mcp.Handshakes() {
		t.Run(string(rev), func(t *testing.T) {
			r := opened(t, Config{})
			r.agree(rev, `{}`)
			if st := r.s.Status(); st.Phase != Ready || st.Revision != rev {
				t.Fatalf("%v %q: %+v", st.Phase, st.Revision, st.Failure)
			}
			_, wire := r.call("t")
			r.lines = nil
			r.recv(`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`)
			r.recv(elicitationAsk, 2)
			r.recv(`{"jsonrpc":"2.0","id":3,"method":"elicitation/create","params":{"mode":"url","url":"https://a.b","message":"m","elicitationId":"e"}}`)
			r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"message":"m"}}`, token(wire))
			if got, want := r.sent(`"id":1,"result"`) == 1, rev == mcp.Rev20250326; got != want {
				t.Errorf("a batch is taken: %v", got)
			}
			if got, want := r.sent(`"id":2,"error"`) == 1, rev < mcp.Rev20250618; got != want {
				t.Errorf("an elicitation is refused: %v", got)
			}
			if got, want := r.sent(`"id":3,"error"`) == 1, rev < mcp.Rev20251125; got != want {
				t.Errorf("a URL elicitation is refused: %v", got)
			}
			if got, want := r.diag(mcp.DiagProgressMessage) == 1, rev < mcp.Rev20250326; got != want {
				t.Errorf("a progress message is diagnosed: %v", got)
			}
		})
	}
}

func TestAnotherRevisionEndsTheConnection(t *testing.T) {
	requirements.Rows(t, "VER-11")
	for _, tt := range []struct{ pin, answer, want string }{
		{"", "1999-01-01", `server wants "1999-01-01"; this client speaks 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05`},
		{"2025-06-18", "2024-11-05", `server wants "2024-11-05"; this client is pinned to 2025-06-18`},
		{"", "2026-07-28", `server wants "2026-07-28", which has no handshake; this client speaks 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05`},
	} {
		r := opened(t, Config{Pin: mcp.Revision(tt.pin)})
		r.lines = nil
		r.recv("%s", initialized(mcp.Revision(tt.answer)))
		st := r.s.Status()
		if st.Phase != Closing || st.Failure == nil || st.Failure.Kind != FailVersion || st.Failure.Text != tt.want {
			t.Errorf("%s: %v %+v", tt.answer, st.Phase, st.Failure)
		}
		r.wantLines("CLOSE")
	}
}

func TestTheHandshakeFailsByName(t *testing.T) {
	requirements.Rows(t, "VER-03", "VER-17", "VER-18", "TMO-02", "TMO-11")
	for _, tt := range []struct {
		name, answer string
		kind         FailureKind
		words        []string
	}{
		{"no serverInfo", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`, FailHandshake, []string{"serverInfo"}},
		{"no capabilities", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","serverInfo":{"name":"a","version":"1"}}}`, FailHandshake, []string{"capabilities"}},
		{"no version", `{"jsonrpc":"2.0","id":1,"result":{"capabilities":{},"serverInfo":{"name":"a","version":"1"}}}`, FailHandshake, []string{"protocolVersion"}},
		{"no object", `{"jsonrpc":"2.0","id":1,"result":7}`, FailHandshake, []string{"not an initialize result"}},
		{"both", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, FailHandshake, nil},
		{"a version nobody knows", initialized("2020-02-02"), FailVersion, []string{"2020-02-02", "2025-11-25"}},
		{"refused", `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no licence"}}`, FailRefused, []string{"no licence", "-32603"}},
		{"refused with a list", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}}`, FailVersion, []string{"2024-11-05"}},
		{"refused with two", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2024-11-05","2025-06-18","2025-11-25"]}}}`, FailRefused, []string{"2025-06-18"}},
		{"refused with its own", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unsupported","data":{"supported":["2025-11-25"]}}}`, FailRefused, []string{`; it lists "2025-11-25"`}},
		{"silence", "", FailTimeout, []string{"initialize"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := opened(t, Config{Idle: time.Minute})
			r.lines = nil
			if tt.answer == "" {
				r.wait(time.Minute - 1)
				if r.s.Status().Phase != Connecting {
					t.Fatal("too early")
				}
				r.wait(1)
				r.check()
			} else {
				r.recv("%s", tt.answer)
			}
			fl := r.s.Status().Failure
			if fl == nil || fl.Kind != tt.kind || !helps(fl) {
				t.Fatalf("failure %+v, want kind %d", fl, tt.kind)
			}
			for _, w := range tt.words {
				if !strings.Contains(fl.Text, w) {
					t.Errorf("%q is not in %q", w, fl.Text)
				}
			}
			if tt.name == "refused with two" && fl.Remedy != (Remedy{RemedyPin, "2025-06-18"}) {
				t.Errorf("the newest that was not refused helps, not %v", fl.Remedy)
			}
			if tt.name == "refused with its own" && (fl.Remedy != Remedy{} || fl.Hint != "it was asked in 2025-11-25, which it lists itself") {
				t.Errorf("%v; %q", fl.Remedy, fl.Hint)
			}
			if tt.name == "refused with a list" && (len(fl.Supported) != 1 || fl.Remedy != Remedy{RemedyPin, "2024-11-05"}) {
				t.Errorf("it speaks %v; %v", fl.Supported, fl.Remedy)
			}
			r.wantLines("CLOSE") // and no cancel
		})
	}
}

// A failure points to the stderr of a server only where the server wrote something there.
func TestAnEmptyStderrIsNotPointedTo(t *testing.T) {
	requirements.Rows(t, "VER-18")
	const no = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no licence"}}`
	for _, tt := range []struct {
		answer, stderr, hint string
		remedy               Remedy
	}{
		{no, "licence.key: not found", "its stderr may say more", Remedy{}},
		{no, "", "", Remedy{Kind: RemedyWire}},
		{"", "starting", "is it an MCP server that speaks over stdin and stdout? its stderr may say more", Remedy{}},
		{"", "", "is it an MCP server that speaks over stdin and stdout?", Remedy{}},
	} {
		r := opened(t, Config{Idle: time.Minute})
		if tt.answer == "" {
			r.wait(time.Minute)
		} else {
			r.recv("%s", tt.answer)
		}
		shown := r.s.Status().Failure
		before := *shown
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true, Status: "exit status 0", Stderr: tt.stderr}})
		if fl := r.s.Status().Failure; fl.Hint != tt.hint || fl.Remedy != tt.remedy || fl.Text != before.Text {
			t.Errorf("with %q on stderr: %+v", tt.stderr, fl)
		}
		if shown.Hint != before.Hint || shown.Remedy != before.Remedy {
			t.Errorf("what a view has was changed to %+v", shown)
		}
		r.lines = nil
	}
}

func TestWhatComesBeforeInitializedIsHeld(t *testing.T) {
	requirements.Rows(t, "VER-06")
	r := opened(t, Config{Roots: []Root{{URI: "file:///a"}}})
	r.lines = nil
	r.recv(elicitationAsk, 7)
	_, asked := r.s.HistorySpan()
	r.recv(`{"jsonrpc":"2.0","id":8,"method":"roots/list"}`)
	r.recv(samplingAsk, 9)
	r.recv(cancelledNote, 9)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}`)
	r.wantDiag(mcp.DiagUnsolicited, 3)
	if len(r.questions()) != 0 || len(r.lines) != 0 {
		t.Fatalf("%v, written %v", r.questions(), r.lines)
	}
	r.agree(mcp.Rev20251125, `{}`)
	p := r.wantQuestion(Waiting)
	if p.Wire != mcp.IntID(7) || len(r.questions()) != 1 {
		t.Errorf("the question is %+v", p)
	}
	if e, _ := r.s.Entry(asked); e.Question != p.ID {
		t.Errorf("the message that asked belongs to question %d, want %d", e.Question, p.ID)
	}
	if r.sent(`"id":8,"result":{"roots":[`) != 1 || r.sent(`"id":9`) != 0 {
		t.Errorf("written: %v", r.lines)
	}
}

// An answer to initialize that comes after the user has left does not bring
// the connection back.
func TestLeavingDuringTheHandshake(t *testing.T) {
	requirements.Rows(t, "CXL-06", "SD0-03")
	for _, leave := range []struct {
		name string
		do   func(*rig)
	}{
		{"disconnect", func(r *rig) { r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"}) }},
		{"quit", func(r *rig) { r.s.Tell(r.now, Quit{}) }},
	} {
		for _, answer := range []string{initialized(mcp.Rev20251125), `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`} {
			t.Run(leave.name, func(t *testing.T) {
				r := opened(t, Config{})
				for _, err := range []error{refused(r.s.Handle(r.now, Cancel{Call: 1}))} {
					if !errors.Is(err, errInitialize) {
						t.Errorf("cancelling initialize: %v", err)
					}
				}
				if n := r.s.Tell(r.now, CancelAll{}).Cancelled; n != 0 {
					t.Errorf("cancel-all took %d", n)
				}
				leave.do(r)
				r.lines = nil
				r.recv("%s", answer)
				r.wantLines("CLOSE")
				if st := r.s.Status(); st.Phase != Closing || st.Failure.Kind != FailClosed {
					t.Errorf("%v, %+v", st.Phase, st.Failure)
				}
				r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true, Status: "exit status 0"}})
				r.check()
				if got := r.row(1).State; got != Done && got != Failed {
					t.Errorf("initialize is %v", got)
				}
			})
		}
	}
}

func TestOnlyWhatWasDeclaredIsServed(t *testing.T) {
	requirements.Rows(t, "VER-16", "RTS-06", "ERR-15")
	r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoSampling, c.NoElicitation = true, true })
	r.recv(samplingAsk, 1)
	r.recv(elicitationAsk, 2)
	r.recv(`{"jsonrpc":"2.0","id":3,"method":"roots/list"}`)
	for _, l := range r.lines {
		if m := read(t, l); m.Error == nil || m.Error.Code != mcp.CodeMethodNotFound {
			t.Errorf("answered %s", l)
		}
	}
	if len(r.lines) != 3 || len(r.questions()) != 0 {
		t.Errorf("%d answers, questions %v", len(r.lines), r.questions())
	}
	r.wantDiag(mcp.DiagUndeclared, 3)
	t.Run("a mode of elicitation", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		r.recv(`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"telepathy","message":"?"}}`)
		if len(r.lines) != 1 || read(t, r.lines[0]).Error.Code != mcp.CodeInvalidParams || len(r.questions()) != 0 {
			t.Errorf("answered %v, questions %v", r.lines, r.questions())
		}
		r.wantDiag(mcp.DiagUndeclared, 1)
	})
}

func TestLeavingBetweenTheAnswerAndInitialized(t *testing.T) {
	r := opened(t, Config{})
	r.mute, r.lines = true, nil
	r.agree(mcp.Rev20251125, `{}`)
	r.recv(`{"jsonrpc":"2.0","id":1,"method":"no/such"}`)
	r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"})
	r.mute = false
	r.pull()
	if len(r.lines) != 3 || read(t, r.lines[0]).Method != "notifications/initialized" || r.lines[2] != "CLOSE" {
		t.Errorf("an answer goes before initialized: %v", r.lines)
	}
	t.Run("requests that come while belay leaves the handshake", func(t *testing.T) {
		r := opened(t, Config{})
		r.mute, r.lines = true, nil
		r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"})
		r.recv(samplingAsk, 1)
		r.recv(`{"jsonrpc":"2.0","id":2,"method":"no/such"}`)
		r.mute = false
		r.pull()
		r.wantLines("CLOSE")
	})
}

func TestWhatARevisionHas(t *testing.T) {
	for _, tt := range []struct {
		rev                                     mcp.Revision
		defaults, context, undeclared, declared bool
	}{
		{mcp.Rev20241105, false, false, true, true},
		{mcp.Rev20250326, false, false, false, true},
		{mcp.Rev20250618, false, true, false, true},
		{mcp.Rev20251125, true, true, false, true},
	} {
		r := tt.rev
		if r.HasElicitDefaults() != tt.defaults || r.HasCompletionContext() != tt.context || r.Completes(false) != tt.undeclared || r.Completes(true) != tt.declared {
			t.Errorf("%s: %v, %v, %v, %v", r, r.HasElicitDefaults(), r.HasCompletionContext(), r.Completes(false), r.Completes(true))
		}
	}
}

// A revision that the server has refused in this run is not offered again, until it is agreed on.
func TestARefusedRevisionIsNotOfferedAgain(t *testing.T) {
	requirements.Rows(t, "VER-18")
	r := opened(t, Config{})
	pinned := func(rev mcp.Revision, answer string) *Failure {
		t.Helper()
		r.s.Tell(r.now, Closed{Epoch: r.epoch, Why: Close{ByUs: true}})
		if _, err := r.s.Handle(r.now, SetPin{Revision: rev}); err != nil {
			t.Fatal(err)
		}
		r.connect()
		r.recv(answer, r.asked("initialize").Wire)
		return r.s.Status().Failure
	}
	const no = `{"jsonrpc":"2.0","id":%v,"error":{"code":-32602,"message":"no","data":{"supported":["2025-11-25","2025-03-26"]}}}`
	r.recv(no, 1)
	if fl := r.s.Status().Failure; fl.Remedy != (Remedy{RemedyPin, mcp.Rev20250326}) {
		t.Errorf("offered first: %+v", fl)
	}
	if fl := pinned(mcp.Rev20250326, no); fl.Kind != FailRefused || fl.Remedy != (Remedy{}) || fl.Hint != "it was asked in 2025-11-25 and 2025-03-26, which it lists itself" {
		t.Errorf("both are refused: %+v", fl)
	}
	if fl := pinned(mcp.Rev20250618, no); fl.Kind != FailRefused || fl.Remedy != (Remedy{}) || fl.Hint != "it was asked in 2025-11-25 and 2025-03-26, which it lists itself" {
		t.Errorf("both were refused: %+v", fl)
	}
	if fl := pinned(mcp.Rev20251125, `{"jsonrpc":"2.0","id":%v,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"a","version":"1"}}}`); fl != nil {
		t.Errorf("agreed on: %+v", fl)
	}
	if fl := pinned(mcp.Rev20250326, no); fl.Remedy != (Remedy{RemedyPin, mcp.Rev20251125}) {
		t.Errorf("agreed on, and refused another: %+v", fl)
	}
	r.lines = nil
}
