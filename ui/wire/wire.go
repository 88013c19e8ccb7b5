// Package wire is the pane of everything that went over the wire, of the server's
// stderr and of belay's own notes. The pane copies the lines of a frame from a
// session in bounded steps, follows new messages or stays at those being read, and
// filters.
package wire

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/ui/index"
	"belay/ui/remedy"
	"belay/ui/theme"
)

const (
	// scanLimit bounds the messages that the filter reads for one frame, scanBytes the
	// bytes of each message.
	scanLimit = 2000
	scanBytes = 4 << 10
	// scanWork bounds the bytes of the messages that it looks at for one frame.
	scanWork = 256 << 10
)

// namesMost bounds the wire IDs of calls that are remembered. It is more than a
// frame needs.
const namesMost = 4 * scanLimit

// Pane is the list of the messages. For each frame it is told the session twice,
// under its lock: [Pane.Pull], and when the size of the screen is known,
// [Pane.Pick]. [Pane.Scan] comes in between, without the lock. Make one with [New].
type Pane struct {
	looks theme.Looks

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

// New is a pane that follows what comes.
func New(looks theme.Looks) *Pane {
	return &Pane{looks: looks, follow: true, names: map[session.CallID]string{}, lines: newSummaries(looks.Recorded)}
}

// Filter is what the messages have to match.
func (p *Pane) Filter() index.Filter { return p.filter }

// SetFilter takes another filter; the history is scanned anew.
func (p *Pane) SetFilter(f index.Filter) {
	p.filter, p.hits, p.scanned = f, nil, 0
	p.follow = true
}

// Anew forgets what was kept of the messages: they are those of another session.
func (p *Pane) Anew() {
	p.hits, p.scanned, p.lines = nil, 0, newSummaries(p.looks.Recorded)
	clear(p.names)
}

// Follows reports whether the newest message is selected as it comes.
func (p *Pane) Follows() bool { return p.follow }

// Follow has the newest message selected as it comes, or leaves the selection
// where it is.
func (p *Pane) Follow(on bool) { p.follow = on }

// Pull takes over where the history begins and ends, and copies a bounded part
// of what the filter has not seen.
func (p *Pane) Pull(s *session.Session) {
	p.first, p.last = s.HistorySpan()
	p.buf = p.buf[:0]
	if len(p.names) > namesMost {
		clear(p.names)
	}
	if p.filter.Empty() || !p.IsBehind() {
		return
	}
	p.buf = s.Entries(p.buf, max(p.scanned+1, p.first), scanLimit)
	for i := range p.buf {
		p.callName(s, p.buf[i].Call)
	}
}

// Scan lets the filter look at what was copied. It needs no lock: a message
// never changes.
func (p *Pane) Scan() {
	for len(p.hits) > 0 && p.hits[0] < p.first {
		p.hits = p.hits[1:]
	}
	left := scanWork
	for i := range p.buf {
		if left -= 100 + min(len(p.buf[i].Raw), summaryBytes); left < 0 && i > 0 {
			return // the next frame goes on
		}
		if p.matches(&p.buf[i]) {
			p.hits = append(p.hits, p.buf[i].Seq)
		}
		p.scanned = p.buf[i].Seq
	}
}

// IsBehind reports whether the filter has not looked at everything yet.
func (p *Pane) IsBehind() bool { return !p.filter.Empty() && p.scanned < p.last }

func (p *Pane) matches(e *session.Entry) bool {
	helps := string(remedy.Words(remedy.Left(e.Remedy, p.looks.Recorded)))
	return p.filter.Match(e.Method, "#"+p.names[e.Call], kindWords(e), logWords(e), helps, string(e.Raw[:min(len(e.Raw), scanBytes)]))
}

// callName is the wire ID of a call, for "#7".
func (p *Pane) callName(s *session.Session, id session.CallID) string {
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
	w = append(w, Flags(e)...)
	return strings.Join(w, " ")
}

// Flags are the words for what is special about a message.
func Flags(e *session.Entry) (words []string) {
	for _, f := range []struct {
		flag session.EntryFlags
		word string
	}{
		{session.FlagDiag, "diagnostic"},
		{session.FlagLate, "late"},
		{session.FlagProbe, "probe"},
		{session.FlagRaw, "raw"},
		{session.FlagStale, "stale"},
		{session.FlagAfter, "after"},
		{session.FlagCancel, "cancel"},
		{session.FlagWrong, "deliberate"},
	} {
		if e.Flags&f.flag != 0 {
			words = append(words, f.word)
		}
	}
	return words
}

// Count is how many messages there are to show.
func (p *Pane) Count() int {
	switch {
	case !p.filter.Empty():
		return len(p.hits)
	case p.last == 0:
		return 0
	}
	return int(p.last-p.first) + 1
}

// at is the message at a position, 0 the oldest.
func (p *Pane) at(i int) session.Seq {
	if !p.filter.Empty() {
		return p.hits[i]
	}
	return p.first + session.Seq(i)
}

// pos is the position of a message, or of the first one behind it.
func (p *Pane) pos(q session.Seq) int {
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

// Pick copies the messages that h rows show.
func (p *Pane) Pick(s *session.Session, h int) {
	p.entries = p.entries[:0]
	n := p.Count()
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

// Move moves the selection by n messages. At the end it follows again.
func (p *Pane) Move(n int) {
	have := p.Count()
	if have == 0 {
		return
	}
	pos := min(max(0, p.pos(p.sel)+n), have-1)
	p.sel = p.at(pos)
	p.follow = n > 0 && pos == have-1
}

// Shown are the messages of the rows, from the top, as they were copied; to be read
// only.
func (p *Pane) Shown() []session.Entry { return p.entries }

// Select selects a message, and stays there.
func (p *Pane) Select(q session.Seq) { p.sel, p.follow = q, false }

// Selected is the message that the keys act on, as it was copied.
func (p *Pane) Selected() (session.Entry, bool) {
	for _, e := range p.entries {
		if e.Seq == p.sel {
			return e, true
		}
	}
	return session.Entry{}, false
}

// Title says what is not seen, or not yet: that a filter is set, and that what
// comes is not followed. Mostly it is empty.
func (p *Pane) Title() safe.Text {
	var t safe.Text
	if !p.filter.Empty() {
		t = "/" + safe.LineN(p.filter.String(), 40)
		if p.IsBehind() {
			t += " scanning" + p.looks.Glyphs.Dots
		}
	}
	if !p.follow {
		t = wording.Join(t, "paused · F follows")
	}
	return t
}
