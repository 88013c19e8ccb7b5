package secret

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/rawjson"
)

// place is where a value stands in a message.
type place struct {
	member string   // whose value it is, or in the list of which
	secret bool     // that is the name of a secret
	beside []string // the values that are masked beside that name
	free   bool     // the specification has no say
}

// identifies reports whether values tell one thing from another.
func (p place) identifies() bool { return !p.free && identifiers[p.member] }

// isWord reports whether a value is a word of the specification, or may be an ID
// that belay has made: a replay makes it again.
func (p place) isWord(by *patterns, text []byte) bool {
	return !p.free && (memberWords[p.member][string(text)] || ownIDs[p.member] && by.ownID.Match(text))
}

// kept is how much of the beginning of a value, as it is written, says what kind
// of thing it is.
func (p place) kept(by *patterns, text []byte) int {
	switch {
	case p.isAddress():
		return len(by.scheme.Find(text))
	case p.member == "method" && !p.free:
		return len(by.notification.Find(text))
	}
	return 0
}

// isAddress reports whether the value is an address.
func (p place) isAddress() bool { return !p.free && addresses[p.member] }

// hidesBeside reports whether a value is masked because its name stands there.
func (p place) hidesBeside(text []byte) bool {
	return (p.free || !envelope[p.member]) && slices.ContainsFunc(p.beside, func(v string) bool { return v == string(text) })
}

// hidesAll reports whether a value is masked because of the name that it has.
func (p place) hidesAll(by *patterns, text []byte) bool {
	return p.secret && (plainName(p.member) != "token" || by.looksRandom(text))
}

// container is an object or a list of a message, while it is read.
type container struct {
	place             // of itself; of a list also that of its elements
	of          place // what is read next in it
	isObject    bool  //
	isName      bool  // a name comes next
	contents    int   // how many of those around it are called content
	secrets     int   // the innermost with the name of a secret, it or one around it; -1: none
	first       int   // where what waits for its end begins
	isSchema    bool  // it describes a secret and holds none
	titled      bool  // its title says what it is the schema of
	ofSecret    bool  // it is the schema of a secret
	inDefault   bool  // it is a default of a schema, or within one
	firstSample int   // where the defaults in it begin

	pair *listed // nil: there is nothing of one
	flag string  // of a command line, which is the last element of a list; empty: it is none
}

// deepContents bounds how many objects called content are looked into, one in
// the other.
const deepContents = 8

// reading is a message that is read from its beginning to its end, once.
type reading struct {
	*hiding
	open    []container
	samples []sample // the defaults in what may be the schema of a secret
	waiting []piece  // in what has the name of a secret, and may be a JSON Schema
}

// message masks the secrets in a message, which is well-formed and begins at a
// place.
func (h *hiding) message(at int) {
	r := reading{hiding: h}
	for at < len(h.text) {
		switch c := h.text[at]; c {
		case '{', '[':
			r.begin(at)
		case '}', ']':
			r.end()
		case ':', ',':
			top := &r.open[len(r.open)-1]
			top.isName = c == ',' && top.isObject
		case '"':
			end := at + 1 + quoteIn(h.text[at+1:])
			if n := len(r.open); n > 0 && r.open[n-1].isName {
				r.name(at+1, end)
			} else {
				r.string(at+1, end)
			}
			at = end
		case ' ', '\t', '\r', '\n':
		default:
			end := at + 1
			for end < len(h.text) && bytes.IndexByte([]byte(",]} \t\r\n"), h.text[end]) < 0 {
				end++
			}
			r.literal(at, end)
			at = end - 1
		}
		at++
	}
}

