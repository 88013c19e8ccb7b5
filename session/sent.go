package session

import (
	"time"

	"belay/session/mcp"
)

// Sent tells that the last byte of an output was written, and how long ago that was:
// what came in between may be the server's answer to it, and may have been told
// before.
type Sent struct {
	never
	Seq uint64        `json:"out"`
	Ago time.Duration `json:"ago,omitempty"`
}

func (in Sent) apply(s *Session) Reply {
	at := s.now.Add(-max(0, in.Ago))
	p := s.out.written(in.Seq, at, s.cfg.Transport == mcp.HTTP)
	if p == nil {
		return Reply{}
	}
	if e := s.hist.get(p.entry); e != nil {
		e.flags &^= FlagUnwritten
	}
	switch {
	case p.wrong != nil:
		s.wrongs.onSent(p.wrong, p.entry, at)
	case p.cancels != nil:
		if p == p.cancels.stop.out { // else it was posted once more
			s.onCancelWritten(p.cancels, p, at)
		}
	case p.req != nil:
		switch c := p.req.call; {
		case c == nil:
		case s.rows.onSent(c, s.now):
			momentAt(c, s.now, p.req.answer.message, MomentView{Dir: Out, Kind: MomSent, Text: c.Method, Entry: p.entry})
			if c.about != nil {
				s.followers.of(c.about.kind()).onSent(c.about, p)
			}
		default:
			momentAt(c, s.now, p.req.answer.message, MomentView{Dir: Out, Kind: MomAgain, Text: p.req.id.String(), Entry: p.entry})
		}
		s.writer.releaseCancel(p.req.call)
	}
	return Reply{}
}

// SendFailed tells that an output could not be written. What follows from it
// comes with [Closed]; a cancel counts as not written.
type SendFailed struct {
	never
	Seq uint64 `json:"out"`
	Why string `json:"why"`
}

func (in SendFailed) apply(s *Session) Reply {
	p, why := s.out.settle(in.Seq), validText(in.Why)
	if p == nil {
		return Reply{}
	}
	switch {
	case p.wrong != nil:
		s.event("the wrong cancel (" + p.wrong.words() + ") could not be written: " + why)
	case p.cancels != nil:
		s.note(p.cancels, "cancel not delivered: "+why)
	case p.req != nil && p.req.call != nil:
		s.note(p.req.call, "could not be written: "+why)
	}
	return Reply{}
}

func (in SendFailed) masked(m masker) Input {
	in.Why = m.text(in.Why)
	return in
}
