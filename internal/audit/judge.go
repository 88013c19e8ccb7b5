package audit

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/witness"
)

// Outcome is what became of a check.
type Outcome uint8

// The outcomes.
const (
	Skipped Outcome = iota // it was not tried, with a reason
	Unseen                 // it was tried, and what it claims could not be seen
	Pass
	Noted // it was seen not to be so, which no rule asks for: it fails nothing
	Fail
)

func (o Outcome) String() string {
	return [...]string{"skipped", "cannot be seen", "pass", "noted", "fail"}[o]
}

// finding is what one try of a check came to.
type finding struct {
	outcome Outcome
	why     string // may hold foreign text
}

func found(o Outcome, format string, args ...any) finding {
	return finding{o, fmt.Sprintf(format, args...)}
}

// Line is one check of a report.
type Line struct {
	Check   Check
	Duty    Duty
	Outcome Outcome
	Tried   int       // how often, without tries that were skipped
	Decided int       // … of which so many decided the outcome
	Why     safe.Text // the first reason of that outcome
}

// Judge makes a report of what was seen.
func Judge(o *Observed) *Report {
	r := &Report{Observed: o}
	for _, c := range Checks() {
		r.Lines = append(r.Lines, weigh(c, o, o.inTime(c, claims[c.Claim].judge(o, c.Situation))))
	}
	return r
}

// inTime are the tries of a check that count: of an audit that ended early nothing is known of
// what is so after all cancels, but what failed until then.
func (o *Observed) inTime(c Check, tries []finding) []finding {
	if c.Situation != Afterwards || o.Stopped == "" {
		return tries
	}
	failed := slices.DeleteFunc(slices.Clone(tries), func(f finding) bool { return f.outcome != Fail })
	if len(tries) > 0 && len(failed) == 0 {
		return []finding{{Unseen, "the audit ended early: " + o.Stopped}}
	}
	return failed
}

// weigh makes a line of what the tries came to: one failure fails it, and passes only count
// where none of them failed.
func weigh(c Check, o *Observed, tries []finding) Line {
	l := Line{Check: c, Duty: c.Duty(o.Revision), Why: "it was not tried"}
	switch {
	case o.Unable != "":
		l.Outcome, l.Why = Unseen, reason(o.Unable)
	case o.Stopped != "":
		l.Why = reason("it was not tried: " + o.Stopped)
	}
	for _, f := range tries {
		if f.outcome > Skipped {
			l.Tried++
		}
		switch {
		case f.outcome > l.Outcome || l.Decided == 0 && f.outcome == l.Outcome:
			l.Outcome, l.Decided, l.Why = f.outcome, 1, reason(f.why)
		case f.outcome == l.Outcome:
			l.Decided++
		}
	}
	if l.Outcome == Skipped { // which no try decided, as there was none
		l.Decided = 0
	}
	return l
}

// reason is a reason as it may be shown: one line, bounded.
func reason(why string) safe.Text { return safe.LineN(why, 400) }

// each judges every cancelled call of a situation.
func each(o *Observed, s Situation, judge func(*Trial, *Call) finding) (all []finding) {
	for i := range o.Trials {
		t := &o.Trials[i]
		if t.Situation != s {
			continue
		}
		if t.Skipped != "" {
			all = append(all, finding{Skipped, t.Skipped})
		}
		for j := range t.Cancelled {
			if t.Failed != "" {
				all = append(all, finding{Unseen, t.Failed})
				continue
			}
			all = append(all, judge(t, &t.Cancelled[j]))
		}
	}
	return all
}

// rest is how long a call would have gone on without its cancel.
func (o *Observed) rest(c *Call) time.Duration { return max(0, o.Took-c.Ran) }

// hearing says why silence after a cancel would say nothing; empty: it says something.
func (o *Observed) hearing(t *Trial, c *Call) string {
	rest := o.rest(c)
	switch {
	case o.Took == 0:
		return "how long the tool takes is not known"
	case c.Task != nil:
		return "the call ran as a task, and was cancelled by tasks/cancel: see " + AsTask.String()
	case !c.Sent && t.Lost != "":
		return "the connection ended before the cancel was sent: " + t.Lost
	case !c.Sent && c.RanAsTask && t.Situation == ByTimeout:
		return "the call ran as a task, which has no timeout: see " + AsTask.String()
	case !c.Sent && c.Answer != Result && c.Answer != NoAnswer:
		return "the call had ended before its cancel was sent: it was " + c.Ending()
	case !c.Sent:
		return "the call had ended before its cancel was sent"
	case c.Blind:
		return "in 2026-07-28 over HTTP closing the exchange is the cancel, and nothing can be seen after it; --protocol 2025-11-25 shows more, where the server speaks that"
	case c.Deaf != "":
		return c.Deaf
	case t.Lost != "":
		return "the connection ended: " + t.Lost
	case !c.Read:
		return "whether the server had read the cancel is not known"
	case c.Answer != NoAnswer && !c.Crossed: // which ends what there is to hear
	case c.Heard >= rest && c.Heard < rest+c.slack(rest):
		return "belay listened for " + took(c.Heard) + ", the call would have gone on for " + took(rest) + ", and what it sent may have taken " + took(c.slack(rest))
	case c.Heard < rest:
		return "belay listened for " + took(c.Heard) + ", and the call would have gone on for " + took(rest)
	}
	return ""
}

