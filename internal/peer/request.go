package peer

import (
	"encoding/json"
	"io"
	"net/http"
)

// A Request is one HTTP request as it arrived.
type Request struct {
	Order  int    // of its arrival, from 1
	Method string // GET, POST, DELETE, …
	Path   string // with the query
	Host   string
	Header http.Header
	Body   []byte

	message message
}

// message are the members of a JSON-RPC message.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

func readRequest(r *http.Request) (Request, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Request{}, err
	}
	req := Request{Method: r.Method, Path: r.URL.RequestURI(), Host: r.Host, Header: r.Header, Body: body}
	_ = json.Unmarshal(body, &req.message) // a body that is none has no kind of its own
	return req, nil
}

// Kind is the method of the JSON-RPC message in a POST, such as tools/call;
// "answer" if that is an answer of the client's; without a message the method of
// HTTP.
func (r *Request) Kind() string {
	switch {
	case r.message.Method != "":
		return r.message.Method
	case r.message.ID != nil:
		return "answer"
	}
	return r.Method
}

// ID is the ID of the JSON-RPC message as it was written, nil if it has none.
func (r *Request) ID() json.RawMessage { return r.message.ID }

// Params are the params of the JSON-RPC message as they were written.
func (r *Request) Params() json.RawMessage { return r.message.Params }
