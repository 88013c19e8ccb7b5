// Package sse reads streams of server-sent events as MCP uses them: the data of
// an event is one JSON message, so it is given as bytes that the reader may
// keep, and an event of any length is told in bounded memory. The readers that
// exist (github.com/tmaxmax/go-sse, and the one of the official SDK, which is not exported)
// hide the retry field, or end the stream at an event that is too long.
package sse

import (
	"bytes"
	"io"
	"strconv"
	"time"

	"belay/session/mcp"
)

// Event is one event, or the part of one that comes without data (an ID, a
// time to wait). It follows the rules of the HTML standard, but that an event
// without data is given as well: MCP primes streams with those.
type Event struct {
	Name  string        // of the event; empty: message
	ID    string        // only when HasID
	HasID bool          // it has an ID, which may be empty
	Retry time.Duration // negative: none
	Data  []byte        // owned by whoever gets the event; nil when it has none
	Over  *mcp.Frame
	// Over stands in the place of Data that is longer than the limit.

	Began time.Time // when the first byte of its first line of data was read; zero: it has none

	// Odd is the beginning of a line that is no field of an event and no comment, and
	// that the standard has a reader ignore. It is given by itself, when it comes.
	Odd []byte
}

const chunkSize = 32 << 10

// maxField bounds names and IDs in bytes, and maxOdd lines that are no field; longer
// ones are cut.
const (
	maxField = 8 << 10
	maxOdd   = 1 << 10
)

// Reader reads events from a stream. It belongs to one goroutine.
type Reader struct {
	src   io.Reader
	max   int // the most bytes of data that an event is given with
	chunk []byte
	r, w  int
	now   func() time.Time
	at    time.Time // of the last read
	begun bool      // the first bytes were seen
	cr    bool      // the last line ended with a carriage return: a line feed belongs to it

	since time.Time // when the first byte of the line at hand was read; zero: it is not there yet
	line  []byte    // the head of a line that is not complete
	long  *mcp.Skim // a line of data that is longer than max is being skimmed
	lost  int       // of any other line that is too long, how many bytes were passed over
	head  []byte    // … how it begins

	ev    Event
	data  []byte
	lines int       // of data
	over  *mcp.Skim // the data is longer than max
	some  bool      // a field was seen since the last event
}

// NewReader reads from src. Data longer than maxData bytes is not kept: its
// event has Over. Now is asked for the time with every read.
func NewReader(src io.Reader, maxData int, now func() time.Time) *Reader {
	return &Reader{src: src, max: maxData, now: now, chunk: make([]byte, chunkSize), ev: Event{Retry: -1}}
}

// Next is the next event in what was read, and false when more must be read
// first.
func (r *Reader) Next() (Event, bool) {
	for {
		line, ok := r.nextLine()
		if !ok {
			return Event{}, false
		}
		since := r.since
		r.since = time.Time{}
		if len(line) > 0 {
			if !r.field(line) {
				return Event{Retry: -1, Began: since, Odd: bytes.Clone(line[:min(len(line), maxOdd)])}, true
			}
			if (r.lines > 0 || r.over != nil) && r.ev.Began.IsZero() {
				r.ev.Began = since // an ID or a name before it is no message
			}
			continue
		}
		if ev, ok := r.dispatch(); ok {
			return ev, true
		}
	}
}

// Fill reads once. After an error, the end of the stream included, Next still
// gives the events that came whole. An event that the end cuts off is dropped,
// as the standard wants it.
func (r *Reader) Fill() error {
	if r.r > 0 {
		r.w = copy(r.chunk, r.chunk[r.r:r.w])
		r.r = 0
	}
	for range 100 {
		n, err := r.src.Read(r.chunk[r.w:])
		r.at = r.now()
		r.w += n
		if err != nil || n > 0 {
			return err
		}
	}
	return io.ErrNoProgress
}

// Part is how many bytes were read of an event whose end has not come, and
// whether they are kept: they are not when there are more than the limit. A comment
// is no part of an event: some keep a stream open with it.
func (r *Reader) Part() (size int, kept bool) {
	size, kept = len(r.data), true
	switch {
	case len(r.line) > 0 && r.line[0] != ':':
		size += len(r.line)
	case r.lost > 0 && r.head[0] != ':':
		size, kept = size+r.lost, false
	}
	long := r.long // which goes on with what is over the limit
	if long == nil {
		long = r.over
	}
	if long != nil {
		size, kept = size+long.Size(), false
	}
	return size, kept
}

// bom may stand at the beginning of a stream.
var bom = []byte("\xEF\xBB\xBF")

