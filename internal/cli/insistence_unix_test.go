//go:build unix

package cli

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"belay/internal/headless"
	"belay/internal/peer"
	"belay/session"
)

// A command that writes what nobody reads ends of a signal all the same.
func TestACommandWhoseOutputIsNotRead(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25", `{"name":"big","inputSchema":{"type":"object"}}`)
	p.On("tools/call", func(x *peer.Exchange) {
		x.SSE().Result(`{"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}`).End()
	})
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	c := exec.CommandContext(t.Context(), os.Args[0], "call", p.URL(), "big", "--protocol", "2025-11-25")
	var said strings.Builder
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), childVar+"=belay"), w, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	if n, err := r.Read(make([]byte, 10)); n == 0 || err != nil { // the rest does not fit into the pipe
		t.Fatal(err)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }).Stop()
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != ExitScreen {
		t.Errorf("it ended with %d: %v", got, c.ProcessState)
	}
	if !strings.Contains(said.String(), "the rest was not written") {
		t.Errorf("it says %q", said.String())
	}
}

// A command that was told to end is given up when stdout has taken nothing for four seconds, and if it is told once more,
// four seconds after the first time in any case.
func TestASlowReaderIsWaitedFor(t *testing.T) {
	for name, told := range map[string]struct {
		again func(i *insistence)
		want  time.Duration
	}{
		"told once":         {func(*insistence) {}, 34 * time.Second},
		"by two signals":    {func(i *insistence) { i.begin(std{}, nil) }, 34 * time.Second},
		"told once more":    {func(i *insistence) { time.Sleep(11 * time.Second); i.begin(std{}, nil) }, 11 * time.Second},
		"and nothing moves": {nil, 4 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan time.Time, 1)
				began := time.Now()
				i := &insistence{exit: func(int) { ended <- time.Now() }}
				i.begin(std{}, func() {})
				if told.again != nil {
					go func() {
						for range 6 {
							time.Sleep(5 * time.Second / 2)
							i.note(true)
							time.Sleep(5 * time.Second / 2)
							i.note(true)
						}
					}()
					told.again(i)
				}
				if at := <-ended; at.Sub(began).Round(time.Second) != told.want {
					t.Errorf("it ended after %v, want %v", at.Sub(began), told.want)
				}
				time.Sleep(time.Minute) // the other goroutine ends
			})
		})
	}
}

// What stdout has taken of a text is noted before all of it is written.
func TestTheProgressOfStdoutIsNoted(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var i insistence
	moved := func() time.Time {
		i.mu.Lock()
		defer i.mu.Unlock()
		return i.moved
	}
	written := make(chan error, 1)
	go func() { written <- i.write(std{out: w}, make([]byte, 1<<20)) }()
	for range 3 {
		before := moved()
		if _, err := io.ReadFull(r, make([]byte, 128<<10)); err != nil {
			t.Fatal(err)
		}
		waitUntil(t, "nothing is noted", func() bool { return moved().After(before) })
	}
	_ = r.Close()
	if err := <-written; err != nil {
		t.Errorf("who reads no more is no failure: %v", err)
	}
}

// clockOnly is a client of which only the time is asked.
type clockOnly struct{ headless.Client }

func (clockOnly) Now() time.Time { return time.Now() }

// The result of a task that is written before the end of the task is confirmed, and is not read, has the exit code of a
// result that was not written.
func TestAnEarlyResultThatIsNotRead(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{f: &callFlags{}, headlessClient: &headlessClient{std: std{out: w}, Runner: &headless.Runner{Client: clockOnly{}}}}
	c.f.grace = time.Hour
	c.insists.wouldEnd(ExitCancelled, false)
	text := []byte(`{"content":[{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}]}`)
	over := make(chan struct{})
	go func() {
		defer close(over)
		c.writeEarly(&session.Detail{Row: session.Row{State: session.Done, Task: &session.TaskView{Confirming: true}}, Result: text})
	}()
	if n, err := r.Read(make([]byte, 10)); n == 0 || err != nil { // the rest does not fit into the pipe
		t.Fatal(err)
	}
	if got := c.insists.code.Load(); got != ExitScreen {
		t.Errorf("belay would end with %d", got)
	}
	_ = r.Close()
	<-over
}

// SIGTERM that comes with an interrupt is heard as SIGTERM: the call is left, and its verdict is not waited for.
func TestSIGTERMThatComesWithAnInterrupt(t *testing.T) {
	p := peer.New(t)
	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
	p.On("ping", func(x *peer.Exchange) { x.SSE().Result(`{}`).End() })
	c := exec.CommandContext(t.Context(), os.Args[0], "call", p.URL(), "slow", "--grace", "1h", "--protocol", "2025-11-25")
	c.Env = append(os.Environ(), childVar+"=belay")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	p.Await("tools/call")
	_, _ = c.Process.Signal(syscall.SIGINT), c.Process.Signal(syscall.SIGTERM)
	p.Await("notifications/cancelled").Accepted()
	defer time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }).Stop()
	_ = c.Wait()
	if got := c.ProcessState.ExitCode(); got != ExitCancelled {
		t.Errorf("it ended with %d: %v", got, c.ProcessState)
	}
}
