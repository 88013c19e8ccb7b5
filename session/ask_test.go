package session

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

// ask sends a request to the user with these parameters.
func (r *rig) ask(id int, method, params string) {
	r.t.Helper()
	r.recv(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

const (
	askSample = "sampling/createMessage"
	askElicit = "elicitation/create"
	simpleURL = `{"mode":"url","message":"m","url":"https://a.b/c","elicitationId":"e1"}`
)

// samplingOf is a request with one message of the user's.
func samplingOf(content string) string {
	return `{"maxTokens":5,"messages":[{"role":"user","content":` + content + `}]}`
}

func TestWhatBelayDeclares(t *testing.T) {
	requirements.Rows(t, "ELI-01", "ELI-02", "SMP-05", "SMP-07")
	for _, tt := range []struct {
		rev  mcp.Revision
		cfg  Config
		want string
	}{
		{mcp.Rev20251125, Config{}, `{"sampling":{},"elicitation":{"form":{},"url":{}}}`},
		{mcp.Rev20251125, Config{SamplingTools: true}, `{"sampling":{"tools":{}},"elicitation":{"form":{},"url":{}}}`},
		{mcp.Rev20251125, Config{NoURLs: true}, `{"sampling":{},"elicitation":{"form":{}}}`},
		{mcp.Rev20251125, Config{NoForms: true}, `{"sampling":{},"elicitation":{"url":{}}}`},
		{mcp.Rev20251125, Config{NoForms: true, NoURLs: true}, `{"sampling":{}}`},
		{mcp.Rev20251125, Config{NoElicitation: true, NoSampling: true, SamplingTools: true}, `{}`},
		{mcp.Rev20250618, Config{SamplingTools: true}, `{"sampling":{},"elicitation":{}}`},
		{mcp.Rev20250618, Config{NoForms: true}, `{"sampling":{}}`},
		{mcp.Rev20250326, Config{}, `{"sampling":{}}`},
	} {
		tt.cfg.Pin = tt.rev
		r := opened(t, tt.cfg)
		if !strings.Contains(r.lines[0], `"capabilities":`+tt.want+`,"clientInfo"`) {
			t.Errorf("%s %+v: %s", tt.rev, tt.cfg, r.lines[0])
		}
	}
}

// Each of these is answered at once, with a code, and diagnosed; nobody is asked.
func TestRequestsThatNeverReachTheUser(t *testing.T) {
	requirements.Rows(t, "SMP-05", "SMP-08", "SMP-09", "SMP-21", "SMP-22", "SMP-23", "SMP-24", "SMP-35",
		"ELI-04", "ELI-05", "ELI-06", "ELI-09", "ERR-15")
	use := `{"role":"assistant","content":{"type":"tool_use","id":"u","name":"t","input":{}}}`
	mixed := `{"role":"user","content":[{"type":"text","text":"x"},{"type":"tool_result","toolUseId":"u","content":[]}]}`
	tools := func(c *Config) { c.SamplingTools = true }
	for _, tt := range []struct {
		name   string
		change func(*Config)
		rev    mcp.Revision
		method string
		params string
		code   int
		diag   mcp.DiagCode
	}{
		{"sampling is off", func(c *Config) { c.NoSampling = true }, mcp.Rev20251125, askSample, `{"messages":[],"maxTokens":1}`, -32601, mcp.DiagUndeclared},
		{"elicitation is off", func(c *Config) { c.NoElicitation = true }, mcp.Rev20251125, askElicit, simpleURL, -32601, mcp.DiagUndeclared},
		{"both modes are off", func(c *Config) { c.NoForms, c.NoURLs = true, true }, mcp.Rev20251125, askElicit, simpleURL, -32601, mcp.DiagUndeclared},
		{"no elicitation yet", nil, mcp.Rev20250326, askElicit, `{"message":"m","requestedSchema":{}}`, -32601, mcp.DiagUndeclared},
		{"tools are off", nil, mcp.Rev20251125, askSample, `{"messages":[],"maxTokens":1,"tools":[]}`, -32602, mcp.DiagUndeclared},
		{"a tool choice is off", nil, mcp.Rev20251125, askSample, `{"messages":[],"maxTokens":1,"toolChoice":{"mode":"none"}}`, -32602, mcp.DiagUndeclared},
		{"mixed", tools, mcp.Rev20251125, askSample, `{"maxTokens":1,"messages":[` + use + `,` + mixed + `]}`, -32602, mcp.DiagToolResults},
		{"missing", nil, mcp.Rev20251125, askSample, `{"maxTokens":1,"messages":[` + use + `]}`, -32602, mcp.DiagToolResults},
		{"not base64", nil, mcp.Rev20241105, askSample, samplingOf(`{"type":"image","mimeType":"image/png","data":"a b"}`), -32602, mcp.DiagSamplingShape},
		{"no mimeType", nil, mcp.Rev20241105, askSample, samplingOf(`{"type":"image","data":"aGk="}`), -32602, mcp.DiagSamplingShape},
		{"no messages", nil, mcp.Rev20241105, askSample, `{"maxTokens":1}`, -32602, mcp.DiagSamplingShape},
		{"url in a revision of forms", nil, mcp.Rev20250618, askElicit, simpleURL, -32602, mcp.DiagUndeclared},
		{"url for a client of forms", func(c *Config) { c.NoURLs = true }, mcp.Rev20251125, askElicit, simpleURL, -32602, mcp.DiagUndeclared},
		{"a form for a client of urls", func(c *Config) { c.NoForms = true }, mcp.Rev20251125, askElicit, `{"message":"m","requestedSchema":{}}`, -32602, mcp.DiagUndeclared},
		{"another mode", nil, mcp.Rev20251125, askElicit, `{"mode":"telepathy","message":"m"}`, -32602, mcp.DiagUndeclared},
		{"no message", nil, mcp.Rev20251125, askElicit, `{"requestedSchema":{"type":"object","properties":{}}}`, -32602, mcp.DiagElicitShape},
		{"no schema", nil, mcp.Rev20250618, askElicit, `{"message":"m"}`, -32602, mcp.DiagElicitShape},
		{"no url", nil, mcp.Rev20251125, askElicit, `{"mode":"url","message":"m","elicitationId":"1"}`, -32602, mcp.DiagElicitShape},
		{"no elicitationId", nil, mcp.Rev20251125, askElicit, `{"mode":"url","message":"m","url":"https://a.b"}`, -32602, mcp.DiagElicitShape},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var change []func(*Config)
			if tt.change != nil {
				change = append(change, tt.change)
			}
			r := ready(t, tt.rev, change...)
			r.ask(7, tt.method, tt.params)
			if r.sent(fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"error":{"code":%d,`, tt.code)) != 1 || len(r.lines) != 1 {
				t.Errorf("written: %v", r.lines)
			}
			if n := len(r.s.Questions()); n != 0 || r.diag(tt.diag) == 0 {
				t.Errorf("%d questions; found wrong: %v", n, r.s.Diagnostics())
			}
		})
	}
	t.Run("20 MB", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		var sk mcp.Skim
		sk.Write([]byte(fmt.Sprintf(samplingAsk, 7)))
		r.s.Receive(r.now, ExchangeID{Epoch: r.epoch}, sk.Frame())
		r.pull()
		if r.sent(`"id":7,"error":{"code":-32603,"message":"the request takes`) != 1 || len(r.s.Questions()) != 0 {
			t.Errorf("written: %v", r.lines)
		}
		r.wantDiag(mcp.DiagOversize, 1)
	})
}

// These are odd, but a person can judge them: they are shown, and diagnosed.
func TestRequestsThatAreShownWithARemark(t *testing.T) {
	requirements.Rows(t, "SMP-10", "ELI-24")
	nested := `{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"object","properties":{}}}}}`
	for _, tt := range []struct {
		rev    mcp.Revision
		method string
		params string
		diag   mcp.DiagCode
	}{
		{mcp.Rev20251125, askSample, `{"messages":[],"maxTokens":1,"includeContext":"allServers"}`, mcp.DiagSamplingContext},
		{mcp.Rev20250618, askSample, `{"messages":[],"maxTokens":1,"includeContext":"allServers"}`, mcp.DiagNone}, // there it needs no declaration
		{mcp.Rev20251125, askSample, `{"messages":[],"maxTokens":1,"includeContext":"none"}`, mcp.DiagNone},
		{mcp.Rev20251125, askSample, samplingOf(`{"type":"hologram"}`), mcp.DiagSamplingContent},
		{mcp.Rev20250618, askSample, `{"messages":[],"maxTokens":1,"tools":[]}`, mcp.DiagNone}, // a member nobody knows there
		{mcp.Rev20251125, askElicit, nested, mcp.DiagElicitSchema},
		{mcp.Rev20250618, askElicit, nested, mcp.DiagElicitSchema},
		{mcp.Rev20251125, askElicit, `{"message":"m","requestedSchema":{"type":"object","properties":{}}}`, mcp.DiagNone}, // no mode is form
	} {
		r := ready(t, tt.rev)
		r.ask(7, tt.method, tt.params)
		r.wantQuestion(Waiting)
		r.wantLines()
		n := len(r.s.Diagnostics())
		if want := tt.diag != mcp.DiagNone; (n > 0) != want || want && r.diag(tt.diag) != 1 {
			t.Errorf("%s: found wrong %v", tt.params, r.s.Diagnostics())
		}
	}
}

func TestARequestThatNothingLedTo(t *testing.T) {
	requirements.Rows(t, "SMP-41")
	for _, strict := range []bool{false, true} {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.StrictAsks, c.Roots = strict, []Root{{URI: "file:///a"}} })
		r.recv(samplingAsk, 1)
		r.recv(elicitationAsk, 2)
		r.recv(`{"jsonrpc":"2.0","id":3,"method":"roots/list"}`)
		if strict {
			if r.sent(`"error":{"code":-32602`) != 3 || len(r.s.Questions()) != 0 || r.diag(mcp.DiagStrictAsk) != 3 {
				t.Errorf("strict: %v", r.lines)
			}
		} else if ps := r.s.Questions(); len(ps) != 2 || !ps[0].Unsolicited || !ps[1].Unsolicited || r.sent(`"roots":[`) != 1 || len(r.s.Diagnostics()) != 0 {
			t.Errorf("%+v", ps)
		}
		id, _ := r.call("t")
		r.recv(samplingAsk, 4)
		r.cancel(id, "") // the server may ask for it as long as it works on it
		r.recv(elicitationAsk, 5)
		for _, p := range r.s.Questions() {
			if (p.Wire == mcp.IntID(4) || p.Wire == mcp.IntID(5)) && (p.Unsolicited || p.State != Waiting) {
				t.Errorf("strict %v: %+v", strict, p)
			}
		}
		if n := r.s.Status().Waiting; strict && n != 2 || !strict && n != 4 {
			t.Errorf("%d wait", n)
		}
	}
}

// A call whose bytes are still here can have led to nothing.
func TestAQueuedCallLeadsToNoRequest(t *testing.T) {
	requirements.Rows(t, "SMP-41")
	for _, strict := range []bool{false, true} {
		for name, ask := range map[string]string{"sampling": samplingAsk, "elicitation": elicitationAsk} {
			t.Run(fmt.Sprintf("strict %v, %s", strict, name), func(t *testing.T) {
				r := ready(t, mcp.Rev20251125, func(c *Config) { c.StrictAsks = strict })
				r.mute = true
				id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`)}}))
				if err != nil {
					t.Fatal(err)
				}
				r.recv(ask, 1)
				r.want(id, Queued, cancel.NoVerdict)
				ps := r.s.Questions()
				if strict && (len(ps) != 0 || r.diag(mcp.DiagStrictAsk) != 1) || !strict && (len(ps) != 1 || !ps[0].Unsolicited || ps[0].Owners != 0) {
					t.Errorf("questions %+v, found wrong %v", ps, r.s.Diagnostics())
				}
				r.mute = false
				r.pull()
				r.recv(ask, 2) // now it can
				ps = r.s.Questions()
				if p := ps[len(ps)-1]; p.Wire != mcp.IntID(2) || p.Unsolicited || p.Owners != 1 {
					t.Errorf("%+v", p)
				}
			})
		}
	}
}

// A loop of a model and its tools within one call is counted, so that nothing
// but a person answers beyond the limit.
func TestTheTurnsOfACallAreCounted(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	r.call("a")
	for turn := 1; turn <= MaxTurns+1; turn++ {
		r.recv(samplingAsk, turn)
		ps := r.s.Questions()
		if p := ps[len(ps)-1]; p.Turn != turn {
			t.Fatalf("turn %d is counted as %d", turn, p.Turn)
		}
		r.recv(elicitationAsk, turn+100) // is no turn
	}
	r.call("b")
	r.recv(samplingAsk, 50)
	ps := r.s.Questions()
	if p := ps[len(ps)-1]; p.Turn != MaxTurns+2 {
		t.Errorf("it may belong to either, and counts as %d", p.Turn)
	}
	if r.sent(`"result"`)+r.sent(`"error"`) != 0 {
		t.Errorf("something was answered: %v", r.lines)
	}
}

func TestHowAQuestionEndedIsLogged(t *testing.T) {
	requirements.Rows(t, "SMP-42", "SMP-37", "CXS-21")
	r := ready(t, mcp.Rev20251125)
	for i := range 4 {
		r.ask(i, askSample, samplingOf(`{"type":"text","text":"a secret question"}`))
	}
	r.wait(3 * time.Second)
	for i, as := range []QuestionState{Declined, Dismissed, Answered} {
		var err error
		if as == Answered {
			_, err = r.s.Handle(r.now, Answer{Question: QuestionID(i + 1), Result: []byte(`{"role":"assistant","content":{"type":"text","text":"a secret answer"},"model":"human"}`), As: as})
		} else {
			_, err = r.s.Handle(r.now, Refuse{Question: QuestionID(i + 1), Code: mcp.CodeRejected, Message: "User rejected sampling request", As: as})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r.pull()
	if r.sent(`"error":{"code":-1,"message":"User rejected sampling request"}`) != 2 {
		t.Errorf("written: %v", r.lines)
	}
	r.closed()
	var stages []string
	for _, e := range r.s.CancelEvents() {
		stages = append(stages, e.Stage.String())
		if e.Age != 3*time.Second || e.Direction != In || e.Method != askSample || e.Level() != slog.LevelInfo {
			t.Errorf("logged %+v", e)
		}
		if text := e.LogValue().String() + e.Note; strings.Contains(text, "secret") {
			t.Errorf("what was said is in the log: %s", text)
		}
	}
	if got := strings.Join(stages, ", "); got != "declined by the user, dismissed by the user, connection lost" {
		t.Errorf("logged %s", got)
	}
	if n := len(r.events("secret")); n != 0 {
		t.Errorf("what was said is in %d events", n)
	}
}
