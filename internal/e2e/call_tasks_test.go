//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"belay/internal/conduct"
	peers "belay/internal/peer"
	"belay/internal/requirements"
)

// ctrl+c while a call runs as a task, of either kind and over each transport: the task is
// cancelled by tasks/cancel and by nothing else, and the verdict is said, in text and as JSON.
func TestCtrlCOnATaskWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-58", "TEX-36")
	for name, verdict := range map[string]string{"a task that is cancelled": "task cancelled", "a task that stays working": "task still working"} {
		c, ok := taskConductNamed(name)
		if !ok {
			t.Fatalf("there is no conduct %q", name)
		}
		for _, way := range conduct.TaskWays {
			for _, format := range []string{"text", "json"} {
				if format == "text" && way != conduct.Stdio && way != conduct.HTTPModern {
					continue
				}
				t.Run(string(way)+", "+format+": "+name, func(t *testing.T) {
					t.Parallel()
					server, wire := taskPeer(t, c, way)
					words := append([]string{"slow"}, server...) // … -- COMMAND
					if way.IsHTTP() {
						words = append(slices.Clone(server), "slow")
					}
					args := []string{"call", "--task", "--ttl", "90s", "--protocol", way.Revision(), "-o", format, "--reason", "not needed"}
					r := begin(t, append(args, words...)...)
					awaitTask(t, wire, "tasks/get") // belay knows of the task
					if err := r.Process.Signal(os.Interrupt); err != nil {
						t.Fatal(err)
					}
					got := r.wait()
					if got.code != 4 {
						t.Errorf("it ended with %d\n%s\n--\n%s", got.code, got.out, got.errOut)
					}
					id := cancelledOnce(t, wire())
					if !strings.Contains(got.errOut, "cancelling; ctrl+c once more leaves without the verdict") {
						t.Errorf("stderr says\n%s", got.errOut)
					}
					if format == "text" {
						if got.out != "" || !strings.Contains(got.errOut, "cancelled · "+verdict) || !strings.Contains(got.errOut, "tasks/cancel written; the reason stays with belay") {
							t.Errorf("%s\n--\n%s", got.out, got.errOut)
						}
						return
					}
					d := got.document(t)
					if d.State != "cancelled" || d.Cancel == nil || d.Cancel.Verdict != verdict || d.Cancel.By != "user" || d.Task == nil || d.Task.ID != id {
						t.Errorf("task %s: %+v, %+v, %+v", id, d, d.Cancel, d.Task)
					}
				})
			}
		}
	}
}

// A cancelled task that goes on is followed until the grace is over: how it ends by then is the
// verdict. Whoever presses ctrl+c meanwhile has the verdict as it stands.
func TestACancelledTaskIsFollowedWithoutAScreen(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			args := []string{"call", "task_stubborn", "--task", "--cancel-after", "3s", "--protocol", revision, "-o", "json"}
			got := without(t, append(args, "--arg", "seconds=9", "--grace", "1m")...)
			if d := got.document(t); got.code != 4 || d.State != "cancelled" || d.Cancel.Verdict != "task completed" || d.Task.Status != "completed" || !strings.Contains(got.errOut, "the task goes on; its end is awaited for") {
				t.Errorf("%d: %+v, %+v\n%s", got.code, d.Cancel, d.Task, got.errOut)
			}
			got = without(t, append(args, "--arg", "seconds=600", "--grace", "6s")...)
			if d := got.document(t); got.code != 4 || d.Cancel.Verdict != "task still working" || d.Task.Status != "working" {
				t.Errorf("with less grace: %d: %+v\n%s", got.code, d.Cancel, got.errOut)
			}
		})
	}
	t.Run("ctrl+c", func(t *testing.T) {
		t.Parallel()
		r := &running{t: t, Cmd: exec.CommandContext(t.Context(), belay, "call", "task_stuck", "--task", "--cancel-after", "5s", "--grace", "1h", "--protocol", "2025-11-25")}
		r.Env = append(os.Environ(), raceOptions)
		said, err := r.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(said)
		if !lines.Scan() || !strings.Contains(lines.Text(), "is awaited for") {
			t.Errorf("it says %q", lines.Text())
		}
		if err := r.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		var rest []string
		for lines.Scan() {
			rest = append(rest, lines.Text())
		}
		_ = r.Wait() // it ends with 4
		if all := strings.Join(rest, "\n"); r.ProcessState.ExitCode() != 4 || !strings.Contains(all, "cancelled · task still working") || strings.Count(all, "may go on, if it outlives the server's process") != 1 {
			t.Errorf("%d: %s", r.ProcessState.ExitCode(), all)
		}
	})
}

