package replay

import (
	"sync"
	"time"

	"belay/session"
)

// State is what a player does.
type State uint8

// The states of a player.
const (
	Paused    State = iota
	Playing         // at its pace
	Searching       // on its way to another place, as fast as it can
	Following       // at the end of a file that is still being written
)

// Status is where a player is.
type Status struct {
	State  State
	At     time.Duration // since the beginning of the recording
	Length time.Duration // of the recording, as far as is known
	Line   int64         // that was played last
	Ended  bool          // all was played, and no more is to come
	Part   float64       // while it searches: how much of the way through the file it is
	Speed  float64       // times as fast as it was; 0: at once

	Missing string // what of the run is not in the recording; empty: it begins with the run

	News  string // what became of the file that is followed; empty: nothing
	Told  int    // counts the News
	Waits bool   // the file holds no recording now

	Lost string // the ID of the call that was looked for last, and is not there

	Session int           // counts the sessions that were shown
	Open    bool          // the recording ends, and belay had not
	Silent  time.Duration // while it follows: for how long nothing was written to the file, by the clock on the wall
	Cut     bool          // the recording ends within a line, and all before that was played

	Faults  []Fault // the first hundred
	Faulty  int     // all of them
	Differs int     // of these, what is played otherwise than it was recorded
	Gaps    int     // places where lines are missing, or not in their order: among Faults, and not in Faulty
}

// Mark is what can be jumped to.
type Mark uint8

// The marks.
const (
	Cancel     Mark = iota // a cancel began
	Diagnostic             // something was found wrong, by the core or with the recording
	numMarks
)

// marksMost bounds the marks that are remembered. Others are found by playing on.
const marksMost = 100_000

// goal is where a player goes; zero: nowhere.
type goal struct {
	on    bool
	line  int64         // until this line is played; 0: to the end, or what follows
	until time.Duration // to the last line before that time; negative: not by time
	next  [numMarks]bool
	rise  bool   // until a message comes
	call  string // until a call has this ID on the wire; empty: not by a call
	from  int64  // the line at which it set out
}

// isReached reports whether a playback, whose next step is loaded, has come to the goal.
func (g goal) isReached(r *playback) bool {
	switch {
	case g.call != "" && r.hasCall(g.call),
		g.rise && r.rises.n > 0 && r.rises.before(0) > g.from,
		g.next[Cancel] && r.cancelAt > g.from,
		g.next[Diagnostic] && r.diagAt > g.from,
		g.line > 0 && r.line >= g.line,
		g.until >= 0 && r.next.at > g.until:
		return true
	}
	return false
}

// Player plays a recording. Its methods may be called from any goroutine, and none but
// Close waits.
type Player struct {
	path   string
	follow bool

	mu     sync.Mutex // guards what follows, and the session that is shown
	file   *File      // run alone changes it, and fate
	fate   fate
	shown  *playback
	aside  *playback // that takes its place when it has come to the goal; nil: there is none
	goal   goal
	plays  bool
	speed  float64
	began  time.Time     // since when it plays at this speed
	from   time.Duration // … and from where
	fresh  int           // sessions so far
	still  time.Duration // the time that is shown between two lines; 0: that of the line
	heard  time.Time     // when a step that is shown was played last
	marks  [numMarks][]int64
	known  int64  // the line up to which the marks are known
	whole  bool   // and that is the last one
	lost   string // the call that was looked for last, and is not there
	back   int    // messages that a step back goes back by, from what is shown
	closed bool

	shelf      shelf     // of run alone
	measured   int64     // of run alone: how many bytes the file had when its length was looked at
	measuredAt time.Time // … and when that was

	kick  chan struct{}
	wake  chan struct{}
	ended chan struct{}
}

// NewPlayer begins to play all of a recording, as fast as it can. It owns the file from
// now on. A player that follows goes on when there is more.
func NewPlayer(x *File, follow bool) *Player {
	p := &Player{
		file: x, path: x.path, follow: follow, shown: newPlayback(x, follow), goal: goal{on: true, until: -1}, speed: 1, fresh: 1, heard: time.Now(),
		kick: make(chan struct{}, 1), wake: make(chan struct{}, 1), ended: make(chan struct{}),
	}
	if x.blank {
		p.fate.waits = true
		p.fate.tell(waitWords("", errEmpty))
	}
	go p.run()
	return p
}

// Close ends the player, and closes its file.
func (p *Player) Close() error {
	p.do(func() { p.closed = true })
	<-p.ended
	return p.file.Close()
}

// Path is the name of the file.
func (p *Player) Path() string { return p.path }

