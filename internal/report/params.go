package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"belay/internal/safe"
)

// paramsMost bounds the parameters that are told, in bytes, paramsLines in lines, and indentMost what is
// put before the lines: nested deeply, few parameters would have much of that.
const (
	paramsMost  = 16 << 10
	paramsLines = 200
	indentMost  = 64 << 10
)

// params sets the parameters of a call out in lines. What is longer than the bound, nested too
// deeply, or no JSON, is told as it was written.
func params(raw []byte) (lines []safe.Text, plain []byte) {
	if len(raw) == 0 {
		return nil, nil
	}
	if len(raw) > paramsMost || !json.Valid(raw) || indentOf(raw) > indentMost {
		return []safe.Text{safe.BytesN(raw, paramsMost/4)}, nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return []safe.Text{safe.BytesN(raw, paramsMost/4)}, nil
	}
	return safe.Block(out.String(), paramsLines), asciiJSON(raw)
}

// indentOf is how many bytes are put before the lines, at two for each level, when JSON is set out in lines.
func indentOf(raw []byte) (size int) {
	depth, inString, escaped := 0, false, false
	for _, c := range raw {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped, inString = c == '\\', c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
			size += 2 * depth
		case c == '}' || c == ']':
			depth--
			size += 2 * depth
		case c == ',':
			size += 2 * depth
		}
	}
	return size
}

// asciiJSON is JSON with \u in the place of each character that is not ASCII or cannot
// be seen. Such characters stand in strings alone, so that the value stays as it is.
func asciiJSON(raw []byte) []byte {
	var out []byte
	for len(raw) > 0 {
		r, n := utf8.DecodeRune(raw)
		switch {
		case r < utf8.RuneSelf && r != 0x7f:
			out = append(out, byte(r))
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		raw = raw[n:]
	}
	return out
}
