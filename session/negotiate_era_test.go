package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/mcp"
	"belay/session/negotiate"
)

// probing is a rig whose server/discover is out and not answered.
func probing(t testing.TB, change ...func(*Config)) *rig {
	cfg := Config{ClientVersion: "9.9", DiscoverLimit: 3 * time.Second}
	for _, f := range change {
		f(&cfg)
	}
	return opened(t, cfg)
}

// methods are the lines by what they ask for; others stand as they are.
func methods(lines []string) string {
	var all []string
	for _, l := range lines {
		if f := mcp.Decode([]byte(l)); f.Method != "" {
			l = f.Method
		}
		all = append(all, l)
	}
	return strings.Join(all, " ")
}

func (r *rig) wantOpening(want string) {
	r.t.Helper()
	if got := methods(r.lines); got != want {
		r.t.Errorf("written: %s\nwant: %s", got, want)
	}
}

func (r *rig) wantReady(rev mcp.Revision, found negotiate.Found) {
	r.t.Helper()
	if st := r.s.Status(); st.Phase != Ready || st.Revision != rev || st.Found != found || st.Awaits != negotiate.Nothing {
		r.t.Errorf("%v %q %v, awaits %v: %+v", st.Phase, st.Revision, st.Found, st.Awaits, st.Failure)
	}
}

func (r *rig) wantFailure(kind FailureKind, words ...string) {
	r.t.Helper()
	st := r.s.Status()
	if st.Phase != Closing || st.Failure == nil || st.Failure.Kind != kind || !helps(st.Failure) {
		r.t.Fatalf("%v: %+v", st.Phase, st.Failure)
	}
	for _, w := range words {
		if !strings.Contains(st.Failure.Text+"\n"+st.Failure.Hint, w) {
			r.t.Errorf("%q is not in %q, %q", w, st.Failure.Text, st.Failure.Hint)
		}
	}
}

// What every request says of belay in the modern era, server/discover included.
func TestDiscover(t *testing.T) {
	requirements.Rows(t, "VER-20", "VER-21", "VER-28", "VER-29", "STD-24")
	r := probing(t, func(c *Config) { c.Roots = []Root{{URI: "file:///a"}} })
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tools/call", Params: []byte(`{"name":"t","_meta":{"io.modelcontextprotocol/clientInfo":{"name":"me"}}}`)}}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if st := r.s.Status(); st.Awaits != negotiate.ForDiscover || !st.AwaitsUntil.Equal(r.now.Add(3*time.Second)) || st.Phase != Connecting || len(r.lines) != 1 {
		t.Fatalf("%+v, written %v", st, r.lines)
	}
	meta := func(line string) map[string]json.RawMessage {
		var p struct {
			Meta map[string]json.RawMessage `json:"_meta"`
		}
		if err := json.Unmarshal(read(t, line).Params, &p); err != nil {
			t.Fatal(err)
		}
		return p.Meta
	}
	r.wantOpening("server/discover")
	m := meta(r.lines[0])
	if string(m[metaVersion]) != `"2026-07-28"` || string(m[metaClientInfo]) != `{"name":"belay","version":"9.9"}` ||
		string(m[metaCapabilities]) != `{"roots":{},"sampling":{},"elicitation":{"form":{},"url":{}}}` || len(m) != 3 {
		t.Errorf("server/discover says %s", r.lines[0])
	}
	r.lines = nil
	r.recv(discoverAnswer, mcp.IntID(1), `["2025-11-25","2026-07-28","2027-01-01"]`, `{"tools":{}}`)
	r.wantReady(mcp.Rev20260728, negotiate.Discovered)
	r.wantOpening("tools/call tools/list")
	if s := r.s.Status().Server; s.Name != "peer" || s.Version != "1" || s.Instructions != "be kind" || !s.Has.Tools {
		t.Errorf("the server is %+v", s)
	}
	m = meta(r.lines[0])
	if string(m[metaVersion]) != `"2026-07-28"` || string(m[metaClientInfo]) != `{"name":"me"}` || m[metaCapabilities] == nil || m["progressToken"] == nil {
		t.Errorf("a call says %s", r.lines[0])
	}
	if m := meta(r.lines[1]); len(m) != 4 {
		t.Errorf("a list says %s", r.lines[1])
	}
	r.lines = nil
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tasks/get", Params: []byte(`{"taskId":"1"}`)}}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	if m := meta(r.lines[0]); len(m) != 4 || string(m[metaVersion]) != `"2026-07-28"` {
		t.Errorf("a request of any method says %s", r.lines[0])
	}
	r.lines = nil
	if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "tasks/get", Raw: true, Params: []byte(`{"taskId":"1"}`)}}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wantLines(`{"jsonrpc":"2.0","id":5,"method":"tasks/get","params":{"taskId":"1"}}`) // as it was typed
	t.Run("nothing is declared", func(t *testing.T) {
		r := probing(t, func(c *Config) { c.NoSampling, c.NoElicitation = true, true })
		if c := meta(r.lines[0])[metaCapabilities]; string(c) != "{}" {
			t.Errorf("declared %s", c)
		}
	})
}

