package mcp

import (
	"belay/session/rawjson"
	"belay/session/sentence"
)

// The messages of a sampling request, and what they consist of.

func (r *samplingReader) message(value []byte) {
	if r.parts++; r.parts > MaxParts {
		return
	}
	n := len(r.s.Messages) + 1
	m := SamplingMessage{Raw: value}
	if rawjson.Kind(value) != '{' {
		r.problems.add(DiagSamplingShape, "message %d is %s, not an object", n, rawjson.KindWords(value))
	}
	m.Role, _ = rawjson.TextAt(value, "role")
	if m.Role != "user" && m.Role != "assistant" {
		r.problems.add(DiagSamplingShape, "message %d has the role %s, not user or assistant", n, sentence.Quoted(sentence.Clip(m.Role)))
	}
	content := rawjson.At(value, "content")
	switch rawjson.Kind(content) {
	case '{':
		m.Content = append(m.Content, r.block(n, content, true))
	case '[':
		r.problems.between("", Rev20251125, DiagSamplingShape, "message %d has a list of content, which came with 2025-11-25", n)
		m.Content = r.list(n, content, true)
	default:
		r.problems.add(DiagSamplingShape, "message %d: its content is %s", n, rawjson.KindWords(content))
	}
	r.s.Messages = append(r.s.Messages, m)
}

func (r *samplingReader) list(n int, value []byte, outer bool) (all []Content) {
	for e := rawjson.ElementsOf(value); ; {
		raw, ok := e.Next()
		if !ok {
			return all
		}
		if r.parts++; r.parts > MaxParts {
			continue
		}
		all = append(all, r.block(n, raw, outer))
	}
}

// block reads a block of message n. Outer blocks are those of the message
// itself, the others stand in a tool result.
func (r *samplingReader) block(n int, raw []byte, outer bool) Content {
	c := Content{Raw: raw}
	c.Type, _ = rawjson.TextAt(raw, "type")
	need := func(ok bool, what string) {
		if !ok {
			r.problems.add(DiagSamplingShape, "message %d: its %s has no %s", n, c.Type, what)
		}
	}
	var ok bool
	switch {
	case c.Type == "text":
		c.Text, ok = rawjson.TextAt(raw, "text")
		need(ok, "text")
	case c.Type == "image", c.Type == "audio":
		if c.Type == "audio" {
			r.problems.between("", Rev20250326, DiagSamplingContent, "message %d has audio, which came with 2025-03-26", n)
		}
		c.MIME, ok = rawjson.TextAt(raw, "mimeType")
		need(ok && c.MIME != "", "mimeType")
		r.media(n, &c)
	case c.Type == "tool_use" && outer:
		r.since11(n, c.Type)
		c.ID, ok = rawjson.TextAt(raw, "id")
		need(ok, "id")
		c.Name, ok = rawjson.TextAt(raw, "name")
		need(ok, "name")
		c.Input = rawjson.At(raw, "input")
		need(rawjson.Kind(c.Input) == '{', "input")
	case c.Type == "tool_result" && outer:
		r.since11(n, c.Type)
		c.ID, ok = rawjson.TextAt(raw, "toolUseId")
		need(ok, "toolUseId")
		content := rawjson.At(raw, "content")
		need(rawjson.Kind(content) == '[', "content")
		if rawjson.Kind(content) == '[' {
			c.Result = r.list(n, content, false)
		}
		c.IsError = says(raw, "isError")
	case !outer && (c.Type == "resource" || c.Type == "resource_link"):
	default:
		r.problems.add(DiagSamplingContent, "message %d has content of the type %s", n, sentence.Quoted(sentence.Clip(c.Type)))
	}
	return c
}

func (r *samplingReader) since11(n int, kind string) {
	r.problems.between("", Rev20251125, DiagSamplingContent, "message %d has a %s, which came with 2025-11-25", n, kind)
}

// media reads the data of an image or of audio.
func (r *samplingReader) media(n int, c *Content) {
	data := rawjson.At(c.Raw, "data")
	if rawjson.Kind(data) != '"' {
		r.problems.add(DiagSamplingShape, "message %d: its %s has no data", n, c.Type)
		return
	}
	c.Data = rawjson.Unescaped(data)
	var ok bool
	if c.Size, ok = base64Size(c.Data); !ok {
		r.problems.add(DiagSamplingShape, "message %d: the data of its %s is not base64", n, c.Type)
	}
	if c.Size > maxMedia {
		r.problems.add(DiagSamplingContent, "message %d: its %s takes %s", n, c.Type, sentence.Size(c.Size))
	}
}

// pairs holds that tool uses and tool results belong together (SMP-21, SMP-22; client/sampling).
// Revisions without tool uses have no such rule.
func (r *samplingReader) pairs() {
	uses := map[string]int{} // of the message before, not answered, by ID
	wrong := func(format string, args ...any) {
		r.problems.between(Rev20251125, "", DiagToolResults, format, args...)
	}
	for i, m := range r.s.Messages {
		n, results := i+1, 0
		for _, c := range m.Content {
			switch {
			case c.Type == "tool_result" && m.Role != "user", c.Type == "tool_use" && m.Role != "assistant":
				wrong("message %d of the %s has a %s", n, sentence.Clip(m.Role), c.Type)
			case c.Type == "tool_result":
				results++
				if uses[c.ID]--; uses[c.ID] < 0 {
					wrong("message %d has a tool result for %s, which no tool use before it asks for", n, sentence.Quoted(sentence.Clip(c.ID)))
				}
			}
		}
		if results > 0 && results < len(m.Content) {
			wrong("message %d mixes tool results with other content", n)
		}
		if open := unanswered(uses); open > 0 {
			wrong("message %d does not answer %d tool uses of the message before it", n, open)
		}
		clear(uses)
		for _, c := range m.Content {
			if c.Type == "tool_use" {
				uses[c.ID]++
			}
		}
	}
	if open := unanswered(uses); open > 0 {
		wrong("%d tool uses of the last message have no result", open)
	}
}

func unanswered(uses map[string]int) (n int) {
	for _, left := range uses {
		n += max(0, left)
	}
	return n
}

// base64Size is the size of what standard base64 stands for, and false when
// the text is none.
func base64Size(text []byte) (int, bool) {
	body := text
	for range 2 {
		if n := len(body); n > 0 && body[n-1] == '=' {
			body = body[:n-1]
		}
	}
	for _, c := range body {
		if c < '0' && c != '+' && c != '/' || c > '9' && c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
			return 0, false
		}
	}
	return len(body) * 3 / 4, len(text)%4 == 0 && len(body)%4 != 1
}
