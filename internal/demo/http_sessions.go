package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// sessionIdle is how long a session is kept for a client that is not heard of.
const sessionIdle = time.Hour

// sessions serves Streamable HTTP with a handshake. The SDK's own handler
// would do, but for the wrapper that lets a call go quiet.
type sessions struct {
	life  context.Context // of the server
	opts  Options
	store mcp.EventStore // from which broken streams are picked up

	mu  sync.Mutex
	all map[string]*webSession
}

func newSessions(life context.Context, opts Options) *sessions {
	return &sessions{life: life, opts: opts, store: mcp.NewMemoryEventStore(nil), all: map[string]*webSession{}}
}

// A webSession is a session over HTTP.
type webSession struct {
	http.Handler // serves its exchanges

	close func() // ends it and waits for that; may be called more than once

	mu   sync.Mutex
	open int         // exchanges
	idle *time.Timer // closes it
}

// serve serves one exchange.
func (s *webSession) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.open++
	s.idle.Stop()
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.open--; s.open == 0 {
			s.idle.Reset(sessionIdle)
		}
	}()
	s.ServeHTTP(w, r)
}

func (s *sessions) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	revision, id := r.Header.Get(headerRevision), r.Header.Get(headerSession)
	switch {
	case revision != "" && !slices.Contains(mcp.SupportedProtocolVersions(), revision):
		http.Error(w, fmt.Sprintf("the revision %q is not served: %s are", revision, strings.Join(mcp.SupportedProtocolVersions(), ", ")), http.StatusBadRequest)
	case r.Method != http.MethodPost && r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "a session is served by GET, POST and DELETE", http.StatusMethodNotAllowed)
	case r.Method == http.MethodPost && !isMediaType(r.Header.Get("Content-Type"), "application/json"):
		http.Error(w, "the Content-Type has to be application/json", http.StatusUnsupportedMediaType)
	case !accepts(r, "text/event-stream") || r.Method == http.MethodPost && !accepts(r, "application/json"):
		http.Error(w, "Accept has to name text/event-stream, and for a POST application/json too", http.StatusNotAcceptable)
	case id != "":
		s.continued(w, r, id)
	case r.Method == http.MethodPost:
		s.begun(w, r)
	default:
		http.Error(w, "this needs the header "+headerSession, http.StatusBadRequest)
	}
}

// continued serves a request of a session.
func (s *sessions) continued(w http.ResponseWriter, r *http.Request, id string) {
	s.mu.Lock()
	session := s.all[id]
	s.mu.Unlock()
	switch {
	case session == nil:
		http.Error(w, "there is no such session (any more): begin a new one", http.StatusNotFound)
	case r.Method == http.MethodDelete:
		session.close()
		w.WriteHeader(http.StatusNoContent)
	default:
		session.serve(w, r)
	}
}

// begun serves the first request of a session, which is kept if that was a
// handshake.
func (s *sessions) begun(w http.ResponseWriter, r *http.Request) {
	id := rand.Text()
	transport := &mcp.StreamableServerTransport{SessionID: id, EventStore: s.store}
	session, err := connectWeb(s.life, transport, transport, s.opts)
	if err != nil {
		http.Error(w, "the session could not be begun", http.StatusInternalServerError)
		return
	}
	end := session.close
	session.close = func() {
		s.mu.Lock()
		delete(s.all, id)
		s.mu.Unlock()
		session.idle.Stop()
		end()
	}
	session.idle = time.AfterFunc(sessionIdle, session.close)
	s.mu.Lock()
	s.all[id] = session
	s.mu.Unlock()
	session.serve(w, r)
	if w.Header().Get(headerSession) == "" {
		session.close() // nobody was told of it
	}
}

// connectWeb connects a server of its own, with our wrapper, to a transport that
// serves by handler. What it starts ends with life.
func connectWeb(life context.Context, transport mcp.Transport, handler http.Handler, opts Options) (*webSession, error) {
	wire := newConn(transport, nil)
	server := NewServer(opts)
	server.AddReceivingMiddleware(wire.attach)
	session, err := server.Connect(life, wire, nil)
	if err != nil {
		return nil, err
	}
	unlink := context.AfterFunc(life, func() { _ = wire.Close() })
	return &webSession{Handler: handler, close: func() {
		unlink()
		_ = wire.Close() // first: it ends the calls that the SDK would wait for
		_ = session.Close()
	}}, nil
}

// accepts reports whether the client takes answers of this media type.
func accepts(r *http.Request, want string) bool {
	if r.Method == http.MethodDelete {
		return true
	}
	family, _, _ := strings.Cut(want, "/")
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			if isMediaType(part, want) || isMediaType(part, family+"/*") || isMediaType(part, "*/*") {
				return true
			}
		}
	}
	return false
}

// isMediaType reports whether a value is this media type, whatever its parameters.
func isMediaType(value, want string) bool {
	value, _, _ = strings.Cut(value, ";")
	return strings.EqualFold(strings.TrimSpace(value), want)
}
