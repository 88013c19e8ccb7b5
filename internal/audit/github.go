package audit

import (
	"fmt"
	"strings"
)

// Annotations are the lines by which GitHub's runner is told of what fails at a level, one
// a line, and of an audit that saw nothing or ended early.
func (r *Report) Annotations(on FailOn) []byte {
	var b strings.Builder
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.fails(on) || l.Outcome == Unseen && on >= OnUnseen {
			annotate(&b, "belay audit: "+l.Check.Name(), fmt.Sprintf("%s (%s): %s", l.Outcome, l.Duty.Level, l.Why))
		}
	}
	if early := r.Observed.Stopped; early != "" {
		annotate(&b, "belay audit", "it ended early: "+string(reason(early)))
	}
	if r.Exit(on) == ExitUnseen {
		annotate(&b, "belay audit", "none of work stops, no answer and others unharmed could be seen")
	}
	return silenced([]byte(b.String()), "⟨[⟩")
}

var (
	commandData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	commandProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func annotate(b *strings.Builder, title, text string) {
	fmt.Fprintf(b, "::error title=%s::%s\n", commandProperty.Replace(title), commandData.Replace(text))
}
