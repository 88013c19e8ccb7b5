package cancel

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"belay/session/sentence"
)

// Evidence is one thing that was observed about a cancelled call.
type Evidence struct {
	At    time.Time
	After time.Duration // since the cancel's last byte was written; 0 when it was not
	Text  string        // for people; may hold foreign text, unsanitised
}

// Evidence returns all observations in their order, with those of the attempt that this one
// repeats.
func (a *Attempt) Evidence() []Evidence {
	l := list{from: a.writtenAt}
	if a.former != nil {
		l.all = a.former.Evidence()
	}
	a.sendingEvidence(&l)
	a.hearingEvidence(&l)
	a.answerEvidence(&l)
	a.taskEvidence(&l)
	a.endEvidence(&l)
	if !a.HasAnswer() {
		for _, n := range a.Processes.Notes() {
			l.add(n.At, "%s", n.Text)
		}
	}
	slices.SortStableFunc(l.all, func(a, b Evidence) int { return a.At.Compare(b.At) })
	return l.all
}

// list collects evidence; what has no time did not happen.
type list struct {
	from time.Time
	all  []Evidence
}

func (l *list) add(at time.Time, format string, args ...any) {
	if at.IsZero() {
		return
	}
	e := Evidence{At: at, Text: fmt.Sprintf(format, args...)}
	if !l.from.IsZero() && at.After(l.from) {
		e.After = at.Sub(l.from)
	}
	l.all = append(l.all, e)
}

// sendingEvidence adds the progress of the cancel's signal.
func (a *Attempt) sendingEvidence(l *list) {
	asked := a.wanted
	if !a.Wished.IsZero() {
		asked = a.Wished
	}
	l.add(asked, "cancel requested by %s: %s", a.By.Asker(), sentence.Quoted(a.Reason))
	switch {
	case a.IsTaskOver():
		over := a.task.value().over
		l.add(over.at, "the task ended before the cancel left (%s): nothing was sent", over.text)
	case a.nothing && a.unprocessedAt.IsZero():
		l.add(a.wanted, "no request was in flight: nothing was sent")
	}
	if a.Verdict() != StreamClosed { // which says it all
		l.add(a.writtenAt, "%s", a.Signal.writtenWords())
		l.add(a.closedAt, "the exchange is closed: nothing more can be seen")
	}
	accepted := "the server accepted the cancel: %s"
	if !a.objection.at.IsZero() || a.answer.ToCancel { // a server that accepts a notification says no more than that
		accepted = "the POST of the cancel was answered with %s"
	}
	l.add(a.acceptedAt, accepted, a.acceptedBy)
	l.add(a.objection.at, "the answer to the cancel holds an error: %s", a.objection.text)
	l.add(a.rejectedAt, "%s", a.RejectedWords())
	if a.rejected == "" || a.rejectedAt.After(a.gaveUpAt) {
		l.add(a.gaveUpAt, "%s", a.givenUpWords())
	}
	l.add(a.unprocessedAt, "the server did not begin with the request (%s), and belay did not send it again", a.unprocessed)
}

// hearingEvidence adds what came for the call, and what could not be heard of it.
func (a *Attempt) hearingEvidence(l *list) {
	said := ""
	if a.messages.text != "" {
		said = ": " + a.messages.text
	}
	switch m := a.messages; {
	case m.count == 1 && !m.more:
		l.add(m.last, "a message for it came after the cancel%s", said)
	case m.more:
		l.add(m.last, "last of at least %d messages for it after the cancel%s", m.count, said)
	case m.count > 1:
		l.add(m.last, "last of %d messages for it after the cancel%s", m.count, said)
	}
	if !a.writtenAt.IsZero() {
		all := a.allStrays.value()
		counted := [strayKinds]time.Time{Unclear: all.from}
		for kind, many := range strayWords {
			all.kinds[kind].evidence(l, a.IsAfter, many, counted[kind])
		}
	}
	l.add(a.session.at, "%s", a.session.overWords())
	l.add(a.lost.At, "its stream was away from here on%s: what the server said of the call could not be heard", a.lost.words())
	l.add(a.backAt, "its stream, which had been away, was taken up again: what the server had said of the call before may have waited for that")
	l.add(a.endedAt, "%s", a.ended)
	for _, p := range a.unreached {
		l.add(p.at, "%s", p.text)
	}
	if !a.HasAnswer() {
		l.add(a.part.at, "%s", a.partWords())
	}
}

// overWords say that the session has ended, in the words of the server's refusal.
func (p problem) overWords() string {
	if p.text == "" { // the rejection of the cancel says the rest
		return "belay closed what was open in that session"
	}
	return p.text + ": belay closed what was open in it"
}

