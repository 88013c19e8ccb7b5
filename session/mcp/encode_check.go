package mcp

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/rawjson"
)

// CheckObject checks JSON that a person typed and that has to be an object. The
// error says in plain words what is wrong, and where: lines and columns count
// from 1, columns in characters. Duplicate names pass: to send them may be the
// point.
func CheckObject(raw []byte) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		return errors.New("nothing typed; an empty object is {}")
	}
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRune(raw[i:])
		if r == utf8.RuneError && n == 1 {
			return errorAt(raw, i, "a byte that is not UTF-8")
		}
		i += n
	}
	d := jsontext.NewDecoder(bytes.NewReader(raw), lenientJSON...)
	_, err := d.ReadValue()
	end := rawjson.SkipSpace(raw, int(d.InputOffset()))
	begin := rawjson.SkipSpace(raw, 0)
	if syntax := new(jsontext.SyntacticError); errors.As(err, &syntax) {
		offset := min(int(syntax.ByteOffset), len(raw))
		return errorAt(raw, offset, mistake(raw, offset, syntax))
	}
	switch {
	case err != nil:
		return err
	case raw[begin] != '{':
		return errorAt(raw, begin, rawjson.KindWords(raw[begin:])+" where an object is expected, as in {\"name\": \"value\"}")
	case end < len(raw):
		return errorAt(raw, end, "something follows the end of the object")
	}
	return nil
}

// errorAt puts the place in front of what is wrong there.
func errorAt(raw []byte, offset int, what string) error {
	before := raw[:offset]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Errorf("line %d, column %d: %s", line, column, what)
}

// mistake is a syntax error in plain words: the ones people make, and the
// decoder's own words for the others.
func mistake(raw []byte, offset int, err *jsontext.SyntacticError) string {
	if offset < len(raw) && raw[offset] < ' ' && raw[offset] != '\t' {
		return "a line break or control character within a string; a line break is written \\n"
	}
	before := bytes.TrimRight(raw[:offset], " \t\r\n")
	var previous byte
	if len(before) > 0 {
		previous = before[len(before)-1]
	}
	here := rawjson.SkipSpace(raw, offset)
	if here == len(raw) {
		return "the text ends before the object does; a closing bracket or quote is missing"
	}
	switch c := raw[here]; {
	case previous == 0 && c != '{':
		return "an object is expected, as in {\"name\": \"value\"}"
	case c == '\'' || c == '`':
		return "names and text stand in double quotes"
	case (c == '}' || c == ']') && previous == ',':
		return "a comma too many before " + string(c)
	case c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
		return "names and text stand in double quotes"
	}
	return err.Err.Error()
}
