//go:build unix

package headless

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"belay/internal/demo"
	"belay/internal/peer"
	"belay/internal/requirements"
	"belay/mcpclient"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
)

// playsDemo has the test binary be the demo server.
const playsDemo = "BELAY_TEST_DEMO"

// patience is how long anything may take before a test gives up.
const patience = 60 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(playsDemo) != "" {
		if err := demo.Run(context.Background(), os.Stdin, os.Stdout, os.Stderr); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func within(t *testing.T) context.Context {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), patience)
	t.Cleanup(stop)
	return ctx
}

func demoOptions(t *testing.T) mcpclient.Options {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return mcpclient.Options{
		Command: []string{exe}, Env: []string{playsDemo + "=1", "GORACE=atexit_sleep_ms=0"},
		Session: session.Config{DiscoverLimit: -1, Grace: 300 * time.Millisecond},
	}
}

// connected is a runner whose server is ready; it is closed with the test, and then
// nothing of the server is left.
func connected(t *testing.T, o mcpclient.Options) *Runner {
	t.Helper()
	c := mcpclient.New(o)
	r := New(c)
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), patience)
		defer stop()
		if err := r.Close(ctx); err != nil || ctx.Err() != nil {
			t.Errorf("Close: %v, %v", err, ctx.Err())
		}
		if pid := c.Process().PID; pid != 0 && !errors.Is(syscall.Kill(-pid, 0), syscall.ESRCH) {
			t.Errorf("something of the group of %d is left", pid)
		}
	})
	st, err := r.Connect(within(t))
	if err != nil {
		t.Fatalf("Connect: %v", err)
	}
	if st.Phase != session.Ready || st.Server.Name == "" {
		t.Fatalf("%+v", st)
	}
	return r
}

func tool(name, arguments string) session.CallSpec {
	return session.CallSpec{Method: "tools/call", Params: []byte(`{"name":"` + name + `","arguments":` + arguments + `}`)}
}

func TestACallFromItsStartToItsResult(t *testing.T) {
	r := connected(t, demoOptions(t))
	item, names, ok, err := r.Tool(within(t), "echo")
	if err != nil || !ok || item.Name != "echo" || len(item.InputSchema) == 0 {
		t.Fatalf("%v, %v, %v, %v", item, names, ok, err)
	}
	if _, names, ok, err = r.Tool(within(t), "ecko"); ok || err != nil || len(names) < 10 {
		t.Errorf("%v, %v, %v", names, ok, err)
	}
	for k := range mcp.NumLists {
		if l, err := r.List(within(t), k); err != nil || l.Declared && len(l.Items) == 0 {
			t.Errorf("%v: %v, %v", k, l, err)
		}
	}
	id, err := r.Call(tool("countdown", `{"from":4,"interval_ms":20}`))
	if err != nil {
		t.Fatal(err)
	}
	var last Event
	d, err := r.Watch(within(t), id, func(e Event) { last = e })
	if err != nil || d.State != session.Done || len(d.Result) == 0 {
		t.Errorf("%v: %+v", err, d.Row)
	}
	if last.Row.State != session.Done || last.Row.Progress.Count == 0 {
		t.Errorf("the last that was told: %+v", last.Row)
	}
	if _, err := r.Call(session.CallSpec{}); err == nil {
		t.Error("a call without a method was made")
	}
}

// A cancel from within the watch, and its verdict with the evidence.
func TestACancelAndItsVerdict(t *testing.T) {
	requirements.Rows(t, "CXL-23")
	r := connected(t, demoOptions(t))
	for name, want := range map[string]cancel.Verdict{"stubborn": cancel.AnsweredLate, "countdown": cancel.Quiet} {
		arguments := map[string]string{"stubborn": `{"seconds":5}`, "countdown": `{"from":1000}`}[name]
		id, err := r.Call(tool(name, arguments))
		if err != nil {
			t.Fatal(err)
		}
		asked := false
		d, err := r.Watch(within(t), id, func(e Event) {
			if !asked && e.Row.State == session.Running {
				asked = true
				if err := r.Cancel(id, "of a test"); err != nil {
					t.Error(err)
				}
			}
		})
		if err != nil || d.State != session.Cancelled || d.Reason != "of a test" || len(d.Evidence) == 0 {
			t.Errorf("%s: %v: %+v", name, err, d)
		}
		is := func(v cancel.Verdict) bool { return v == want || want == cancel.Quiet && v == cancel.EndedAfter }
		if !is(d.Verdict) { // over its grace it may be silent, and on a busy machine its answer to the ping comes later
			err = r.Await(within(t), func(s *session.Session) bool {
				row, _ := s.Row(id)
				d.Verdict = row.Verdict
				return is(row.Verdict)
			})
		}
		if err != nil {
			t.Errorf("%s: %v, %v", name, d.Verdict, err)
		}
		if err := r.Cancel(id, ""); err == nil {
			t.Error("what has ended was cancelled once more")
		}
	}
}

