package journal

import (
	"bytes"
	"errors"
	"time"

	"belay/session"
	"belay/session/mcp"
	"belay/session/twin"
)

// Player plays a journal through the same code that wrote it. Outputs are made again
// and compared with those that were written. The zero value awaits the first line.
type Player struct {
	s       *session.Session
	origin  time.Time
	differs int
}

// Step is a line that was read and can be played.
type Step struct {
	Record
	frame *mcp.Frame // of a message that was received whole
}

// Read reads a line, and decodes the message that the line may hold, which takes as long
// as the message is.
func Read(line []byte) (Step, error) {
	r, err := Parse(line)
	s := Step{Record: r}
	if in, ok := r.Input.(session.Received); ok && in.Over == nil {
		s.frame = in.Frame()
	}
	return s, err
}

// DifferenceError says what came out otherwise than it was recorded. All of it was
// played.
type DifferenceError struct{ What string }

func (e *DifferenceError) Error() string { return e.What }

// Session is the session as it was after the last line; nil before the first.
func (p *Player) Session() *session.Session { return p.s }

// Origin is when the session was made, by the wall clock of the recording.
func (p *Player) Origin() time.Time { return p.origin }

// Differs is the number of outputs that came out otherwise than they were
// recorded. A masked journal may differ where a secret was.
func (p *Player) Differs() int { return p.differs }

// Copy is a player at the same place, whose session goes on by itself; false: none can be
// made.
func (p *Player) Copy() (Player, bool) {
	c := *p
	if p.s == nil {
		return c, true
	}
	var ok bool
	c.s, ok = twin.Of(p.s)
	return c, ok
}

// Play plays a step. An error is a [*DifferenceError], or nothing was played.
func (p *Player) Play(s Step) error {
	now := p.origin.Add(s.T)
	switch {
	case p.s == nil && s.Config == nil:
		return errors.New("a recording begins with its configuration")
	case p.s == nil:
		p.origin = s.Wall.Add(-s.T)
		p.s = session.New(*s.Config, p.origin)
	case s.Config != nil:
		return errors.New("a recording has its configuration in the first line alone")
	case s.Output != nil:
		if what := p.compare(now, s.Output); what != "" {
			p.differs++
			return &DifferenceError{what}
		}
	case s.frame != nil:
		in := s.Input.(session.Received)
		s.frame.Began = now.Add(-in.Ago)
		p.s.Receive(now, in.ExchangeID, s.frame)
	case isConnect(s.Input) && p.s.Status().Phase != session.Disconnected:
		return errors.New("a connection begins while there is another one")
	default:
		_, err := p.s.Handle(now, s.Input)
		return err
	}
	return nil
}

// isConnect reports whether an input begins a connection. The transport never tells of
// one while there is another.
func isConnect(in session.Input) bool {
	_, ok := in.(session.Connect)
	return ok
}

// compare has the session hand out what it handed out then, and says what is different.
func (p *Player) compare(now time.Time, was *session.Output) string {
	switch out, ok := p.s.Next(now); {
	case !ok:
		return "nothing is done now, where something was done then"
	case out.Op != was.Op || out.X != was.X || out.Call != was.Call || out.Seq != was.Seq:
		return "something else is done now than was done then"
	case !bytes.Equal(out.Data, was.Data):
		return "another message is written now than was written then"
	}
	return ""
}
