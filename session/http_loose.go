package session

import (
	"slices"

	"belay/session/cancel"
	"belay/session/sentence"
)

// Bytes of a message whose end has not come may be the answer to a cancelled call wherever
// they come. On the call's own exchange the attempt is told of them as they come; this is
// for the others: the server's own stream, the one of HTTP+SSE, those that answer a probe
// or a cancel. Their messages end no call, so nobody waits for them.

// onLooseCut takes the end of an exchange. A message that began on it has no end.
func (w *exchanges) onLooseCut(e *exchange) {
	i := slices.Index(w.loose, e)
	if i < 0 {
		return
	}
	w.loose = slices.Delete(w.loose, i, i+1)
	for c := w.rows.oldest; c != nil; c = c.next {
		if c.state == Cancelling {
			w.noteLoose(c, e)
		}
	}
}

// tellLoose takes, at the end of a cancelled call, what has come of messages, and not their
// ends.
func (w *exchanges) tellLoose(c *call) {
	for _, e := range w.loose {
		w.noteLoose(c, e)
	}
}

func (w *exchanges) noteLoose(c *call, e *exchange) {
	last := e.part.last
	if owner := e.owner(); owner != nil && owner != c || last.Before(c.stop.WrittenAt()) || e.isErrorStatus() {
		return
	}
	what := "bytes of a message, " + sentence.Size(e.part.size) + " in all and not its end,"
	if c.stop.Strayed(last, last, cancel.Stray{What: what}) {
		w.moment(c, MomentView{Dir: In, Kind: MomNote, Text: what + " came"})
	}
}
