package session

// remark is what a row says of its call beside the state, and what the user can do about
// that.
type remark struct {
	text string
	can  *Remedy // nil: nothing is known
}

// saying is a remark about which nothing can be done, as far as belay knows.
func saying(text string) remark { return remark{text: text} }

// advising is a remark with a remedy; a zero one is none.
func advising(text string, can Remedy) remark {
	m := saying(text)
	if can != (Remedy{}) {
		m.can = &can
	}
	return m
}

// remedy is what can be done about it.
func (m remark) remedy() Remedy {
	if m.can == nil {
		return Remedy{}
	}
	return *m.can
}

// outcome is what was decided of a call: the state that the call enters, and what its row
// says from then on. Whoever decides returns the outcome; [Session.move] carries it out.
type outcome struct {
	to   State
	says remark // zero: what the row said before
	told bool   // the remark stands in the timeline as well

	unnamed bool // a task may go on at the server, whose ID did not come
}
