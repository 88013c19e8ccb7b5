package session

import (
	"testing"
	"time"
)

// The body of an exchange is written once, and once more unless the cancel of its call is
// wanted: that may have been read.
func TestWhetherABodyIsWritten(t *testing.T) {
	for name, tt := range map[string]struct {
		started        bool
		state          State // of its call; zero: it carries none
		written, again bool
	}{
		"for the first time":            {state: Running, written: true},
		"that of a cancelled call":      {state: Cancelling, written: true},
		"once more":                     {started: true, state: Running, written: true, again: true},
		"once more, while cancelling":   {started: true, state: Cancelling},
		"once more, and of no call":     {started: true, written: true, again: true},
		"for the first time, of nobody": {written: true},
	} {
		e := &exchange{started: tt.started, p: &pending{}}
		if tt.state != 0 {
			e.req = &request{call: &call{id: 1, state: tt.state}}
		}
		e.onResendDeferred(Refused)
		if deferred := e.unprocessed == Refused; deferred != (tt.started && tt.state != 0) {
			t.Errorf("%s: deferred %v, %v", name, deferred, e.unprocessed)
		}
		written, again := e.mayStart(Redirected)
		if written != tt.written || again != tt.again || (e.unprocessed == Redirected) == tt.written {
			t.Errorf("%s: written %v, again %v, %+v", name, written, again, e)
		}
	}
}

// What an event says besides its message counts for taking the stream up again, within
// bounds.
func TestWhatAnEventLeaves(t *testing.T) {
	id, long := "7", string(make([]byte, maxEventID+1))
	e := &exchange{retry: -1}
	e.onEvent(Event{ID: &id, Retry: 2 * longestRetry}, true)
	if e.events != 1 || e.lastID != "7" || e.retry != longestRetry {
		t.Errorf("%+v", e)
	}
	e.onEvent(Event{ID: &long, Retry: -1}, true)
	if e.events != 2 || e.lastID != "7" || e.retry != longestRetry {
		t.Errorf("an ID without end: %+v", e)
	}
	eight := "8"
	if e.onEvent(Event{ID: &eight, Retry: time.Second}, false); e.lastID != "7" || e.retry != time.Second {
		t.Errorf("where there are no IDs: %+v", e)
	}
	if !e.onClosing() || e.onClosing() || (*exchange)(nil).onClosing() {
		t.Error("an exchange is closed once")
	}
}

// A message that is unfinished was told as long as it goes on, and no longer.
func TestAPartOfAMessageGoesOn(t *testing.T) {
	e := &exchange{}
	e.onPart(messagePart{size: 10})
	e.part.told = true
	if before := e.onPart(messagePart{size: 20}); before.size != 10 || !e.part.told {
		t.Errorf("%+v after %+v", e.part, before)
	}
	e.onPart(messagePart{})
	if e.onPart(messagePart{size: 5}); e.part.told {
		t.Error("another message counts as told")
	}
}