// What a cancelled task brings within the grace is no result of the call: it is told as late, with how
// late it came, in both protocols and over each transport.
func TestTheLateOutcomeOfATaskWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-61", "TEX-38", "TEX-40")
	c, ok := taskConductNamed(completesLate.Name)
	if !ok {
		t.Fatal("there is no such conduct")
	}
	for _, way := range conduct.TaskWays {
		for _, format := range []string{"text", "json"} {
			t.Run(string(way)+", "+format, func(t *testing.T) {
				t.Parallel()
				server, wire := taskPeer(t, c, way)
				words := append([]string{"slow"}, server...) // … -- COMMAND
				if way.IsHTTP() {
					words = append(slices.Clone(server), "slow")
				}
				args := []string{"call", "--task", "--ttl", "90s", "--protocol", way.Revision(), "-o", format, "--cancel-after", "3s", "--grace", "1m"}
				got := without(t, append(args, words...)...)
				cancelledOnce(t, wire())
				if got.code != 4 || !strings.Contains(got.errOut, "the task goes on; its end is awaited for") {
					t.Errorf("it ended with %d\n%s\n--\n%s", got.code, got.out, got.errOut)
				}
				if format == "text" {
					if got.out != "" || !strings.Contains(got.errOut, "cancelled · task completed: the server completed the task all the same: first seen ") || strings.Contains(got.errOut, "go on") {
						t.Errorf("%s\n--\n%s", got.out, got.errOut)
					}
					return
				}
				d := got.document(t)
				if d.State != "cancelled" || d.Cancel == nil || d.Cancel.Verdict != "task completed" || d.Task == nil || d.Task.Status != "completed" || len(d.Result.Content) != 0 {
					t.Fatalf("%s", got.out)
				}
				if l := d.Cancel.Late; l == nil || l.AfterCancelSeconds < 1 || len(l.Result.Content) != 1 || l.Result.Content[0].Text == "" {
					t.Errorf("late: %s", got.out)
				}
			})
		}
	}
}

// A tasks/cancel that the server refuses is told with the error, and is not sent again. The task is
// polled on at the server's interval until the grace is over.
func TestARefusedCancelOfATaskWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-59", "TSK-65", "TEX-39", "TEX-40")
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for _, code := range []string{"-32603", "-32602"} {
			t.Run(revision+" "+code, func(t *testing.T) {
				t.Parallel()
				var pauses pauses
				p := peers.New(t).Tasks(peers.TaskScript{}, revision, func(m peers.Passed) {
					switch {
					case m.Sent && strings.Contains(m.Text, `"status"`):
						pauses.answering()
					case !m.Sent && strings.Contains(m.Text, `"tasks/get"`):
						pauses.polled()
					}
				})
				p.On("tasks/cancel", func(x *peers.Exchange) { x.JSONError(200, `{"code":`+code+`,"message":"not today"}`) })
				const grace = 8 * time.Second
				got := without(t, "call", "--task", "--protocol", revision, "-o", "json", "--cancel-after", "3s", "--grace", grace.String(), p.URL(), "slow")
				d := got.document(t)
				if got.code != 4 || d.State != "cancelled" || d.Cancel == nil || d.Cancel.Verdict != "task still working" || d.Task == nil || d.Task.Status != "working" {
					t.Fatalf("%d: %s\n%s", got.code, got.out, got.errOut)
				}
				if !strings.Contains(got.out, `the server refused tasks/cancel: error `+code+`: \"not today\"`) || !strings.Contains(got.errOut, "the task goes on; its end is awaited for") {
					t.Errorf("%s\n%s", got.out, got.errOut)
				}
				if n := len(p.Requests("tasks/cancel")); n != 1 {
					t.Errorf("tasks/cancel came %d times", n)
				}
				pauses.want(t, peers.TaskPoll)
			})
		}
	}
}

