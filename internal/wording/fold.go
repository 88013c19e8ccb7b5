package wording

import (
	"time"

	"belay/session"
	"belay/session/cancel"
)

// runMost is how many messages of a kind are told one by one while nothing else happens.
// Of more than that the first and the last tell as much.
const runMost = 3

// kindOf is what messages of a run have in common.
type kindOf struct {
	is   session.MomentKind
	text string
}

// runs is the kind of a message that comes again and again, and false of the others.
func runs(mo session.MomentView) (k kindOf, often bool) {
	switch mo.Kind {
	case session.MomProgress, session.MomLog:
		return kindOf{is: mo.Kind}, true
	case session.MomAfter, session.MomUpdate, session.MomTask:
		return kindOf{mo.Kind, mo.Text}, true
	default:
		return kindOf{}, false
	}
}

// probes reports whether a moment is belay's own asking after a cancel, and what came of that:
// a run of messages goes on beside it.
func probes(k session.MomentKind) bool {
	switch k {
	case session.MomGrace, session.MomProbe, session.MomProbeAnswer, session.MomProbeLate:
		return true
	default:
		return false
	}
}

// Told says of each moment of a timeline whether it is told by itself. As long as nothing
// comes but messages that come again and again, the first and the last of each kind are,
// and where there are a few, all of them.
func Told(all []session.MomentView) []bool {
	told := make([]bool, len(all))
	for i := 0; i < len(all); {
		n, count, seen := 0, map[kindOf]int{}, map[kindOf]int{}
		for ; i+n < len(all); n++ {
			k, often := runs(all[i+n])
			if often {
				count[k]++
			} else if !probes(all[i+n].Kind) {
				break
			}
		}
		for at := i; at < i+n; at++ {
			k, often := runs(all[at])
			if !often {
				told[at] = true
				continue
			}
			seen[k]++
			told[at] = count[k] <= runMost || seen[k] == 1 || seen[k] == count[k]
		}
		if i += n; i < len(all) {
			told[i] = true
			i++
		}
	}
	return told
}

// atOnce is a delay that is not worth a line of its own.
const atOnce = 100 * time.Millisecond

// Stops reports whether a moment is the cancel of a call, or the wish for it.
func Stops(k session.MomentKind) bool {
	switch k {
	case session.MomCancelWanted, session.MomCancelSent, session.MomClosing, session.MomUnsubscribe, session.MomTaskCancel:
		return true
	default:
		return false
	}
}

// IsTrivial reports whether a moment of a timeline says what the moments around it say already.
func IsTrivial(d *session.Detail, i int) bool {
	mo := &d.Timeline[i]
	switch mo.Kind {
	case session.MomCreated:
		return !d.Sent.IsZero() && d.Sent.Sub(d.Created) < atOnce
	case session.MomCancelWanted:
		if d.Initiator != cancel.ByUser || i+1 == len(d.Timeline) {
			return false
		}
		next := &d.Timeline[i+1]
		return Stops(next.Kind) && next.At.Sub(mo.At) < atOnce
	default:
		return false
	}
}
