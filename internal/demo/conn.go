package demo

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A conn is a connection of the SDK's with two changes.
//
// The cancel of a call whose tool has a conduct of its own is kept from the
// SDK, which would answer it; the tool learns of it through its [call], and what
// its conduct forbids to write is dropped here.
//
// Over stdio, lines may be written past the SDK's encoder, between its own.
// Everything written goes through writeMu, under which it is also decided
// whether a call may still write: once a later request has been answered,
// nothing more of a call that went quiet can follow.
//
// It is its own [mcp.Transport]; both are used once.
type conn struct {
	mcp.Connection
	transport mcp.Transport

	out     io.Writer // nil over HTTP, where nothing is written past the SDK
	writeMu sync.Locker

	life   context.Context // ends when the client has hung up
	hangUp context.CancelFunc

	closeOnce sync.Once
	closed    chan struct{}

	mu      sync.Mutex
	calls   map[jsonrpc.ID]*tracked
	byExtra map[*mcp.RequestExtra]*tracked
	level   string        // set by logging/setLevel
	owed    int           // requests read and not yet answered or dropped
	hungUp  bool          // no more is read
	settled chan struct{} // closed when hungUp and nothing is owed
}

// tracked is a request in flight and the two ends of its call.
type tracked struct {
	call   *call
	cancel chan struct{} // its call's cancelled; nil when the SDK handles a cancel
	extra  *mcp.RequestExtra

	arrival arrival
}

// unordered is the write lock over HTTP, where each answer has a stream of its
// own: a client that does not read one must not hold up the others.
type unordered struct{}

func (unordered) Lock()   {}
func (unordered) Unlock() {}

// newConn wraps the connection that transport makes; out is what that writes
// its lines to, or nil if it writes none.
func newConn(transport mcp.Transport, out io.Writer) *conn {
	var writeMu sync.Locker = new(sync.Mutex)
	if out == nil {
		writeMu = unordered{}
	}
	life, hangUp := context.WithCancel(context.Background())
	return &conn{
		transport: transport,
		out:       out,
		writeMu:   writeMu,
		life:      life,
		hangUp:    hangUp,
		closed:    make(chan struct{}),
		calls:     make(map[jsonrpc.ID]*tracked),
		byExtra:   make(map[*mcp.RequestExtra]*tracked),
		level:     "info", // what a server sends before it is told a level is its own choice
		settled:   make(chan struct{}),
	}
}

// Connect implements [mcp.Transport].
func (w *conn) Connect(ctx context.Context) (mcp.Connection, error) {
	inner, err := w.transport.Connect(ctx)
	w.Connection = inner
	return w, err
}

// ended is closed when no more will be read.
func (w *conn) ended() <-chan struct{} { return w.life.Done() }

// Read implements [mcp.Connection]. It reports the end of the input only after
// the answers still owed were written: the SDK writes none after it.
func (w *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		msg, err := w.Connection.Read(ctx)
		if err != nil {
			w.end()
			select {
			case <-w.settled:
			case <-w.closed:
			}
			return nil, err
		}
		req, ok := msg.(*jsonrpc.Request)
		if ok {
			undisguise(req)
		}
		switch {
		case !ok:
		case req.IsCall():
			w.track(req)
		case req.Method == "notifications/cancelled" && w.cancel(req.Params):
			continue
		}
		return msg, nil
	}
}

// Write implements [mcp.Connection].
func (w *conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		// Forgotten before it is written: as soon as the client has it, it may
		// use the ID again.
		t := w.forget(msg.ID)
		if t == nil {
			break
		}
		defer w.paid()
		if w.isWithheld(t.call) {
			return nil
		}
	case *jsonrpc.Request:
		if wd := withdrawalFrom(ctx); wd != nil && msg.Method == "notifications/cancelled" {
			return w.writeWithdrawal(ctx, wd, msg)
		}
		if c := callFrom(ctx); c != nil && c.isMuted() {
			return nil
		}
	}
	return w.Connection.Write(ctx, msg)
}

// writeWithdrawal writes the cancel of a request of our own, with its reason;
// when the client has hung up, nobody is there to be told. It is called with
// writeMu held.
func (w *conn) writeWithdrawal(ctx context.Context, wd *withdrawal, req *jsonrpc.Request) error {
	defer wd.done()
	if w.life.Err() != nil {
		return nil
	}
	req, err := wd.cancelled(req)
	if err != nil {
		return err
	}
	return w.Connection.Write(ctx, req)
}

// writeLines writes whole lines, each a message of c with its newline, past the
// SDK. It writes nothing and returns errAbandoned once c may not write.
func (w *conn) writeLines(c *call, lines []byte) error {
	w.writeMu.Lock()
	defer w.writeMu.Unlock()
	if c.isMuted() || w.life.Err() != nil {
		return errAbandoned
	}
	_, err := w.out.Write(lines)
	return err
}

// Close implements [mcp.Connection]. It may be called more than once.
func (w *conn) Close() error {
	w.end()
	w.closeOnce.Do(func() { close(w.closed) })
	return w.Connection.Close()
}

// isMuted reports whether nothing at all may be written for c any more.
func (c *call) isMuted() bool { return c.conduct == quiet && c.isCancelled() }

// isWithheld reports whether the answer to c is not to be written.
func (w *conn) isWithheld(c *call) bool {
	switch c.conduct {
	case standard:
		return false
	case quiet, restless:
		return c.isCancelled() || w.life.Err() != nil
	case deaf, protesting:
		return w.life.Err() != nil // its work was abandoned, not done
	default:
		return false
	}
}

