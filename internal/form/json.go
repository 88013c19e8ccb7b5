package form

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Member is one member of a JSON object, its value as it was written.
type Member struct {
	Name  string
	Value []byte
}

// ErrDuplicate is returned for an object that has a member twice: a form could
// keep only one of them.
var ErrDuplicate = errors.New("a member occurs twice")

// ParseObject reads a JSON object member by member, in its order. The values lie in
// raw.
func ParseObject(raw []byte) ([]Member, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	t, err := d.ReadToken()
	if err != nil {
		return nil, plainError(raw, d, err)
	}
	if t.Kind() != '{' {
		return nil, errors.New("this must be a JSON object: { … }")
	}
	var out []Member
	for d.PeekKind() != '}' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, plainError(raw, d, err)
		}
		name := t.String()
		v, err := d.ReadValue()
		if err != nil {
			return nil, plainError(raw, d, err)
		}
		end := int(d.InputOffset())
		out = append(out, Member{name, raw[end-len(v) : end : end]})
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, plainError(raw, d, err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("line %d: there is something behind the object", lineAt(raw, int(d.InputOffset())))
	}
	return out, nil
}

// plainError says in which line what is wrong.
func plainError(raw []byte, d *jsontext.Decoder, err error) error {
	at := int(d.InputOffset())
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = int(syntax.ByteOffset)
	}
	line := lineAt(raw, at)
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("line %d: %w: %s", line, ErrDuplicate, quoted(syntax.JSONPointer.LastToken()))
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("line %d: something is missing at the end", lineAt(raw, len(raw)))
	}
	return fmt.Errorf("line %d: this is no JSON", line)
}

func lineAt(raw []byte, at int) int {
	return 1 + bytes.Count(raw[:min(at, len(raw))], []byte("\n"))
}

// AppendObject writes an object with these members.
func AppendObject(dst []byte, members []Member) []byte {
	dst = append(dst, '{')
	for i, m := range members {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, Quote(m.Name)...)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// Quote writes a JSON string.
func Quote(s string) []byte {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil { // not UTF-8: written with replacement characters
		b, _ = jsontext.AppendQuote(nil, string(bytes.ToValidUTF8([]byte(s), []byte("\uFFFD"))))
	}
	return b
}

var errNoList = errors.New("this is no list")

// parseArray reads the items of a JSON array, which lie in raw.
func parseArray(raw []byte) ([][]byte, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(raw))
	t, err := d.ReadToken()
	if err != nil || t.Kind() != '[' {
		return nil, errNoList
	}
	var out [][]byte
	for d.PeekKind() != ']' {
		v, err := d.ReadValue()
		if err != nil {
			return nil, plainError(raw, d, err)
		}
		end := int(d.InputOffset())
		out = append(out, raw[end-len(v):end:end])
	}
	return out, nil
}

// compact takes the blanks out of JSON; what is no JSON is refused. Numbers and
// strings stay as they are written.
func compact(raw []byte) ([]byte, error) {
	if isPlainScalar(raw) {
		return bytes.Clone(raw), nil
	}
	v := jsontext.Value(bytes.Clone(raw))
	if err := v.Compact(); err != nil {
		return nil, errors.New("this is no JSON")
	}
	return v, nil
}

// Indent writes JSON over several lines; what is no JSON stays as it is.
func Indent(raw []byte) []byte {
	v := jsontext.Value(bytes.Clone(raw))
	if err := v.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true)); err != nil {
		return raw
	}
	return bytes.TrimRight(v, "\n")
}

// kindOf is the kind of a JSON value by its first byte: one of n t " 0 { [, or 0.
// Both booleans are t.
func kindOf(raw []byte) byte {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return 0
	}
	switch c := raw[0]; {
	case c == '-' || c >= '0' && c <= '9':
		return '0'
	case c == 'f':
		return 't'
	default:
		return c
	}
}

// unquote reads a JSON string.
func unquote(raw []byte) (string, bool) {
	if kindOf(raw) != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, bytes.TrimSpace(raw))
	return string(s), err == nil
}

// scalarText is a string without its quotes, and any other value as it is.
func scalarText(raw []byte) string {
	if s, ok := unquote(raw); ok {
		return s
	}
	return string(bytes.TrimSpace(raw))
}

// canon writes a value so that equal values are equal texts: 1.0 is 1, and
// strings are escaped in one way. The order of members counts.
func canon(raw []byte) string {
	if raw = bytes.TrimSpace(raw); isPlainScalar(raw) {
		return string(raw) + " "
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	var out []byte
	for {
		t, err := d.ReadToken()
		if err != nil {
			return string(out)
		}
		switch t.Kind() {
		case '"':
			out = append(out, Quote(t.String())...)
		case '0':
			out = append(out, parseDecimal(t.String()).String()...)
		default:
			out = append(out, t.String()...)
		}
		out = append(out, ' ')
	}
}

// isPlainScalar reports whether a value is written as [canon] writes it: a text
// without escapes, or a whole number of some digits.
func isPlainScalar(raw []byte) bool {
	const digits = 15 // more may be written in another way
	if len(raw) == 0 {
		return false
	}
	if raw[0] == '"' {
		last := len(raw) - 1
		for _, c := range raw[1:max(1, last)] {
			if c == '\\' || c == '"' || c < 0x20 || c >= 0x7f {
				return false
			}
		}
		return last > 0 && raw[last] == '"'
	}
	if raw[0] < '1' || raw[0] > '9' || len(raw) > digits {
		return false
	}
	for _, c := range raw {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
