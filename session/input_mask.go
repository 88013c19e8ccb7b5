package session

import (
	"slices"

	"belay/session/rawjson"
	"belay/session/secret"
)

// masker is a mask, or none.
type masker struct{ mask *secret.Mask }

// text masks a text, and makes it one that JSON can hold, as the session does.
func (m masker) text(s string) string {
	s = validText(s)
	if m.mask == nil {
		return s
	}
	return m.mask.RedactText(s)
}

// member masks a text as the value of a member with this name.
func (m masker) member(name, s string) string {
	s = validText(s)
	if m.mask == nil {
		return s
	}
	return m.mask.RedactMember(name, s)
}

// written masks a text that the session writes as the value of a member with this name. The mask
// sees what JSON makes of the text, as it does in the message: a replay writes the same bytes.
func (m masker) written(name, s string) string {
	s = validText(s)
	if m.mask == nil || s == "" {
		return s
	}
	return rawjson.DecodeText(m.mask.RedactToken(name, rawjson.AppendQuote(nil, s)))
}

// reason is written for the reason of a cancel: bounded before, as what the server gets is, and
// afterwards, as a replay would bound it.
func (m masker) reason(s string) string {
	if m.mask == nil {
		return validText(s)
	}
	return capReason(m.written("reason", capReason(validText(s))))
}

// longField is what is kept of the name or the ID of an event, in bytes: one that is as
// long may have been cut.
const longField = 8 << 10

// field is member for what stands in a field of an event.
func (m masker) field(name, s string) string {
	if s = validText(s); len(s) < longField {
		return m.member(name, s)
	}
	return m.mask.RedactCutMember(name, s)
}

// token masks a token of JSON in the same way.
func (m masker) token(name, s string) string {
	if m.mask == nil {
		return s
	}
	return string(m.mask.RedactToken(name, []byte(s)))
}

func (m masker) bytes(b Bytes) Bytes {
	if m.mask == nil {
		return b
	}
	return m.mask.Redact(b)
}

func (m masker) roots(roots []Root) []Root {
	roots = slices.Clone(roots)
	for i := range roots {
		roots[i].URI, roots[i].Name = m.written("uri", roots[i].URI), m.written("name", roots[i].Name)
	}
	return roots
}

func (m masker) head(h Head) Head {
	if m.mask == nil {
		return h
	}
	h = h.masked()
	h.At, h.Retry, h.Packed, h.Media = m.text(h.At), m.text(h.Retry), m.text(h.Packed), m.member("media", h.Media)
	return h
}