func TestWhatThePinsBeginWith(t *testing.T) {
	requirements.Rows(t, "VER-28", "VER-33")
	for pin, want := range map[mcp.Revision]string{
		"": "server/discover", mcp.Rev20260728: "server/discover", mcp.Rev20251125: "initialize", mcp.Rev20250618: "initialize",
		mcp.Rev20250326: "initialize", mcp.Rev20241105: "initialize",
	} {
		r := probing(t, func(c *Config) { c.Pin = pin })
		r.wantOpening(want)
	}
	opened(t, Config{DiscoverLimit: -1}).wantOpening("initialize")
}

// What is refused with an error of the modern era is no reason for a handshake,
// unless the server itself lists an older revision.
func TestDiscoverIsRefused(t *testing.T) {
	requirements.Rows(t, "VER-24", "VER-25", "VER-30", "VER-51", "VER-53")
	for _, tt := range []struct {
		name, answer, opening string
		kind                  FailureKind
		words                 []string
	}{
		{
			"a future revision only", fmt.Sprintf(unsupportedAnswer, "1", `["2027-01-01"]`), "CLOSE", FailVersion,
			[]string{`it lists "2027-01-01"`, "this client speaks 2026-07-28, 2025-11-25, 2025-06-18, 2025-03-26, 2024-11-05"},
		},
		{"no list", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no"}}`, "CLOSE", FailVersion, []string{"none of its own"}},
		{"a header", `{"jsonrpc":"2.0","id":1,"error":{"code":-32020,"message":"mismatch"}}`, "CLOSE", FailRefused, []string{"mismatch", "-32020"}},
		{"a capability", `{"jsonrpc":"2.0","id":1,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"tasks":{}}}}}`, "CLOSE", FailRefused, []string{"-32021", `{"tasks":{}}`}},
		{"a legacy one", fmt.Sprintf(unsupportedAnswer, "1", `["2024-11-05","2025-06-18","1999-01-01"]`), "initialize", 0, nil},
		{"discovered, and a legacy one", fmt.Sprintf(discoverAnswer, "1", `["2024-11-05","2025-06-18"]`, `{}`), "initialize", 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := probing(t)
			r.lines = nil
			r.recv("%s", tt.answer)
			r.wantOpening(tt.opening)
			if tt.kind != 0 {
				r.wantFailure(tt.kind, tt.words...)
				return
			}
			if !strings.Contains(r.lines[0], `"protocolVersion":"2025-06-18"`) || len(r.events("server offers legacy 2025-06-18; handshaking")) == 0 {
				t.Errorf("offered %s\n%v", r.lines[0], r.events(""))
			}
			r.agree(mcp.Rev20250618, logging)
			r.wantReady(mcp.Rev20250618, negotiate.FoundListed)
		})
	}
	t.Run("a legacy one, and another comes of it", func(t *testing.T) {
		for answered, want := range map[mcp.Revision]negotiate.Found{mcp.Rev20250618: negotiate.Negotiated, mcp.Rev20250326: negotiate.FoundListed, mcp.Rev20251125: negotiate.FoundListed} {
			r := probing(t)
			r.recv(discoverAnswer, mcp.IntID(1), `["2025-11-25","2025-03-26"]`, `{}`)
			r.agree(answered, logging)
			r.wantReady(answered, want)
		}
	})
	t.Run("the very same revision", func(t *testing.T) {
		r := probing(t)
		r.lines = nil
		r.recv(unsupportedAnswer, mcp.IntID(1), `["2026-07-28"]`)
		r.wantOpening("server/discover")
		r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28"]`)
		r.wantOpening("server/discover CLOSE")
		r.wantFailure(FailRefused, "the server refuses 2026-07-28, which it lists itself")
		if fl := r.s.Status().Failure; len(fl.Supported) != 0 || fl.Hint != "" || fl.Remedy != (Remedy{Kind: RemedyHandshake, Revision: mcp.Rev20251125}) {
			t.Errorf("nothing is left of its list, and the handshake may help: %+v", fl)
		}
	})
	t.Run("the very same revision, and an older one", func(t *testing.T) {
		r := probing(t)
		r.recv(unsupportedAnswer, mcp.IntID(1), `["2026-07-28","2025-06-18"]`)
		r.recv(unsupportedAnswer, mcp.IntID(2), `["2026-07-28","2025-06-18"]`)
		if fl := r.s.Status().Failure; fl == nil || !slices.Equal(fl.Supported, []mcp.Revision{mcp.Rev20250618}) {
			t.Errorf("%+v", fl)
		}
	})
	t.Run("once, and then not", func(t *testing.T) {
		r := probing(t)
		r.recv(unsupportedAnswer, mcp.IntID(1), `["2026-07-28"]`)
		r.agree(mcp.Rev20260728, `{}`)
		r.wantReady(mcp.Rev20260728, negotiate.FoundListed)
	})
}

