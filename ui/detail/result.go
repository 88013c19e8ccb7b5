package detail

import (
	"strconv"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/write"
)

// messageMost is how many bytes of the message of an error are shown.
const messageMost = 64 << 10

// resultTab is what came back, in whichever way.
func (c *content) resultTab(d *write.Writer) {
	call := &c.call
	st := d.Styles
	switch {
	case call.Err != nil:
		c.noteLine(d)
		c.taskSaysLine(d)
		errorDoc(d, call.Err, safe.Line(call.ErrText))
		comparedDoc(d, call.Compared)
	case call.Late != nil:
		c.lateDoc(d, call.Late)
	case call.State == session.Cancelled:
		d.Add(0, doc.Span{Text: "none: the call was cancelled here", Style: st.Stop})
		d.Add(0, doc.Span{Text: "the timeline says what the server did about it", Style: st.Muted})
	case call.Dropped > 0:
		c.noteLine(d)
		c.taskSaysLine(d)
		c.judgementDoc(d)
		d.Add(0, doc.Span{Text: droppedWords(call), Style: st.Warn})
	case call.Result != nil:
		c.noteLine(d)
		c.taskSaysLine(d)
		c.judgementDoc(d)
		c.valueDoc(d, call.Result)
	case call.IsInFlight():
		d.Add(0, doc.Span{Text: "none yet", Style: st.Muted})
		comparedDoc(d, call.Compared)
	case c.words.Note(call.Row) != "":
		c.noteLine(d)
		c.taskSaysLine(d)
	default:
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
	}
}

// droppedWords say that a result came, and is not there.
func droppedWords(call *session.Detail) safe.Text {
	if call.Hollow {
		return "this result was not kept: " + wording.Size(call.Dropped) + " · the recording was begun after it had come"
	}
	return "the result (" + wording.Size(call.Dropped) + ") is no longer kept"
}

func (c *content) noteLine(d *write.Writer) {
	if n := c.words.Note(c.call.Row); n != "" {
		d.Add(0, doc.Span{Text: n, Style: d.Styles.Warn})
		d.Blank()
	}
}

// taskSaysLine is what the server said of the task of a call that failed. The error of the task does
// not have it.
func (c *content) taskSaysLine(d *write.Writer) {
	if says := wording.TaskSays(&c.call.Row); says != "" {
		d.Add(0, doc.Span{Text: says, Style: d.Styles.Warn})
		d.Blank()
	}
}

// lateDoc shows an answer that came after the cancel. It is no outcome.
func (c *content) lateDoc(d *write.Writer, l *session.LateAnswer) {
	what := safe.Text("this result")
	switch {
	case l.Status != 0:
		what = wording.Join("HTTP", safe.Text(strconv.Itoa(l.Status)))
	case l.Err != nil:
		what = "this error"
	case l.ToolError:
		what = "this tool error"
	case l.Handle:
		what = "this handle of a task that has ended"
	case c.call.UnusableID:
		what = "this handle of a task whose ID cannot be used"
	case l.Malformed:
		what = "this answer, which is malformed,"
	case l.Asks:
		what = "this request for input"
	}
	when := " came " + wording.Precise(l.After) + " after the cancel"
	switch {
	case c.call.State == session.Cancelling:
		when = " came; when the cancel was written is not told yet"
	case l.After == 0:
		when = " began before the cancel had left"
	}
	d.Add(0, doc.Span{Text: "ignored: " + what + when, Style: d.Styles.Stop})
	if l.Outcome != nil {
		d.Add(0, doc.Span{Text: "the outcome of the task, which tasks/get brought after that:", Style: d.Styles.Stop})
	}
	d.Blank()
	switch l = l.Shown(); {
	case l.Status != 0: // the evidence tells of what came with it
	case l.Err != nil:
		errorDoc(d, l.Err, "")
	case l.Result != nil:
		c.valueDoc(d, l.Result)
	case l.Malformed:
		d.Add(0, doc.Span{Text: "it holds neither a result nor an error, or both of them: the wire shows it", Style: d.Styles.Muted})
	default:
		d.Add(0, doc.Span{Text: droppedWords(&c.call), Style: d.Styles.Muted})
	}
}

func errorDoc(d *write.Writer, e *mcp.RPCError, meaning safe.Text) {
	st := d.Styles
	d.Field("error", wording.ErrorCode(e), st.Bad)
	if meaning != "" {
		d.Field("meaning", meaning, st.Text)
	}
	text := e.Message
	if n := d.Upto(len(text), messageMost); n < len(text) {
		text = strings.ToValidUTF8(text[:n], "")
	}
	message := safe.Quoted(text)
	if e.Bare {
		message = safe.Line(text)
	}
	d.Field("message", message, st.Text)
	if len(e.Message) > messageMost && !d.IsWhole() {
		d.Field("", wording.Size(len(e.Message))+" in all: o saves all of it", st.Warn)
	}
	if len(e.Data) > 0 {
		if len(e.Data) > write.MaxBytes && !d.IsWhole() {
			d.Heading("data · " + wording.Size(len(e.Data)) + ", of which the beginning is shown: o saves all of it")
		} else {
			d.Heading("data")
		}
		d.JSON(e.Data)
	}
}

// valueDoc shows a result: text as text, what is no text by its kind and size,
// and everything else as the JSON that it is. The whole message is in the wire
// tab.
func (c *content) valueDoc(d *write.Writer, raw []byte) {
	p, ok := c.parts(raw)
	switch {
	case !ok:
		d.Add(0, doc.Span{Text: "its " + wording.Size(len(raw)) + " are being read" + d.Glyphs.Dots, Style: d.Styles.Muted})
		return
	case len(p.Parts) == 0 && p.Structured == nil:
		d.JSON(raw)
		return
	}
	if p.IsError {
		d.Add(0, doc.Span{Text: "the tool says that it failed (isError)", Style: d.Styles.Bad})
		d.Blank()
	}
	for i := range p.Parts {
		if d.IsCut() {
			break
		}
		if role := p.Parts[i].Role; role != "" {
			d.Add(0, doc.Span{Text: wording.NameIn(role, 40), Style: d.Styles.Accent})
		}
		partDoc(d, &p.Parts[i])
	}
	if p.More > 0 {
		d.Add(0, doc.Span{Text: "and " + wording.Thousands(p.More) + " more: o saves all of it", Style: d.Styles.Warn})
	}
	if things := len(handy(p.Parts)); things > 0 {
		d.Add(0, doc.Span{Text: "p lists what can be read or saved: " + wording.Thousands(things), Style: d.Styles.Muted})
	}
	if p.Structured != nil {
		d.Heading("structuredContent")
		d.JSON(p.Structured)
	}
}
