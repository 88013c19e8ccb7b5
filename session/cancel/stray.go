package cancel

import "time"

// Stray is a message that is no silence, and that belay cannot take as an answer: it may be
// meant as one, such as a line that is no JSON, an answer that names no request, or names
// one by a string, or it is a plain word about the call that is none, such as the
// withdrawal of its question.
type Stray struct {
	What   string // such as "something that is not JSON"
	Detail string // foreign text, in quotes where it is free; empty: there is none
}

// maxStrays is how many strays of one attempt are kept by themselves, the first ones.
// The others are counted.
const maxStrays = 3

// strays are those that came since the cancel left.
type strays struct {
	first []strayed
	count int
	last  strayed
}

// strayed is a stray with its times.
type strayed struct {
	Stray
	at, began time.Time // its end and its first byte
}

// Strayed notes a stray whose first byte came at a time and whose end comes now. It
// reports whether the evidence has a line for the stray, as for the first ones.
func (a *Attempt) Strayed(now, began time.Time, what Stray) bool {
	if a.HasAnswer() {
		return false
	}
	return a.strays.add(strayed{what, now, began})
}

func (s *strays) add(one strayed) bool {
	s.count++
	s.last = one
	if len(s.first) == maxStrays {
		return false
	}
	s.first = append(s.first, one)
	return true
}

// since leaves the strays that came to their end at a time or later. Of those that were
// only counted the last one is known.
func (s *strays) since(at time.Time) {
	old := *s
	*s = strays{}
	if old.last.at.Before(at) {
		return
	}
	for _, one := range old.first {
		if !one.at.Before(at) {
			s.add(one)
		}
	}
	if old.count > len(old.first) {
		s.add(old.last)
		s.count = max(s.count, old.count-len(old.first))
	}
}

// HasStrayed reports whether a stray came after the cancel.
func (a *Attempt) HasStrayed() bool { return !a.writtenAt.IsZero() && a.strays.count > 0 }

// isUnclear reports whether bytes came after the cancel that do not tell what the server
// did: strays, or a message whose end has not come. They are no answer, and no silence.
func (a *Attempt) isUnclear() bool {
	return a.HasStrayed() || a.part.size > 0 && a.Lag(a.part.at) > 0
}

// strayEvidence is what came and could not be taken as the answer.
func (a *Attempt) strayEvidence(l *list) {
	if !a.HasStrayed() {
		return
	}
	for _, one := range a.strays.first {
		l.add(one.at, "%s", one.words(a))
	}
	if n := a.strays.count; n > len(a.strays.first) {
		l.add(a.strays.last.at, "last of %d messages after the cancel that belay cannot take as its answer", n)
	}
}

func (s strayed) words(a *Attempt) string {
	text := s.What + " came after the cancel"
	if !a.IsAfter(s.began) {
		text = s.What + ", begun before the cancel was written, came to its end after it"
	}
	if s.Detail != "" {
		text += ": " + s.Detail
	}
	return text
}
