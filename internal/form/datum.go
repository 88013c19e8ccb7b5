package form

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// datum is a value that was read whole, for rules to look at.
type datum struct {
	kind  byte // as kindOf has it
	raw   []byte
	text  string
	items []*datum // of a list; of an object, the values beside names
	names []string
	index map[string]int
	key   string
}

var errTooDeep = errors.New("the value is nested too deeply")

// readDatum reads a value that is known to be JSON.
func readDatum(raw []byte) (*datum, error) {
	return readNext(jsontext.NewDecoder(bytes.NewReader(raw)), 0)
}

func readNext(d *jsontext.Decoder, depth int) (*datum, error) {
	if depth > judgeDepth {
		return nil, errTooDeep
	}
	open := d.PeekKind()
	if open != '{' && open != '[' {
		raw, err := d.ReadValue()
		v := &datum{kind: kindOf(raw), raw: bytes.Clone(raw)}
		v.text, _ = unquote(raw)
		return v, err
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	v := &datum{kind: byte(open)}
	for d.PeekKind() != '}' && d.PeekKind() != ']' {
		if open == '{' {
			name, err := d.ReadToken()
			if err != nil {
				return nil, err
			}
			v.names = append(v.names, name.String())
		}
		item, err := readNext(d, depth+1)
		if err != nil {
			return nil, err
		}
		v.items = append(v.items, item)
	}
	_, err := d.ReadToken()
	return v, err
}

// member is the member of an object, or nil.
func (v *datum) member(name string) *datum {
	const few = 8
	if v.kind != '{' {
		return nil
	}
	if len(v.names) <= few {
		if i := slices.Index(v.names, name); i >= 0 {
			return v.items[i]
		}
		return nil
	}
	if v.index == nil {
		v.index = make(map[string]int, len(v.names))
		for i, n := range v.names {
			v.index[n] = i
		}
	}
	if i, ok := v.index[name]; ok {
		return v.items[i]
	}
	return nil
}

// same is a text that equal values share: the order of members does not count.
func (v *datum) same() string {
	if v.key != "" {
		return v.key
	}
	switch v.kind {
	case '[':
		parts := make([]string, len(v.items))
		for i, item := range v.items {
			parts[i] = item.same()
		}
		v.key = "[" + strings.Join(parts, ",") + "]"
	case '{':
		parts := make([]string, len(v.items))
		for i, item := range v.items {
			parts[i] = string(Quote(v.names[i])) + ":" + item.same()
		}
		slices.Sort(parts)
		v.key = "{" + strings.Join(parts, ",") + "}"
	default:
		v.key = canon(v.raw)
	}
	return v.key
}

// sameText is what same says of a value that was not read yet.
func sameText(raw []byte) string {
	if isPlainScalar(raw) {
		return canon(raw)
	}
	v, err := readDatum(raw)
	if err != nil {
		return string(raw)
	}
	return v.same()
}
