package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"belay/session"
	"belay/session/mcp"
	"belay/session/secret"
)

// rig is a session whose server is the test, in a clock that moves when told.
type rig struct {
	t     testing.TB
	s     *session.Session
	now   time.Time
	epoch session.Epoch
	call  session.CallID
	name  string // of the server, as JSON
	rev   mcp.Revision
}

func newRig(t testing.TB, name string) *rig { return newRigIn(t, name, mcp.Rev20251125) }

// newRigIn is a rig that speaks a revision.
func newRigIn(t testing.TB, name string, rev mcp.Revision) *rig {
	cfg := session.Config{
		Pin: rev, NoListen: true, ClientName: "belay", ClientVersion: "1.2.0", Platform: "linux/amd64", FirstID: 1, Jitter: 1,
	}
	r := &rig{t: t, now: time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC), name: name, rev: rev}
	r.s = session.New(cfg, r.now)
	r.epoch = r.s.Tell(r.now, session.Connect{}).Epoch
	r.pull()
	r.wait(time.Second)
	return r
}

func (r *rig) wait(d time.Duration) {
	for end := r.now.Add(d); ; {
		at, ok := r.s.Deadline()
		if !ok || at.After(end) {
			r.now = end
			return
		}
		if at.After(r.now) {
			r.now = at
		}
		r.s.Tell(r.now, session.Tick{})
		r.pull()
	}
}

// pull has the server read, and answer what is not the call.
func (r *rig) pull() {
	for {
		out, ok := r.s.Next(r.now)
		if !ok {
			return
		}
		if out.Op != session.OpWrite {
			continue
		}
		r.s.Tell(r.now, session.Sent{Seq: out.Seq})
		f := mcp.Decode(out.Data)
		if f.Kind != mcp.FrameRequest {
			continue
		}
		switch f.Method {
		case "initialize":
			r.says(`{"jsonrpc":"2.0","id":%v,"result":{"protocolVersion":%q,"capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":%s,"version":"1"}}}`, f.ID, r.rev, r.name)
		case "tools/list":
			r.says(`{"jsonrpc":"2.0","id":%v,"result":{"tools":[]}}`, f.ID)
		case "ping":
			r.says(`{"jsonrpc":"2.0","id":%v,"result":{}}`, f.ID)
		}
	}
}

func (r *rig) says(format string, args ...any) {
	r.now = r.now.Add(time.Millisecond)
	r.s.Receive(r.now, session.ExchangeID{Epoch: r.epoch}, mcp.Decode(fmt.Appendf(nil, format, args...)))
}

func (r *rig) calls(params string) {
	reply, err := r.s.Handle(r.now, session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(params)}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.call = reply.Call
	r.pull()
	r.wait(500 * time.Millisecond)
}

func (r *rig) wire() mcp.ID {
	row, _ := r.s.Row(r.call)
	return row.Wire
}

func (r *rig) progresses(n int, message string) {
	r.says(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"belay-%v","progress":%d,"message":%s}}`, r.wire(), n, message)
}

func (r *rig) cancels(reason string) {
	if _, err := r.s.Handle(r.now, session.Cancel{Call: r.call, Reason: reason}); err != nil {
		r.t.Fatal(err)
	}
	r.pull()
}

func (r *rig) view(f func(*session.Session)) { f(r.s) }

func (r *rig) report(values ...secret.Value) Report {
	return Take(r.view, []session.CallID{r.call}, About{Mask: secret.NewMask("key").With(values...), Version: "1.2.0"})
}

// late is a call that is answered after its cancel. All that others say in it is text.
func late(t testing.TB, text string) *rig {
	r := newRig(t, quote(text))
	r.calls(fmt.Sprintf(`{"name":%s,"arguments":{"branch":%s}}`, quote(text), quote(text)))
	for i := range 9 {
		r.progresses(i, quote(text))
		r.wait(200 * time.Millisecond)
	}
	r.cancels(text)
	r.wait(2 * time.Second)
	r.progresses(20, quote(text))
	r.says(`{"jsonrpc":"2.0","id":%v,"error":{"code":-32603,"message":%s}}`, r.wire(), quote(text))
	r.wait(10 * time.Second)
	return r
}

// quote is a text as JSON, with the characters in it that JSON lets stand.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteRune('\\')
			b.WriteRune(c)
		case c < 0x20:
			fmt.Fprintf(&b, `\u%04x`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// hostile are texts that want to be more than text.
var hostile = []string{
	"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</text></svg><script>x</script>", "</style><base href=//evil.example>",
	"](https://evil.example)", "[click](https://evil.example)", "![x](https://evil.example/x.png)", "https://evil.example/a", "www.evil.example",
	"someone@evil.example", "@someone and #12", "`code` and ``more``", "```\n</details>\n# heading", "~~~", "</details><b>", "*bold* _it_ ~~s~~",
	"a | b |\n| --- |", "> quote", "- item", "1. item", "# heading", "text\n---", "&lt;b&gt; &#60;b&#62; &amp;", "\\`\\<b>\\*", "<!-- x", "<https://evil.example>",
	"x; participant E", "x\n    C->>S: injected", "%% comment", "%%{init: {}}%%", "$$x^2$$", "end", "style x:#35;", "classDef x:#y;", "ﬂ°°60¶ß",
	"{{.Environment}} {{printf}}", "javascript:alert(1)", "\x1b[31mred\x1b]8;;https://evil.example\x07", "\u202egnp.exe", "\u2028\u0085", "日本語 한국어",
	" `", "` ", "`", "``````````", "", " ", "\ufffd\ufffe", "<svg/onload=alert(1)>", "\"' onload=\"x", "http://[::1]/?a=b&c=d", "1) item", "www. x",
}
