package mcp

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/sentence"
)

// idKind is the JSON type of an ID.
type idKind uint8

const (
	idNone      idKind = iota
	idInt              // an integer that fits int64, in num
	idNumber           // any other number, in text, in canonical decimal form
	idString           // a string, in text, decoded
	idOddString        // a string that is not Unicode, in text, as the token was written
)

// ID is a JSON-RPC request ID or a progress token: a string or a number,
// compared by type and value and never through a float, so that "1" is not 1,
// 9007199254740993 is not 9007199254740992, and 1.0 and 1e0 are 1 (BASE-02,
// BASE-06, CXS-22; basic). The zero ID is no ID. IDs are comparable with == and may be
// the keys of a map.
type ID struct {
	kind idKind
	num  int64
	text string
}

// IntID is the ID that is the integer n.
func IntID(n int64) ID { return ID{kind: idInt, num: n} }

// StringID is the ID that is the string s. The empty string is an ID.
func StringID(s string) ID { return ID{kind: idString, text: s} }

// IsZero reports whether there is no ID.
func (id ID) IsZero() bool { return id.kind == idNone }

// expandTo is the number of digits up to which a number is written out; above
// it the canonical form has an exponent.
const expandTo = 40

// ParseID reads an ID from its JSON token, a string or a number without space
// around it. It reports false for any other value, and for bytes that are no
// JSON token. Numbers are read exactly, whatever their size; an exponent is
// never expanded into memory. Numbers whose exponent has more than 18 digits
// are compared as they are written.
func ParseID(token []byte) (ID, bool) {
	if len(token) == 0 {
		return ID{}, false
	}
	if n, ok := smallInt(token); ok {
		return IntID(n), true
	}
	if token[0] == '"' {
		return parseStringID(token)
	}
	return parseNumberID(token)
}

