//go:build unix

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	web "belay/internal/peer"
	"belay/internal/requirements"
	"belay/internal/termtest"
)

// called is what a belay without a screen came to.
type called struct {
	code        int
	out, errOut string
}

// without runs belay where there is no terminal.
func without(t *testing.T, args ...string) called {
	t.Helper()
	return begin(t, args...).wait()
}

// running is a belay without a screen that goes on.
type running struct {
	*exec.Cmd
	t           *testing.T
	out, errOut bytes.Buffer // which belay has written when it has ended
}

func begin(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{t: t, Cmd: exec.CommandContext(t.Context(), belay, args...)}
	r.Env = append(os.Environ(), raceOptions)
	r.Stdout, r.Stderr = &r.out, &r.errOut
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *running) wait() called {
	r.t.Helper()
	err := r.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		r.t.Fatal(err)
	}
	return called{r.ProcessState.ExitCode(), r.out.String(), r.errOut.String()}
}

// document is what -o json writes, as far as these tests look at it.
type document struct {
	Format, State, Tool string
	Version, Exit       int
	Server              struct{ Name, Transport, Revision string }
	Arguments           json.RawMessage
	Result              struct {
		Content []struct{ Type, Text string }
	}
	IsError    bool
	Error      *struct{ Message string }
	Structured *struct {
		Conforms *bool
		Faults   []struct{ Where, Why string }
	}
	Progress *struct{ Count int }
	Cancel   *struct {
		By, Reason, Verdict string
		Evidence            []struct{ Text string }
		Late                *struct {
			AfterCancelSeconds float64
			Result             struct {
				Content []struct{ Text string }
			}
		}
	}
	Task      *struct{ ID, Status string }
	Questions []struct {
		Method, Message, Answer string
		Rule                    int
	}
}

func (c called) document(t *testing.T) (d document) {
	t.Helper()
	if err := json.Unmarshal([]byte(c.out), &d); err != nil {
		t.Fatalf("%v in\n%s\n%s", err, c.out, c.errOut)
	}
	if d.Format != "belay-call" || d.Version != 1 || d.Exit != c.code {
		t.Errorf("%+v with exit code %d", d, c.code)
	}
	return d
}

