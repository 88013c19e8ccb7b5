package session

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/rawjson"
	"belay/session/sentence"
)

// progress is the last accepted progress of a call. The message is kept raw
// and decoded only when somebody looks, so that a flood costs nothing.
type progress struct {
	count, refused int
	value, total   float64
	hasTotal       bool
	message        []byte // a JSON string, or empty
}

func (p *progress) view() ProgressView {
	v := ProgressView{Count: p.count, Value: p.value, Total: p.total, HasTotal: p.hasTotal, Refused: p.refused}
	v.Message = unquoted(p.message)
	return v
}

// onProgress takes notifications/progress: accepted for a running call when it
// is a finite number that grows; counted after a cancel; diagnosed otherwise
// (PRG-04, PRG-05, PRG-10, PRG-20, PRG-21).
func (s *Session) onProgress(f *mcp.Frame) {
	n := &f.Progress
	if !n.Valid {
		s.diagnose(mcp.DiagProgressMalformed, 0, "", "")
		return
	}
	r, ended := s.outgoing.requestOf(n.Token)
	if r == nil || r.call == nil {
		token := n.Token.String()
		s.diagnose(mcp.DiagProgressToken, 0, token, token)
		return
	}
	c := r.call
	s.hist.belongs(c.id)
	if !s.progressMayCome(r) {
		return
	}
	if r == c.req {
		r.pace.Record(s.now, r.written)
	}
	stopped := c.stop != nil && r == c.req && (c.state == Cancelling || c.state == Cancelled)
	if stopped {
		text := progressText(n.Value, n.Total, n.HasTotal, n.Message)
		if s.takeAfterCancel(c, "progress "+progressWords(n)) {
			s.moment(c, MomentView{Dir: In, Kind: MomAfter, Text: f.Method, Value: text, Entry: s.hist.cur})
			return
		}
	}
	if stopped && c.state == Cancelled && r.outcome == 0 { // its cancel is not written yet, and the row has ended
		c.line.progress(s.now, &progress{value: n.Value, total: n.Total, hasTotal: n.HasTotal, message: shortString(n.Message)}, s.hist.cur)
		s.rows.touch(c)
		return
	}
	if c.state.Terminal() || !stopped && ended {
		s.diagnose(mcp.DiagProgressAfter, c.id, "", c.name())
		return
	}
	s.accept(c, n)
}

func (s *Session) accept(c *call, n *mcp.ProgressNote) {
	p := &c.progress
	switch {
	case math.IsNaN(n.Value) || math.IsInf(n.Value, 0) || n.Value < 0:
		p.refused++
		s.diagnose(mcp.DiagProgressValue, c.id, "", "progress "+number(n.Value))
		return
	case p.count > 0 && n.Value <= p.value:
		p.refused++
		s.diagnose(mcp.DiagProgressOrder, c.id, "", number(p.value)+" → "+number(n.Value))
		return
	}
	p.count++
	p.value = n.Value
	p.hasTotal = n.HasTotal && n.Total > 0 && !math.IsInf(n.Total, 0) && !math.IsNaN(n.Total)
	p.total = 0
	if p.hasTotal {
		p.total = n.Total
		if n.Value > n.Total {
			s.diagnose(mcp.DiagProgressValue, c.id, "", number(n.Value)+" of "+number(n.Total))
		}
	}
	p.message = append(p.message[:0], shortString(n.Message)...)
	if n.Message != nil && !s.conn.rev.ProgressMessages() {
		s.diagnose(mcp.DiagProgressMessage, c.id, "", "")
	}
	c.resetIdle(&s.timers, s.now)
	c.line.progress(s.now, p, s.hist.cur)
	s.rows.touch(c)
	if c.Rules.AtFraction > 0 && c.state == Running {
		if share, ok := p.view().Fraction(); ok && share >= c.Rules.AtFraction {
			s.stopCall(c, cancel.ByRule, c.Rules.Reason)
		}
	}
}

// maxMessage bounds the bytes of a progress message that are kept, once for the
// call and once for each moment of its timeline. The history has all of it.
const maxMessage = 2000

