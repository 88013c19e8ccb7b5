package conduct

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Server plays a conduct for every call of the tool "slow", and does what any
// server does for the rest: the tool "fast" is answered at once.
type Server struct {
	c      Conduct
	way    Way
	lag    time.Duration
	grace  time.Duration
	user   User
	gate   *gate
	ruined atomic.Bool
	mute   atomic.Bool
	pace   atomic.Int32
	link   link
	web    *Web

	mu     sync.Mutex
	scenes map[string]*Scene // by the ID of the call
	last   *Scene
	plays  []*Scene // whose scripts have not ended, oldest first
	played func(*Scene)
}

// link carries the messages of a server.
type link interface {
	// send sends a message that belongs to a call.
	send(x *Scene, message string)
	// open begins an answer. It returns the answer as framed on the wire, a function
	// that writes pieces of it, and one to be called after the last piece.
	open(x *Scene, message string) (framed string, write func(string), end func())
}

// Stage is where a server is played.
type Stage struct {
	Way    Way
	Grace  time.Duration
	User   User
	Bridge Bridge
	Played func(*Scene) // is told of each scene when its script has ended
	Pace   int          // an animal works, and rests, for so many times as long; 0: for as long as it says
}

// SlowTool and FastTool are the tools of every server here.
const (
	SlowTool = "slow"
	FastTool = "fast"
)

const (
	slowTool = `{"name":"slow","description":"Does what its conduct says","inputSchema":{"type":"object"}}`
	fastTool = `{"name":"fast","description":"Answers at once","inputSchema":{"type":"object"}}`

	// FastText is what the fast tool says.
	FastText = "here you are"
)

func newServer(c Conduct, st Stage) *Server {
	s := &Server{
		c: c, way: st.Way, lag: st.Bridge.Up.Base, grace: st.Grace, user: st.User,
		gate: newGate(), scenes: map[string]*Scene{}, played: st.Played,
	}
	s.SetPace(st.Pace)
	return s
}

func (s *Server) send(x *Scene, message string) { s.link.send(x, message) }

func (s *Server) open(x *Scene, message string) (string, func(string), func()) {
	return s.link.open(x, message)
}

// complete is the member that a result has in the modern era.
func (s *Server) complete() string {
	if s.way.Revision() == "2026-07-28" {
		return `"resultType":"complete",`
	}
	return ""
}

func (s *Server) fast() string {
	return fmt.Sprintf(`{%s"content":[{"type":"text","text":%q}]}`, s.complete(), FastText)
}

// begin makes the scene of a call.
func (s *Server) begin(m message) *Scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	x := &Scene{
		ID: m.ID, Token: m.Params.Meta.Token, Again: m.Params.Inputs != nil, Grace: s.grace, Way: s.way, Web: s.web,
		user: s.user, srv: s, t: newTrack(), over: make(chan struct{}),
		cancelled: make(chan struct{}), answered: make(chan struct{}),
	}
	s.scenes[string(m.ID)] = x
	s.last = x
	s.plays = append(s.plays, x)
	return x
}

// play plays the conduct for a scene to its end.
func (s *Server) play(x *Scene) {
	s.c.Play(x)
	s.mu.Lock()
	s.plays = slices.DeleteFunc(s.plays, func(y *Scene) bool { return y == x })
	s.mu.Unlock()
	s.played(x)
}

func (s *Server) scene(id json.RawMessage) *Scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.scenes[string(id)]
}

// latest is the scene of the latest call; nil: there was none.
func (s *Server) latest() *Scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// asker is the scene that asked with an ID; nil: none did.
func (s *Server) asker(id json.RawMessage) *Scene {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, x := range s.scenes {
		if x.question() == string(id) {
			return x
		}
	}
	return nil
}

// watch has the bridge say when cancels can be read.
func (s *Server) watch(b Bridge) Bridge {
	b.seen = func() func([]byte, time.Time) {
		return (&spotter{found: func(rest []byte, due time.Time) {
			if x := s.scene(requestID(rest)); x != nil {
				x.t.cancelDue(due)
			}
		}}).see
	}
	return b
}

// requestID is that of a cancel, of which only what follows its method is known.
func requestID(rest []byte) json.RawMessage {
	var m message
	if len(rest) == 0 || json.Unmarshal(append([]byte{'{'}, rest[1:]...), &m) != nil {
		return nil
	}
	return m.Params.RequestID
}

// message is what a server looks at in what it is sent.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name            string          `json:"name"`
		RequestID       json.RawMessage `json:"requestId"`
		ProtocolVersion string          `json:"protocolVersion"`
		Inputs          json.RawMessage `json:"inputResponses"`
		Meta            struct {
			Token json.RawMessage `json:"progressToken"`
		} `json:"_meta"`
	} `json:"params"`
}

// gate is a door that is waited at while it is closed.
type gate struct {
	mu     sync.Mutex
	moved  *sync.Cond
	closed bool
	gone   bool
}

func newGate() *gate {
	g := &gate{}
	g.moved = sync.NewCond(&g.mu)
	return g
}

func (g *gate) set(open bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = !open
	g.moved.Broadcast()
}

// leave opens the gate for good.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.gone = true
	g.moved.Broadcast()
}

func (g *gate) pass() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for g.closed && !g.gone {
		g.moved.Wait()
	}
}
