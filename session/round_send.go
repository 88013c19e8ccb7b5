package session

import "bytes"

// roundParams are the parameters of a call that is made again: the ones of the
// first time, the answers under the keys that the server gave, and its state to
// the letter, if this last answer of the server's had one (MRT-10, MRT-12,
// MRT-15, MRT-16).
func (ro *round) params(first []byte) []byte {
	b := bytes.TrimSpace(withoutMembers(first, "inputResponses", "requestState"))
	if len(b) == 0 {
		b = []byte("{}")
	}
	b = append([]byte(nil), bytes.TrimRight(b[:len(b)-1], " \t\r\n")...)
	comma := func() {
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
	}
	if ro.asked {
		comma()
		b = append(b, `"inputResponses":{`...)
		for _, in := range ro.inputs {
			comma()
			b = append(append(append(b, in.key...), ':'), in.answer...)
		}
		b = append(b, '}')
	}
	if ro.state != nil {
		comma()
		b = append(append(b, `"requestState":`...), ro.state...)
	}
	return append(b, '}')
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
		if !ok {
			break
		}
		drop := false
		for _, n := range names {
			drop = drop || string(name) == n
		}
		if dropped = dropped || drop; drop {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, token...), ':'), value...)
	}
	if !dropped {
		return object
	}
	return append(b, '}')
}