// hadEndedAnyway reports whether a call was answered with its result when it would have ended without
// a cancel, and so soon after the cancel that a server at work may not have read that.
func (o *Observed) hadEndedAnyway(c *Call) bool {
	return c.Answer == Result && o.Took > 0 && c.After+c.Stopped >= o.rest(c) && c.After < max(LongEnough/10, c.delay())
}

const uncancelled = "the connection ended before a cancel was sent, which is no fault of one: "

const neverSent = "no cancel was sent: the calls had ended when theirs were due"

const overtaken = "over HTTP a cancel that is sent at once may be read before its call, as one of an unknown ID"

const allBehind = "over HTTP a cancel may be read before its call, as one of an unknown ID: the whole work of a call fits behind the cancel"

// overtakes reports whether the server may have read the cancel before the call: over HTTP each
// may come on a connection of its own. Where belay was late with a cancel that was due at once, the machine had
// no time, and the server may have read its call as late.
func (o *Observed) overtakes(c *Call) bool { return o.isHTTP() && c.Ran <= c.Bound+c.Late }

// What a server had not done that answered with the usual result, as it had after other cancels.
const (
	unaccepted = "the server had not accepted the cancel when it answered with the usual result, as it had others: it may not have read that"
	unanswered = "the server had not answered the request right behind the cancel when it answered with the usual result, as it had others: it may not have read the cancel"
)

// unread says why the server may not have read a cancel before what came of the call, the last of it so long after the
// cancel; empty: it had, or reads none while a call runs. What came behind the answer is no work on that.
func (o *Observed) unread(s Situation, c *Call, last time.Duration) string {
	switch {
	case o.overtakes(c):
		return overtaken
	case o.isHTTP() && !c.Begun && o.Took > 0 && last+c.Bound >= o.Took: // a machine may be so busy that the server has read its call that late
		return allBehind
	case !c.Unread || last > c.After || c.After < LongEnough/10 || c.Ran+c.After < o.Took/2 || !o.isOfAllWork(c) || !o.readsInTime(s):
		return ""
	case o.isHTTP():
		return unaccepted
	}
	return unanswered
}

// isOfAllWork reports whether a call was answered with the result that all calls have that are left alone:
// an error, or another result, may be what the server makes of the cancel.
func (o *Observed) isOfAllWork(c *Call) bool { return c.Answer == Result && c.Digest == o.sameResult() }

// readsInTime reports whether the server was seen to have read a cancel before its call would have ended: in a situation, if
// that was tried more than once.
func (o *Observed) readsInTime(s Situation) bool {
	read := func(c Call) bool {
		return c.Sent && c.Task == nil && !c.Blind && c.Deaf == "" && !c.Unread && !c.Crossed && !o.overtakes(&c) && c.ReadWithin > 0 && c.ReadWithin < o.rest(&c)
	}
	anywhere, here, tries := false, false, 0
	for _, t := range o.Trials {
		does := slices.ContainsFunc(t.Cancelled, read)
		anywhere = anywhere || does
		if t.Situation == s {
			here, tries = here || does, tries+1
		}
	}
	return here || anywhere && tries < 2
}

// Why nothing is known of what a call did after its cancel.
const (
	didNotRun = "belay did not run for %s meanwhile, which no time of the call counts"
	wouldEnd  = "the call would have gone on for %s only"
)

func took(d time.Duration) string { return string(wording.Precise(d)) }

func longEnough(o *Observed, _ Situation) (all []finding) {
	for _, c := range o.Alone {
		switch {
		case c.Answer != Result:
			all = append(all, found(Unseen, "it was %s", c.Ending()))
		case c.Ran < LongEnough:
			all = append(all, found(Unseen, "it took %s, and a cancel needs %v to come in the middle", took(c.Ran), LongEnough))
		default:
			all = append(all, found(Pass, "it took %s", took(c.Ran)))
		}
	}
	return all
}

// saidMost is how much is quoted of what an answer says, in columns: what stands behind it is
// read, too.
const saidMost = 200

// Ending is how the call was answered, in words; what the server said is quoted among them.
func (c *Call) Ending() string {
	switch c.Answer {
	case Result:
		return "answered with a result"
	case ToolError:
		return "answered with a result that says isError: " + string(safe.QuotedCut(c.Said, saidMost))
	case Failure:
		return "answered with an error: " + string(safe.QuotedCut(c.Said, saidMost))
	case Broken:
		return "broken off: " + string(safe.QuotedCut(c.Said, saidMost))
	case NoAnswer:
	}
	return "not answered"
}

