package replay

import (
	"errors"
	"io"
	"time"

	"belay/mcpclient/reason"
	"belay/session"
	"belay/session/journal"
)

// Fault is something in a recording that cannot be played, or that is played otherwise
// than it was recorded.
type Fault struct {
	Line int64  // of the file, from 1
	Text string // what is wrong; may quote the file
}

// faultsMost bounds the faults that are kept; all are counted.
const faultsMost = 100

// liveMost bounds the calls in flight. belay's own limits come far before it; a file
// that was written for mischief has none.
const liveMost = 50_000

// step is a line that was read and not yet played.
type step struct {
	journal.Step
	line  int64
	at    time.Duration // since the beginning; never before the step before
	blank bool          // there is nothing on the line
	err   error         // why it cannot be played
}

// playback is one playing of a recording, from its first line.
type playback struct {
	in     *lines
	follow bool
	over   bool  // nothing more is read, as the file holds something else now
	read   int64 // lines
	next   *step // the one that comes; nil: it is not read yet

	// What follows changes with apply alone.
	player journal.Player
	s      *session.Session
	line   int64 // that was played last
	at     time.Duration
	wall   time.Time // of that line; zero: it does not say
	off    int64     // bytes that were played
	from   int64     // … before that line
	ended  bool      // nothing comes any more, or not yet
	stops  bool      // … for good
	cut    bool      // … as its last line is cut
	rises  rises

	history           session.Seq
	cancelling, diags int
	cancelAt, diagAt  int64 // the lines with which a cancel began, and something was found wrong, last

	looked session.CallID // up to this call, all have their IDs, and none is the one looked for

	faults  []Fault
	faulty  int
	differs int // of the faults, those that are played otherwise
	gaps    int // places where lines are missing, or not in their order; faults as well, and not counted there
	order   order
	amiss   bool // the last line that can be read stands in such a place
}

// rises are the lines with which a message came, the last ones, the newest first.
type rises struct {
	at [256]int64
	n  int
}

func (r *rises) add(line int64) {
	r.at[r.n%len(r.at)] = line
	r.n++
}

// before is the line of the n-th message before the last one, and 1 when there is none
// or it is not known any more.
func (r *rises) before(n int) int64 {
	if n >= r.n || n >= len(r.at) {
		return 1
	}
	return r.at[(r.n-1-n)%len(r.at)]
}

func newPlayback(x *File, follow bool) *playback {
	r := &playback{in: newLines(x.f), follow: follow, over: x.blank, line: 1, read: 1}
	_ = r.order.next(x.first.Record)
	_ = r.player.Play(x.first) // which never fails for a first line
	_, _ = r.player.Copy()     // from now on, copies can be made while others read the session
	r.s = r.player.Session()
	if x.blank {
		return r
	}
	r.wall = x.first.Wall
	_, _ = r.in.next() // the first line, which Open has read
	r.in.done, r.off = true, r.in.off
	return r
}

// copied is a playing at the same place, that goes on by itself.
func (r *playback) copied() (*playback, bool) {
	player, ok := r.player.Copy()
	if !ok {
		return nil, false
	}
	c := *r
	c.in, c.next, c.read = linesFrom(r.in.file, r.off), nil, r.line
	c.player, c.s = player, player.Session()
	c.faults = r.faults[:len(r.faults):len(r.faults)]
	return &c, true
}

// load reads the next step, unless it is there. It reports false when there is none
// now: at the end, or while a long line is being read. It changes nothing that is
// shown.
func (r *playback) load() (end, more bool) {
	if r.next != nil {
		return false, true
	}
	if r.stops || r.over {
		return true, false
	}
	line, err := r.in.next()
	switch {
	case errors.Is(err, errLong):
		return false, false
	case errors.Is(err, errTooLong):
		r.read++
		r.next = &step{line: r.read, at: r.at, err: err}
		return false, true
	case errors.Is(err, io.EOF) && (r.follow || len(line) == 0):
		return true, false
	case err != nil && !errors.Is(err, io.EOF):
		r.next = &step{line: r.read + 1, at: r.at, err: &unreadError{err}}
		return false, true
	}
	cut := err != nil
	r.read++
	if len(line) == 0 {
		r.next = &step{line: r.read, at: r.at, blank: true}
		return false, true
	}
	n := &step{line: r.read, at: r.at}
	n.Step, n.err = journal.Read(line)
	switch {
	case n.err != nil && cut:
		n.err = errCut
	case n.err == nil:
		n.at = max(r.at, n.T)
	}
	if cut {
		r.in.done = true
	}
	r.next = n
	return false, true
}

