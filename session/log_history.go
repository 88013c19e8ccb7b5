package session

import (
	"bytes"
	"reflect"
	"strings"
	"time"

	"belay/session/mcp"
)

// history keeps the latest messages, bounded in bytes and in number. Small
// messages are copied into chunks, so that a flood makes no garbage; big ones
// are kept as they are. The oldest bytes go first, a chunk at a time, and those of
// entries that are gone; an entry whose bytes are gone is still listed as long as the
// number allows. What the list takes counts as well.
//
// The entries hold no pointer, and grow a segment at a time: the garbage
// collector has nothing to look at in them, however many there are, and nobody
// waits for all of them to be copied.
//
//shape:part of log
type history struct {
	maxBytes, maxCount int
	origin             time.Time
	ring               [][]stored // segments
	names              []string   // of methods
	index              map[string]uint16
	latest             string // the method of the latest entry, since the same one comes in floods …
	latestIndex        uint16 // … and its index
	first, next        Seq    // entries first … next-1 are kept
	chunks             []chunk
	spare              []byte // the memory of a chunk that was dropped; of no size: none
	open               int    // the number of the chunk that takes small messages; below dropped: none
	since              int    // bytes of big messages that came since it was begun
	bytes              int
	dropped            int  // chunks that were dropped so far: the number of chunks[0]
	lent               bool // to a copy: of no chunk the memory is used again
	pauses             pauses
	cur                Seq // the message that the input of now is about; 0: none
}

// chunk is the memory of one big message, or of many small ones.
//
//shape:part of log
type chunk struct {
	data   []byte
	memory int  // that it takes, in bytes
	last   Seq  // entry whose bytes are in it
	shared bool // others may hold a part of it: it is never written over
}

// stored is an entry as it is kept.
//
//shape:part of log
type stored struct {
	at       time.Duration // since the origin
	chunk    int
	off      int
	len      int
	size     int
	call     CallID
	question QuestionID
	epoch    Epoch
	method   uint16 // index of its name
	dir      Direction
	kind     EntryKind
	flags    EntryFlags
	remedy   RemedyKind
}

// storedSize is how many bytes an entry takes.
var storedSize = int(reflect.TypeFor[stored]().Size())

const (
	chunkSize = 256 << 10
	bigEntry  = 64 << 10
	segment   = 4096
	maxNames  = 8192     // of methods; a server that invents more has the rest read from the messages
	unnamed   = maxNames // the index of a name that is not in the table
)

// about has what is told from now on be about a message; 0: about none.
func (h *history) about(q Seq) { h.cur = q }

func (h *history) init(maxBytes, maxCount int, origin time.Time) {
	h.maxBytes, h.maxCount, h.origin = maxBytes, maxCount, origin
	h.first, h.next = 1, 1
	h.open = -1
	h.names, h.index = []string{""}, map[string]uint16{"": 0}
	h.ring = make([][]stored, (maxCount+segment-1)/segment)
}

// named is the index of the name of a method.
func (h *history) named(method string) uint16 {
	if method == h.latest {
		return h.latestIndex
	}
	i, ok := h.index[method]
	switch {
	case ok:
	case len(h.names) == maxNames:
		return unnamed
	default:
		method = strings.Clone(method)
		i = uint16(len(h.names))
		h.names = append(h.names, method)
		h.index[method] = i
	}
	h.latest, h.latestIndex = h.names[i], i
	return i
}

// add appends an entry of the time now. Raw is copied unless owned.
func (h *history) add(now time.Time, e stored, method string, raw []byte, owned bool) {
	e.at, e.method, e.len = now.Sub(h.origin), h.named(method), len(raw)
	switch {
	case len(raw) == 0:
		e.chunk = -1
	case len(raw) >= bigEntry:
		if !owned {
			raw = bytes.Clone(raw)
		}
		e.chunk = h.newChunk(chunk{data: raw, shared: true})
		h.since += cap(raw)
	default:
		e.chunk, e.off = h.copy(raw)
	}
	if h.next-h.first == Seq(h.maxCount) {
		h.first++
	}
	*h.slot(h.next) = e
	if e.chunk >= 0 {
		h.chunks[e.chunk-h.dropped].last = h.next
	}
	h.next++
	for len(h.chunks) > 1 && (h.bytes > h.maxBytes-h.list() || h.chunks[0].last < h.first) {
		h.drop()
	}
}

