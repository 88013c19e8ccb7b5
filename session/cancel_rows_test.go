package session

import (
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"belay/internal/covers"
)

func TestMessagesAfterTheCancelAreCounted(t *testing.T) {
	covers.Rows(t, "CXL-17", "CXL-28", "PRG-20")
	r := ready(t, Rev20251125)
	id, wire := r.call("slow")
	r.recv(progressNote, token(wire), 1)
	r.cancel(id, "")
	before := r.row(id).Progress
	for i := range 20 {
		r.recv(progressNote, token(wire), i+2)
	}
	row := r.row(id)
	if row.AfterCount != 20 || row.State != Cancelling || row.Progress != before || len(r.s.Diagnostics()) != 0 {
		t.Errorf("%+v, found wrong %v", row, r.s.Diagnostics())
	}
	r.pings = true
	r.wait(4500 * time.Millisecond)
	r.recv(progressNote, token(wire), 99)
	r.wait(time.Second)
	r.want(id, Cancelled, StillWorking)
}

// The answer may come at any moment around the cancel: the row ends once, and
// nothing is found wrong.
func TestTheRaceOfAnswerAndCancel(t *testing.T) {
	covers.Rows(t, "CXL-24", "CXL-27", "SD0-02")
	for i := range 200 {
		r := ready(t, Rev20251125)
		id, wire := r.call("t")
		at := time.Duration(i-100) * 50 * time.Microsecond // 5 ms before to 5 ms after
		answered := func() { r.recv(okAnswer, wire) }
		r.wait(10*time.Millisecond + min(at, 0))
		if at < 0 {
			answered()
			r.want(id, Done, NoVerdict)
			if err := r.s.Cancel(r.now, id, ""); err == nil {
				t.Fatal("what has ended was cancelled")
			}
			r.pull()
		} else {
			r.cancel(id, "")
			r.wait(at)
			answered()
			r.want(id, Cancelled, Crossed)
		}
		if got, want := r.sent("cancelled"), map[bool]int{true: 0, false: 1}[at < 0]; got != want {
			t.Fatalf("%d cancels were written, want %d", got, want)
		}
		if ds := r.s.Diagnostics(); len(ds) != 0 {
			t.Fatalf("found wrong: %v", ds)
		}
	}
}

func TestOnlyTheEdgesOfTheDesignExist(t *testing.T) {
	covers.Rows(t, "CXL-29")
	legal := map[[2]State]bool{
		{0, Queued}: true, {Queued, Running}: true, {Queued, Dropped}: true,
		{Running, Done}: true, {Running, Failed}: true, {Running, Cancelling}: true, {Running, Lost}: true,
		{Cancelling, Cancelled}: true, {Cancelling, Done}: true, {Cancelling, Failed}: true,
	}
	for from := State(0); from <= Lost; from++ {
		for to := Queued; to <= Lost; to++ {
			s := New(Config{}, origin)
			c := &call{req: &request{}}
			s.rows.add(c)
			c.state = from
			s.move(c, to)
			if got := c.state == to && s.fault == nil; got != legal[[2]State{from, to}] && from != to {
				t.Errorf("%v → %v: %v (%v)", from, to, got, s.fault)
			}
			if from.Terminal() && s.fault == nil {
				t.Errorf("%v → %v, and nobody noticed", from, to)
			}
		}
	}
}

func TestEveryMethodCanBeCancelled(t *testing.T) {
	covers.Rows(t, "CXL-37", "SDX-06")
	for _, rev := range Supported() {
		r := ready(t, rev)
		for _, method := range []string{
			"tools/call", "tools/list", "prompts/get", "prompts/list", "resources/read", "resources/list", "resources/templates/list",
			"completion/complete", "logging/setLevel", "ping", "server/discover", "tasks/get", "tasks/result", "no/such",
		} {
			r.lines = nil
			id, wire := r.made(Call{Method: method})
			r.cancel(id, "r")
			if r.sent(string(AppendCancelled(nil, wire, "r"))) != 1 || len(r.lines) != 2 {
				t.Errorf("%s %s: %v", rev, method, r.lines)
			}
		}
	}
}

