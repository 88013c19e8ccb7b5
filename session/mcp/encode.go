package mcp

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"belay/session/rawjson"
)

// The messages that belay writes. Each is one JSON object without a line end and without a newline
// inside (STD-03; basic/transports), whatever the raw JSON was that went into it. Raw JSON is
// passed on to the letter but for the space around line breaks: numbers, escapes and the order of
// members stay as the user wrote them.

// AppendRequest appends a request. Params is a JSON object, an array, or nil
// for none; the caller has checked it (see [CheckObject]).
//
// A token that is not zero asks for progress: it goes into params as
// _meta.progressToken, beside whatever else is there. A progressToken of the
// user's own stays and wins. The token in effect is returned; it is zero when
// there is none, also because params has no place for one. Meta are more members
// for _meta; one that the user has written stays, as the token does.
func AppendRequest(dst []byte, id ID, method string, params []byte, token ID, meta []MetaMember) ([]byte, ID) {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = id.Append(dst)
	dst = append(dst, `,"method":`...)
	dst = appendString(dst, method)
	dst, inEffect := appendParams(dst, params, token, meta)
	return append(dst, '}'), inEffect
}

// MetaMember is a member of _meta that belay writes by itself: its name, which
// needs no escaping, and its value as JSON.
type MetaMember struct {
	Name  string
	Value []byte
}

// AppendNotification appends a notification. Params is as in [AppendRequest].
func AppendNotification(dst []byte, method string, params []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":`...)
	dst = appendString(dst, method)
	dst, _ = appendParams(dst, params, ID{}, nil)
	return append(dst, '}')
}

// AppendCancelled appends notifications/cancelled for the request id. The ID is always there and
// of the JSON type that the request used, also when it is 0 or "" (CXL-08, CXL-10;
// basic/utilities/cancellation). An empty reason is left out.
func AppendCancelled(dst []byte, id ID, reason string) []byte {
	dst = append(slices.Grow(dst, 128+len(reason)), `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`...)
	dst = id.Append(dst)
	if reason != "" {
		dst = append(dst, `,"reason":`...)
		dst = appendString(dst, reason)
	}
	return append(dst, "}}"...)
}

// AppendResult appends the answer to a server's request. The ID is repeated to the letter
// (BASE-06; basic). Result is a JSON value; nil is the empty object.
func AppendResult(dst, idRaw, result []byte) []byte {
	if len(result) == 0 {
		result = []byte("{}")
	}
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = appendRaw(dst, idRaw)
	dst = append(dst, `,"result":`...)
	dst = appendRaw(dst, result)
	return append(dst, '}')
}

// AppendError appends an error as the answer to a server's request. Data is a
// JSON value, or nil for none.
func AppendError(dst, idRaw []byte, code int64, message string, data []byte) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","id":`...)
	dst = appendRaw(dst, idRaw)
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, code, 10)
	dst = append(dst, `,"message":`...)
	dst = appendString(dst, message)
	if len(data) > 0 {
		dst = append(dst, `,"data":`...)
		dst = appendRaw(dst, data)
	}
	return append(dst, "}}"...)
}

// appendString appends s as a JSON string. Bytes that are not UTF-8 become U+FFFD, as every
// message is UTF-8 (BASE-18; basic/transports).
func appendString(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// appendRaw appends raw JSON on one line. Only where it has line breaks, all
// space outside of strings goes. A line break within a string is no JSON; it is
// escaped, so that not even that can end the message early.
func appendRaw(dst, raw []byte) []byte {
	if !bytes.ContainsAny(raw, "\r\n") {
		return append(dst, raw...)
	}
	inString, escaped := false, false
	for _, c := range raw {
		switch {
		case !inString:
			if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
				continue
			}
			inString = c == '"'
		case c == '\r' || c == '\n':
			if !escaped {
				dst = append(dst, '\\')
			}
			escaped = false
			c = map[byte]byte{'\r': 'r', '\n': 'n'}[c]
		case escaped:
			escaped = false
		case c == '\\':
			escaped = true
		default:
			inString = c != '"'
		}
		dst = append(dst, c)
	}
	return dst
}

