package mcp

import (
	"strings"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// ElicitMode is how the user is to answer an elicitation.
type ElicitMode string

// The modes of elicitation. Others may come; they are refused.
const (
	ElicitForm ElicitMode = "form" // also when the request names none (ELI-08; client/elicitation)
	ElicitURL  ElicitMode = "url"
)

// Elicitation is what elicitation/create asks for. All of it is foreign text,
// and the slices of bytes point into the parameters that were parsed.
type Elicitation struct {
	Mode          ElicitMode
	Message       string
	Schema        []byte // form: the requested schema, raw JSON; nil when it is missing
	URL           string // url
	ElicitationID string // url: opaque; a completion notice names it
	Raw           []byte // the parameters
}

// ParseElicitation reads the parameters of elicitation/create as a revision
// knows them, and says what is wrong with them. It never fails: what cannot be
// read is left out.
func ParseElicitation(rev Revision, params []byte) (Elicitation, []Problem) {
	r := elicitationReader{}
	r.read(trustworthy(params))
	return r.e, r.problems.in(rev)
}

// elicitationReader reads an elicitation.
type elicitationReader struct {
	e        Elicitation
	problems askProblems
}

// read reads parameters that are well-formed.
func (r *elicitationReader) read(params []byte) {
	e := &r.e
	e.Mode = ElicitForm
	if rawjson.Kind(params) != '{' {
		r.problems.add(DiagElicitShape, "the parameters are %s, not an object", rawjson.KindWords(params))
		return
	}
	e.Raw = params
	var message, schema, link, id []byte
	for m := rawjson.MembersOf(params); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "mode":
			mode, ok := rawjson.Text(value)
			if !ok {
				mode = describeRaw(value)
			}
			e.Mode = ElicitMode(sentence.Clip(mode))
		case "message":
			message = value
		case "requestedSchema":
			schema = value
		case "url":
			link = value
		case "elicitationId":
			id = value
		}
	}
	var ok bool
	if e.Message, ok = rawjson.Text(message); !ok {
		r.problems.add(DiagElicitShape, "message is %s", rawjson.KindWords(message))
	}
	switch e.Mode {
	case ElicitForm:
		if rawjson.Kind(schema) != '{' {
			r.problems.add(DiagElicitShape, "requestedSchema is %s, not an object", rawjson.KindWords(schema))
			return
		}
		e.Schema = schema
		r.schema(schema)
	case ElicitURL:
		if e.URL, ok = rawjson.Text(link); !ok || !isURL(e.URL) {
			r.problems.add(DiagElicitShape, "url is %s, which is no URL", describeRaw(link))
		}
		if e.ElicitationID, ok = rawjson.Text(id); !ok || e.ElicitationID == "" {
			r.problems.between("", Rev20260728, DiagElicitShape, "elicitationId is %s", describeRaw(id))
		}
	default: // refused for its mode
	}
}

// isURL reports whether a text begins like an absolute URL: a scheme, a colon, and
// something behind it. People see the URL and judge whether to open it.
func isURL(text string) bool {
	scheme, rest, ok := strings.Cut(text, ":")
	if !ok || scheme == "" || strings.TrimLeft(rest, "/") == "" {
		return false
	}
	for i, c := range []byte(strings.ToLower(scheme)) {
		letter := c >= 'a' && c <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return true
}

// schema tells where a schema is not the flat object of simple fields that an elicitation may ask
// for (ELI-24; client/elicitation). It is shown all the same.
func (r *elicitationReader) schema(schema []byte) {
	if kind, _ := rawjson.TextAt(schema, "type"); kind != "object" {
		r.problems.add(DiagElicitSchema, "the type of the schema is %s, not object", describeRaw(rawjson.At(schema, "type")))
	}
	fields := rawjson.At(schema, "properties")
	if rawjson.Kind(fields) != '{' {
		r.problems.add(DiagElicitSchema, "its properties are %s, not an object", rawjson.KindWords(fields))
		return
	}
	for m := rawjson.MembersOf(fields); ; {
		name, field, ok := m.Next()
		if !ok {
			return
		}
		r.field(rawjson.Excerpt(name), field)
	}
}

func (r *elicitationReader) field(name string, field []byte) {
	switch kind, _ := rawjson.TextAt(field, "type"); kind {
	case "string", "number", "integer", "boolean":
	case "array":
		r.problems.between("", Rev20251125, DiagElicitSchema, "the field %s is a list, which came with 2025-11-25", sentence.Quoted(name))
		items := rawjson.At(field, "items")
		if rawjson.Kind(rawjson.At(items, "enum")) != '[' && rawjson.Kind(rawjson.At(items, "anyOf")) != '[' {
			r.problems.between(Rev20251125, "", DiagElicitSchema, "the field %s is a list of something other than choices", sentence.Quoted(name))
		}
	default:
		if rawjson.At(field, "type") == nil {
			r.problems.add(DiagElicitSchema, "the field %s has no type", sentence.Quoted(name))
			return
		}
		r.problems.add(DiagElicitSchema, "the field %s is of the type %s", sentence.Quoted(name), describeRaw(rawjson.At(field, "type")))
	}
}
