package timeline

import (
	"strconv"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/ui/canvas"
	"belay/ui/remedy"
)

// words are the label of a moment; empty: it is not drawn.
func (p *picture) words(mo session.MomentView) (label safe.Text, style canvas.Style, dashed bool) {
	c, st := p.c, p.looks.Styles
	switch mo.Kind {
	case session.MomCreated:
		return "you asked for " + wording.Name(mo.Text), st.Muted, false
	case session.MomSent:
		return wording.Name(mo.Text), st.Text, false
	case session.MomProgress:
		label = "progress " + progressLabel(mo.Text)
		if mo.Count > 1 {
			label += " · " + wording.Count(mo.Count, "notice")
		}
		return label, st.Info, false
	case session.MomLog:
		return "log " + safe.QuotedCut(mo.Text, 200), st.Muted, false
	case session.MomRound:
		return "input required: " + safe.LineN(mo.Text, 200), st.Warn, false
	case session.MomAgain:
		return "again, request " + safe.Line(mo.Text), st.Text, false
	case session.MomPrompt:
		if mo.Dir == session.Local {
			return "you are asked: " + wording.Name(mo.Text), st.Warn, false
		}
		return wording.Name(mo.Text), st.Warn, false
	case session.MomPromptEnd:
		return "the prompt was " + safe.Line(mo.Text), st.Muted, false
	case session.MomCancelWanted:
		return wantedWords(c.Initiator), st.Stop, false
	case session.MomCancelSent:
		return "cancelled " + safe.QuotedCut(mo.Text, 120), st.Stop, false
	case session.MomClosing:
		return "closes the exchange", st.Stop, false
	case session.MomHTTP:
		return safe.LineN(mo.Text, 400), st.Muted, false
	case session.MomTakenUp:
		return "taken up again, " + wording.Thousands(mo.Count) + " times, without a message; now after " + safe.Line(mo.Text), st.Muted, false
	case session.MomResult:
		if c.ToolError {
			return "result, isError", st.Warn, false
		}
		return "result", st.OK, false
	case session.MomError:
		return wording.Join("error", wording.ErrorCode(c.Err)), st.Bad, false
	case session.MomLate:
		return lateWords(c), st.Stop, true
	case session.MomAfter:
		if mo.Value != "" {
			num, message, _ := strings.Cut(mo.Value, " ")
			label = "progress " + safe.LineN(num, 40) + " after the cancel"
			if message != "" {
				label += " " + safe.QuotedCut(message, 120)
			}
			return label, st.Warn, true
		}
		return wording.Method(mo.Text) + ", after the cancel", st.Warn, true
	case session.MomGrace:
		return "the grace is over", st.Muted, false
	case session.MomProbe:
		return safe.Line(mo.Text) + ", a probe", st.Muted, false
	case session.MomProbeAnswer:
		return "answer to " + safe.Line(mo.Text), st.Muted, false
	case session.MomProbeLate:
		return "no answer to that either", st.Bad, false
	case session.MomAgreed:
		return "acknowledged: " + safe.LineN(mo.Text, 200), st.OK, false
	case session.MomUpdate:
		label = safe.LineN(mo.Text, 200)
		if mo.Count > 1 {
			label += " · " + wording.Count(mo.Count, "notice")
		}
		return label, st.Info, false
	case session.MomUnsubscribe:
		return "resources/unsubscribe", st.Stop, false
	case session.MomEnded:
		return safe.LineN(mo.Text, 400), st.Warn, false
	case session.MomEnd:
		return "the connection ended: " + safe.LineN(mo.Text, 200), st.Bad, false
	case session.MomNote:
		return remedy.With(safe.LineN(mo.Text, 400), mo.Remedy), st.Warn, false
	}
	return "", canvas.Style{}, false
}

func wantedWords(by cancel.Initiator) safe.Text {
	switch by {
	case cancel.ByTimeout:
		return "timed out: belay cancels it"
	case cancel.ByQuit, cancel.ByDisconnect:
		return "belay leaves: it cancels this"
	case cancel.ByRule:
		return "your rule cancels it"
	case cancel.ByUser, cancel.BySuperseded, cancel.ByServer:
	}
	return "you cancel it"
}

func progressLabel(text string) safe.Text {
	num, message, _ := strings.Cut(text, " ")
	if message == "" {
		return safe.LineN(num, 40)
	}
	return safe.LineN(num, 40) + " " + safe.QuotedCut(message, 120)
}

func lateWords(c *session.Detail) safe.Text {
	switch l := c.Late; {
	case l == nil:
		return "answer, late"
	case l.Status != 0:
		return "HTTP " + safe.Text(strconv.Itoa(l.Status)) + lag(c)
	case l.Err != nil:
		return "error " + wording.ErrorCode(l.Err) + lag(c)
	case l.ToolError:
		return "result (isError)" + lag(c)
	case l.Malformed:
		return "malformed answer" + lag(c)
	}
	return "result" + lag(c)
}

// lag is how long after the cancel an answer began. Only what cannot have been on
// its way is late.
func lag(c *session.Detail) safe.Text {
	switch after := c.Late.After; {
	case after <= 0:
		return ", begun before the cancel was written"
	case c.Verdict == cancel.Crossed, c.Verdict == cancel.SaysCancelled:
		return ", " + wording.Lag(after) + " after"
	default:
		return ", " + wording.Lag(after) + " late"
	}
}