// The ID of a cancelled call's task is awaited until the grace is over, and for a moment on the way out:
// tasks/cancel is sent for an ID that comes by then. What is said when belay leaves is true then.
func TestATaskThatIsNamedLateWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-73", "TSK-75")
	for name, c := range map[string]struct {
		grace, comes time.Duration
		cancels      int
	}{
		"within the grace": {hang, 6 * time.Second, 1},
		"never":            {time.Second, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := peers.New(t).Tasks(peers.TaskScript{}, "2025-11-25")
			p.On("tools/call", func(x *peers.Exchange) {
				if c.comes == 0 {
					<-x.Gone()
					return
				}
				time.Sleep(c.comes)
				x.JSONResult(`{"task":{"taskId":"task-4711","status":"working","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:00Z","ttl":null,"pollInterval":300}}`)
			})
			cancelled := `"taskId":"task-4711","status":"cancelled","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null,"pollInterval":300`
			for _, method := range []string{"tasks/cancel", "tasks/get"} {
				p.On(method, func(x *peers.Exchange) { x.JSONResult(`{` + cancelled + `}`) })
			}
			got := without(t, "call", "--task", "--protocol", "2025-11-25", "--cancel-after", "100ms", "--grace", c.grace.String(), p.URL(), "slow")
			if n := len(p.Requests("tasks/cancel")); got.code != 4 || n != c.cancels {
				t.Errorf("%d, tasks/cancel came %d times\n%s", got.code, n, got.errOut)
			}
			wants := []string{"cancelled · not delivered", "tasks/cancel is not sent: ", "a task may go on at the server: its ID has not come"}
			if c.cancels > 0 {
				wants = []string{"its task has no ID yet, and is cancelled when the ID comes", "cancelled · task cancelled"}
			}
			for _, want := range wants {
				if !strings.Contains(got.errOut, want) {
					t.Errorf("%q is not in\n%s", want, got.errOut)
				}
			}
			if c.cancels == 0 && strings.Contains(got.errOut, "if its ID still comes") {
				t.Errorf("a promise that is not kept:\n%s", got.errOut)
			}
		})
	}
}

// Of a task that has ended, and whose outcome does not come, --cancel-after and ctrl+c stop waiting: the
// connection is not said to be lost.
func TestAnOutcomeThatDoesNotComeWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "CXL-38")
	for _, how := range []string{"--cancel-after", "ctrl+c"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			p := peers.New(t).Tasks(peers.TaskScript{}, "2025-11-25")
			p.On("tasks/get", func(x *peers.Exchange) {
				x.JSONResult(`{` + taskOf(x) + `,"status":"completed","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null}`)
			})
			asked := make(chan struct{})
			p.On("tasks/result", func(x *peers.Exchange) {
				close(asked)
				<-x.Gone()
			})
			args := []string{"call", "--task", "--protocol", "2025-11-25", "-o", "json", p.URL(), "slow"}
			if how == "--cancel-after" {
				args = append(args, how, "12s")
			}
			r := &running{t: t, Cmd: exec.CommandContext(t.Context(), belay, args...)}
			r.Env = append(os.Environ(), raceOptions)
			var out, said bytes.Buffer
			r.Stdout, r.Stderr = &out, &said
			if err := r.Start(); err != nil {
				t.Fatal(err)
			}
			<-asked
			if how == "ctrl+c" {
				if err := r.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
			_ = r.Wait() // it ends with 4
			if r.ProcessState.ExitCode() != 4 || !strings.Contains(out.String(), `"outcomeNotCome": true`) || !strings.Contains(out.String(), "the task is completed, and its outcome did not come") {
				t.Errorf("%d: %s\n%s", r.ProcessState.ExitCode(), out.String(), said.String())
			}
			if n := len(p.Requests("tasks/cancel")); n != 0 {
				t.Errorf("tasks/cancel came %d times", n)
			}
		})
	}
}