// What the server asks is told with the call, and answered, declined or dismissed.
func TestWhatTheServerAsks(t *testing.T) {
	r := connected(t, demoOptions(t))
	for name, act := range map[string]func(session.QuestionView) error{
		"accept":  func(p session.QuestionView) error { return r.Answer(p.ID, []byte(`{"action":"cancel"}`)) },
		"decline": r.Decline,
		"dismiss": r.Dismiss,
	} {
		id, err := r.Call(tool("ask_form", `{}`))
		if err != nil {
			t.Fatal(err)
		}
		asked := 0
		d, err := r.Watch(within(t), id, func(e Event) {
			for _, p := range e.Questions {
				if p.State == session.Waiting {
					asked++
					if err := act(p); err != nil {
						t.Errorf("%s: %v", name, err)
					}
				}
			}
		})
		if err != nil || asked != 1 || d.State == session.Lost {
			t.Errorf("%s: asked %d times, %v: %+v", name, asked, err, d.Row)
		}
	}
	if left := r.Waiting(); len(left) > 0 {
		t.Errorf("%v", left)
	}
}

// A server that dies takes its call with it, and one that cannot be run or refuses says so.
func TestNoConnection(t *testing.T) {
	r := connected(t, demoOptions(t))
	id, err := r.Call(tool("crash", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	if d, err := r.Watch(within(t), id, nil); err != nil || d.State != session.Lost {
		t.Errorf("%v: %+v", err, d.Row)
	}
	var failed *ConnectError
	if _, err := r.Ready(within(t)); !errors.As(err, &failed) || failed.Failure == nil {
		t.Errorf("%v", err)
	}

	for what, command := range map[string][]string{"nothing to run": {"/nonexistent/program"}, "it ends at once": {"sh", "-c", "exit 3"}} {
		c := New(mcpclient.New(mcpclient.Options{Command: command}))
		if _, err := c.Connect(within(t)); !errors.As(err, &failed) || err.Error() == "" {
			t.Errorf("%s: %v", what, err)
		}
		if err := c.Close(within(t)); err != nil {
			t.Error(err)
		}
	}
}

// Every wait ends with its context, and all of them with the runner.
func TestWaitsEnd(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
	o := mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: p.URL()}, Session: session.Config{DiscoverLimit: -1}}
	r := connected(t, o)
	id, err := r.Call(tool("slow", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	p.Await("tools/call")
	ctx, stop := context.WithCancel(within(t))
	time.AfterFunc(20*time.Millisecond, stop)
	if d, err := r.Watch(ctx, id, nil); !errors.Is(err, context.Canceled) || d.State != session.Running {
		t.Errorf("%v: %+v", err, d.Row)
	}
	if err := r.Await(ctx, func(*session.Session) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	ended := make(chan error)
	go func() { ended <- r.Await(context.Background(), func(*session.Session) bool { return false }) }()
	short, cut := context.WithTimeout(within(t), 10*time.Millisecond)
	defer cut()
	_ = r.Close(short) // which kills what is left, and waits for that
	if err := <-ended; !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if d, _ := r.Detail(id); !d.State.IsTerminal() {
		t.Errorf("%+v", d.Row)
	}
}

// Ten thousand notifications of progress are a few events, and the last of them is told.
func TestAFloodOfProgressIsAFewEvents(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
	r := connected(t, mcpclient.Options{HTTP: mcpclient.HTTPOptions{Endpoint: p.URL()}, Session: session.Config{DiscoverLimit: -1}})
	id, err := r.Call(tool("slow", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	call := p.Await("tools/call")
	var params struct {
		Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
	if err := json.Unmarshal(call.Params(), &params); err != nil {
		t.Fatal(err)
	}
	token := string(params.Meta.ProgressToken)
	var flood strings.Builder
	const many = 10_000
	for i := range many {
		flood.WriteString(`data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + `,"progress":` + strconv.Itoa(i+1) + `}}` + "\n\n")
	}
	go func() {
		call.SSE().Chunk(flood.String())
		call.Result(`{"content":[]}`).End()
	}()
	events := 0
	var last Event
	d, err := r.Watch(within(t), id, func(e Event) {
		events++
		last = e
		for seen := e.Row.Progress.Count; seen > 0 && seen < many && events < 10; time.Sleep(time.Millisecond) {
			now, _ := r.Detail(id) // all of the flood comes while one event is looked at
			seen = now.Row.Progress.Count
		}
	})
	if err != nil || d.State != session.Done || last.Row.Progress.Count != many {
		t.Errorf("%v, %d: %+v", err, last.Row.Progress.Count, d.Row)
	}
	if events >= 10 {
		t.Errorf("%d events", events)
	}
}