// end notes that no more will be read, and abandons the work in flight.
func (w *conn) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.hungUp {
		return
	}
	w.hungUp = true
	w.hangUp()
	w.settle()
}

// paid notes that an answer was written or dropped.
func (w *conn) paid() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.owed--
	w.settle()
}

// settle closes settled when its time has come. It is called with mu held.
func (w *conn) settle() {
	select {
	case <-w.settled: // a last message may have been read while closing
		return
	default:
	}
	if w.hungUp && w.owed == 0 {
		close(w.settled)
	}
}

// requestParams are the members of a request's params that matter here.
type requestParams struct {
	Name          string          `json:"name"`
	Level         string          `json:"level"`
	Task          json.RawMessage `json:"task"`
	Notifications struct {
		TaskIDs []string `json:"taskIds"`
	} `json:"notifications"`
	Meta struct {
		ProgressToken json.RawMessage `json:"progressToken"`
		Revision      string          `json:"io.modelcontextprotocol/protocolVersion"`
		LogLevel      string          `json:"io.modelcontextprotocol/logLevel"`
	} `json:"_meta"`
}

// track notes a request that was read.
func (w *conn) track(req *jsonrpc.Request) {
	var p requestParams
	// Params of another shape are the SDK's to refuse.
	_ = json.Unmarshal(req.Params, &p)

	w.mu.Lock()
	defer w.mu.Unlock()
	if req.Method == "subscriptions/listen" {
		// Answered only when it is cancelled: nobody is to wait for it.
		extra := new(mcp.RequestExtra)
		w.byExtra[extra] = &tracked{call: &call{}, arrival: arrival{id: req.ID.Raw(), taskIDs: p.Notifications.TaskIDs}}
		req.Extra = extra
		return
	}
	if _, inUse := w.calls[req.ID]; inUse {
		return // the SDK refuses it; the one in flight keeps the ID
	}
	if req.Method == "logging/setLevel" && slices.Contains(levels, mcp.LoggingLevel(p.Level)) {
		w.level = p.Level
	}
	t := &tracked{call: &call{}}
	if req.Method == "tools/call" || req.Method == "tasks/result" {
		t = w.newCall(p)
		if req.Method == "tasks/result" {
			t.call.conduct = quiet // whoever waits no longer is not answered
		}
		if extra, ok := req.Extra.(*mcp.RequestExtra); ok {
			t.extra = extra // what the SDK's HTTP transport has put there
		}
		w.byExtra[t.extra] = t
		req.Extra = t.extra // the one thing the SDK hands on to a handler
	}
	w.calls[req.ID] = t
	w.owed++
}

func (w *conn) newCall(p requestParams) *tracked {
	cancel := make(chan struct{})
	c := &call{
		conduct:   conducts[p.Name],
		token:     validToken(p.Meta.ProgressToken),
		logLevel:  w.level,
		cancelled: cancel,
		wire:      w,
	}
	if p.Meta.Revision != "" {
		c.logLevel = p.Meta.LogLevel // since 2026-07-28 each request asks for itself
	}
	return &tracked{call: c, cancel: cancel, extra: new(mcp.RequestExtra), arrival: arrival{task: p.Task}}
}

// validToken returns raw if it is a string or a number, otherwise nil.
func validToken(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return nil
	}
	switch b := raw[0]; {
	case b == '"', b == '-', b >= '0' && b <= '9':
		return raw
	}
	return nil
}

// forget returns the tracked request with this ID and stops tracking it.
func (w *conn) forget(id jsonrpc.ID) *tracked {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.calls[id]
	if t != nil {
		delete(w.calls, id)
		delete(w.byExtra, t.extra)
	}
	return t
}

// cancel tells the call that params name of its cancel. It returns false if the
// SDK is to handle it.
func (w *conn) cancel(params json.RawMessage) bool {
	var p struct {
		RequestID any    `json:"requestId"`
		Reason    string `json:"reason"`
	}
	if json.Unmarshal(params, &p) != nil {
		return true // malformed: the specification says to ignore it
	}
	if f, ok := p.RequestID.(float64); ok && f != math.Trunc(f) {
		return true // 1.5 is nobody's ID; the SDK would take it for 1
	}
	id, err := jsonrpc.MakeID(p.RequestID)
	if err != nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	t := w.calls[id]
	if t == nil || t.call.conduct == standard {
		return false
	}
	if !t.call.isCancelled() {
		t.call.reason = p.Reason
		close(t.cancel)
	}
	return true
}

// attach is the middleware that puts the call of a request, and what else came
// with it, into its context.
func (w *conn) attach(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		w.mu.Lock()
		t := w.byExtra[req.GetExtra()]
		w.mu.Unlock()
		a := arrival{wire: w}
		if t != nil {
			a = t.arrival
			a.wire = w
		}
		ctx = context.WithValue(ctx, arrivalKey{}, a)
		if method == "subscriptions/listen" {
			defer w.unlisten(req.GetExtra())
		}
		if t == nil || t.call.conduct == standard {
			return next(ctx, method, req)
		}
		ctx, stop := context.WithCancel(context.WithValue(ctx, callKey{}, t.call))
		defer stop()
		defer context.AfterFunc(w.life, stop)()
		return next(ctx, method, req)
	}
}

// unlisten forgets a subscriptions/listen, which is over.
func (w *conn) unlisten(extra *mcp.RequestExtra) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.byExtra, extra)
}
