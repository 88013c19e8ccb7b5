package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// A dictated peer serves as usual, and says whatever the test dictates: lines
// that the test appends to a file beside the log. What is dictated together is
// written together, for belay to read at once.
func init() {
	conducts["dictated"] = func(p *peer, in *bufio.Reader) {
		go p.takeDictation(dictation(p.log.Name()))
		p.serve(in, nil)
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
	for range 20 {
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

// silent holds that nothing was written for the server's request q1: a ping
// that it sends now is answered, and whatever belay wrote before has been read.
func (s *stage) silent() *stage {
	s.t.Helper()
	s.pings++
	id := fmt.Sprintf(`"pong-%d"`, s.pings)
	s.dictate(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`)
	s.serverReads(1, `"id":`+id, `"result"`)
	return s.serverReads(0, `"id":"q1"`)
}
