package audit

import (
	"fmt"
	"slices"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
)

var outcomeMarks = [...]safe.Text{Skipped: "–", Unseen: "?", Pass: "✓", Noted: "·", Fail: "✗"}

// heading is whom an audit is about.
func (r *Report) heading() []pair {
	o := r.Observed
	server := safe.Text("it gives no name")
	if o.Server != "" {
		server = safe.QuotedCut(o.Server, saidMost)
	}
	spoken := o.Transport.String()
	if o.Revision != "" { // else there was no connection
		spoken += " · " + string(o.Revision)
	}
	all := []pair{{"server", server}, {"tool", reason(o.Tool)}, {"spoken", safe.Text(spoken)}}
	if o.Took > 0 {
		all = append(all, pair{"takes", wording.Precise(o.Took)})
	}
	if o.Stopped != "" {
		all = append(all, pair{"ended early", reason(o.Stopped)})
	}
	for _, note := range o.Notes {
		all = append(all, pair{"note", reason(note)})
	}
	return all
}

type pair struct {
	Name string
	Text safe.Text
}

// tries says how often a check was tried, and how often that decided it.
func (l *Line) tries() string {
	switch {
	case l.Tried == 0:
		return ""
	case l.Tried == l.Decided:
		return fmt.Sprintf("%d×", l.Tried)
	}
	return fmt.Sprintf("%d of %d×", l.Decided, l.Tried)
}

// text is for a terminal, or for a log.
func (r *Report) text(on FailOn, width int) []byte {
	var b strings.Builder
	for _, p := range r.heading() {
		fmt.Fprintf(&b, "%-12s %s\n", p.Name, p.Text)
	}
	b.WriteByte('\n')
	lines := r.Lines
	if r.Observed.Unable != "" { // which is the reason of all lines
		for _, w := range safe.Wrap(reason(r.Observed.Unable), max(30, width), 8) {
			fmt.Fprintf(&b, "%s\n", safe.Inert(w))
		}
		lines = slices.DeleteFunc(slices.Clone(lines), func(l Line) bool { return l.Check.Situation == LeftAlone || l.Tried == 0 })
		if len(lines) > 0 {
			b.WriteByte('\n')
		}
	}
	for i := range lines {
		l := &lines[i]
		fmt.Fprintf(&b, "%s %-14s %-6s %s\n", outcomeMarks[l.Outcome], l.Outcome, l.Duty.Level, l.Check.Name())
		why := l.Why
		if n := l.tries(); n != "" {
			why = safe.Text(n+": ") + why
		}
		for _, w := range safe.Wrap(why, max(30, width-24), 6) {
			fmt.Fprintf(&b, "%24s%s\n", "", safe.Inert(w))
		}
	}
	fmt.Fprintf(&b, "\n%s: %s\n", r.Grade(), r.Counts())
	if early := r.Observed.Stopped; early != "" {
		for _, w := range safe.Wrap("it ended early: "+reason(early), max(30, width), 6) {
			fmt.Fprintf(&b, "%s\n", safe.Inert(w))
		}
	}
	if code := r.Exit(on); code == ExitUnseen {
		b.WriteString("none of work stops, no answer and others unharmed could be seen\n")
	}
	return silenced([]byte(b.String()), "⟨[⟩")
}
