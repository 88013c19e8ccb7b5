package conduct

import (
	"encoding/json"
	"net"
	"net/http"
	"sync"
	"testing"

	"belay/internal/peer"
)

// Web is a server over HTTP.
type Web struct {
	*Server
	*peer.Peer

	// OnCancel answers the POST of a cancel; nil: 202, when the gate is open.
	OnCancel func(x *Scene, post *peer.Exchange)

	// Ping answers a ping; nil: at once, if the server is not mute.
	Ping func(x *Scene, post *peer.Exchange)

	listener *listener

	streams sync.Mutex
	get     chan struct{}  // closed when there is a stream
	stream  *peer.Exchange // the GET that the server listens on; nil: there is none
}

// OverHTTP starts a server. Its clients come through a listener, and then over the
// bridge; nil: they come by [Web.Dial].
func OverHTTP(t testing.TB, c Conduct, st Stage, clients net.Listener) *Web {
	w := &Web{Server: newServer(c, st), get: make(chan struct{})}
	w.link, w.web = w, w
	w.listener = newListener(w.watch(st.Bridge), clients)
	w.Peer = peer.Over(t, w.listener)
	t.Cleanup(w.End)
	if st.Way.Revision() == "2026-07-28" {
		w.Modern(slowTool, fastTool)
	} else {
		w.Handshake("2025-11-25", slowTool, fastTool)
	}
	w.On("ping", func(x *peer.Exchange) {
		switch {
		case w.Ping != nil:
			w.Ping(w.latest(), x)
		case !w.mute.Load():
			x.JSONResult(`{}`)
		}
	})
	w.On("tools/call", w.call)
	w.On("notifications/cancelled", w.cancel)
	w.On("answer", func(x *peer.Exchange) {
		x.Accepted()
		var m message
		_ = json.Unmarshal(x.Body, &m)
		if s := w.asker(m.ID); s != nil {
			s.readAnswer()
		}
	})
	if c.Web != nil {
		c.Web(w)
	}
	return w
}

// Dial makes a connection to the server.
func (w *Web) Dial() (net.Conn, error) { return w.listener.dial() }

// End ends all that the scripts wait for.
func (w *Web) End() {
	w.gate.leave()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, x := range w.scenes {
		x.End()
	}
}

// Refuse closes all connections; none can be made any more.
func (w *Web) Refuse() { w.listener.refuse() }

// Listens has the server offer a stream of its own, on a GET.
func (w *Web) Listens() {
	w.On(http.MethodGet, func(x *peer.Exchange) {
		x.SSE()
		w.listensOn(x)
	})
}

// listensOn takes a GET as the server's own stream, unless there is one.
func (w *Web) listensOn(x *peer.Exchange) {
	w.streams.Lock()
	defer w.streams.Unlock()
	if w.stream == nil {
		w.stream = x
		close(w.get)
	}
}

// endStream ends the server's own stream. The next GET is another one, for the next call
// of the session.
func (w *Web) endStream() {
	w.streams.Lock()
	defer w.streams.Unlock()
	w.stream.End()
	w.stream, w.get = nil, make(chan struct{})
}

// listened is the server's own stream, and what is closed once there is one.
func (w *Web) listened() (*peer.Exchange, chan struct{}) {
	w.streams.Lock()
	defer w.streams.Unlock()
	return w.stream, w.get
}

// Stream is the stream that the client has opened by a GET; nil: it never did.
func (w *Web) Stream(x *Scene) *peer.Exchange {
	_, get := w.listened()
	select {
	case <-get:
		stream, _ := w.listened()
		return stream
	case <-x.over:
		return nil
	}
}

func (w *Web) call(post *peer.Exchange) {
	var m message
	_ = json.Unmarshal(post.Body, &m)
	if m.Params.Name == FastTool {
		post.JSONResult(w.fast())
		return
	}
	x := w.begin(m)
	x.X = post
	if w.way == HTTPModern {
		go func() {
			select {
			case <-post.Gone():
				x.readCancel(x.ID)
			case <-x.over:
			}
		}()
	}
	if w.way != JSON {
		post.SSE()
	}
	w.play(x)
}

func (w *Web) cancel(post *peer.Exchange) {
	var m message
	_ = json.Unmarshal(post.Body, &m)
	meant := w.meant(m.Params.RequestID)
	if len(meant) == 0 {
		post.Accepted()
		return
	}
	x := meant[0]
	if w.OnCancel != nil {
		x.readCancel(m.Params.RequestID)
		w.OnCancel(x, post)
		return
	}
	w.gate.pass()
	for _, x := range meant {
		x.readCancel(m.Params.RequestID)
	}
	post.Accepted()
}

// send implements link.
func (*Web) send(x *Scene, message string) { x.X.Message(message) }

// open implements link.
func (w *Web) open(x *Scene, message string) (string, func(string), func()) {
	write := func(b string) { x.X.Chunk(b) }
	if w.way == JSON {
		x.X.With("Content-Type", "application/json").Head(http.StatusOK)
		return message, write, x.X.End
	}
	return peer.Event{Data: message}.String(), write, x.X.End
}