func TestTheLogOfCancellations(t *testing.T) {
	covers.Rows(t, "CXL-25", "SD0-17", "SD0-18", "SD0-29", "SD3-10", "FR-10")
	r := ready(t, Rev20251125)
	play := map[Initiator]func() ID{
		ByUser: func() ID {
			id, wire := r.call("t")
			r.cancel(id, "by hand")
			return wire
		},
		ByTimeout: func() ID {
			_, wire := r.made(Call{Method: "tools/call", Idle: time.Second})
			r.wait(time.Second)
			return wire
		},
		ByRule: func() ID {
			_, wire := r.made(Call{Method: "tools/call", Rules: Rules{After: time.Second, Reason: "rule"}})
			r.wait(time.Second)
			return wire
		},
		ByServer: func() ID {
			r.recv(samplingAsk, 77)
			r.recv(cancelledNote, 77)
			return IntID(77)
		},
		ByQuit: func() ID {
			_, wire := r.call("t")
			r.s.Quit(r.now)
			r.pull()
			return wire
		},
	}
	reasons := map[Initiator]string{
		ByUser: "by hand", ByTimeout: "timeout: silent for 1s", ByRule: "rule", ByServer: "changed my mind", ByQuit: "belay is quitting",
	}
	for _, by := range []Initiator{ByUser, ByTimeout, ByRule, ByServer, ByQuit} {
		t.Run(by.String(), func(t *testing.T) {
			from := len(r.s.CancelEvents())
			wire := play[by]()
			r.pull()
			all := r.s.CancelEvents()[from:]
			first, last := all[0], all[len(all)-1]
			wanted, sent := CancelWanted, CancelSent
			if by == ByServer {
				wanted, sent = CancelReceived, CancelReceived
			}
			if first.Stage != wanted || last.Stage != sent || last.ID != wire {
				t.Errorf("logged %v … %v of %v", first.Stage, last.Stage, last.ID)
			}
			attrs := map[string]string{}
			for _, a := range last.LogValue().Group() {
				attrs[a.Key] = a.Value.String()
			}
			want := []string{"age", "direction", "id_type", "in_flight", "initiator", "method", "reason", "request_id", "revision", "server", "time"}
			if got := slices.Sorted(maps.Keys(attrs)); !slices.Equal(got, want) {
				t.Errorf("attributes %v", got)
			}
			direction := "outgoing"
			if by == ByServer {
				direction = "incoming"
			}
			for k, v := range map[string]string{
				"initiator": by.String(), "reason": reasons[by], "request_id": wire.String(), "id_type": "number",
				"server": "peer", "revision": "2025-11-25", "direction": direction,
				"time": r.now.UTC().Format(time.RFC3339Nano), "in_flight": fmt.Sprint(r.s.Status().InFlight),
			} {
				if attrs[k] != v {
					t.Errorf("%s is %q, want %q", k, attrs[k], v)
				}
			}
			if last.Level() != slog.LevelInfo {
				t.Errorf("level %v", last.Level())
			}
		})
	}
}

func TestTheLogOfCancellationsIsBounded(t *testing.T) {
	r := ready(t, Rev20251125)
	for i := range maxEvents + 5 {
		r.feed(cancelledNote, 10_000+i)
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%s","reason":"%s"}}`,
		strings.Repeat("i", 1<<20), strings.Repeat("r", 1<<20))
	all := r.s.CancelEvents()
	if len(all) != maxEvents || all[0].ID != IntID(10_006) {
		t.Fatalf("%d entries, the oldest is of %v", len(all), all[0].ID)
	}
	if e := all[len(all)-1]; len(e.Reason) > maxReason || len(e.ID.String()) > 2*maxSubject {
		t.Errorf("a reason of %d bytes, an ID of %d", len(e.Reason), len(e.ID.String()))
	}
}

func TestLateAnswersAreLabelled(t *testing.T) {
	covers.Rows(t, "CXL-34", "SD0-11", "SD0-30")
	for _, after := range []time.Duration{4900 * time.Millisecond, 4999 * time.Millisecond, time.Hour} {
		r := ready(t, Rev20251125, func(c *Config) { c.NoProbe = true })
		id, wire := r.call("slow")
		r.cancel(id, "")
		r.wait(after)
		r.recv(okAnswer, wire)
		d, _ := r.s.Detail(id)
		if d.State != Cancelled || d.Verdict != AnsweredLate || d.Result != nil || d.Late == nil || d.Late.After != after {
			t.Errorf("after %v: %v · %v, late %+v", after, d.State, d.Verdict, d.Late)
		}
		if e, _ := r.s.Entry(lastEntry(r)); e.Flags&FlagLate == 0 || e.Call != id {
			t.Errorf("the message is not marked: %+v", e)
		}
	}
	t.Run("memory is bounded, and what is forgotten is unknown, never a success", func(t *testing.T) {
		r := ready(t, Rev20251125, func(c *Config) { c.NoProbe = true })
		first, wire := r.call("t")
		r.cancel(first, "")
		r.recv(okAnswer, wire)
		var last ID
		r.s.ours.limit = 1000
		for range 1100 {
			id, w := r.call("t")
			r.cancel(id, "")
			r.feed(errorAnswer, w)
			r.lines, last = nil, w
		}
		if n := len(r.s.ours.past); n != 1000 || len(r.s.ours.ring) > 2100 || len(r.s.ours.open) != 0 {
			t.Errorf("%d remembered, %d open", n, len(r.s.ours.open))
		}
		r.recv(okAnswer, wire)
		r.wantDiag(DiagUnknownAnswer, 1)
		r.recv(okAnswer, last)
		r.wantDiag(DiagDuplicateAnswer, 1)
	})
}

