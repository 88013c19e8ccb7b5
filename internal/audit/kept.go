package audit

import (
	"path"
	"strings"
	"time"

	"belay/session/witness"
)

// keeps reports whether a process that lives on after a cancel may be meant to: calls that were left
// alone leave such a one as well. What begins in a call, as a browser does, is another one each time,
// and so is what takes the place of a worker that ended with its call: these are known by their
// program. What began in the call before its cancel is known by the whole command line of one that was
// there before the calls, and by its program where it took the place of another process.
func (o *Observed) keeps(all *Processes, p *Process) bool {
	for _, k := range o.Kept {
		if k.Name == p.Name || (k.InCall || !p.wasBefore() || all.InPlace) && program(k.Name) == program(p.Name) {
			return true
		}
	}
	return false
}

// program is the first word of a command line, without the directories before it.
func program(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return path.Base(strings.ReplaceAll(word, `\`, "/"))
}

// stays is a living process of a call that is no work of the call for all that is known, and why;
// empty: there is none.
func (o *Observed) stays(p *Processes) string {
	for i := range p.Began {
		switch b := &p.Began[i]; {
		case !b.Lives:
		case o.Kept == nil:
			return "a process lives on, and whether calls that are left alone leave one as well is not known: " + b.words()
		case o.keeps(p, b):
			return "a process lives on, as such do after calls that are left alone: " + b.words()
		}
	}
	return ""
}

// starts reports whether the CPU that was used after a cancel may be that of the beginning of a
// process that stays.
func (o *Observed) starts(p *Processes) bool {
	for i := range p.Began {
		if b := &p.Began[i]; b.Lives && b.Began > -LongEnough && (o.Kept == nil || o.keeps(p, b)) {
			return true
		}
	}
	return false
}

// left judges the processes of a call that live on when it would have ended.
func (o *Observed) left(c *Call, rest time.Duration) finding {
	if o.Kept == nil || c.Heard < rest {
		return finding{}
	}
	for i := range c.Processes.Began {
		switch b := &c.Processes.Began[i]; {
		case !b.Lives || o.keeps(c.Processes, b):
		case c.Processes.Finding == witness.Working && b.Began > 0:
			return found(Fail, "%s, began %s after the cancel, and lives on", b.words(), took(b.Began))
		case c.Processes.Finding == witness.Left && !b.wasBefore():
			return found(Fail, "a process that began %s lives on: %s", b.begun(), b.words())
		case c.Processes.Finding == witness.Left:
			return found(Fail, "a process that began in the call lives on: %s", b.words())
		}
	}
	return finding{}
}
