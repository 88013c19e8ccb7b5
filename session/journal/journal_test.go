package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/secret"
	"belay/session/witness"
)

var origin = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)

// bench is a session whose journal is kept, and a clock that moves when told.
type bench struct {
	t     *testing.T
	s     *session.Session
	now   time.Time
	epoch session.Epoch
	lines [][]byte
	wrote []string // to the server, oldest first
}

func newBench(t *testing.T, mask *secret.Mask, cfg session.Config) *bench {
	b := connecting(t, mask, cfg)
	b.agrees()
	return b
}

// connecting is a session whose server has not answered yet.
func connecting(t *testing.T, mask *secret.Mask, cfg session.Config) *bench {
	cfg.Pin = mcp.Rev20251125
	b := &bench{t: t, s: session.New(cfg, origin), now: origin}
	Attach(b.s, origin, func(r Record) { b.lines = append(b.lines, r.Append(nil, mask)) })
	b.epoch = b.s.Tell(b.now, session.Connect{}).Epoch
	b.pull()
	return b
}

// agrees answers the handshake.
func (b *bench) agrees() {
	b.hears(`{"jsonrpc":"2.0","id":%d,"result":{"protocolVersion":"2025-11-25","capabilities":{"logging":{}},"serverInfo":{"name":"s","version":"1"}}}`, b.s.Config().FirstID)
}

func (b *bench) pull() {
	for {
		out, ok := b.s.Next(b.now)
		if !ok {
			return
		}
		b.wrote = append(b.wrote, string(out.Data))
		b.s.Tell(b.now, session.Sent{Seq: out.Seq})
	}
}

func (b *bench) hears(format string, args ...any) {
	b.s.Receive(b.now, session.ExchangeID{Epoch: b.epoch}, mcp.Decode(fmt.Appendf(nil, format, args...)))
	b.pull()
}

func (b *bench) does(in session.Input) session.Reply {
	b.t.Helper()
	reply, err := b.s.Handle(b.now, in)
	if err != nil {
		b.t.Fatal(err)
	}
	b.pull()
	return reply
}

// later lets time pass, with a tick at every deadline on the way.
func (b *bench) later(d time.Duration) {
	for end := b.now.Add(d); ; {
		at, ok := b.s.Deadline()
		if !ok || at.After(end) {
			b.now = end
			return
		}
		b.now = at
		b.s.Tell(b.now, session.Tick{})
		b.pull()
	}
}

// played plays lines, and fails unless they give the states of the session.
func (b *bench) played() *Player {
	b.t.Helper()
	p := new(Player)
	for _, line := range b.lines {
		if bytes.ContainsAny(line, "\r\n") {
			b.t.Fatalf("a line end within %q", line)
		}
		if err := apply(p, line); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := p.Session().Check(); err != nil {
		b.t.Error(err)
	}
	if got, want := statusOf(p.Session()), statusOf(b.s); got != want {
		b.t.Errorf("the status is %s, want %s", got, want)
	}
	first, last := b.s.Span()
	for id := first; id <= last; id++ {
		want, _ := b.s.Row(id)
		if got, _ := p.Session().Row(id); got != want {
			b.t.Errorf("row %d: %+v, want %+v", id, got, want)
		}
	}
	if p.Differs() != 0 {
		b.t.Errorf("%d outputs differ", p.Differs())
	}
	return p
}

// statusOf is the status of a session in words, the failure included.
func statusOf(s *session.Session) string {
	st := s.Status()
	failure := st.Failure
	st.Failure = nil
	return fmt.Sprintf("%+v %+v", st, failure)
}

func aCall(name string) session.StartCall {
	return session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + name + `"}`)}}
}

