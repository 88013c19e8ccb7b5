package cancel

import "time"

// mostUntold is how many messages are kept while nobody has told yet when the cancel was written.
const mostUntold = 64

// untold are the messages that came for the call while the cancel was with the writer. The writer
// tells of a write when that has returned, and the server may have said something by then: which of
// the messages came after the cancel is known only when its last byte is told.
type untold struct {
	all  []untoldMessage // the latest, oldest first
	more bool            // there were others before them
	text string          // what the last one said
}

type untoldMessage struct {
	now, began time.Time
	bound      time.Duration
}

// add keeps a message. Of very many the latest are kept.
func (u *untold) add(m untoldMessage, text string) {
	if u.text = text; len(u.all) == mostUntold {
		u.all, u.more = append(u.all[:0], u.all[1:]...), true
	}
	u.all = append(u.all, m)
}

// since are the messages that began at a time or later; more is that some of them may not have been kept. Over HTTP a
// message of one stream may begin before one of another that has come as a whole.
func (u *untold) since(at time.Time) (all []untoldMessage, more bool) {
	more = u.more && !u.all[0].began.Before(at)
	for _, m := range u.all {
		if !m.began.Before(at) {
			all = append(all, m)
		}
	}
	return all, more
}
