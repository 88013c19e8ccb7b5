//go:build unix

package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	peers "belay/internal/peer"
	"belay/internal/requirements"
)

// notifyingServer is a server whose task is completed before the first poll, which it tells by a notification.
// Its tasks/get is answered by confirm. Interval is in milliseconds.
func notifyingServer(t *testing.T, revision string, interval int, confirm func(x *peers.Exchange, status func(string) string)) *peers.Peer {
	const outcome = `"content":[{"type":"text","text":"42"}]`
	var once sync.Once
	streams, called := make(chan *peers.Exchange, 1), make(chan struct{})
	notice, create := "notifications/tasks/status", `{"task":{%s}}`
	if revision == "2026-07-28" {
		notice, create = "notifications/tasks", `{"resultType":"task",%s}`
	}
	object := func(status string, seconds int) string {
		return fmt.Sprintf(`"taskId":"7c1e0b52-93d4-4f0a-8a6e-4711","status":%q,"createdAt":"2026-07-28T12:00:00Z","lastUpdatedAt":"2026-07-28T12:00:%02dZ","ttl":null,"ttlMs":null,`+
			`"pollInterval":%d,"pollIntervalMs":%[3]d`, status, seconds, interval)
	}
	p := peers.New(t).Tasks(peers.TaskScript{}, revision)
	stream := func(x *peers.Exchange) {
		x.SSE()
		if revision == "2026-07-28" {
			x.Message(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["7c1e0b52-93d4-4f0a-8a6e-4711"]},`+
				`"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, x.ID()))
		}
		once.Do(func() { streams <- x })
	}
	p.On("GET", stream)
	p.On("subscriptions/listen", stream)
	p.On("tools/call", func(x *peers.Exchange) {
		x.JSONResult(fmt.Sprintf(create, object("working", 0)))
		close(called)
	})
	p.On("tasks/result", func(x *peers.Exchange) {
		x.JSONResult(`{` + outcome + `,"_meta":{"io.modelcontextprotocol/related-task":{` + taskOf(x) + `}}}`)
	})
	p.On("tasks/get", func(x *peers.Exchange) {
		confirm(x, func(status string) string {
			return `{"resultType":"complete",` + object(status, 2) + `,"error":{"code":-32603,"message":"broke"}}`
		})
	})
	go func() {
		select {
		case <-called:
		case <-t.Context().Done():
			return
		}
		select {
		case x := <-streams:
			x.Message(`{"jsonrpc":"2.0","method":"` + notice + `","params":{` + object("completed", 1) + `,"result":{"resultType":"complete",` + outcome + `}}}`)
		case <-t.Context().Done():
		}
	}()
	return p
}

// After the end of a task that a notification has told one more tasks/get is made, at the server's interval, and
// awaited: what it says against that is told. The result is written before, as text.
func TestTheEndOfATaskIsConfirmedWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-25", "TSK-50", "TSK-51", "TEX-42")
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for _, format := range []string{"text", "json"} {
			t.Run(revision+", "+format, func(t *testing.T) {
				t.Parallel()
				written := make(chan struct{})
				p := notifyingServer(t, revision, 1500, func(x *peers.Exchange, status func(string) string) {
					if format == "text" {
						select {
						case <-written:
						case <-time.After(hang):
							t.Error("the result is not written before tasks/get is answered")
						}
					}
					x.JSONResult(status("failed"))
				})
				r := &running{t: t, Cmd: exec.CommandContext(t.Context(), belay, "call", "--task", "--protocol", revision, "-o", format, "--grace", hang.String(), p.URL(), "slow")}
				r.Env = append(os.Environ(), raceOptions)
				var said strings.Builder
				r.Stderr = &said
				out, err := r.StdoutPipe()
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Start(); err != nil {
					t.Fatal(err)
				}
				lines := bufio.NewScanner(out)
				var all []string
				for lines.Scan() {
					if all = append(all, lines.Text()); len(all) == 1 {
						close(written)
					}
				}
				_ = r.Wait()
				text := strings.Join(all, "\n")
				wants := []string{"the task is completed, in a notification", "; one more tasks/get is "} // the notification may overtake the handle
				if format == "text" {
					wants = append(wants, "and then that it is failed, in tasks/get: the first status stays")
				}
				for _, want := range wants {
					if !strings.Contains(said.String(), want) {
						t.Errorf("%q is not in\n%s", want, said.String())
					}
				}
				if n := len(p.Requests("tasks/get")); n != 1 || r.ProcessState.ExitCode() != 0 || strings.Contains(said.String()+text, "no tasks/get") {
					t.Errorf("%d, tasks/get came %d times\n%s\n--\n%s", r.ProcessState.ExitCode(), n, text, said.String())
				}
				if format == "text" {
					if text != "42" {
						t.Errorf("%q", text)
					}
					return
				}
				var d struct {
					State string
					Task  struct {
						Status          string
						EndNotConfirmed bool
						Otherwise       struct{ Status, By string }
					}
				}
				if err := json.Unmarshal([]byte(text), &d); err != nil || d.State != "done" || d.Task.Status != "completed" || d.Task.EndNotConfirmed ||
					d.Task.Otherwise.Status != "failed" || d.Task.Otherwise.By != "tasks/get" {
					t.Errorf("%v: %s", err, text)
				}
			})
		}
	}
}

// The poll after the end of a task is not awaited where it is due later than the grace lasts, and ctrl+c leaves
// while it is awaited. Then it is told that no poll has confirmed the end.
func TestTheEndOfATaskIsNotConfirmedWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "TSK-51")
	for name, c := range map[string]struct {
		interval int
		grace    time.Duration
		polls    int
	}{
		"it is due later": {60_000, time.Second, 0},
		"ctrl+c":          {1000, time.Hour, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := make(chan struct{}, 1)
			p := notifyingServer(t, "2025-11-25", c.interval, func(x *peers.Exchange, _ func(string) string) {
				asked <- struct{}{}
				<-x.Gone()
			})
			r := begin(t, "call", "--task", "--protocol", "2025-11-25", "-o", "json", "--grace", c.grace.String(), p.URL(), "slow")
			if c.polls > 0 {
				select {
				case <-asked:
				case <-time.After(hang):
					t.Error("tasks/get did not come")
				}
				if err := r.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
			}
			got := r.wait()
			if n := len(p.Requests("tasks/get")); got.code != 0 || n != c.polls || !strings.Contains(got.out, `"endNotConfirmed": true`) || !strings.Contains(got.out, `"text": "42"`) {
				t.Errorf("%d, tasks/get came %d times\n%s\n--\n%s", got.code, n, got.out, got.errOut)
			}
		})
	}
}