func noAnswer(o *Observed, s Situation) []finding {
	caused, moments := o.answeredByCancel()
	return each(o, s, func(t *Trial, c *Call) finding {
		switch {
		case !c.Sent || c.Blind || c.Answer == NoAnswer:
		case slices.Contains(caused, c):
			return found(Fail, "%s %s after the cancel, as were all %d calls that were cancelled at %d moments of their time: by chance, that is less likely than 1 in 100,000", c.Ending(), took(c.After), len(caused), moments)
		case c.Crossed:
			return found(Unseen, "%s %s after the cancel, and that may have been on its way", c.Ending(), took(c.After))
		case o.hadEndedAnyway(c):
			return found(Unseen, "%s %s after the cancel, when the call would have ended: the server may not have read that", c.Ending(), took(c.After))
		default:
			if why := o.unread(s, c, c.After); why != "" {
				return finding{Unseen, why}
			}
			return found(Fail, "%s %s after the cancel", c.Ending(), took(c.After))
		}
		if why := o.hearing(t, c); why != "" {
			return finding{Unseen, why}
		}
		return found(Pass, "no answer in the %s after the cancel", took(c.Heard))
	})
}

func noMessages(o *Observed, s Situation) []finding {
	return each(o, s, func(t *Trial, c *Call) finding {
		late := c.Messages > 0 && (o.isModern() || c.Last > c.slack(o.rest(c)))
		if c.Sent && !c.Blind && late && c.Last < c.delay() {
			return found(Unseen, "%s, the last one %s after the cancel; belay was kept from running for %s, and the server may have been, too", wording.Count(c.Messages, "message"), took(c.Last), took(c.delay()))
		}
		if c.Sent && !c.Blind && late {
			if why := o.unread(s, c, c.Last); why != "" {
				return finding{Unseen, why}
			}
			return found(Fail, "%s, the last one %s after the cancel", wording.Count(c.Messages, "message"), took(c.Last))
		}
		if why := o.hearing(t, c); why != "" {
			return finding{Unseen, why}
		}
		switch rest := o.rest(c); {
		case c.Stopped >= LongEnough/10: // what the call would have sent may have been over
			return found(Unseen, didNotRun, took(c.Stopped))
		case rest < LongEnough/10:
			return found(Unseen, wouldEnd, took(rest))
		case o.isModern() && c.OnWay > 0 && c.OnWayUntil >= LongEnough/10:
			return found(Unseen, "%s came until %s after the cancel, and may have been on their way for so long", wording.Count(c.OnWay, "message"), took(c.OnWayUntil))
		}
		if c.Messages+c.OnWay > 0 {
			return found(Pass, "none later than %s after the cancel", took(max(c.Last, c.OnWayUntil)))
		}
		if c.Answer != NoAnswer && !c.Crossed {
			return found(Pass, "none but the answer, %s after the cancel", took(c.After))
		}
		return found(Pass, "none in the %s after the cancel", took(c.Heard))
	})
}

func workStops(o *Observed, s Situation) []finding {
	return each(o, s, func(t *Trial, c *Call) finding {
		rest := o.rest(c)
		slack := c.slack(rest)
		if c.Sent && !c.Blind && (c.Crossed || o.hadEndedAnyway(c)) && c.Last <= slack {
			return found(Unseen, "the call was %s %s after the cancel, and may have ended before the server read that", c.Ending(), took(c.After))
		}
		if c.Sent && !c.Blind {
			f := o.ranOn(c)
			if g := o.goesOn(c, rest); f.outcome != Fail && g.outcome > f.outcome {
				f = g
			}
			switch why := o.unread(s, c, max(c.Last, c.After)); {
			case f.outcome == Fail && why != "":
				return finding{Unseen, why}
			case f.outcome != Skipped:
				return f
			}
		}
		switch {
		case o.isHTTP():
			if why := o.hearing(t, c); c.Blind || !c.Sent {
				return finding{Unseen, why}
			}
			return finding{Unseen, "over HTTP the processes of a server are not seen, and silence is no proof"}
		case !c.Sent, t.Lost != "", o.Took == 0:
			return finding{Unseen, o.hearing(t, c)}
		case c.Processes == nil:
			return finding{Unseen, "nothing was seen of the server's processes, and silence is no proof"}
		case c.Stopped >= LongEnough/10:
			return found(Unseen, didNotRun, took(c.Stopped))
		case rest < LongEnough/4:
			return found(Unseen, wouldEnd, took(rest))
		}
		if f := o.begunLate(c, rest, slack); f.outcome != Skipped {
			return f
		}
		stays := o.stays(c.Processes)
		if late := c.Processes.late(); late != nil && c.Processes.Finding == witness.Working && stays == "" {
			return found(Unseen, "%s, began %s after the cancel, and next to no CPU was used: whether that is work of the call is not known", late.words(), took(late.Began))
		}
		if f := endOfWork(c.Processes, rest); f.outcome == Pass {
			if why := o.endsAnyway(c); why != "" {
				return found(Unseen, "%s; %s", f.why, why)
			}
			return f
		}
		if f := o.outlasts(c, rest, slack); f.outcome != Skipped {
			return f
		}
		f := o.cools(c, rest, slack)
		if f.outcome != Pass && stays != "" {
			f.why = stays
		}
		return f
	})
}

