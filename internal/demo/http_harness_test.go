package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pipes is a listener without a network, so that a server can live in a bubble.
type pipes struct {
	conns chan net.Conn
	once  sync.Once
	done  chan struct{}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.done:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.done) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case p.conns <- far:
		return near, nil
	case <-p.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// A site is the demo over HTTP, and a client to it.
type site struct {
	t      *testing.T
	client *http.Client
	stop   context.CancelFunc
	done   chan struct{} // closed when the server has returned
	err    error         // what it returned
	nextID int

	mu   sync.Mutex
	ends map[string]time.Time // when the server was done with a call of this tool
}

const siteURL = "http://127.0.0.1:8080"

// open starts a server; it ends with the test.
func open(t *testing.T) *site {
	t.Helper()
	l := &pipes{conns: make(chan net.Conn), done: make(chan struct{})}
	transport := &http.Transport{DialContext: l.dial}
	ctx, stop := context.WithCancel(context.Background())
	s := &site{t: t, client: &http.Client{Transport: transport}, stop: stop, done: make(chan struct{}), ends: map[string]time.Time{}}
	go func() {
		defer close(s.done)
		s.err = serveHTTP(ctx, l, s.handler)
	}()
	t.Cleanup(func() {
		stop()
		<-s.done
		if s.err != nil {
			t.Error(s.err)
		}
		transport.CloseIdleConnections()
	})
	return s
}

func (s *site) handler(life context.Context) http.Handler {
	h := newHTTPHandler(life, "127.0.0.1", false, Options{Stderr: io.Discard, Exit: func(int) {}})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ends[r.Header.Get("Mcp-Name")] = time.Now()
	})
}

// doneWith is when the server was done with a call of this tool.
func (s *site) doneWith(tool string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ends[tool]
}

// connect connects the SDK's client, which answers what it is asked.
func (s *site) connect(revision string) *mcp.ClientSession {
	s.t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			content := map[string]any{"name": "Pequod", "rig": "ketch", "from": "Nantucket", "to": "Rokovoko", "order": "belay"}
			if req.Params.Mode == "url" {
				content = nil
			}
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		},
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "me", Role: "assistant", Content: &mcp.TextContent{Text: "A man goes to sea."}}, nil
		},
	})
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: siteURL + pathMCP, HTTPClient: s.client}
	if revision == "2024-11-05" {
		transport = &mcp.SSEClientTransport{Endpoint: siteURL + pathSSE, HTTPClient: s.client}
	}
	session, err := client.Connect(s.t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = session.Close() })
	return session
}

// An exchange is one HTTP request and what has come of it so far.
type exchange struct {
	t      *testing.T
	cancel context.CancelFunc

	mu       sync.Mutex
	status   int // 0 until the headers are there
	header   http.Header
	body     bytes.Buffer
	messages []message
	over     bool
}

// do sends a request. Each of the headers is NAME: VALUE.
func (s *site) do(method, path, body string, headers ...string) *exchange {
	s.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, method, siteURL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	x := &exchange{t: s.t, cancel: cancel}
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		x.run(s.client, req)
	}()
	s.t.Cleanup(func() {
		cancel()
		<-finished
	})
	return x
}

func (x *exchange) run(client *http.Client, req *http.Request) {
	defer x.set(func() { x.over = true })
	resp, err := client.Do(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	x.set(func() { x.status, x.header = resp.StatusCode, resp.Header })
	lines := bufio.NewReader(resp.Body)
	for {
		line, err := lines.ReadString('\n')
		data, isData := strings.CutPrefix(strings.TrimSpace(line), "data: ")
		x.set(func() {
			x.body.WriteString(line)
			m := message{line: line}
			if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
				data, isData = line, true
			}
			if isData && json.Unmarshal([]byte(data), &m) == nil {
				x.messages = append(x.messages, m)
			}
		})
		if err != nil {
			return
		}
	}
}

func (x *exchange) set(f func()) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f()
}

// answered waits for what can come without time passing, and returns the status.
func (x *exchange) answered() int {
	synctest.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.status
}

// ended reports whether the exchange is over by itself.
func (x *exchange) ended() bool {
	synctest.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.over
}

// got are the messages that have come.
func (x *exchange) got() []message {
	synctest.Wait()
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]message(nil), x.messages...)
}

// text is all that has come, as it came.
func (x *exchange) text() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.body.String()
}

// result is the last message, which is to be an answer.
func (x *exchange) result() message {
	x.t.Helper()
	all := x.got()
	if len(all) == 0 || all[len(all)-1].ID == nil || all[len(all)-1].Method != "" {
		x.t.Fatalf("no answer: status %d, %d messages, %s", x.status, len(all), x.text())
	}
	return all[len(all)-1]
}

// A handshaken session, as a client without a library has it.
type handshaken struct {
	*site
	revision, id string
}

func (s *site) shakeHands(revision, capabilities string) *handshaken {
	s.t.Helper()
	x := s.do("POST", pathMCP, fmt.Sprintf(
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"test","version":"1"}}}`,
		revision, capabilities))
	agreed := decode[struct{ ProtocolVersion string }](s.t, x.result().Result)
	h := &handshaken{s, agreed.ProtocolVersion, x.header.Get(headerSession)}
	if status := h.post(`{"jsonrpc":"2.0","method":"notifications/initialized"}`).answered(); status != http.StatusAccepted {
		s.t.Fatalf("initialized: status %d", status)
	}
	return h
}

func (h *handshaken) headers() []string {
	return []string{headerSession + ": " + h.id, headerRevision + ": " + h.revision}
}

func (h *handshaken) post(body string) *exchange {
	h.t.Helper()
	return h.do("POST", pathMCP, body, h.headers()...)
}

func (h *handshaken) call(tool, arguments string) (x *exchange, id int) {
	h.t.Helper()
	h.nextID++
	return h.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":"t"}}}`,
		h.nextID, tool, arguments)), h.nextID
}

func (h *handshaken) cancelled(id int, reason string) {
	h.t.Helper()
	x := h.post(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":%q}}`, id, reason))
	if status := x.answered(); status != http.StatusAccepted {
		h.t.Fatalf("the cancel: status %d", status)
	}
}

// modern calls a tool in 2026-07-28; more are members of the params besides,
// each with a comma before it.
func (s *site) modern(tool, arguments, capabilities, more string) *exchange {
	s.t.Helper()
	s.nextID++
	return s.do("POST", pathMCP, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s,"_meta":{"progressToken":"t",
		"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},
		"io.modelcontextprotocol/clientCapabilities":%s}}}`, s.nextID, tool, arguments, more, capabilities),
		headerRevision+": 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: "+tool)
}

// inSite runs f with a server in a bubble.
func inSite(t *testing.T, f func(t *testing.T, s *site)) {
	t.Helper()
	inBubble(t, func(t *testing.T) { f(t, open(t)) })
}

func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}
