package mcp

import (
	"bytes"
	"reflect"
	"time"

	"belay/session/rawjson"
)

// Hollow says of a message that it is a result whose payload was not kept: Raw is what is
// left of it, from which the same is concluded as from the whole.
type Hollow struct {
	Size   int `json:"size"`   // of the whole message, in bytes
	Result int `json:"result"` // of the result in it
}

// SetHollow has a frame be what is left of a message. What is said of it need not be true.
func (f *Frame) SetHollow(h Hollow) {
	h.Size, h.Result = min(max(h.Size, len(f.Raw)), hollowMost), min(max(h.Result, len(f.Result)), hollowMost)
	f.Hollow, f.Size = &h, h.Size
}

// hollowMost is how large a message is believed to have been.
const hollowMost = 1 << 30

// HollowFrom is how many bytes a message has at least that is worth hollowing.
const HollowFrom = 4 << 10

// What of a result is left when it is hollowed: values that are short, and of lists and
// objects the beginning.
const (
	hollowShort = 200
	hollowItems = 16
	hollowDepth = 6
)

// Hollowed is a message without the payload of its result; false: that is not the large
// result of a call, or something else would be concluded from what is left.
func (f *Frame) Hollowed() ([]byte, Hollow, bool) {
	h := Hollow{Size: len(f.Raw), Result: len(f.Result)}
	if f.Kind != FrameResult || f.Hollow != nil || h.Result < HollowFrom || f.List != nil || f.Init != nil || f.Discover != nil || f.Inputs != nil {
		return nil, h, false
	}
	raw := bytes.TrimPrefix(f.Raw, byteOrderMark)
	left := []byte{'{'}
	for m := rawjson.MembersOf(raw[rawjson.SkipSpace(raw, 0):]); ; {
		token := m.NameToken()
		name, value, ok := m.Next()
		if !ok {
			break
		}
		if left = appendToken(left, token); string(name) == "result" {
			left = appendHollow(left, value, hollowDepth)
		} else {
			left = append(left, value...)
		}
	}
	left = append(left, '}')
	return left, h, 2*len(left) <= len(f.Raw) && f.concludesAs(Decode(left))
}

func appendToken(dst, token []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(dst, token...), ':')
}

// appendHollow appends a value without what is long in it.
func appendHollow(dst, value []byte, depth int) []byte {
	if len(value) <= hollowShort {
		return append(dst, value...)
	}
	switch kind := rawjson.Kind(value); {
	case kind == '"':
		return append(dst, `""`...) // and no beginning, which may end within a secret
	case kind == '{' && depth > 0:
		dst = append(dst, '{')
		m := rawjson.MembersOf(value)
		for range hollowItems {
			token := m.NameToken()
			if _, member, ok := m.Next(); ok && len(token) <= hollowShort {
				dst = appendHollow(appendToken(dst, token), member, depth-1)
			}
		}
		return append(dst, '}')
	case kind == '[' && depth > 0:
		dst = append(dst, '[')
		e := rawjson.ElementsOf(value)
		for i := range hollowItems {
			element, ok := e.Next()
			if !ok {
				break
			}
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendHollow(dst, element, depth-1)
		}
		return append(dst, ']')
	case kind == '{':
		return append(dst, "{}"...)
	case kind == '[':
		return append(dst, "[]"...)
	}
	return append(dst, '0') // a number of hundreds of digits
}

// concludesAs reports whether all that was found in another message is what was found in
// this one, but for the bytes themselves.
func (f *Frame) concludesAs(other *Frame) bool {
	return reflect.DeepEqual(f.found(), other.found())
}

// found is the frame without its bytes.
func (f *Frame) found() Frame {
	g := *f
	g.Raw, g.Result, g.Owned, g.Size, g.Hollow = nil, nil, false, 0, nil
	g.Began = time.Time{}
	if len(g.Problems) == 0 {
		g.Problems = nil
	}
	return g
}
