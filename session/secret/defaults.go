package secret

import (
	"bytes"

	"belay/session/rawjson"
)

// A JSON Schema of a secret describes it and holds none, but for its default: a server may propose
// a password that works. Whether the schema is one of a secret is known at its end, as its members come in
// any order.

// defaultMember is what stands in a schema with a default.
var defaultMember = []byte(`"default"`)

// sample is a default in a schema, or a part of one.
type sample struct {
	piece
	isLiteral bool
}

// isProperty reports whether what is read next in a container is the schema of a property.
func (c *container) isProperty() bool { return c.isObject && c.member == "properties" && !c.free }

// isDefault reports whether what is read next in a container is the default of a schema, or within one.
func (c *container) isDefault() bool {
	return c.inDefault || c.isObject && c.of.member == "default" && !c.of.free && !c.isProperty()
}

// inSchema takes a string or a literal as what a schema says of itself, or as a part of its default. It
// stands without its quotation marks at a place.
func (r *reading) inSchema(from, to int, isLiteral bool) {
	if len(r.open) == 0 {
		return
	}
	c := &r.open[len(r.open)-1]
	text := r.text[from:to]
	switch {
	case c.isDefault():
		if !isLiteral || rawjson.Kind(text) == '0' {
			r.samples = append(r.samples, sample{piece{from, to}, isLiteral})
		}
	case !c.isObject || c.of.free:
	case c.of.member == "writeOnly":
		c.ofSecret = c.ofSecret || isLiteral && string(text) == "true"
	case c.of.member == "format":
		c.ofSecret = c.ofSecret || !isLiteral && bytes.EqualFold(text, []byte("password"))
	case c.of.member == "title" && c.titled && !isLiteral:
		c.ofSecret = c.ofSecret || IsName(string(rawjson.Unescaped(r.text[from-1:to+1])))
	}
}

// hideSamples masks the defaults in what ends, if that is the schema of a secret.
func (r *reading) hideSamples(c *container) {
	if !c.ofSecret {
		return
	}
	for _, s := range r.samples[c.firstSample:] {
		if s.isLiteral {
			r.hideLiteral(s.from, s.to)
		} else {
			r.hide(s.piece, false)
		}
	}
	r.samples = r.samples[:c.firstSample]
}