// goesOn is the work that the processes were seen to go on with.
func (o *Observed) goesOn(c *Call, rest time.Duration) finding {
	p := c.Processes
	switch {
	case p == nil:
		return finding{}
	case p.Finding == witness.Working && p.late() == nil && o.unwinds(c):
		return found(Unseen, "the server's processes used %s of CPU time until %s after the cancel; in calls that were cancelled at other times they did so for as long after that: it may be what the server does to end a call%s", took(p.CPUAfter), took(p.Busy), p.busyWords())
	case p.Finding == witness.Working && (p.late() == nil || p.wereBusy()) && !o.starts(p):
		return found(Fail, "the server's processes worked on: %s of CPU time in %s after the cancel%s", took(p.CPUAfter), took(p.Window), p.beside())
	}
	return o.left(c, rest)
}

// wereBusy reports whether the processes used more CPU after the cancel than is taken for rest.
func (p *Processes) wereBusy() bool {
	return p.CPUAfter > max(restsLess, time.Duration(rests*float64(p.Window)))
}

// hadRoom reports whether no thread of the server's can have wanted to work all the time: while one
// waits no processor is idle, and while it works the others may be. Half of the window is a margin.
func (p *Processes) hadRoom() bool {
	return p.Processors > 0 && p.Idle >= p.Window/2+time.Duration(p.Processors-1)*p.CPUAfter
}

// busyWords end a sentence on a server that may have wanted to work and had no processor for it.
func (p *Processes) busyWords() string {
	if p.Processors == 0 || p.hadRoom() {
		return ""
	}
	return ", and may have been kept from running: the machine was busy"
}

// late is a process that began after the cancel, sooner one that lives; nil: none was seen.
func (p *Processes) late() (late *Process) {
	for i := range p.Began {
		if b := &p.Began[i]; b.Began > 0 && (late == nil || b.Lives && !late.Lives) {
			late = b
		}
	}
	return late
}

// beside names the late process beside what the processes used.
func (p *Processes) beside() string {
	if late := p.late(); late != nil {
		return fmt.Sprintf("; %s, began %s after it", late.words(), took(late.Began))
	}
	return ""
}

func (p *Process) words() string { return fmt.Sprintf("%q, number %d", p.Name, p.PID) }

// rounding is by how much a process may seem to have begun earlier than it did: systems count
// in hundredths of a second, and their clocks are read one after the other.
const rounding = 20 * time.Millisecond

// wasBefore reports whether a process surely began before the cancel was written.
func (p *Process) wasBefore() bool { return p.Began < -rounding }

// endOfWork is the finding that all processes of the call ended soon after its cancel. What began with
// the cancel is no work that was seen to stop.
func endOfWork(p *Processes, rest time.Duration) finding {
	if p.Finding != witness.Ended {
		return finding{}
	}
	last := time.Duration(-1)
	for _, b := range p.Began {
		if b.Lives || b.Ended > rest/2 {
			return finding{}
		}
		if b.wasBefore() {
			last = max(last, b.Ended)
		}
	}
	if last < 0 {
		return finding{}
	}
	return found(Pass, "the last process of the call ended %s after the cancel, which would have gone on for %s", took(last), took(rest))
}

// outlasts judges the process of the call that ended last, where that was no end by the cancel: one
// that went on until the call would have ended did the work of the call. Others may be meant to stay.
func (o *Observed) outlasts(c *Call, rest, slack time.Duration) finding {
	p := c.Processes
	if p.Finding != witness.Ended && p.Finding != witness.Left {
		return finding{}
	}
	var last *Process
	for i := range p.Began {
		if b := &p.Began[i]; b.wasBefore() && !b.Lives && b.Ended > rest/2 && (last == nil || b.Ended > last.Ended) {
			last = b
		}
	}
	switch {
	case last == nil:
		return finding{}
	case last.hasGoneToTheEnd(rest, slack) && o.tidies(c, last):
		return found(Unseen, tidying, took(last.Ended), last.words())
	case last.hasGoneToTheEnd(rest, slack):
		return found(Fail, "a process of the call went on until %s after the cancel, when the call would have ended: %s", took(last.Ended), last.words())
	}
	return found(Unseen, "a process of the call ended %s after the cancel, and whether by the cancel is not known: %s; the call would have gone on for %s", took(last.Ended), last.words(), took(rest))
}

