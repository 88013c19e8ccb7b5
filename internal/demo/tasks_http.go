package demo

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tasksInModern serves the requests of 2026-07-28 by a handler that knows nothing
// of what tasks have over HTTP: the header that routes them, and their part of a
// subscriptions/listen.
func tasksInModern(w http.ResponseWriter, r *http.Request, messages []peeked, next http.Handler) {
	if len(messages) != 1 {
		next.ServeHTTP(w, r)
		return
	}
	switch m := messages[0]; {
	case slices.Contains(extensionMethods, m.Method) && headerName(r) != m.Params.TaskID.value && m.ID != nil:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"the header Mcp-Name is to be the taskId"}}`, m.ID, mcp.CodeHeaderMismatch)
	case m.Method == "subscriptions/listen" && m.Params.Notifications.value.TaskIDs != nil:
		e := &events{ResponseWriter: w}
		defer e.end()
		a := arrival{id: m.ID, taskIDs: m.Params.Notifications.value.TaskIDs, events: e}
		next.ServeHTTP(e, r.WithContext(context.WithValue(r.Context(), arrivalKey{}, a)))
	default:
		next.ServeHTTP(w, r)
	}
}

// headerName is what the header Mcp-Name says, which is encoded where it has more
// than a header may.
func headerName(r *http.Request) string {
	name := r.Header.Get("Mcp-Name")
	if encoded, ok := strings.CutPrefix(name, "=?base64?"); ok {
		if b, err := base64.StdEncoding.DecodeString(strings.TrimSuffix(encoded, "?=")); err == nil {
			return string(b)
		}
	}
	return name
}

// A disguise is the params of a ping that is a request about tasks. The SDK's
// transport refuses methods that the SDK itself does not have, and has no way to
// be told of others where the connection is ours.
type disguise struct {
	Method string          `json:"belay-demo/method"`
	Params json.RawMessage `json:"belay-demo/params,omitempty"`
}

// tasksInHandshakes serves the requests of a session by a handler that knows
// nothing of tasks.
func tasksInHandshakes(w http.ResponseWriter, r *http.Request, messages []peeked, next http.Handler) {
	if len(messages) != 1 || !strings.HasPrefix(messages[0].Method, "tasks/") {
		next.ServeHTTP(w, r)
		return
	}
	r = disguised(r, messages[0].Method)
	if messages[0].Method == "tasks/result" {
		next.ServeHTTP(w, r) // its stream has the questions of the task
		return
	}
	one := &gathered{ResponseWriter: w}
	next.ServeHTTP(one, r)
	one.end()
}

// gathered makes of a stream of events with one message a body of JSON: a client
// that polls is not to be given a stream each time.
type gathered struct {
	http.ResponseWriter

	events  bytes.Buffer
	written bool
	stream  bool
}

// WriteHeader implements [http.ResponseWriter].
func (g *gathered) WriteHeader(status int) {
	g.written = true
	if g.stream = g.Header().Get("Content-Type") == "text/event-stream"; !g.stream {
		g.ResponseWriter.WriteHeader(status)
	}
}

// Write implements [http.ResponseWriter].
func (g *gathered) Write(b []byte) (int, error) {
	if !g.written {
		g.WriteHeader(http.StatusOK)
	}
	if g.stream {
		return g.events.Write(b)
	}
	return g.ResponseWriter.Write(b)
}

// end writes the message.
func (g *gathered) end() {
	if !g.stream {
		return
	}
	var message []byte
	for line := range bytes.Lines(g.events.Bytes()) {
		if data := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("data:"))); bytes.HasPrefix(line, []byte("data:")) && len(data) > 0 {
			message = data
		}
	}
	g.Header().Set("Content-Type", "application/json")
	_, _ = g.ResponseWriter.Write(message)
}

// disguised is a request about tasks as a ping; [undisguise] is its inverse.
func disguised(r *http.Request, method string) *http.Request {
	body, err := io.ReadAll(r.Body)
	var m map[string]json.RawMessage
	if err == nil && json.Unmarshal(body, &m) == nil { // else it is the SDK's to refuse
		if params, err := json.Marshal(disguise{method, m["params"]}); err == nil {
			m["method"], m["params"] = json.RawMessage(`"ping"`), params
			if b, err := json.Marshal(m); err == nil {
				body = b
			}
		}
	}
	r = r.Clone(r.Context())
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return r
}

// undisguise makes of a ping the request that it is.
func undisguise(req *jsonrpc.Request) {
	var d disguise
	if req.Method == "ping" && bytes.Contains(req.Params, []byte("belay-demo/method")) && json.Unmarshal(req.Params, &d) == nil && d.Method != "" {
		req.Method, req.Params = d.Method, d.Params
	}
}
