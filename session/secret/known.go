package secret

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// spellings are the ways in which a value may be written, apart from the escapes
// of JSON.
func spellings(value string) []string {
	return []string{value, url.QueryEscape(value), url.PathEscape(value)}
}

// nestings is how deep JSON may stand within strings of JSON for a known value to
// be found in it.
const nestings = 4

// hide masks the known values. In a message only strings are masked, so that it
// stays one, and not the names of its outermost members and its method, without
// which it would be another.
func (f *finder) hide(h *hiding) {
	if !f.in(h.text) {
		return
	}
	pieces := f.pieces(h.text)
	var masked []piece
	if h.isMessage {
		masked = stringsOf(h.text)
	}
	for _, p := range pieces {
		if masked == nil {
			h.hide(p.from, p.to)
		}
		for _, s := range masked {
			if s.from <= p.from && p.to <= s.to {
				h.hide(p.from, p.to)
				break
			}
		}
	}
}

// in says whether one of the words is in the text, also with escapes in it. It
// takes the least that can be known by.
func (f *finder) in(text []byte) bool {
	for range nestings {
		if _, _, _, ok := f.next(text, 0); ok {
			return true
		}
		if bytes.IndexByte(text, '\\') < 0 {
			return false
		}
		text, _ = unescaped(text, nil)
	}
	return false
}

// piece is a part of a text.
type piece struct{ from, to int }

// pieces are where the words are in the text, also with escapes in them.
func (f *finder) pieces(text []byte) []piece {
	var all []piece
	origin := make([]int, len(text)+1)
	for i := range origin {
		origin[i] = i
	}
	for range nestings {
		for at := 0; ; {
			from, to, _, ok := f.next(text, at)
			if !ok {
				break
			}
			all = append(all, piece{origin[from], origin[to]})
			at = from + 1 // they may overlap
		}
		if bytes.IndexByte(text, '\\') < 0 {
			break
		}
		text, origin = unescaped(text, origin)
	}
	return all
}

// unescaped is a text with what the escapes of JSON in it stand for. Origin, if
// it is not nil, is where each byte of the text and its end come from; it is
// given back for the new one.
func unescaped(text []byte, origin []int) (out []byte, from []int) {
	out = make([]byte, 0, len(text))
	if origin != nil {
		from = make([]int, 0, len(origin))
	}
	for i := 0; i < len(text); {
		plain := bytes.IndexByte(text[i:], '\\')
		if plain < 0 {
			plain = len(text) - i
		}
		out = append(out, text[i:i+plain]...)
		if origin != nil {
			from = append(from, origin[i:i+plain]...)
		}
		if i += plain; i == len(text) {
			break
		}
		before, size := len(out), 0
		out, size = appendEscape(out, text[i:])
		if origin != nil {
			for range len(out) - before {
				from = append(from, origin[i])
			}
		}
		i += size
	}
	if origin != nil {
		from = append(from, origin[len(text)])
	}
	return out, from
}

// appendEscape appends what the escape at the beginning of the text stands for,
// and says how long that is. What is none stays as it is.
func appendEscape(out, text []byte) (_ []byte, size int) {
	if len(text) > 1 {
		if at := strings.IndexByte(`"\/bfnrt`, text[1]); at >= 0 {
			return append(out, "\"\\/\b\f\n\r\t"[at]), 2
		}
		if r, ok := hexEscape(text); ok {
			if low, ok := hexEscape(text[6:]); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return utf8.AppendRune(out, both), 12
				}
			}
			return utf8.AppendRune(out, r), 6
		}
	}
	return append(out, '\\'), 1
}

// hexEscape reads \uXXXX.
func hexEscape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

// stringsOf are the strings of a message in which values are masked; nil where
// the text is no JSON.
func stringsOf(text []byte) []piece {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	all := []piece{}
	structural := false
	for {
		kind, members := d.StackIndex(d.StackDepth())
		isName := kind == '{' && members%2 == 0
		if d.PeekKind() != '"' {
			switch _, err := d.ReadToken(); {
			case errors.Is(err, io.EOF):
				return all
			case err != nil:
				return nil
			}
			continue
		}
		v, err := d.ReadValue()
		if err != nil {
			return nil
		}
		outermost := d.StackDepth() == 1 && kind == '{'
		if !(outermost && (isName || structural)) {
			end := int(d.InputOffset())
			all = append(all, piece{end - len(v) + 1, end - 1})
		}
		structural = outermost && isName && (string(v) == `"method"` || string(v) == `"jsonrpc"`)
	}
}