// isJSON reports whether a text is well-formed, as messages are read.
func isJSON(text []byte) bool {
	return jsontext.Value(text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// quoteIn is where the string of JSON ends that the text begins within.
func quoteIn(text []byte) int {
	for at := 0; ; at += 2 {
		if at += bytes.IndexAny(text[at:], `"\`); text[at] == '"' {
			return at
		}
	}
}

// place is that of what is read next.
func (r *reading) place() place {
	if len(r.open) == 0 {
		return place{}
	}
	return r.open[len(r.open)-1].of
}

func (r *reading) begin(at int) {
	c := container{place: r.place(), isObject: r.text[at] == '{', secrets: -1, first: len(r.waiting)}
	isSecret := c.secret
	c.firstSample = len(r.samples)
	if n := len(r.open); n > 0 {
		around := r.open[n-1]
		c.titled, c.inDefault = around.isProperty(), around.isDefault()
		c.ofSecret = c.titled && isSecret
		c.contents, c.secrets = around.contents, around.secrets
		isSecret = isSecret && (around.free || around.member != "properties") // of a schema
	}
	if c.isObject {
		if c.member == "content" && !c.free && c.contents < deepContents {
			c.contents++
			c.free = rawjson.At(r.text[at:], "type") == nil // what was filled in: a block has a type
		}
		c.secret, c.beside = false, nil
	}
	if isSecret {
		c.secrets = len(r.open)
	}
	c.of, c.isName = c.place, c.isObject
	r.open = append(r.open, c)
}

// end decides about what waited for the end of what is read.
func (r *reading) end() {
	n := len(r.open) - 1
	if pair := r.open[n].pair; pair != nil {
		r.hidePair(pair)
	}
	if c := r.open[n]; c.secrets == n {
		r.open[n].ofSecret = c.isSchema
		if !c.isSchema {
			for _, p := range r.waiting[c.first:] {
				r.hide(p, false)
			}
		}
		r.waiting = r.waiting[:c.first]
	}
	r.hideSamples(&r.open[n])
	r.open = r.open[:n]
}

// name takes the name of a member, and masks the known values in it. What the
// specification calls so stays.
func (r *reading) name(from, to int) {
	c := &r.open[len(r.open)-1]
	name := string(rawjson.Unescaped(r.text[from-1 : to+1]))
	c.of = place{member: name, secret: !isMember(name) && IsName(name), free: c.free || freeMembers[name] || name == "data" && c.member != "error"}
	if r.mask.names != nil {
		c.of.beside = r.mask.beside[plainName(name)]
	}
	if c.secrets >= 0 && schemaNames[name] && (name != "type" || r.mask.schemaType.Match(r.text[to+1:])) {
		r.open[c.secrets].isSchema = true
	}
	if !isMember(name) {
		for _, p := range layered(r.text[from:to], false, r.mask.valuesIn) {
			r.hide(piece{from + p.from, from + p.to}, true)
		}
	}
}

// string masks what is secret in a string.
func (r *reading) string(from, to int) {
	p := r.place()
	r.value(p, from, to)
	r.inSchema(from, to, false)
	r.pairWith(from, to)
	r.inList(p, from, to)
	if n := len(r.open); n > 0 && r.open[n-1].secrets >= 0 && !p.isWord(r.mask.patterns, r.text[from:to]) {
		r.waiting = append(r.waiting, piece{from, to})
	}
}

// value masks what is secret in the string that stands in a place.
func (h *hiding) value(p place, from, to int) {
	text := rawjson.Unescaped(h.text[from-1 : to+1])
	switch {
	case p.isWord(h.mask.patterns, text):
	case p.hidesBeside(text), p.hidesAll(h.mask.patterns, text):
		h.hideIn(p, from, to, []piece{{0, to - from}})
	default:
		h.hideIn(p, from, to, h.pieces(p, h.text[from:to], false, len(text)))
	}
}

// hideIn masks pieces of a value that stands in a place. Of an address the slashes
// stay: it is to lie below the same ones afterwards.
func (h *hiding) hideIn(p place, from, to int, pieces []piece) {
	value := h.text[from:to]
	kept := p.kept(h.mask.patterns, value)
	for _, s := range pieces {
		s.from = max(kept, s.from)
		for s.from < s.to {
			part := s
			if slash := bytes.IndexByte(value[s.from:s.to], '/'); slash >= 0 && p.isAddress() {
				part.to = s.from + slash
			}
			s.from = part.to + 1
			if s.from <= s.to { // the slash may be escaped
				part.to = part.from + len(bytes.TrimSuffix(value[part.from:part.to], []byte(`\\`)))
			}
			h.hide(piece{from + part.from, from + part.to}, p.identifies())
		}
	}
}

// literal masks a number, true or false. A number that is a secret by its name, or a known
// value, becomes a string, so that it can be seen.
func (r *reading) literal(from, to int) {
	p, text := r.place(), r.text[from:to]
	r.pairWith(from, to)
	r.inSchema(from, to, true)
	switch {
	case !p.free && isMember(p.member):
	case r.hidesLiteral(p, text):
		r.hideLiteral(from, to)
	}
}