func TestCallsWithoutAScreen(t *testing.T) {
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers, []byte(`[{"contains":"ship","content":{"ship":7}},{"method":"sampling/createMessage","text":"It is short."}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		args    []string
		code    int
		out     string // in stdout; empty: nothing is there
		errText string // in stderr
	}{
		"a result":                      {[]string{"call", "echo", "--arg", "text=hello", "--arg", "count=2"}, 0, "hello\nhello", ""},
		"of a typed command":            {[]string{"call", "echo", "--arg", "text=hello", "--", belay, "demo"}, 0, "hello", ""},
		"a tool that failed":            {[]string{"call", "fail"}, 1, "", "the tool says that it failed"},
		"an error":                      {[]string{"call", "fail", "--arg", "how=protocol_error"}, 1, "", "the server answered with the error"},
		"no such tool":                  {[]string{"call", "ecko"}, 2, "", `no tool "ecko"; did you mean "echo"?`},
		"wrong arguments":               {[]string{"call", "echo", "--arg", "loud=maybe", "--arg", "nope=1"}, 2, "", "must be true or false\n         \"nope\": the schema allows no member of this name\n         \"text\": required"},
		"no JSON":                       {[]string{"call", "echo", "--json", "{"}, 2, "", "--json"},
		"no tool":                       {[]string{"call"}, 2, "", "which tool?"},
		"two servers":                   {[]string{"call", "https://example.com", "x", "--", "y"}, 2, "", "two servers"},
		"a wrong share":                 {[]string{"call", "echo", "--cancel-at", "150%"}, 2, "", "--cancel-at"},
		"a server that dies":            {[]string{"call", "crash"}, 3, "", "the tool crash was called"},
		"no server":                     {[]string{"call", "x", "--", filepath.Join(t.TempDir(), "none")}, 3, "", "no such file"},
		"a cancel by time":              {[]string{"call", "countdown", "--cancel-after", "100ms", "--grace", "200ms", "--reason", "of a test"}, 4, "", "cancelled · "},
		"a cancel at a share":           {[]string{"call", "countdown", "--arg", "from=1000", "--arg", "interval_ms=20", "--cancel-at", "1%", "--grace", "200ms"}, 4, "", "cancelled · "},
		"a cancel by message":           {[]string{"call", "countdown", "--cancel-at", "message", "--grace", "200ms"}, 4, "", "cancelled · "},
		"wrong on purpose":              {[]string{"call", "echo", "--arg", "text=x", "--wrong-cancel", "unknown", "--wrong-cancel", "after"}, 0, "x", "sent a wrong cancel on purpose: the ID of an answered call"},
		"what cannot be wrong":          {[]string{"call", "echo", "--arg", "text=x", "--wrong-cancel", "twice"}, 0, "x", "--wrong-cancel twice was not sent: "},
		"no wrong kind":                 {[]string{"call", "echo", "--wrong-cancel", "odd"}, 2, "", "--wrong-cancel \"odd\""},
		"a question, declined":          {[]string{"call", "ask_form"}, 0, "You declined", "declined (--answer FILE answers)"},
		"a question, answered":          {[]string{"call", "summarise", "--answer", answers}, 0, "It is short.", "answered by answer 2"},
		"an answer that fits no schema": {[]string{"call", "ask_form", "--answer", answers}, 0, "without", "dismissed, as answer 1 cannot be given"},
		"a list":                        {[]string{"ls", "tools"}, 0, "echo text", ""},
		"nothing to list":               {[]string{"ls", "things"}, 2, "", "cannot be listed"},
		"no screen":                     {nil, 2, "", "belay call TOOL"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			got := without(t, c.args...)
			if got.code != c.code || !strings.Contains(got.out, c.out) || c.out == "" && got.out != "" || !strings.Contains(got.errOut, c.errText) {
				t.Errorf("exit code %d, not %d\n%s\n--\n%s", got.code, c.code, got.out, got.errOut)
			}
		})
	}
}

// The document is what programs read, whatever became of the call.
func TestTheDocumentOfACall(t *testing.T) {
	t.Parallel()
	d := without(t, "call", "echo", "--arg", "text=hello", "-o", "json").document(t)
	if d.State != "done" || d.Tool != "echo" || d.Server.Name != "belay-demo" || d.Server.Transport != "stdio" || len(d.Result.Content) == 0 || d.Result.Content[0].Text != "hello" {
		t.Errorf("%+v", d)
	}
	d = without(t, "call", "countdown", "--cancel-after", "100ms", "--grace", "200ms", "--reason", "of a test", "-o", "json").document(t)
	if d.State != "cancelled" || d.Cancel == nil || d.Cancel.By != "rule" || d.Cancel.Reason != "of a test" || d.Cancel.Verdict == "" || len(d.Cancel.Evidence) < 3 {
		t.Errorf("%+v", d)
	}
	d = without(t, "call", "ask_form", "-o", "json").document(t)
	if len(d.Questions) != 1 || d.Questions[0].Answer != "declined" || d.Questions[0].Message == "" {
		t.Errorf("%+v", d)
	}
	if d = without(t, "call", "crash", "-o", "json").document(t); d.State != "lost" {
		t.Errorf("%+v", d)
	}
	var list struct {
		Format string
		Tools  []struct{ Name string }
	}
	if err := json.Unmarshal([]byte(without(t, "ls", "-o", "json").out), &list); err != nil || list.Format != "belay-ls" || len(list.Tools) < 10 {
		t.Errorf("%v: %+v", err, list)
	}
}

// ctrl+c cancels on the wire, waits for the verdict and says it; pressed once more, belay
// leaves without it. Nothing is left of the server.
func TestCtrlCWithoutAScreen(t *testing.T) {
	requirements.Rows(t, "CXL-01")
	for what, c := range map[string]struct {
		signals []syscall.Signal
		twice   bool // each of them at once again, as timeout(1) sends it: that is one
		says    string
	}{
		"once":                    {[]syscall.Signal{syscall.SIGINT}, false, "cancelled · "},
		"twice":                   {[]syscall.Signal{syscall.SIGINT, syscall.SIGINT}, false, "leaves without the verdict"},
		"SIGTERM":                 {[]syscall.Signal{syscall.SIGTERM}, false, "cancel written"},
		"once, and at once again": {[]syscall.Signal{syscall.SIGINT}, true, "cancelled · "},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			for range 5 { // a busy machine may take too long between two signals
				apart := callAndSignal(t, c.signals, c.twice, c.says)
				if apart < 50*time.Millisecond || t.Failed() {
					return
				}
			}
			t.Error("in none of 5 runs the signals came close to each other")
		})
	}
}

// callAndSignal sends signals to a call over HTTP, each of them twice where that is wanted, and says how long the
// two took, beyond which they may be two wishes: then what belay says is left aside.
func callAndSignal(t *testing.T, signals []syscall.Signal, twice bool, says string) (apart time.Duration) {
	t.Helper()
	p := web.New(t)
	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
	p.On("ping", func(x *web.Exchange) { x.SSE().Result(`{}`).End() })
	grace := "300ms"
	if len(signals) > 1 {
		grace = "1h"
	}
	r := begin(t, "call", p.URL(), "slow", "--grace", grace, "--reason", "not needed", "--protocol", "2025-11-25")
	call := p.Await("tools/call")
	for i, s := range signals {
		if i > 0 {
			time.Sleep(150 * time.Millisecond) // sooner it would be the same signal
		}
		began := time.Now()
		if err := r.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		if twice {
			_ = r.Process.Signal(s)
			apart = time.Since(began)
		}
		if i == 0 {
			note := p.Await("notifications/cancelled")
			if !strings.Contains(string(note.Params()), `"requestId":`+string(call.ID())) {
				t.Errorf("%s", note.Params())
			}
			note.Accepted()
		}
	}
	got := r.wait()
	if apart < 50*time.Millisecond && (got.code != 4 || got.out != "" || !strings.Contains(got.errOut, says)) {
		t.Errorf("exit code %d\n%s\n--\n%s", got.code, got.out, got.errOut)
	}
	return apart
}

// What a server writes does not act on a terminal, also through a pipe; a program gets it
// as it was.
func TestHostileResultsWithoutAScreen(t *testing.T) {
	t.Parallel()
	requirements.Rows(t, "SEC-19")
	const evil = `\u001b]0;owned\u0007\u202eabc\u009b31m\r\tx`
	serve := func() *web.Peer {
		p := web.New(t)
		p.Handshake("2025-11-25", `{"name":"evil","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`)
		p.On("tools/call", func(x *web.Exchange) {
			x.SSE().Result(`{"content":[{"type":"text","text":"` + evil + `"},{"type":"image","mimeType":"image/png","data":"AAAA"}],"structuredContent":{"n":"` + evil + `"}}`).End()
		})
		return p
	}
	var want string
	if err := json.Unmarshal([]byte(`"`+evil+`"`), &want); err != nil {
		t.Fatal(err)
	}
	got := without(t, "call", serve().URL(), "evil", "--protocol", "2025-11-25")
	if got.code != 1 || !strings.Contains(got.out, "⟨ESC⟩") || !strings.Contains(got.out, "\tx\n[image, image/png") || !strings.Contains(got.errOut, "breaks the output schema") {
		t.Errorf("%d\n%s\n--\n%s", got.code, got.out, got.errOut)
	}
	asJSON := without(t, "call", serve().URL(), "evil", "-o", "json", "--protocol", "2025-11-25")
	d := asJSON.document(t)
	if len(d.Result.Content) != 2 || d.Result.Content[0].Text != want {
		t.Errorf("%q, not %q", d.Result.Content, want)
	}
	if d.Structured == nil || d.Structured.Conforms == nil || *d.Structured.Conforms || len(d.Structured.Faults) == 0 {
		t.Errorf("%+v", d.Structured)
	}
	for _, text := range []string{got.out, got.errOut, asJSON.out, asJSON.errOut} {
		if strings.ContainsAny(text, "\x1b\x07\r\u009b\u202e") {
			t.Errorf("raw bytes of the server's: %q", text)
		}
	}
}

