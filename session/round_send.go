package session

import (
	"bytes"
	"slices"
)

// params are the parameters of a call that is made again: the ones of the first
// time, the answers under the keys that the server gave, and its state to the
// letter, if this last answer of the server's had one (MRT-10, MRT-12, MRT-15,
// MRT-16). A progress token that the user gave was for the first request alone.
func (ro *round) params(first []byte) []byte {
	params := withoutMembers(first, "inputResponses", "requestState")
	if len(params) == 0 {
		params = []byte("{}")
	}
	b := unclosed(tokenless(params))
	if ro.asked {
		answers := []byte{'{'}
		for _, in := range ro.inputs {
			answers = appendMember(answers, in.key, in.answer)
		}
		b = appendMember(b, []byte(`"inputResponses"`), append(answers, '}'))
	}
	if ro.state != nil {
		b = appendMember(b, []byte(`"requestState"`), ro.state)
	}
	return append(b, '}')
}

// tokenless is an object without the progress token that the user gave: once a
// request has ended, the token may be another one's (PRG-02).
func tokenless(params []byte) []byte {
	if len(params) == 0 {
		return nil
	}
	if _, ok := ownToken(params); !ok {
		return params
	}
	meta := withoutMembers(at(params, "_meta"), "progressToken")
	return append(appendMember(unclosed(withoutMembers(params, "_meta")), []byte(`"_meta"`), meta), '}')
}

// unclosed is a copy of an object without its last bracket.
func unclosed(object []byte) []byte {
	return bytes.TrimRight(bytes.Clone(object[:len(object)-1]), " \t\r\n")
}

// appendMember appends a member to an object without its last bracket. Name is
// the token, in its quotes.
func appendMember(dst, name, value []byte) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(append(dst, name...), ':'), value...)
}

// withoutMembers is an object without some of its members; to the letter what it
// was when it has none of them.
func withoutMembers(object []byte, names ...string) []byte {
	object = bytes.TrimSpace(object)
	if len(object) == 0 {
		return nil
	}
	b, dropped := []byte{'{'}, false
	for m := membersOf(object); ; {
		token := nameToken(m)
		name, value, ok := m.next()
		switch {
		case !ok && dropped:
			return append(b, '}')
		case !ok:
			return object
		case slices.Contains(names, string(name)):
			dropped = true
		default:
			b = appendMember(b, token, value)
		}
	}
}
