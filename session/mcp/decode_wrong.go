package mcp

import (
	"bytes"
	"errors"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/rawjson"
	"belay/session/sentence"
)

// multilineLimit is how long a line may be to be looked at more closely.
const multilineLimit = 64 << 10

// first reads the value that b begins with, and returns where the next thing after it
// begins.
func (d *Decoder) first(b []byte) (end int, err error) {
	d.in = *bytes.NewBuffer(b)
	d.json.Reset(&d.in, lenientJSON...)
	if _, err = d.json.ReadValue(); err != nil {
		return 0, err
	}
	return rawjson.SkipSpace(b, int(d.json.InputOffset())), nil
}

// notJSON says what is wrong with bytes that are not one JSON value. A walk only
// finds that they are not; jsontext has the words.
func (d *Decoder) notJSON(f *Frame, body []byte) {
	end, err := d.first(body)
	line := bytes.TrimSpace(body)
	switch {
	case len(line) == 0:
		f.AddProblem(DiagNotJSON, "an empty line")
		return
	case err == nil && isMultiline(line):
		f.AddProblem(DiagMultiline, "%s", sentence.Quoted(rawjson.Excerpt(line)))
		return
	case err == nil:
		f.AddProblem(DiagNotJSON, "after the message follows %s", sentence.Quoted(rawjson.Excerpt(body[end:])))
		return
	}
	offset := 0
	why := err.Error()
	if syntax := new(jsontext.SyntacticError); errors.As(err, &syntax) {
		offset, why = int(syntax.ByteOffset), syntax.Err.Error()
	}
	switch {
	case len(closers(body[:offset])) >= rawjson.DepthLimit:
		d.tooDeep(f, body)
	case isMultiline(line):
		f.AddProblem(DiagMultiline, "%s", sentence.Quoted(rawjson.Excerpt(line)))
	case line[0] != '{' && line[0] != '[':
		f.AddProblem(DiagNotJSON, "%s", sentence.Quoted(rawjson.Excerpt(line)))
	default:
		f.AddProblem(DiagNotJSON, "%s, at byte %d of %s", why, offset, sentence.Quoted(rawjson.Excerpt(line)))
	}
}

// tooDeep is a message that is nested deeper than the decoder follows. When it
// is an answer its call must still end, so that it is read as an oversize
// message is: skipped over, for its ID.
func (d *Decoder) tooDeep(f *Frame, body []byte) {
	f.AddProblem(DiagTooDeep, "more than %d levels", rawjson.DepthLimit)
	var s Skim
	s.Write(body)
	head := s.Frame()
	f.ID, f.IDRaw, f.Method = head.ID, head.IDRaw, head.Method
	if head.Answer && !f.ID.IsZero() {
		f.Kind = FrameMalformed
	}
}

// isMultiline reports whether line, which is no JSON by itself, looks like one line
// of a message that was printed over several: a bracket, a member, an element.
func isMultiline(line []byte) bool {
	body, comma := bytes.CutSuffix(line, []byte(","))
	body = bytes.TrimSpace(body)
	if len(body) == 0 || len(body) > multilineLimit {
		return false
	}
	if len(bytes.Trim(body, "{}[] \t,")) == 0 {
		return true
	}
	if IsWellFormed(body) {
		return comma // an element of an array
	}
	if body[0] == '"' {
		// A member: a name, a colon, and a value or its first bracket.
		for _, end := range []string{"", "}", "]"} {
			if IsWellFormed(concat("{", body, end+"}")) {
				return true
			}
		}
		return false
	}
	if body[0] != '{' && body[0] != '[' {
		return false
	}
	// The first line, with some members already on it.
	last := body[len(body)-1]
	if !comma && last != '{' && last != '[' {
		return false
	}
	return IsWellFormed(concat("", body, closers(body)))
}

func concat(before string, b []byte, after string) []byte {
	return append(append([]byte(before), b...), after...)
}

// closers are the brackets that are missing at the end of b.
func closers(b []byte) string {
	var open []byte
	inString := false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{':
			open = append(open, '}')
		case c == '[':
			open = append(open, ']')
		case (c == '}' || c == ']') && len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	slices.Reverse(open)
	return string(open)
}