// Ten thousand lines of progress are little to write, and none is lost.
func TestAFloodOfProgressWithoutAScreen(t *testing.T) {
	t.Parallel()
	const many = 10_000
	p := web.New(t)
	p.Handshake("2025-11-25", `{"name":"slow","inputSchema":{"type":"object"}}`)
	r := begin(t, "call", p.URL(), "slow", "-o", "json", "--protocol", "2025-11-25")
	call := p.Await("tools/call")
	var params struct {
		Meta struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
	if err := json.Unmarshal(call.Params(), &params); err != nil {
		t.Fatal(err)
	}
	var flood bytes.Buffer
	for i := range many {
		fmt.Fprintf(&flood, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":%d,\"message\":\"step\"}}\n\n", params.Meta.ProgressToken, i+1)
	}
	call.SSE().Chunk(flood.String())
	call.Result(`{"content":[{"type":"text","text":"over"}]}`).End()
	got := r.wait()
	d := got.document(t)
	if got.code != 0 || d.Progress == nil || d.Progress.Count != many || len(got.errOut) > 1000 {
		t.Errorf("%d: %+v, %d bytes on stderr", got.code, d.Progress, len(got.errOut))
	}
}

// Who reads one line and goes has what was asked for: belay ends in order, with the exit
// code of the call.
func TestOutputThatIsClosedEarly(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"call", "big", "--arg", "megabytes=2"}, {"call", "big", "--arg", "megabytes=2", "-o", "json"}, {"ls", "-o", "json"}} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), belay, args...)
		var errOut bytes.Buffer
		cmd.Env = append(os.Environ(), raceOptions)
		cmd.Stdout, cmd.Stderr = w, &errOut
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		if n, err := r.Read(make([]byte, 10)); n == 0 || err != nil {
			t.Errorf("%v", err)
		}
		_ = r.Close()
		if err := cmd.Wait(); err != nil || errOut.Len() > 0 {
			t.Errorf("%v: %v\n%s", args, err, errOut.String())
		}
	}
}

