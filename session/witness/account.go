package witness

import (
	"cmp"
	"slices"
	"time"
)

// Rules of the findings.
const (
	// leastCPU is how much more CPU time than an idle server must be used after a cancel for
	// it to be work: what a runtime tidies up after a call takes less.
	leastCPU = 100 * time.Millisecond
	// leastShare is the same as a part of one core.
	leastShare = 0.05
	// busyShare is how much more of one core than an idle server must be used between two samples for
	// the server to be at work then.
	busyShare = 0.1
	// swing bounds the CPU time of a server without work, as a multiple of its idle use before
	// the call: the share of the machine that a server gets differs from time to time.
	swing = 1.5
	// restless is the idle use, as a part of one core, from which on a server may use a whole
	// core without work, as soon as the machine has one for it.
	restless = 0.25
	// leastIdle is for how long a server must have been idle before its use of CPU then is known.
	leastIdle = 500 * time.Millisecond
	// prompt is within what time of a cancel a process begins that may have been begun to heed the
	// cancel, as a command that ends another process: half of the grace, where that is shorter.
	prompt = time.Second
	// mostUnseen is how long before its end was found something must have been seen last, for that to be
	// the time of its end: longer than it is from one sample to the next while something is in flight.
	mostUnseen = 3 * time.Second
	// Follow is for how long after a cancel processes are sampled.
	Follow = 10 * time.Second
	// mostBefore is how old the last sample before a cancel may be, for its figures to be those at the
	// cancel: twice the interval of samples in a call that lasts, unless they cost much.
	mostBefore = 2 * time.Second
	// mostKept is how many processes of a call are kept. Those that live are, and those that
	// lived at the judgement, also where these are more.
	mostKept = 32
	// mostLive is how many those are at most, unless a recording tells what cannot be.
	mostLive = 2 * MostProcesses
)

// Finding is what the processes of a server say of the work of a cancelled call, where
// nothing else was heard.
type Finding uint8

// The findings.
const (
	Nothing Finding = iota // nothing is known, or there is nothing to tell
	Working                // they used more CPU than when idle, or went on beginning others
	Left                   // a process that began after the call was sent lives, and that is all
	Ended                  // none of those that lived at the cancel lives any more
)

// Totals are what the processes of a server used at one moment.
type Totals struct {
	At, Until   time.Time     // when the sample began, and when it was complete
	CPU         time.Duration // since they began, with what has ended since
	Memory      uint64
	Threads     int
	Files       int
	Connections int
	Processes   int
	Counted     bool      // files and connections are known
	CountedAt   time.Time `json:",omitzero"`  // when they were counted: by this sample, or by an earlier one
	Capped      bool      `json:",omitempty"` // there are more processes: the figures are those of [MostProcesses]

	// Of the machine: see [Sample].
	Processors int           `json:",omitempty"`
	Idle       time.Duration `json:",omitempty"`

	// How many of the processes have no memory and no threads, which cannot be: the system
	// does not tell.
	NoMemory, NoThreads int
	// Of how many of them the system did not let files and connections be counted.
	NoFiles, NoConnections int `json:",omitempty"`

	every, everyWide time.Duration // see [Sample]
	lacks            []string
}

// CountedFor is for how long files and connections had been counted when the sample began; 0 where
// there is none, or they were not.
func (t *Totals) CountedFor() time.Duration {
	if t == nil || !t.Counted {
		return 0
	}
	return t.At.Sub(t.CountedAt)
}

// Account is what was seen of the processes of a server around one call. Nil is one of
// which nothing was seen.
type Account struct {
	id         int
	began      time.Time
	cancelled  time.Time // its last byte; zero: it was not
	bound      time.Duration
	over       time.Time // the end of its grace; zero: it has not come, or the call was answered
	ended      bool      // it is in flight no longer
	closed     bool      // another call has begun since it ended: what begins now is not its
	crowded    time.Time // another call was in flight from then on, perhaps from the beginning; zero: none was
	beset      bool      // processes of an earlier cancelled call were beginning when it began
	unseen     bool      // the connection has ended: no sample is to come
	byItself   bool      // the server had begun a process by itself before, or one of a chain
	chain      string    // what such a process was called that began between the last call and this one, and was found by its first look
	cut        bool      // processes that may live are kept no longer
	moreOpened bool      // there may have been other connections

	idle     idle
	earlier  earlier
	before   *Totals // the last sample that was complete when the call began; nil: there was none
	start    *Totals // from which its use of CPU counts: the first sample since it began, or before, where processes had begun by then
	at       *Totals // the last sample before the cancel, see [Machine.lastBefore], or else the first one behind it
	from, to *Totals // the first sample after the bound, and the first one after the grace
	after    *Totals // the latest one, until [Follow] has passed
	blind    bool    // not all processes could be watched, at some time since the call began
	died     bool    // the connection has ended as the server ended by itself, before the grace was over
	outlived bool    // … and the server had ended in the last sample
	strays   uint32  // processes that began since a call that is beset, up to the end of its grace: they may be the earlier call's
	below    uint32  // … and those that were begun meanwhile by processes of an earlier cancelled call
	nextAt   *Totals // the last sample before another call, which has begun since this one ended; nil: none has, or there was no sample

	procs   []*proc
	gone    *gone // those that are kept no longer
	unowned *unowned

	opened, open  int32 // connections
	openedEarlier int32 // those of the first that may have been opened before the call
	openThen      int32 // how many were open when they were counted last, as of after
	busy          int32 // until when after the cancel, and before another call, they used CPU as for work, in milliseconds; 0: they were not seen to
}