// The outcome of a cancelled task is awaited for as long as belay says, however the task has ended. That it
// did not come by then is told, in text and as JSON.
func TestAnOutcomeIsAwaitedForAsLongAsIsSaidWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-42", "TSK-43")
	for _, status := range []string{"cancelled", "completed"} {
		for _, format := range []string{"text", "json"} {
			t.Run(status+", "+format, func(t *testing.T) {
				t.Parallel()
				const grace = 8 * time.Second
				fields := func(x *peers.Exchange, status string) string {
					return `{` + taskOf(x) + `,"status":"` + status + `","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null,"pollInterval":300}`
				}
				var left atomic.Int64 // when tasks/cancel came
				p := peers.New(t).Tasks(peers.TaskScript{}, "2025-11-25")
				p.On("tasks/get", func(x *peers.Exchange) {
					if left.Load() > 0 {
						x.JSONResult(fields(x, status))
						return
					}
					x.JSONResult(fields(x, "input_required"))
				})
				p.On("tasks/cancel", func(x *peers.Exchange) {
					left.Store(time.Now().UnixNano())
					x.JSONResult(fields(x, status))
				})
				p.On("tasks/result", func(x *peers.Exchange) { <-x.Gone() })
				got := without(t, "call", "--task", "--protocol", "2025-11-25", "-o", format, "--cancel-after", "2s", "--grace", grace.String(), p.URL(), "slow")
				if waited := time.Since(time.Unix(0, left.Load())); waited < grace-3*time.Second {
					t.Errorf("it was awaited for %v", waited)
				}
				wants := map[string]string{"text": "the outcome of the task had not come when belay left", "json": `"outcomeNotCome": true`}
				if got.code != 4 || !strings.Contains(got.errOut, "the task is "+status+"; its outcome is awaited for") || !strings.Contains(got.out+got.errOut, wants[format]) {
					t.Errorf("%d: %s\n--\n%s", got.code, got.out, got.errOut)
				}
				if len(p.Requests("tasks/result")) == 0 {
					t.Error("the outcome was not asked for")
				}
			})
		}
	}
}

// Of a cancelled task that cannot be polled nobody knows whether it goes on, and that is what is said,
// with the reason.
func TestATaskThatCannotBePolledWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TEX-38", "TEX-40")
	p := peers.New(t).Tasks(peers.TaskScript{StaysOn: true}, "2026-07-28")
	p.On("tasks/get", func(x *peers.Exchange) { x.JSONError(404, `{"code":-32601,"message":"what?"}`) })
	got := without(t, "call", "--protocol", "2026-07-28", "--cancel-after", "8s", "--grace", "5s", p.URL(), "slow")
	if got.code != 4 || len(p.Requests("tasks/get")) != 1 || len(p.Requests("tasks/cancel")) != 1 {
		t.Errorf("%d\n%s", got.code, got.errOut)
	}
	for _, want := range []string{"the task may go on; its end is awaited for", "cancelled · task not seen again", "nothing more is polled: the server does not know tasks/get", "may go on at the server"} {
		if !strings.Contains(got.errOut, want) {
			t.Errorf("%q is not in\n%s", want, got.errOut)
		}
	}
}

