package outcome

import (
	"fmt"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/cancel"
	"belay/session/mcp"
	sessiontask "belay/session/task"
)

// Result is what the tool returned, as text: its texts as they are, and a line in brackets for
// each part that is none. It is empty without a result, and where the tool has failed:
// [Outcome.Remarks] tells of the failure.
func (o *Outcome) Result() string {
	if o.Call.Shown() != session.Done || o.Call.ToolError {
		return ""
	}
	return resultText(o.Call.Result)
}

// resultText is a result as lines, each of which ends in a line break.
func resultText(raw []byte) string {
	parts := mcp.ParseResult(raw)
	var b strings.Builder
	for i := range parts.Parts {
		p := &parts.Parts[i]
		if p.HasText {
			b.WriteString(Safe(p.Text))
			continue
		}
		b.WriteString(partWords(p))
	}
	if parts.More > 0 {
		fmt.Fprintf(&b, "[%d more parts: -o json has them]\n", parts.More)
	}
	switch {
	case len(parts.Parts) > 0:
	case parts.Structured != nil:
		return string(Encode(raw2(parts.Structured)))
	case len(raw) > 0:
		value, text := valueOf(raw)
		if text != "" {
			return Safe(text)
		}
		if string(value) != "{}" && !isEmpty(value) {
			return string(Encode(value))
		}
	}
	return b.String()
}

func raw2(b []byte) any {
	value, text := valueOf(b)
	if text != "" {
		return text
	}
	return value
}

// isEmpty reports whether a result of a tool holds nothing: its content is an empty list.
func isEmpty(raw []byte) bool {
	return strings.Join(strings.Fields(string(raw)), "") == `{"content":[]}`
}

func partWords(p *mcp.Part) string {
	words := []string{string(wording.NameIn(p.Type, 40))}
	if p.MIME != "" {
		words = append(words, string(safe.LineN(p.MIME, 100)))
	}
	if p.Binary {
		words = append(words, string(wording.Size(p.Size)))
	}
	for _, s := range []string{p.Name, p.URI} {
		if s != "" {
			words = append(words, string(safe.LineN(s, 500)))
		}
	}
	return "[" + strings.Join(words, ", ") + "]\n"
}

