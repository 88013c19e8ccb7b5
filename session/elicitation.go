package session

import "strings"

// ElicitMode is how the user is to answer an elicitation.
type ElicitMode string

// The modes of elicitation. Others may come; they are refused.
const (
	ElicitForm ElicitMode = "form" // also when the request names none (ELI-08)
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
	if jsonKind(params) != '{' {
		r.problems.add(DiagElicitShape, "the parameters are %s, not an object", kindWords(params))
		return
	}
	e.Raw = params
	var message, schema, link, id []byte
	for m := membersOf(params); ; {
		name, value, ok := m.next()
		if !ok {
			break
		}
		switch string(name) {
		case "mode":
			mode, ok := textOf(value)
			if !ok {
				mode = describeRaw(value)
			}
			e.Mode = ElicitMode(clip(mode))
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
	if e.Message, ok = textOf(message); !ok {
		r.problems.add(DiagElicitShape, "message is %s", kindWords(message))
	}
	switch e.Mode {
	case ElicitForm:
		if jsonKind(schema) != '{' {
			r.problems.add(DiagElicitShape, "requestedSchema is %s, not an object", kindWords(schema))
			return
		}
		e.Schema = schema
		r.schema(schema)
	case ElicitURL:
		if e.URL, ok = textOf(link); !ok || !isURL(e.URL) {
			r.problems.add(DiagElicitShape, "url is %s, which is no URL", describeRaw(link))
		}
		if e.ElicitationID, ok = textOf(id); !ok || e.ElicitationID == "" {
			r.problems.between("", Rev20260728, DiagElicitShape, "elicitationId is %s", describeRaw(id))
		}
	default: // refused for its mode
	}
}

// isURL says whether a text begins like an absolute URL: a scheme, a colon, and
// something behind it. Whether it is one that should be opened is for people to
// judge, who have to see it for that.
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

// schema tells where a schema is not the flat object of simple fields that an
// elicitation may ask for (ELI-24). It is shown all the same.
func (r *elicitationReader) schema(schema []byte) {
	if kind, _ := textAt(schema, "type"); kind != "object" {
		r.problems.add(DiagElicitSchema, "the type of the schema is %s, not object", describeRaw(at(schema, "type")))
	}
	fields := at(schema, "properties")
	if jsonKind(fields) != '{' {
		r.problems.add(DiagElicitSchema, "its properties are %s, not an object", kindWords(fields))
		return
	}
	for m := membersOf(fields); ; {
		name, field, ok := m.next()
		if !ok {
			return
		}
		r.field(excerpt(name), field)
	}
}

func (r *elicitationReader) field(name string, field []byte) {
	switch kind, _ := textAt(field, "type"); kind {
	case "string", "number", "integer", "boolean":
	case "array":
		r.problems.between("", Rev20251125, DiagElicitSchema, "the field %q is a list, which came with 2025-11-25", name)
		items := at(field, "items")
		if jsonKind(at(items, "enum")) != '[' && jsonKind(at(items, "anyOf")) != '[' {
			r.problems.between(Rev20251125, "", DiagElicitSchema, "the field %q is a list of something other than choices", name)
		}
	default:
		if at(field, "type") == nil {
			r.problems.add(DiagElicitSchema, "the field %q has no type", name)
			return
		}
		r.problems.add(DiagElicitSchema, "the field %q is of the type %s", name, describeRaw(at(field, "type")))
	}
}