// Polls that are answered by 429 do not end the call, and the next one comes when Retry-After says.
func TestATaskWhosePollsAreTooManyWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-77", "TEX-14")
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			const content = `"content":[{"type":"text","text":"at last"}]`
			var polls atomic.Int32
			var pauses pauses
			p := peers.New(t).Tasks(peers.TaskScript{}, revision)
			p.On("tasks/get", func(x *peers.Exchange) {
				pauses.polled()
				if polls.Add(1) < 3 {
					pauses.answering()
					x.With("Retry-After", "2").Answer(429, "text/plain", "later")
					return
				}
				x.JSONResult(`{"resultType":"complete",` + taskOf(x) + `,"status":"completed","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null,"ttlMs":null,` +
					`"result":{"resultType":"complete",` + content + `}}`)
			})
			p.On("tasks/result", func(x *peers.Exchange) {
				x.JSONResult(`{` + content + `,"_meta":{"io.modelcontextprotocol/related-task":{` + taskOf(x) + `}}}`)
			})
			got := without(t, "call", "--task", "--protocol", revision, p.URL(), "slow")
			if got.code != 0 || strings.TrimSpace(got.out) != "at last" {
				t.Errorf("%d: %s\n%s", got.code, got.out, got.errOut)
			}
			if n := len(p.Requests("tasks/get")); n != 3 {
				t.Errorf("polled %d times", n)
			}
			pauses.want(t, 2*time.Second)
		})
	}
}

// What a task asks after its cancel is dismissed, also after the row of the call has ended, and whatever the
// file of answers says: an answer would have the task go on. It is said on stderr and in the document.
func TestACancelledTaskAsksWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-26", "TEX-25")
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers, []byte(`[{"method":"sampling/createMessage","text":"high","model":"m"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	const asks = `"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"What is the tide?"}}],"maxTokens":50`
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			var polls atomic.Int32 // since the cancel; 0: it has not come
			p := peers.New(t).Tasks(peers.TaskScript{}, revision)
			p.On("tasks/cancel", func(x *peers.Exchange) {
				polls.Store(1)
				if revision == "2026-07-28" {
					x.JSONResult(`{"resultType":"complete"}`)
					return
				}
				x.JSONResult(`{` + taskOf(x) + `,"status":"working","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null,"pollInterval":100}`)
			})
			p.On("tasks/get", func(x *peers.Exchange) {
				status, more := "working", ""
				if polls.Load() > 0 && polls.Add(1) > 2 { // the first poll since the cancel has ended the row
					if revision == "2026-07-28" {
						status, more = "input_required", `,"inputRequests":{"k":{`+asks+`}}}`
					} else if polls.Load() == 3 {
						x.SSE().Message(`{"jsonrpc":"2.0","id":"asked",` + asks + `,"_meta":{"io.modelcontextprotocol/related-task":{` + taskOf(x) + `}}}}`)
						x.Result(`{` + taskOf(x) + `,"status":"working","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null,"pollInterval":100}`).End()
						return
					}
				}
				x.JSONResult(`{"resultType":"complete",` + taskOf(x) + `,"status":"` + status + `","createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:01Z","ttl":null,"ttlMs":null,` +
					`"pollInterval":100,"pollIntervalMs":100` + more + `}`)
			})
			got := without(t, "call", "--task", "--protocol", revision, "-o", "json", "--cancel-after", "3s", "--grace", "8s", "--answer", answers, p.URL(), "slow")
			const why = "it came after the cancel of its task"
			if !strings.Contains(got.errOut, `the server asks "What is the tide?": dismissed, as `+why) {
				t.Errorf("%d: %s", got.code, got.errOut)
			}
			var d struct {
				Questions []struct{ Answer, Why string }
			}
			if err := json.Unmarshal([]byte(got.out), &d); err != nil || len(d.Questions) != 1 || d.Questions[0].Answer != "dismissed" || d.Questions[0].Why != why {
				t.Errorf("%v: %s", err, got.out)
			}
			if sent := p.Requests("tasks/update"); len(sent) != 0 {
				t.Errorf("answered: %+v", sent)
			}
		})
	}
}

