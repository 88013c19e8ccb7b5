package kept

import (
	"bytes"
	"slices"

	"belay/session/rawjson"
	"belay/session/secret"
)

// Redactor leaves out of arguments what is secret: members, at any depth, that have the name of a
// secret or one of these names, and members in whose name or value a recording would mask
// something. A list with such an item is left out as a whole: the items after it would be others.
type Redactor struct {
	Names []string     // of fields that are secret beside those whose name says so
	Mask  *secret.Mask // nil: nothing is known by its value
}

// withoutMost is how many names of left-out members are kept, and withoutCut how long each
// of these may be.
const withoutMost, withoutCut = 8, 100

// beforeArguments and afterArguments make arguments the message that a recording has.
const beforeArguments, afterArguments = `{"params":{"arguments":`, `}}`

// pass returns an object without its secret members and without blanks, and the names of the
// members that were left out. ok is false if the text is no object.
func (s Redactor) pass(object []byte) (passed []byte, without []string, ok bool) {
	object = bytes.TrimSpace(object)
	if !isObject(object) {
		return nil, nil, false
	}
	message := slices.Concat([]byte(beforeArguments), object, []byte(afterArguments))
	masked := s.Mask.Redact(message)
	if len(masked) != len(message) {
		return nil, nil, false
	}
	p := passing{Redactor: s}
	passed = p.object(nil, object, masked[len(beforeArguments):len(masked)-len(afterArguments)])
	slices.Sort(p.without)
	return passed, p.without, true
}

// passing is one object on its way through a redactor. Beside each part of it goes the same part of
// the masked one, which has the same structure.
type passing struct {
	Redactor
	without []string
}

// value appends what of a value may be kept. It says false, having appended part of it perhaps,
// when that is nothing.
func (p *passing) value(dst, value, masked []byte) (_ []byte, ok bool) {
	switch rawjson.Kind(value) {
	case '{':
		return p.object(dst, value, masked), true
	case '[':
		return p.list(dst, value, masked)
	case '0': // which stays in a recording
		return append(dst, value...), bytes.Equal(value, masked) && p.Mask.RedactText(string(value)) == string(value)
	}
	return append(dst, value...), bytes.Equal(value, masked)
}

func (p *passing) object(dst, object, masked []byte) []byte {
	dst = append(dst, '{')
	first := true
	members, hidden := rawjson.MembersOf(object), rawjson.MembersOf(masked)
	for {
		text, value, ok := members.Next()
		hiddenText, hiddenValue, _ := hidden.Next()
		if !ok {
			return append(dst, '}')
		}
		name, before := rawjson.Name(text), len(dst)
		if !first {
			dst = append(dst, ',')
		}
		dst = append(rawjson.AppendQuote(dst, name), ':')
		shown := bytes.Equal(text, hiddenText)
		kept := shown && !secret.IsName(name) && !slices.Contains(p.Names, name)
		if kept {
			dst, kept = p.value(dst, value, hiddenValue)
		}
		if !kept {
			dst = dst[:before]
			p.omit(name, shown)
			continue
		}
		first = false
	}
}

func (p *passing) list(dst, list, masked []byte) (_ []byte, ok bool) {
	dst = append(dst, '[')
	elements, hidden := rawjson.ElementsOf(list), rawjson.ElementsOf(masked)
	for n := 0; ; n++ {
		value, more := elements.Next()
		hiddenValue, _ := hidden.Next()
		if !more {
			return append(dst, ']'), true
		}
		if n > 0 {
			dst = append(dst, ',')
		}
		if dst, ok = p.value(dst, value, hiddenValue); !ok {
			return dst, false
		}
	}
}

// omit remembers the name of what is left out; one that is secret itself is not told.
func (p *passing) omit(name string, shown bool) {
	if !shown {
		name = "a member"
	}
	for i := range name {
		if i > withoutCut {
			name = name[:i]
			break
		}
	}
	if len(p.without) < withoutMost && !slices.Contains(p.without, name) {
		p.without = append(p.without, name)
	}
}