func lastEntry(r *rig) Seq {
	_, last := r.s.HistorySpan()
	for ; ; last-- {
		if e, ok := r.s.Entry(last); !ok || e.Dir == In {
			return last
		}
	}
}

// The notification is built in one place, from a row.
func TestOneFunctionBuildsTheCancel(t *testing.T) {
	covers.Rows(t, "SD0-26")
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var users []string
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(gotoken.NewFileSet(), f.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "AppendCancelled" {
						users = append(users, fn.Name.Name)
					}
				}
				return true
			})
		}
	}
	if !slices.Equal(users, []string{"stopCall"}) {
		t.Errorf("AppendCancelled is called in %v, want stopCall alone, which takes a row", users)
	}
}

// Only an answer to something that was written after the cancel shows that the
// server has read it.
func TestAProbeTellsOnlyOfEarlierCancels(t *testing.T) {
	short := func(c *Config) { c.Grace = time.Second }
	pings := func(r *rig) (ids []string) {
		for _, l := range r.lines {
			if m := read(r.t, l); m.Method == "ping" {
				ids = append(ids, string(m.ID))
			}
		}
		return ids
	}
	t.Run("a younger cancel gets a probe of its own", func(t *testing.T) {
		r := ready(t, Rev20251125, short)
		one, _ := r.call("one")
		two, _ := r.call("two")
		three, _ := r.call("three")
		r.cancel(one, "")
		r.cancel(two, "")
		r.wait(1100 * time.Millisecond) // one probe for both is out
		r.cancel(three, "")
		r.wait(1100 * time.Millisecond)
		if n := len(pings(r)); n != 2 {
			t.Fatalf("%d probes, want 2", n)
		}
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[0])
		r.want(one, Cancelled, Quiet)
		r.want(two, Cancelled, Quiet)
		r.want(three, Cancelling, NoVerdict)
		r.wait(2 * time.Second)
		r.want(three, Cancelled, ServerUnresponsive)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[1])
		r.want(three, Cancelled, Quiet)
	})
	t.Run("a late probe is not waited for again", func(t *testing.T) {
		r := ready(t, Rev20251125)
		one, _ := r.call("one")
		r.cancel(one, "")
		r.wait(8 * time.Second)
		r.want(one, Cancelled, ServerUnresponsive)
		two, _ := r.call("two")
		r.cancel(two, "")
		r.wait(6 * time.Second)
		r.want(two, Cancelling, NoVerdict)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[0])
		r.want(one, Cancelled, Quiet)
		r.want(two, Cancelling, NoVerdict)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[1])
		r.want(two, Cancelled, Quiet)
	})
	t.Run("nor by a row whose cancel is older than it", func(t *testing.T) {
		r := ready(t, Rev20251125)
		one, _ := r.call("one")
		two, _ := r.call("two")
		r.cancel(one, "")
		r.wait(3 * time.Second)
		r.cancel(two, "")
		r.wait(5*time.Second + time.Millisecond) // the probe for one was late at 7 s
		r.want(one, Cancelled, ServerUnresponsive)
		r.want(two, Cancelling, NoVerdict)
		if n := len(pings(r)); n != 2 {
			t.Errorf("%d probes, want 2", n)
		}
	})
	t.Run("the probe is late two seconds after it was wanted, for all who wait", func(t *testing.T) {
		r := ready(t, Rev20251125, func(c *Config) { c.Grace = 5 * time.Second })
		one, _ := r.call("one")
		two, _ := r.call("two")
		r.cancel(one, "")
		r.wait(1500 * time.Millisecond)
		r.cancel(two, "")
		r.wait(5499 * time.Millisecond) // the probe of one has been out for 1.999 s, since 5 s
		r.want(one, Cancelling, NoVerdict)
		r.want(two, Cancelling, NoVerdict)
		r.wait(time.Millisecond)
		r.want(one, Cancelled, ServerUnresponsive)
		r.want(two, Cancelled, ServerUnresponsive)
		if n := len(pings(r)); n != 1 {
			t.Errorf("%d probes, want 1", n)
		}
	})
	t.Run("an answer at the very moment when the probe is late", func(t *testing.T) {
		r := ready(t, Rev20251125)
		one, _ := r.call("one")
		r.cancel(one, "")
		r.wait(7 * time.Second)
		r.want(one, Cancelled, ServerUnresponsive)
		r.recv(`{"jsonrpc":"2.0","id":%s,"result":{}}`, pings(r)[0])
		r.want(one, Cancelled, Quiet)
	})
	t.Run("any answer to something written later will do", func(t *testing.T) {
		r := ready(t, Rev20251125, func(c *Config) { c.NoProbe = true })
		before, beforeWire := r.call("before")
		one, _ := r.call("one")
		r.cancel(one, "")
		_, laterWire := r.call("later")
		r.wait(6 * time.Second)
		r.want(one, Cancelled, NothingHeard)
		r.recv(okAnswer, beforeWire)
		r.want(before, Done, NoVerdict)
		r.want(one, Cancelled, NothingHeard)
		r.recv(okAnswer, laterWire)
		r.want(one, Cancelled, Quiet)
	})
}

