package witness

import (
	"fmt"
	"slices"
	"time"

	"belay/session/sentence"
)

// Note is something that was seen of the processes of a cancelled call, and when. It may
// hold foreign text.
type Note struct {
	At   time.Time
	Text string
}

// words name a process within a sentence.
func (p *proc) words() string { return nameWords(p.called(), p.PID) }

// Words name the process within a sentence, in the same words as the evidence. They hold foreign text.
func (p *ProcessView) Words() string { return nameWords(p.Name, p.PID) }

// nameWords name a process by its command line, or its name, which is quoted in any case.
func nameWords(name string, pid int) string {
	return fmt.Sprintf("%s (pid %d)", sentence.QuotedCut(name), pid)
}

// mostNotes is how many processes are named in the evidence.
const mostNotes = 6

// Notes are what is evidence in what was seen. There is none before the end of the grace, or of a
// server that died before, and no word of an account that is nil. While the sample on which the finding stands is still to
// come, they tell what was seen last, and when.
func (a *Account) Notes() (all []Note) {
	t := a.seenLast()
	switch {
	case t == nil:
		return nil
	case a.died:
		return append(append(a.procNotes(t), a.apartNotes(t.Until)...), a.belowNotes(t.Until)...)
	case a.Awaits():
		return a.procNotes(t)
	case a.isShared() && a.wereBusy():
		all = append(all, Note{a.over, a.workWords() + "; several calls were in flight: for which of them cannot be told"})
	case a.isShared():
	case a.wereBusy():
		all = append(all, Note{a.over, a.workWords()})
	case a.Finding() == Nothing && a.mayHaveStarved():
		got, in, _ := a.work()
		all = append(all, Note{a.over, fmt.Sprintf("between the bound and %s its processes got %s in %s, and the machine was busy: they may have been kept from running", a.endWords(), ofCPU(got), seconds(in))})
	}
	all = append(append(append(all, a.procNotes(t)...), a.apartNotes(a.over)...), a.belowNotes(a.over)...)
	if a.beset {
		all = append(all, unownedNotes(a.over, int(a.strays), a.blind, "while work of an earlier cancelled call may have gone on")...)
	}
	stays := a.Finding() == Left || a.isShared() && a.hasLiving(t.Until)
	switch {
	case stays:
		all = append(all, Note{t.At, "it may be meant to stay, as a browser or a pool of workers is"})
	case a.Finding() == Ended:
		all = append(all, Note{t.At, "no process that was seen to begin during this call lives, " + a.sinceWords(t) + "; they may have finished by themselves"})
	}
	if a.byItself && (stays || a.Finding() == Working && !a.haveWorked()) {
		all = append(all, Note{t.At, "the server has also begun a process while no call was in flight: it may have begun by itself what began during this call"})
	}
	if a.blind {
		all = append(all, Note{t.At, fmt.Sprintf("the server had more processes than the %d that belay looks at", MostProcesses)})
	}
	return all
}

// ofCPU is CPU time, which systems count in steps.
func ofCPU(d time.Duration) string {
	const step = 10 * time.Millisecond
	if d < step {
		return "next to no CPU"
	}
	return seconds(d) + " of CPU"
}

// sinceWords say, where none of them lives, whether processes began after the cancel.
func (a *Account) sinceWords(t *Totals) string {
	n, near := a.passed().since, a.passed().near
	for _, p := range a.procs {
		switch {
		case p.began.After(t.Until):
		case p.began.After(a.cancelled):
			n++
		case a.isNearCancel(p):
			near++
		}
	}
	when := "after the cancel"
	if near > 0 {
		when += ", or within " + seconds(rounding) + " of it"
	}
	switch n + near {
	case 0:
		return "and none was seen to begin since"
	case 1:
		return "nor does the one that was started " + when
	}
	return "nor do those that were started " + when
}

// seenLast is the sample on which the finding stands, and until that has come, or where the server
// died before the end of the grace, the latest; nil: there is none, or the grace is not over.
func (a *Account) seenLast() *Totals {
	switch {
	case a == nil || a.over.IsZero() && !a.died:
		return nil
	case a.died, a.Awaits():
		return a.after
	}
	return a.judged()
}

// workWords tell the CPU time that was used after the cancel, and beside it that of an idle
// server.
func (a *Account) workWords() string {
	used, in, _ := a.work()
	text := fmt.Sprintf("between the bound and %s its processes used %s of CPU in %s; ", a.endWords(), seconds(used), seconds(in))
	switch {
	case a.earlier.call != 0:
		text += fmt.Sprintf("work of an earlier cancelled call was seen going on before this one was sent, at which they would have used %s", seconds(time.Duration(a.earlier.share*float64(in))))
		if !a.haveWorked() {
			text += ": whether this call worked on cannot be told"
		}
		return text
	case !a.idle.known:
		return text + fmt.Sprintf("how much they use idle is not known, as they were not seen idle for %s before the call", seconds(leastIdle))
	}
	text += fmt.Sprintf("idle before the call they would have used %s", seconds(time.Duration(a.idle.share*float64(in))))
	if !a.haveWorked() {
		text += ": whether this call worked on cannot be told, as that differs by what else runs on the machine"
	}
	return text
}

// endWords say until when the use of CPU counts.
func (a *Account) endWords() string {
	if _, cut := a.workEnd(); cut {
		return "the last sample before another call"
	}
	return "the end of the grace"
}