func (a *Attempt) partWords() string {
	size := sentence.Size(a.part.size)
	switch p := a.part; {
	case p.size == 0:
		return "the head of an answer came, and nothing of the answer itself"
	case p.any && a.Lag(p.at) == 0:
		return size + " of a message had come, and not its end: it may be the answer"
	case p.any:
		return "bytes of a message came, " + size + " in all, and not its end: it may be the answer"
	case a.Lag(p.at) == 0:
		return size + " of a message had come on its stream, and not its end"
	case !p.late:
		return "bytes of a message came on its stream, " + size + " in all, and not its end: it began so early that it may have been on its way"
	}
	return "bytes of a message still came on its stream, " + size + " in all, and not its end"
}

// IsPartial reports whether something of a message has come that may be the answer,
// and not its end.
func (a *Attempt) IsPartial() bool { return a.part.isThere() && !a.HasAnswer() }

// endEvidence adds the end of the waiting.
func (a *Attempt) endEvidence(l *list) {
	switch {
	case a.isOfTask():
	case a.endedEarly:
		l.add(a.graceOverAt, "its exchange has ended: belay does not wait for the rest of the grace")
	case a.unawaited:
		l.add(a.graceOverAt, "the cancel was not known to be written: belay does not wait for the rest of the grace")
	default:
		l.add(a.graceOverAt, "the grace ended without an answer")
	}
	if a.pause > 0 {
		l.add(a.graceOverAt, "its progress came up to %v apart: a silence of %v says little", a.pause.Round(time.Second/10), a.silence.Round(time.Second/10))
	}
	if a.talks {
		l.add(a.probeLateAt, "the probe was not answered within %v, though the server said something after the cancel", a.probeLimit.Round(time.Second/10))
	} else {
		l.add(a.probeLateAt, "the probe was not answered within %v", a.probeLimit.Round(time.Second/10))
	}
	switch {
	case a.IsTaskAnswered(), a.Ends && a.Apart && a.HasAnswer(): // which says it all
	case !a.IsReadInOrder():
	case a.writtenAt.IsZero() && a.task.isReadOpen(a.Spec, a.HasAnswer()): // there was nothing to read
	case a.readBy != "":
		l.add(a.readAt, "the probe was answered with %s: the server lives", a.readBy)
	case a.task.isReadOpen(a.Spec, a.HasAnswer()):
		l.add(a.readAt, "the server answered something that was written after the cancel: it lives, and whether it has read the cancel is not known")
	default:
		l.add(a.readAt, "the server answered something that was written after the cancel: it had read it")
	}
	l.add(a.diedAt, "the server %s", a.died)
	if !a.HasAnswer() {
		l.add(a.disconnectedAt, "%s", disconnectedWords(a.IsGraceOver(), a.probeLimit > 0))
	}
}

func disconnectedWords(graceOver, probed bool) string {
	switch {
	case graceOver && !probed:
		return "belay was ending the connection: it did not probe the server"
	case graceOver:
		return "belay ended the connection before the probe was answered"
	}
	return "belay ended the connection before the grace was over"
}

// sameTime is how far apart two messages on different connections may arrive although the server sent
// them in the other order.
const sameTime = 100 * time.Millisecond

// answerEvidence adds the answer, how late it began, and what of the cancel was known then.
func (a *Attempt) answerEvidence(l *list) {
	if !a.HasAnswer() {
		return
	}
	w := &a.answer
	l.add(w.At, "%s", a.answerWords())
	if a.Ends || a.IsWriteOpen() {
		return
	}
	bound, stopped := precise(w.Bound), ""
	if w.Stopped > 0 {
		stopped = ", not counting " + precise(w.Stopped) + " in which belay was stopped, and in which it may have come"
	}
	switch {
	case a.writtenAt.IsZero() && a.rejected != "":
		l.add(w.At, "the cancel had not been written")
		return
	case !w.after:
		l.add(w.At, "it began before the cancel's last byte was written")
	case w.ToCancel:
		l.add(w.At, "it came in the answer to the POST of the cancel: the server had read that")
		return
	case !isLate(w.late, w.Bound):
		l.add(w.At, "it began %s after the cancel%s: it may have been on its way for up to %s", precise(w.late), stopped, bound)
	default:
		l.add(w.At, "it began %s after the cancel%s: it can have been on its way for %s at most", precise(w.late), stopped, bound)
	}
	switch v := a.Verdict(); {
	case v == SaysCancelled:
		if w.unaccepted {
			l.add(w.At, "the server had not answered the POST of the cancel yet")
		}
		l.add(w.At, "the specification asks a server for silence after a cancel")
	case v != AnsweredLate && v != AnsweredError:
	case w.unaccepted:
		l.add(w.At, "the server had not answered the POST of the cancel yet, and may not have read the cancel")
	case a.Posts && w.Began.Sub(a.acceptedAt) <= min(w.Bound, sameTime):
		l.add(w.At, "the answer to the POST of the cancel came at about the same time: whether the server had read the cancel by then is not known")
	case a.Posts: // that was accepted: the server has read it
	case a.readAt.IsZero() || a.readAt.After(w.At):
		l.add(w.At, "whether the server had read the cancel by then is not known")
	}
}

