package ui

import (
	"strconv"
	"strings"

	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/row"
	"belay/ui/write"
)

// resultTab is what came back, in whichever way.
func (m *Model) resultTab(d *write.Writer) {
	c := &m.detail.d
	st := d.Styles
	switch {
	case c.Err != nil:
		m.noteLine(d)
		errorDoc(d, c.Err, safe.Line(c.ErrText))
		comparedDoc(d, c.Compared)
	case c.Late != nil:
		m.lateDoc(d, c.Late)
	case c.State == session.Cancelled:
		d.Add(0, doc.Span{Text: "none: the call was cancelled here", Style: st.Stop})
		d.Add(0, doc.Span{Text: "the timeline says what the server did about it", Style: st.Muted})
	case c.Dropped > 0:
		d.Add(0, doc.Span{Text: "the result (" + wording.Size(c.Dropped) + ") is no longer kept", Style: st.Warn})
	case c.Result != nil:
		m.noteLine(d)
		m.judgementDoc(d)
		m.valueDoc(d, c.Result)
	case c.InFlight():
		d.Add(0, doc.Span{Text: "none yet", Style: st.Muted})
		comparedDoc(d, c.Compared)
	case row.Note(c.Row) != "":
		m.noteLine(d)
	default:
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
	}
}

func (m *Model) noteLine(d *write.Writer) {
	if n := row.Note(m.detail.d.Row); n != "" {
		d.Add(0, doc.Span{Text: n, Style: d.Styles.Warn})
		d.Blank()
	}
}

// lateDoc shows an answer that came after the cancel. It is no outcome.
func (m *Model) lateDoc(d *write.Writer, l *session.LateAnswer) {
	what := safe.Text("this result")
	switch {
	case l.Status != 0:
		what = wording.Join("HTTP", safe.Text(strconv.Itoa(l.Status)))
	case l.Err != nil:
		what = "this error"
	case l.ToolError:
		what = "this tool error"
	case l.Malformed:
		what = "this answer, which is malformed,"
	}
	when := " came " + wording.Precise(l.After) + " after the cancel"
	if l.After == 0 {
		when = " began before the cancel had left"
	}
	d.Add(0, doc.Span{Text: "ignored: " + what + when, Style: d.Styles.Stop})
	d.Blank()
	switch {
	case l.Status != 0: // the evidence tells of what came with it
	case l.Err != nil:
		errorDoc(d, l.Err, "")
	case l.Result != nil:
		m.valueDoc(d, l.Result)
	case l.Malformed:
		d.Add(0, doc.Span{Text: "it holds neither a result nor an error, or both of them: the wire shows it", Style: d.Styles.Muted})
	default:
		d.Add(0, doc.Span{Text: "its bytes are no longer kept", Style: d.Styles.Muted})
	}
}

// messageMost is how many bytes of the message of an error are shown.
const messageMost = 64 << 10

func errorDoc(d *write.Writer, e *mcp.RPCError, meaning safe.Text) {
	st := d.Styles
	d.Field("error", wording.ErrorCode(e), st.Bad)
	if meaning != "" {
		d.Field("meaning", meaning, st.Text)
	}
	text := e.Message
	if n := d.Read(min(len(text), messageMost)); n < len(text) {
		text = strings.ToValidUTF8(text[:n], "")
	}
	message := safe.Quoted(text)
	if e.Bare {
		message = safe.Line(text)
	}
	d.Field("message", message, st.Text)
	if len(e.Message) > messageMost {
		d.Field("", wording.Size(len(e.Message))+" in all: o saves all of it", st.Warn)
	}
	if len(e.Data) > 0 {
		if len(e.Data) > write.MaxBytes {
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
func (m *Model) valueDoc(d *write.Writer, raw []byte) {
	p, ok := m.partsOf(raw)
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
		if d.Cut() {
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

// partDoc shows one part of a result.
func partDoc(d *write.Writer, p *mcp.Part) {
	st := d.Styles
	switch {
	case !p.Known:
		d.Add(0, doc.Span{Text: "an unknown type of content: ", Style: st.Warn}, doc.Span{Text: safe.QuotedCut(p.Type, 40), Style: st.Text})
		d.JSON(p.Raw)
	case p.HasText:
		if p.Type != "text" {
			d.Add(2, doc.Span{Text: partName(p), Style: st.Muted})
		}
		d.Quote(p.Text)
	case p.Binary && !p.Sound:
		d.Add(2, doc.Span{Text: partWords(p), Style: st.Bad})
	case p.Binary || p.URI != "":
		d.Add(2, doc.Span{Text: partWords(p), Style: st.Info})
	default:
		d.JSON(p.Raw)
	}
	if t := annotationWords(p); t != "" {
		d.Add(2, doc.Span{Text: "  " + t, Style: st.Muted})
	}
}

// partName says what a part is, where it is no plain text.
func partName(p *mcp.Part) safe.Text {
	t := wording.Join(wording.NameIn(p.Type, 40), wording.NameIn(p.MIME, 60))
	if p.Name != "" {
		t = wording.Join(t, safe.QuotedCut(p.Name, 60))
	}
	return wording.Join(t, wording.NameIn(p.URI, 400))
}

// partWords are the name of a part, and the size of what it holds.
func partWords(p *mcp.Part) safe.Text {
	switch {
	case p.Binary && !p.Sound:
		return partName(p) + " · not base64"
	case p.Binary:
		return partName(p) + " · " + wording.Size(p.Size)
	}
	return partName(p)
}

// audienceMost is how many are named for whom a part is; the specification has two.
const audienceMost = 4

// annotationWords are what the server says about a part, which decides nothing (SRV-24).
func annotationWords(p *mcp.Part) safe.Text {
	var t safe.Text
	add := func(word, value safe.Text) {
		if value == "" {
			return
		}
		if t != "" {
			t += " · "
		}
		t += word + value
	}
	var audience safe.Text
	for i, role := range p.Audience[:min(len(p.Audience), audienceMost)] {
		if i > 0 {
			audience += " and "
		}
		audience += wording.NameIn(role, 20)
	}
	if more := len(p.Audience) - audienceMost; more > 0 {
		audience += " and " + wording.Thousands(more) + " more"
	}
	add("for ", audience)
	add("priority ", wording.NameIn(p.Priority, 60))
	add("changed ", wording.NameIn(p.Modified, 60))
	return t
}