// A call that is cancelled, answered late, and all that a line can hold on the way.
func history(t *testing.T, mask *secret.Mask) (*bench, session.CallID) {
	b := newBench(t, mask, session.Config{FirstID: 812})
	id := b.does(aCall("t")).Call
	b.s.Tell(b.now, session.ProcessSample{Epoch: b.epoch, Sample: witness.Sample{Processes: []witness.Process{{PID: 7, Age: time.Hour}, {PID: 8, Parent: 7, Command: "sleep hunter-22"}}}})
	b.hears("not JSON \xff\xfe")
	b.s.Tell(b.now, session.Stderr{Epoch: b.epoch, Line: []byte("\xff oops")})
	b.hears(`{"jsonrpc":"2.0","id":1.5,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
	b.later(time.Second)
	b.does(session.Answer{Question: 1, Result: []byte(`{"role":"assistant","model":"m","content":{"type":"text","text":"hunter-22"}}`), As: session.Answered})
	b.does(session.Cancel{Call: id, Reason: "why " + strings.Repeat("\xff", 600)})
	if _, err := b.s.Handle(b.now.Add(time.Minute), session.Cancel{Call: 99}); err == nil {
		t.Fatal("a call that is not there is cancelled")
	}
	b.s.Next(b.now.Add(time.Minute))
	b.later(3 * time.Second)
	b.hears(`{"jsonrpc":"2.0","id":813,"result":{"content":[]}}`)
	b.now = b.now.Add(90 * time.Second)
	b.s.Tell(b.now, session.Tick{})
	b.does(session.Disconnect{Reason: "the user disconnected"})
	b.s.Tell(b.now, session.Closed{Epoch: b.epoch, Why: session.Close{ByUs: true, Status: "exit status 0"}})
	return b, id
}

func TestAJournalGivesTheSameSession(t *testing.T) {
	b, id := history(t, nil)
	p := b.played()
	row, _ := p.Session().Row(id)
	if row.Verdict != cancel.AnsweredLate {
		t.Errorf("%+v", row)
	}
	got, _ := p.Session().Detail(id)
	want, _ := b.s.Detail(id)
	if fmt.Sprint(got.Timeline, got.Evidence, got.Reason) != fmt.Sprint(want.Timeline, want.Evidence, want.Reason) {
		t.Errorf("the detail is %+v, want %+v", got, want)
	}
}

// A recording of the format before has no samples of processes, and is read as it was.
func TestTheFormatBeforeIsRead(t *testing.T) {
	b := newBench(t, nil, session.Config{})
	id := b.does(aCall("t")).Call
	b.does(session.Cancel{Call: id})
	b.later(10 * time.Second)
	b.lines[0] = bytes.Replace(b.lines[0], []byte(`"version":9`), []byte(`"version":4`), 1)
	row, _ := b.played().Session().Row(id)
	if row.State != session.Cancelled || !bytes.Contains(b.lines[0], []byte(`"version":4`)) {
		t.Errorf("%+v", row)
	}
}

// A recording of a format before 9 has no sample of the moment at which the server was ready:
// it plays with the idle use that was measured then, and to the verdict that was seen.
func TestTheIdleUseOfTheFormatBefore(t *testing.T) {
	for _, c := range []struct {
		version string
		before  bool
		start   time.Duration // of CPU
		want    cancel.Verdict
	}{
		{"8", true, 3 * time.Second, cancel.NothingHeard},
		{"8", true, 0, cancel.StillWorking},
		{"9", false, 3 * time.Second, cancel.StillWorking},
	} {
		b := connecting(t, nil, session.Config{NoProbe: true, StartIsIdle: c.before})
		cpu := time.Duration(0)
		sample := func() {
			b.s.Tell(b.now, session.ProcessSample{Epoch: b.epoch, Sample: witness.Sample{Every: time.Second, Processes: []witness.Process{{PID: 7, Age: time.Hour, CPU: cpu}}}})
		}
		sample()
		b.later(time.Second)
		cpu = c.start
		b.agrees()
		if !c.before {
			sample()
		}
		b.later(time.Second)
		id := b.does(aCall("t")).Call
		sample()
		b.does(session.Cancel{Call: id})
		for range 7 {
			b.later(time.Second)
			cpu += time.Second / 2
			sample()
		}
		b.lines[0] = bytes.Replace(b.lines[0], []byte(`"version":9`), []byte(`"version":`+c.version), 1)
		if row, _ := b.played().Session().Row(id); row.Verdict != c.want || !bytes.Contains(b.lines[0], []byte(`"version":`+c.version)) {
			t.Errorf("format %s, %v to start: %v, want %v", c.version, c.start, row.Verdict, c.want)
		}
	}
}

// What is secret is in no line, and the states are the same for all that.
func TestAMaskedJournalGivesTheSameStates(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	b, id := history(t, secret.NewMask("").With(secret.Value{Text: "hunter-22"}))
	for _, line := range b.lines {
		if bytes.Contains(line, []byte("hunter")) {
			t.Errorf("%s", line)
		}
	}
	p := new(Player)
	for _, line := range b.lines {
		if err := apply(p, line); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := b.s.Row(id)
	if got, _ := p.Session().Row(id); got.State != want.State || got.Verdict != want.Verdict {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What belay writes of its own texts is masked as they are, also where JSON spells a secret
// with other characters than its own: nothing differs when that is played again.
func TestAMaskedTextIsWrittenAgainAsItWas(t *testing.T) {
	requirements.Rows(t, "LOG-13")
	const hidden = "hun\"ter\\22\t<é>"
	mask := secret.NewMask("k").With(secret.Value{Name: "A", Text: hidden}, secret.Value{Name: "REASON", Text: "why"})
	b := connecting(t, mask, session.Config{Reason: "by default " + hidden, Roots: []session.Root{{URI: "file:///a%20b", Name: hidden}}, NoProbe: true})
	b.hears(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"resources":{"subscribe":true}},"serverInfo":{"name":"s","version":"1"}}}`)
	cancel := func(in session.Cancel, rules session.Rules) {
		in.Call = b.does(session.StartCall{Spec: session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"t"}`), Rules: rules}}).Call
		if rules.After == 0 {
			b.does(in)
		}
		b.later(7 * time.Second)
	}
	cancel(session.Cancel{Reason: "because of " + hidden + ", and: \"no\""}, session.Rules{})
	cancel(session.Cancel{Reason: "why"}, session.Rules{})
	cancel(session.Cancel{Reason: `{"password":"` + hidden + `"}`}, session.Rules{})
	cancel(session.Cancel{}, session.Rules{})
	cancel(session.Cancel{}, session.Rules{Reason: hidden, After: time.Second})
	b.does(aCall("t"))
	b.does(session.CancelAll{Reason: hidden})
	b.does(session.WrongCancel{Kind: session.WrongUnknown, Reason: hidden})
	b.does(session.Notify{Method: "x/" + hidden})
	b.does(session.Subscribe{Filter: mcp.Filter{URIs: []string{"x:" + hidden}}})
	b.hears(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
	b.does(session.SetRoots{Roots: []session.Root{{URI: "file:///b", Name: "x" + hidden}}})
	b.hears(`{"jsonrpc":"2.0","id":2,"method":"roots/list"}`)
	b.hears(`{"jsonrpc":"2.0","id":3,"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}`)
	b.does(session.Refuse{Question: 1, Code: -1, Message: "no: " + hidden, As: session.Declined})
	if wrote := strings.Join(b.wrote, "\n"); strings.Count(wrote, `hun\"ter`) < 12 {
		t.Fatalf("of the secret is written only this: %s", wrote)
	}
	p := new(Player)
	for _, line := range b.lines {
		if bytes.Contains(line, []byte("ter")) && bytes.Contains(line, []byte("hun")) {
			t.Errorf("%s", line)
		}
		step, err := Read(line)
		if err == nil {
			err = p.Play(step)
		}
		if err != nil {
			t.Errorf("%s\n%v", line, err)
		}
	}
	named := mask.RedactText(`{"method":"tasks/get","params":{"taskId":` + string(rawjson.AppendQuote(nil, hidden)) + `}}`)
	if forgets := session.Masked(session.ForgetTask{ID: hidden}, mask).(session.ForgetTask); !strings.Contains(named, `"`+forgets.ID+`"`) {
		t.Errorf("the task %s is forgotten, which messages call %s", forgets.ID, named)
	}
}

// Belay cuts a long reason, and a secret may stand where it does: nothing is left of the secret in
// a recording, the reason is no longer there than it was sent, and nothing differs when that is
// played again. A secret with letters that JSON escapes is longer when it is masked. The same is so of what
// the user writes by hand, however that spells the secret, and with white space and two reasons.
func TestAMaskedReasonIsBoundedAsThePlainOne(t *testing.T) {
	requirements.Rows(t, "LOG-13", "CXL-11")
	const most = 1000
	hidden := "hun-" + strings.Repeat("\x01\"", 10) + "-ter-22"
	mask := secret.NewMask("k").With(secret.Value{Name: "A", Text: hidden})
	for _, before := range []int{0, most - 2*len(hidden), most - len(hidden) - 1, most - len(hidden), most - 22, most - 12, most - 6, most - 1, most, 2 * most} {
		reason := strings.Repeat("a", before) + hidden
		plain, spelt := string(rawjson.AppendQuote(nil, reason)), ""
		for _, c := range reason {
			spelt += fmt.Sprintf(`\u%04x`, c)
		}
		spellings := []string{
			`{"requestId":%d,"reason":` + plain + `}`,
			`{"requestId":%d,"reason":"` + spelt + `"}`,
			` { "reason" : "` + spelt + `" , "requestId":%d,"reason": ` + plain + `, "note":` + plain + ` } `,
			`{"reason":` + plain + `,"requestId":%d, "rea\u0073on":"` + spelt + `"}`,
			`{"reason":7,"requestId":%d,"reason":` + plain + `}`,
		}
		b := newBench(t, mask, session.Config{Reason: reason, NoProbe: true})
		for _, in := range []session.Cancel{{Reason: reason}, {}} {
			in.Call = b.does(aCall("t")).Call
			b.does(in)
		}
		by := aCall("t")
		by.Spec.Rules = session.Rules{Reason: reason, After: time.Second}
		b.does(by)
		b.later(2 * time.Second)
		b.does(aCall("t"))
		b.does(session.CancelAll{Reason: reason})
		b.does(session.WrongCancel{Kind: session.WrongUnknown, Reason: reason})
		b.does(session.WrongCancel{Kind: session.WrongNoID, Reason: reason})
		for _, params := range spellings {
			row, _ := b.s.Row(b.does(aCall("t")).Call)
			id, _ := row.Wire.Int()
			for _, id := range []int64{id, 4711} {
				b.does(session.Notify{Method: "notifications/cancelled", Params: fmt.Appendf(nil, params, id)})
			}
		}
		b.does(aCall("t"))
		b.does(session.Disconnect{Reason: reason})
		b.later(7 * time.Second)
		p := new(Player)
		cancels := 0
		for _, line := range b.lines {
			if bytes.Contains(line, []byte("hun-")) || bytes.Contains(line, []byte("ter-22")) {
				t.Errorf("after %d letters: %s", before, line)
			}
			step, err := Read(line)
			if err == nil {
				err = p.Play(step)
			}
			if err != nil {
				t.Errorf("after %d letters: %s\n%v", before, line, err)
			}
			if out := step.Output; out != nil && bytes.Contains(out.Data, []byte("notifications/cancelled")) {
				cancels++
				if got, _ := rawjson.TextAt(rawjson.At(out.Data, "params"), "reason"); len(got) > most || len(got) < min(most-3, len(reason)) {
					t.Errorf("after %d letters the reason has %d bytes: %s", before, len(got), out.Data)
				}
			}
		}
		if cancels < 6+2*len(spellings) {
			t.Errorf("after %d letters there are %d cancels", before, cancels)
		}
	}
}

// A refused input is no line and moves no time, whatever comes after it.
func TestARefusalIsNotWrittenDown(t *testing.T) {
	b := newBench(t, nil, session.Config{})
	id := b.does(aCall("t")).Call
	lines := len(b.lines)
	for _, in := range []session.Input{
		session.Cancel{Call: 99},
		session.Extend{Call: 99},
		session.Retry{Call: id},
		session.Answer{Question: 9},
		session.Refuse{Question: 9},
		session.SetPin{Revision: "1999-01-01"},
		session.SetRoots{Roots: []session.Root{{URI: "/x"}}},
		session.SetLogLevel{Level: "loud"},
		session.StartCall{Spec: session.CallSpec{Method: "initialize"}},
		session.Notify{Method: ""},
		session.Subscribe{},
	} {
		if _, err := b.s.Handle(b.now.Add(time.Hour), in); err == nil {
			t.Errorf("%T is taken", in)
		}
	}
	b.pull()
	if len(b.lines) != lines {
		t.Errorf("written: %s", b.lines[lines:])
	}
	b.later(time.Second)
	b.does(session.Cancel{Call: id})
	b.played()
}

// The first line says how many values are masked, and how; or that none is.
func TestTheFirstLineSaysWhatIsMasked(t *testing.T) {
	mask := secret.NewMask("").With(secret.Value{Name: "A", Text: "hunter-22"}, secret.Value{Name: "B", Text: "1"}, secret.Value{Name: "C", Text: "true"})
	masked, kept := newBench(t, mask, session.Config{}), newBench(t, nil, session.Config{})
	for first, want := range map[string]string{string(masked.lines[0]): `"masked":{"anywhere":1,"besideTheirName":2}`, string(kept.lines[0]): `"unmasked":true`} {
		if !strings.Contains(first, want) {
			t.Errorf("%s does not say %s", first, want)
		}
	}
	if bytes.Contains(masked.lines[1], []byte("masked")) {
		t.Errorf("the second line says it, too: %s", masked.lines[1])
	}
}

// apply plays one line. A difference is counted, and no error.
func apply(p *Player, line []byte) error {
	s, err := Read(line)
	if err == nil {
		err = p.Play(s)
	}
	if _, ok := errors.AsType[*DifferenceError](err); ok {
		return nil
	}
	return err
}

func TestWhatIsNotPlayed(t *testing.T) {
	b := newBench(t, nil, session.Config{})
	b.does(aCall("t"))
	first := b.lines[0]
	for name, c := range map[string]struct {
		lines [][]byte
		says  string
	}{
		"no record":             {[][]byte{[]byte("hello")}, "it is no record"},
		"no beginning":          {b.lines[1:], "begins with its configuration"},
		"a format of before":    {[][]byte{bytes.Replace(first, []byte(`"version":9`), []byte(`"version":3`), 1)}, "has format 3; this belay reads formats 4 to 9"},
		"a configuration again": {[][]byte{first, first}, "in the first line alone"},
		"an unknown input":      {[][]byte{first, []byte(`{"seq":2,"op":"dance"}`)}, `no input "dance"`},
		"a call out of place":   {[][]byte{first, []byte(`{"seq":2,"op":"cancel","call":7}`)}, "there is no call 7"},
		"a member of another":   {[][]byte{first, []byte(`{"seq":2,"op":"cancel","call":"x"}`)}, `"cancel" cannot be read`},
	} {
		var p Player
		var err error
		for _, line := range c.lines {
			if err = apply(&p, line); err != nil {
				break
			}
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

func TestAnotherOutputIsCounted(t *testing.T) {
	b := newBench(t, nil, session.Config{})
	b.does(aCall("t"))
	var p Player
	for _, line := range b.lines {
		line = bytes.Replace(line, []byte(`"raw":"{\"jsonrpc\":\"2.0\",\"id\":2,`), []byte(`"raw":"{\"jsonrpc\":\"2.0\",\"id\":3,`), 1)
		if err := apply(&p, line); err != nil {
			t.Fatal(err)
		}
	}
	if p.Differs() != 1 {
		t.Errorf("%d outputs differ, want 1", p.Differs())
	}
}

// A record comes out of its line as it went in, with other bytes where those were
// replaced.
func TestLinesAreRecords(t *testing.T) {
	for _, r := range []Record{
		{Seq: 2, T: 7, Wall: origin, Input: session.Tick{}},
		{Seq: 3, T: 8, Wall: origin, Input: session.Received{ExchangeID: session.ExchangeID{Epoch: 1, N: 4}, Ago: 5, Raw: []byte("\xff{}")}},
		{Seq: 4, T: 9, Wall: origin, Input: session.ProcessSample{Epoch: 1, Ago: 3, Sample: witness.Sample{Every: 5, Processes: []witness.Process{{PID: 7, Start: 8, Name: "n", CPU: 9}}}}},
		{Seq: 4, T: 9, Wall: origin, Input: session.Stderr{Epoch: 2, Line: []byte("x")}},
		{Seq: 5, T: 9, Wall: origin, Output: &session.Output{Op: session.OpAbort, Seq: 6, X: session.ExchangeID{Epoch: 1, N: 4}, Call: 3, Data: []byte("{}")}},
	} {
		line := r.Append(nil, nil)
		got, err := Parse(line)
		if err != nil || string(got.Append(nil, nil)) != string(line) || fmt.Sprint(got.Input) != fmt.Sprint(r.Input) {
			t.Errorf("%s came out as %s: %v", line, got.Append(nil, nil), err)
		}
		if r.Bytes() == nil {
			continue
		}
		if other := r.WithBytes([]byte("other")); string(other.Bytes()) != "other" || string(r.Append(nil, nil)) != string(line) {
			t.Errorf("%s: its bytes are %q, and it became %s", line, other.Bytes(), r.Append(nil, nil))
		}
	}
}

// FuzzParse: no line of another program's does more than be refused.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"seq":1,"t":0,"wall":"2026-07-28T12:00:00Z","op":"new","version":4,"config":{}}`))
	f.Add([]byte(`{"seq":2,"op":"received","epoch":1,"raw":{"base64":"//4="}}`))
	f.Add([]byte(`{"seq":2,"op":"opened","epoch":1,"stream":3,"head":{"Status":200}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var p Player
		if err := apply(&p, []byte(`{"seq":1,"t":0,"wall":"2026-07-28T12:00:00Z","op":"new","version":4,"config":{}}`)); err != nil {
			t.Fatal(err)
		}
		_ = apply(&p, []byte(`{"seq":2,"op":"connect"}`))
		_ = apply(&p, line)
		if err := p.Session().Check(); err != nil {
			t.Error(err)
		}
	})
}

// The head of a line is what the library makes of it; a time that JSON cannot have is told.
func TestTheHeadOfALine(t *testing.T) {
	for _, h := range []head{
		{},
		{Seq: 1, T: time.Hour, Wall: time.Date(2026, 9, 1, 12, 0, 0, 123456789, time.UTC), Op: "received"},
		{Seq: math.MaxUint64, T: math.MinInt64, Wall: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), Op: "new"},
		{Wall: time.Date(1, 1, 1, 0, 0, 0, 1000, time.FixedZone("", 3600))},
	} {
		want, err := json.Marshal(h)
		got, failed := h.append([]byte("before"))
		if err != nil || failed != nil || string(got)+"}" != "before"+string(want) {
			t.Errorf("%s, want %s: %v, %v", got, want, failed, err)
		}
	}
	beyond := Record{Wall: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), Input: session.Tick{}}
	if line := string(beyond.Append([]byte("before\n"), nil)); !strings.HasPrefix(line, "before\n"+`{"op":"lost","text":`) || !json.Valid([]byte(line[len("before\n"):])) {
		t.Errorf("%s", line)
	}
}