// IsUnmasked reports whether the recording was written with the secrets in it.
func (p *Player) IsUnmasked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.file.IsUnmasked()
}

// Wake gets a value when something changed that could be shown. It has one slot.
func (p *Player) Wake() <-chan struct{} { return p.wake }

// View calls f with the session that is shown. f reads and returns soon.
func (p *Player) View(f func(*session.Session)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f(p.shown.s)
}

// Now is the time of the run that is shown.
func (p *Player) Now() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown.player.Origin().Add(p.time())
}

// time is how far the run is, under the lock.
func (p *Player) time() time.Duration {
	r := p.shown
	if p.plays && p.speed > 0 && !p.goal.on {
		return max(r.at, p.due())
	}
	return max(r.at, p.still) // of one that is followed, too: whether its writer still runs is not known
}

// isCaughtUp reports, under the lock, whether all of a file that is followed is shown, and its end
// is looked at.
func (p *Player) isCaughtUp() bool {
	return p.follow && p.goal.on && p.aside == nil && p.shown.ended && !p.shown.stops
}

// isWhole reports, under the lock, whether a playback has come to an end behind which nothing is
// expected. What comes there all the same is shown.
func (p *Player) isWhole(r *playback) bool {
	return r.ended && (!p.follow || r.stops || r.isClosed() && !p.fate.waits)
}

// silent is, under the lock, for how long nothing was written behind the last line, as far as is known.
func (p *Player) silent() time.Duration {
	most := time.Since(p.heard)
	if wall := p.shown.wall; !wall.IsZero() {
		most = max(most, time.Since(wall))
	}
	return max(0, most)
}

// due is the time up to which lines are played now, under the lock.
func (p *Player) due() time.Duration {
	const most = float64(1 << 62)
	return p.from + time.Duration(min(float64(time.Since(p.began))*p.speed, most-float64(p.from)))
}

// Status says where the player is.
func (p *Player) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.shown
	st := Status{
		At: p.time(), Line: r.line, Ended: p.isWhole(r), Cut: r.cut, Lost: p.lost, Speed: p.speed, Session: p.fresh,
		Faults: r.faults[:len(r.faults):len(r.faults)], Faulty: r.faulty, Differs: r.differs, Gaps: r.gaps,
	}
	st.Missing = p.file.Missing()
	st.News, st.Told, st.Waits = p.fate.text, p.fate.told, p.fate.waits
	st.Length = max(p.file.length, r.at)
	st.Open = r.ended && r.isOpen()
	switch {
	case p.isCaughtUp() && !st.Ended:
		st.State, st.Silent = Following, p.silent()
	case p.isCaughtUp():
	case p.goal.on:
		st.State = Searching
		at := r
		if p.aside != nil {
			at = p.aside
		}
		if size := p.file.size(); size > 0 {
			st.Part = min(1, float64(at.off)/float64(size))
		}
	case p.plays:
		st.State = Playing
	}
	return st
}

// do changes the wishes under the lock, and has them heard.
func (p *Player) do(f func()) {
	p.mu.Lock()
	f()
	p.mu.Unlock()
	select {
	case p.kick <- struct{}{}:
	default:
	}
	p.signal()
}

func (p *Player) signal() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// Play begins to play, or pauses. At the end of a recording it plays from the
// beginning.
func (p *Player) Play(on bool) {
	p.do(func() {
		if p.plays && !p.goal.on {
			p.still = p.time()
		}
		p.halt()
		if on && p.isWhole(p.shown) {
			p.set(goal{until: -1, line: 1})
		}
		p.plays = on
		p.countFromHere()
	})
}

// SetSpeed sets how many times as fast as it was the recording is played; 0: at once.
func (p *Player) SetSpeed(x float64) {
	p.do(func() {
		at := p.time()
		p.speed = x
		p.countFromHere()
		p.from = max(p.from, at)
	})
}

// countFromHere counts the time from here on, under the lock.
func (p *Player) countFromHere() { p.began, p.from = time.Now(), max(p.shown.at, p.still) }

// Stop ends a search: what is shown stays. A session that is shown on the way stays
// where it is.
func (p *Player) Stop() {
	p.do(func() {
		p.halt()
		p.plays = false
	})
}

// halt ends what is under way, under the lock.
func (p *Player) halt() { p.goal, p.aside, p.back, p.lost = goal{}, nil, 0, "" }

