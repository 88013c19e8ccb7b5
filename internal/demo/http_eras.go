package demo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// The headers of Streamable HTTP.
const (
	headerRevision = "MCP-Protocol-Version"
	headerSession  = "Mcp-Session-Id"
)

// eras hands each request to the handler of its era.
type eras struct {
	handshakes http.Handler // 2025-03-26 to 2025-11-25, and whatever is older
	modern     http.Handler // since 2026-07-28
}

func (e *eras) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	messages, ok := readBody(w, r)
	switch {
	case !ok:
	case isModern(r, messages):
		tasksInModern(w, r, messages, e.modern)
	default:
		tasksInHandshakes(w, r, messages, e.handshakes)
	}
}

// readBody reads the messages of a POST and leaves the body to be read again. A
// body that is no JSON has none: the SDK refuses it. If the body is too long or
// breaks off, it answers and returns false.
func readBody(w http.ResponseWriter, r *http.Request) (messages []peeked, ok bool) {
	if r.Method != http.MethodPost {
		return nil, true
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		if _, tooLong := errors.AsType[*http.MaxBytesError](err); tooLong {
			http.Error(w, fmt.Sprintf("a body may have %d bytes", maxBody), http.StatusRequestEntityTooLarge)
		} else {
			http.Error(w, "the body broke off", http.StatusBadRequest)
		}
		return nil, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if json.Unmarshal(body, &messages) != nil { // a batch, or a single message
		var one peeked
		if json.Unmarshal(body, &one) == nil {
			messages = []peeked{one}
		}
	}
	return messages, true
}

// peeked are the members of a message that tell its era, and what the SDK does
// not know of it.
type peeked struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		TaskID        loosely[string] `json:"taskId"`
		Notifications loosely[struct {
			TaskIDs []string `json:"taskIds"`
		}] `json:"notifications"`
		Meta struct {
			Revision string `json:"io.modelcontextprotocol/protocolVersion"`
		} `json:"_meta"`
	} `json:"params"`
}

// loosely is a value that may be of another type, and is empty then: that is the
// SDK's to refuse.
type loosely[T any] struct{ value T }

// UnmarshalJSON implements [json.Unmarshaler].
func (l *loosely[T]) UnmarshalJSON(b []byte) error {
	_ = json.Unmarshal(b, &l.value)
	return nil
}

// isModern tells the era of a request: by its session or its handshake, which
// only one of them has, by what the request says of its revision, and by
// server/discover, which only the other has. The modern handler also refuses
// revisions that nobody knows, with a list of those that it does.
func isModern(r *http.Request, messages []peeked) bool {
	if r.Header.Get(headerSession) != "" {
		return false
	}
	for _, m := range messages {
		switch {
		case m.Method == "initialize":
			return false
		case m.Method == "server/discover", m.Params.Meta.Revision != "":
			return true
		}
	}
	return r.Header.Get(headerRevision) >= firstWithRounds
}
