package session

import (
	"bytes"
	"slices"

	"belay/session/rawjson"
	"belay/session/secret"
)

// MaskedOutput is an output with what is secret in its message replaced by asterisks; nil hides
// nothing. The reason of a cancel is bounded afterwards as it was before: a mask has an
// asterisk for each byte that JSON wrote, so that a reason may become longer by it. A session that
// handles the masked input writes the same bytes (LOG-13; server/utilities/logging).
func MaskedOutput(out Output, mask *secret.Mask) Output {
	if mask != nil {
		out.Data = boundMessage(mask.Redact(out.Data))
	}
	return out
}

// boundMessage bounds the reason in a message of belay's that is a cancel.
func boundMessage(message []byte) []byte {
	if len(message) <= maxReason || message[0] != '{' || string(rawjson.At(message, "method")) != `"notifications/cancelled"` {
		return message
	}
	return replaced(message, "params", boundParams)
}

// boundParams bounds the reason in the params of a cancel.
func boundParams(params []byte) []byte {
	if rawjson.Kind(params) != '{' {
		return params
	}
	return replaced(params, "reason", func(token []byte) []byte {
		text, ok := rawjson.Text(token)
		if !ok || len(text) <= maxReason {
			return token
		}
		return rawjson.AppendQuote(nil, capReason(text))
	})
}

// replaced is an object in which other has made the values of all members with a name. It
// returns its argument when nothing changes.
func replaced(object []byte, name string, other func(value []byte) []byte) []byte {
	for m := rawjson.MembersOf(object); ; {
		found, value, ok := m.Next()
		if !ok {
			return object
		}
		if string(found) != name {
			continue
		}
		if now := other(value); !bytes.Equal(now, value) {
			end := m.End()
			return slices.Concat(object[:end-len(value)], now, object[end:])
		}
	}
}