// list is how many bytes of the bound are the list's: what it takes at most, in whole segments, and no more than a
// quarter, so that a small history of many entries still has messages.
func (h *history) list() int {
	segments := (min(int(h.last()), h.maxCount) + segment - 1) / segment
	return min(segments*segment*storedSize, h.maxBytes/4)
}

// drop forgets the oldest chunk. Under a flood the next one takes its memory: to
// clear new memory costs a tenth of the time that a message takes.
func (h *history) drop() {
	c := &h.chunks[0]
	h.bytes -= c.memory
	if !c.shared {
		h.spare = c.data[:0]
	}
	*c = chunk{}
	h.chunks = h.chunks[1:]
	h.dropped++
}

// Lend is for package twin: a copy shares the chunks, so none is written over. Behind what
// they have now both go on, as the copy has no room there. So it is with all later chunks: readers of
// a history that was lent once write nothing to it, and further copies can be made beside them.
func (h *history) Lend() {
	if h.lent {
		return
	}
	h.lent = true
	for i := range h.chunks {
		h.chunks[i].shared = true
	}
}

func (h *history) slot(q Seq) *stored {
	i := int((q - 1) % Seq(h.maxCount))
	seg := &h.ring[i/segment]
	if *seg == nil {
		*seg = make([]stored, min(segment, h.maxCount-i/segment*segment))
	}
	return &(*seg)[i%segment]
}

func (h *history) copy(raw []byte) (number, off int) {
	// A chunk that goes on for too long would be the oldest while it holds the
	// newest messages.
	if h.open < h.dropped || h.since > h.maxBytes/4 || len(h.chunks[h.open-h.dropped].data)+len(raw) > chunkSize {
		memory := h.spare
		if h.spare = nil; cap(memory) == 0 {
			memory = make([]byte, 0, chunkSize)
		}
		h.open, h.since = h.newChunk(chunk{data: memory}), 0
	}
	c := &h.chunks[h.open-h.dropped]
	off = len(c.data)
	c.data = append(c.data, raw...)
	return h.open, off
}

// newChunk keeps data, and counts all of the memory that it takes.
func (h *history) newChunk(c chunk) (number int) {
	c.memory, c.shared = cap(c.data), h.lent
	h.chunks = append(h.chunks, c)
	h.bytes += c.memory
	return h.dropped + len(h.chunks) - 1
}

func (h *history) get(q Seq) *stored {
	if q < h.first || q >= h.next {
		return nil
	}
	return h.slot(q)
}

// last is the entry that was added last.
func (h *history) last() Seq { return h.next - 1 }

// shownMethod bounds a method in an entry, and foreign words elsewhere.
const shownMethod = 200

// shown is a method without what no screen shows of it. It does not keep the
// memory of the rest.
func shown(method string) string {
	if len(method) <= shownMethod {
		return method
	}
	return method[:shownMethod] + "…"
}

// mark, setCall and markQuestion say more of the message that the input of now is
// about.
func (h *history) mark(f EntryFlags) {
	if e := h.get(h.cur); e != nil {
		e.flags |= f
	}
}

func (h *history) setCall(id CallID) { h.attribute(h.cur, id) }

// attribute notes to which call a message belongs.
func (h *history) attribute(q Seq, id CallID) {
	if e := h.get(q); e != nil {
		e.call = id
	}
}

func (h *history) markQuestion(id QuestionID) {
	if e := h.get(h.cur); e != nil {
		e.question = id
	}
}

// timeOf is when a message was received or handed out.
func (h *history) timeOf(e *stored) time.Time { return h.origin.Add(e.at) }

func (h *history) view(q Seq) (Entry, bool) {
	e := h.get(q)
	if e == nil {
		return Entry{}, false
	}
	v := Entry{
		Seq: q, At: h.timeOf(e), Wall: h.origin.Add(e.at + h.pauses.before(e.at)), Dir: e.dir, Kind: e.kind, Epoch: e.epoch, Call: e.call, Question: e.question,
		Flags: e.flags, Size: e.size, Remedy: Remedy{Kind: e.remedy},
	}
	switch i := e.chunk - h.dropped; {
	case e.flags&FlagHollow != 0:
		v.Gone = true
	case e.chunk < 0:
	case i < 0:
		v.Gone = true
	default:
		// Chunks only grow at their end, so what was handed out never changes.
		c := &h.chunks[i]
		if !c.shared {
			c.shared = true
		}
		v.Raw = c.data[e.off : e.off+e.len : e.off+e.len]
	}
	if e.method != unnamed {
		v.Method = h.names[e.method]
	} else if !v.Gone {
		v.Method = shown(mcp.Decode(v.Raw).Method)
	}
	return v, true
}

