package timeline

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
)

// runMost is how many messages of a kind are drawn one by one while nothing else happens.
// Of more than that the first and the last tell as much.
const runMost = 3

// kind is what messages of a run have in common.
type kind struct {
	is   session.MomentKind
	text string
}

// kindOf is the kind of a message that comes again and again, and false of the others.
func kindOf(mo session.MomentView) (k kind, often bool) {
	switch mo.Kind {
	case session.MomProgress, session.MomLog:
		return kind{is: mo.Kind}, true
	case session.MomAfter, session.MomUpdate:
		return kind{mo.Kind, mo.Text}, true
	default:
		return kind{}, false
	}
}

// run draws the moments from i on as long as nothing but messages comes that come again
// and again, or else one moment, and returns how many moments that were. Of more than a
// few messages of a kind the first and the last are drawn.
func (p *picture) run(i int) (n int) {
	all := p.c.Timeline[i:]
	count, drawn := map[kind]int{}, map[kind]int{}
	for n < len(all) {
		k, often := kindOf(all[n])
		if !often {
			break
		}
		count[k]++
		n++
	}
	if n == 0 {
		p.folded(&folded{skipped: all[0].Skipped})
		p.moment(all[0], i)
		return 1
	}
	var f folded
	for at, mo := range all[:n] {
		f.skipped += mo.Skipped
		k, _ := kindOf(mo)
		drawn[k]++
		if count[k] > runMost && drawn[k] > 1 && drawn[k] < count[k] {
			f.add(mo)
			continue
		}
		p.folded(&f)
		p.moment(mo, i+at)
	}
	p.folded(&f)
	return n
}

// folded are messages that a line stands for.
type folded struct {
	n           int
	first, last string // their numbers, where they have some
	skipped     int    // moments among them that are not kept
}

func (f *folded) add(mo session.MomentView) {
	f.n += max(1, mo.Count)
	value := mo.Value
	if mo.Kind == session.MomProgress {
		value = mo.Text
	}
	number, _, _ := strings.Cut(value, " ")
	if number == "" {
		return
	}
	if f.first == "" {
		f.first = number
	}
	f.last = number
}

// folded draws the line of messages that are not drawn, if there are some.
func (p *picture) folded(f *folded) {
	var text safe.Text
	if f.n > 0 {
		text = wording.Thousands(f.n) + " more of these"
	}
	if f.first != "" {
		text += ", " + safe.LineN(f.first, 40)
	}
	if f.last != f.first {
		text += " to " + safe.LineN(f.last, 40)
	}
	switch {
	case f.skipped > 0 && f.n > 0:
		text += " · " + wording.Thousands(f.skipped) + " not kept"
	case f.skipped > 0:
		text = wording.Count(f.skipped, "moment") + " in between are not kept"
	case f.n == 0:
		return
	}
	p.remark(text)
	*f = folded{}
}