// nextLine is the next line without its end. It is valid until the next call.
// A line that is skimmed comes as a comment, and one that is passed over is cut.
func (r *Reader) nextLine() ([]byte, bool) {
	if !r.begun {
		if r.w-r.r < len(bom) && bytes.HasPrefix(bom, r.chunk[r.r:r.w]) {
			return nil, false // half a byte order mark, or nothing yet
		}
		r.r += len(r.chunk[r.r:r.w]) - len(bytes.TrimPrefix(r.chunk[r.r:r.w], bom))
		r.begun = true
	}
	if r.cr && r.r < r.w {
		if r.chunk[r.r] == '\n' {
			r.r++
		}
		r.cr = false
	}
	unread := r.chunk[r.r:r.w]
	if r.since.IsZero() && len(unread) > 0 {
		r.since = r.at
	}
	i := bytes.IndexAny(unread, "\r\n")
	if i < 0 {
		r.keep(unread)
		r.r, r.w = 0, 0
		return nil, false
	}
	r.cr = unread[i] == '\r'
	r.r += i + 1
	return r.complete(unread[:i]), true
}

// keep takes in a part of a line whose end has not come.
func (r *Reader) keep(part []byte) {
	switch {
	case r.long != nil:
		_, _ = r.long.Write(part)
	case r.lost > 0:
		r.lost += len(part)
	case len(r.line)+len(part) <= r.max+len("data: "):
		r.line = append(r.line, part...)
	default:
		r.tooLong(part)
	}
}

// tooLong begins to skim, or to pass over, a line.
func (r *Reader) tooLong(part []byte) {
	head := append(r.line, part[:min(len(part), 16)]...)
	if value, ok := bytes.CutPrefix(head, []byte("data:")); ok {
		r.long = r.skim()
		_, _ = r.long.Write(bytes.TrimPrefix(value, []byte{' '}))
		_, _ = r.long.Write(part[min(len(part), 16):])
	} else {
		r.lost = len(r.line) + len(part)
		most := min(maxOdd, r.max+len("data: "))
		r.head = bytes.Clone(r.line[:min(len(r.line), most)])
		r.head = append(r.head, part[:min(len(part), most-len(r.head))]...)
	}
	r.line = nil
}

// complete makes a line of what was kept and its last part.
func (r *Reader) complete(tail []byte) []byte {
	if len(r.line) == 0 && r.long == nil && r.lost == 0 && len(tail) <= r.max {
		return tail
	}
	r.keep(tail)
	switch {
	case r.long != nil:
		r.over, r.long, r.some = r.long, nil, true
		r.lines++
		return []byte{':'}
	case r.lost > 0:
		line := r.head
		if r.lost, r.head = 0, nil; isField(line) {
			return []byte{':'}
		}
		return line
	}
	line := r.line
	r.line = r.line[:0]
	if cap(r.line) > 4*chunkSize {
		r.line = nil
	}
	return line
}

// field takes one line that is not empty, and reports whether it is a field or a
// comment. A field that is known may have a value that means nothing.
func (r *Reader) field(line []byte) bool {
	name, value, _ := bytes.Cut(line, []byte{':'})
	value = bytes.TrimPrefix(value, []byte{' '})
	switch string(name) {
	case "data":
		r.addData(value)
	case "event":
		r.ev.Name, r.some = text(value), true
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			r.ev.ID, r.ev.HasID, r.some = text(value), true, true
		}
	case "retry":
		if ms, err := strconv.ParseUint(string(value), 10, 32); err == nil && digits(value) {
			r.ev.Retry, r.some = time.Duration(ms)*time.Millisecond, true
		}
	default:
		return len(name) == 0 // a comment
	}
	return true
}

// isField reports whether a line is a field that the standard knows.
func isField(line []byte) bool {
	name, _, _ := bytes.Cut(line, []byte{':'})
	switch string(name) {
	case "data", "event", "id", "retry":
		return true
	}
	return false
}

func digits(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(b) > 0
}

func text(b []byte) string { return string(b[:min(len(b), maxField)]) }

// skim is what goes on with the data of an event that is too long to be kept.
func (r *Reader) skim() *mcp.Skim {
	s := r.over
	if s == nil {
		s = new(mcp.Skim)
		_, _ = s.Write(r.data)
		r.data = nil
	}
	if r.lines > 0 {
		_, _ = s.Write([]byte{'\n'})
	}
	return s
}

// addData adds a line of data.
func (r *Reader) addData(value []byte) {
	r.some = true
	switch {
	case r.over != nil || len(r.data)+len(value)+1 > r.max:
		r.over = r.skim()
		_, _ = r.over.Write(value)
	case r.lines == 0:
		r.data = append(make([]byte, 0, len(value)), value...)
	default:
		r.data = append(append(r.data, '\n'), value...)
	}
	r.lines++
}

// dispatch is what an empty line does. An event of which nothing was seen is
// none.
func (r *Reader) dispatch() (Event, bool) {
	if !r.some {
		return Event{}, false
	}
	ev := r.ev
	switch {
	case r.over != nil:
		ev.Over = r.over.Frame()
	case len(r.data) > 0:
		ev.Data = r.data
	}
	r.ev, r.data, r.lines, r.over, r.some = Event{Retry: -1}, nil, 0, nil, false
	return ev, true
}