func TestPinnedToTheModernEra(t *testing.T) {
	requirements.Rows(t, "VER-33")
	pin := func(c *Config) { c.Pin = mcp.Rev20260728; c.Idle = time.Minute }
	for _, tt := range []struct {
		name, answer string
		kind         FailureKind
		words        []string
		remedy       Remedy
	}{
		{"unknown", `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`, FailRefused, []string{"does not speak 2026-07-28", "-32601"}, Remedy{Kind: RemedyAuto}},
		{"only older ones", fmt.Sprintf(unsupportedAnswer, "1", `["2025-11-25"]`), FailVersion, []string{"2025-11-25"}, Remedy{Kind: RemedyPin, Revision: "2025-11-25"}},
		{"silence", "", FailTimeout, []string{"server/discover"}, Remedy{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := probing(t, pin)
			if tt.answer == "" {
				r.wait(time.Minute)
			} else {
				r.recv("%s", tt.answer)
			}
			r.wantOpening("server/discover CLOSE")
			r.wantFailure(tt.kind, tt.words...)
			if got := r.s.Status().Failure.Remedy; got != tt.remedy {
				t.Errorf("remedy %v, want %v", got, tt.remedy)
			}
		})
	}
	r := probing(t, pin)
	r.recv(discoverAnswer, mcp.IntID(1), `["2025-11-25","2026-07-28"]`, `{}`)
	r.wantReady(mcp.Rev20260728, negotiate.Pinned)
}

func TestWhatAnAnswerToDiscoverMeans(t *testing.T) {
	modern := fmt.Sprintf(discoverAnswer, "1", `["2026-07-28"]`, `{}`)
	failed := func(code int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":null,"error":{"code":%d,"message":"no"}}`, code)
	}
	for _, tt := range []struct {
		status int
		body   string // empty: none that is JSON-RPC
		want   negotiate.Finding
	}{
		{0, modern, negotiate.Modern},
		{200, modern, negotiate.Modern},
		{400, failed(-32022), negotiate.Versions},
		{400, failed(-32021), negotiate.Refused},
		{400, failed(-32020), negotiate.Refused},
		{500, failed(-32021), negotiate.Refused},
		{400, "", negotiate.OtherEra},
		{404, "", negotiate.OtherEra},
		{405, "", negotiate.OtherEra},
		{406, "", negotiate.OtherEra},
		{200, "", negotiate.OtherEra},
		{400, failed(-32600), negotiate.OtherEra},
		{404, failed(-32601), negotiate.OtherEra},
		{200, failed(-32601), negotiate.OtherEra},
		{0, failed(-32004), negotiate.OtherEra},
		{401, "", negotiate.NotAllowed},
		{403, "", negotiate.NotAllowed},
		{401, failed(-32600), negotiate.NotAllowed},
		{407, "", negotiate.NotAllowed},
		{429, "", negotiate.OtherEra},
		{500, "", negotiate.OtherEra},
		{503, failed(-32603), negotiate.OtherEra},
	} {
		var f *mcp.Frame
		if tt.body != "" {
			f = mcp.Decode([]byte(tt.body))
		}
		if got := negotiate.Judge(f, tt.status); got != tt.want {
			t.Errorf("%d %s: %v, want %v", tt.status, tt.body, got, tt.want)
		}
	}
}

