package cancel

import "time"

// Stray is a message that is no silence, and that belay cannot take as an answer: it may be
// meant as one, such as a line that is no JSON, or an answer that names no request, or names
// one by a string. Only such an [Unclear] one breaks a silence: questions, and their withdrawals, which a
// server that stops owes, are told in the evidence, and no verdict stands on them.
type Stray struct {
	What   string // such as "something that is not JSON"
	Detail string // foreign text, in quotes where it is free; empty: there is none
	Is     StrayKind
	In     *Unaddressed // which has counted it; nil: it names the call, or came on its exchange
}

// StrayKind tells strays apart by what they say of the call.
type StrayKind uint8

// The kinds of strays. No verdict stands on any but the first.
const (
	Unclear            StrayKind = iota // it may be meant as the answer
	Withdrawal                          // it takes back what the call asked of the user
	CrossingQuestion                    // the call asks the user, and may have done so before the server read the cancel
	DoubtfulQuestion                    // the call asks the user, or another call does
	DoubtfulWithdrawal                  // what is taken back was asked by the call, or by another
	strayKinds
)

// strayWords are what many strays of a kind are.
var strayWords = [strayKinds]string{
	Unclear:          "messages after the cancel that belay cannot take as its answer",
	Withdrawal:       "withdrawals of what it had asked",
	CrossingQuestion: "questions of the call that may have been on their way",
	DoubtfulQuestion: "questions of this call or of another",

	DoubtfulWithdrawal: "withdrawals of questions of this call or of another",
}

// maxStrays is how many strays of each kind an attempt keeps by themselves, the first ones.
// The others are counted.
const maxStrays = 3

// strays are those that came since the cancel left.
type strays struct {
	first   []strayed
	count   int
	last    strayed
	bounded bool // those that name no call were counted up to an end
}

// strayed is a stray with its times.
type strayed struct {
	Stray
	at, began time.Time // its end and its first byte
}

// Strayed notes a stray whose first byte came at a time and whose end comes now. It
// reports whether the evidence has a line for the stray, as for the first ones. If all that is left to
// do with one that is unaddressed is to count it, the next ones are counted for the attempt there, and
// need not be told: see [Attempt.IsCountedIn].
func (a *Attempt) Strayed(now, began time.Time, what Stray) bool {
	if a.HasAnswer() {
		return false
	}
	a.takeUnaddressed()
	in := what.In
	what.In = nil
	hasLine := a.allStrays.note().kinds[what.Is].add(strayed{what, now, began})
	if in != nil {
		a.countIn(in, now)
	}
	return hasLine
}

// allStrays are the strays of an attempt.
type allStrays struct{ rare[straysByKind] }

// straysByKind are those that the attempt has itself, and those that are counted for it elsewhere.
type straysByKind struct {
	kinds [strayKinds]strays
	unaddressedStrays
}

// WithdrewAt is when the server last took back, after the cancel, what the call had asked of
// the user, and how many questions it took back; zero: none.
func (s *allStrays) WithdrewAt() (at time.Time, count int) {
	if !s.isNoted() {
		return time.Time{}, 0
	}
	w := s.value().kinds[Withdrawal]
	return w.last.at, w.count
}

// QuestionCounts counts the questions that came since the cancel was wanted: those of the call's that may have been on
// their way, and those that are the call's or another's.
func (s *allStrays) QuestionCounts() (crossing, doubtful int) {
	all := s.value().kinds
	return all[CrossingQuestion].count, all[DoubtfulQuestion].count
}

// DoubtfulWithdrawals counts the questions that were taken back since the cancel left, of which it is not known whether
// the call had asked them.
func (s *allStrays) DoubtfulWithdrawals() int { return s.value().kinds[DoubtfulWithdrawal].count }

// leftAt notes when the cancel left: only strays since then count, but the questions, which may have
// been on their way.
func (s *allStrays) leftAt(at time.Time) {
	if s.EndCount(); s.isNoted() {
		all := &s.note().kinds
		all[Unclear].dropBefore(at)
		all[Withdrawal].dropBefore(at)
		all[DoubtfulWithdrawal].dropBefore(at)
	}
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

// dropBefore leaves the strays that came to their end at a time or later. Of those that were
// only counted the last one is known.
func (s *strays) dropBefore(at time.Time) {
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

// HasStrayed reports whether something came after the cancel that may be meant as the answer.
func (a *Attempt) HasStrayed() bool {
	return !a.writtenAt.IsZero() && a.allStrays.isNoted() && a.allStrays.value().kinds[Unclear].count > 0
}

// evidence adds those that came. Counted is since when others are being counted elsewhere; zero: none are.
func (s *strays) evidence(l *list, isAfter func(time.Time) bool, what string, counted time.Time) {
	for _, one := range s.first {
		l.add(one.at, "%s", one.words(isAfter(one.began)))
	}
	switch {
	case !counted.IsZero():
		l.add(counted, "more %s came from here on: how many is told with the verdict", what)
	case s.count > len(s.first) && s.bounded:
		l.add(s.last.at, "last of %d %s; later ones that name no call are not counted", s.count, what)
	case s.count > len(s.first):
		l.add(s.last.at, "last of %d %s", s.count, what)
	}
}

func (s strayed) words(isAfter bool) string {
	text := s.What + " came after the cancel"
	switch {
	case isAfter:
	case s.Is == CrossingQuestion, s.Is == DoubtfulQuestion, s.Is == DoubtfulWithdrawal:
		text = s.What + " came, begun before the cancel was written"
	default:
		text = s.What + ", begun before the cancel was written, ended after it"
	}
	if s.Detail != "" {
		text += ": " + s.Detail
	}
	return text
}
