package session

import "time"

// rowNote is what a row says of its call beside the state, and what the user can do about
// that.
//
//shape:plain
type rowNote struct {
	text string
	can  *Remedy // nil: nothing is known
}

// saying is a note about which nothing can be done, as far as belay knows.
func saying(text string) rowNote { return rowNote{text: text} }

// advising is a note with a remedy; a zero one is none.
func advising(text string, can Remedy) rowNote {
	m := saying(text)
	if can != (Remedy{}) {
		m.can = &can
	}
	return m
}

// remedy is what can be done about it.
func (m rowNote) remedy() Remedy {
	if m.can == nil {
		return Remedy{}
	}
	return *m.can
}

// lack is why a call that has ended has no answer, beside what its state says.
type lack uint8

const (
	lackNothing    lack = iota
	lackLeft            // belay waits for it no more, whose task has no ID yet
	lackUnanswered      // the server was not reached with it, or its stream ended without an answer
)

// outcome is what was decided of a call: the state that the call enters, and what its row
// says from then on. Whoever decides returns the outcome; [Session.move] carries it out.
type outcome struct {
	to   State
	says rowNote // zero: what the row said before
	told bool    // the note stands in the timeline as well

	at time.Time // when that was; zero: now

	lacks   lack // why there is no answer, beside what the state says
	unnamed bool // a task may go on at the server, whose ID did not come
}
