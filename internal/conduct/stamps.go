package conduct

import (
	"bytes"
	"sync"
	"time"
)

// Stamps are when an answer was begun and when the cancel could be read.
type Stamps struct {
	Answer    time.Time // before the first byte was written; zero: none was
	Written   time.Time // after that
	CancelDue time.Time // when the cancel's last byte could be read; zero: it never left
	Noted     time.Time // after the client knew that the cancel was written; zero: that was not awaited
	Message   time.Time // after the last message for the call that is no answer was written; zero: none was
}

// IsCrossing reports whether the answer's first byte was written before the
// cancel's last byte could be read.
func (s Stamps) IsCrossing() bool {
	return !s.Answer.IsZero() && (s.CancelDue.IsZero() || s.Written.Before(s.CancelDue))
}

// WereOnTheirWay reports whether all messages before the answer were written before the
// cancel's last byte could be read.
func (s Stamps) WereOnTheirWay() bool { return s.CancelDue.IsZero() || s.Message.Before(s.CancelDue) }

// Lateness is how long after that the answer was begun; less than zero: before.
func (s Stamps) Lateness() time.Duration {
	if s.Answer.IsZero() || s.CancelDue.IsZero() {
		return 0
	}
	return s.Answer.Sub(s.CancelDue)
}

// AtLeast is how long the answer was begun after the client knew that the cancel was written, and
// could be read: for the client it is no less late than that.
func (s Stamps) AtLeast() time.Duration {
	if s.Answer.IsZero() || s.CancelDue.IsZero() {
		return 0
	}
	return min(s.Answer.Sub(s.CancelDue), s.Answer.Sub(s.Noted))
}

// track makes the stamps of one call.
type track struct {
	mu     sync.Mutex
	now    Stamps
	cancel chan struct{} // closed when it is known when the cancel can be read

	answered chan struct{} // closed when the first piece of the answer was written
}

func newTrack() *track { return &track{cancel: make(chan struct{}), answered: make(chan struct{})} }

// answering writes a piece of the answer.
func (t *track) answering(write func()) {
	t.mu.Lock()
	first := t.now.Answer.IsZero()
	if first {
		t.now.Answer = time.Now()
	}
	t.mu.Unlock()
	write()
	if first {
		t.mu.Lock()
		t.now.Written = time.Now()
		close(t.answered)
		t.mu.Unlock()
	}
}

// said notes that a message that is no answer was written.
func (t *track) said() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Message = time.Now()
}

// noted notes that the client knows that the cancel was written.
func (t *track) noted() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.now.Noted = time.Now()
}

func (t *track) cancelDue(due time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.now.CancelDue.IsZero() {
		t.now.CancelDue = due
		close(t.cancel)
	}
}

// awaitCancel waits until it is known when the cancel can be read.
func (t *track) awaitCancel(over <-chan struct{}) (due time.Time, ok bool) {
	select {
	case <-t.cancel:
		return t.stamps().CancelDue, true
	case <-over:
		return time.Time{}, false
	}
}

func (t *track) stamps() Stamps {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// spotter finds cancels among the bytes of one connection.
type spotter struct {
	found func(message []byte, due time.Time)
	held  []byte // from the last place on at which a cancel may have begun
}

var cancelled = []byte(`"notifications/cancelled"`)

// see takes bytes that can be read at a time.
func (s *spotter) see(b []byte, due time.Time) {
	s.held = append(s.held, b...)
	for {
		at := bytes.Index(s.held, cancelled)
		if at < 0 {
			s.held = bytes.Clone(s.held[max(0, len(s.held)-len(cancelled)):])
			return
		}
		from := at + len(cancelled)
		end := closing(s.held[from:])
		if end < 0 {
			return
		}
		s.found(s.held[from:from+end], due)
		s.held = s.held[from+end:]
	}
}

// closing is how many bytes there are up to the end of the JSON object in which
// b begins; -1: the end is not among them.
func closing(b []byte) int {
	depth, quoted := 1, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}