func (a *Attempt) answerWords() string {
	switch w := &a.answer; {
	case w.Status != "":
		return "answered with " + w.Status
	case w.Err != nil:
		return "answered with " + w.Err.Words()
	case w.Both:
		return "answered with both a result and an error, which no answer may hold"
	case w.Odd:
		return "answered with something that is neither a result nor an error"
	case w.Large > 0 && w.Failed:
		return "answered with an error of " + sentence.Size(w.Large) + ", over the limit: belay keeps none of it"
	case w.Large > 0:
		return "answered with a result of " + sentence.Size(w.Large) + ", over the limit: belay keeps none of it"
	case w.Invalid != "":
		return "answered with an invalid result: " + w.Invalid
	case w.Handle != "":
		return "answered with the handle of a task that is " + w.Handle + " already: tasks/cancel is not sent"
	case w.Asks != "":
		return "answered by asking for input (" + w.Asks + "): the call is not finished by that, and not made again"
	case w.Failed && len(w.Texts) > 0:
		return "answered with a result that says isError: " + quotedAll(w.Texts)
	case w.Failed:
		return "answered with a result that says isError"
	case w.isWordedAsCancelled(a.Reason):
		return "answered with a result that does not say isError, and in words that the call was cancelled: " + quotedAll(w.Texts)
	case w.Notice != "":
		return w.Notice
	case a.Ends:
		return "the server answered that the subscription is ended"
	}
	return "answered with a result"
}

func quotedAll(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, sentence.Quoted(text))
	}
	return strings.Join(all, ", ")
}

func (s Lost) words() string {
	if s.For <= 0 {
		return ""
	}
	return fmt.Sprintf(", to be taken up again after %v", s.For.Round(time.Second/10))
}

// RejectedWords say that the server did not accept the cancel, and why. The end of
// a subscription of a handshake revision is a request, and no cancel.
func (a *Attempt) RejectedWords() string {
	if a.Signal == Unsubscribe {
		return "resources/unsubscribe was not accepted: " + a.rejected
	}
	return "the cancel was not accepted: " + a.rejected
}

// UndeliveredWords say why a cancel counts as not delivered; empty: it does not.
func (a *Attempt) UndeliveredWords() string {
	switch {
	case a.isRepeatOpen():
		return a.former.UndeliveredWords()
	case !a.isUndelivered():
		return ""
	case a.rejected != "":
		return "the server did not accept the cancel: " + a.rejected
	}
	return a.givenUpWords()
}

func (a *Attempt) givenUpWords() string {
	switch {
	case a.unsent != "":
		return "the cancel was not sent: " + a.unsent
	case a.task.value().awaited.Equal(a.wanted) && !a.task.value().awaited.IsZero():
		came, then := fmt.Sprintf("no task ID came within %v", UndeliveredAfter), ""
		switch at := a.task.value().unnamed.at; {
		case a.task.value().endedFirst != "":
		case at.IsZero():
			then = ": if its ID still comes, tasks/cancel is sent"
		case !at.After(a.gaveUpAt):
			came = "no task ID came"
		}
		return came + ", and a call that runs as a task may be cancelled by nothing else" + then
	case a.writtenAt.IsZero() && !a.task.value().missed.at.IsZero(): // as of a connection that is refused
		return "the cancel could not be written: " + a.task.value().missed.text
	case a.writtenAt.IsZero() || a.writtenAt.After(a.gaveUpAt):
		return fmt.Sprintf("the cancel could not be written within %v", UndeliveredAfter)
	}
	if !a.Posts {
		return fmt.Sprintf("the cancel was not known to be written within %v", UndeliveredAfter)
	}
	return fmt.Sprintf("the server did not accept the cancel within %v", a.acceptedWithin().Round(time.Second/10))
}

// precise is a duration as evidence shows it: milliseconds below a second, else
// hundredths of a second.
func precise(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return "less than 1 ms"
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}
