package mcp

import (
	"bytes"
	"fmt"
	"strings"

	"belay/session/rawjson"
	"belay/session/secret"
	"belay/session/sentence"
)

// In 2026-07-28 a tool may want some of its parameters in the head of the request as well, for
// those who route without reading bodies: x-mcp-header on a property names the field. A tool whose
// wish breaks a rule must not be used over HTTP (HTM-26 … HTM-33;
// basic/transports/streamable-http).

// Mirror is a parameter of a tool that is sent in the head of its call, too.
type Mirror struct {
	Header string   // the name of the field
	Path   []string // the names that lead to the parameter, from the arguments on
	Secret bool     // its name looks like that of a secret (HTM-56; basic/transports/streamable-http)
}

const (
	mirrorKeyword = "x-mcp-header"
	mirrorPrefix  = "Mcp-Param-"
)

// Bounds of what a tool may want in the head, where all of it goes out with each call: a server
// takes a head of some kilobytes.
const (
	maxMirrorDepth  = 64  // how deep a schema with annotations may be nested
	maxMirrors      = 100 // parameters
	maxMirrorHeader = 256 // bytes of the name of a field
)

// mirrorsOf reads which parameters a schema wants in the head. Why says which
// rule it breaks, in words that may hold foreign text; empty: none.
func mirrorsOf(schema []byte) (list []Mirror, why string) {
	// An escaped spelling of the keyword is the same keyword.
	if rawjson.Kind(schema) != '{' || !bytes.Contains(schema, []byte(mirrorKeyword)) && bytes.IndexByte(schema, '\\') < 0 {
		return nil, ""
	}
	r := mirrorReader{taken: map[string]string{}}
	r.schema(schema, nil, true, 0)
	if r.why != "" {
		return nil, r.why
	}
	return r.list, ""
}

// mirrorReader walks over a schema until something in it breaks a rule.
type mirrorReader struct {
	list  []Mirror
	taken map[string]string // which parameter has a header, by its name in lower case
	why   string
}

func (r *mirrorReader) refuse(format string, args ...any) {
	if r.why == "" {
		r.why = fmt.Sprintf(format, args...)
	}
}

// subschemas are the keywords whose value is a schema, or holds some.
var subschemas = map[string]byte{
	"items": 's', "additionalItems": 's', "contains": 's', "additionalProperties": 's', "propertyNames": 's',
	"unevaluatedItems": 's', "unevaluatedProperties": 's', "not": 's', "if": 's', "then": 's', "else": 's', "contentSchema": 's',
	"allOf": 's', "anyOf": 's', "oneOf": 's', "prefixItems": 's',
	"patternProperties": 'm', "dependentSchemas": 'm', "dependencies": 'm', "$defs": 'm', "definitions": 'm',
}

// schema reads a schema, or a list of them. Reached says that only steps of properties lead to it:
// nowhere else may an annotation stand (HTM-32; basic/transports/streamable-http).
func (r *mirrorReader) schema(value []byte, path []string, reached bool, depth int) {
	switch kind := rawjson.Kind(value); {
	case kind == '[':
		for e := rawjson.ElementsOf(value); r.why == ""; {
			one, ok := e.Next()
			if !ok {
				return
			}
			r.schema(one, path, false, depth+1)
		}
		return
	case kind != '{':
		return
	case depth > maxMirrorDepth:
		r.refuse("its schema is nested deeper than %d levels", maxMirrorDepth)
		return
	}
	for m := rawjson.MembersOf(value); r.why == ""; {
		name, v, ok := m.Next()
		if !ok {
			return
		}
		switch keyword := string(name); {
		case keyword == mirrorKeyword && !(reached && len(path) > 0):
			r.refuse("%s stands where no steps of properties lead (%s)", mirrorKeyword, pathWords(path))
		case keyword == mirrorKeyword:
			r.parameter(value, v, path)
		case keyword == "properties":
			r.each(v, path, reached, depth)
		case subschemas[keyword] == 's':
			r.schema(v, append(path[:len(path):len(path)], keyword), false, depth+1)
		case subschemas[keyword] == 'm':
			r.each(v, append(path[:len(path):len(path)], keyword), false, depth)
		}
	}
}

// each reads the schemas of an object by name.
func (r *mirrorReader) each(value []byte, path []string, reached bool, depth int) {
	if rawjson.Kind(value) != '{' {
		return
	}
	for m := rawjson.MembersOf(value); r.why == ""; {
		name, v, ok := m.Next()
		if !ok {
			return
		}
		r.schema(v, append(path[:len(path):len(path)], rawjson.Name(name)), reached, depth+1)
	}
}

// parameter takes an annotation on a property.
func (r *mirrorReader) parameter(property, annotation []byte, path []string) {
	where := pathWords(path)
	header, ok := rawjson.Text(annotation)
	kind, _ := rawjson.TextAt(property, "type")
	switch {
	case !ok:
		r.refuse("%s of %s is %s, not a string", mirrorKeyword, where, rawjson.KindWords(annotation))
	case header == "":
		r.refuse("%s of %s is empty", mirrorKeyword, where)
	case len(header) > maxMirrorHeader:
		r.refuse("%s of %s has %s; belay sends at most %d bytes", mirrorKeyword, where, sentence.Size(len(header)), maxMirrorHeader)
	case !isToken(header):
		r.refuse("%s of %s, %s, is not an HTTP token", mirrorKeyword, where, sentence.Quoted(sentence.Clip(header)))
	case rawjson.At(property, "type") == nil:
		r.refuse("%s has no type; only string, integer and boolean may be mirrored", where)
	case kind != "string" && kind != "integer" && kind != "boolean":
		r.refuse("%s is of type %s; only string, integer and boolean may be mirrored", where, rawjson.Excerpt(rawjson.At(property, "type")))
	case r.taken[strings.ToLower(header)] != "":
		r.refuse("%s and %s are mirrored in the same field, %s", r.taken[strings.ToLower(header)], where, mirrorPrefix+header)
	case len(r.list) >= maxMirrors:
		r.refuse("more than %d parameters are to be mirrored; belay sends no more", maxMirrors)
	default:
		r.taken[strings.ToLower(header)] = where
		r.list = append(r.list, Mirror{Header: mirrorPrefix + header, Path: path, Secret: isSecret(path[len(path)-1], property)})
	}
}

// isSecret reports whether a parameter is a secret by its name or its schema.
func isSecret(name string, property []byte) bool {
	format, _ := rawjson.TextAt(property, "format")
	return secret.IsName(name) || strings.EqualFold(format, "password") || string(rawjson.At(property, "writeOnly")) == "true"
}

// SecretMirrors are the secret ones among the mirrors of a tool, the first ones, at most so many.
func (it *Item) SecretMirrors(most int) (list []Mirror) {
	if most = min(most, int(it.Secrets)); most <= 0 { // as of most tools: they are not gone through
		return nil
	}
	for _, m := range it.Mirrors {
		if m.Secret {
			list = append(list, m)
		}
		if len(list) == most {
			break
		}
	}
	return list
}

// Name is the path of a parameter in words. It is foreign text.
func (m Mirror) Name() string { return pathWords(m.Path) }

func pathWords(path []string) string {
	if len(path) == 0 {
		return "the schema itself"
	}
	var words []byte
	for _, step := range path {
		if len(words) > sentence.Limit { // a step may be as long as a message
			break
		}
		words = append(append(words, step[:min(len(step), sentence.Limit+1)]...), '.')
	}
	return sentence.Clip(string(words[:len(words)-1]))
}

// isToken reports whether text may be part of the name of a header field.
func isToken(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return text != ""
}
