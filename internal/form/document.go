package form

import (
	"bytes"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// document is a whole schema, in which references are looked up. It is read once:
// what is in each of its objects and lists is known by where that begins.
type document struct {
	raw     []byte
	parts   map[*byte]*content
	anchors map[string][]byte // once one was looked up
	refs    map[string]*Type  // what pure references were read as
	work    int               // how many schemas were read for the type that is being read
	open    int               // how many types are being read, each for the one before

	effort *effort
}

// content is what is in an object or a list of a document. It is shared, and never
// changed.
type content struct {
	members []Member
	items   [][]byte
	index   map[string]int // of the members, once they were looked up by name
}

// newDocument reads a schema. Of one that is no JSON, or too much, nothing is
// known: whoever reads on is told the error.
func newDocument(raw []byte, e *effort) *document {
	d := &document{raw: bytes.TrimSpace(raw), refs: map[string]*Type{}, effort: e}
	if len(d.raw) == 0 || !e.take(sizeSteps(len(d.raw))) {
		return d
	}
	r := &partReader{raw: d.raw, dec: jsontext.NewDecoder(bytes.NewBuffer(d.raw)), parts: map[*byte]*content{}, effort: e}
	if _, err := r.value(); err == nil && r.dec.InputOffset() == int64(len(d.raw)) {
		d.parts = r.parts
	}
	return d
}

// partReader reads all parts of a JSON text in one go.
type partReader struct {
	raw    []byte
	dec    *jsontext.Decoder
	parts  map[*byte]*content
	effort *effort
}

// value reads the next value, and returns it as it stands in the text.
func (r *partReader) value() ([]byte, error) {
	if !r.effort.take(1) {
		return nil, errTooMuch
	}
	kind := r.dec.PeekKind()
	if kind != '{' && kind != '[' {
		v, err := r.dec.ReadValue()
		end := int(r.dec.InputOffset())
		return r.raw[end-len(v) : end : end], err
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return nil, err
	}
	from := int(r.dec.InputOffset()) - 1
	p := &content{}
	for r.dec.PeekKind() != '}' && r.dec.PeekKind() != ']' {
		name := ""
		if kind == '{' {
			t, err := r.dec.ReadToken()
			if err != nil {
				return nil, err
			}
			name = t.String()
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		if kind == '{' {
			p.members = append(p.members, Member{name, v})
		} else {
			p.items = append(p.items, v)
		}
	}
	_, err := r.dec.ReadToken()
	r.parts[&r.raw[from]] = p
	end := int(r.dec.InputOffset())
	return r.raw[from:end:end], err
}

// part is what is known of an object or a list of the document; nil: it is none,
// or was put together of several.
func (d *document) part(raw []byte) *content {
	if len(raw) == 0 {
		return nil
	}
	return d.parts[&raw[0]]
}

// members are those of an object, in their order. They are not to be changed.
func (d *document) members(raw []byte) ([]Member, error) {
	raw = bytes.TrimSpace(raw)
	if p := d.part(raw); p != nil && raw[0] == '{' {
		return p.members, nil
	}
	if len(raw) == 0 {
		return nil, nil
	}
	if !d.effort.take(sizeSteps(len(raw))) {
		return nil, errTooMuch
	}
	return ParseObject(raw)
}

// items are those of a list. They are not to be changed.
func (d *document) items(raw []byte) ([][]byte, error) {
	raw = bytes.TrimSpace(raw)
	if p := d.part(raw); p != nil && raw[0] == '[' {
		return p.items, nil
	}
	if len(raw) == 0 || raw[0] != '[' {
		return nil, errNoList
	}
	if !d.effort.take(sizeSteps(len(raw))) {
		return nil, errTooMuch
	}
	return parseArray(raw)
}

// names are the texts of a list; nil when something else is in it.
func (d *document) names(raw []byte) []string {
	items, err := d.items(raw)
	if err != nil || !d.effort.take(len(items)) {
		return nil
	}
	var names []string
	for _, item := range items {
		name, ok := unquote(item)
		if !ok && kindOf(item) != 'n' {
			return nil
		}
		names = append(names, name)
	}
	return names
}

// member is the member of an object that has a name, or nil.
func (d *document) member(raw []byte, name string) []byte {
	members, err := d.members(raw)
	if err != nil {
		return nil
	}
	const few = 16
	if p := d.part(bytes.TrimSpace(raw)); p != nil && len(members) > few {
		if p.index == nil {
			if !d.effort.take(len(members)) {
				return nil
			}
			p.index = indexOf(members)
		}
		if i, ok := p.index[name]; ok {
			return members[i].Value
		}
		return nil
	}
	for _, m := range members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// lookup follows a reference inside the document. Nothing is ever fetched.
func (d *document) lookup(ref string) ([]byte, error) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, errors.New("the schema refers to another one, which belay does not fetch: " + nameWords(ref, 40))
	}
	if p, err := url.PathUnescape(path); err == nil {
		path = p
	}
	if path != "" && path[0] != '/' {
		if at := d.anchored(path); at != nil {
			return at, nil
		}
	}
	at := d.raw
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		var next []byte
		if kindOf(at) == '[' {
			items, err := d.items(at)
			if i, bad := strconv.Atoi(part); err == nil && bad == nil && i >= 0 && i < len(items) {
				next = items[i]
			}
		} else {
			next = d.member(at, part)
		}
		if !d.effort.take(sizeSteps(len(part))) {
			return nil, errTooMuch
		}
		if next == nil {
			return nil, errors.New("the schema refers to something that is not in it: " + nameWords(ref, 40))
		}
		at = next
	}
	return at, nil
}

// anchored is the part of the schema that has an $anchor, or nil.
func (d *document) anchored(name string) []byte {
	if d.anchors == nil {
		d.anchors = map[string][]byte{}
		d.findAnchors(d.raw)
	}
	return d.anchors[name]
}

func (d *document) findAnchors(raw []byte) {
	p := d.part(raw)
	if p == nil || !d.effort.take(1+len(p.members)+len(p.items)) {
		return
	}
	for _, m := range p.members {
		if m.Name == "$anchor" {
			if name := stringOf(m.Value); d.anchors[name] == nil {
				d.anchors[name] = raw
			}
		}
	}
	for _, m := range p.members {
		d.findAnchors(m.Value)
	}
	for _, item := range p.items {
		d.findAnchors(item)
	}
}
