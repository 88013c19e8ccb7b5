package ui

import (
	"strings"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/index"
	"belay/ui/remedy"
	"belay/ui/spell"
)

const (
	// scanLimit bounds the messages that the filter looks at for one frame,
	// scanBytes what it looks at of one message.
	scanLimit = 2000
	scanBytes = 4 << 10
)

// namesMost bounds the wire IDs of calls that are remembered. It is more than a
// frame needs.
const namesMost = 4 * scanLimit

// wirePane lists everything that went over the wire, the server's stderr and
// belay's own notes.
type wirePane struct {
	first, last session.Seq // what the history keeps
	follow      bool
	sel         session.Seq
	top         session.Seq // the first message that is shown, while it does not follow

	filter  index.Filter
	hits    []session.Seq // that match, ascending, while there is a filter
	scanned session.Seq   // the last one that was looked at
	buf     []session.Entry

	entries []session.Entry // shown, copied
	names   map[session.CallID]string
	lines   summaries
}

func (p *wirePane) init() {
	p.follow = true
	p.names = map[session.CallID]string{}
	p.lines.init()
}

// setFilter takes another filter; the history is scanned anew.
func (p *wirePane) setFilter(f index.Filter) {
	p.filter, p.hits, p.scanned = f, nil, 0
	p.follow = true
}

// pull takes over where the history begins and ends, and copies a bounded part
// of what the filter has not seen.
func (p *wirePane) pull(s *session.Session) {
	p.first, p.last = s.HistorySpan()
	p.buf = p.buf[:0]
	if len(p.names) > namesMost {
		clear(p.names)
	}
	if p.filter.Empty() || !p.behind() {
		return
	}
	p.buf = s.Entries(p.buf, max(p.scanned+1, p.first), scanLimit)
	for i := range p.buf {
		p.callName(s, p.buf[i].Call)
	}
}

// scan lets the filter look at what was copied. It needs no lock: a message
// never changes.
func (p *wirePane) scan() {
	for len(p.hits) > 0 && p.hits[0] < p.first {
		p.hits = p.hits[1:]
	}
	for i := range p.buf {
		if p.matches(&p.buf[i]) {
			p.hits = append(p.hits, p.buf[i].Seq)
		}
		p.scanned = p.buf[i].Seq
	}
}

// behind says whether the filter has not looked at everything yet.
func (p *wirePane) behind() bool { return !p.filter.Empty() && p.scanned < p.last }

func (p *wirePane) matches(e *session.Entry) bool {
	helps := string(remedy.Words(e.Remedy))
	return p.filter.Match(e.Method, "#"+p.names[e.Call], kindWords(e), logWords(e), helps, string(e.Raw[:min(len(e.Raw), scanBytes)]))
}

// callName is the wire ID of a call, for "#7".
func (p *wirePane) callName(s *session.Session, id session.CallID) string {
	if id == 0 {
		return ""
	}
	if n, ok := p.names[id]; ok {
		return n
	}
	if r, ok := s.Row(id); ok {
		p.names[id] = r.Wire.String()
	}
	return p.names[id]
}

// kindWords are what the filter can ask for besides the text of a message.
func kindWords(e *session.Entry) string {
	words := [...]string{
		session.EntRequest: "request", session.EntNotification: "notification", session.EntResult: "result",
		session.EntError: "error", session.EntBatch: "batch", session.EntInvalid: "invalid", session.EntOversize: "oversize",
		session.EntStderr: "stderr", session.EntEvent: "event",
	}
	w := []string{words[e.Kind]}
	switch e.Dir {
	case session.Out:
		w = append(w, "out", ">")
	case session.In:
		w = append(w, "in", "<")
	case session.Local:
	}
	for f, word := range flagWords {
		if e.Flags&f != 0 {
			w = append(w, word)
		}
	}
	return strings.Join(w, " ")
}

var flagWords = map[session.EntryFlags]string{
	session.FlagDiag: "diagnostic", session.FlagLate: "late", session.FlagProbe: "probe", session.FlagRaw: "raw",
	session.FlagStale: "stale", session.FlagAfter: "after", session.FlagCancel: "cancel",
}

// count is how many messages there are to show.
func (p *wirePane) count() int {
	switch {
	case !p.filter.Empty():
		return len(p.hits)
	case p.last == 0:
		return 0
	}
	return int(p.last-p.first) + 1
}

// at is the message at a position, 0 the oldest.
func (p *wirePane) at(i int) session.Seq {
	if !p.filter.Empty() {
		return p.hits[i]
	}
	return p.first + session.Seq(i)
}

// pos is the position of a message, or of the first one behind it.
func (p *wirePane) pos(q session.Seq) int {
	if p.filter.Empty() {
		if q < p.first {
			return 0
		}
		return int(q - p.first)
	}
	lo, hi := 0, len(p.hits)
	for lo < hi {
		mid := (lo + hi) / 2
		if p.hits[mid] < q {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// pullEntries copies the messages that h rows show.
func (p *wirePane) pullEntries(s *session.Session, h int) {
	p.entries = p.entries[:0]
	n := p.count()
	if h < 1 || n == 0 {
		return
	}
	if p.follow {
		p.sel = p.at(n - 1)
	}
	sel := min(p.pos(p.sel), n-1)
	p.sel = p.at(sel)
	top := p.pos(p.top)
	if p.follow {
		top = n - h
	}
	top = min(max(top, sel-h+1), sel)
	top = max(0, min(top, n-h))
	p.top = p.at(top)
	if p.filter.Empty() {
		p.entries = s.Entries(p.entries, p.top, min(h, n-top))
	} else {
		for i := top; i < min(n, top+h); i++ {
			if e, ok := s.Entry(p.hits[i]); ok {
				p.entries = append(p.entries, e)
			}
		}
	}
	for i := range p.entries {
		p.callName(s, p.entries[i].Call)
	}
}

// move moves the selection by n messages. At the end it follows again.
func (p *wirePane) move(n int) {
	have := p.count()
	if have == 0 {
		return
	}
	pos := min(max(0, p.pos(p.sel)+n), have-1)
	p.sel = p.at(pos)
	p.follow = n > 0 && pos == have-1
}

// selected is the message that enter opens, as it was copied.
func (p *wirePane) selected() (session.Entry, bool) {
	for _, e := range p.entries {
		if e.Seq == p.sel {
			return e, true
		}
	}
	return session.Entry{}, false
}

func (m *Model) wireTitle() safe.Text {
	p := &m.wire
	var t safe.Text
	if !p.filter.Empty() {
		t = "/" + safe.LineN(p.filter.String(), 40)
		if p.behind() {
			t += " scanning" + m.glyphs.Dots
		}
	}
	if !p.follow {
		t = spell.Join(t, "paused · F follows")
	}
	return t
}

func (m *Model) wireCount() safe.Text {
	if n := m.wire.count(); n > 0 {
		return spell.Thousands(n)
	}
	return ""
}
