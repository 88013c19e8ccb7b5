package audit

import (
	"fmt"
	"strings"
)

// Report is what an audit came to.
type Report struct {
	Observed *Observed
	Lines    []Line
}

// FailOn is the level from which on a failure is the failure of an audit.
type FailOn uint8

// The levels. Each has those before it.
const (
	OnMust FailOn = iota
	OnShould
	OnUnseen // also what could not be seen
)

var failOnWords = [...]string{"must", "should", "unseen"}

func (f FailOn) String() string { return failOnWords[f] }

// FailOnNamed is the level with a name, and false when there is none.
func FailOnNamed(word string) (FailOn, bool) {
	for i, w := range failOnWords {
		if w == strings.ToLower(word) {
			return FailOn(i), true
		}
	}
	return 0, false
}

// The exit codes of an audit.
const (
	ExitLost   = 3 // none did, and the audit ended early
	ExitByUser = 4 // the user stopped it
	ExitFailed = 5 // a check failed at the level that was asked for, or above
	ExitUnseen = 6 // none did, and nothing that matters could be seen
)

// Counts are how many checks came to what.
type Counts struct {
	Passed, Unseen, Skipped int

	Noted int // what was seen not to be so, and no rule asks for

	FailedMust, FailedShould int
	FailedNone               int // what the specification asks of nobody
}

// Counts counts the lines.
func (r *Report) Counts() (n Counts) {
	for _, l := range r.Lines {
		switch {
		case l.Outcome == Pass:
			n.Passed++
		case l.Outcome == Unseen:
			n.Unseen++
		case l.Outcome == Skipped:
			n.Skipped++
		case l.Outcome == Noted:
			n.Noted++
		case l.Duty.Level == Must:
			n.FailedMust++
		case l.Duty.Level == Should:
			n.FailedShould++
		default:
			n.FailedNone++
		}
	}
	return n
}

func (n Counts) String() string {
	words := fmt.Sprintf("%d passed, %d failed (%d MUST, %d SHOULD), %d could not be seen, %d skipped",
		n.Passed, n.FailedMust+n.FailedShould+n.FailedNone, n.FailedMust, n.FailedShould, n.Unseen, n.Skipped)
	if n.Noted > 0 {
		words += fmt.Sprintf(", %d noted", n.Noted)
	}
	return words
}

// fails reports whether a line is a failure at a level.
func (l *Line) fails(on FailOn) bool {
	return l.Outcome == Fail && (l.Duty.Level == Must || l.Duty.Level == Should && on >= OnShould)
}

// HasSeen reports whether the audit could see at least one of the checks that matter: *work
// stops*, *no answer*, *others unharmed*.
func (r *Report) HasSeen() bool {
	for _, l := range r.Lines {
		if claims[l.Check.Claim].carries && l.Outcome >= Pass {
			return true
		}
	}
	return false
}

// Grade is the worst level that failed, in words, and whether the audit ended early.
func (r *Report) Grade() string {
	switch {
	case r.Observed.Stopped == "":
		return r.worst()
	case r.Counts().FailedMust+r.Counts().FailedShould > 0:
		return r.worst() + ", and ended early"
	}
	return "ended early, until then " + r.worst()
}

// worst is the worst level that failed, in words.
func (r *Report) worst() string {
	switch n := r.Counts(); {
	case n.FailedMust > 0:
		return "fails a MUST"
	case n.FailedShould > 0:
		return "fails a SHOULD"
	case !r.HasSeen():
		return "nothing that matters could be seen"
	}
	return "nothing failed"
}

// Exit is the exit code.
func (r *Report) Exit(on FailOn) int {
	n := r.Counts()
	switch {
	case r.Observed.ByUser:
		return ExitByUser
	case n.FailedMust > 0, n.FailedShould > 0 && on >= OnShould, n.Unseen > 0 && on >= OnUnseen:
		return ExitFailed
	case r.Observed.Stopped != "":
		return ExitLost
	case !r.HasSeen():
		return ExitUnseen
	}
	return 0
}
