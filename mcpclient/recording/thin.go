package recording

import (
	"maps"
	"slices"

	"belay/session"
	"belay/session/journal"
)

// voice is a source of records of which only the last ones are kept: a call, an exchange, the samples, or stderr.
type voice struct {
	call session.CallID
	x    session.ExchangeID
	what byte
}

// voiceOf returns the source of a record that a recording can do without, and false for a record that
// stands for others.
func voiceOf(r journal.Record, of passing) (voice, bool) {
	switch in := r.Input.(type) {
	case session.Skipped:
		return voice{}, false
	case session.EventReceived: // the last ID and the last time before a retry may have come apart
		switch {
		case in.Event.ID == nil:
			return voice{x: in.ExchangeID, what: 'r'}, true
		case in.Event.Retry < 0:
			return voice{x: in.ExchangeID, what: 'i'}, true
		}
		return voice{x: in.ExchangeID, what: 'e'}, true
	case session.ProcessSample:
		return voice{what: 'p'}, true
	case session.Received:
		return voice{call: of.call, x: in.ExchangeID, what: 'm'}, true
	}
	return voice{what: 's'}, true
}

const (
	// lastMost is how many bytes the last record of a voice has at most that is kept.
	lastMost = 64 << 10
	// lastOfCall is how many messages for a call are kept: as many as say how far apart
	// they came lately, which a verdict may stand on (see [belay/session/cancel.Pace]).
	lastOfCall = 6
)

// kept says of each record of a part whether it is kept.
func (p *part) kept() []bool {
	keeps, behind := make([]bool, len(p.records)), map[voice]int{}
	for i, r := range slices.Backward(p.records) {
		v, ok := voiceOf(r, p.passes[i])
		if !p.passes[i].is || !ok || p.length(i) > lastMost {
			keeps[i] = !p.passes[i].is
			continue
		}
		most := 1
		if v.call != 0 {
			most = lastOfCall
		}
		keeps[i] = behind[v] < most
		behind[v]++
	}
	return keeps
}

// thinned is a part without what a recording can do without. In the place of that stands
// how much it was.
func (p *part) thinned() *part {
	keeps := p.kept()
	t := thinning{to: &part{rest: p.rest, cut: p.cut, thin: true}}
	behind, large := p.bytes, p.large
	for i, r := range p.records {
		n := p.sizes[i]
		text := behind[:n]
		behind = behind[n:]
		var whole *Large
		if len(large) > 0 && large[0].at == i {
			whole, large = large[0], large[1:]
		}
		if !keeps[i] {
			t.skip(r, p.passes[i], p.length(i))
			t.to.more -= memoryOf(r)
			if n == 0 { // it has its bytes itself
				t.to.more -= len(r.Bytes())
			}
			if whole != nil {
				t.to.more -= len(whole.left)
			}
			continue
		}
		t.flush()
		if whole != nil {
			whole.at = len(t.to.records)
			t.to.large = append(t.to.large, whole)
		}
		t.to.take(r, text, p.passes[i])
	}
	t.flush()
	t.to.more += p.more // of what such records have themselves
	return t.to
}

// take keeps a record whose bytes are n of a part's.
func (p *part) take(r journal.Record, text []byte, of passing) {
	p.records, p.sizes, p.passes = append(p.records, r), append(p.sizes, len(text)), append(p.passes, of)
	p.bytes = append(p.bytes, text...)
}

// joins takes the next part in, and reports false where that has to stay by itself.
func (p *part) joins(next *part, room int) bool {
	if !p.thin || !next.thin || next.rest != nil || p.size()+next.size() > room {
		return false
	}
	for _, l := range next.large {
		l.at += len(p.records)
	}
	p.records, p.sizes, p.bytes = append(p.records, next.records...), append(p.sizes, next.sizes...), append(p.bytes, next.bytes...)
	p.passes, p.large, p.more = append(p.passes, next.passes...), append(p.large, next.large...), p.more+next.more
	*p = *p.thinned()
	return true
}

// thinning is the making of a part of another one.
type thinning struct {
	to    *part
	gone  session.Skipped
	at    journal.Record // the last record that is gone
	calls map[session.CallID]bool
	any   bool
}

// skip lets a record with n bytes go.
func (t *thinning) skip(r journal.Record, of passing, n int) {
	switch in := r.Input.(type) {
	case session.Received:
		t.gone.Messages, t.gone.Bytes = t.gone.Messages+1, t.gone.Bytes+n
	case session.Stderr:
		t.gone.Lines, t.gone.Bytes = t.gone.Lines+1, t.gone.Bytes+n
	case session.Skipped:
		t.gone.Messages, t.gone.Lines, t.gone.Bytes = t.gone.Messages+in.Messages, t.gone.Lines+in.Lines, t.gone.Bytes+in.Bytes
		for _, call := range in.Calls {
			t.hear(call)
		}
	default:
		return
	}
	if of.call != 0 {
		t.hear(of.call)
	}
	t.at, t.any = r, true
}

func (t *thinning) hear(call session.CallID) {
	if t.calls == nil {
		t.calls = map[session.CallID]bool{}
	}
	t.calls[call] = true
}

// flush writes what is gone so far.
func (t *thinning) flush() {
	if !t.any {
		return
	}
	t.gone.Calls = slices.Sorted(maps.Keys(t.calls))
	t.to.gone += t.gone.Messages + t.gone.Lines
	t.to.take(journal.Record{T: t.at.T, Wall: t.at.Wall, Input: t.gone}, nil, passing{is: true})
	t.gone, t.calls, t.any = session.Skipped{}, nil, false
}

// shared is a batch of the same records for somebody else.
func (p *part) shared() batch {
	return batch{records: slices.Clone(p.records), sizes: p.sizes[:len(p.sizes):len(p.sizes)], bytes: p.bytes[:len(p.bytes):len(p.bytes)]}
}

// prepend adds a record without bytes before the others.
func (b *batch) prepend(r journal.Record) {
	b.records, b.sizes = slices.Insert(b.records, 0, r), slices.Insert(slices.Clone(b.sizes), 0, 0)
}
