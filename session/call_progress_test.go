package session

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
)

func TestProgressTokens(t *testing.T) {
	requirements.Rows(t, "PRG-01", "PRG-02", "PRG-11", "PRG-22")
	r := ready(t, mcp.Rev20251125)
	seen := map[string]bool{}
	var wires []mcp.ID
	for range 1000 {
		_, wire := r.call("t")
		wires = append(wires, wire)
	}
	for _, l := range r.lines {
		i := strings.Index(l, `"progressToken":`)
		if i < 0 {
			t.Fatalf("no token in %s", l)
		}
		token := l[i+len(`"progressToken":`):]
		token = token[:strings.IndexByte(token, '}')]
		if token[0] != '"' || seen[token] {
			t.Fatalf("the token %s is no string, or was used before", token)
		}
		seen[token] = true
	}
	if n := len(r.s.outgoing.tokens); n != 1000 {
		t.Errorf("%d tokens are active", n)
	}
	for _, w := range wires {
		r.feed(okAnswer, w)
	}
	if n := len(r.s.outgoing.tokens); n != 0 {
		t.Errorf("%d tokens are left", n)
	}
	t.Run("1 and \"1\" are two, and 7 is as good as a string", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125)
		own := func(token string) (CallID, mcp.ID) {
			return r.made(CallSpec{Method: "x", Params: []byte(`{"_meta":{"progressToken":` + token + `}}`)})
		}
		number, _ := own(`1`)
		text, textWire := own(`"1"`)
		r.recv(progressNote, `1`, 10)
		r.recv(progressNote, `"1"`, 20)
		if a, b := r.row(number).Progress.Value, r.row(text).Progress.Value; a != 10 || b != 20 {
			t.Errorf("%v and %v", a, b)
		}
		t.Run("a token is taken while its request is in flight", func(t *testing.T) {
			r.mute = true
			for _, token := range []string{`1`, `"belay-99"`} {
				if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "x", Params: []byte(` {"_meta":{},"_meta":{"progressToken":` + token + `}}`)}}); err == nil {
					t.Errorf("%s was taken twice, or will be", token)
				}
			}
			queued, _ := own(`"q"`)
			if _, err := r.s.Handle(r.now, StartCall{Spec: CallSpec{Method: "x", Params: []byte(`{"_meta":{"progressToken":"q"}}`)}}); err == nil {
				t.Error("two queued calls have the same token")
			}
			r.recv(progressNote, `"q"`, 1)
			r.wantDiag(mcp.DiagProgressToken, 1)
			r.cancel(queued, "")
			again, _ := own(`"q"`)
			r.want(again, Queued, cancel.NoVerdict)
			r.mute = false
			r.pull()
			r.recv(progressNote, `"q"`, 1)
			if r.row(again).Progress.Count != 1 {
				t.Error("the token is not its own")
			}
		})
		t.Run("a token of the user's is known after the end", func(t *testing.T) {
			r.pings = true
			r.cancel(text, "")
			r.wait(8 * time.Second)
			r.want(text, Cancelled, cancel.Quiet)
			r.recv(progressNote, `"1"`, 30)
			r.want(text, Cancelled, cancel.StillWorking)
			r.mute = true
			own(`"1"`) // the same token again, which no server has seen yet
			r.recv(progressNote, `"1"`, 40)
			if n := r.row(text).AfterCount; n != 2 {
				t.Errorf("%d messages since the cancel, want 2", n)
			}
			r.recv(okAnswer, textWire)
			r.want(text, Cancelled, cancel.AnsweredLate)
		})
	})
}

// The user gives a token once more, to a call of which no byte leaves: progress with it is
// about the call that had it before.
func TestATokenThatNeverLeftASecondTime(t *testing.T) {
	w := readyWeb(t, mcp.Rev20251125)
	_, _ = w.tool("t") // which has waited for the stream of the server's
	made := func() (CallID, ExchangeID) {
		id, err := madeBy(w.s.Handle(w.now, StartCall{Spec: CallSpec{Method: "x", Params: []byte(`{"_meta":{"progressToken":"own"}}`)}}))
		if err != nil {
			t.Fatal(err)
		}
		w.pump()
		return id, w.post("x").X
	}
	first, x := made()
	w.stream(x)
	w.stop(first, "")
	w.later(10 * time.Second)
	w.hold = true
	second, _ := made()
	w.stop(second, "")
	w.want(second, Dropped, cancel.NoVerdict)
	w.recvOn(w.gets()[0].X, progressNote, `"own"`, 1)
	if n := w.row(first).AfterCount; n != 1 {
		t.Errorf("%d messages for the first call after its cancel: %v", n, w.s.CallEntries(nil, second, 10))
	}
}

