package rawjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Lookup is a copy of a member of an object, raw. Of several the first one
// counts. Object may be anything, well-formed or not.
func Lookup(object []byte, name string) ([]byte, bool) {
	d := jsontext.NewDecoder(bytes.NewReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return nil, false
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return nil, false
		}
		wanted := key.String() == name
		v, err := d.ReadValue()
		if err != nil {
			return nil, false
		}
		if wanted {
			return bytes.Clone(v), true
		}
	}
	return nil, false
}

// Strings are the strings at the beginning of a list that is a member of an
// object, at most 32. Object may be anything, well-formed or not.
func Strings(object []byte, name string) []string {
	v, ok := Lookup(object, name)
	if !ok {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(v))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil
	}
	var all []string
	for len(all) < 32 && d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			break
		}
		all = append(all, t.String())
	}
	return all
}
