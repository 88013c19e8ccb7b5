package wording

import (
	"strings"

	"belay/internal/safe"
	"belay/session"
)

// Line is a line of the sequence of a call: a moment of its timeline, or what is not told by
// itself.
type Line struct {
	Moment int // its place in the timeline, or that of the latest one that is folded
	Text   safe.Text
	Folded int // messages that the line stands for; 0: it is that of a moment
}

// Sequence is the timeline of a call, line by line, for whoever draws it. Told says which moments
// are told by themselves, as [Told] does: a line in their place counts the others. What the
// moments around it say already has no line.
func Sequence(d *session.Detail, told []bool) (lines []Line) {
	var f folded
	fold := func() {
		if text := f.words(); text != "" {
			lines = append(lines, Line{f.latest, text, f.n + f.skipped})
		}
		f = folded{}
	}
	for i := range d.Timeline {
		mo := &d.Timeline[i]
		if f.skipped += mo.Skipped; mo.Skipped > 0 {
			f.latest = i
		}
		if !told[i] {
			f.add(i, mo)
			continue
		}
		text := Moment(d, *mo)
		if text == "" || IsTrivial(d, i) || leadsToProbe(d.Timeline, i) {
			continue
		}
		if mo.Kind == session.MomProbe && !d.EndedEarly {
			text += " after the grace"
		}
		if !isProbed(mo.Kind) {
			fold()
		}
		lines = append(lines, Line{Moment: i, Text: text})
	}
	fold()
	return lines
}

// leadsToProbe reports whether a moment is the end of the grace, which the line of the probe
// at its end says as well.
func leadsToProbe(all []session.MomentView, i int) bool {
	return all[i].Kind == session.MomGrace && all[i].Text == "" && i+1 < len(all) && all[i+1].Kind == session.MomProbe && all[i+1].At.Equal(all[i].At)
}

// isProbed reports whether a moment is what came of the probe. The line of the messages that came
// meanwhile follows it, with those that come next: two such lines say no more than one.
func isProbed(k session.MomentKind) bool {
	return k == session.MomProbeAnswer || k == session.MomProbeLate
}

// folded are messages that a line stands for.
type folded struct {
	n       int
	numbers extent
	skipped int // moments among them that are not kept
	latest  int // the place of the latest one
}

func (f *folded) add(i int, mo *session.MomentView) {
	f.n += max(1, mo.Count)
	f.latest = i
	numbers, _, _ := strings.Cut(mo.Value, " ")
	if mo.Kind == session.MomProgress {
		numbers, _, _ = strings.Cut(mo.Text, " ")
		for more := range strings.FieldsSeq(mo.Value) {
			f.numbers.add(more)
		}
	}
	f.numbers.add(numbers)
}

// words are the line of messages that are not told, if there are some.
func (f *folded) words() (text safe.Text) {
	if f.n > 0 {
		text = Thousands(f.n) + " more of these"
	}
	text += f.numbers.words()
	switch {
	case f.skipped > 0 && f.n > 0:
		text += " · " + Thousands(f.skipped) + " not kept"
	case f.skipped > 0:
		text = Count(f.skipped, "moment") + " in between are not kept"
	}
	return text
}
