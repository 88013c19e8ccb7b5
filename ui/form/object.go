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

// ParseObject reads a JSON object member by member, in its order.
func ParseObject(raw []byte) ([]Member, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw))
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
		out = append(out, Member{name, bytes.Clone(v)})
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
		return fmt.Errorf("line %d: %w", line, ErrDuplicate)
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