const tidying = "a process ended %s after the cancel: %s; in calls that were cancelled at other times one ended as long after that: it may be what the server does to end a call"

// hasGoneToTheEnd reports whether a process went on until about when the call would have ended.
func (p *Process) hasGoneToTheEnd(rest, slack time.Duration) bool {
	return !p.Lives && rest >= LongEnough/2 && p.Ended >= rest-slack/2 && p.Ended <= rest+LongEnough
}

// The share of a core that a tool uses when it is seen to work, and the most that is taken for
// rest, as a share and as a time.
const (
	burns     = 0.2
	rests     = 0.05
	restsLess = 100 * time.Millisecond
)

// cools reports whether the server used next to no CPU after the cancel, where a call that was
// cancelled later had used much by then.
func (o *Observed) cools(c *Call, rest, slack time.Duration) finding {
	p := c.Processes
	if p.Looked > slack { // what was used until then may be work that went on
		return found(Unseen, "belay, kept from running, looked at the processes %s after the cancel only", took(p.Looked))
	}
	if p.Window <= 0 || p.wereBusy() {
		return found(Unseen, "its processes used %s of CPU time in %s after the cancel, which is neither rest nor known to be work", took(p.CPUAfter), took(p.Window))
	}
	for i := range o.Trials {
		for j := range o.Trials[i].Cancelled {
			u := &o.Trials[i].Cancelled[j]
			more := u.Ran - c.Ran
			if u.Processes == nil || len(o.Trials[i].Cancelled) > 1 || !u.Sent || more < min(LongEnough/2, rest/2) || p.Window < more {
				continue
			}
			if used := u.Processes.CPUBefore - p.CPUBefore; used > 2*restsLess && float64(used) >= burns*float64(more) {
				if p.Processors == 0 {
					return found(Unseen, "its processes used %s of CPU time in %s after the cancel; whether they could have used more is not known", took(p.CPUAfter), took(p.Window))
				}
				if !p.hadRoom() {
					return found(Unseen, "its processes used %s of CPU time in %s after the cancel%s", took(p.CPUAfter), took(p.Window), p.busyWords())
				}
				return found(Pass, "%s of CPU time in the %s after the cancel; a call that was cancelled %s later had used %s more",
					took(p.CPUAfter), took(p.Window), took(more), took(used))
			}
		}
	}
	if o.hasMissed(c) {
		return finding{Unseen, "silence is no proof, and no process of the call was seen, as there was in others: none had begun when the cancel came, or it ended before belay looked, which it does every tenth of a second"}
	}
	return found(Unseen, "silence is no proof, and nothing of the server's processes shows the work of a call%s", p.busyWords())
}

func othersUnharmed(o *Observed, s Situation) (all []finding) {
	same := o.sameResult()
	for i := range o.Trials {
		t := &o.Trials[i]
		if t.Situation != s {
			continue
		}
		if t.Skipped != "" {
			all = append(all, finding{Skipped, t.Skipped})
		}
		if t.Failed != "" {
			all = append(all, finding{Unseen, t.Failed})
			continue
		}
		for j := range t.Others {
			if !o.follows(s, i) {
				all = append(all, finding{Unseen, neverSent})
				continue
			}
			all = append(all, o.unharmed(t, &t.Others[j], same))
		}
		if t.Skipped == "" && len(t.Others) == 0 {
			all = append(all, o.alone(t))
		}
	}
	return all
}

// alone is what a trial without another call says: only that the connection has ended.
func (o *Observed) alone(t *Trial) finding {
	switch {
	case t.Lost != "" && !t.cancels():
		return finding{Unseen, uncancelled + t.Lost}
	case t.Lost != "":
		return finding{Fail, "the connection ended: " + t.Lost}
	}
	// None was in flight, perhaps as it was refused.
	if why := o.refuses(math.MaxInt); why != "" {
		return finding{Unseen, why}
	}
	return finding{Unseen, "no other call was in flight"}
}

// sameResult is the digest of the results, where all that were left alone gave the same.
func (o *Observed) sameResult() string {
	if len(o.Alone) < 2 {
		return ""
	}
	for _, c := range slices.Concat(o.Together, o.Pair, o.Alone) {
		if c.Answer == Result && c.Digest != o.Alone[0].Digest {
			return ""
		}
	}
	return o.Alone[0].Digest
}

// NeedsControl reports whether a call that was not cancelled ended otherwise than calls that are left alone, in a
// way in which these may come to end as well: by an error, as after too many calls, or with another result.
func (o *Observed) NeedsControl(t *Trial) bool {
	same := o.sameResult()
	return slices.ContainsFunc(t.Others, func(c Call) bool {
		return c.Answer != NoAnswer && (c.Answer != Result || same != "" && c.Digest != same)
	})
}

// mostChance is how many calls since the first cancel may fail without it by chance, as calls beyond a limit do.
const mostChance = 2

