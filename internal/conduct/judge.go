package conduct

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Seen is what a client said about a call.
type Seen struct {
	Verdict  string // the word; Done: none
	Evidence string
	Timeline string
	Core     string // what else only the core tells; empty: it was not asked
	Stamps   Stamps
	Grace    time.Duration // how long an answer was awaited
	Exact    bool          // the clock was a fake one: nothing took longer than it should
}

// String is all that was seen.
func (s Seen) String() string { return s.Verdict + "\n" + s.Timeline + "\n" + s.Evidence }

// mostLate is what a late answer may be called as long as it may have been on its
// way: the bound is never longer than this.
const mostLate = 2 * time.Second

// Judge says what is not true in what was seen.
func (c Conduct) Judge(s Seen) (wrong []string) {
	allowed, strict := c.allowed(s)
	if !slices.Contains(allowed, s.Verdict) {
		wrong = append(wrong, fmt.Sprintf("%q is not %s (the answer was begun %v after the cancel could be read)",
			s.Verdict, strings.Join(allowed, " or "), s.Stamps.Lateness().Round(time.Millisecond)))
	}
	if !strict {
		return wrong
	}
	type demand struct {
		patterns []string
		of, text string
		has      bool
	}
	demands := []demand{
		{c.Want.Has, "the evidence", s.Evidence, true},
		{c.Want.Lacks, "the evidence", s.Evidence, false},
		{c.Want.Lacks, "the timeline", s.Timeline, false},
	}
	if s.Core != "" {
		demands = append(demands, demand{c.Want.Core, "the core", s.Core, true})
	} else {
		demands = append(demands, demand{c.Want.Drawn, "the timeline", s.Timeline, true})
	}
	for _, d := range demands {
		for _, p := range d.patterns {
			switch has := regexp.MustCompile(p).MatchString(d.text); {
			case d.has && !has:
				wrong = append(wrong, fmt.Sprintf("%s does not say %q", d.of, p))
			case !d.has && has:
				wrong = append(wrong, fmt.Sprintf("%s says %q", d.of, p))
			}
		}
	}
	return wrong
}

// allowed are the verdicts that are true, by the stamps, and whether the rest of
// what is wanted holds then.
func (c Conduct) allowed(s Seen) (words []string, strict bool) {
	switch {
	case c.Want.Crossing && !s.Stamps.IsCrossing(), c.Want.Near && !s.Exact:
		words = []string{AnsweredLate, AnsweredError, SaysCancelled}
		if s.Stamps.Lateness() < mostLate {
			words = append(words, Crossed)
		}
		return words, false
	case c.Want.OnItsWay && !s.Stamps.WereOnTheirWay():
		return append([]string{StillWorking}, c.Want.Verdict...), false
	case !s.Exact && s.hasGoneOn():
		return append([]string{StillWorking}, c.Want.Verdict...), false
	case !s.Exact && s.wasSlow():
		return append([]string{Quiet, Crossed, AnsweredLate}, c.Want.Verdict...), false
	}
	return c.Want.Verdict, true
}

// hasGoneOn reports whether a slow machine has made work of a few messages: by the server's stamps the
// last of them was written so long after the cancel that most of the grace was over.
func (s Seen) hasGoneOn() bool {
	return s.Verdict == StillWorking && !s.Stamps.CancelDue.IsZero() && s.Stamps.Message.Sub(s.Stamps.CancelDue) > s.Grace/2
}

// wasSlow reports whether a slow machine has made another thing of a late answer: it
// came when it was awaited no longer, or the round trips took so long that it may
// have been on its way for longer than it was late for the client, which knew later than
// the server that the cancel was written. Or an answer that was begun after the cancel could be read,
// and soon enough to have been on its way, was read so much later that it cannot have been.
func (s Seen) wasSlow() bool {
	m := bound.FindStringSubmatch(s.Evidence)
	switch {
	case s.Verdict == Quiet:
		return s.Stamps.Lateness() > s.Grace*3/4
	case m == nil || s.Verdict != Crossed && s.Verdict != AnsweredLate:
		return false
	}
	most, err := time.ParseDuration(m[1] + m[2])
	late := s.Stamps.AtLeast()
	return err == nil && most <= mostLate && late > 0 && late < most
}

var bound = regexp.MustCompile(`on its way for (?:up to )?([0-9.]+) ?(µs|ms|s)`)

// MayGrow reports whether a verdict is the one of an answer whose end had not come with
// the grace, on a machine so slow that it was not to be written or read in time: its end,
// which the script has written by its stamps, makes another verdict of it.
func (c Conduct) MayGrow(s Stamps, verdict string) bool {
	return !s.Answer.IsZero() && verdict == NothingHeard && !slices.Contains(c.Want.Verdict, NothingHeard)
}

// WasToldLate reports whether what was on its way when the cancel could be read was
// told as something that was written after it.
func (c Conduct) WasToldLate(s Seen) bool {
	if c.Want.OnItsWay && s.Stamps.WereOnTheirWay() {
		return s.Verdict == StillWorking
	}
	return s.Stamps.IsCrossing() && slices.Contains([]string{AnsweredLate, AnsweredError, SaysCancelled}, s.Verdict)
}

// Tally counts the verdicts of many runs of many conducts.
type Tally struct {
	rows  []string
	count map[string]map[string]int
	wrong map[string][]string
	runs  map[string]int
}

// Add counts a run.
func (t *Tally) Add(row, verdict string, wrong []string) {
	if t.count == nil {
		t.count, t.wrong, t.runs = map[string]map[string]int{}, map[string][]string{}, map[string]int{}
	}
	if t.count[row] == nil {
		t.rows = append(t.rows, row)
		t.count[row] = map[string]int{}
	}
	t.count[row][verdict]++
	t.runs[row]++
	t.wrong[row] = append(t.wrong[row], wrong...)
}

// String returns the table: a line for each conduct with its verdicts and their
// counts. A wrong line is marked and followed by the fault.
func (t *Tally) String() string {
	var b strings.Builder
	bad := 0
	for _, row := range t.rows {
		mark := "ok  "
		if len(t.wrong[row]) > 0 {
			mark = "BAD "
			bad++
		}
		var words []string
		for word, n := range t.count[row] {
			words = append(words, fmt.Sprintf("%s %d", word, n))
		}
		slices.Sort(words)
		fmt.Fprintf(&b, "%s %-105s %s\n", mark, row, strings.Join(words, ", "))
		counts := map[string]int{}
		for _, w := range t.wrong[row] {
			counts[w]++
		}
		for _, w := range slices.Compact(slices.Sorted(slices.Values(t.wrong[row]))) {
			fmt.Fprintf(&b, "         %d× %s\n", counts[w], w)
		}
	}
	fmt.Fprintf(&b, "%d of %d conducts are told wrong in at least one of their runs\n", bad, len(t.rows))
	return b.String()
}
