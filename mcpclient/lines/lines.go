// Package lines finds the lines in what a server writes: a message each, of any quality and
// length, in bounded memory, each with the time at which its first byte was read.
package lines

import (
	"bytes"
	"fmt"
	"io"
	"time"

	"belay/session/mcp"
)

const (
	chunkSize = 256 << 10 // what is read at once, at most
	ownedFrom = 64 << 10  // longer lines get a buffer of their own
)

// Reader finds the lines in a stream of any quality. Ordinary lines are
// not copied: they point into the chunk that was read last, and all of them
// are valid until the next Fill.
type Reader struct {
	src io.Reader
	max int // the longest line that is kept whole
	now func() time.Time
	at  time.Time                                  // of the last read
	all int64                                      // bytes that were read
	By  func(offset int64, at time.Time) time.Time // when a byte that was read then had come by; nil: then

	chunk []byte
	r, w  int       // chunk[r:w] is unread
	seen  int       // so much of it is known to hold no newline
	began time.Time // when the first byte of the line at hand was read that is no space; zero: it is not there yet
	long  []byte    // the head of a line that is longer than the chunk
	skim  *mcp.Skim
	ended bool // nothing more comes; what is left is the last line
}

// Line is one line without its end. Over is set instead of Text for one that
// exceeds the limit.
type Line struct {
	Text  []byte
	Owned bool // Text points into no chunk, and is nobody else's
	Over  *mcp.Frame
	Began time.Time // when its first byte was read
}

// NewReader makes a reader of the lines of src. Lines of more than maxLine bytes are not kept; now is
// the clock.
func NewReader(src io.Reader, maxLine int, now func() time.Time) *Reader {
	return &Reader{src: src, max: maxLine, now: now, chunk: make([]byte, chunkSize)}
}

// Next is the next line of what was read, and false when more must be read
// first, or nothing is left. Blank lines are passed over.
func (l *Reader) Next() (Line, bool) {
	for {
		unread := l.chunk[l.r:l.w]
		if l.began.IsZero() && !isBlank(unread[l.seen:]) {
			l.began = l.arrivalOf(unread[l.seen:])
		}
		i := bytes.IndexByte(unread[l.seen:], '\n')
		if i < 0 {
			l.seen = len(unread)
			if l.ended {
				return l.last()
			}
			l.stash()
			return Line{}, false
		}
		i += l.seen
		l.r, l.seen = l.r+i+1, 0
		if i <= ownedFrom && i <= l.max && l.long == nil && l.skim == nil { // as most are: the others may be joined, cut and copied
			text, began := trimmed(unread[:i]), l.began
			l.began = time.Time{}
			if text != nil {
				return Line{Text: text, Began: began}, true
			}
			continue
		}
		if ln, ok := l.finish(unread[:i]); ok {
			return ln, true
		}
	}
}

// arrivalOf is when the first byte that is no space had come, of what is not looked at yet.
func (l *Reader) arrivalOf(rest []byte) time.Time {
	if l.By == nil {
		return l.at
	}
	return l.By(l.all-int64(len(bytes.TrimLeft(rest, " \t\r"))), l.at)
}

// IsAtEnd reports whether what was read last holds the end of the line at hand.
func (l *Reader) IsAtEnd() bool { return bytes.IndexByte(l.chunk[l.r+l.seen:l.w], '\n') >= 0 }

// Part is how many bytes were read of a line whose end has not come, and whether
// it is not over the limit yet. It holds when Next has given all.
func (l *Reader) Part() (size int, kept bool) {
	switch {
	case l.began.IsZero():
		return 0, true
	case l.skim != nil:
		return l.skim.Size() + l.w - l.r, false
	}
	return len(l.long) + l.w - l.r, true
}

// stash makes room when the chunk is full and its line is not at its end.
func (l *Reader) stash() {
	unread := l.chunk[l.r:l.w]
	switch {
	case l.skim != nil:
		_, _ = l.skim.Write(unread)
	case len(l.long)+len(unread) > l.max:
		l.skim = new(mcp.Skim)
		_, _ = l.skim.Write(l.long)
		_, _ = l.skim.Write(unread)
		l.long = nil
	case len(unread) == len(l.chunk):
		l.long = append(l.long, unread...)
	default:
		return
	}
	l.r, l.w, l.seen = 0, 0, 0
}

// finish makes a line of its last bytes and what is known of it already.
func (l *Reader) finish(tail []byte) (ln Line, ok bool) {
	ln, ok = l.join(tail)
	ln.Began, l.began = l.began, time.Time{}
	return ln, ok
}

func (l *Reader) join(tail []byte) (Line, bool) {
	switch {
	case l.skim == nil && len(l.long)+len(tail) > l.max:
		l.skim = new(mcp.Skim)
		_, _ = l.skim.Write(l.long)
		fallthrough
	case l.skim != nil:
		_, _ = l.skim.Write(tail)
		f := OverLimit(l.skim, l.max)
		l.skim, l.long = nil, nil
		return Line{Over: f}, true
	case l.long != nil:
		whole := append(l.long, tail...)
		l.long = nil
		if cap(whole)-len(whole) > len(whole)/4 {
			whole = bytes.Clone(whole) // the core keeps it: keep no slack with it
		}
		return trim(whole, true)
	case len(tail) > ownedFrom:
		return trim(bytes.Clone(tail), true)
	default:
		return trim(tail, false)
	}
}

// last is what came after the last newline.
func (l *Reader) last() (Line, bool) {
	tail := l.chunk[l.r:l.w]
	l.r, l.w, l.seen = 0, 0, 0
	if len(tail) == 0 && l.long == nil && l.skim == nil {
		return Line{}, false
	}
	return l.finish(tail)
}

// trim takes the carriage return off and passes blank lines over (STD-28).
func trim(text []byte, owned bool) (Line, bool) {
	text = trimmed(text)
	return Line{Text: text, Owned: owned}, text != nil
}

// trimmed is a line without its carriage return; nil: it is blank.
func trimmed(text []byte) []byte {
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	if isBlank(text) {
		return nil
	}
	return text
}

// isBlank reports whether nothing but space is in a line.
func isBlank(text []byte) bool {
	return len(text) == 0 || text[0] <= ' ' && len(bytes.TrimLeft(text, " \t\r")) == 0
}

// Fill reads once. The lines of earlier chunks are no longer valid then. After
// an error, the end of the stream included, Next still gives what came with it
// and the last line.
func (l *Reader) Fill() error {
	if l.r > 0 {
		l.w = copy(l.chunk, l.chunk[l.r:l.w])
		l.r = 0
	}
	for range 100 {
		n, err := l.src.Read(l.chunk[l.w:])
		l.at = l.now()
		l.w += n
		l.all += int64(n)
		if err != nil {
			l.ended = true
			return err
		}
		if n > 0 {
			return nil
		}
	}
	l.ended = true
	return io.ErrNoProgress
}

// OverLimit is what is told of a message over the limit.
func OverLimit(long *mcp.Skim, limit int) *mcp.Frame { return WithLimit(long.Frame(), limit) }

// WithLimit tells of the limit where a frame's problems tell that the message was too long, and
// returns the frame.
func WithLimit(f *mcp.Frame, limit int) *mcp.Frame {
	for i := range f.Problems {
		if p := &f.Problems[i]; p.Code == mcp.DiagOversize {
			p.Detail += ", over the limit of " + limitText(limit)
		}
	}
	return f
}

// limitText writes the limit of a line: "16 MiB", "100 bytes".
func limitText(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