// gone are processes of a call that have ended, and of which only the count is kept.
type gone struct {
	all     int
	told    int       // lived at the cancel, or began since
	started int       // were started after the cancel
	apart   int       // may be another call's, and began before the end of the grace: these are in none of the counts above
	since   int       // … and those that began within its bound
	near    int       // began so near to the cancel that nobody can tell which came first
	latest  time.Time // when the last one of those began that were started after the cancel
	last    time.Time // when the last one ended of those that are known to have begun before the cancel
}

// idle is how much CPU the processes used while no call was in flight.
type idle struct {
	share float64 // of one core
	known bool
}

// earlier is a call that was cancelled before, and whose work was seen going on.
type earlier struct {
	call  int     // 0: there is none
	share float64 // of one core, that was used meanwhile
}

// proc is a process that is remembered.
type proc struct {
	Process
	found   int // its place among all that were found
	command string
	began   time.Time
	of      *Account  // nil: nobody's
	below   *Account  // the cancelled call, followed no longer, by one of whose processes it was begun; nil: there is none
	seen    time.Time // alive, for the last time
	ended   time.Time // found so; zero: it lives
}

// unowned are the latest processes that began while several calls were in flight, and when the
// latest of those began that are kept no longer.
type unowned struct {
	last []*proc
	gone time.Time
}

const mostUnowned = 32

func (u *unowned) add(p *proc) {
	if len(u.last) == mostUnowned {
		u.gone = later(u.gone, u.last[0].began)
		u.last = append(u.last[:0:0], u.last[1:]...)
	}
	u.last = append(u.last, p)
}

// since counts those that began between two times, and reports whether there may be more.
func (u *unowned) since(from, to time.Time) (n int, more bool) {
	for _, p := range u.last {
		if !p.began.Before(from) && p.began.Before(to) {
			n++
		}
	}
	return n, !u.gone.Before(from)
}

// took notes a sample that came after the cancel, and counts it if it began then, too. It reports
// whether more are wanted.
func (a *Account) took(t *Totals, s *Sample) bool {
	a.blind = a.blind || s.More > 0
	if t.At.Before(a.cancelled) { // it was under way when the cancel was written
		return true
	}
	if a.at == nil {
		a.at = t
	}
	if a.from == nil && !a.closed && !t.At.Before(a.cancelled.Add(a.bound)) {
		a.from = t
	}
	if a.to == nil && !a.over.IsZero() && !t.At.Before(a.over) {
		a.to = t
	}
	if last := cmp.Or(a.after, a.at); last != t && !a.closed && a.idle.isBusy(t.CPU-last.CPU, t.At.Sub(last.At)) {
		a.busy = int32(min(t.At.Sub(a.cancelled), 2*Follow) / time.Millisecond)
	}
	if a.after = t; !a.closed {
		a.openThen = a.open
	}
	awaited := !a.over.IsZero() && a.to == nil
	return !a.ended || awaited || t.At.Before(a.cancelled.Add(Follow))
}

// close notes that another call begins after the end of this one. The CPU time from now on may be the other call's.
func (a *Account) close() { a.closed, a.nextAt = true, a.after }

// countUntilOver is 1 for a process that began before the end of the grace, which may be still to come.
func (a *Account) countUntilOver(p *proc) uint32 {
	if a.over.IsZero() || p.began.Before(a.over) {
		return 1
	}
	return 0
}

// isPast reports whether no sample is to come any more that matters.
func (a *Account) isPast(now time.Time) bool {
	return a.ended && now.After(a.cancelled.Add(2*Follow))
}

