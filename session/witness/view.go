package witness

import (
	"cmp"
	"slices"
	"time"
)

// View is a copy of what is shown of an account.
type View struct {
	Before, At, After *Totals       // of all processes of the server; nil: there was no sample
	BeforeAge         time.Duration // from the sample whose figures Before are to the call: that may have been long before
	Start             *Totals       // the sample from which the use of CPU in the call counts, as it began; nil: there was none
	AtSince           time.Duration // from the cancel to the sample whose figures At are; negative: so long before it
	Since             time.Duration // from the cancel to the latest sample, or the last one before another call: After
	Next              bool          // another call was sent within [Follow], after this one had ended: what was used since is none of After
	Busy              time.Duration // from the cancel to the last sample before which CPU was used as for work, and before another call; 0: none was seen to be
	Follows           bool          // there is more to come
	Awaits            bool          // the sample on which the finding stands is still to come
	Every, EveryWide  time.Duration // the intervals of the samples
	Processes         []ProcessView // that began during the call, oldest first; of one that is Shared, before the other calls were sent
	Gone              int           // … and how many have ended that are not among them
	Opened, Open      int           // connections that were opened during the call, and those of them that were open then
	OpenedEarlier     int           // those of the first that may have been opened before the call, while nobody counted
	OpenSince         time.Duration // from the cancel to when they were counted; negative: so long before it
	MoreOpened        bool          // there may have been more connections
	Shared            bool          // other calls were in flight: what is whose from then on cannot be told
	Finding           Finding
	Blind             bool     // there were more processes than belay looks at: as many began at least, and have ended
	Lacks             []string // what cannot be seen here; foreign text, where it was read from a recording
}

// ProcessView is a process that began during a call.
type ProcessView struct {
	PID   int
	Name  string        // its command line, masked and cut, or its name; foreign text
	Began time.Duration // since the call's request left
	Lives bool
	Age   time.Duration // when it ended; of one that lives, or is Unseen, when it was seen last
	Ended time.Duration // since the cancel, negative before it; of one that does not live
	Seen  time.Duration // the same of when it was seen alive for the last time

	Later  bool // it began after the sample on which the finding stands
	Unseen bool // nobody looked for long before it was found gone, or since the cancel: it ended at some time between Seen and Ended
}

// View is what is shown of an account; nil where nothing was seen after a cancel.
func (a *Account) View() *View {
	if a == nil || a.after == nil || a.closed && a.nextAt == nil { // the first sample came when another call had begun
		return nil
	}
	after := cmp.Or(a.nextAt, a.after)
	v := &View{
		Before: a.before, Start: a.start, At: a.at, After: after, Since: after.At.Sub(a.cancelled), Next: a.nextAt != nil && a.nextAt.At.Before(a.cancelled.Add(Follow)), Busy: time.Duration(a.busy) * time.Millisecond, Every: after.every, EveryWide: after.everyWide,
		Follows: !a.unseen && a.after.At.Before(a.cancelled.Add(Follow)),
		Shared:  a.isShared(), Blind: a.blind, Lacks: slices.Clone(after.lacks),
		Gone: a.passed().all, Opened: int(a.opened), OpenedEarlier: int(a.openedEarlier), Open: int(a.openThen), OpenSince: after.At.Add(-after.CountedFor()).Sub(a.cancelled), MoreOpened: a.moreOpened,
		Finding: a.Finding(), Awaits: a.Awaits(),
	}
	if a.before != nil {
		v.BeforeAge = a.began.Sub(a.before.At)
	}
	if a.at != nil {
		v.AtSince = a.at.At.Sub(a.cancelled)
	}
	for _, p := range a.procs {
		if !a.isOwn(p) {
			continue
		}
		seen := ProcessView{PID: p.PID, Name: p.called(), Began: max(0, p.began.Sub(a.began)), Lives: p.ended.IsZero()}
		if judged := a.judged(); judged != nil {
			seen.Later = p.began.After(judged.Until)
		}
		last := p.ended
		if seen.Lives {
			last = after.At
		} else {
			seen.Ended, seen.Seen, seen.Unseen = p.ended.Sub(a.cancelled), p.seen.Sub(a.cancelled), a.isEndUnsure(p)
			if seen.Ended == 0 { // of which nobody knew yet when it was found gone
				seen.Ended = -shortly
			}
		}
		if seen.Unseen {
			last = p.seen
		}
		seen.Age = max(0, last.Sub(p.began))
		v.Processes = append(v.Processes, seen)
	}
	return v
}
