package peer

import (
	"encoding/json"
	"io"
	"net/http"
)

// Tasks gives standing answers to everything, by a script, in 2025-11-25 or
// 2026-07-28. [Peer.On] replaces any of them. Log is told what passes.
func (p *Peer) Tasks(script TaskScript, revision string, log ...func(Passed)) *Peer {
	s := newTaskServer(script, revision, log)
	p.On(http.MethodGet, func(x *Exchange) { x.With("Allow", "POST, DELETE").Answer(http.StatusMethodNotAllowed, "", "") })
	p.On(http.MethodDelete, func(x *Exchange) { x.Answer(http.StatusNoContent, "", "") })
	return p.On("", func(x *Exchange) {
		r := &exchangeReplier{x: x, modern: s.modern}
		if x.message.ID == nil || x.message.Method == "" { // nothing that is answered
			x.Accepted()
		} else if x.message.Method == "initialize" && !s.modern {
			x.With("Mcp-Session-Id", SessionID)
		}
		s.take(x.Body, x.message, r)
	})
}

// exchangeReplier answers by a body of JSON, or, if there are messages before the
// answer, by a stream.
type exchangeReplier struct {
	x      *Exchange
	modern bool
	stream bool
}

func (r *exchangeReplier) message(json string) {
	if !r.stream {
		r.stream = true
		r.x.SSE()
	}
	r.x.Message(json)
}

func (r *exchangeReplier) answer(json string, code int) {
	switch {
	case r.stream:
		r.x.Message(json).End()
	case r.modern && code == -32601:
		r.x.Answer(http.StatusNotFound, "application/json", json)
	case r.modern && code != 0:
		r.x.Answer(http.StatusBadRequest, "application/json", json)
	default:
		r.x.Answer(http.StatusOK, "application/json", json)
	}
}

// TaskLines plays a script for a client that reads and writes lines.
type TaskLines struct {
	server *taskServer
	out    lineReplier
}

// NewTaskLines makes a server of 2025-11-25 or 2026-07-28 that writes to out. Log is told what
// passes.
func NewTaskLines(script TaskScript, revision string, out io.Writer, log ...func(Passed)) *TaskLines {
	return &TaskLines{server: newTaskServer(script, revision, log), out: lineReplier{out}}
}

// Take takes a line of the client's.
func (l *TaskLines) Take(line []byte) {
	var m message
	if json.Unmarshal(line, &m) == nil {
		l.server.take(line, m, l.out)
	}
}

// lineReplier writes lines; the server writes one at a time. An error means that
// the client has gone.
type lineReplier struct{ out io.Writer }

func (r lineReplier) message(json string)       { _, _ = io.WriteString(r.out, json+"\n") }
func (r lineReplier) answer(json string, _ int) { r.message(json) }
