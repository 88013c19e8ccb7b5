package journal

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"belay/session"
)

// Player plays a journal through the same code that wrote it. Outputs are made again
// and compared with those that were written. The zero value awaits the first line.
type Player struct {
	s       *session.Session
	origin  time.Time
	line    int
	differs int
}

// Session is the session as it was after the last line; nil before the first.
func (p *Player) Session() *session.Session { return p.s }

// Differs is the number of outputs that came out otherwise than they were
// recorded. A masked journal may differ where a secret was.
func (p *Player) Differs() int { return p.differs }

// Apply plays one line. Errors name the line; what was played stays.
func (p *Player) Apply(line []byte) error {
	p.line++
	r, err := Parse(line)
	if err == nil {
		err = p.play(r)
	}
	if err != nil {
		return fmt.Errorf("line %d of the recording: %w", p.line, err)
	}
	return nil
}

func (p *Player) play(r Record) error {
	switch now := p.origin.Add(r.T); {
	case p.s == nil && r.Config == nil:
		return errors.New("a recording begins with its configuration")
	case p.s == nil:
		p.origin = r.Wall.Add(-r.T)
		p.s = session.New(*r.Config, p.origin)
	case r.Config != nil:
		return errors.New("a recording has its configuration in the first line alone")
	case r.Output != nil:
		out, ok := p.s.Next(now)
		if !ok || out.Op != r.Output.Op || !bytes.Equal(out.Data, r.Output.Data) {
			p.differs++
		}
	default:
		_, err := p.s.Handle(now, r.Input)
		return err
	}
	return nil
}
