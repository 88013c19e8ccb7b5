package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// message is a line as it stood on the wire, and its members.
type message struct {
	line   string
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// toolResult is the result of a tools/call.
type toolResult struct {
	IsError bool
	Content []struct{ Type, Text string }
}

func (m message) tool(t *testing.T) toolResult {
	t.Helper()
	if m.Error != nil {
		t.Fatalf("an error instead of a result: %s", m.line)
	}
	return decode[toolResult](t, m.Result)
}

func decode[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	return v
}

// A peer is a client that writes lines by hand and keeps every line it reads.
type peer struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *io.PipeReader
	stop context.CancelFunc
	done chan struct{} // closed when the server has returned
	err  error         // what it returned

	mu     sync.Mutex
	more   sync.Cond // signals a new line
	lines  []message
	stderr bytes.Buffer
	exits  []int
}

func newPeer(t *testing.T, in *io.PipeWriter, out *io.PipeReader) *peer {
	p := &peer{t: t, in: in, out: out, done: make(chan struct{})}
	p.more.L = &p.mu
	return p
}

// start runs the server on pipes. It does not shake hands.
func start(t *testing.T) *peer {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	p := newPeer(t, inW, outR)
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	opts := Options{Stderr: p, Exit: func(code int) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.exits = append(p.exits, code)
	}}
	go func() {
		defer close(p.done)
		p.err = serve(ctx, inR, outW, opts)
	}()
	return p
}

// begin starts a server with a client that reads everything, shakes hands in
// the given revision, and ends the session when the test does.
func begin(t *testing.T, revision string) *peer {
	t.Helper()
	return beginWith(t, revision, `{}`)
}

// collecting is a server that runs, and whose messages are taken until the test ends.
func collecting(t *testing.T) *peer {
	t.Helper()
	p := start(t)
	collected := make(chan struct{})
	go func() {
		defer close(collected)
		p.collect()
	}()
	t.Cleanup(func() {
		p.stop()
		<-p.done
		<-collected
	})
	return p
}

// beginWith is begin for a client with these capabilities.
func beginWith(t *testing.T, revision, capabilities string) *peer {
	t.Helper()
	p := collecting(t)
	p.shakeHandsWith(revision, capabilities)
	return p
}

func (p *peer) shakeHands(revision string) {
	p.t.Helper()
	p.shakeHandsWith(revision, `{}`)
}

func (p *peer) shakeHandsWith(revision, capabilities string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}`, revision, capabilities)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
}

// Write takes the server's stderr.
func (p *peer) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stderr.Write(b)
}

func (p *peer) collect() {
	r := bufio.NewReader(p.out)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			p.take(line)
		}
		if err != nil {
			return
		}
	}
}

func (p *peer) take(line string) {
	m := message{line: line}
	if err := json.Unmarshal([]byte(line), &m); err != nil || !strings.HasSuffix(line, "}\n") {
		p.t.Errorf("not a whole message on a line of its own: %v in %.200q", err, line)
	}
	p.mu.Lock()
	p.lines = append(p.lines, m)
	p.mu.Unlock()
	p.more.Signal()
}

// await blocks until a line with index i matches, looking from the first on.
// It is for the tests outside a bubble, which have no other way to wait.
func (p *peer) await(match func(i int, m message) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := 0; ; i++ {
		for i == len(p.lines) {
			p.more.Wait()
		}
		if match(i, p.lines[i]) {
			return
		}
	}
}

// hasID returns a match for the answer with this ID.
func hasID(id string) func(int, message) bool {
	return func(_ int, m message) bool { return string(m.ID) == id }
}

// send writes one line.
func (p *peer) send(format string, args ...any) {
	p.t.Helper()
	line := format
	if len(args) > 0 {
		line = fmt.Sprintf(format, args...)
	}
	if _, err := io.WriteString(p.in, line+"\n"); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		p.t.Fatalf("writing %s: %v", line, err)
	}
}

// call sends a tools/call; the arguments are JSON, the token too, or empty.
func (p *peer) call(id int, tool, arguments, token string) {
	p.t.Helper()
	meta := ""
	if token != "" {
		meta = `,"_meta":{"progressToken":` + token + `}`
	}
	p.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`, id, tool, arguments, meta)
}

func (p *peer) cancel(id int, reason string) {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":%q}}`, id, reason)
}

// all returns what was read so far, in order.
func (p *peer) all() []message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]message(nil), p.lines...)
}

// answers returns the messages with this ID, which is JSON.
func (p *peer) answers(id string) (found []message) {
	for _, m := range p.all() {
		if string(m.ID) == id && m.Method == "" {
			found = append(found, m)
		}
	}
	return found
}

// answer returns the only message with this ID.
func (p *peer) answer(id string) message {
	p.t.Helper()
	found := p.answers(id)
	if len(found) != 1 {
		p.t.Fatalf("%d answers to %s, want one", len(found), id)
	}
	return found[0]
}

// ping sends a ping and returns the index of the line that answers it. It is
// for a synctest bubble.
func (p *peer) ping(id int) int {
	p.t.Helper()
	p.send(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, id)
	synctest.Wait()
	for i, m := range p.all() {
		if string(m.ID) == fmt.Sprint(id) {
			return i
		}
	}
	p.t.Fatalf("ping %d was not answered", id)
	return 0
}

// nothingAfter fails the test if anything was read after the line with index i.
func (p *peer) nothingAfter(i int) {
	p.t.Helper()
	if lines := p.all(); len(lines) > i+1 {
		p.t.Errorf("%d lines came afterwards, the first: %s", len(lines)-i-1, lines[i+1].line)
	}
}

type progressParams struct {
	ProgressToken json.RawMessage
	Progress      float64
	Total         float64
	Message       string
}

// progress returns the progress notifications read so far. It fails the test
// unless each has the token, as it was sent, and values that grow.
func (p *peer) progress(token string) (found []progressParams) {
	p.t.Helper()
	last := 0.0
	for _, m := range p.all() {
		if m.Method != "notifications/progress" {
			continue
		}
		params := decode[progressParams](p.t, m.Params)
		if string(params.ProgressToken) != token {
			p.t.Fatalf("progress for another token than %s: %s", token, m.line)
		}
		if params.Progress <= last {
			p.t.Fatalf("progress does not grow from %v: %s", last, m.line)
		}
		last = params.Progress
		found = append(found, params)
	}
	return found
}

// inBubble runs f with a fake clock. The bubble fails the test if anything is
// left running in it.
func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}
