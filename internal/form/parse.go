package form

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// keywords are the members of a schema, in their order; those that it takes from
// others by reference or allOf are among them.
type keywords struct {
	all   []Member
	index map[string]int
}

// keywordsOf are those of a schema that has these members.
func keywordsOf(members []Member) *keywords {
	return &keywords{slices.Clone(members), indexOf(members)}
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

const (
	// refsMost bounds how far references lead to references.
	refsMost = 32
	// workMost bounds the schemas that make one type: allOf of allOf of … grows
	// without end.
	workMost = 30_000
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
		return &Type{Kind: Object, Note: jsonWords(bytes.TrimSpace(d.raw)) + " is no schema"}
	}
	if _, refused := d.dialect(); refused != "" {
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
	if ref, ok := d.pureRef(raw); ok {
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
		return &Type{Note: clipTo(err.Error(), shownMost)}
	}
	return d.typeOf(k)
}

// pureRef is the reference of a schema that is nothing else.
func (d *document) pureRef(raw []byte) (string, bool) {
	if len(raw) > 300 || !bytes.Contains(raw, []byte(`"$ref"`)) {
		return "", false
	}
	members, err := d.members(raw)
	if err != nil || len(members) != 1 || members[0].Name != "$ref" {
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
	members, err := d.members(raw)
	switch {
	case errors.Is(err, errTooMuch):
		return nil, err
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errNoSchema, err)
	case !d.effort.take(4 + 2*len(members)):
		return nil, errTooMuch
	}
	k := keywordsOf(members)
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
	if parts, err := d.items(k.get("allOf")); err == nil {
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
	return d.merge(k, other)
}

// merge adds to k what another schema demands of the same value. Where both say
// something, what k says stands.
func (d *document) merge(k, other *keywords) error {
	for _, m := range other.all {
		mine := k.get(m.Name)
		if !d.effort.take(1 + (len(mine)+len(m.Value))/8) {
			return errTooMuch
		}
		switch {
		case mine == nil:
			k.set(m.Name, m.Value)
		case m.Name == "properties":
			both, err := d.mergeProperties(mine, m.Value)
			if err != nil {
				return err
			}
			k.set(m.Name, both)
		case m.Name == "required":
			a, errA := d.items(mine)
			b, errB := d.items(m.Value)
			if errA == nil && errB == nil {
				k.set(m.Name, appendArray(nil, slices.Concat(a, b)))
			}
		case m.Name == "type" && canon(mine) != canon(m.Value):
			return errClash
		}
	}
	return nil
}

func (d *document) mergeProperties(a, b []byte) ([]byte, error) {
	x, errX := d.members(a)
	y, errY := d.members(b)
	if err := errors.Join(errX, errY); err != nil {
		return nil, errNoSchema
	}
	x = slices.Clone(x)
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

func (d *document) lazily(raw []byte) *lazy { return &lazy{doc: d, raw: raw} }

func stringOf(raw []byte) string {
	s, _ := unquote(raw)
	return s
}

// shownMost is how many characters of a text of the schema are kept that is only
// shown.
const shownMost = 2000

// shownOf is a text of the schema that is only shown.
func shownOf(raw []byte) string { return clipTo(stringOf(raw), shownMost) }

func boolOf(raw []byte) bool { return string(bytes.TrimSpace(raw)) == "true" }

func countOf(raw []byte) *int {
	if kindOf(raw) != '0' || len(raw) > limitMost {
		return nil
	}
	d := parseDecimal(string(bytes.TrimSpace(raw)))
	n, err := strconv.Atoi(d.String())
	if err != nil || n < 0 {
		return nil
	}
	return &n
}

// limitMost is the length of a number, in bytes, that is compared with others.
const limitMost = 500

func decimalOf(raw []byte) *decimal {
	if kindOf(raw) != '0' || len(raw) > limitMost {
		return nil
	}
	d := parseDecimal(string(bytes.TrimSpace(raw)))
	return &d
}

// appendArray writes an array of these items.
func appendArray(dst []byte, items [][]byte) []byte {
	dst = append(dst, '[')
	dst = append(dst, bytes.Join(items, []byte(","))...)
	return append(dst, ']')
}