// smallInt reads a non-negative integer of at most 18 digits.
func smallInt(token []byte) (int64, bool) {
	if len(token) == 0 || len(token) > 18 || (token[0] == '0' && len(token) > 1) {
		return 0, false
	}
	var n int64
	for _, c := range token {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

func parseStringID(token []byte) (ID, bool) {
	if inner, ok := plainString(token); ok && utf8.Valid(inner) {
		return StringID(string(inner)), true
	}
	text, err := jsontext.AppendUnquote(nil, token)
	if err == nil {
		return StringID(string(text)), true
	}
	// Unquoting mangles what is not Unicode: two different strings could become
	// one. Such an ID is compared, and written, as the token it came as.
	if token[len(token)-1] != '"' || !IsWellFormed(token) {
		return ID{}, false
	}
	return ID{kind: idOddString, text: string(token)}, true
}

// plainString is the inside of a string token that holds no escape sequence.
func plainString(token []byte) ([]byte, bool) {
	if len(token) < 2 || token[0] != '"' || token[len(token)-1] != '"' {
		return nil, false
	}
	inner := token[1 : len(token)-1]
	for _, c := range inner {
		if c < ' ' || c == '\\' || c == '"' {
			return nil, false
		}
	}
	return inner, true
}

// decimal is a JSON number taken apart: its value is digits times ten to the
// power exp. The digits have no zero at either end; there are none when the
// value is 0.
type decimal struct {
	negative bool
	digits   string
	exp      int64
	huge     bool // the exponent has more than 18 digits; exp is not valid
}

// parseDecimal takes a JSON number apart. It reports false for anything that the
// grammar of JSON numbers does not allow.
func parseDecimal(s string) (decimal, bool) {
	var n decimal
	s, n.negative = strings.CutPrefix(s, "-")
	whole := leadingDigits(s)
	s = s[len(whole):]
	if whole == "" || (whole[0] == '0' && len(whole) > 1) {
		return n, false
	}
	var fraction string
	if rest, ok := strings.CutPrefix(s, "."); ok {
		fraction = leadingDigits(rest)
		s = rest[len(fraction):]
		if fraction == "" {
			return n, false
		}
	}
	if s != "" && (s[0] != 'e' && s[0] != 'E' || !n.setExponent(s[1:])) {
		return n, false
	}
	digits := strings.TrimLeft(whole+fraction, "0")
	n.digits = strings.TrimRight(digits, "0")
	n.exp += int64(len(digits) - len(n.digits) - len(fraction))
	return n, true
}

func leadingDigits(s string) string {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i]
}

func (n *decimal) setExponent(s string) bool {
	s, negative := strings.CutPrefix(s, "-")
	if !negative {
		s, _ = strings.CutPrefix(s, "+")
	}
	if s == "" || leadingDigits(s) != s {
		return false
	}
	s = strings.TrimLeft(s, "0")
	if len(s) > 18 {
		n.huge = true
		return true
	}
	for _, c := range []byte(s) {
		n.exp = n.exp*10 + int64(c-'0')
	}
	if negative {
		n.exp = -n.exp
	}
	return true
}

// canonical is a JSON number that is the same for every way of writing a value.
func (n decimal) canonical() string {
	sign := ""
	if n.negative {
		sign = "-"
	}
	point := int64(len(n.digits)) + n.exp // digits before the decimal point
	switch {
	case n.exp >= 0 && point <= expandTo:
		return sign + n.digits + strings.Repeat("0", int(n.exp))
	case n.exp == 0:
		return sign + n.digits
	case n.exp < 0 && point > 0:
		return sign + n.digits[:point] + "." + n.digits[point:]
	case n.exp < 0 && point > -expandTo:
		return sign + "0." + strings.Repeat("0", int(-point)) + n.digits
	}
	return sign + n.digits + "e" + strconv.FormatInt(n.exp, 10)
}

func parseNumberID(token []byte) (ID, bool) {
	s := string(token)
	n, ok := parseDecimal(s)
	switch {
	case !ok:
		return ID{}, false
	case n.digits == "":
		return IntID(0), true
	case n.huge:
		return ID{kind: idNumber, text: s}, true
	}
	text := n.canonical()
	if v, err := strconv.ParseInt(text, 10, 64); err == nil {
		return IntID(v), true
	}
	return ID{kind: idNumber, text: text}, true
}

// Append appends the ID as a JSON token of the JSON type and the value that the ID was read or
// made with (CXL-10; basic/utilities/cancellation). A number may be written in another form than
// it was read in. A zero ID appends null.
func (id ID) Append(dst []byte) []byte {
	switch id.kind {
	case idInt:
		return strconv.AppendInt(dst, id.num, 10)
	case idNumber, idOddString:
		return append(dst, id.text...)
	case idString:
		return appendString(dst, id.text)
	default:
		return append(dst, "null"...)
	}
}

// String is the ID as people read it: a string is in quotes, as in JSON, so
// that 7 and "7" differ. It may hold foreign text. A zero ID is empty.
func (id ID) String() string {
	switch id.kind {
	case idNone:
		return ""
	case idInt:
		return strconv.FormatInt(id.num, 10)
	default:
		return string(id.Append(nil))
	}
}

// Int is the value of an ID that is an integer and fits an int64.
func (id ID) Int() (int64, bool) { return id.num, id.kind == idInt }

// Text is the text of an ID that is a string of Unicode.
func (id ID) Text() (string, bool) { return id.text, id.kind == idString }

// IsString reports whether the ID is a string.
func (id ID) IsString() bool { return id.kind == idString || id.kind == idOddString }

// IsInteger reports whether the ID is a number with an integer value, however it
// was written and however big it is.
func (id ID) IsInteger() bool {
	if id.kind != idNumber {
		return id.kind == idInt
	}
	if e := strings.IndexAny(id.text, "eE"); e >= 0 {
		return id.text[e+1] != '-'
	}
	return !strings.Contains(id.text, ".")
}

// IsProper reports whether the ID is what the specification allows: a string or an integer (BASE-02,
// PRG-01; basic, basic/utilities/progress).
func (id ID) IsProper() bool { return id.IsString() || id.IsInteger() }

// Brief is the ID for a log: one of absurd length is cut.
func (id ID) Brief() ID {
	if len(id.text) <= sentence.Limit {
		return id
	}
	return StringID(sentence.Clip(id.text))
}
