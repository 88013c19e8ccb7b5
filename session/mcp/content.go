package mcp

import (
	"strings"
	"time"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// Part is one part of a result: a block of what a tool returned, the content of
// a prompt's message, or one of the contents of a resource. All of it is foreign.
type Part struct {
	Role string // of the message of a prompt that it is in
	// Type is as the server wrote it; that of the contents of a resource, which
	// have none, is "resource". Known says that the protocol has it.
	Type  string
	Known bool

	Text    string
	HasText bool

	Data   []byte // binary data, as base64
	Binary bool   // it has such data
	Size   int    // of what Data stands for, in bytes
	Sound  bool   // Data is base64

	MIME, URI, Name, Title string

	// Annotations of the server's, as written, and empty where there are none: the
	// audience, the importance from 0 to 1, and the time of the last change.
	Audience           []string
	Priority, Modified string

	Raw []byte
}

// ResultParts is what a result consists of.
type ResultParts struct {
	Parts      []Part // in the order of the result
	More       int    // parts beyond those, which are only in its raw bytes
	IsError    bool   // the tool says that it failed
	Structured []byte // structuredContent as it was written, nil where there is none
}

// ParseResult reads what a tool, a prompt or a resource brought. It never fails:
// what cannot be read is left out.
func ParseResult(result []byte) ResultParts {
	var out ResultParts
	result = trustworthy(result)
	if rawjson.Kind(result) != '{' {
		return out
	}
	r := partReader{keep: true}
	for m := rawjson.MembersOf(result); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "content", "contents", "messages":
			r.list(string(name), value)
		case "structuredContent":
			out.Structured = value
		case "isError":
			out.IsError = rawjson.Kind(value) == 't'
		}
	}
	out.Parts, out.More = r.parts, max(0, r.count-MaxParts)
	return out
}

// partReader reads the parts of a result, and says what is wrong with them.
type partReader struct {
	keep  bool // the parts are wanted, not only what is wrong
	parts []Part
	count int
	texts int  // how many parts are text
	data  bool // beside the parts there is structured content that holds something

	firstTexts [maxErrorTexts][]byte // the first of those, raw JSON values
	problems   askProblems
}

// maxErrorTexts is how many texts of a result with isError are looked at.
const maxErrorTexts = 4

// errorTexts is what the texts say of a result with isError; nil: nothing.
func (r *partReader) errorTexts() *ErrorTexts {
	e := &ErrorTexts{Whole: !r.data && r.count == r.texts && r.texts <= maxErrorTexts}
	for _, raw := range r.firstTexts[:min(r.texts, maxErrorTexts)] {
		text, ok := rawjson.Text(raw)
		e.Whole = e.Whole && ok && len(text) <= sentence.Limit
		if strings.TrimSpace(text) != "" {
			e.Texts = append(e.Texts, sentence.Clip(text))
		}
	}
	if len(e.Texts) == 0 {
		return nil
	}
	return e
}

// BriefTexts is what the texts of a result say that is a tool's and has no isError, as [Shape] has it of one that
// has; nil: nothing, or the message is so long that a recording may leave its payload out.
func (f *Frame) BriefTexts() *ErrorTexts {
	if f.Kind != FrameResult || f.Shape.IsError || f.Shape.Members[MemContent] != '[' || f.Hollow != nil || len(f.Raw) >= HollowFrom {
		return nil
	}
	var r partReader
	r.data = holdsSomething(rawjson.At(f.Result, "structuredContent"))
	r.list("content", rawjson.At(f.Result, "content"))
	return r.errorTexts()
}

// holdsSomething reports whether structured content is there, and is neither null nor an object without members.
func holdsSomething(structured []byte) bool {
	k := rawjson.Kind(structured)
	return k != 0 && k != 'n' && !isEmptyObject(structured)
}

func isEmptyObject(value []byte) bool {
	if rawjson.Kind(value) != '{' {
		return false
	}
	return value[rawjson.SkipSpace(value, 1)] == '}'
}

func isEmptyList(value []byte) bool {
	return rawjson.Kind(value) == '[' && value[rawjson.SkipSpace(value, 1)] == ']'
}