// appendParams appends the member params, with token and meta in its _meta, and
// returns the progress token that is in effect.
func appendParams(dst, params []byte, token ID, more []MetaMember) ([]byte, ID) {
	params = bytes.TrimSpace(params)
	if len(params) == 0 {
		if token.IsZero() && len(more) == 0 {
			return dst, ID{}
		}
		params = []byte("{}")
	}
	dst = append(dst, `,"params":`...)
	start := len(dst)
	dst = appendRaw(dst, params)
	params = dst[start:]
	// What is no JSON object has no _meta; it goes out for the server to refuse.
	// The walk below trusts its input.
	if params[0] != '{' || !IsWellFormed(params) {
		return dst, ID{}
	}
	meta, own := findMeta(params)
	if meta.begin > 0 && params[meta.begin] != '{' {
		return dst, ID{}
	}
	if own != nil {
		token = ID{}
		if k := rawjson.Kind(own); k == '"' || k == '0' {
			token, _ = ParseID(own)
		}
	}
	var added [512]byte
	add := added[:0]
	if own == nil && !token.IsZero() {
		add = token.Append(append(add, `"progressToken":`...))
	}
	for _, m := range more {
		if meta.begin > 0 && rawjson.At(params[meta.begin:meta.end], m.Name) != nil {
			continue
		}
		if len(add) > 0 {
			add = append(add, ',')
		}
		add = append(append(append(append(add, '"'), m.Name...), `":`...), m.Value...)
	}
	if len(add) == 0 {
		return dst, token
	}
	at, open, end := len(params)-1, `"_meta":{`, "}"
	if meta.begin > 0 {
		at, open, end = meta.end-1, "", ""
	}
	tail := bytes.Clone(params[at:])
	dst = dst[:start+at]
	if before := bytes.TrimRight(dst[start:], " \t"); before[len(before)-1] != '{' {
		dst = append(dst, ',')
	}
	dst = append(append(append(dst, open...), add...), end...)
	return append(dst, tail...), token
}

// rawSpan is where in its parent a value is.
type rawSpan struct{ begin, end int }

// findMeta finds the last _meta of params, as the last of several counts, and its
// last progressToken.
func findMeta(params []byte) (meta rawSpan, token []byte) {
	for m := rawjson.MembersOf(params); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		if string(name) == "_meta" {
			meta = rawSpan{begin: m.End() - len(value), end: m.End()}
		}
	}
	if meta.begin == 0 || params[meta.begin] != '{' {
		return meta, nil
	}
	for m := rawjson.MembersOf(params[meta.begin:meta.end]); ; {
		name, value, ok := m.Next()
		if !ok {
			return meta, token
		}
		if string(name) == "progressToken" {
			token = value
		}
	}
}

// MetaOf is the _meta of parameters, a JSON object; nil when they have none.
func MetaOf(params []byte) []byte {
	params = bytes.TrimSpace(params)
	if len(params) == 0 || params[0] != '{' {
		return nil
	}
	span, _ := findMeta(params)
	if span.begin == 0 {
		return nil
	}
	return params[span.begin:span.end]
}

// WithoutMeta returns parameters, a JSON object, without a member of their _meta.
func WithoutMeta(params []byte, name string) []byte {
	params = bytes.TrimSpace(params)
	span, _ := findMeta(params)
	if span.begin == 0 || params[span.begin] != '{' {
		return params
	}
	return slices.Concat(params[:span.begin], rawjson.Without(params[span.begin:span.end], name), params[span.end:])
}

// OwnToken is the progress token that the user wrote into the parameters, a
// JSON object; false when there is none, or no parameters.
func OwnToken(params []byte) (ID, bool) {
	params = bytes.TrimSpace(params)
	if len(params) == 0 {
		return ID{}, false
	}
	_, token := findMeta(params)
	return ParseID(token)
}
