package session

import (
	"fmt"
	"slices"
	"time"

	"belay/session/mcp"
)

// rootsEvery is how often roots are looked at by themselves (RTS-11, RTS-15; client/roots).
const rootsEvery = time.Minute

// rootCheck is the look at the roots on the disk, which somebody else has to
// take: [OpRoots] asks for it. There is never more than one out.
//
//shape:part of incoming
type rootCheck struct {
	wanted bool             // not handed out yet
	out    uint64           // the Seq of the one that is out; 0: none
	asks   []*serverRequest // requests for the roots that wait for it
	gone   []Root           // could not be read when they were looked at last
}

// handOut notes the number of the look that is handed out.
func (c *rootCheck) handOut(seq uint64) { c.wanted, c.out = false, seq }

// end ends a look, and returns the requests that have waited for it.
func (c *rootCheck) end() (asks []*serverRequest) {
	asks = c.asks
	c.out, c.asks = 0, nil
	return asks
}

// lose notes which roots could not be read.
func (c *rootCheck) lose(gone []Root) { c.gone = slices.Clone(gone) }

// nextRootCheck hands out the look at the roots that is wanted.
func (s *Session) nextRootCheck(now time.Time) (Output, bool) {
	c := &s.incoming.roots
	if !c.wanted || s.conn.phase == Disconnected || s.conn.closeSent {
		return Output{}, false
	}
	s.at(now)
	c.handOut(s.out.number())
	out := Output{Op: OpRoots, Seq: c.out, X: ExchangeID{Epoch: s.conn.epoch}, Roots: slices.Clone(s.cfg.Roots)}
	s.journal.output(s.now, out)
	return out, true
}

// RootsChecked tells which of the roots that the [OpRoots] called seq named cannot be read: they
// are left out until a later look finds them again, and a server that was told that belay has
// roots hears of the change. A failure, in words, is the answer to whatever waits for the look
// (RTS-06; client/roots); nothing is known then. A look of a connection that is gone is ignored.
type RootsChecked struct {
	never
	Seq     uint64 `json:"out"`
	Gone    []Root `json:"gone,omitempty"`
	Failure string `json:"failure,omitempty"`
}

func (in RootsChecked) apply(s *Session) Reply {
	c := &s.incoming.roots
	if in.Seq == 0 || c.out != in.Seq || s.conn.phase == Disconnected {
		return Reply{}
	}
	gone, failure := in.Gone, validText(in.Failure)
	asks := c.end()
	if failure == "" && !slices.Equal(gone, c.gone) {
		s.event(fmt.Sprintf("%d of %d roots cannot be read: they are not given away", len(gone), len(s.cfg.Roots)))
		c.lose(gone)
		s.writer.rootsNews()
	}
	for _, ask := range asks {
		switch {
		case ask.round != nil && failure != "":
			s.failRound(ask, failure)
		case ask.round != nil:
			s.input(ask, rootsResult(s.incoming.readableRoots()))
		case s.incoming.open[ask.id] != ask: // withdrawn meanwhile
		case failure != "":
			s.incoming.reject(ask, mcp.CodeInternal, failure)
		default:
			s.incoming.answer(ask, mcp.AppendResult(nil, ask.idRaw, rootsResult(s.incoming.readableRoots())))
		}
	}
	return Reply{}
}

func (in RootsChecked) masked(m masker) Input {
	in.Gone, in.Failure = m.roots(in.Gone), m.text(in.Failure)
	return in
}

// UnreadableRoots are the roots that are left out of what the server is told,
// as they could not be read when they were looked at last.
func (s *Session) UnreadableRoots() []Root { return slices.Clone(s.incoming.roots.gone) }
