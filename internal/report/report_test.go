package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"belay/session/mcp"

	"belay/session"
	"belay/session/secret"
)

var update = flag.Bool("update", false, "write the goldens anew")

// Each format of a report on a call that was answered late stays as it was looked at.
func TestAReportInEachFormat(t *testing.T) {
	r := late(t, "deploy_preview").report()
	for _, f := range []Format{Markdown, HTML, JSON} {
		at := filepath.Join("testdata", "late."+f.String())
		got := r.As(f)
		if *update {
			if err := os.WriteFile(at, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs; -update writes it anew. It is now:\n%s", at, got)
		}
	}
}

// What a report says of a silence is what the screen says, and it says how strong the
// demand of the specification is.
func TestAQuietCall(t *testing.T) {
	r := newRig(t, `"scripted"`)
	r.calls(`{"name":"slow"}`)
	r.cancels("wrong branch")
	r.wait(10 * time.Second)
	got := r.report()
	c := got.Calls[0]
	if c.Cancel == nil || c.Cancel.Verdict != "quiet" || c.Cancel.Rule.Level != "SHOULD" || c.Cancel.Rule.Page != "basic/utilities/cancellation" {
		t.Fatalf("told of the cancel: %+v", c.Cancel)
	}
	for _, f := range []Format{Markdown, HTML, JSON} {
		text := string(got.As(f))
		for _, want := range []string{"cancelled · quiet", "scripted", "wrong branch", "SHOULD", "had read it", "2025-11-25", "1.2.0", "linux/amd64", "notifications/cancelled"} {
			if !strings.Contains(text, want) {
				t.Errorf("%v does not say %q:\n%s", f, want, text)
			}
		}
	}
}

// A call that nobody cancelled, and one that goes on, are told of as what they are.
func TestCallsWithoutACancel(t *testing.T) {
	r := newRig(t, `"scripted"`)
	r.calls(`{"name":"slow"}`)
	running := r.report().Calls[0]
	r.says(`{"jsonrpc":"2.0","id":%v,"result":{"content":[]}}`, r.wire())
	done := r.report().Calls[0]
	if running.State != "running" || running.Duration != 0 || done.State != "done" || done.Duration == 0 || done.Cancel != nil {
		t.Errorf("running %+v, done %+v", running, done)
	}
	if len(Stopped(r.view)) != 0 || len(Find(r.view, "#"+r.wire().String())) != 1 || len(Find(r.view, "nine")) != 0 {
		t.Error("calls are not found by their ID")
	}
	for _, f := range []Format{Markdown, HTML, JSON} {
		if rep := r.report(); strings.Contains(string(rep.As(f)), "What the specification says") {
			t.Errorf("%v has a rule for a call that was not cancelled", f)
		}
	}
	titled(t, r.report(), "What became of a call")
	plain := r.call
	r.calls(`{"name":"slow"}`)
	r.cancels("")
	titled(t, r.report(), "What the server did about a cancel")
	titled(t, Take(r.view, []session.CallID{r.call, plain}, About{}), "What became of the calls")
}

// titled fails unless a report has that title, wherever a title stands.
func titled(t *testing.T, r Report, want string) {
	t.Helper()
	if got := string(r.Markdown()); !strings.HasPrefix(got, "# "+want+"\n") {
		t.Errorf("it begins with %.60q, want %q", got, want)
	}
	got := string(r.HTML())
	for _, tag := range []string{"<title>" + want + "</title>", "<h1>" + want + "</h1>"} {
		if !strings.Contains(got, tag) {
			t.Errorf("the page lacks %s", tag)
		}
	}
}

// Nothing of what is secret comes into a report: what belay was given, wherever a server
// repeats it, and what has the name or the looks of a secret (LOG-13, SEC-24).
func TestSecretsAreMasked(t *testing.T) {
	const given, named, looks = "swordfish-4711", "correct horse", "ghp_012345678901234567890123456789abcdef"
	r := newRig(t, quote("server of "+given))
	r.calls(fmt.Sprintf(`{"name":"deploy","arguments":{"password":%q,"note":%q,"other":%q}}`, named, looks, given))
	r.progresses(1, quote("using "+given))
	r.cancels("wrong token " + looks)
	r.wait(3 * time.Second)
	r.says(`{"jsonrpc":"2.0","id":%v,"error":{"code":1,"message":%s}}`, r.wire(), quote(strings.Repeat("x", 390)+given+strings.Repeat("y", 100)))
	r.wait(10 * time.Second)
	got := r.report(secret.Value{Name: "TOKEN", Text: given})
	for _, f := range []Format{Markdown, HTML, JSON} {
		text := string(got.As(f))
		for _, s := range []string{given, given[:8], named, looks} {
			if strings.Contains(text, s) {
				t.Errorf("%v has %q:\n%s", f, s, text)
			}
		}
		if !strings.Contains(text, "deploy") || !strings.Contains(text, "****") {
			t.Errorf("%v masks nothing", f)
		}
	}
}

// What the core has cut within a secret shows nothing of its beginning.
func TestASecretThatWasCut(t *testing.T) {
	m := masker{secret.NewMask("key").With(secret.Value{Name: "TOKEN", Text: "swordfish-4711"})}
	if got := m.text(`says "with swordfish-…" and no more`); strings.Contains(got, "sword") || !strings.HasSuffix(got, `…" and no more`) {
		t.Errorf("it has become %q", got)
	}
}

// A long reason is cut without a mark: nothing of a secret is at its end.
func TestASecretInAReasonThatWasCut(t *testing.T) {
	const given = "swordfish-4711"
	for _, begun := range []int{5, 6, 7, len(given) - 1} {
		r := newRig(t, `"s"`)
		r.calls(`{"name":"deploy"}`)
		r.cancels(strings.Repeat("é", (1000-begun)/2) + given)
		r.wait(10 * time.Second)
		got := r.report(secret.Value{Name: "TOKEN", Text: given})
		for _, f := range []Format{Markdown, HTML, JSON} {
			if text := string(got.As(f)); strings.Contains(text, given[:6]) {
				t.Errorf("with %d bytes left of it the %v has it:\n%s", begun, f, text[max(0, strings.Index(text, given[:6])-200):][:300])
			}
		}
	}
}

// A call of 100,000 messages is a report of a page: it says how many were left out.
func TestACallOfManyMessages(t *testing.T) {
	r := newRig(t, `"flood"`)
	r.calls(`{"name":"flood"}`)
	for i := range 50_000 {
		r.progresses(i, `"working"`)
	}
	r.cancels("too much")
	for i := range 50_000 {
		r.progresses(50_000+i, `"working on"`)
	}
	r.says(`{"jsonrpc":"2.0","id":%v,"result":{"content":[{"type":"text","text":%q}]}}`, r.wire(), strings.Repeat("long ", 400_000))
	r.wait(20 * time.Second)
	allocated := testing.AllocsPerRun(1, func() { _ = r.report() })
	got := r.report()
	c := &got.Calls[0]
	if c.Wire.Count < 90_000 || len(c.Wire.Lines) > 40 || len(c.Steps) > 60 {
		t.Errorf("%d messages, %d lines, %d steps", c.Wire.Count, len(c.Wire.Lines), len(c.Steps))
	}
	n := len(c.Wire.Lines) + c.Wire.Behind
	for _, l := range c.Wire.Lines {
		n += l.Before
	}
	if n != c.Wire.Count {
		t.Errorf("%d messages are told or left out, of %d", n, c.Wire.Count)
	}
	last := c.Wire.Lines[len(c.Wire.Lines)-1]
	if !strings.HasPrefix(string(last.Label), "result") || last.Size < 2_000_000 {
		t.Errorf("the excerpt ends with %q of %d bytes", last.Label, last.Size)
	}
	for _, f := range []Format{Markdown, HTML, JSON} {
		if text := got.As(f); len(text) > 48<<10 {
			t.Errorf("%v has %d bytes", f, len(text))
		}
	}
	if allocated > 50_000 { // one for each message that is made text would be twice as many
		t.Errorf("it takes %v allocations to make it", allocated)
	}
}

// A report has a hundred calls at most, and says how many it left out.
func TestManyCalls(t *testing.T) {
	r := newRig(t, `"scripted"`)
	for range CallsMost + 3 {
		r.calls(`{"name":"slow"}`)
		r.cancels("")
	}
	r.wait(20 * time.Second)
	got := Take(r.view, Stopped(r.view), About{})
	if len(got.Calls) != CallsMost || got.Left != 3 || !strings.Contains(string(got.Markdown()), "3 more cancelled calls left out") {
		t.Errorf("%d calls, %d left out", len(got.Calls), got.Left)
	}
}

// Whatever a server says, JSON is well-formed, and has its parameters as they were.
func TestHostileTextInJSON(t *testing.T) {
	for _, text := range hostile {
		r := late(t, text)
		rep := r.report()
		var doc struct {
			Calls []struct {
				Params struct{ Arguments struct{ Branch string } }
			}
		}
		got := rep.JSON()
		if err := json.Unmarshal(got, &doc); err != nil {
			t.Fatalf("%q: %v\n%s", text, err, got)
		}
		if doc.Calls[0].Params.Arguments.Branch != text {
			t.Errorf("%q comes out as %q", text, doc.Calls[0].Params.Arguments.Branch)
		}
		quoted(t, text, got)
	}
}

// quoted fails where a report holds a character that a reader does not see.
func quoted(t *testing.T, text string, report []byte) {
	t.Helper()
	for _, c := range string(report) {
		if c != '\n' && (unicode.IsControl(c) || unicode.Is(unicode.Cf, c) || c == '\u2028') {
			t.Errorf("of %q %U is left as it is", text, c)
		}
	}
}

func TestACallThatIsNotKept(t *testing.T) {
	r := newRig(t, `"scripted"`)
	if got := Take(r.view, []session.CallID{99}, About{}); len(got.Calls) != 0 {
		t.Errorf("told of %+v", got.Calls)
	}
}

// A recording may have times that JSON cannot write.
func TestATimeBeyondTheCalendar(t *testing.T) {
	r := newRig(t, `"scripted"`)
	r.now = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC).Add(time.Hour)
	r.calls(`{"name":"slow"}`)
	rep := r.report()
	if got := rep.JSON(); !json.Valid(got) || !strings.Contains(string(got), `"slow"`) {
		t.Errorf("written is %q", got)
	}
}