func TestNoProgressIsDueWithoutAToken(t *testing.T) {
	requirements.Rows(t, "PRG-03", "PRG-08")
	r := ready(t, mcp.Rev20251125)
	r.made(CallSpec{Method: "x", NoProgress: true})
	if r.sent("progressToken") != 0 {
		t.Errorf("written: %v", r.lines)
	}
	id, _ := r.call("silent")
	r.wait(time.Minute)
	if len(r.s.Diagnostics()) != 0 || r.row(id).State != Running {
		t.Errorf("silence was found wrong: %v", r.s.Diagnostics())
	}
}

func TestProgressThatIsWrong(t *testing.T) {
	requirements.Rows(t, "PRG-04", "PRG-05", "PRG-10")
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	for range 3 {
		r.recv(progressNote, `"zz"`, 1)
	}
	for range 2 {
		r.recv(progressNote, `7`, 1)
	}
	unknown := 0
	for _, d := range r.s.Diagnostics() {
		if d.Code == mcp.DiagProgressToken {
			unknown++
		}
	}
	if unknown != 2 || r.diag(mcp.DiagProgressToken) != 5 {
		t.Errorf("%d unknown tokens in %d messages", unknown, r.diag(mcp.DiagProgressToken))
	}
	for _, v := range []string{"1", "5", "5", "3"} {
		r.recv(progressNote, token(wire), v)
	}
	if p := r.row(id).Progress; p.Value != 5 || p.Count != 2 || p.Invalid != 2 || r.diag(mcp.DiagProgressOrder) != 2 {
		t.Errorf("%+v, %d times not increasing", p, r.diag(mcp.DiagProgressOrder))
	}
	for _, d := range r.s.Diagnostics() {
		if d.Code == mcp.DiagProgressOrder && (d.Call != id || !strings.Contains(d.Describe(), "5 → 5")) {
			t.Errorf("it reads %q", d.Describe())
		}
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s}}`, token(wire))
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}`)
	r.wantDiag(mcp.DiagProgressMalformed, 2)
	r.recv(okAnswer, wire)
	before := r.row(id).Progress
	r.recv(progressNote, token(wire), 6)
	r.wantDiag(mcp.DiagProgressAfter, 1)
	if r.row(id).Progress != before || r.row(id).State != Done {
		t.Errorf("after the end: %+v", r.row(id))
	}
}

