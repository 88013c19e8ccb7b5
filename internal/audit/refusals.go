package audit

import (
	"math"
	"slices"
)

// AtOnce is how many calls at once all end with a result where none is cancelled. A server may refuse
// more of them by errors, without any delay: fewer then show what a cancel does to others. It is 0 where
// a call beside others failed otherwise, so that any call may.
func (o *Observed) AtOnce() int {
	fails := func(c Call) bool { return c.Answer != Result }
	refused := func(c Call) bool {
		return c.Answer == Result || (c.Answer == ToolError || c.Answer == Failure) && c.Ran < o.Took/4
	}
	switch {
	case !slices.ContainsFunc(o.Together, fails):
		return math.MaxInt
	case slices.ContainsFunc(slices.Concat(o.Together, o.Pair), func(c Call) bool { return !refused(c) }):
		return 0
	case len(o.Pair) > 0 && !slices.ContainsFunc(o.Pair, fails):
		return len(o.Pair)
	}
	return 1
}

// refuses says how calls at once end that are left alone, where not all of so many do with a result;
// empty: they do.
func (o *Observed) refuses(atOnce int) string {
	if atOnce <= o.AtOnce() {
		return ""
	}
	for _, c := range slices.Concat(o.Pair, o.Together) {
		if c.Answer != Result {
			return "calls at once do not all end with a result, even where none is cancelled: one was " + c.Ending()
		}
	}
	return ""
}

// atOnce is how many calls of a trial were in flight at its cancel.
func (t *Trial) atOnce() int {
	n := len(t.Cancelled) + len(t.Others)
	if t.Situation == Twice { // beside the call of the cancel
		n++
	}
	return n
}