// shortString is a raw JSON string, cut where it is too long.
func shortString(raw []byte) []byte {
	if len(raw) <= maxMessage {
		return raw
	}
	return rawjson.AppendQuote(nil, strings.ToValidUTF8(unquoted(raw)[:maxMessage], "")+"…")
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// timeline is what happened to one call, in order: its first moments and its
// last ones; what lies between is counted.
type timeline struct {
	first   []moment
	last    []moment // a ring once it is full, oldest at next
	next    int
	skipped int
}

const (
	keepFirst = 64
	keepLast  = 192
	// progressMerge: progress closer together than this is one moment.
	progressMerge = 100 * time.Millisecond
)

// moment is a Moment whose progress text is made when somebody looks.
type moment struct {
	MomentView
	p *progress // of progress only: most moments are of something else
	n int       // progress notifications in it
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
		t.last[t.next] = m
		t.next = (t.next + 1) % keepLast
		t.skipped++
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

func (t *timeline) progress(now time.Time, p *progress, entry Seq) {
	if m := t.latest(); m != nil && m.Kind == MomProgress && now.Sub(m.At) < progressMerge {
		m.n++
		m.Entry = entry
		m.p.value, m.p.total, m.p.hasTotal = p.value, p.total, p.hasTotal
		m.p.message = append(m.p.message[:0], p.message...)
		return
	}
	kept := *p
	kept.message = append([]byte(nil), p.message...)
	t.add(moment{MomentView: MomentView{At: now, Dir: In, Kind: MomProgress, Entry: entry}, p: &kept, n: 1})
}

// update puts what a subscription brought on the timeline; the same thing again,
// at once, is one moment.
func (t *timeline) update(now time.Time, text string, entry Seq) {
	if m := t.latest(); m != nil && m.Kind == MomUpdate && m.Text == text && now.Sub(m.At) < progressMerge {
		m.n++
		m.Entry, m.Count = entry, m.n
		return
	}
	t.add(moment{MomentView: MomentView{At: now, Dir: In, Kind: MomUpdate, Text: text, Entry: entry}, n: 1})
}

// takenUp puts on the timeline that a stream is taken up once more on which no
// message came the times before; again and again, it is one moment.
func (t *timeline) takenUp(now time.Time, pause time.Duration, times int) {
	m := t.latest()
	if m == nil || m.Kind != MomTakenUp {
		t.add(moment{MomentView: MomentView{At: now, Dir: Local, Kind: MomTakenUp}})
		m = t.latest()
	}
	m.Text, m.Count = pause.String(), times
}

func (t *timeline) view() ([]MomentView, int) {
	out := make([]MomentView, 0, len(t.first)+len(t.last))
	for _, m := range t.first {
		out = append(out, m.view())
	}
	for i := range t.last {
		out = append(out, t.last[(t.next+i)%len(t.last)].view())
	}
	return out, t.skipped
}

// entries are the messages that the timeline names, in their order on the wire:
// what was written is put on it when it was written, perhaps after the answer.
func (t *timeline) entries() []Seq {
	var all []Seq
	for _, part := range [][]moment{t.first, t.last} {
		for _, m := range part {
			if m.Entry != 0 {
				all = append(all, m.Entry)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// progressText is progress in a word or two: "3/8 compiling".
func progressText(value, total float64, hasTotal bool, message []byte) string {
	text := number(value)
	if hasTotal {
		text += "/" + number(total)
	}
	if len(message) > 0 {
		text += " " + unquoted(shortString(message))
	}
	return text
}

// progressWords is progress within a sentence: "3/8 "compiling"".
func progressWords(n *mcp.ProgressNote) string {
	text := progressText(n.Value, n.Total, n.HasTotal, nil)
	if len(n.Message) > 0 {
		text += " " + sentence.Quoted(unquoted(shortString(n.Message)))
	}
	return text
}

func (m moment) view() MomentView {
	v := m.MomentView
	if v.Kind != MomProgress {
		return v
	}
	v.Text = progressText(m.p.value, m.p.total, m.p.hasTotal, m.p.message)
	if m.n > 1 {
		v.Count = m.n
	}
	return v
}

// moment puts a line on the timeline of a call, as long as it has one.
func (s *Session) moment(c *call, m MomentView) {
	if c.swept {
		return
	}
	m.At = s.now
	c.line.add(moment{MomentView: m})
}

// momentAt puts a line there for what has happened before.
func momentAt(c *call, at time.Time, m MomentView) {
	if c.swept {
		return
	}
	m.At = at
	c.line.insert(moment{MomentView: m})
}

// unquoted is the text of a raw JSON string; "" for none.
func unquoted(raw []byte) string {
	if len(raw) == 0 {
		return ""
	}
	return rawjson.DecodeText(raw)
}
