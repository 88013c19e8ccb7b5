package demo

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sse serves the HTTP+SSE of 2024-11-05: one stream that brings everything, and
// an address of its own for what the client writes.
type sse struct {
	life context.Context // of the server
	opts Options

	mu  sync.Mutex
	all map[string]*webSession
}

func newSSE(life context.Context, opts Options) *sse {
	return &sse{life: life, opts: opts, all: map[string]*webSession{}}
}

func (s *sse) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodGet:
		s.stream(w, r)
	case http.MethodPost:
		s.post(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "HTTP+SSE is served by GET and POST", http.StatusMethodNotAllowed)
	}
}

// stream serves a session: it lasts as long as its stream.
func (s *sse) stream(w http.ResponseWriter, r *http.Request) {
	id := rand.Text()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	transport := &mcp.SSEServerTransport{Endpoint: pathSSE + "?session=" + id, Response: w, MaxRequestBodyBytes: maxBody}
	connected := make(chan struct{})
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-connected:
			transport.ServeHTTP(w, r)
		case <-r.Context().Done():
		}
	})
	s.mu.Lock()
	s.all[id] = &webSession{Handler: handler}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.all, id)
		s.mu.Unlock()
	}()
	// Connecting tells the client where to write, so it may be there at once.
	session, err := connectWeb(s.life, transport, handler, s.opts)
	if err != nil {
		return // the client has hung up
	}
	close(connected)
	defer session.close()
	<-r.Context().Done()
}

// post takes what the client writes.
func (s *sse) post(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	session := s.all[r.URL.Query().Get("session")]
	s.mu.Unlock()
	switch {
	case session == nil:
		http.Error(w, "there is no such session (any more): begin a new one by GET", http.StatusNotFound)
	case !isMediaType(r.Header.Get("Content-Type"), "application/json"):
		http.Error(w, "the Content-Type has to be application/json", http.StatusUnsupportedMediaType)
	default:
		session.ServeHTTP(w, r)
	}
}
