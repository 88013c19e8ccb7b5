package session

import (
	"encoding/json"
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

	"belay/internal/requirements"
	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

func TestMessagesAfterTheCancelAreCounted(t *testing.T) {
	requirements.Rows(t, "CXL-17", "CXL-28", "PRG-20")
	r := ready(t, mcp.Rev20251125)
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
	r.want(id, Cancelled, cancel.StillWorking)
}

// The answer may come at any moment around the cancel: the row ends once, and
// nothing is found wrong.
func TestTheRaceOfAnswerAndCancel(t *testing.T) {
	requirements.Rows(t, "CXL-24", "CXL-27", "SD0-02")
	for i := range 200 {
		r := ready(t, mcp.Rev20251125)
		id, wire := r.call("t")
		at := time.Duration(i-100) * 50 * time.Microsecond // 5 ms before to 5 ms after
		answered := func() { r.recv(okAnswer, wire) }
		r.wait(10*time.Millisecond + min(at, 0))
		if at < 0 {
			answered()
			r.want(id, Done, cancel.NoVerdict)
			if _, err := r.s.Handle(r.now, Cancel{Call: id}); err == nil {
				t.Fatal("what has ended was cancelled")
			}
			r.pull()
		} else {
			r.cancel(id, "")
			r.wait(at)
			answered()
			r.want(id, Cancelled, cancel.Crossed)
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
	requirements.Rows(t, "CXL-29")
	legal := map[[2]State]bool{
		{0, Queued}: true, {Queued, Running}: true, {Queued, Dropped}: true,
		{Running, Done}: true, {Running, Failed}: true, {Running, Cancelling}: true, {Running, Lost}: true, {Running, Dropped}: true,
		{Cancelling, Cancelled}: true, {Cancelling, Done}: true, {Cancelling, Failed}: true,
	}
	for from := State(0); from <= Lost; from++ {
		for to := Queued; to <= Lost; to++ {
			s := New(Config{}, origin)
			c := &call{req: &request{}}
			s.rows.add(c)
			c.state = from
			s.move(c, outcome{to: to})
			if got := c.state == to && s.fault == nil; got != legal[[2]State{from, to}] && from != to {
				t.Errorf("%v → %v: %v (%v)", from, to, got, s.fault)
			}
			if from.IsTerminal() && s.fault == nil {
				t.Errorf("%v → %v, and nobody noticed", from, to)
			}
		}
	}
}

func TestEveryMethodCanBeCancelled(t *testing.T) {
	requirements.Rows(t, "CXL-37", "SDX-06")
	for _, rev := range mcp.Supported() {
		r := ready(t, rev)
		for _, method := range []string{
			"tools/call", "tools/list", "prompts/get", "prompts/list", "resources/read", "resources/list", "resources/templates/list",
			"completion/complete", "logging/setLevel", "ping", "server/discover", "tasks/get", "tasks/result", "no/such",
		} {
			r.lines = nil
			id, wire := r.made(CallSpec{Method: method})
			r.cancel(id, "r")
			if r.sent(string(mcp.AppendCancelled(nil, wire, "r"))) != 1 || len(r.lines) != 2 {
				t.Errorf("%s %s: %v", rev, method, r.lines)
			}
		}
	}
}

func TestTheLogOfCancellations(t *testing.T) {
	requirements.Rows(t, "CXL-25", "SD0-17", "SD0-18", "SD0-29", "SD3-10", "FR-10")
	r := ready(t, mcp.Rev20251125)
	play := map[cancel.Initiator]func() mcp.ID{
		cancel.ByUser: func() mcp.ID {
			id, wire := r.call("t")
			r.cancel(id, "by hand")
			return wire
		},
		cancel.ByTimeout: func() mcp.ID {
			_, wire := r.made(CallSpec{Method: "tools/call", Idle: time.Second})
			r.wait(time.Second)
			return wire
		},
		cancel.ByRule: func() mcp.ID {
			_, wire := r.made(CallSpec{Method: "tools/call", Rules: Rules{After: time.Second, Reason: "rule"}})
			r.wait(time.Second)
			return wire
		},
		cancel.ByServer: func() mcp.ID {
			r.recv(samplingAsk, 77)
			r.recv(cancelledNote, 77)
			return mcp.IntID(77)
		},
		cancel.ByDisconnect: func() mcp.ID {
			_, wire := r.call("t")
			r.s.Tell(r.now, Disconnect{Reason: "the user disconnected"})
			r.pull()
			return wire
		},
		cancel.ByQuit: func() mcp.ID {
			r = ready(t, mcp.Rev20251125)
			_, wire := r.call("t")
			r.s.Tell(r.now, Quit{})
			r.pull()
			return wire
		},
	}
	reasons := map[cancel.Initiator]string{
		cancel.ByUser: "by hand", cancel.ByTimeout: "timeout: silent for 1s", cancel.ByRule: "rule", cancel.ByServer: "changed my mind", cancel.ByQuit: "belay is quitting",
		cancel.ByDisconnect: "the user disconnected",
	}
	for _, by := range []cancel.Initiator{cancel.ByUser, cancel.ByTimeout, cancel.ByRule, cancel.ByServer, cancel.ByDisconnect, cancel.ByQuit} {
		t.Run(by.String(), func(t *testing.T) {
			before, from := r, len(r.s.CancelEvents())
			wire := play[by]()
			r.pull()
			if r != before {
				from = 0
			}
			all := r.s.CancelEvents()[from:]
			first, last := all[0], all[len(all)-1]
			wanted, sent := CancelWanted, CancelSent
			if by == cancel.ByServer {
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
			if by == cancel.ByServer {
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
	r := ready(t, mcp.Rev20251125)
	for i := range maxEvents + 5 {
		r.feed(cancelledNote, 10_000+i)
	}
	r.recv(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"%s","reason":"%s"}}`,
		strings.Repeat("i", 1<<20), strings.Repeat("r", 1<<20))
	all := r.s.CancelEvents()
	if len(all) != maxEvents || all[0].ID != mcp.IntID(10_006) {
		t.Fatalf("%d entries, the oldest is of %v", len(all), all[0].ID)
	}
	if e := all[len(all)-1]; len(e.Reason) > maxReason || len(e.ID.String()) > 2*sentence.Limit {
		t.Errorf("a reason of %d bytes, an ID of %d", len(e.Reason), len(e.ID.String()))
	}
}

func TestLateAnswersAreLabelled(t *testing.T) {
	requirements.Rows(t, "CXL-34", "SD0-11", "SD0-30")
	for _, after := range []time.Duration{4900 * time.Millisecond, 4999 * time.Millisecond, time.Hour} {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
		id, wire := r.call("slow")
		r.cancel(id, "")
		r.wait(after)
		r.recv(okAnswer, wire)
		d, _ := r.s.Detail(id)
		if d.State != Cancelled || d.Verdict != cancel.AnsweredLate || d.Result != nil || d.Late == nil || d.Late.After != after {
			t.Errorf("after %v: %v · %v, late %+v", after, d.State, d.Verdict, d.Late)
		}
		if e, _ := r.s.Entry(lastEntry(r)); e.Flags&FlagLate == 0 || e.Call != id {
			t.Errorf("the message is not marked: %+v", e)
		}
	}
	t.Run("memory is bounded, and what is forgotten is unknown, never a success", func(t *testing.T) {
		r := ready(t, mcp.Rev20251125, func(c *Config) { c.NoProbe = true })
		first, wire := r.call("t")
		r.cancel(first, "")
		r.recv(okAnswer, wire)
		var last mcp.ID
		r.s.outgoing.limit = 1000
		for range 1100 {
			id, w := r.call("t")
			r.cancel(id, "")
			r.feed(errorAnswer, w)
			r.lines, last = nil, w
		}
		if n := len(r.s.outgoing.past); n != 1000 || len(r.s.outgoing.ring) > 2100 || len(r.s.outgoing.open) != 0 {
			t.Errorf("%d remembered, %d open", n, len(r.s.outgoing.open))
		}
		r.recv(okAnswer, wire)
		r.wantDiag(mcp.DiagUnknownAnswer, 1)
		r.recv(okAnswer, last)
		r.wantDiag(mcp.DiagDuplicateAnswer, 1)
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
	requirements.Rows(t, "SD0-26")
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
					if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "AppendCancelled" {
						users = append(users, fn.Name.Name)
					}
				}
				return true
			})
		}
	}
	if !slices.Equal(users, []string{"cancelByNote", "sendWrong"}) {
		t.Errorf("AppendCancelled is called in %v, want cancelByNote, which takes a row, and what sends a wrong one on purpose", users)
	}
}

// Each cancel has a reason that can be read: the user's own, or that of whoever
// else wanted it. It is kept short, and no character of it is cut in two.
func TestEveryCancelSaysWhy(t *testing.T) {
	requirements.Rows(t, "CXL-11")
	for name, tt := range map[string]struct{ config, given, want string }{
		"the user's own":    {"", "falscher Zweig – 間違い", "falscher Zweig – 間違い"},
		"none":              {"", "", "User requested cancellation"},
		"the configuration": {"enough", "", "enough"},
		"the user's first":  {"enough", "no", "no"},
		"several lines":     {"", "a\nb\u0000", "a\nb\u0000"},
		"no Unicode":        {"", "caf\xe9", "caf\uFFFD"},
		"too long":          {"", strings.Repeat("x", 2000), strings.Repeat("x", 1000)},
		"cut before a half": {"", strings.Repeat("x", 999) + "間違い", strings.Repeat("x", 999)},
	} {
		for _, rev := range []mcp.Revision{mcp.Rev20241105, mcp.Rev20251125, mcp.Rev20260728} {
			t.Run(name+" "+string(rev), func(t *testing.T) {
				r := ready(t, rev, func(c *Config) { c.Reason = tt.config })
				id, _ := r.call("slow")
				r.lines = nil
				r.cancel(id, tt.given)
				var m struct {
					Method string
					Params struct{ Reason string }
				}
				if err := json.Unmarshal([]byte(r.lines[0]), &m); err != nil || m.Method != "notifications/cancelled" || m.Params.Reason != tt.want {
					t.Errorf("written: %s, %v; want the reason %q", r.lines[0], err, tt.want)
				}
				if d, _ := r.s.Detail(id); d.Reason != tt.want {
					t.Errorf("shown: %q, want %q", d.Reason, tt.want)
				}
			})
		}
	}
}