// set sets out for a goal, under the lock. What lies before what is shown needs another
// session. A file that holds no recording now has no other place.
func (p *Player) set(g goal) {
	if p.fate.waits {
		g = goal{until: -1}
	}
	back, under := p.back, p.aside
	p.halt()
	p.plays = false
	g.on, g.from = true, p.shown.line
	if g.call != "" || g.line > 0 && g.line < p.shown.line || g.until >= 0 && g.until < p.shown.at {
		p.aside, p.back = under, back
		if under == nil || !under.leadsTo(g) {
			p.aside = newPlayback(p.file, p.follow)
		}
	}
	p.goal = g
}

// Step goes to the next message, or to the one before.
func (p *Player) Step(forward bool) {
	p.do(func() {
		if forward {
			p.back = 0
			p.set(goal{until: -1, rise: true})
			return
		}
		p.back++
		n := p.back
		if p.shown.rises.before(0) < p.shown.line { // something came after the last message
			n--
		}
		p.set(goal{until: -1, line: max(1, p.shown.rises.before(n))})
	})
}

// Begin goes to the beginning, End to the end.
func (p *Player) Begin() { p.do(func() { p.set(goal{until: -1, line: 1}) }) }

// End goes to the end. A recording that is still written is followed from there.
func (p *Player) End() { p.do(func() { p.set(goal{until: -1}) }) }

// GoTo goes to a time since the beginning: all that had happened then is shown, as it was
// at that time.
func (p *Player) GoTo(t time.Duration) { p.do(func() { p.set(goal{until: max(0, t)}) }) }

// GoToTime is GoTo with a time of the run.
func (p *Player) GoToTime(t time.Time) {
	p.do(func() { p.set(goal{until: max(0, t.Sub(p.shown.player.Origin()))}) })
}

// GoToLine goes to where a line of the file was played.
func (p *Player) GoToLine(n int64) { p.do(func() { p.set(goal{until: -1, line: max(1, n)}) }) }

// GoToCall goes to where a call has got its ID, the first one from the beginning on. A session
// beside the one on the screen searches for the call; where the recording has no such call,
// the screen stays, and the status says so.
func (p *Player) GoToCall(id string) { p.do(func() { p.set(goal{until: -1, call: id}) }) }

// Next goes to the next mark, or to the one before. It reports whether there may be such a mark.
func (p *Player) Next(m Mark, forward bool) (found bool) {
	p.do(func() {
		at := p.shown.line
		if p.aside != nil && p.goal.line > 0 {
			at = p.goal.line
		}
		list := p.marks[m]
		if forward {
			for _, line := range list {
				if line > at {
					found = true
					p.set(goal{until: -1, line: line})
					return
				}
			}
			if found = !p.whole || len(list) == marksMost; found {
				g := goal{until: -1}
				g.next[m] = true
				p.set(g)
			}
			return
		}
		for i := len(list) - 1; i >= 0; i-- {
			if list[i] < at {
				found = true
				p.set(goal{until: -1, line: list[i]})
				return
			}
		}
	})
	return found
}

const (
	// chunk is how many lines are played before the wishes are looked at again, and
	// chunkTime for how long.
	chunk     = 512
	chunkTime = 10 * time.Millisecond
	// look is how often a file that is followed is looked at.
	look = 100 * time.Millisecond
	// measures is how often its length is looked at while another place than its end is shown.
	measures = time.Second
)

// run plays until the player is closed.
func (p *Player) run() {
	defer close(p.ended)
	for {
		p.mu.Lock()
		r, hidden := p.shown, false
		if p.aside != nil {
			r, hidden = p.aside, true
		}
		searches, plays := p.goal.on, p.plays
		closed := p.closed
		p.mu.Unlock()
		wait := time.Duration(-1)
		switch {
		case closed:
			return
		case searches:
			wait = p.search(r, hidden)
		case plays:
			wait = p.play(r)
		default:
			p.prepare()
		}
		if !searches || wait < 0 {
			if p.measure() && (wait < 0 || wait > measures) {
				wait = measures
			}
		}
		p.rest(wait)
	}
}

// measure looks how long a file that is followed is now, and reports whether it may grow.
func (p *Player) measure() bool {
	size := p.file.size()
	if !p.follow || p.fate.waits || size == p.measured || time.Since(p.measuredAt) < measures {
		return p.follow
	}
	p.measured, p.measuredAt = size, time.Now()
	length := p.file.lastTime()
	p.mu.Lock()
	grown := length > p.file.length
	p.file.length = max(p.file.length, length)
	p.mu.Unlock()
	if grown {
		p.signal()
	}
	return true
}

// rest waits for a wish, and for a while at most; negative: for a wish alone.
func (p *Player) rest(d time.Duration) {
	if d == 0 {
		return
	}
	var over <-chan time.Time
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		over = t.C
	}
	select {
	case <-p.kick:
	case <-over:
	}
}