// list reads the parts that a member of a result lists.
func (r *partReader) list(member string, value []byte) {
	if rawjson.Kind(value) != '[' {
		return
	}
	n := 0
	for e := rawjson.ElementsOf(value); ; {
		raw, ok := e.Next()
		if !ok {
			return
		}
		n++
		if r.count++; r.count > MaxParts {
			continue
		}
		p := place{strings.TrimSuffix(member, "s"), n}
		switch {
		case rawjson.Kind(raw) != '{':
			r.Wrong(DiagContentShape, p, "is %s, not an object", rawjson.KindWords(raw))
			r.put(&Part{Raw: raw})
		case member == "messages":
			r.message(p, raw)
		case member == "contents":
			part := Part{Type: "resource", Known: true, Raw: raw}
			r.resource(p, &part, raw)
			r.put(&part)
		default:
			r.block(p, "", raw)
		}
	}
}

// place is where a part stands: "content 2".
type place struct {
	what string
	n    int
}

func (r *partReader) Wrong(code DiagCode, p place, format string, args ...any) {
	r.problems.add(code, "%s %d "+format, append([]any{p.what, p.n}, args...)...)
}

func (r *partReader) put(p *Part) {
	if r.keep {
		r.parts = append(r.parts, *p)
	}
}

func (r *partReader) message(p place, raw []byte) {
	role, _ := rawjson.TextAt(raw, "role")
	if role != "user" && role != "assistant" {
		r.Wrong(DiagContentShape, p, "has the role %s, not user or assistant", sentence.Quoted(sentence.Clip(role)))
	}
	content := rawjson.At(raw, "content")
	if rawjson.Kind(content) != '{' {
		r.Wrong(DiagContentShape, p, "has a content that is %s, not an object", rawjson.KindWords(content))
		r.put(&Part{Role: role, Raw: raw})
		return
	}
	r.block(p, role, content)
}

// block reads a block of content.
func (r *partReader) block(p place, role string, raw []byte) {
	part := Part{Role: role, Raw: raw, Known: true}
	f := fieldsOf(raw)
	part.Type = typeOf(f.kind)
	part.MIME, _ = rawjson.Text(f.mime)
	switch part.Type {
	case "text":
		if r.texts < maxErrorTexts {
			r.firstTexts[r.texts] = f.text
		}
		r.texts++
		r.text(p, &part, f.text)
	case "image", "audio":
		if part.Type == "audio" {
			r.since(Rev20250326, p, part.Type)
		}
		r.media(p, &part, f.data)
	case "resource_link":
		r.since(Rev20250618, p, part.Type)
		r.uri(p, &part, f.uri)
		var ok bool
		if part.Name, ok = rawjson.Text(f.name); !ok {
			r.Wrong(DiagContentShape, p, "is a resource_link without a name")
		}
		part.Title, _ = rawjson.Text(f.title)
	case "resource":
		if rawjson.Kind(f.resource) != '{' {
			r.Wrong(DiagContentShape, p, "is a resource without the resource")
			break
		}
		r.resource(p, &part, f.resource)
	default:
		part.Known = false
		r.Wrong(DiagContentType, p, "is of the type %s", describeRaw(f.kind))
	}
	r.annotations(p, &part, f.annotations)
	r.put(&part)
}

// typeOf is the type of a block; a known one takes no memory.
func typeOf(value []byte) string {
	if rawjson.Kind(value) != '"' {
		return ""
	}
	text := rawjson.Unescaped(value)
	for _, known := range [...]string{"text", "image", "audio", "resource", "resource_link"} {
		if string(text) == known {
			return known
		}
	}
	return rawjson.DecodeText(value)
}

// since tells of a type of content that came with a later revision.
func (r *partReader) since(rev Revision, p place, kind string) {
	r.problems.between("", rev, DiagContentType, "%s %d is of the type %s, which came with %s", p.what, p.n, kind, rev)
}

// resource reads what a resource holds: text, or binary data.
func (r *partReader) resource(p place, part *Part, raw []byte) {
	f := fieldsOf(raw)
	part.MIME, _ = rawjson.Text(f.mime)
	r.uri(p, part, f.uri)
	switch {
	case f.blob != nil:
		r.binary(DiagBlob, p, part, f.blob)
		if part.MIME != "" && !strings.Contains(strings.Trim(part.MIME, "/"), "/") {
			r.Wrong(DiagBlob, p, "has the mimeType %s, which is none", sentence.Quoted(sentence.Clip(part.MIME)))
		}
	case f.text != nil:
		r.text(p, part, f.text)
	default:
		r.Wrong(DiagContentShape, p, "is a resource with neither text nor blob")
	}
	r.annotations(p, part, f.annotations)
}

