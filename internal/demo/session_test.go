package demo

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// returned waits for the server and returns its error. In a bubble a server
// that stays would be a deadlock, which fails the test.
func (p *peer) returned() error {
	<-p.done
	return p.err
}

func TestEndOfInputEndsTheSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		for id, tool := range []string{"countdown", "stubborn", "restless", "prompt_error", "flood"} {
			p.call(10+id, tool, `{}`, "")
		}
		p.call(20, "echo", `{"text":"last words"}`, "")
		began := time.Now()
		_ = p.in.Close()
		if err := p.returned(); err != nil {
			t.Errorf("Run: %v", err)
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("it took %v to end with nothing in the way", took)
		}
		synctest.Wait()
		p.answer("20") // what is answered at once still is
		for _, id := range []string{"10", "11", "12", "13"} {
			if n := len(p.answers(id)); n != 0 {
				t.Errorf("call %s was abandoned, and yet answered", id)
			}
		}
	})
}

func TestEndOfContextEndsTheSession(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		for id, tool := range []string{"countdown", "stubborn", "restless", "prompt_error", "flood"} {
			p.call(10+id, tool, `{}`, `"t"`)
		}
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		last := len(p.all()) - 1
		p.stop()
		if err := p.returned(); err != nil {
			t.Errorf("Run: %v", err)
		}
		sleepLong()
		p.nothingAfter(last)
	})
}

// A client that closes stdin without reading what it was sent must not keep
// the server from ending.
func TestEndOfInputWithAFullPipe(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := start(t)
		defer p.stop()
		p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
		synctest.Wait() // the answer is stuck in the pipe
		_ = p.in.Close()
		if err := p.returned(); err != nil {
			t.Errorf("Run: %v", err)
		}
	})
}

func TestGarbageEndsTheSessionWithAReason(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		p := begin(t, "2025-11-25")
		p.ping(1)
		p.send(`this is not JSON`)
		if err := p.returned(); err == nil || !strings.HasPrefix(err.Error(), Title) {
			t.Errorf("Run: %v, want an error that says who gives up", err)
		}
	})
}

// Without the wrapper, as over HTTP, the SDK answers every call; the tools are
// to come as close to their conduct as it lets them.
func TestNewServerWithoutTheWrapper(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		inR, inW := io.Pipe()
		outR, outW := io.Pipe()
		p := newPeer(t, inW, outR)
		go p.collect()
		session, err := NewServer(Options{Stderr: io.Discard, Exit: func(int) {}}).
			Connect(context.Background(), &mcp.IOTransport{Reader: inR, Writer: outW}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.shakeHands("2025-11-25")
		p.call(2, "countdown", `{}`, `"two"`)
		p.call(3, "stubborn", `{}`, "")
		p.call(4, "prompt_error", `{}`, "")
		p.call(5, "flood", `{}`, "5")
		time.Sleep(1500 * time.Millisecond)
		p.cancel(2, "stop")
		p.cancel(3, "stop")
		p.cancel(4, "stop")
		p.cancel(5, "stop")
		sleepLong()
		steps := 0
		for _, m := range p.all() {
			if strings.Contains(m.line, `"progressToken":"two"`) {
				steps++
			}
		}
		if steps != 1 {
			t.Errorf("countdown took %d steps, want 1", steps)
		}
		if !p.answer("2").tool(t).IsError {
			t.Error("countdown went on")
		}
		if got := p.answer("3").tool(t); got.IsError || !strings.Contains(got.Content[0].Text, "although") {
			t.Errorf("stubborn gave in: %+v", got)
		}
		if got := p.answer("4"); got.Error == nil || got.Error.Code != codeRequestCancelled {
			t.Errorf("prompt_error: %s", got.line)
		}
		floods := 0
		for _, m := range p.all() {
			if strings.Contains(m.line, `"progressToken":5,`) {
				floods++
			}
		}
		if got := p.answer("5").tool(t); !got.IsError || floods < 1490 || floods > 1510 {
			t.Errorf("flood: %+v after %d messages, want about 1500", got, floods)
		}
		_ = inW.Close()
		if err := session.Wait(); err != nil {
			t.Error(err)
		}
	})
}