// hasFailedSinceCancel reports whether all calls since the first cancel were answered by an error, those before their
// cancels were due that were to be cancelled later than at once. A call that was left alone before, with nothing beside it,
// had a result, or nothing would have been tried.
func (o *Observed) hasFailedSinceCancel() bool {
	cancelled, failed := false, 0
	for i := range o.Trials {
		t := &o.Trials[i]
		calls := slices.Concat(t.Cancelled, t.Others)
		if t.Control != nil {
			calls = append(calls, *t.Control)
		}
		for _, c := range calls {
			switch {
			case !cancelled:
				cancelled = c.Sent
			case c.Sent && t.Situation == AtOnce: // it had no time
			case c.Sent || c.Task != nil || c.Answer == Result || c.Answer == NoAnswer:
				return false
			default:
				failed++
			}
		}
	}
	return failed > mostChance
}

func (o *Observed) unharmed(t *Trial, c *Call, same string) finding {
	switch why := o.refuses(t.atOnce()); {
	case why != "":
		return finding{Unseen, why}
	case c.Answer == NoAnswer && t.Lost != "" && !t.cancels():
		return finding{Unseen, uncancelled + t.Lost}
	case c.Answer == NoAnswer && t.Lost != "":
		return finding{Fail, "another call was lost, as the connection ended: " + t.Lost}
	case c.Answer == NoAnswer && o.Took > 0 && c.Ran < 2*o.Took:
		return found(Unseen, "another call was not awaited for long enough: %s", took(c.Ran))
	case c.Answer == NoAnswer:
		return found(Fail, "another call was not answered in %s", took(c.Ran))
	case c.Answer != Result && o.hasFailedSinceCancel():
		return found(Fail, "another call was %s; each call since the first cancel failed, and none that was left alone before, with nothing beside it", c.Ending())
	case c.Answer != Result && t.Control != nil && t.Control.Answer == c.Answer:
		return found(Unseen, "another call was %s; so was one that was left alone afterwards: that may have nothing to do with cancels, as a limit of calls", c.Ending())
	case c.Answer != Result:
		return found(Fail, "another call was %s", c.Ending())
	case same != "" && c.Digest != same && t.Control != nil && t.Control.Digest != same:
		return found(Unseen, "another call was answered with another result than calls that were left alone; one that was left alone afterwards was %s, and not with theirs either: the tool may give others by now", t.Control.Ending())
	case same != "" && c.Digest != same:
		return found(Fail, "another call was answered with another result than calls that are left alone")
	}
	return found(Pass, "another call was answered with its result after %s", took(c.Ran))
}

func responsive(o *Observed, s Situation) (all []finding) {
	for i := range o.Trials {
		t := &o.Trials[i]
		switch {
		case t.Situation != s && (s != Afterwards || t.Situation.IsWrong()):
		case t.Skipped != "":
			if t.Situation == s {
				all = append(all, finding{Skipped, t.Skipped})
			}
		case t.Failed != "":
			all = append(all, finding{Unseen, t.Failed})
		case t.Lost != "" && !t.cancels():
			all = append(all, finding{Unseen, uncancelled + t.Lost})
		case t.Lost != "":
			all = append(all, finding{Fail, "the connection ended: " + t.Lost})
		case !o.follows(s, i) && t.Situation == s:
			all = append(all, finding{Unseen, neverSent})
		case !o.follows(s, i): // it says nothing of any
		case t.Alive == Answers:
			all = append(all, finding{Pass, "it answered"})
		case t.Alive == Silent:
			all = append(all, finding{Fail, "no answer to what was asked afterwards"})
		case t.Situation == s:
			all = append(all, finding{Unseen, "it was not asked"})
		}
	}
	return all
}

// Rules of what is given back.
const (
	rounds      = 3         // of cancels, the last ones, each of which a leak shows in
	perCancel   = 0.5       // of a process, a connection or a file
	perBytes    = 100 << 10 // of memory
	spareCount  = 1
	spareMemory = 8 << 20
	// A runtime that collects garbage grows by some tens of MB before it gives any back.
	growsMemory = 64 << 20
)

