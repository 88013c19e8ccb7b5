package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"belay/internal/safe"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/canvas"
	"belay/ui/doc"
	"belay/ui/remedy"
	"belay/ui/spell"
)

// lateEnough is a delay that is worth a line of its own.
const lateEnough = 100 * time.Millisecond

// timeColumn is the width of the times at the left of the timeline.
const timeColumn = 8

// timelineTab draws the messages of a call as a sequence between two parties,
// with the cancel, what came after it, and what follows from that.
func (m *Model) timelineTab(d *doc.Doc) {
	c := &m.detail.d
	w := d.Width()
	d.Add(0, doc.Span{Text: safe.PadLeft("you", timeColumn+4), Style: m.styles.Strong},
		doc.Span{Text: safe.PadLeft("server", w-timeColumn-4), Style: m.styles.Strong})
	for i := 0; i < len(c.Timeline); i++ {
		m.momentDoc(d, c.Timeline[i], i)
		if n := sameAfter(c.Timeline[i:]); n > runMost {
			m.remark(d, "", spell.Thousands(n-2)+" more of these")
			i += n - 2 // the last one is drawn again
		}
	}
	if c.Skipped > 0 {
		m.remark(d, "", spell.Count(c.Skipped, "moment")+" in between are not kept")
	}
	if c.State == session.Cancelling || c.State == session.Cancelled {
		m.verdictDoc(d)
	}
}

// runMost is how many messages of a kind are drawn one by one after a cancel.
// Of more than that the first and the last tell as much.
const runMost = 3

// sameAfter counts the messages after the cancel that the moments begin with
// and that are of one kind.
func sameAfter(all []session.Moment) int {
	n := 0
	for n < len(all) && all[n].Kind == session.MomAfter && all[n].Text == all[0].Text {
		n++
	}
	return n
}

func (m *Model) remark(d *doc.Doc, at, text safe.Text) {
	d.Add(timeColumn+3, doc.Span{Text: safe.PadLeft(at, timeColumn) + " " + m.glyphs.Note + " ", Style: m.styles.Muted},
		doc.Span{Text: text, Style: m.styles.Muted})
}

// momentDoc draws one moment, if it is worth that. What a message is takes one
// line; what was noted of a call is told whole.
func (m *Model) momentDoc(d *doc.Doc, mo session.Moment, i int) {
	c := &m.detail.d
	at := safe.PadLeft(spell.Precise(mo.At.Sub(c.Created)), timeColumn) + " "
	label, style, dashed := m.momentWords(mo)
	if label == "" || m.trivial(mo, i) {
		return
	}
	lane := d.Width() - timeColumn - 1
	line := doc.Line{{Text: at, Style: m.styles.Muted}}
	switch mo.Dir {
	case session.Out:
		d.AddLine(append(line, m.arrow(label, lane, style, true, dashed)...))
	case session.In:
		d.AddLine(append(line, m.arrow(label, lane, style, false, dashed)...))
	case session.Local:
		d.Add(timeColumn+3, line[0], doc.Span{Text: m.glyphs.Note + " " + label, Style: style})
	}
}

// trivial leaves out what the lines around it say already.
func (m *Model) trivial(mo session.Moment, i int) bool {
	c := &m.detail.d
	switch mo.Kind {
	case session.MomCreated:
		return !c.Sent.IsZero() && c.Sent.Sub(c.Created) < lateEnough
	case session.MomCancelWanted:
		next := i + 1
		return c.Initiator == session.ByUser && next < len(c.Timeline) && slices.Contains([]session.MomentKind{session.MomCancelSent, session.MomClosing, session.MomUnsubscribe}, c.Timeline[next].Kind) &&
			c.Timeline[next].At.Sub(mo.At) < lateEnough
	default:
		return false
	}
}