func TestProgressValues(t *testing.T) {
	requirements.Rows(t, "PRG-06", "PRG-07", "PRG-09")
	for _, tt := range []struct {
		params   string
		share    float64
		has      bool
		value    float64
		message  string
		timeline string
	}{
		{`"progress":0.2,"total":1.0`, 0.2, true, 0.2, "", "0.2/1"},
		{`"progress":1e-3,"total":1`, 0.001, true, 0.001, "", "0.001/1"},
		{`"progress":3,"total":7`, 3.0 / 7, true, 3, "", "3/7"},
		{`"progress":17`, 0, false, 17, "", "17"},
		{`"progress":0,"total":0`, 0, false, 0, "", "0"},
		{`"progress":9,"total":3`, 1, true, 9, "", "9/3"},
		{`"progress":1,"total":-3`, 0, false, 1, "", "1"},
		{`"progress":1,"total":1e999`, 0, false, 1, "", "1"},
		{`"progress":1,"message":"half \u0041\n"`, 0, false, 1, "half A\n", "1 half A\n"},
	} {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.call("t")
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,%s}}`, token(wire), tt.params)
		p := r.row(id).Progress
		share, has := p.Fraction()
		if p.Count != 1 || share != tt.share || has != tt.has || p.Value != tt.value || p.Message != tt.message {
			t.Errorf("%s: %+v, %v %v", tt.params, p, share, has)
		}
		d, _ := r.s.Detail(id)
		i := slices.IndexFunc(d.Timeline, func(m MomentView) bool { return m.Kind == MomProgress })
		if i < 0 || d.Timeline[i].Text != tt.timeline {
			t.Errorf("%s: the timeline reads %v", tt.params, d.Timeline)
		}
	}
}

func TestProgressIsClamped(t *testing.T) {
	requirements.Rows(t, "PRG-21")
	rng := rand.New(rand.NewPCG(1, 2))
	odd := []float64{0, -1, 1, 1e308, -1e308, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1), math.Inf(-1), math.NaN()}
	pick := func() float64 {
		if rng.IntN(2) == 0 {
			return odd[rng.IntN(len(odd))]
		}
		return math.Float64frombits(rng.Uint64())
	}
	r := ready(t, mcp.Rev20251125)
	id, _ := r.call("t")
	c := r.s.rows.get(id)
	last := 0.0
	for range 200_000 {
		n := &mcp.ProgressNote{Valid: true, Value: pick(), Total: pick(), HasTotal: rng.IntN(3) > 0}
		c.progress.hasTotal = false
		r.s.accept(c, n)
		p := c.progress.view()
		share, ok := p.Fraction()
		if math.IsNaN(share) || share < 0 || share > 1 || ok && p.Total <= 0 {
			t.Fatalf("%v of %v is %v", n.Value, n.Total, share)
		}
		if math.IsNaN(p.Value) || math.IsInf(p.Value, 0) || p.Value < last || p.Value < 0 {
			t.Fatalf("%v came after %v", p.Value, last)
		}
		last = p.Value
		if rng.IntN(100) == 0 {
			last, c.progress = 0, progress{}
		}
	}
	for _, v := range []string{"1e999", "-1", "-1e999", `"NaN"`, "null"} {
		r.recv(progressNote, token(r.row(id).Wire), v)
	}
	if n := r.diag(mcp.DiagProgressMalformed); n != 2 {
		t.Errorf("%d values are no numbers", n)
	}
}

// Also of progress that does not increase a bounded part is kept, and all of it is counted.
func TestAFloodOfProgressThatDoesNotIncreaseIsBounded(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	message := strings.Repeat("é", 1<<19)
	for i := range 30_000 {
		r.now = r.now.Add(10 * time.Millisecond)
		if i%1000 == 0 {
			r.feed(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":0,"message":%q}}`, token(wire), message)
			continue
		}
		r.feed(progressNote, token(wire), 0)
	}
	d, _ := r.s.Detail(id)
	size := 0
	for _, m := range d.Timeline {
		size += len(m.Text)
	}
	if d.Progress.Invalid != 29_999 || len(d.Timeline) != keepFirst+keepLast || d.Skipped == 0 || size > 300*maxMessage {
		t.Errorf("%d do not increase, %d moments of %d bytes, %d skipped", d.Progress.Invalid, len(d.Timeline), size, d.Skipped)
	}
}

func TestAFloodOfProgressIsBounded(t *testing.T) {
	requirements.Rows(t, "PRG-12")
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	message := strings.Repeat("é", 1<<19)
	for i := range 30_000 {
		r.now = r.now.Add(10 * time.Millisecond)
		if i%1000 == 0 {
			r.feed(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"message":%q}}`, token(wire), i+1, message)
			continue
		}
		r.feed(progressNote, token(wire), i+1)
	}
	d, _ := r.s.Detail(id)
	if d.Progress.Count != 30_000 || len(d.Timeline) != keepFirst+keepLast || d.Skipped == 0 {
		t.Errorf("%d counted, %d moments, %d skipped", d.Progress.Count, len(d.Timeline), d.Skipped)
	}
	told := d.Skipped
	for _, m := range d.Timeline {
		if m.Kind == MomProgress {
			told += max(1, m.Count)
		}
	}
	if told != 30_000 {
		t.Errorf("%d messages are told, or told as left out: %d", told, d.Skipped)
	}
	size := len(r.s.rows.get(id).progress.message)
	for _, m := range d.Timeline {
		size += len(m.Text)
	}
	if size > 300*maxMessage {
		t.Errorf("%d bytes of messages are kept", size)
	}
	c := r.s.rows.get(id)
	r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":99999,"message":%q}}`, token(wire), message)
	if m := r.row(id).Progress.Message; !strings.HasPrefix(m, "éééé") || !strings.HasSuffix(m, "é…") || len(c.progress.message) > 2*maxMessage {
		t.Errorf("a long message reads %.20q … %d bytes", m, len(m))
	}
}

func TestProgressInOneMoment(t *testing.T) {
	r := ready(t, mcp.Rev20251125)
	id, wire := r.call("t")
	for i := range 5 {
		r.recv(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":5,"message":"m%d"}}`, token(wire), i+1, i)
		r.now = r.now.Add(10 * time.Millisecond)
	}
	r.now = r.now.Add(progressMerge)
	r.recv(progressNote, token(wire), 6)
	d, _ := r.s.Detail(id)
	var texts []string
	for _, m := range d.Timeline {
		if m.Kind == MomProgress {
			texts = append(texts, fmt.Sprint(m.Text, " ×", m.Count))
		}
	}
	if got := fmt.Sprint(texts); got != "[5/5 m4 ×5 6 ×0]" {
		t.Errorf("the timeline reads %s", got)
	}
}
