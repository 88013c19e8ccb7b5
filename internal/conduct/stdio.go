package conduct

import (
	"bufio"
	"encoding/json"
	"fmt"
	"sync"
	"time"
)

// StdioServer is a server at one end of a bridge, as a process would be.
type StdioServer struct {
	*Server
	end *End

	out  chan struct{} // one slot: holds something while a message is written
	mu   sync.Mutex
	left Left
}

// Left is how a server went.
type Left struct {
	Gone bool // it ended by itself …
	Code int  // … with this status
	Mute bool // it closed its output and lives on
}

// OverStdio makes a server that is not yet running, and the client's end of the
// bridge to it.
func OverStdio(c Conduct, st Stage) (*StdioServer, *End) {
	s := &StdioServer{Server: newServer(c, st), out: make(chan struct{}, 1)}
	s.link = s
	b := s.watch(st.Bridge)
	if c.Narrow {
		b.Room = 1
	}
	client, server := b.Connect()
	s.end = server
	return s, client
}

// Run serves until its input ends.
func (s *StdioServer) Run() {
	time.Sleep(s.c.Start)
	in := bufio.NewReaderSize(s.end, 1) // no more than is read leaves the pipe
	for {
		s.gate.pass()
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		s.gate.pass()
		var m message
		if json.Unmarshal(line, &m) == nil {
			s.take(m)
		}
	}
	s.End()
}

// End ends the server, without a status, and all that its scripts wait for.
func (s *StdioServer) End() {
	s.gate.leave()
	s.Server.mu.Lock()
	for _, x := range s.scenes {
		x.End()
	}
	s.Server.mu.Unlock()
	_ = s.end.Close()
}

// Left says how the server went.
func (s *StdioServer) Left() Left {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.left
}

func (s *StdioServer) leave(how Left) {
	s.mu.Lock()
	s.left = how
	s.mu.Unlock()
	_ = s.end.CloseWrite()
	if how.Gone {
		s.gate.leave()
		_ = s.end.Close()
	}
}

func (s *StdioServer) take(m message) {
	switch m.Method {
	case "":
		if x := s.asker(m.ID); x != nil {
			x.readAnswer()
		}
	case "initialize":
		s.result(m, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"scripted","version":"1"}}`, m.Params.ProtocolVersion))
	case "server/discover":
		if s.way != StdioModern {
			s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID))
		} else if !s.mute.Load() {
			s.result(m, `{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"scripted","version":"1"}}}`)
		}
	case "ping":
		if !s.mute.Load() {
			s.result(m, `{}`)
		}
	case "tools/list":
		more := ""
		if s.way == StdioModern {
			more = `"resultType":"complete","ttlMs":600000,"cacheScope":"private",`
		}
		s.result(m, `{`+more+`"tools":[`+slowTool+`,`+fastTool+`]}`)
	case "tools/call":
		if m.Params.Name == FastTool {
			s.result(m, s.fast())
		} else {
			x := s.begin(m)
			go s.play(x)
		}
	case "notifications/cancelled":
		for _, x := range s.meant(m.Params.RequestID) {
			x.readCancel(m.Params.RequestID)
		}
	}
}

// result answers, unless a script is in the middle of an answer: then after it,
// and the server reads on.
func (s *StdioServer) result(m message, result string) {
	s.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
}

func (s *StdioServer) say(message string) {
	select {
	case s.out <- struct{}{}:
		s.write(message + "\n")
		<-s.out
	default:
		go s.send(nil, message)
	}
}

func (s *StdioServer) write(text string) { _, _ = s.end.Write([]byte(text)) }

// send implements link.
func (s *StdioServer) send(_ *Scene, message string) {
	s.out <- struct{}{}
	s.write(message + "\n")
	<-s.out
}

// open implements link.
func (s *StdioServer) open(_ *Scene, message string) (string, func(string), func()) {
	s.out <- struct{}{}
	return message + "\n", s.write, func() { <-s.out }
}

// Exit ends the process with a status.
func (x *Scene) Exit(code int) { x.process().leave(Left{Gone: true, Code: code}) }

// CloseOutput closes the server's stdout; the process lives on.
func (x *Scene) CloseOutput() { x.process().leave(Left{Mute: true}) }

func (x *Scene) process() *StdioServer { return x.srv.link.(*StdioServer) }
