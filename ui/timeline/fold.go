package timeline

import (
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
)

// moments draws the timeline, and a line for the messages that are not told by
// themselves.
func (p *picture) moments() {
	var f folded
	for i, told := range wording.Told(p.c.Timeline) {
		mo := p.c.Timeline[i]
		f.skipped += mo.Skipped
		if !told {
			f.add(mo)
			continue
		}
		p.folded(&f)
		p.moment(mo, i)
	}
	p.folded(&f)
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