// givenBack judges the figures of a server at rest, each after more cancels. Base is by how much calls that were left
// alone raise them, each.
func givenBack(o *Observed, memory bool, base float64, of func(Rest) (float64, bool)) []finding {
	switch {
	case (o.Unable != "" || o.Stopped != "") && len(o.Trials) == 0: // which is the reason of the line
		return nil
	case o.isHTTP():
		return []finding{{Unseen, "over HTTP the processes of a server are not seen"}}
	}
	type point struct{ x, y float64 }
	var at []point
	for _, r := range o.Rests {
		y, ok := of(r)
		if !ok {
			continue
		}
		if n := len(at); n > 0 && at[n-1].x == float64(r.Cancels) {
			at[n-1].y = min(at[n-1].y, y)
			continue
		}
		at = append(at, point{float64(r.Cancels), y})
	}
	if len(at) < rounds+1 {
		return []finding{{Unseen, "it could not be counted often enough"}}
	}
	first, last := at[0], at[len(at)-1]
	shown := func(y float64) string {
		if memory {
			return string(wording.Size(int(y)))
		}
		return string(wording.Number(y))
	}
	slope, spare := perCancel, float64(spareCount)
	if memory {
		slope, spare = perBytes, max(spareMemory, first.y/10)
	}
	words := fmt.Sprintf("%s before, %s after %.0f cancels", shown(first.y), shown(last.y), last.x-first.x)
	if last.y <= first.y+spare {
		return []finding{{Pass, words}}
	}
	// Each third of what was counted is to show it: what rises and comes to rest is no leak. No count is
	// in two of them, or one jump would be the rise of both.
	for i := range rounds {
		from, to := at[i*(len(at)-1)/rounds], at[(i+1)*(len(at)-1)/rounds]
		switch rise := (to.y - from.y) / (to.x - from.x); {
		case rise < slope:
			return []finding{{Unseen, words + ", which did not rise with each of them"}}
		case rise < slope+base:
			return []finding{{Unseen, words + "; calls that are left alone leave about as much, " + shown(base) + " each"}}
		}
	}
	if memory && last.y < first.y+growsMemory {
		return []finding{{Unseen, words + ", which may be garbage that is not collected yet"}}
	}
	return []finding{{Fail, words + ", rising all the time"}}
}

// unknownBase is why a rise is no fault of the cancels: calls that are left alone may cause it as well.
const unknownBase = "what calls leave that are left alone is not known"

// leftByEach is by how much a figure rose at least with each call that was left alone; false: that is not known. What the first
// call sets up, as a pool, none of the others need leave.
func (o *Observed) leftByEach(of func(Rest) (float64, bool)) (each float64, known bool) {
	var from Rest
	for _, to := range o.Unprovoked {
		y, ok := of(to)
		if !ok {
			continue
		}
		if was, _ := of(from); from.Cancels > 0 && to.Cancels > from.Cancels {
			rise := max(0, y-was) / float64(to.Cancels-from.Cancels)
			if !known || rise < each {
				each, known = rise, true
			}
		}
		from = to
	}
	return each, known
}

// keptByEach is how many processes each call that was left alone has left; false: that is not known.
func (o *Observed) keptByEach() (each float64, known bool) {
	if each, known = o.leftByEach(func(r Rest) (float64, bool) { return float64(r.Processes), !r.Capped }); known {
		return each, true
	}
	n := 0
	for _, k := range o.Kept {
		if k.InCall {
			n++
		}
	}
	return float64(n) / float64(max(1, len(o.Alone)+len(o.Together)+len(o.Pair))), o.Kept != nil
}

// intoLimit judges figures where the server had more processes at rest than belay looks at, and
// reports whether that is so. What is one figure of them all says nothing then.
func (o *Observed) intoLimit(ofProcesses bool) (f finding, capped bool) {
	i := slices.IndexFunc(o.Rests, func(r Rest) bool { return r.Capped })
	if i < 0 {
		return finding{}, false
	}
	first, last := o.Rests[0], o.Rests[len(o.Rests)-1]
	if !ofProcesses {
		return found(Unseen, "the server has more than %d processes, and belay looks at no more", witness.MostProcesses), true
	}
	words := fmt.Sprintf("%d before, %d or more after %d cancels; belay looks at no more", first.Processes, witness.MostProcesses, last.Cancels-first.Cancels)
	rises := slices.ContainsFunc(o.Rests[:i], func(r Rest) bool {
		return r.Cancels > first.Cancels && r.Processes > first.Processes+spareCount
	})
	base, known := o.keptByEach()
	whole := o.Rests[max(0, i-1)] // the last one of which all were counted
	if rise := float64(whole.Processes-first.Processes) / float64(max(1, whole.Cancels-first.Cancels)); rises && base > 0 && rise < base+perCancel {
		return finding{Unseen, words + "; calls that are left alone leave about as many, " + string(wording.Number(base)) + " each"}, true
	}
	switch {
	case rises && last.Capped && known:
		return finding{Fail, words + ": it rose until there"}, true
	case rises && last.Capped:
		words += "; " + unknownBase
	}
	return finding{Unseen, words}, true
}

func questionWithdrawn(o *Observed, s Situation) []finding {
	return each(o, s, func(t *Trial, c *Call) finding {
		switch q := c.Question; {
		case q == nil:
			return finding{Unseen, "the tool asked nothing this time"}
		case !c.Sent || q.Ended:
			return finding{Unseen, "the question had ended before the cancel was sent"}
		case q.Withdrawn:
			return found(Pass, "%s was withdrawn %s after the cancel", q.Method, took(q.After))
		case t.Lost != "":
			return finding{Unseen, "the connection ended: " + t.Lost}
		case c.Crossed:
			return finding{Unseen, "the call may have ended before its cancel was read"}
		case !c.Read:
			return finding{Unseen, "whether the server had read the cancel is not known"}
		default:
			return found(Noted, "%s was still open %s after the cancel, which no page forbids", q.Method, took(q.After))
		}
	})
}

