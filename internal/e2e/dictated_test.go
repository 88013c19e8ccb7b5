package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A dictated peer serves as usual, and says whatever the test dictates: lines
// that the test appends to a file beside the log. What is dictated together is
// written together, for belay to read at once. A hesitant peer does so, too, but
// when the first bytes of the answer to q0 arrive, it reads on only when it is
// told to. So does a crossing peer with the answer to q1, which it takes back by
// itself: once in that moment, and once when it has read the whole.
func init() {
	for conduct, l := range map[string]listener{
		"dictated": {},
		"hesitant": {head: `{"jsonrpc":"2.0","id":"q0",`},
		"crossing": {head: `{"jsonrpc":"2.0","id":"q1",`, says: takeBack + "\n"},
	} {
		conducts[conduct] = func(p *peer, in *bufio.Reader) {
			go p.takeDictation(dictation(p.log.Name()))
			l.p, l.in = p, in
			p.serve(bufio.NewReader(&l), nil)
		}
	}
	conducts["dictated-modern"] = func(p *peer, in *bufio.Reader) {
		p.modern = true
		conducts["dictated"](p, in)
	}
}

// listener is the input of a dictated peer. It logs every byte when it is read.
type listener struct {
	head string // how the line begins at which it stops; empty: it never does
	says string // then, and at the end of that line

	p       *peer
	in      io.Reader
	file    *os.File
	line    []byte // as far as it was read, until it stops
	stopped bool
	ended   bool // the line at which it stopped
}

// heard is the file with the bytes that belay has written, as they were read.
func heard(log string) string { return log + ".heard" }

// readOn is the file that tells a peer that stopped to read on.
func readOn(log string) string { return log + ".go" }

func (l *listener) Read(b []byte) (int, error) {
	if l.file == nil {
		f, err := os.OpenFile(heard(l.p.log.Name()), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return 0, err
		}
		l.file = f
	}
	if l.head != "" && !l.stopped {
		b = b[:1]
	}
	n, err := l.in.Read(b)
	if _, err := l.file.Write(b[:n]); err != nil {
		return 0, err
	}
	switch {
	case l.head == "" || l.ended:
	case l.stopped:
		if l.ended = bytes.IndexByte(b[:n], '\n') >= 0; l.ended {
			l.p.raw(l.says)
		}
	case n == 1 && b[0] == '\n':
		l.line = l.line[:0]
	case n == 1:
		if l.line = append(l.line, b[0]); string(l.line) == l.head {
			l.stop()
		}
	}
	return n, err
}

func (l *listener) stop() {
	l.stopped = true
	l.p.raw(l.says)
	for {
		if _, err := os.Stat(readOn(l.p.log.Name())); err == nil {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

func dictation(log string) string { return log + ".dictation" }

func (p *peer) takeDictation(name string) {
	for said := 0; ; time.Sleep(2 * time.Millisecond) {
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if end := bytes.LastIndexByte(text, '\n') + 1; end > said {
			p.raw(string(text[said:end]))
			said = end
		}
	}
}

// dictate makes the server say lines, in one write.
func (s *stage) dictate(lines ...string) *stage {
	s.t.Helper()
	f, err := os.OpenFile(dictation(s.log), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		s.t.Fatal(err)
	}
	_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		s.t.Fatal(err)
	}
	return s
}

// pressUntil presses a key again and again until something holds: what opens by
// itself does not hear the first keys.
func (s *stage) pressUntil(key, what string, holds func() bool) *stage {
	s.t.Helper()
	for range 120 {
		s.Press(key)
		for range 100 { // half a second, in which a question that opens comes to listen
			if holds() {
				return s
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	s.t.Fatalf("%s was pressed in vain: %s\n%s", key, what, s.Screen().Framed())
	return s
}

// settled waits until belay has answered a ping that the server sends now:
// whatever else it had to write has been read by then.
func (s *stage) settled() *stage {
	s.t.Helper()
	s.pings++
	id := fmt.Sprintf(`"pong-%d"`, s.pings)
	s.dictate(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
	return s.serverReads(1, `"id":`+id, `"result"`)
}

// silent holds that nothing was written for the server's request q1.
func (s *stage) silent() *stage {
	s.t.Helper()
	return s.settled().serverReads(0, `"id":"q1"`)
}