// unreadError says that the file cannot be read any further.
type unreadError struct{ err error }

func (e *unreadError) Error() string {
	return "the file cannot be read from here on (" + reason.Of(e.err) + "): all before this is played; open it again once it can be read"
}

var errCut = errors.New("the recording is cut in this line: all before it is played")

// apply plays the step that was loaded.
func (r *playback) apply() {
	n := r.next
	r.next = nil
	r.line, r.at, r.from, r.off = n.line, n.at, r.off, r.in.off
	if !n.blank {
		r.gap(n)
		r.wall = n.Wall
	}
	var differs *journal.DifferenceError
	switch {
	case n.err != nil:
		r.fault(n.line, n.err.Error())
		r.cut = errors.Is(n.err, errCut)
		_, unread := errors.AsType[*unreadError](n.err)
		r.stops = r.cut || unread
	case n.blank:
	default:
		switch err := r.player.Play(n.Step); {
		case errors.As(err, &differs):
			r.differs++
			r.fault(n.line, differs.What)
		case err != nil:
			r.differs++
			r.fault(n.line, "what was done then is not done now: "+err.Error())
		}
	}
	for {
		if _, ok := r.s.NextKept(); !ok {
			break
		}
	}
	r.mark(n)
}

// isOpen reports whether the connection stands, and belay does not leave it.
func (r *playback) isOpen() bool {
	st := r.s.Status()
	return !st.Quitting && (st.Phase == session.Connecting || st.Phase == session.Ready)
}

// isClosed reports whether belay has quit, and the connection is closed: nothing happens behind that.
func (r *playback) isClosed() bool {
	st := r.s.Status()
	return st.Quitting && st.Phase == session.Disconnected
}

// mark notes what the step has changed.
func (r *playback) mark(n *step) {
	if _, last := r.s.HistorySpan(); last != r.history {
		r.history = last
		r.rises.add(n.line)
	}
	st := r.s.Status()
	switch n.Input.(type) {
	case session.Cancel, session.CancelAll:
		r.cancelAt = n.line
	default:
		if st.Cancelling > r.cancelling {
			r.cancelAt = n.line
		}
	}
	if st.Diags > r.diags {
		r.diagAt = n.line
	}
	r.cancelling, r.diags = st.Cancelling, st.Diags
	if st.InFlight+st.ActiveReqs+st.Subscriptions > liveMost && !r.stops {
		r.stops = true
		r.fault(n.line, "more is in flight than belay plays: it ends here")
	}
}

// lookMost bounds the calls that are looked at after a line.
const lookMost = 1000

// hasCall reports whether a call has an ID on the wire. A playback is asked for one ID alone.
func (r *playback) hasCall(id string) bool {
	first, last := r.s.Span()
	r.looked = max(r.looked, first-1, last-lookMost)
	for n := r.looked + 1; n <= last; n++ {
		row, ok := r.s.Row(n)
		if ok && row.Wire.String() == id {
			return true
		}
		if n == r.looked+1 && (!ok || row.Wire.String() != "" || row.State.IsTerminal()) {
			r.looked = n
		}
	}
	return false
}

// fault tells of a line that cannot be played, or is played otherwise than it was recorded.
func (r *playback) fault(line int64, text string) {
	r.faulty++
	r.tell(line, text)
}

// gap tells of a step before which lines are missing, or which is not in its order. Several such lines, one
// behind the other, are one place: the first line tells of it.
func (r *playback) gap(n *step) {
	text := r.order.next(n.Record)
	switch {
	case text == "" && n.Seq != 0:
		r.amiss = false
	case text == "":
	case r.amiss:
		r.diagAt = n.line
	default:
		r.amiss = true
		r.gaps++
		r.tell(n.line, text)
	}
}

func (r *playback) tell(line int64, text string) {
	r.diagAt = line
	if len(r.faults) < faultsMost {
		r.faults = append(r.faults, Fault{line, text})
	}
}