// Safe is a text of the server's for whatever shows it: line breaks and tabs are kept, and
// nothing else of it acts. It ends in a line break unless it is empty.
func Safe(text string) string {
	text = strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return ""
	}
	var b strings.Builder
	b.Grow(len(text) + 1)
	for line := range strings.SplitSeq(text, "\n") {
		for i, cell := range strings.Split(line, "\t") {
			if i > 0 {
				b.WriteByte('\t')
			}
			b.WriteString(string(safe.Line(cell)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// remarkMost bounds a text of the server's in a remark, in lines.
const remarkMost = 200

// Remarks are the lines beside the result, made safe: the reason why a result is lacking, the
// verdict of the cancel, and the faults of the result.
func (o *Outcome) Remarks() (lines []string) {
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	c := &o.Call
	switch {
	case c.Shown() == session.Failed && c.Err != nil:
		say("the server answered with the error %s: %s", safe.LineN(c.Err.CodeWords(), 30), safe.Quoted(clip(c.Err.Message)))
		if c.ErrText != "" {
			say("%s", safe.LineN(c.ErrText, 400))
		}
	case c.ToolError && c.State.IsTerminal():
		say("the tool says that it failed:")
		lines = append(lines, resultLines(c.Result)...)
	case isFailedWithResult(c):
		say("the call failed, by what the server says of its task; the result:")
		lines = append(lines, resultLines(c.Result)...)
	case c.Shown() == session.Failed:
		say("the call failed")
	case c.Left: // the note says why
	case c.State == session.Lost && o.Status.Failure == nil && c.Note != "": // the server has ended the session, and another began
		say("the call is lost: %s", safe.LineN(c.Note, 400))
	case c.State == session.Lost:
		say("the connection was lost before an answer came")
		if f := o.Status.Failure; f != nil {
			say("%s", safe.LineN(f.Text, 400))
			for _, l := range safe.Block(f.Stderr, 20) {
				lines = append(lines, "  stderr │ "+string(l))
			}
		}
	case c.State == session.Dropped:
		say("the call was dropped before it was sent: the server knows nothing of it")
	case !c.State.IsTerminal():
		say("the call is %s: nobody waits for it any more", safe.Line(stateWord(c.State)))
	}
	if c.Note != "" && (c.State != session.Lost || c.Left) { // which the failure says in more words
		say("%s", safe.LineN(c.Note, 400))
	}
	if says := wording.TaskSays(&c.Row); says != "" {
		say("%s", says)
	}
	if isAhead(c) {
		say("the outcome has come, and the task was %s, as the server had told last: no status that tells its end has come", c.Task.Status)
	}
	if c.Task != nil && c.Task.Unconfirmed {
		say("the task is %s, in %s; no tasks/get has told of it since", c.Task.Status, c.Task.By)
	}
	if says := otherwise(c); says != "" {
		say("%s", says)
	}
	lines = append(lines, cancelLines(c)...)
	switch {
	case c.Left && c.Task != nil && c.Task.OutcomeLeft: // the note says that, too
	case c.Left && o.Status.Transport == mcp.Stdio: // the note, which has named it, is of the time before
		say("belay ends the server: what becomes of the task then is up to the server")
	case c.Left:
	case c.UnnamedTask:
		if words := string(wording.UnnamedTaskGoesOn(o.Status.Transport, "", c.UnusableID)); !strings.Contains(c.Note, words) {
			say("%s", words)
		}
	case c.Task != nil && c.Task.OutcomeOut:
		say("the outcome of the task had not come when belay left: tasks/result was not answered")
	case c.Task != nil && c.Task.OutcomeLeft: // it need not have been asked for by then
		say("the outcome of the task had not come when belay left")
	case leavesNamed(c):
		say("%s", wording.TaskGoesOn(o.Status.Transport, c.Task.ID))
	}
	if d := o.Unstructured; d != nil {
		cite := d.Cite(o.Status.Revision)
		say("the answer is %s (%s, %s: %s)", d.Code.Words(), cite.Revision, cite.Page, cite.Rule)
	}
	switch c.Conformity {
	case session.Breaks:
		say("the structured content breaks the output schema of the tool:")
		for _, f := range c.Schema.Faults {
			if f.Where != "" {
				f.Why = f.Where + ": " + f.Why
			}
			lines = append(lines, "  "+string(safe.LineN(f.Why, 400)))
		}
	case session.Uncheckable:
		say("the structured content was not checked: %s", safe.LineN(c.Schema.NotChecked, 400))
	case session.NoSchema, session.Unjudged, session.Conforms:
	}
	if c.Conformity == session.Conforms || c.Conformity == session.Breaks {
		for _, part := range c.Schema.Blind {
			say("of the output schema this was not checked: %s", safe.LineN(part, 400))
		}
	}
	return lines
}

// otherwise says what the server said of a task that had ended otherwise; empty: nothing, or the evidence of
// its cancel has it.
func otherwise(c *session.Detail) string {
	inEvidence := c.State == session.Cancelled && c.Verdict != cancel.NotDelivered && c.Verdict != cancel.NothingRunning
	if c.Task == nil || c.Task.Otherwise.Status == 0 || inEvidence {
		return ""
	}
	t, o := c.Task, c.Task.Otherwise
	words := fmt.Sprintf("the server said that the task is %s, in %s, and then that it is %s, in %s", t.Status, t.By, o.Status, o.By)
	if o.Message != "" {
		words += ": " + string(safe.Quoted(clip(o.Message)))
	}
	return words + ": the first status stays"
}

// resultLines are a result in a remark.
func resultLines(raw []byte) (lines []string) {
	for _, l := range safe.Block(strings.TrimSuffix(resultText(raw), "\n"), remarkMost) {
		lines = append(lines, "  "+string(l))
	}
	return lines
}

// isFailedWithResult reports whether the server calls the task of a call failed or cancelled, though its
// outcome is a result that says no isError.
func isFailedWithResult(c *session.Detail) bool {
	denied := c.Task != nil && (c.Task.Status == sessiontask.Failed || c.Task.Status == sessiontask.Cancelled)
	return c.Shown() == session.Failed && denied && !c.ToolError && c.Err == nil && len(c.Result) > 0
}

// isAhead reports whether a call has ended by the outcome of its task, and no status since tells that the
// task has ended, or goes on.
func isAhead(c *session.Detail) bool {
	return (c.State == session.Done || c.State == session.Failed) && c.Task != nil && c.Task.OutcomeAhead
}

// leavesNamed reports whether a call has ended and its task has not, as far as is known, which is
// said with the ID of the task. A task has ended with its outcome, whatever the last poll said.
func leavesNamed(c *session.Detail) bool {
	t := c.Task
	hasOutcome := c.State == session.Done || c.State == session.Failed && (c.Err != nil || c.ToolError)
	return c.State.IsTerminal() && !hasOutcome && t != nil && t.ID != "" && !t.Status.IsTerminal() && !t.Unknown
}

// cancelLines tell of the cancel: the verdict, and what it stands on.
func cancelLines(c *session.Detail) (lines []string) {
	if c.State != session.Cancelled || c.Verdict == cancel.NoVerdict {
		return nil
	}
	said, word := string(wording.Verdict(c)), string(wording.VerdictWord(c.Row))
	if leavesNamed(c) {
		said = strings.TrimSuffix(said, wording.TaskMayGoOn)
	}
	if !strings.HasPrefix(said, word) {
		said = word + ": " + said
	}
	lines = append(lines, "cancelled · "+said)
	for _, e := range c.Evidence {
		lines = append(lines, fmt.Sprintf("  %7.3fs  %s", secs(e.At.Sub(c.Created)), safe.LineN(e.Text, 400)))
	}
	return lines
}

func clip(s string) string {
	if r := []rune(s); len(r) > 2000 {
		return string(r[:2000]) + "…"
	}
	return s
}
