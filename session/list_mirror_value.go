package session

import (
	"bytes"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"belay/session/mcp"
	"belay/session/rawjson"
)

// mirrored are the fields that repeat parameters of a call, and why some do not go out although
// their parameter has a value (HTM-31, HTM-36 … HTM-38; basic/transports/streamable-http).
func mirrored(list []mcp.Mirror, arguments []byte) (fields []Header, omitted []string) {
	arguments = bytes.TrimSpace(arguments)
	if len(list) == 0 || rawjson.Kind(arguments) != '{' {
		return nil, nil
	}
	root := new(mirrorNode)
	for i := range list {
		root.add(list[i].Path, i)
	}
	values := make([][]byte, len(list))
	root.find(arguments, values)
	for i, m := range list {
		text, why, ok := mirroredText(values[i])
		switch {
		case ok:
			fields = append(fields, Header{m.Header, fieldValue(text)})
		case why != "":
			omitted = append(omitted, fmt.Sprintf("%s is not sent: %s %s", m.Header, m.Name(), why))
		}
	}
	return fields, omitted
}

// mirrorNode is a step on the way to parameters, so that the arguments are
// walked over once, however many of them are mirrored.
type mirrorNode struct {
	at   int // of the parameter in the list, plus one; 0: none ends here
	kids map[string]*mirrorNode
}

func (n *mirrorNode) add(path []string, i int) {
	for _, name := range path {
		if n.kids == nil {
			n.kids = map[string]*mirrorNode{}
		}
		if n.kids[name] == nil {
			n.kids[name] = new(mirrorNode)
		}
		n = n.kids[name]
	}
	n.at = i + 1
}

// find takes the values of all parameters below an object. Of a name that
// stands there twice the last one counts.
func (n *mirrorNode) find(object []byte, values [][]byte) {
	for m := rawjson.MembersOf(object); ; {
		name, value, ok := m.Next()
		if !ok {
			return
		}
		kid := n.kids[rawjson.Name(name)]
		if kid == nil {
			continue
		}
		if kid.at > 0 {
			values[kid.at-1] = value
		}
		if len(kid.kids) > 0 && rawjson.Kind(value) == '{' {
			kid.find(value, values)
		}
	}
}

// mirroredText is a value as text: a string as it is, an integer in decimal, a
// boolean in lower case. What is missing or null has none, and no reason.
func mirroredText(value []byte) (text, why string, ok bool) {
	switch rawjson.Kind(value) {
	case 0, 'n':
		return "", "", false
	case '"':
		return rawjson.DecodeText(value), "", true
	case 't', 'f':
		return string(value), "", true
	case '0':
		n, whole := wholeNumber(string(value))
		switch {
		case !whole:
			return "", "is no integer", false
		case n > maxSafeInteger || n < -maxSafeInteger:
			return "", "is beyond ±(2^53−1)", false
		}
		return strconv.FormatInt(n, 10), "", true
	}
	return "", "is " + rawjson.KindWords(value), false
}

// maxSafeInteger is the largest integer that every reader of JSON tells from its
// neighbors.
const maxSafeInteger = 1<<53 - 1

// wholeNumber reads a JSON number that is an integer, however it is written. One
// that is too large for an int64 reads as the largest.
func wholeNumber(token string) (n int64, ok bool) {
	n, err := strconv.ParseInt(token, 10, 64)
	if err == nil {
		return n, true
	}
	if !strings.ContainsAny(token, ".eE") {
		return 1<<63 - 1, true
	}
	// The exponent decides how much memory an exact reading takes.
	_, exponent, _ := strings.Cut(strings.ToLower(token), "e")
	if e, err := strconv.Atoi(exponent); exponent != "" && (err != nil || e > 400 || e < -400) || len(token) > 400 {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(token)
	if !ok || !r.IsInt() {
		return 0, false
	}
	if !r.Num().IsInt64() {
		return 1<<63 - 1, true
	}
	return r.Num().Int64(), true
}
