package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"belay/internal/safe"
)

// paramsMost bounds the parameters that are told, in bytes, and paramsLines in lines.
const (
	paramsMost  = 16 << 10
	paramsLines = 200
)

// params sets the parameters of a call out in lines. What is longer than the bound, or
// no JSON, is told as it was written.
func params(raw []byte) (lines []safe.Text, plain []byte) {
	if len(raw) == 0 {
		return nil, nil
	}
	if len(raw) > paramsMost || !json.Valid(raw) {
		return []safe.Text{safe.BytesN(raw, paramsMost/4)}, nil
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return []safe.Text{safe.BytesN(raw, paramsMost/4)}, nil
	}
	return safe.Block(out.String(), paramsLines), asciiJSON(raw)
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