func TestTheGraceBeginsWithTheLastByte(t *testing.T) {
	r := ready(t, Rev20251125, func(c *Config) { c.NoProbe = true })
	id, _ := r.call("slow")
	r.mute = true
	r.cancel(id, "")
	r.wait(3 * time.Second)
	out, _ := r.s.Next(r.now)
	r.wait(time.Second)
	if !r.row(id).Unsent {
		t.Error("handed out is not written")
	}
	r.s.Sent(r.now, out.Seq)
	r.wait(5*time.Second - 1)
	r.want(id, Cancelling, NoVerdict)
	r.wait(1)
	r.want(id, Cancelled, NothingHeard)
}

func TestTheBoundOfCrossed(t *testing.T) {
	for _, tt := range []struct {
		name      string
		roundTrip time.Duration // of a call before
		lag       time.Duration
		want      Verdict
	}{
		{"none was seen", 0, 20 * time.Millisecond, Crossed},
		{"none was seen, later", 0, 20*time.Millisecond + 1, AnsweredLate},
		{"a short one", 3 * time.Millisecond, 3 * time.Millisecond, Crossed},
		{"a short one, later", 3 * time.Millisecond, 3*time.Millisecond + 1, AnsweredLate},
		{"a long one", time.Minute, 100 * time.Millisecond, Crossed},
		{"a long one, later", time.Minute, 100*time.Millisecond + 1, AnsweredLate},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := ready(t, Rev20251125)
			if tt.roundTrip > 0 {
				_, wire := r.call("first")
				r.wait(tt.roundTrip)
				r.recv(okAnswer, wire)
			}
			id, wire := r.call("t")
			r.wait(time.Second)
			r.cancel(id, "")
			r.wait(tt.lag)
			r.recv(okAnswer, wire)
			r.want(id, Cancelled, tt.want)
		})
	}
}

func TestCancelledLists(t *testing.T) {
	r := opened(t, Config{})
	r.recv(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"peer","version":"1"}}}`)
	r.recv(`{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{}}]}}`)
	tools := func() List { return r.s.Catalog().Lists[Tools] }
	if l := tools(); len(l.Items) != 1 || !l.Complete {
		t.Fatalf("%+v", l)
	}
	changed := `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	r.recv("%s", changed)
	r.wait(time.Second)
	if n := r.s.CancelAll(r.now, ""); n != 1 || !tools().Loading {
		t.Fatalf("%d cancelled, loading %v", n, tools().Loading)
	}
	r.pull()
	r.pings = true
	r.wait(10 * time.Second)
	if l := tools(); l.Loading || l.Problem == "" || len(l.Items) != 1 {
		t.Errorf("after the cancel: %+v", l)
	}
	r.recv("%s", changed)
	r.wait(time.Second)
	rows := r.s.InFlight(nil, 10)
	if len(rows) != 1 || rows[0].Method != "tools/list" {
		t.Fatalf("a later change is not fetched: %+v", rows)
	}
	r.recv(errorAnswer, rows[0].Wire)
	if l := tools(); l.Loading || l.Complete || len(l.Items) != 1 || !strings.Contains(l.Problem, "broken") {
		t.Errorf("after an error what was listed stays: %+v", l)
	}
	if _, ok := r.s.Deadline(); ok {
		t.Error("a timer is left")
	}
}
