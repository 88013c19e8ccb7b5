// Package calltest makes the calls that the tests of words and drawings speak of.
package calltest

import (
	"time"

	"belay/session"
	"belay/session/cancel"
)

// Start is when each of these calls is made.
var Start = time.Date(2026, 8, 31, 12, 0, 0, 0, time.UTC)

// At is a moment so many milliseconds after the call was made.
func At(ms int, kind session.MomentKind, dir session.Direction, text string) session.MomentView {
	return session.MomentView{At: Start.Add(time.Duration(ms) * time.Millisecond), Kind: kind, Dir: dir, Text: text}
}

// Cancelled is a call that the user cancelled after a second.
func Cancelled(v cancel.Verdict, more ...session.MomentView) *session.Detail {
	c := &session.Detail{Timeline: append([]session.MomentView{
		At(0, session.MomCreated, session.Local, "tools/call"),
		At(0, session.MomSent, session.Out, "tools/call"),
		At(1000, session.MomCancelWanted, session.Local, ""),
		At(1001, session.MomCancelSent, session.Out, "wrong branch"),
	}, more...)}
	c.Created, c.Sent, c.Ended = Start, Start, Start.Add(6*time.Second)
	c.State, c.Verdict, c.Initiator = session.Cancelled, v, cancel.ByUser
	for _, mo := range more {
		if mo.Kind == session.MomAfter {
			c.AfterCount++
		}
	}
	return c
}
