package peer_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"belay/internal/peer"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A sender is a client on net/http.
type sender struct {
	t         *testing.T
	transport *http.Transport
}

func newSender(t *testing.T) *sender {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &sender{t, tr}
}

// outcome is what a client got.
type outcome struct {
	status int
	header http.Header
	body   string
	err    error
}

// send sends a request in a goroutine of its own.
func (s *sender) send(ctx context.Context, method, url, body string) <-chan outcome {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	got := make(chan outcome, 1)
	go func() {
		resp, err := s.transport.RoundTrip(req)
		if err != nil {
			got <- outcome{err: err}
			return
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		got <- outcome{resp.StatusCode, resp.Header, string(b), err}
	}()
	return got
}

const call = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"x"}}`

func TestAnAnswerStepByStep(t *testing.T) {
	p, s := peer.New(t), newSender(t)
	got := s.send(t.Context(), "POST", p.URL(), call)
	x := p.Await("tools/call")
	if string(x.ID()) != "7" || string(x.Params()) != `{"name":"x"}` || x.Path != "/mcp" || x.Order != 1 || string(x.Body) != call {
		t.Errorf("%+v", x.Request)
	}
	x.With("X-A", "b").SSE().Comment("still here")
	x.Event(peer.Event{ID: "1", Name: "message", Retry: "50", Data: "a\nb"})
	x.Bytes("dätä").Chunk("").Result(`{}`).End()
	want := ": still here\n\nid: 1\nevent: message\nretry: 50\ndata: a\ndata: b\n\ndätä" +
		"data: {\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n\n"
	o := <-got
	if o.err != nil || o.status != 200 || o.body != want || o.header.Get("Content-Type") != "text/event-stream" || o.header.Get("X-A") != "b" {
		t.Errorf("%+v", o)
	}
	if story := p.Story(); !slices.Equal(story, []string{"1 POST tools/call", "1 answered"}) {
		t.Errorf("%q", story)
	}
}

func TestWholeAnswers(t *testing.T) {
	for name, tt := range map[string]struct {
		answer func(*peer.Exchange)
		status int
		header string // NAME: VALUE
		body   string
	}{
		"accepted":   {(*peer.Exchange).Accepted, 202, "", ""},
		"no content": {func(x *peer.Exchange) { x.Answer(204, "", "") }, 204, "", ""},
		"json":       {func(x *peer.Exchange) { x.JSONResult(`{"a":1}`) }, 200, "Content-Type: application/json", `{"jsonrpc":"2.0","id":7,"result":{"a":1}}`},
		"json error": {func(x *peer.Exchange) { x.JSONError(400, `{"code":-1}`) }, 400, "", `{"jsonrpc":"2.0","id":7,"error":{"code":-1}}`},
		"an error":   {func(x *peer.Exchange) { x.SSE().Error(`{"code":-1}`).End() }, 200, "", "data: {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-1}}\n\n"},
		"too many":   {func(x *peer.Exchange) { x.With("Retry-After", "3").Answer(429, "text/plain", "later") }, 429, "Retry-After: 3", "later"},
		"redirect":   {func(x *peer.Exchange) { x.Redirect(307, "http://elsewhere.example/") }, 307, "Location: http://elsewhere.example/", "moved\n"},
		"empty":      {func(x *peer.Exchange) { x.Head(503).End() }, 503, "", ""},
		"by hand": {func(x *peer.Exchange) {
			x.Raw("HTTP/1.0 200 Yes\r\nX-Odd: \x80\r\n\r\n").Raw("until the end").Cut()
		}, 200, "X-Odd: \x80", "until the end"},
	} {
		t.Run(name, func(t *testing.T) {
			p, s := peer.New(t), newSender(t)
			got := s.send(t.Context(), "POST", p.URL(), call)
			tt.answer(p.Await(""))
			o := <-got
			key, value, _ := strings.Cut(tt.header, ": ")
			if o.err != nil || o.status != tt.status || o.body != tt.body || o.header.Get(key) != value {
				t.Errorf("%+v", o)
			}
		})
	}
}

// What follows on a connection that was not cut is served on it, and waits for
// nobody's answer on another.
func TestRequestsAreAwaitedByKind(t *testing.T) {
	p, s := peer.New(t), newSender(t)
	p.On("ping", func(x *peer.Exchange) { x.JSONResult(`{}`) })
	a := s.send(t.Context(), "POST", p.URL(), call)
	first := p.Await("tools/call")
	b := s.send(t.Context(), "GET", p.At("/sse?x=1"), "")
	get := p.Await("GET")
	if o := <-s.send(t.Context(), "POST", p.URL(), `{"jsonrpc":"2.0","id":1,"method":"ping"}`); o.status != 200 {
		t.Errorf("%+v", o)
	}
	c := s.send(t.Context(), "POST", p.URL(), `{"jsonrpc":"2.0","id":"s","result":{}}`)
	p.Await("answer").Accepted()
	first.Accepted()
	get.Answer(405, "", "")
	for _, got := range []<-chan outcome{a, b, c} {
		if o := <-got; o.err != nil {
			t.Error(o.err)
		}
	}
	if get.Path != "/sse?x=1" || len(p.Requests()) != 4 || len(p.Requests("ping", "GET")) != 2 {
		t.Errorf("path %s, %d requests", get.Path, len(p.Requests()))
	}
	want := []string{"1 POST tools/call", "2 GET", "3 POST ping", "3 answered", "4 POST answer", "4 answered", "1 answered", "2 answered"}
	if story := p.Story(); !slices.Equal(story, want) {
		t.Errorf("%q, want %q", story, want)
	}
}

func TestAClientThatGivesUpIsNoticed(t *testing.T) {
	for name, begin := range map[string]func(*peer.Exchange){
		"before the head": func(*peer.Exchange) {},
		"after the head":  func(x *peer.Exchange) { x.SSE() },
		"in an event":     func(x *peer.Exchange) { x.SSE().Chunk("data: {") },
	} {
		t.Run(name, func(t *testing.T) {
			p, s := peer.New(t), newSender(t)
			ctx, cancel := context.WithCancel(t.Context())
			got := s.send(ctx, "POST", p.URL(), call)
			x := p.Await("tools/call")
			begin(x)
			cancel()
			x.AwaitAbort()
			<-x.Gone()
			if o := <-got; !errors.Is(o.err, context.Canceled) {
				t.Errorf("%+v", o)
			}
			x.Raw("too late").End() // is no fault
			if story := p.Story(); !slices.Equal(story, []string{"1 POST tools/call", "1 aborted"}) {
				t.Errorf("%q", story)
			}
		})
	}
}

func TestAnExchangeThatIsCut(t *testing.T) {
	for name, cut := range map[string]func(*peer.Exchange){
		"before the head": (*peer.Exchange).Cut,
		"in an event":     func(x *peer.Exchange) { x.SSE().Chunk("data: {").Cut() },
		"by a reset":      func(x *peer.Exchange) { x.SSE().Chunk("data: {").Reset() },
	} {
		t.Run(name, func(t *testing.T) {
			p, s := peer.New(t), newSender(t)
			got := s.send(t.Context(), "POST", p.URL(), call)
			x := p.Await("tools/call")
			cut(x)
			if o := <-got; o.err == nil {
				t.Errorf("%+v", o)
			}
			if x.WasAborted() || p.Story()[1] != "1 cut" {
				t.Errorf("%q", p.Story())
			}
		})
	}
}

func TestWhatNeverEnds(t *testing.T) {
	p, s := peer.New(t), newSender(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.On("GET", func(x *peer.Exchange) { x.SSE().Endless(": ping\n\n") })
	resp, err := s.transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for range 10_000 {
		if line, err := lines.ReadString('\n'); err != nil || line != ": ping\n" && line != "\n" {
			t.Fatalf("%q, %v", line, err)
		}
	}
	cancel()
}

// A client that reads nothing holds up nobody, not even the end of the test.
func TestAClientThatDoesNotRead(t *testing.T) {
	p, s := peer.New(t), newSender(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	p.On("GET", func(x *peer.Exchange) { x.SSE().Endless(strings.Repeat("x", 1<<20)) })
	resp, err := s.transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	got := s.send(t.Context(), "POST", p.URL(), call)
	p.Await("tools/call").Accepted()
	if o := <-got; o.status != 202 {
		t.Errorf("%+v", o)
	}
}

func TestLineEnds(t *testing.T) {
	e := peer.Event{ID: "1", Data: "a\nb"}
	if got := e.Ends("\r\n"); got != "id: 1\r\ndata: a\r\ndata: b\r\n\r\n" {
		t.Errorf("%q", got)
	}
	if got := e.Ends("\r"); got != "id: 1\rdata: a\rdata: b\r\r" {
		t.Errorf("%q", got)
	}
}

func TestACertificateThatNobodyTrusts(t *testing.T) {
	p, s := peer.NewTLS(t), newSender(t)
	p.On("", (*peer.Exchange).Accepted)
	o := <-s.send(t.Context(), "POST", p.URL(), call)
	if _, ok := errors.AsType[x509.UnknownAuthorityError](o.err); !ok {
		t.Errorf("%+v", o)
	}
	trusting := newSender(t)
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(p.PEM())
	trusting.transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	if o := <-trusting.send(t.Context(), "POST", p.URL(), call); o.status != 202 {
		t.Errorf("%+v", o)
	}
}