// taskOf is the member of the task that a request is about.
func taskOf(x *peers.Exchange) string {
	var m struct {
		Params struct {
			TaskID string `json:"taskId"`
		}
	}
	_ = json.Unmarshal(x.Body, &m)
	return `"taskId":"` + m.Params.TaskID + `"`
}

// pauses are those between an answer about a task and the poll that follows. That its time is taken
// before the answer leaves, and after the poll has come, makes none of them shorter than it was.
type pauses struct {
	mu       sync.Mutex
	answered time.Time
	all      []time.Duration
}

func (p *pauses) answering() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answered = time.Now()
}

func (p *pauses) polled() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.answered.IsZero() {
		p.all = append(p.all, time.Since(p.answered))
	}
}

func (p *pauses) want(t *testing.T, least time.Duration) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.all) < 2 || slices.Min(p.all) < least {
		t.Errorf("the pauses before the polls are %v, want %v at least", p.all, least)
	}
}

// A task that ends by itself is waited for: its outcome is the result of the call.
func TestATaskWithoutAScreen(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		d := without(t, "call", "task_stubborn", "--arg", "seconds=1", "--task", "--protocol", revision, "-o", "json").document(t)
		if d.State != "done" || d.Task == nil || d.Task.Status != "completed" || len(d.Result.Content) != 1 || !strings.Contains(d.Result.Content[0].Text, "Done after 1 s") {
			t.Errorf("%s: %+v", revision, d)
		}
	}
	for _, revision := range []string{"2025-11-25", "2026-07-28"} { // whose outcome may come before the poll that tells its end
		if got := without(t, "call", "task_ask", "--task", "--protocol", revision); got.code > 1 || strings.Contains(got.errOut, "go on") {
			t.Errorf("%s: a task that asked is said to go on: %d\n%s", revision, got.code, got.errOut)
		}
	}
	if got := without(t, "call", "task_stubborn", "--ttl", "10s"); got.code != 2 || !strings.Contains(got.errOut, "--ttl is about a task") {
		t.Errorf("%d\n%s", got.code, got.errOut)
	}
}

// awaitTask waits until a method of tasks has come.
func awaitTask(t *testing.T, wire func() []peers.Passed, method string) {
	t.Helper()
	for deadline := time.Now().Add(hang); ; time.Sleep(5 * time.Millisecond) {
		for _, p := range wire() {
			if !p.Sent && strings.Contains(p.Text, `"`+method+`"`) {
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s did not come: %v", method, wire())
		}
	}
}

// cancelledOnce is the ID of the task that was cancelled, by one tasks/cancel and without
// notifications/cancelled.
func cancelledOnce(t *testing.T, passed []peers.Passed) (id string) {
	t.Helper()
	n := 0
	for _, p := range passed {
		var m struct {
			Method string
			Params struct {
				TaskID string `json:"taskId"`
				Reason *string
				Task   *struct{ TTL int }
			}
		}
		if p.Sent || json.Unmarshal([]byte(p.Text), &m) != nil {
			continue
		}
		switch m.Method {
		case "tasks/cancel":
			n, id = n+1, m.Params.TaskID
			if m.Params.Reason != nil {
				t.Errorf("tasks/cancel has a reason: %s", p.Text)
			}
		case "notifications/cancelled":
			t.Errorf("the task was cancelled by %s", p.Text)
		case "tools/call":
			if m.Params.Task != nil && m.Params.Task.TTL != 90_000 {
				t.Errorf("the call asks for %s", p.Text)
			}
		}
	}
	if n != 1 || id == "" {
		t.Errorf("tasks/cancel came %d times, for %q", n, id)
	}
	return id
}
