package session

import (
	"slices"
	"time"
)

// timeline is what happened to one call, in order: its first moments and its
// last ones, and of what lies between the turns that it took; the rest is counted.
//
//shape:part of call
type timeline struct {
	first   []moment
	between *between // nil: none of the last ones had to make room
	last    []moment // a ring once it is full, oldest at next
	next    int
	skipped int // messages and other moments
}

// between is what is kept of the moments between the first and the last ones.
//
//shape:part of call
type between struct {
	turns []moment
	gap   int // of what was skipped, that since the latest of turns
}

const (
	keepFirst = 64
	keepTurns = 32
	keepLast  = 192
	// progressMerge: progress closer together than this is one moment.
	progressMerge = 100 * time.Millisecond
)

// moment is a [MomentView] whose progress text is made when somebody looks.
//
//shape:part of call
type moment struct {
	MomentView
	p *progressRun // of progress only: most moments are of something else
	n int          // messages in it
}

// progressRun is progress that came together: the latest of it, and the least and the most.
//
//shape:part of call
type progressRun struct {
	progress
	least, most figures
}

func (t *timeline) add(m moment) {
	switch {
	case t.first == nil:
		t.first = append(make([]moment, 0, 2), m) // created and sent: those of 10,000 calls in flight have no more
	case len(t.first) < keepFirst:
		t.first = append(t.first, m)
	case len(t.last) < keepLast:
		t.last = append(t.last, m)
	default:
		t.keepTurn(t.last[t.next])
		t.last[t.next] = m
		t.next = (t.next + 1) % keepLast
	}
}

// keepTurn takes a moment for which there is no room any more among the last ones: a turn, and
// what came first after it, are kept.
func (t *timeline) keepTurn(m moment) {
	if t.between == nil {
		t.between = &between{}
	}
	b := t.between
	n := len(b.turns)
	first := n > 0 && b.turns[n-1].isTurn() && b.gap == 0
	if n == keepTurns || !first && !m.isTurn() {
		messages := max(1, m.n)
		t.skipped += messages
		b.gap += messages
		return
	}
	m.Skipped, b.gap = b.gap, 0
	b.turns = append(b.turns, m)
}

// isTurn reports whether a moment tells how a call was cancelled or how it ended: however
// many messages there were, none of them takes its place.
func (m *moment) isTurn() bool {
	switch m.Kind {
	case MomCancelWanted, MomCancelSent, MomClosing, MomUnsubscribe, MomTaskCancel, MomWrong,
		MomResult, MomError, MomLate, MomGrace, MomProbe, MomProbeAnswer, MomProbeLate, MomEnded, MomEnd:
		return true
	default:
		return false
	}
}

// insert adds a moment that is told late, before what has happened since.
func (t *timeline) insert(m moment) {
	t.add(m)
	for i := len(t.first) + len(t.last) - 1; i > 0 && t.kept(i-1).At.After(t.kept(i).At); i-- {
		a, b := t.kept(i-1), t.kept(i)
		*a, *b = *b, *a
	}
}

// insertAsked adds a moment for a request whose last byte is told late, after the message reply
// that answers the request: the moment stands above that message, and is not later. The request
// of a call stands above all that was heard of the call since, as nothing is heard of a call that
// was not made.
func (t *timeline) insertAsked(m moment, reply Seq) {
	if m.Kind == MomSent {
		reply = t.heardSince(m.Entry)
	}
	n := len(t.first) + len(t.last)
	at := 0
	for at < n && t.kept(at).Entry != reply {
		at++
	}
	if reply == 0 || at == n {
		t.insert(m)
		return
	}
	if answered := t.kept(at).At; m.At.After(answered) {
		m.At = answered
	}
	if len(t.last) == keepLast && at > len(t.first) { // the oldest of the last ones makes room
		at--
	}
	t.add(m)
	for i := len(t.first) + len(t.last) - 1; i > at; i-- {
		a, b := t.kept(i-1), t.kept(i)
		*a, *b = *b, *a
	}
}

// heardSince is the first message of the timeline that came after the entry asked of the
// history; 0: none did.
func (t *timeline) heardSince(asked Seq) Seq {
	for i := range len(t.first) + len(t.last) {
		if m := t.kept(i); m.Dir == In && m.Entry > asked {
			return m.Entry
		}
	}
	return 0
}