// HistorySpan bounds the messages that are kept: first … last, or first = last+1
// when there are none.
func (l *log) HistorySpan() (first, last Seq) { return l.hist.first, l.hist.last() }

// Entry copies one message of the history, and false when it is not kept.
func (l *log) Entry(q Seq) (Entry, bool) { return l.hist.view(q) }

// Entries appends at most n messages of the history, from one on.
func (l *log) Entries(dst []Entry, from Seq, n int) []Entry {
	for q := max(from, l.hist.first); q < l.hist.next && n > 0; q++ {
		e, _ := l.hist.view(q)
		dst = append(dst, e)
		n--
	}
	return dst
}

// CallEntries appends the messages of one call that its timeline names and the
// history still keeps, at most n, oldest first.
func (l *log) CallEntries(dst []Entry, id CallID, n int) []Entry {
	c := l.rows.get(id)
	if c == nil {
		return dst
	}
	for _, q := range c.line.entries() {
		if n == 0 {
			break
		}
		if e, ok := l.hist.view(q); ok {
			dst = append(dst, e)
			n--
		}
	}
	return dst
}

// logIn enters a message that arrived.
func (l *log) logIn(x ExchangeID, f *mcp.Frame) {
	kind := EntInvalid
	switch f.Kind {
	case mcp.FrameRequest:
		kind = EntRequest
	case mcp.FrameNotification:
		kind = EntNotification
	case mcp.FrameResult:
		kind = EntResult
	case mcp.FrameError, mcp.FrameMalformed:
		kind = EntError
	case mcp.FrameBatch:
		kind = EntBatch
	case mcp.FrameOversize:
		kind = EntOversize
	case mcp.FrameInvalid:
	}
	e, raw := stored{size: f.Size, epoch: x.Epoch, dir: In, kind: kind}, f.Raw
	if f.Hollow != nil {
		e.flags, raw = FlagHollow, nil
	}
	l.hist.add(l.now, e, shown(f.Method), raw, f.Owned)
	l.hist.about(l.hist.last())
}

// logOut enters a message that was handed out.
func (l *log) logOut(p *pending) {
	e := stored{
		size: len(p.Data), epoch: l.conn.epoch, dir: Out, kind: p.kind, call: p.Call,
	}
	switch {
	case p.req != nil && p.req.probe:
		e.flags |= FlagProbe
	case p.cancels != nil:
		e.flags |= FlagCancel
	case p.answers != nil:
		e.question = p.answers.questionID
	}
	if p.wrong != nil {
		e.flags |= FlagCancel | FlagWrong
	}
	if p.raw {
		e.flags |= FlagRaw
	}
	e.flags |= FlagUnwritten
	l.hist.add(l.now, e, shown(p.method), p.Data, true)
	l.hist.about(l.hist.last())
}

// event enters a note of belay's own.
func (l *log) event(text string) { l.eventWith(text, 0) }

// eventWith enters one with what can be done about it.
func (l *log) eventWith(text string, can RemedyKind) {
	l.hist.add(l.now, stored{epoch: l.conn.epoch, dir: Local, kind: EntEvent, remedy: can}, "", []byte(text), true)
}

// Remark enters a line of the transport's own words.
type Remark struct {
	never
	Text string `json:"text"`
}

func (in Remark) apply(s *Session) Reply {
	s.event(validText(in.Text))
	return Reply{}
}

func (in Remark) masked(m masker) Input {
	in.Text = m.text(in.Text)
	return in
}

// Stderr enters a line that the server wrote to its stderr. It never changes a state (STD-09;
// basic/transports/stdio).
type Stderr struct {
	never
	Epoch Epoch `json:"epoch"`
	Line  Bytes `json:"line"`
}

func (in Stderr) apply(s *Session) Reply {
	s.hist.add(s.now, stored{epoch: in.Epoch, dir: Local, kind: EntStderr, size: len(in.Line)}, "", in.Line, false)
	return Reply{}
}

func (in Stderr) masked(m masker) Input {
	in.Line = m.bytes(in.Line)
	return in
}
