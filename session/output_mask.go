package session

import (
	"belay/session/rawjson"
	"belay/session/secret"
)

// MaskedOutput is an output with what is secret in its message replaced by asterisks; nil hides
// nothing. The reason of a cancel is masked as a text that belay writes, and bounded as one: a mask has an
// asterisk for each byte that JSON wrote, so that a reason may become longer by it. A session that
// handles the masked input writes the same bytes (LOG-13; server/utilities/logging).
func MaskedOutput(out Output, mask *secret.Mask) Output {
	if mask == nil {
		return out
	}
	plain := out.Data
	out.Data = mask.Redact(plain)
	if rawjson.Kind(plain) == '{' && string(rawjson.At(plain, "method")) == `"notifications/cancelled"` {
		out.Data = rewritten(out.Data, "params", func(int, []byte) []byte {
			return masker{mask}.cancelParams(rawjson.At(plain, "params"))
		})
	}
	return out
}

// cancelParams masks the parameters of a cancel, each reason in them as the session would write it: however
// JSON spells a secret, and wherever the reason is cut, the secret leaves the same asterisks.
func (m masker) cancelParams(params []byte) []byte {
	masked := m.bytes(params)
	if begin := rawjson.SkipSpace(params, 0); m.mask == nil || rawjson.Kind(params[begin:]) != '{' {
		return masked
	}
	var reasons [][]byte
	rewritten(params, "reason", func(_ int, token []byte) []byte {
		reasons = append(reasons, token)
		return token
	})
	return rewritten(masked, "reason", func(n int, token []byte) []byte {
		text, ok := rawjson.Text(reasons[n])
		if reason := m.reason(text); ok && reason != text {
			return rawjson.AppendQuote(nil, reason)
		}
		return token
	})
}

// rewritten is an object, with white space around it, in which other has made the values of all members
// with a name, which are counted from 0.
func rewritten(object []byte, name string, other func(n int, value []byte) []byte) []byte {
	begin := rawjson.SkipSpace(object, 0)
	out, object := object[:begin:begin], object[begin:]
	at, n := 0, 0
	for m := rawjson.MembersOf(object); ; {
		found, value, ok := m.Next()
		if !ok {
			return append(out, object[at:]...)
		}
		if string(found) != name {
			continue
		}
		out = append(append(out, object[at:m.End()-len(value)]...), other(n, value)...)
		at, n = m.End(), n+1
	}
}