// eachTask judges the task of every cancelled call of a situation.
func eachTask(o *Observed, s Situation, judge func(*Trial, *Call) finding) []finding {
	return each(o, s, func(t *Trial, c *Call) finding {
		switch {
		case c.Task == nil && c.Sent:
			return finding{Unseen, "the call did not run as a task this time"}
		case c.Task == nil:
			return finding{Unseen, "the call had ended before its cancel was sent"}
		case t.Lost != "" && c.Task.Fate != FateCancelled:
			return finding{Unseen, "the connection ended: " + t.Lost}
		}
		return judge(t, c)
	})
}

func acknowledged(o *Observed, s Situation) []finding {
	return eachTask(o, s, func(_ *Trial, c *Call) finding {
		switch t := c.Task; {
		case t.Malformed != "":
			return finding{Fail, t.Malformed}
		case !t.Answer || t.Fate == FateUnanswered:
			return finding{Fail, cmp.Or(t.Why, "tasks/cancel was not answered")}
		case t.Fate == FateRefused && t.GoesOn:
			return finding{Fail, t.Why + ", and the task goes on"}
		case t.Fate == FateRefused:
			return finding{Unseen, t.Why + ", and the task may have ended before"}
		}
		return finding{Pass, "it was answered with a result"}
	})
}

// fault is what a server did otherwise than it MUST in 2025-11-25, and may since.
func (o *Observed) fault(format string, args ...any) finding {
	if o.isModern() {
		return found(Noted, format, args...)
	}
	return found(Fail, format, args...)
}

func becomesCancelled(o *Observed, s Situation) []finding {
	return eachTask(o, s, func(_ *Trial, c *Call) finding {
		switch t := c.Task; t.Fate {
		case FateCancelled:
			return finding{Pass, "the server says that the task is cancelled"}
		case FateCompleted, FateFailed:
			if c.Crossed {
				return finding{Unseen, "the task ended as the cancel came, and may have ended before"}
			}
			return o.fault("the task was %s after the cancel", map[Fate]string{FateCompleted: "completed", FateFailed: "failed"}[t.Fate])
		case FateWorking:
			return o.fault("the task goes on after the cancel")
		case FateRefused:
			if t.GoesOn {
				return o.fault("%s, and the task goes on", t.Why)
			}
			return finding{Unseen, t.Why + ", and the task may have ended before"}
		case FateUnanswered:
			return finding{Unseen, t.Why}
		case FateUnknown:
		}
		return finding{Unseen, "the server acknowledged the cancel, and the task was not seen again"}
	})
}

func staysCancelled(o *Observed, s Situation) []finding {
	return eachTask(o, s, func(_ *Trial, c *Call) finding {
		switch t := c.Task; {
		case t.Fate != FateCancelled:
			return finding{Unseen, "the task was not cancelled"}
		case t.Later == "cancelled":
			return finding{Pass, "tasks/get says so when the task would long have ended"}
		case t.Later != "":
			return o.fault("tasks/get says later that the task is %s", safe.QuotedCut(t.Later, saidMost))
		case t.Asked && t.Silent:
			return finding{Unseen, "tasks/get was not answered"}
		case t.Asked:
			return finding{Unseen, "tasks/get tells no status, as where a server does not keep the task, which it may do: " + string(safe.QuotedCut(t.Lapsed, saidMost))}
		}
		return finding{Unseen, "it was not asked"}
	})
}

func endsWithInput(o *Observed, _ Situation) []finding {
	switch e := o.Ending; {
	case o.isHTTP():
		return []finding{{Skipped, "over HTTP a server goes on when a client leaves"}}
	case e == nil:
		return nil
	case e.Before:
		return []finding{{Unseen, "it had ended before its input was closed"}}
	case e.Hurried:
		return []finding{{Unseen, "it was ended at once, before it had the time to end by itself"}}
	case e.Forced != "" && e.Stopped >= LongEnough/10:
		return []finding{found(Unseen, "it was ended by %s, and belay did not run for %s while it waited for its end", e.Forced, took(e.Stopped))}
	case e.Forced != "" && !o.isModern():
		return []finding{found(Noted, "it was ended by %s, %s after its input was closed, which no page forbids", e.Forced, took(e.Took))}
	case e.Forced != "":
		return []finding{found(Fail, "it was ended by %s, %s after its input was closed", e.Forced, took(e.Took))}
	default:
		return []finding{{Pass, "it exited " + took(e.Took) + " after its input was closed"}}
	}
}