// kept is one of the moments that are kept, oldest first.
func (t *timeline) kept(i int) *moment {
	if i < len(t.first) {
		return &t.first[i]
	}
	return &t.last[(t.next+i-len(t.first))%len(t.last)]
}

func (t *timeline) latest() *moment {
	switch {
	case len(t.last) == keepLast:
		return &t.last[(t.next+keepLast-1)%keepLast]
	case len(t.last) > 0:
		return &t.last[len(t.last)-1]
	case len(t.first) > 0:
		return &t.first[len(t.first)-1]
	}
	return nil
}

// notBefore is when something was of which is told late: not before began, nor before the latest
// moment that is there.
func (t timeline) notBefore(began, at time.Time) time.Time {
	if m := t.latest(); m != nil && began.Before(m.At) {
		began = m.At
	}
	if at.Before(began) {
		return began
	}
	return at
}

// connectionEnd is when the connection ended, if that stands at the end; zero: it does not.
func (t timeline) connectionEnd() time.Time {
	for i := len(t.first) + len(t.last) - 1; i >= 0; i-- {
		switch m := t.kept(i); m.Kind {
		case MomEnd:
			return m.At
		case MomNote:
		default:
			return time.Time{}
		}
	}
	return time.Time{}
}

func (t *timeline) progress(now time.Time, p *progress, entry Seq) {
	if m := t.latest(); m != nil && m.Kind == MomProgress && now.Sub(m.At) < progressMerge {
		m.n++
		m.Entry = entry
		m.p.take(p)
		return
	}
	kept := progressRun{*p, p.figures(), p.figures()}
	kept.message = append([]byte(nil), p.message...)
	t.add(moment{MomentView: MomentView{At: now, Dir: In, Kind: MomProgress, Entry: entry}, p: &kept, n: 1})
}

// take takes progress that came together with that of the run. It may be less.
func (r *progressRun) take(p *progress) {
	r.value, r.total, r.hasTotal = p.value, p.total, p.hasTotal
	r.message = append(r.message[:0], p.message...)
	if p.value < r.least.value {
		r.least = p.figures()
	}
	if p.value >= r.most.value {
		r.most = p.figures()
	}
}

// tell puts what happens now on the timeline. A stream that is taken up again and again
// is one moment, and so is the same thing that a subscription brings again at once.
func (t *timeline) tell(v MomentView) {
	switch m := t.latest(); {
	case m == nil || m.Kind != v.Kind:
	case v.Kind == MomResumed:
		m.Text, m.Count = v.Text, v.Count
		return
	case v.Kind == MomUpdate && m.Text == v.Text && v.At.Sub(m.At) < progressMerge:
		m.n++
		m.Entry, m.Count = v.Entry, m.n
		return
	}
	t.add(moment{MomentView: v, n: 1})
}

// middle is what lies between the first and the last moments, and how many were skipped after it.
func (t *timeline) middle() (turns []moment, gap int) {
	if t.between == nil {
		return nil, 0
	}
	return t.between.turns, t.between.gap
}

func (t *timeline) view() ([]MomentView, int) {
	turns, gap := t.middle()
	out := make([]MomentView, 0, len(t.first)+len(turns)+len(t.last))
	for _, m := range t.first {
		out = append(out, m.view())
	}
	for _, m := range turns {
		out = append(out, m.view())
	}
	for i := range t.last {
		v := t.last[(t.next+i)%len(t.last)].view()
		if i == 0 {
			v.Skipped = gap
		}
		out = append(out, v)
	}
	return out, t.skipped
}

// entries are the messages that the timeline names, in their order on the wire:
// what was written is put on it when it was written, perhaps after the answer.
func (t *timeline) entries() []Seq {
	var all []Seq
	turns, _ := t.middle()
	for _, part := range [][]moment{t.first, turns, t.last} {
		for _, m := range part {
			if m.Entry != 0 {
				all = append(all, m.Entry)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (m moment) view() MomentView {
	v := m.MomentView
	if v.Kind != MomProgress {
		return v
	}
	v.Text = progressText(m.p.value, m.p.total, m.p.hasTotal, m.p.message)
	if m.n > 1 {
		v.Count = m.n
		v.Value = m.p.least.text()
		if m.p.most.value > m.p.value {
			v.Value += " " + m.p.most.text()
		}
	}
	return v
}
