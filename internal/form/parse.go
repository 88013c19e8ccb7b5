package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// keywords are the members of a schema, in their order; those that it takes from
// others by reference or allOf are among them.
type keywords struct {
	all   []Member
	index map[string]int
}

func (k *keywords) get(name string) []byte {
	if i, ok := k.index[name]; ok {
		return k.all[i].Value
	}
	return nil
}

func (k *keywords) has(names ...string) bool {
	return slices.ContainsFunc(names, func(n string) bool { _, ok := k.index[n]; return ok })
}

func (k *keywords) set(name string, v []byte) {
	if i, ok := k.index[name]; ok {
		k.all[i].Value = v
		return
	}
	k.index[name] = len(k.all)
	k.all = append(k.all, Member{name, v})
}

func (k *keywords) drop(name string) {
	if i, ok := k.index[name]; ok {
		k.all = slices.Delete(slices.Clone(k.all), i, i+1)
		k.index = indexOf(k.all)
	}
}

func (k *keywords) json() []byte { return AppendObject(nil, k.all) }

func indexOf(all []Member) map[string]int {
	index := make(map[string]int, len(all))
	for i, m := range all {
		index[m.Name] = i
	}
	return index
}

// document is a whole schema, in which references are looked up.
type document struct {
	raw  []byte
	refs map[string]*Type // what pure references were read as
	work int              // how many schemas were read for the type that is being read
	open int              // how many types are being read, each for the one before
}

func newDocument(raw []byte) *document {
	return &document{raw: raw, refs: map[string]*Type{}}
}

const (
	// refsMost bounds how far references lead to references.
	refsMost = 32
	// workMost bounds the schemas that make one type: allOf of allOf of … grows
	// without end.
	workMost = 5000
)

var (
	errTooMuch  = errors.New("the schema leads to itself, or to too much")
	errNoSchema = errors.New("this is no schema")
	errClash    = errors.New("the schema contradicts itself")
)

// rootType is the type of the whole: an object, or variants that are objects.
func (d *document) rootType() *Type {
	if len(bytes.TrimSpace(d.raw)) == 0 {
		return &Type{Kind: Object}
	}
	if c := kindOf(d.raw); c != '{' && c != 't' {
		return &Type{Kind: Object, Note: clip(string(bytes.TrimSpace(d.raw))) + " is no schema"}
	}
	if _, refused := dialectOf(d.raw); refused != "" {
		return &Type{Kind: Object, Note: refused}
	}
	t := d.parse(d.raw)
	switch {
	case t.Kind == Object:
		if t.free {
			t.other = nil // arguments that nobody named are no arguments
		}
		return t
	case t.Kind == Variant:
		return t
	case t.Note != "":
		return &Type{Kind: Object, Note: t.Note}
	}
	k, err := d.keywords(d.raw, 0)
	if err == nil && !k.has("type", "enum", "const") {
		return &Type{Kind: Object}
	}
	return &Type{Kind: Object, Note: "the schema does not describe an object"}
}

// parse reads a schema. What it cannot read is of kind JSON, with a note.
func (d *document) parse(raw []byte) *Type {
	if d.open >= refsMost {
		return &Type{Note: errTooMuch.Error()}
	}
	d.open++
	defer func() { d.open-- }()
	d.work = 0
	switch string(bytes.TrimSpace(raw)) {
	case "true":
		return &Type{}
	case "false":
		return &Type{Note: "the schema allows nothing here"}
	}
	if ref, ok := pureRef(raw); ok {
		if t := d.refs[ref]; t != nil {
			return t
		}
		t := d.parseAnew(raw)
		d.refs[ref] = t
		return t
	}
	return d.parseAnew(raw)
}

func (d *document) parseAnew(raw []byte) *Type {
	k, err := d.keywords(raw, 0)
	if err != nil {
		return &Type{Note: err.Error()}
	}
	return d.typeOf(k)
}

// pureRef is the reference of a schema that is nothing else.
func pureRef(raw []byte) (string, bool) {
	if len(raw) > 300 || !bytes.Contains(raw, []byte(`"$ref"`)) {
		return "", false
	}
	members, err := ParseObject(raw)
	if err != nil || len(members) != 1 {
		return "", false
	}
	return unquote(members[0].Value)
}

