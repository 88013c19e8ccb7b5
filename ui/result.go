package ui

import (
	"encoding/json"
	"strconv"

	"belay/internal/safe"
	"belay/session"
	"belay/ui/canvas"
	"belay/ui/doc"
)

// resultTab is what came back, in whichever way.
func (m *Model) resultTab(d *doc.Doc) {
	c := &m.detail.d
	st := m.styles
	switch {
	case c.Err != nil:
		m.noteLine(d)
		m.errorDoc(d, c.Err, safe.Line(c.ErrText))
	case c.Late != nil:
		m.lateDoc(d, c.Late)
	case c.State == session.Cancelled:
		d.Add(0, doc.Span{Text: "none: the call was cancelled here", Style: st.Stop})
		d.Add(0, doc.Span{Text: "the timeline says what the server did about it", Style: st.Muted})
	case c.Dropped > 0:
		d.Add(0, doc.Span{Text: "the result (" + size(c.Dropped) + ") is no longer kept", Style: st.Warn})
	case c.Result != nil:
		m.noteLine(d)
		m.valueDoc(d, c.Result)
	case c.InFlight():
		d.Add(0, doc.Span{Text: "none yet", Style: st.Muted})
	case c.Note != "":
		m.noteLine(d)
	default:
		d.Add(0, doc.Span{Text: "none", Style: st.Muted})
	}
}

func (m *Model) noteLine(d *doc.Doc) {
	if n := m.detail.d.Note; n != "" {
		d.Add(0, doc.Span{Text: safe.Line(n), Style: m.styles.Warn})
		d.Blank()
	}
}

// lateDoc shows an answer that came after the cancel. It is no outcome.
func (m *Model) lateDoc(d *doc.Doc, l *session.LateAnswer) {
	what := safe.Text("this result")
	if l.Err != nil {
		what = "this error"
	} else if l.ToolError {
		what = "this tool error"
	}
	d.Add(0, doc.Span{Text: "ignored: " + what + " came " + precise(l.After) + " after the cancel", Style: m.styles.Stop})
	d.Blank()
	switch {
	case l.Err != nil:
		m.errorDoc(d, l.Err, "")
	case l.Result != nil:
		m.valueDoc(d, l.Result)
	default:
		d.Add(0, doc.Span{Text: "its bytes are no longer kept", Style: m.styles.Muted})
	}
}

func (m *Model) errorDoc(d *doc.Doc, e *session.RPCError, meaning safe.Text) {
	st := m.styles
	code := safe.Text(strconv.FormatInt(e.Code, 10))
	if len(e.CodeRaw) > 0 {
		code = safe.BytesN(e.CodeRaw, 40)
	}
	m.field(d, "error", code, st.Bad)
	if meaning != "" {
		m.field(d, "meaning", meaning, st.Text)
	}
	m.field(d, "message", safe.Quoted(e.Message), st.Text)
	if len(e.Data) > 0 {
		m.heading(d, "data")
		m.json(d, e.Data)
	}
}

// content is what is read of a result to show it in a readable form.
type content struct {
	IsError    bool              `json:"isError"`
	Content    []json.RawMessage `json:"content"`
	Structured json.RawMessage   `json:"structuredContent"`
	Messages   []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Contents []json.RawMessage `json:"contents"`
}

// block is one part of a content.
type block struct {
	Type     string  `json:"type"`
	Text     *string `json:"text"`
	Data     string  `json:"data"`
	Blob     string  `json:"blob"`
	MimeType string  `json:"mimeType"`
	URI      string  `json:"uri"`
	Name     string  `json:"name"`
	Resource *block  `json:"resource"`
}

// valueDoc shows a result: text as text, what is no text by its kind and size,
// and everything else as the JSON that it is. The whole message is in the wire
// tab.
func (m *Model) valueDoc(d *doc.Doc, raw []byte) {
	var c content
	if len(raw) > docBytes || json.Unmarshal(raw, &c) != nil ||
		len(c.Content)+len(c.Messages)+len(c.Contents) == 0 {
		m.json(d, raw)
		return
	}
	if c.IsError {
		d.Add(0, doc.Span{Text: "the tool says that it failed (isError)", Style: m.styles.Bad})
		d.Blank()
	}
	for _, b := range append(c.Content, c.Contents...) {
		m.blockDoc(d, b)
	}
	for _, msg := range c.Messages {
		d.Add(0, doc.Span{Text: safe.LineN(msg.Role, 40), Style: m.styles.Accent})
		m.blockDoc(d, msg.Content)
	}
	if len(c.Structured) > 0 {
		m.heading(d, "structuredContent")
		m.json(d, c.Structured)
	}
}

// blockDoc shows one block of a content.
func (m *Model) blockDoc(d *doc.Doc, raw json.RawMessage) {
	var b block
	if json.Unmarshal(raw, &b) != nil {
		m.json(d, raw)
		return
	}
	if b.Resource != nil {
		b.Resource.Type = "resource"
		b = *b.Resource
	}
	kind := safe.LineN(b.Type, 40)
	if b.MimeType != "" {
		kind = join(kind, safe.LineN(b.MimeType, 60))
	}
	switch {
	case b.Text != nil:
		if b.Type != "text" {
			d.Add(0, doc.Span{Text: join(kind, safe.LineN(b.URI, 400)), Style: m.styles.Muted})
		}
		m.quote(d, *b.Text)
	case b.Data != "" || b.Blob != "":
		d.Add(0, doc.Span{Text: join(join(kind, safe.LineN(b.URI, 400)), "· "+size(len(b.Data+b.Blob)*3/4)), Style: m.styles.Info})
	case b.URI != "":
		d.Add(0, doc.Span{Text: join(kind, safe.LineN(b.URI, 400)), Style: m.styles.Info})
	default:
		m.json(d, raw)
	}
}

// quote shows a server's text line by line behind a bar, so that none of its
// lines can be taken for one of belay's (SEC-23).
func (m *Model) quote(d *doc.Doc, text string) {
	mark := doc.Span{Text: m.glyphs.Quote + " ", Style: m.styles.Faint}
	d.Text(safe.Block(text, docLines), mark, canvas.Style{})
}
