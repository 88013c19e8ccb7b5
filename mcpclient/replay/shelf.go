package replay

import "slices"

// A step back is to a place that a session has left. So on the way to a line copies of
// the playing are kept at these distances before it: the next steps back begin with the
// nearest one, and those that follow leave others behind.
var distances = []int64{1 << 10, 1 << 13, 1 << 16, 1 << 19}

// spacing is how many lines apart copies are kept on the way to a place whose line is not known before
// it is there, as that of a time or of a call, and while it is played at its pace: a step back from
// there begins with one of them.
var spacing int64 = 1 << 16

// endings are how many bytes before the end of the file copies are kept on the way there: how many
// lines lie before it is not known either. To make them takes longer than to play what is short.
var endings = []int64{1 << 19, 1 << 24}

// shelfMost bounds the copies that are kept. Messages that several of them have are in
// memory once.
const shelfMost = 5

// shelf is where copies of a playing are kept, in the order of their lines.
type shelf struct {
	kept    []*playback
	spare   *playback // a copy of a copy; nil: there is none
	spareOf *playback
}

// prepare makes the copy that goes on to a goal before it is asked for.
func (s *shelf) prepare(g goal) {
	if kept := s.nearest(g); kept != s.spareOf {
		s.spare, s.spareOf = nil, kept
		if kept != nil {
			s.spare, _ = kept.copied()
		}
	}
}

// take is a copy of one that is kept.
func (s *shelf) take(kept *playback) (*playback, bool) {
	if made := s.spare; made != nil && s.spareOf == kept {
		s.spare, s.spareOf = nil, nil
		return made, true
	}
	return kept.copied()
}

// nearest is the copy from which a goal is reached soonest; nil: the beginning is it.
func (s *shelf) nearest(g goal) (found *playback) {
	for _, r := range s.kept {
		if r.leadsTo(g) {
			found = r
		}
	}
	return found
}

// leadsTo reports whether a goal, which is a line or a time, lies where a playing is, or
// after that.
func (r *playback) leadsTo(g goal) bool {
	return g.line > 0 && r.line <= g.line || g.until >= 0 && r.at <= g.until
}

// isCopied reports whether a copy is wanted of a playing that is on its way to a goal, in a file of a
// size. The end of a file that is followed is reached again and again.
func (g goal) isCopied(r *playback, size int64) bool {
	switch {
	case g.line > 0:
		return slices.Contains(distances, g.line-r.line)
	case g.isEnd():
		return r.isNearEnd(size) || r.follow && r.isSpaced() && size-r.off < endings[len(endings)-1]
	}
	return r.isSpaced()
}

// isEnd reports whether a goal is the end of the file, or what follows.
func (g goal) isEnd() bool {
	return g.line == 0 && g.until < 0 && g.call == "" && !g.rise && g.next == [numMarks]bool{}
}

func (r *playback) isSpaced() bool { return r.line%spacing == 0 }

// isNearEnd reports whether the line that was played last has brought a playing within one of the
// endings.
func (r *playback) isNearEnd(size int64) bool {
	return slices.ContainsFunc(endings, func(left int64) bool { return r.from < size-left && size-left <= r.off })
}

// keep keeps a copy of a playing on its way to a goal. Others may read its session meanwhile.
func (s *shelf) keep(r *playback, g goal) {
	at, is := slices.BinarySearchFunc(s.kept, r.line, func(k *playback, line int64) int { return int(k.line - line) })
	if is {
		return
	}
	if kept, ok := r.copied(); ok {
		s.kept = slices.Insert(s.kept, at, kept)
	}
	if len(s.kept) > shelfMost {
		s.thin(max(g.line, r.line+1))
	}
}

// thin lets go of the copy that others replace best on the ways to lines before a goal.
func (s *shelf) thin(goal int64) {
	worst, least := 0, -1.0
	for i, r := range s.kept {
		before, after := int64(0), goal
		if i > 0 {
			before = s.kept[i-1].line
		}
		if i+1 < len(s.kept) {
			after = s.kept[i+1].line
		}
		gain := float64(after-before) / float64(max(1, goal-r.line))
		if r.line >= goal {
			gain = 0
		}
		if least < 0 || gain < least {
			worst, least = i, gain
		}
	}
	s.kept = slices.Delete(s.kept, worst, worst+1)
}
