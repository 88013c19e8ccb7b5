package question

import (
	"belay/internal/safe"
	"belay/internal/wording"
	"belay/session/mcp"
	"belay/ui/doc"
	"belay/ui/sampling"
	"belay/ui/write"
)

// write shows the whole request: what there is to continue, the tools, and what is wished of the
// model (SMP-02; client/sampling).
func (s *samplingAsk) write(d *write.Writer) {
	if s.req.SystemPrompt != "" {
		d.Heading("system prompt")
		d.Quote(s.req.SystemPrompt)
	}
	for i, msg := range s.req.Messages {
		if d.IsCut() {
			return
		}
		d.Heading("message " + wording.Thousands(i+1) + " · " + wording.NameIn(msg.Role, 40))
		contentDoc(d, msg.Content)
	}
	if len(s.req.Messages) == 0 {
		d.Add(0, doc.Span{Text: "it has no messages", Style: d.Styles.Warn})
	}
	if len(s.req.Tools) > 0 {
		s.writeTools(d)
	}
	s.writeWishes(d)
}

// writeWishes lists what is wished of the model, and what a human makes of it.
func (s *samplingAsk) writeWishes(d *write.Writer) {
	r := &s.req
	d.Heading("what it wishes of the model")
	wish := func(label, value safe.Text) {
		const w = 13
		if value != "" {
			d.Add(w, doc.Span{Text: safe.Pad(label, w), Style: d.Styles.Muted}, doc.Span{Text: value, Style: d.Styles.Text})
		}
	}
	byHuman := func(value safe.Text) safe.Text {
		if value == "" {
			return ""
		}
		return value + " · ignored by a human"
	}
	if r.MaxTokens > 0 {
		wish("max tokens", sampling.MaxTokens(*r))
	}
	wish("models", quotedList(r.Hints, 60))
	var weights safe.Text
	for _, w := range []struct {
		name  safe.Text
		value string
	}{{"cost", r.Cost}, {"speed", r.Speed}, {"intelligence", r.Intelligence}} {
		if w.value != "" {
			if weights != "" {
				weights += " · "
			}
			weights += w.name + " " + wording.NameIn(w.value, 20)
		}
	}
	wish("priorities", byHuman(weights))
	if r.IncludeContext != "" && r.IncludeContext != "none" {
		wish("context", "requested: "+wording.Name(r.IncludeContext)+" · ignored: belay includes none")
	}
	wish("temperature", byHuman(wording.NameIn(r.Temperature, 20)))
	wish("stop at", byHuman(quotedList(r.StopSequences, 40)))
	wish("metadata", byHuman(safe.BytesN(r.Metadata, 300)))
}

// quotedList are texts of the server's, each cut to a width.
func quotedList(texts []string, width int) (t safe.Text) {
	const most = 20
	for i, s := range texts {
		if i == most {
			return t + " and " + wording.Thousands(len(texts)-most) + " more"
		}
		if i > 0 {
			t += ", "
		}
		t += safe.QuotedCut(s, width)
	}
	return t
}

func (s *samplingAsk) writeTools(d *write.Writer) {
	head := wording.Count(len(s.req.Tools), "tool")
	if s.req.ToolChoice != "" {
		head += " · choice " + wording.Name(s.req.ToolChoice)
	}
	d.Heading(head + " · ctrl+g writes a use of one")
	for _, t := range s.req.Tools {
		if d.IsCut() {
			return
		}
		d.Heading(wording.Name(t.Name))
		if t.Description != "" {
			d.Quote(t.Description)
		}
		d.JSON(t.Raw)
	}
}

// contentDoc shows the blocks of a message: text as text, everything else as a
// line of facts.
func contentDoc(d *write.Writer, blocks []mcp.Content) {
	st := d.Styles
	for _, c := range blocks {
		if d.IsCut() {
			return
		}
		kind := wording.NameIn(c.Type, 40)
		switch c.Type {
		case "text":
			d.Quote(c.Text)
		case "image", "audio":
			d.Add(2, doc.Span{Text: wording.Join(kind, wording.Name(c.MIME)) + " · " + wording.Size(c.Size), Style: st.Info})
		case "tool_use":
			d.Add(2, doc.Span{Text: "uses the tool " + wording.Name(c.Name) + " · " + safe.QuotedCut(c.ID, 60), Style: st.Info})
			d.JSON(c.Input)
		case "tool_result":
			words := "the result of " + safe.QuotedCut(c.ID, 60)
			if c.IsError {
				words += " · an error"
			}
			d.Add(2, doc.Span{Text: words, Style: st.Info})
			contentDoc(d, c.Result)
		default:
			d.Add(2, doc.Span{Text: "content of the type " + safe.QuotedCut(c.Type, 60), Style: st.Warn})
			d.JSON(c.Raw)
		}
	}
}