func (r *partReader) uri(p place, part *Part, value []byte) {
	var ok bool
	if part.URI, ok = rawjson.Text(value); !ok {
		r.Wrong(DiagContentShape, p, "is a %s without a uri", part.Type)
	}
}

func (r *partReader) text(p place, part *Part, value []byte) {
	part.HasText = rawjson.Kind(value) == '"'
	if !part.HasText {
		r.Wrong(DiagContentShape, p, "has a text that is %s", rawjson.KindWords(value))
	} else if r.keep {
		part.Text, _ = rawjson.Text(value)
	}
}

var mediaNames = map[string]string{"image": "an image", "audio": "audio"}

// media reads an image or audio (SRV-25; server/tools).
func (r *partReader) media(p place, part *Part, data []byte) {
	r.binary(DiagMedia, p, part, data)
	switch {
	case part.MIME == "":
		r.Wrong(DiagMedia, p, "is %s without a mimeType", mediaNames[part.Type])
	case !strings.HasPrefix(strings.ToLower(part.MIME), part.Type+"/"):
		r.Wrong(DiagMedia, p, "is %s with the mimeType %s", mediaNames[part.Type], sentence.Quoted(sentence.Clip(part.MIME)))
	}
}

func (r *partReader) binary(code DiagCode, p place, part *Part, data []byte) {
	if rawjson.Kind(data) != '"' {
		r.Wrong(code, p, "has data that is %s", rawjson.KindWords(data))
		return
	}
	part.Binary = true
	part.Data = rawjson.Unescaped(data)
	if part.Size, part.Sound = base64Size(part.Data); !part.Sound {
		r.Wrong(code, p, "has data that is not base64")
	} else if shown := mediaOf(part.Data); isOtherMedia(strings.ToLower(part.MIME), shown) {
		r.Wrong(code, p, "has the mimeType %s, but its bytes are %s", sentence.Quoted(sentence.Clip(part.MIME)), shown)
	}
}

// annotations reads what the server says about a part. They are hints, and nothing is decided by
// them (SRV-24; server/resources).
func (r *partReader) annotations(p place, part *Part, raw []byte) {
	if raw == nil {
		return
	}
	if rawjson.Kind(raw) != '{' {
		r.Wrong(DiagAnnotations, p, "has annotations that are %s", rawjson.KindWords(raw))
		return
	}
	for m := rawjson.MembersOf(raw); ; {
		name, value, ok := m.Next()
		if !ok {
			return
		}
		switch string(name) {
		case "audience":
			part.Audience = rawjson.Texts(value, MaxParts)
			if rawjson.Kind(value) != '[' {
				r.Wrong(DiagAnnotations, p, "has an audience that is %s", rawjson.KindWords(value))
			}
			for _, who := range part.Audience {
				if who != "user" && who != "assistant" {
					r.Wrong(DiagAnnotations, p, "is for %s, which is neither user nor assistant", sentence.Quoted(sentence.Clip(who)))
				}
			}
		case "priority":
			part.Priority = describeRaw(value)
			if v, ok := rawFloat(value); !ok || v < 0 || v > 1 {
				r.Wrong(DiagAnnotations, p, "has the priority %s, which is not from 0 to 1", part.Priority)
			}
		case "lastModified":
			part.Modified, _ = rawjson.Text(value)
			if !isTime(part.Modified) {
				r.Wrong(DiagAnnotations, p, "has the lastModified %s, which is no time as in ISO 8601", describeRaw(value))
			}
		}
	}
}

// isTime reports whether a text is a time, or a day.
func isTime(text string) bool {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", time.DateOnly} {
		if _, err := time.Parse(layout, text); err == nil {
			return true
		}
	}
	return false
}

// fields are the members of a block that are known by name, raw.
type fields struct {
	kind, text, data, blob, mime, uri, name, title, resource, annotations []byte
}

func fieldsOf(obj []byte) (f fields) {
	for m := rawjson.MembersOf(obj); ; {
		name, value, ok := m.Next()
		if !ok {
			return f
		}
		switch string(name) {
		case "type":
			f.kind = value
		case "text":
			f.text = value
		case "data":
			f.data = value
		case "blob":
			f.blob = value
		case "mimeType":
			f.mime = value
		case "uri":
			f.uri = value
		case "name":
			f.name = value
		case "title":
			f.title = value
		case "resource":
			f.resource = value
		case "annotations":
			f.annotations = value
		}
	}
}
