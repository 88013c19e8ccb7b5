package session

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/cancel"
	"belay/session/mcp"
	"belay/session/sentence"
)

// afterCancel takes the messages for a call that come after its cancel. They are
// evidence: they end nothing, and nothing answers them.
//
//shape:machine 3
type afterCancel struct{ *log }

// takeAfterCancel takes a message for a call after its cancel, its answer aside: one
// whose first byte came later than the cancel's last byte. It reports false for any
// other, which is a message like those before: of one that comes while the cancel is with the writer
// that is told later. The row is never revived (PRG-20).
func (a *afterCancel) takeAfterCancel(c *call, text string) bool {
	if c.stop == nil || !c.stop.IsAfter(a.began) && !c.stop.IsWriteOpen() {
		return false
	}
	c.touchStop().Heard(a.now, a.began, a.conn.trips.Bound(), text)
	if c.stop.IsWriteOpen() {
		return false
	}
	a.hist.mark(FlagAfter)
	a.diagnoseAfterCancel(c, "a message")
	return true
}

// askedLater is how long after its end a cancelled call may still be the one that a
// question to the user is about, and maxCancelledLately how many such calls are remembered.
const (
	askedLater         = time.Minute
	maxCancelledLately = 64
)

// rememberCancelled remembers a call of the user's that has just ended as cancelled.
func (a *afterCancel) rememberCancelled(c *call) {
	kept := slices.DeleteFunc(a.rows.cancelledLately, func(c *call) bool { return !a.conn.mayStillAsk(c, a.now) })
	if len(kept) < maxCancelledLately {
		kept = append(kept, c)
	}
	a.rows.cancelledLately = kept
}

// mayStillAsk reports whether a call that ended as cancelled may be the one that a
// question is about now.
func (n *connection) mayStillAsk(c *call, now time.Time) bool {
	return c.epoch == n.epoch && c.late == nil && now.Sub(c.ended) <= askedLater
}

// soleAsker is the only call of the user's that is in flight, or was cancelled a
// short time ago and not answered; nil when there are several.
func (a *afterCancel) soleAsker() (only *call) {
	for c := a.rows.oldest; c != nil; c = c.next {
		if !c.isWork() || c.state == Queued {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	for _, c := range a.rows.cancelledLately {
		if !a.conn.mayStillAsk(c, a.now) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// crossing is a question of a cancelled call's that the call may have asked before the server read the
// cancel.
func crossing(method string) cancel.Stray {
	what := "a question of the call (" + sentence.Name(method) + ")"
	return cancel.Stray{What: what, Detail: "it may have been on its way", Is: cancel.CrossingQuestion}
}

// doubtful is a question of a call's or of another's.
func doubtful(method string) cancel.Stray {
	what := "a question of this call or of another (" + sentence.Name(method) + ")"
	return cancel.Stray{What: what, Detail: "nothing on the wire says which", Is: cancel.DoubtfulQuestion}
}

// onDoubtfulQuestion takes a question to the user as evidence of each cancelled call that may have asked
// it, and returns the first of these calls: where several calls are in question, nothing on the wire
// says which.
func (a *afterCancel) onDoubtfulQuestion(method string) (askers []*call) {
	word := doubtful(method)
	note := func(c *call) {
		a.rows.noteStray(c, a.now, a.began, word, a.hist.cur)
		if len(askers) < maxCancelledLately {
			askers = append(askers, c)
		}
	}
	for c := a.rows.oldest; c != nil && a.rows.yoursStopping > 0; c = c.next {
		if c.isWork() && c.state == Cancelling {
			note(c)
		}
	}
	for _, c := range a.rows.cancelledLately {
		if a.conn.mayStillAsk(c, a.now) {
			note(c)
		}
	}
	return askers
}

// unreachedFor notes, as evidence about a cancelled call, that an exchange for the call
// did not reach the server: the GET that resumes its stream, say.
func (l *log) unreachedFor(c *call, what string, end End) {
	if c.isStopped() && end.Err != "" {
		c.touchStop().Unreached(l.now, what, end.Err)
	}
}

// diagnoseAfterCancel judges a message for a call whose cancel was written: in the modern era
// there must be none, but for what was on its way (CXL-20; basic/patterns/cancellation).
func (a *afterCancel) diagnoseAfterCancel(c *call, what string) {
	if !a.conn.rev.IsModern() || c.stop.WrittenAt().IsZero() {
		return
	}
	if c.stop.IsLate(a.began, a.conn.trips.Bound()) {
		lag := c.stop.Lag(a.began).Round(time.Millisecond)
		a.diagnose(mcp.DiagAfterCancel, c.id, what, fmt.Sprintf("%s, %v after the cancel", what, lag))
	}
}

// onUpdateAfterCancel takes what comes for a subscription that was cancelled: evidence,
// and no more.
func (a *afterCancel) onUpdateAfterCancel(c *call, f *mcp.Frame) {
	if a.takeAfterCancel(c, sentence.Name(f.Method)) {
		a.moment(c, MomentView{Dir: In, Kind: MomAfter, Text: f.Method, Entry: a.hist.cur})
		return
	}
	a.moment(c, MomentView{Dir: In, Kind: MomUpdate, Text: strings.TrimPrefix(f.Method, "notifications/"), Entry: a.hist.cur})
}

// noteStray has the attempt of a cancelled call take a stray, which is the entry of the
// history, and shows it in the timeline, where a question of the call's is shown as any other.
func (r *rows) noteStray(c *call, now, began time.Time, stray cancel.Stray, entry Seq) {
	if c.touchStop().Strayed(now, began, stray) && stray.Is != cancel.CrossingQuestion {
		momentAt(c, now, 0, strayMoment(stray, entry))
	}
}

// noteUnaddressed takes a stray as evidence of each call that is being cancelled.
func (r *rows) noteUnaddressed(now, began time.Time, stray cancel.Stray, entry Seq) {
	u := &r.unaddressed
	u.all.Add(now, began, stray)
	stray.In = &u.all
	if u.stale {
		u.stale = false
		for c := r.oldest; c != nil; c = c.next {
			if c.state == Cancelling && !c.stop.IsCountedIn() {
				u.told = append(u.told, c)
			}
		}
	}
	u.told = slices.DeleteFunc(u.told, func(c *call) bool {
		r.noteStray(c, now, began, stray, entry)
		return c.stop.HasAnswer() || c.stop.IsCountedIn()
	})
}

// strayMoment is a stray in the timeline of a call.
func strayMoment(stray cancel.Stray, entry Seq) MomentView {
	text := stray.What + " came"
	if stray.Detail != "" {
		text += ": " + stray.Detail
	}
	return MomentView{Dir: In, Kind: MomNote, Text: text, Entry: entry}
}

// takeWithdrawal takes the withdrawal of a question as evidence of each cancelled call that
// may have asked it.
func (l *log) takeWithdrawal(in *serverRequest, reason string) {
	word := cancel.Stray{What: "the withdrawal of " + sentence.Name(in.method), Detail: reasonWords(reason), Is: cancel.Withdrawal}
	asked, several := slices.Concat(in.cancelledBefore, in.cancelledOwners), in.several || len(in.cancelledBefore) > 0
	if in.stopped != nil {
		asked, several = []*call{in.stopped}, false
	}
	if several {
		word.What, word.Is = "the withdrawal of a question of this call or of another ("+sentence.Name(in.method)+")", cancel.DoubtfulWithdrawal
	}
	for _, c := range asked {
		if c.isStopped() {
			if !several {
				l.hist.setCall(c.id)
			}
			l.rows.noteStray(c, l.now, l.began, word, l.hist.cur)
		}
	}
}