// search plays a part of the way to the goal, and says how long to rest.
func (p *Player) search(r *playback, hidden bool) time.Duration {
	began, size := time.Now(), p.file.size()
	if hidden && r.line == 1 && !p.hurry(r) {
		return 0
	}
	for n := 0; n < chunk && (n == 0 || time.Since(began) < chunkTime); n++ {
		end, more := r.load()
		p.mu.Lock()
		if !p.goal.on || hidden && p.aside != r || !hidden && p.aside != nil { // another wish came
			p.mu.Unlock()
			return 0
		}
		switch {
		case end || more && p.goal.isReached(r):
			news := r != p.shown || !r.ended || !end
			wait := p.arrive(r, end)
			p.mu.Unlock()
			if news {
				p.signal()
			}
			if end && p.follow {
				p.watch()
			}
			return wait
		case more:
			p.apply(r)
		}
		g := p.goal
		p.mu.Unlock()
		if more && g.isCopied(r, size) {
			p.shelf.keep(r, g)
		}
	}
	p.signal()
	return 0
}

// hurry has a playing that begins go on from the copy that is nearest to the goal. It
// reports false when another wish came.
func (p *Player) hurry(r *playback) bool {
	p.mu.Lock()
	kept := p.shelf.nearest(p.goal)
	p.mu.Unlock()
	if kept == nil {
		return true
	}
	near, ok := p.shelf.take(kept)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.aside != r || !p.goal.on {
		return false
	}
	if ok && !near.leadsTo(p.goal) {
		return false
	}
	if ok {
		*r = *near
	}
	return true
}

// prepare has the next step back wait for no copy, as far as one leads there.
func (p *Player) prepare() {
	p.mu.Lock()
	before := goal{line: p.shown.line - 1, until: -1}
	p.mu.Unlock()
	p.shelf.prepare(before)
}

// apply plays the step that is loaded, and remembers its marks, under the lock.
func (p *Player) apply(r *playback) {
	r.apply()
	r.ended = false
	p.file.length = max(p.file.length, r.at)
	if r == p.shown {
		p.heard, p.still = time.Now(), 0
	}
	if r.line <= p.known {
		return
	}
	p.known = r.line
	for m, at := range [numMarks]int64{Cancel: r.cancelAt, Diagnostic: r.diagAt} {
		if at == r.line && len(p.marks[m]) < marksMost {
			p.marks[m] = append(p.marks[m], at)
		}
	}
}

// arrive ends a search, under the lock.
func (p *Player) arrive(r *playback, end bool) time.Duration {
	if id := p.goal.call; id != "" && end && !r.hasCall(id) {
		p.halt()
		p.lost = id
		return -1
	}
	r.ended = end
	if end {
		p.whole = p.isWhole(r)
	}
	if p.aside == r {
		p.shown, p.aside, p.back, p.heard = r, nil, 0, time.Now()
		p.fresh++
	}
	p.still = 0
	if !end && p.goal.until >= 0 {
		p.still = p.goal.until
	}
	if end && p.follow && !r.stops && p.goal.line == 0 && p.goal.until < 0 {
		return look
	}
	p.goal = goal{}
	if p.plays {
		p.countFromHere()
		return 0
	}
	return -1
}

// play plays what is due, and says how long to rest until more is.
func (p *Player) play(r *playback) time.Duration {
	began, size := time.Now(), p.file.size()
	for n := 0; n < chunk && (n == 0 || time.Since(began) < chunkTime); n++ {
		end, more := r.load()
		p.mu.Lock()
		if p.goal.on || !p.plays || p.shown != r {
			p.mu.Unlock()
			return 0
		}
		if end {
			wait := p.playedAll(r)
			p.mu.Unlock()
			p.signal()
			return wait
		}
		if more && p.speed > 0 {
			if ahead := r.next.at - p.due(); ahead > 0 {
				wait := time.Duration(min(float64(ahead)/p.speed, float64(time.Hour)))
				p.mu.Unlock()
				if n > 0 {
					p.signal()
				}
				return max(time.Millisecond, wait)
			}
		}
		if more {
			p.apply(r)
		}
		p.mu.Unlock()
		if more && (r.isSpaced() || r.isNearEnd(size)) {
			p.shelf.keep(r, goal{})
		}
	}
	p.signal()
	return 0
}

// playedAll is what follows the last line, under the lock.
func (p *Player) playedAll(r *playback) time.Duration {
	r.ended = true
	p.whole = p.isWhole(r)
	p.plays = false
	if p.follow && !r.stops {
		p.goal = goal{on: true, until: -1} // what comes from now on is shown as it comes
		return look
	}
	return -1
}