// procNotes tell what matters of the processes of the call, as a sample saw them: of the first few,
// of which those that live then come first, and how many more there are.
func (a *Account) procNotes(t *Totals) (all []Note) {
	until := t.Until
	procs := slices.Clone(a.procs)
	slices.SortStableFunc(procs, func(p, q *proc) int {
		switch lives := p.livesAt(until); {
		case lives == q.livesAt(until):
			return 0
		case lives:
			return -1
		}
		return 1
	})
	named, lived, ended, started := 0, 0, a.passed().told, a.passed().started
	for _, p := range procs {
		notes := a.noteOf(p, t)
		if len(notes) == 0 {
			continue
		}
		if named < mostNotes {
			named++
			all = append(all, notes...)
			continue
		}
		if p.livesAt(until) {
			lived++
		} else {
			ended++
		}
		if a.wasStarted(p) {
			started++
		}
	}
	if lived+ended > 0 {
		text := a.moreWords(lived, ended)
		if started > 0 {
			text += fmt.Sprintf("; started after the cancel: %d", started)
		}
		all = append(all, Note{t.At, text})
	}
	return all
}

// moreWords tell of processes of the call that are not named, how many of them lived at the end
// of the grace, and how many had ended.
func (a *Account) moreWords(lived, ended int) string {
	text, was := fmt.Sprintf("%d more processes that ran at the cancel or later", lived+ended), "were"
	if lived+ended == 1 {
		text, was = "one more process that ran at the cancel or later", "was"
	}
	if a.blind {
		text = "at least " + text
	}
	switch {
	case lived == 0:
		return "and " + text + " had ended by then"
	case ended == 0:
		return "and " + text + " " + was + " still running"
	}
	return fmt.Sprintf("and %s: %d were still running, and %d had ended by then", text, lived, ended)
}

// noteOf tells of one process what matters, as a sample saw it.
func (a *Account) noteOf(p *proc, t *Totals) (all []Note) {
	switch {
	case !a.isOwn(p):
		return nil
	case a.wasStarted(p):
		all = append(all, Note{p.began, p.words() + " was started after the cancel"})
	case !p.livesAt(a.cancelled) && !p.began.After(a.cancelled), p.began.After(t.Until):
		return nil // it ended before, or began when nothing was judged any more
	}
	if p.livesAt(t.Until) {
		was := "still running"
		if t.At.Before(a.over) || a.died && !a.outlived { // nobody has looked at the end of the grace, or of the server
			was = "was running"
		}
		and := ""
		if a.outlived {
			and = ", when the server had ended"
		}
		all = append(all, Note{t.At, fmt.Sprintf("%s %s after the cancel%s: %s, started %s, %s old",
			was, seconds(t.At.Sub(a.cancelled)), and, p.words(), a.startedWords(p), seconds(t.At.Sub(p.began)))})
	}
	switch {
	case p.ended.IsZero():
	case a.isEndUnsure(p):
		all = append(all, Note{p.ended, fmt.Sprintf("%s, started %s, was seen last %s, and was gone %s",
			p.words(), a.startedWords(p), a.sinceCancel(p.seen), a.sinceCancel(p.ended))})
	default:
		all = append(all, Note{p.ended, fmt.Sprintf("%s, started %s, had ended %s after the cancel",
			p.words(), a.startedWords(p), seconds(p.ended.Sub(a.cancelled)))})
	}
	return all
}

// sinceCancel says when something was, as of the cancel of the call.
func (a *Account) sinceCancel(at time.Time) string {
	if at.Before(a.cancelled) {
		return seconds(a.cancelled.Sub(at)) + " before the cancel"
	}
	return seconds(at.Sub(a.cancelled)) + " after the cancel"
}

// startedWords say when a process of the call was started.
func (a *Account) startedWords(p *proc) string {
	switch {
	case p.began.After(a.cancelled):
		return "after the cancel"
	case a.isNearCancel(p):
		return "within " + seconds(rounding) + " of the cancel"
	}
	return "during this call"
}

// apartNotes tell of a call beside which another one was in flight how many processes began until a
// time of which nobody can tell whose they are: those that are its own are named.
func (a *Account) apartNotes(until time.Time) []Note {
	if !a.isShared() {
		return nil
	}
	n, more := a.unowned.since(a.began.Add(-rounding), until)
	n += a.passed().apart
	for _, p := range a.procs {
		if !a.isOwn(p) && p.began.Before(until) {
			n++
		}
	}
	return unownedNotes(until, n, more || a.blind, "when another call was sent, or later")
}

// belowNotes tell how many processes were begun during the call by those of an earlier cancelled call.
func (a *Account) belowNotes(at time.Time) []Note {
	return unownedNotes(at, int(a.below), a.blind, "during this call, below those of an earlier cancelled call")
}

// unownedNotes tell how many processes began of which nobody can tell whose they are, and when.
// More says that there may be others, which were not seen or are not kept.
func unownedNotes(at time.Time, n int, more bool, when string) []Note {
	switch {
	case n == 0:
		return nil
	case n == 1 && !more:
		return []Note{{at, "one process began " + when + ": whose it is cannot be told"}}
	}
	count := fmt.Sprintf("%d processes", n)
	switch {
	case n == 1:
		count = "at least one process"
	case more:
		count = "at least " + count
	}
	return []Note{{at, count + " began " + when + ": whose each is cannot be told"}}
}

// seconds writes a time as evidence does.
func seconds(d time.Duration) string {
	d = max(0, d)
	if d >= time.Second {
		d = d.Round(time.Second / 100)
	}
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