// On a terminal the progress is a line that goes away, and the result stays.
func TestACallOnATerminal(t *testing.T) {
	t.Parallel()
	s := termtest.Tell(t, termtest.Options{
		Cols: 80, Rows: 24, Env: []string{raceOptions},
		Argv: []string{belay, "call", "countdown", "--arg", "from=20", "--arg", "interval_ms=300"},
	})
	s.See("countdown: running", "%").Gone("running").Exit(0)
}

// An entry of a config file that was never allowed to run needs a word for it.
func TestAnEntryWithoutATerminal(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mcp.json")
	entry, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"demo": map[string]any{"command": belay, "args": []string{"demo"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, entry, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := without(t, "call", "-c", file, "-s", "demo", "echo", "--arg", "text=x"); got.code != 2 || !strings.Contains(got.errOut, "--yes allows it") {
		t.Errorf("%d\n%s", got.code, got.errOut)
	}
	if got := without(t, "call", "-c", file, "-s", "demo", "echo", "--arg", "text=x", "--yes"); got.code != 0 || !strings.Contains(got.out, "x\n") {
		t.Errorf("%d\n%s\n%s", got.code, got.out, got.errOut)
	}
}

// What a call without a screen records is opened like any other recording.
func TestARecordingWithoutAScreen(t *testing.T) {
	t.Parallel()
	file := plays(t, filepath.Join(t.TempDir(), "run.jsonl"))
	if got := without(t, "call", "countdown", "--cancel-after", "100ms", "--grace", "200ms", "--record", file); got.code != 4 {
		t.Errorf("%d\n%s", got.code, got.errOut)
	}
	if got := without(t, "report", file); got.code != 0 || !strings.Contains(got.out, "countdown") {
		t.Errorf("%d\n%s\n%s", got.code, got.out, got.errOut)
	}
}

// A server that never answers the handshake is waited for, not in silence, and
// ctrl+c gives up.
func TestAServerThatHangsIsWaitedForAloud(t *testing.T) {
	t.Parallel()
	r := &running{t: t, Cmd: exec.CommandContext(t.Context(), belay, "ls", "--", "sh", "-c", "while read -r line; do :; done")}
	r.Env = append(os.Environ(), raceOptions)
	said, err := r.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(said)
	if !lines.Scan() || !strings.Contains(lines.Text(), "has not answered yet") || !strings.Contains(lines.Text(), "ctrl+c") {
		t.Errorf("it says %q", lines.Text())
	}
	if err := r.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if !lines.Scan() || !strings.Contains(lines.Text(), "given up before there was a connection") || lines.Scan() {
		t.Errorf("then it says %q", lines.Text())
	}
	if err := r.Wait(); r.ProcessState.ExitCode() != 4 {
		t.Errorf("it ended with %v", err)
	}
}
