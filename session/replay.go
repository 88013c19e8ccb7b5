package session

import (
	"bytes"
	"fmt"
	"time"

	"belay/session/mcp"
	"belay/session/sentence"
)

// Replay plays a journal through the same code that wrote it. Outputs are made
// again and compared with those that were written.
type Replay struct {
	s       *Session
	origin  time.Time
	line    int
	differs int
}

// Session is the session as it was after the last line; nil before the first.
func (p *Replay) Session() *Session { return p.s }

// Differs is the number of outputs that came out otherwise than they were
// recorded. A redacted journal may differ where a secret was.
func (p *Replay) Differs() int { return p.differs }

// Apply plays one line. Errors name the line; what was played stays.
func (p *Replay) Apply(line []byte) error {
	p.line++
	r, err := parseRecord(line)
	if err != nil {
		return fmt.Errorf("line %d of the recording is no record: %w", p.line, err)
	}
	if p.s == nil {
		return p.begin(r)
	}
	return p.apply(r)
}

func (p *Replay) begin(r *Record) error {
	if r.Op != opNew || r.Config == nil {
		return fmt.Errorf("line %d: a recording begins with its configuration", p.line)
	}
	if r.Version < oldestJournalVersion || r.Version > JournalVersion {
		return fmt.Errorf("this recording has format %d; this belay reads formats %d to %d", r.Version, oldestJournalVersion, JournalVersion)
	}
	p.origin = r.Wall.Add(-r.T)
	p.s = New(*r.Config, p.origin)
	return nil
}

func (p *Replay) apply(r *Record) error {
	s, now := p.s, p.origin.Add(r.T)
	x := ExchangeID{Epoch: r.Epoch, N: r.Stream}
	var err error
	switch r.Op {
	case opConnect:
		s.Connect(now)
	case opReceive:
		s.Receive(now, x, r.frame(now))
	case opStderr:
		s.Stderr(now, x, r.Bytes)
	case opCall:
		_, err = s.Call(now, *r.Spec)
	case opNotify:
		err = s.Notify(now, r.Spec.Method, r.Spec.Params)
	case opCancel:
		err = s.Cancel(now, r.Call, r.Reason)
	case opCancelAll:
		s.CancelAll(now, r.Reason)
	case opExtend:
		err = s.Extend(now, r.Call)
	case opRetry:
		err = s.Retry(now, r.Call)
	case opAnswer:
		err = s.Answer(now, r.Prompt, r.Bytes, r.As)
	case opRefuse:
		err = s.Refuse(now, r.Prompt, r.Code, r.Reason, r.As)
	case opPin:
		err = s.SetPin(now, mcp.Revision(r.Reason))
	case opRoots:
		_, err = s.SetRoots(now, r.Roots)
	case opQuit:
		s.Quit(now)
	case opReload:
		var kinds []mcp.ListKind
		if kinds, err = mcp.ListKinds(r.Reason); err == nil {
			err = s.Reload(now, kinds...)
		}
	case opDisconnect:
		s.Disconnect(now, r.Reason)
	case opSent:
		if r.Failed {
			s.SendFailed(now, r.Out, r.Reason)
		} else {
			s.SentAt(now, r.Out, now.Add(-r.Ago))
		}
	case opTick:
		s.Tick(now)
	case opClosed:
		s.Closed(now, r.Epoch, *r.Close)
	case opUnfinished:
		s.Unfinished(now, x, Part{Size: r.Over.Size, Kept: r.Over.Kept, Began: now.Add(-r.Ago), Last: now.Add(-r.Over.Still)})
	case opStarted:
		s.Started(now, x)
	case opOpened:
		s.Opened(now, x, *r.Head)
	case opEvent:
		s.Event(now, x, *r.Event)
	case opEnded:
		s.Ended(now, x, *r.End)
	case opRemark:
		s.Remark(now, r.Reason)
	case opLoggedIn:
		s.LoggedIn(now, r.Out, r.Reason)
	case opOldToken:
		s.NotRenewed(now, r.Out, r.Reason)
	case opLogout:
		s.LoggedOut(now)
	case opRootsChecked:
		s.RootsChecked(now, r.Out, r.Roots, r.Reason)
	case opChecked:
		s.Checked(now, r.Call, *r.Schema)
	case opLook:
		s.Look(now)
	case opLogLevel:
		_, err = s.SetLogLevel(now, r.Reason)
	case opNotStarted:
		s.NotStarted(now, r.Reason)
	case opWrite, opClose, opAbort, opOpen, opLogin, opCheckRoots:
		out, ok := s.Next(now)
		if !ok || outputOps[out.Op] != r.Op || !bytes.Equal(out.Data, r.Bytes) {
			p.differs++
		}
	default:
		return fmt.Errorf("line %d of the recording has an unknown operation %q", p.line, r.Op)
	}
	if err != nil {
		return fmt.Errorf("line %d of the recording: %w", p.line, err)
	}
	return nil
}

// frame decodes the message of a record anew.
func (r *Record) frame(now time.Time) *mcp.Frame {
	began := now.Add(-r.Ago)
	if r.Over == nil {
		f := mcp.Decode(r.Bytes)
		f.Began, f.NoSession = began, r.NoSession
		return f
	}
	f := &mcp.Frame{
		Kind: mcp.FrameOversize, Began: began, Raw: r.Bytes, Size: r.Over.Size, Method: r.Over.Method, Answer: r.Over.Answer, IsError: r.Over.IsError,
		IDRaw: []byte(r.Over.ID),
	}
	f.AddProblem(mcp.DiagOversize, "a message of %s", sentence.Size(r.Over.Size))
	f.ID, _ = mcp.ParseID(f.IDRaw)
	return f
}