// Of a call of an earlier connection, a report cites the page of the revision that was spoken
// there.
func TestTheRuleIsThatOfItsConnection(t *testing.T) {
	r := newRigIn(t, `"old"`, mcp.Rev20250326)
	r.calls(`{"name":"slow"}`)
	r.cancels("")
	r.wait(10 * time.Second)
	first := r.call
	r.s.Tell(r.now, session.Closed{Epoch: r.epoch})
	r.rev = mcp.Rev20251125
	if _, err := r.s.Handle(r.now, session.SetPin{Revision: r.rev}); err != nil {
		t.Fatal(err)
	}
	r.epoch = r.s.Tell(r.now, session.Connect{}).Epoch
	r.pull()
	r.wait(time.Second)
	got := Take(r.view, []session.CallID{first}, About{Version: "1.2.0"})
	if c := &got.Calls[0]; !c.Earlier || c.Cancel.Rule.Revision != mcp.Rev20250326 || got.Environment.Revision != mcp.Rev20251125 {
		t.Errorf("it cites %+v, on a connection that speaks %s", c.Cancel.Rule, got.Environment.Revision)
	}
}

// A report cites the page of the revision that the connection speaks.
func TestTheRuleIsThatOfTheRevision(t *testing.T) {
	r := newRigIn(t, `"old"`, mcp.Rev20250326)
	r.calls(`{"name":"slow"}`)
	r.cancels("")
	r.wait(10 * time.Second)
	const page = "https://modelcontextprotocol.io/specification/2025-03-26/basic/utilities/cancellation"
	if rule := r.report().Calls[0].Cancel.Rule; rule.Revision != mcp.Rev20250326 || rule.Address != page || rule.Level != "SHOULD" {
		t.Errorf("it cites %+v", rule)
	}
}

// A time in JSON has six decimals at most, as it is rounded to the microsecond.
func TestTheTimesOfJSON(t *testing.T) {
	for at, want := range map[time.Duration]string{
		3629723 * time.Microsecond: "3.629723", 3629722600 * time.Nanosecond: "3.629723", -154365 * time.Microsecond: "-0.154365",
		time.Hour + 3*time.Microsecond: "3600.000003", 0: "0", 400 * time.Nanosecond: "0",
	} {
		if got, err := json.Marshal(secs(at)); err != nil || string(got) != want {
			t.Errorf("%v: %s, %v, want %s", at, got, err, want)
		}
	}
}