// keywords reads a schema with all that it refers to.
func (d *document) keywords(raw []byte, hops int) (*keywords, error) {
	if d.work++; hops > refsMost || d.work > workMost {
		return nil, errTooMuch
	}
	if s := string(bytes.TrimSpace(raw)); s == "true" {
		raw = []byte("{}")
	}
	if kindOf(raw) != '{' {
		return nil, errNoSchema
	}
	members, err := ParseObject(raw)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoSchema, err)
	}
	k := &keywords{members, indexOf(members)}
	if ref, ok := unquote(k.get("$ref")); ok {
		target, err := d.lookup(ref)
		if err != nil {
			return nil, err
		}
		k.drop("$ref")
		if err := d.mergeIn(k, target, hops); err != nil {
			return nil, err
		}
	}
	if parts, err := parseArray(k.get("allOf")); err == nil {
		k.drop("allOf")
		for _, p := range parts {
			if err := d.mergeIn(k, p, hops); err != nil {
				return nil, err
			}
		}
	}
	return k, nil
}

func (d *document) mergeIn(k *keywords, raw []byte, hops int) error {
	other, err := d.keywords(raw, hops+1)
	if err != nil {
		return err
	}
	return k.merge(other)
}

// merge adds what another schema demands of the same value. Where both say
// something, what k says stands.
func (k *keywords) merge(other *keywords) error {
	for _, m := range other.all {
		mine := k.get(m.Name)
		switch {
		case mine == nil:
			k.set(m.Name, m.Value)
		case m.Name == "properties":
			both, err := mergeProperties(mine, m.Value)
			if err != nil {
				return err
			}
			k.set(m.Name, both)
		case m.Name == "required":
			a, errA := parseArray(mine)
			b, errB := parseArray(m.Value)
			if errA == nil && errB == nil {
				k.set(m.Name, appendArray(nil, append(a, b...)))
			}
		case m.Name == "type" && canon(mine) != canon(m.Value):
			return errClash
		}
	}
	return nil
}

func mergeProperties(a, b []byte) ([]byte, error) {
	x, errX := ParseObject(a)
	y, errY := ParseObject(b)
	if err := errors.Join(errX, errY); err != nil {
		return nil, errNoSchema
	}
	index := indexOf(x)
	for _, m := range y {
		if i, ok := index[m.Name]; ok {
			x[i].Value = AppendObject(nil, []Member{{"allOf", appendArray(nil, [][]byte{x[i].Value, m.Value})}})
			continue
		}
		x = append(x, m)
	}
	return AppendObject(nil, x), nil
}

// lookup follows a reference inside the document. Nothing is ever fetched.
func (d *document) lookup(ref string) ([]byte, error) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, errors.New("the schema refers to another one, which belay does not fetch: " + ref)
	}
	if p, err := url.PathUnescape(path); err == nil {
		path = p
	}
	if path != "" && path[0] != '/' {
		left := anchorMost
		if at := anchored(d.raw, path, &left); at != nil {
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
			items, err := parseArray(at)
			if i, bad := strconv.Atoi(part); err == nil && bad == nil && i >= 0 && i < len(items) {
				next = items[i]
			}
		} else if members, err := ParseObject(at); err == nil {
			for _, m := range members {
				if m.Name == part {
					next = m.Value
				}
			}
		}
		if next == nil {
			return nil, errors.New("the schema refers to something that is not in it: " + ref)
		}
		at = next
	}
	return at, nil
}

func (d *document) lazily(raw []byte) *lazy { return &lazy{doc: d, raw: raw} }

func stringOf(raw []byte) string {
	s, _ := unquote(raw)
	return s
}

func boolOf(raw []byte) bool { return string(bytes.TrimSpace(raw)) == "true" }

func countOf(raw []byte) *int {
	if kindOf(raw) != '0' {
		return nil
	}
	d := parseDecimal(string(bytes.TrimSpace(raw)))
	n, err := strconv.Atoi(d.String())
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

func decimalOf(raw []byte) *decimal {
	if kindOf(raw) != '0' {
		return nil
	}
	d := parseDecimal(string(bytes.TrimSpace(raw)))
	return &d
}

func namesOf(raw []byte) []string {
	var names []string
	if json.Unmarshal(raw, &names) != nil {
		return nil
	}
	return names
}

// appendArray writes an array of these items.
func appendArray(dst []byte, items [][]byte) []byte {
	dst = append(dst, '[')
	dst = append(dst, bytes.Join(items, []byte(","))...)
	return append(dst, ']')
}
