package wording

import (
	"strconv"
	"strings"

	"belay/internal/safe"
	"belay/session"
	"belay/session/cancel"
)

// Moment names a moment of a call, as its timeline does. What helps against the trouble
// that a note tells of ([session.Remedy]) is for the reader to say: keys and options differ.
func Moment(c *session.Detail, mo session.MomentView) safe.Text {
	switch mo.Kind {
	case session.MomCreated:
		if c.Origin == session.FromBelay || c.Origin == session.FromHandshake {
			return "belay asked for " + Name(mo.Text)
		}
		return "you asked for " + Name(mo.Text)
	case session.MomSent:
		return Name(mo.Text)
	case session.MomProgress:
		return "progress " + progressWords(&mo)
	case session.MomLog:
		return "log " + safe.QuotedCut(mo.Text, 200)
	case session.MomRound:
		return "input required: " + safe.LineN(mo.Text, 200)
	case session.MomAgain:
		return "again, request " + safe.Line(mo.Text)
	case session.MomQuestion:
		if mo.Dir == session.Local {
			return "you are asked: " + Name(mo.Text)
		}
		return Name(mo.Text)
	case session.MomQuestionEnd:
		return "the question was " + safe.Line(mo.Text)
	case session.MomCancelWanted:
		return cancelWanted(c.Initiator)
	case session.MomCancelSent:
		return "cancelled " + safe.QuotedCut(mo.Text, 120)
	case session.MomWrong:
		return "a wrong cancel, on purpose: " + safe.LineN(mo.Text, 200)
	case session.MomClosing:
		return "closes the exchange"
	case session.MomHTTP:
		return safe.LineN(mo.Text, 400)
	case session.MomResumed:
		return "taken up again, " + Thousands(mo.Count) + " times, without a message; now after " + safe.Line(mo.Text)
	case session.MomResult:
		if c.ToolError {
			return "result, isError"
		}
		return "result"
	case session.MomError:
		return Join("error", ErrorCode(c.Err))
	case session.MomLate:
		return lateAnswer(c)
	case session.MomAfter:
		if mo.Value != "" {
			num, message, _ := strings.Cut(mo.Value, " ")
			text := "progress " + safe.LineN(num, 40) + " after the cancel"
			if message != "" {
				text += " " + safe.QuotedCut(message, 120)
			}
			return text
		}
		return Method(mo.Text) + ", after the cancel"
	case session.MomGrace:
		if mo.Text != "" {
			return safe.Line(mo.Text)
		}
		return "the grace is over"
	case session.MomProbe:
		return safe.Line(mo.Text) + ", a probe"
	case session.MomProbeAnswer:
		return "answer to " + safe.Line(mo.Text)
	case session.MomProbeLate:
		return "no answer to that either"
	case session.MomAgreed:
		return "acknowledged: " + safe.LineN(mo.Text, 200)
	case session.MomUpdate:
		text := safe.LineN(mo.Text, 200)
		if mo.Count > 1 {
			text += " · " + Count(mo.Count, "notice")
		}
		return text
	case session.MomUnsubscribe:
		return "resources/unsubscribe"
	case session.MomTaskCancel:
		return "tasks/cancel"
	case session.MomEnded:
		return safe.LineN(mo.Text, 400)
	case session.MomEnd:
		return "the connection ended: " + safe.LineN(mo.Text, 200)
	case session.MomNote, session.MomTask:
		return safe.LineN(mo.Text, 400)
	}
	return ""
}

// cancelWanted says who wants the cancel.
func cancelWanted(by cancel.Initiator) safe.Text {
	switch by {
	case cancel.ByTimeout:
		return "timed out: belay cancels it"
	case cancel.ByDisconnect:
		return "belay ends the connection: it cancels this"
	case cancel.ByQuit:
		return "belay leaves: it cancels this"
	case cancel.ByRule:
		return "your rule cancels it"
	case cancel.BySuperseded:
		return "belay cancels it"
	case cancel.ByAudit:
		return "the audit cancels it"
	case cancel.ByUser, cancel.ByServer:
	}
	return "you cancel it"
}

// progressWords are the numbers of progress, and the message. Of progress that came together they
// are the least and the latest, and where the latest are not the most, those besides.
func progressWords(mo *session.MomentView) safe.Text {
	text := progressValue(mo.Text)
	if mo.Count < 2 {
		return text
	}
	latest, _, _ := strings.Cut(mo.Text, " ")
	least, most, wentBack := strings.Cut(mo.Value, " ")
	if !wentBack && least != "" && least != latest {
		text = safe.LineN(least, 40) + " to " + text
	}
	text += " · " + Count(mo.Count, "notice")
	if wentBack {
		text += ", " + safe.LineN(least, 40) + " to " + safe.LineN(most, 40)
	}
	return text
}

// progressValue is the value of a progress notification, with its message in quotes.
func progressValue(text string) safe.Text {
	num, message, _ := strings.Cut(text, " ")
	if message == "" {
		return safe.LineN(num, 40)
	}
	return safe.LineN(num, 40) + " " + safe.QuotedCut(message, 120)
}

// lateAnswer names an answer that came after the cancel, with its lateness.
func lateAnswer(c *session.Detail) safe.Text {
	switch l := c.Late; {
	case l == nil:
		return "answer, late"
	case l.Status != 0:
		return "HTTP " + safe.Text(strconv.Itoa(l.Status)) + lateness(c)
	case l.Err != nil:
		return "error " + ErrorCode(l.Err) + lateness(c)
	case l.ToolError:
		return "result (isError)" + lateness(c)
	case l.Handle:
		return "handle of a task" + lateness(c)
	case c.UnusableID:
		return "handle of a task" + lateness(c)
	case l.Malformed:
		return "malformed answer" + lateness(c)
	case l.Asks:
		return "input required" + lateness(c)
	}
	return "result" + lateness(c)
}

// lateness is how long after the cancel an answer began. Only what cannot have been on
// its way is late.
func lateness(c *session.Detail) safe.Text {
	switch after := c.Late.After; {
	case c.State == session.Cancelling: // when its cancel was written is not told yet
		return ""
	case after <= 0 && c.Verdict == cancel.NotDelivered: // of one that was never written, too
		return ""
	case after <= 0:
		return ", begun before the cancel was written"
	case c.TaskEnd != cancel.NoEnd && c.TaskEnd != cancel.EndToldBefore && c.Verdict == cancel.Crossed:
		return ", first seen " + Lag(after) + " later"
	case c.Verdict == cancel.Crossed, c.Verdict == cancel.SaysCancelled, c.Late.Crossed:
		return ", " + Lag(after) + " after"
	case c.Task != nil: // which ended some time before it was polled
		return ", first seen " + Lag(after) + " later"
	default:
		return ", " + Lag(after) + " late"
	}
}
