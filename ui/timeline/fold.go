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
		if p.leadsToProbe(i) {
			continue
		}
		if !probed(mo.Kind) {
			p.folded(&f)
		}
		p.moment(mo, i)
	}
	p.folded(&f)
}

// leadsToProbe reports whether a moment is the end of the grace, which the line of the probe
// at its end says as well.
func (p *picture) leadsToProbe(i int) bool {
	all := p.c.Timeline
	return all[i].Kind == session.MomGrace && all[i].Text == "" && i+1 < len(all) && all[i+1].Kind == session.MomProbe && all[i+1].At.Equal(all[i].At)
}

// probed reports whether a moment is what came of the probe. The line of the messages that came
// meanwhile follows it, with those that come next: two such lines say no more than one.
func probed(k session.MomentKind) bool {
	return k == session.MomProbeAnswer || k == session.MomProbeLate
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