// momentWords is the label of a moment.
func (m *Model) momentWords(mo session.Moment) (label safe.Text, style canvas.Style, dashed bool) {
	c, st := &m.detail.d, m.styles
	switch mo.Kind {
	case session.MomCreated:
		return "you asked for " + spell.Name(mo.Text), st.Muted, false
	case session.MomSent:
		return spell.Name(mo.Text), st.Text, false
	case session.MomProgress:
		label = "progress " + progressLabel(mo.Text)
		if mo.Count > 1 {
			label += " · " + spell.Count(mo.Count, "notice")
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
			return "you are asked: " + spell.Name(mo.Text), st.Warn, false
		}
		return spell.Name(mo.Text), st.Warn, false
	case session.MomPromptEnd:
		return "the prompt was " + safe.Line(mo.Text), st.Muted, false
	case session.MomCancelWanted:
		return m.wantedWords(), st.Stop, false
	case session.MomCancelSent:
		return "cancelled " + safe.QuotedCut(mo.Text, 120), st.Stop, false
	case session.MomClosing:
		return "closes the exchange", st.Stop, false
	case session.MomHTTP:
		return safe.LineN(mo.Text, 400), st.Muted, false
	case session.MomResult:
		if c.ToolError {
			return "result, isError", st.Warn, false
		}
		return "result", st.OK, false
	case session.MomError:
		return spell.Join("error", errorCode(c.Err)), st.Bad, false
	case session.MomLate:
		return lateWords(c.Late), st.Stop, true
	case session.MomAfter:
		return spell.Method(mo.Text) + ", after the cancel", st.Warn, true
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
			label += " · " + spell.Count(mo.Count, "notice")
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

func (m *Model) wantedWords() safe.Text {
	switch m.detail.d.Initiator {
	case session.ByTimeout:
		return "timed out: belay cancels it"
	case session.ByQuit, session.ByDisconnect:
		return "belay leaves: it cancels this"
	case session.ByRule:
		return "your rule cancels it"
	case session.ByUser, session.BySuperseded, session.ByServer:
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

func errorCode(e *mcp.RPCError) safe.Text {
	if e == nil {
		return ""
	}
	return safe.Text(strconv.FormatInt(e.Code, 10))
}

func lateWords(l *session.LateAnswer) safe.Text {
	switch {
	case l == nil:
		return "answer, late"
	case l.Err != nil:
		return "error " + errorCode(l.Err) + ", " + lag(l.After) + " late"
	case l.ToolError:
		return "result (isError), " + lag(l.After) + " late"
	}
	return "result, " + lag(l.After) + " late"
}

// lag writes a lateness: milliseconds below a second.
func lag(d time.Duration) safe.Text {
	switch {
	case d < time.Millisecond:
		return "<1ms"
	case d < time.Second:
		return safe.Text(strconv.FormatInt(d.Milliseconds(), 10)) + "ms"
	}
	return safe.Text(strconv.FormatFloat(d.Seconds(), 'f', 2, 64)) + "s"
}

// arrow draws a message of w columns, its label in the line: at the sender's
// end when it leaves, at the sender's end when it comes.
func (m *Model) arrow(label safe.Text, w int, style canvas.Style, out, dashed bool) []doc.Span {
	rule := string(m.glyphs.Line)
	if dashed {
		rule = string(m.glyphs.Dashed)
	}
	label = safe.Cut(label, w-6)
	n := max(1, w-safe.Width(label)-5)
	thin := m.styles.Faint
	thin.FG = style.FG
	if out {
		return []doc.Span{
			{Text: safe.Text(strings.Repeat(rule, 2)) + " ", Style: thin},
			{Text: label, Style: style},
			{Text: " " + safe.Text(strings.Repeat(rule, n)) + m.glyphs.HeadOut, Style: thin},
		}
	}
	return []doc.Span{
		{Text: m.glyphs.HeadIn + safe.Text(strings.Repeat(rule, n+2)) + " ", Style: thin},
		{Text: label, Style: style},
	}
}

// verdictDoc is what follows from the timeline: the verdict, what it means,
// and the evidence.
func (m *Model) verdictDoc(d *doc.Doc) {
	c := &m.detail.d
	d.Blank()
	s := m.stateOf(c.Row)
	d.Add(2, doc.Span{Text: s.text(true), Style: s.style.Bold()})
	if text := m.verdictText(); text != "" && c.State == session.Cancelled {
		d.Add(2, doc.Span{Text: "  " + text, Style: m.styles.Text})
	}
	for _, e := range c.Evidence {
		at := safe.PadLeft(spell.Precise(e.At.Sub(c.Created)), timeColumn)
		d.Add(timeColumn+2, doc.Span{Text: at + "  ", Style: m.styles.Muted}, doc.Span{Text: safe.LineN(e.Text, 600), Style: m.styles.Muted})
	}
}

// verdictText is what the verdict means; a silence says since when.
func (m *Model) verdictText() safe.Text {
	c := &m.detail.d
	text := verdictMeaning(c.Verdict)
	if c.Verdict == session.AnsweredLate && c.Late != nil && c.Late.ToolError {
		return "the server answered anyway, with an error of the tool; it is ignored"
	}
	if c.Verdict != session.Quiet && c.Verdict != session.NothingHeard {
		return text
	}
	after, left, heard := lastAfter(c.Timeline)
	came, silent := spell.Count(c.AfterCount, "message")+" came after", ", then nothing for "+lag(c.Ended.Sub(left)-after)
	switch {
	case c.Away && heard:
		return came + " the cancel, then the call's stream was away: belay could not hear whether the work went on"
	case c.Away:
		return "the call's stream was away: belay could not hear whether the work went on"
	case c.Verdict == session.NothingHeard && heard:
		return came + " the cancel" + silent + ", and there was no way to ask"
	case c.Verdict == session.NothingHeard:
		return text
	case heard:
		return "quiet after " + lag(after) + ": the server read the cancel; " + came + " it" + silent
	}
	return "quiet at once: " + text
}

// lastAfter is when the cancel left, and how long after that the last other
// message came.
func lastAfter(all []session.Moment) (after time.Duration, left time.Time, ok bool) {
	for _, mo := range all {
		switch {
		case mo.Kind == session.MomCancelSent, mo.Kind == session.MomClosing, mo.Kind == session.MomUnsubscribe:
			left = mo.At
		case mo.Kind == session.MomAfter && !left.IsZero():
			after, ok = mo.At.Sub(left), true
		}
	}
	return after, left, ok
}

// verdictMeaning says in a sentence what a verdict means. None of them claims
// that the server stopped when all that is known is silence.
func verdictMeaning(v session.Verdict) safe.Text {
	return [...]safe.Text{
		session.NoVerdict:          "",
		session.NothingRunning:     "no request was in flight, so nothing was sent",
		session.NotDelivered:       "the server took no cancel within five seconds; the evidence says whether it did later",
		session.ServerDied:         "the server ended before anything was known",
		session.Acknowledged:       "the server answered that the subscription is ended",
		session.Crossed:            "the answer may have been on its way when the cancel was sent",
		session.AnsweredError:      "the server answered the cancelled call with an error",
		session.AnsweredLate:       "the server finished anyway; its answer is ignored",
		session.StreamClosed:       "closing the exchange is the cancel here: the reason stays with belay, and nothing more can be seen",
		session.StillWorking:       "messages for the call went on: a server may ignore a cancel",
		session.ServerUnresponsive: "the server answered nothing at all since",
		session.Quiet:              "the server read the cancel and said nothing more of the call",
		session.NothingHeard:       "nothing was heard of the call, and there was no way to ask",
	}[v]
}
