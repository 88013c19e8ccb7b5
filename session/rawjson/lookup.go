package rawjson

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// Lookup is a copy of a member of an object, raw. Of several the first one
// counts. Object may be anything, well-formed or not.
func Lookup(object []byte, name string) ([]byte, bool) {
	walks(object)
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