// A lone server/discover later on is a request like any other.
func TestDiscoverLaterIsAnOrdinaryRequest(t *testing.T) {
	requirements.Rows(t, "SD3-06")
	r := ready(t, mcp.Rev20260728)
	if _, err := r.s.Handle(r.now, Cancel{Call: 1}); err == nil {
		t.Error("the opening was cancelled")
	}
	id, err := madeBy(r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "server/discover"}}))
	if err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.lines = nil
	if _, err := r.s.Handle(r.now, Cancel{Call: id, Reason: "enough"}); err != nil {
		t.Fatal(err)
	}
	r.pull()
	r.wantLines(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"enough"}}`)
	t.Run("the opening is refused", func(t *testing.T) {
		r := probing(t)
		var why *Refusal
		if _, err := r.s.Handle(r.now, Cancel{Call: 1}); !errors.As(err, &why) || why.Remedy.Kind != RemedyLeave || r.s.Tell(r.now, CancelAll{}).Cancelled != 0 {
			t.Errorf("cancelling server/discover: %v", err)
		}
	})
}

// In the modern era only the client asks: what the server asks is shown and
// told, and neither answered nor put before the user.
func TestNothingIsAnsweredInTheModernEra(t *testing.T) {
	requirements.Rows(t, "BASE-27", "BASE-28", "PNG-10", "STD-13")
	asks := func(r *rig) {
		for i, ask := range []string{elicitationAsk, samplingAsk, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`, `{"jsonrpc":"2.0","id":%d,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":%d,"method":"no/such"}`} {
			r.recv(ask, 50+i)
		}
		r.recv(cancelledNote, 50)
		r.wait(time.Minute)
	}
	r := ready(t, mcp.Rev20260728, func(c *Config) { c.Roots = []Root{{URI: "file:///a"}} })
	asks(r)
	r.wantLines()
	r.wantDiag(mcp.DiagServerRequest, 5)
	if len(r.questions()) != 0 {
		t.Errorf("questions: %v", r.questions())
	}
	if d := r.s.Diagnostics()[0]; d.Cite(mcp.Rev20260728).Rule == "" {
		t.Errorf("%s cites nothing", d.Describe())
	}
	t.Run("while the era is not known", func(t *testing.T) {
		r := probing(t)
		for i, ask := range []string{elicitationAsk, `{"jsonrpc":"2.0","id":%d,"method":"ping"}`} {
			r.recv(ask, 50+i)
		}
		r.lines = nil
		r.agree(mcp.Rev20260728, `{}`)
		r.wantLines()
		r.wantDiag(mcp.DiagServerRequest, 2)
	})
	t.Run("and when nothing comes of it", func(t *testing.T) {
		for _, answer := range []string{
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2031-01-01"]}}}`,
		} {
			r := probing(t, func(c *Config) { c.Pin = mcp.Rev20260728 })
			r.mute = true // the transport is slow: what is to be written waits
			r.recv("%s", answer)
			r.recv(`{"jsonrpc":"2.0","id":50,"method":"ping"}`)
			r.mute = false
			r.pull()
			if r.s.Status().Phase != Closing || r.sent(`"id":50`) != 0 {
				t.Errorf("%s: %v, written: %v", answer, r.s.Status().Phase, r.lines)
			}
		}
	})
	t.Run("and when it turns out to be the other", func(t *testing.T) {
		r := probing(t)
		r.recv(`{"jsonrpc":"2.0","id":50,"method":"ping"}`)
		r.recv(noSuchMethod, mcp.IntID(1), -32601)
		r.agree(mcp.Rev20251125, logging)
		if r.sent(`{"jsonrpc":"2.0","id":50,"result":{}}`) != 1 {
			t.Errorf("written: %v", r.lines)
		}
	})
}
