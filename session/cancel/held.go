package cancel

import "time"

// mostHeld is how many messages are kept while nobody has told yet when the cancel was written.
const mostHeld = 64

// held are the messages that came for the call while the cancel was with the writer. The writer
// tells of a write when that has returned, and the server may have said something by then: which of
// the messages came after the cancel is known only when its last byte is told.
type held struct {
	all  []heldMessage // the latest, oldest first
	more bool          // there were others before them
	text string        // what the last one said
}

type heldMessage struct {
	now, began time.Time
	bound      time.Duration
}

// add keeps a message. Of very many the latest are kept.
func (h *held) add(m heldMessage, text string) {
	if h.text = text; len(h.all) == mostHeld {
		h.all, h.more = append(h.all[:0], h.all[1:]...), true
	}
	h.all = append(h.all, m)
}

// since are the messages that began at a time or later; more is that some of them may not have been kept. Over HTTP a
// message of one stream may begin before one of another that has come as a whole.
func (h *held) since(at time.Time) (all []heldMessage, more bool) {
	more = h.more && !h.all[0].began.Before(at)
	for _, m := range h.all {
		if !m.began.Before(at) {
			all = append(all, m)
		}
	}
	return all, more
}
