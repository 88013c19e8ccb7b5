package cancel

import "time"

// Unaddressed counts the strays of a connection that name no call, and came on the exchange of
// none: each may be meant for any call that is being cancelled. An attempt has the first of them
// itself, and the others are counted here, once for all attempts: a flood of such messages is to
// cost no more with a thousand calls that are being cancelled than with one.
//
// Its zero value has counted none.
type Unaddressed struct {
	count int
	last  strayed
}

// Add counts a stray whose first byte came at a time and whose end comes now. The attempts that
// have such strays themselves are told of it behind that, with [Attempt.Strayed].
func (u *Unaddressed) Add(now, began time.Time, what Stray) {
	u.count++
	u.last = strayed{what, now, began}
}

// unaddressedStrays are the strays of an attempt that are counted elsewhere.
type unaddressedStrays struct {
	in    *Unaddressed // nil: the attempt is told of each
	from  time.Time    // when the last one came of which it was told
	taken int          // how many of all that were counted there the attempt has itself, or does not concern it
}

// countIn has the strays that are unaddressed, from the next one on, be counted for the attempt in
// u, which has counted the one of now, if all that the attempt would do is count them. The evidence
// has their number when the counting ends: with [Attempt.EndCount], with the answer, and with what
// makes the first strays of an attempt others, which are [Attempt.Written] and [Attempt.BeginAgain].
func (s *allStrays) countIn(u *Unaddressed, now time.Time) {
	if all := s.note(); len(all.kinds[Unclear].first) == maxStrays && all.kinds[Unclear].count > maxStrays {
		all.unaddressedStrays = unaddressedStrays{in: u, from: now, taken: u.count}
	}
}

// IsCountedIn reports whether such strays are counted for the attempt elsewhere.
func (s *allStrays) IsCountedIn() bool { return s.isNoted() && s.value().in != nil }

// EndCount notes that what is unaddressed concerns the call no longer, or that the attempt is
// told of each again.
func (s *allStrays) EndCount() {
	if s.takeUnaddressed(); s.IsCountedIn() {
		s.note().unaddressedStrays = unaddressedStrays{}
		s.note().kinds[Unclear].bounded = true
	}
}

// takeUnaddressed takes over what was counted elsewhere.
func (s *allStrays) takeUnaddressed() {
	if !s.IsCountedIn() {
		return
	}
	all := s.note()
	if more := all.in.count - all.taken; more > 0 {
		all.kinds[Unclear].count += more
		all.kinds[Unclear].last = all.in.last
		all.taken = all.in.count
	}
}