// judged is the sample on which the finding stands: the first one after the grace, or the last
// one where no other is to come; nil: it is still to come, or there is none.
func (a *Account) judged() *Totals {
	if a.to == nil && a.unseen {
		return a.after
	}
	return a.to
}

// Awaits reports whether the grace is over, and the sample on which the finding stands is still
// to come: what was seen before may have ended since.
func (a *Account) Awaits() bool {
	return a != nil && !a.over.IsZero() && a.after != nil && a.judged() == nil
}

// Finding says what follows from what was seen until the end of the grace. There is none
// before the first sample after that, and none where several calls were in flight.
func (a *Account) Finding() Finding {
	if a == nil || a.isShared() || a.over.IsZero() || a.judged() == nil {
		return Nothing
	}
	if a.haveWorked() || a.isLate(a.passed().latest) {
		return Working
	}
	lived, lives := a.passed().last.After(a.cancelled), false
	until := a.judged().Until
	for _, p := range a.procs {
		if a.goesOn(p, until) {
			return Working
		}
		lives = lives || p.livesAt(until)
		lived = lived || p.livesAt(a.cancelled) && !a.isNearCancel(p) && !a.mayHaveEndedBefore(p)
	}
	switch {
	case lives:
		return Left
	case lived && !a.judged().Capped && !a.cut && a.below == 0:
		return Ended
	}
	return Nothing
}

// isShared reports whether another call was in flight meanwhile.
func (a *Account) isShared() bool { return !a.crowded.IsZero() }

// isOwn reports whether a process of the call had begun before another call was sent. Nobody can tell for
// which call a later process was begun, and no parent tells that either.
func (a *Account) isOwn(p *proc) bool {
	return !a.isShared() || p.began.Add(rounding).Before(a.crowded)
}

// isNearCancel reports whether a process seems to have begun before the cancel, and by so little that it may have
// begun after it.
func (a *Account) isNearCancel(p *proc) bool {
	return !a.cancelled.IsZero() && !p.began.After(a.cancelled) && p.began.Add(rounding).After(a.cancelled)
}

// mayHaveEndedBefore reports whether a process was seen last before the cancel, and found gone in the first look
// after it: it may have ended before. What was seen so shortly before that systems would not tell the difference counts
// as seen at the cancel.
func (a *Account) mayHaveEndedBefore(p *proc) bool {
	return a.spansCancel(p.seen, p.ended)
}

// spansCancel reports whether what was seen last and found gone at two times may have ended before the cancel as well
// as after it. It lives where the second is zero.
func (a *Account) spansCancel(seen, gone time.Time) bool {
	return seen.Add(rounding).Before(a.cancelled) && gone.After(a.cancelled)
}

// isEndUnsure reports whether the end of a process is told by the two looks between which it was.
func (a *Account) isEndUnsure(p *proc) bool { return p.isUnseen() || a.mayHaveEndedBefore(p) }

// hasLiving reports whether one of its own processes lives at a time.
func (a *Account) hasLiving(at time.Time) bool {
	return slices.ContainsFunc(a.procs, func(p *proc) bool { return a.isOwn(p) && p.livesAt(at) })
}

// wasStarted reports whether a process was started after the cancel, and before the end of the
// grace or that has not come.
func (a *Account) wasStarted(p *proc) bool {
	return !a.cancelled.IsZero() && p.began.After(a.cancelled.Add(a.bound)) && (a.over.IsZero() || !p.began.After(a.over))
}

// goesOn reports whether a process that was started after the cancel is work that went on: it
// lives at the judgement, or began late. One that began at once and has ended may have been what the
// server heeded the cancel with.
func (a *Account) goesOn(p *proc, until time.Time) bool {
	return a.wasStarted(p) && (p.livesAt(until) || a.isLate(p.began))
}

// isLate reports whether a process began too late to have been begun to heed the cancel.
func (a *Account) isLate(began time.Time) bool {
	return !began.Before(a.cancelled.Add(min(prompt, a.over.Sub(a.cancelled)/2)))
}

// passed counts the processes that are kept no longer.
func (a *Account) passed() gone {
	if a.gone == nil {
		return gone{}
	}
	return *a.gone
}

// trim keeps so many processes as are kept: those that ended first are let go, and none that
// lives, or lived at the judgement.
func (a *Account) trim() {
	for len(a.procs) > mostKept {
		first := -1
		for i, p := range a.procs {
			if !p.ended.IsZero() && (a.to == nil || !p.livesAt(a.to.Until)) && (first < 0 || p.ended.Before(a.procs[first].ended)) {
				first = i
			}
		}
		if first < 0 {
			if len(a.procs) > mostLive {
				a.procs, a.blind, a.cut = a.procs[:mostLive], true, true
			}
			return
		}
		if a.gone == nil {
			a.gone = &gone{}
		}
		a.gone.add(a, a.procs[first])
		a.procs = slices.Delete(a.procs, first, first+1)
	}
}

// add counts a process of a call that has ended.
func (g *gone) add(a *Account, p *proc) {
	if !a.isOwn(p) {
		if a.over.IsZero() || p.began.Before(a.over) {
			g.apart++
		}
		return
	}
	g.all++
	near := a.isNearCancel(p)
	before := a.cancelled.IsZero() || !p.began.After(a.cancelled) && !near
	if before && p.ended.After(g.last) && !a.mayHaveEndedBefore(p) {
		g.last = p.ended
	}
	if a.wasStarted(p) {
		g.started, g.latest = g.started+1, later(g.latest, p.began)
	}
	if judged := a.to == nil || !p.began.After(a.to.Until); near && judged {
		g.near++
	} else if !before && judged {
		g.since++
	}
	if !a.cancelled.IsZero() && p.ended.After(a.cancelled) && (a.to == nil || !p.began.After(a.to.Until)) {
		g.told++
	}
}

// isUnseen reports whether nobody looked for long before a process was found to have ended.
func (p *proc) isUnseen() bool { return p.ended.Sub(p.seen) > mostUnseen }

func (p *proc) livesAt(t time.Time) bool {
	return !p.began.After(t) && (p.ended.IsZero() || p.ended.After(t))
}

// work is the CPU time that the processes used between the bound and the end of the grace, or until another call
// began before the sample of that, and in what time; false: there are no samples of that.
func (a *Account) work() (used, in time.Duration, seen bool) {
	to, _ := a.workEnd()
	if a.from == nil || to == nil {
		return 0, 0, false
	}
	in = to.At.Sub(a.from.At)
	return to.CPU - a.from.CPU, in, in > 0
}

// workEnd is the sample until which the use of CPU counts; nil: it is still to come, or there is none. Cut says that another call
// began before the one on which the finding stands.
func (a *Account) workEnd() (to *Totals, cut bool) {
	to = a.judged()
	if to != nil && a.nextAt != nil && a.nextAt.At.Before(to.At) {
		return a.nextAt, true
	}
	return to, false
}

// wereBusy reports whether the processes used more CPU time than they would have used idle. Where
// that is not known, or the work of an earlier call went on, that may be all there is to it.
func (a *Account) wereBusy() bool {
	used, in, seen := a.work()
	return seen && isAbove(a.idle.share, used, in)
}

// haveWorked reports whether the processes used more CPU time than they may have used without work
// of this call: idle, or with the work of an earlier call.
func (a *Account) haveWorked() bool {
	used, in, seen := a.work()
	return seen && (a.idle.known || a.earlier.call != 0) && a.idle.isExceeded(used, in) && isAbove(swing*a.earlier.share, used, in)
}

// mayHaveStarved reports whether somebody of the server's may have wanted to work all the time after
// the cancel, and have been kept from running: while one waits no processor is idle, and while it
// works the others may be. Half of the time is a margin. Where the system does not tell how long
// they were idle, nothing is known.
func (a *Account) mayHaveStarved() bool {
	used, in, seen := a.work()
	to, _ := a.workEnd()
	if !seen || a.from.Processors == 0 || to.Processors != a.from.Processors {
		return false
	}
	idle := to.Idle - a.from.Idle
	return idle >= 0 && idle < in/2+time.Duration(a.from.Processors-1)*used
}

// isExceeded reports whether a use of CPU is more than that of an idle server may be, as far as
// that is known. Where it was a quarter of a core or more, a whole one may be idle use, too.
func (i idle) isExceeded(used, in time.Duration) bool {
	most := swing * i.share
	if i.share >= restless {
		most = max(most, 1)
	}
	return isAbove(most, used, in)
}

// isBusy reports whether a use of CPU between two samples is one of work. Systems count it in
// hundredths of a second, so that one of these within a tenth tells nothing.
func (i idle) isBusy(used, in time.Duration) bool {
	return in > 0 && used > time.Duration((swing*i.share+busyShare)*float64(in))
}

// isAbove reports whether a use of CPU is more than a share of one core, by a twentieth of a core
// and by a tenth of a second.
func isAbove(share float64, used, in time.Duration) bool {
	return used > time.Duration(share*float64(in))+max(leastCPU, time.Duration(leastShare*float64(in)))
}
