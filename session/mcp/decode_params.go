package mcp

import (
	"strconv"
	"unicode/utf8"

	"belay/session/rawjson"
)

// notification reads the parameters of the notifications that the core acts on.
func (d *Decoder) notification(f *Frame) {
	switch f.Method {
	case "notifications/progress":
		f.Progress = d.progress(f.Params)
	case "notifications/cancelled":
		f.Cancelled = d.Cancelled(f.Params)
	case "notifications/message":
		f.Log = d.log(f.Params)
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated", "notifications/subscriptions/acknowledged":
		f.Sub = d.subNote(f.Method, f.Params)
	case "notifications/elicitation/complete":
		id, ok := rawjson.TextAt(f.Params, "elicitationId")
		f.Complete = &CompleteNote{Valid: ok && id != "", ID: id}
	}
}

func (d *Decoder) progress(params []byte) ProgressNote {
	var p ProgressNote
	if rawjson.Kind(params) != '{' {
		return p
	}
	hasValue := false
	for m := rawjson.MembersOf(params); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch k := rawjson.Kind(value); string(name) {
		case "progressToken":
			p.Token = ID{}
			if k == '"' || k == '0' {
				p.Token = d.token(value)
			}
		case "progress":
			p.Value, hasValue = rawFloat(value)
		case "total":
			p.Total, p.HasTotal = rawFloat(value)
		case "message":
			p.Message = nil
			if k == '"' {
				p.Message = value
			}
		}
	}
	p.Valid = hasValue && !p.Token.IsZero()
	return p
}

// rawFloat is the value of a raw number; one beyond the range is infinite.
func rawFloat(raw []byte) (float64, bool) {
	if rawjson.Kind(raw) != '0' {
		return 0, false
	}
	if n, ok := smallInt(raw); ok {
		return float64(n), true
	}
	v, _ := strconv.ParseFloat(string(raw), 64) // the only error left is the range
	return v, true
}

// Cancelled reads the parameters of notifications/cancelled. Proper are strings
// and integers, 0 and "" among them (CXS-08, SD0-24).
func (d *Decoder) Cancelled(params []byte) *CancelledNote {
	c := new(CancelledNote)
	switch k := rawjson.Kind(params); k {
	case '{':
	case 0:
		c.Why = "it has no params"
		return c
	default:
		c.Why = "params is " + rawjson.KindWord(k)
		return c
	}
	for m := rawjson.MembersOf(params); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "requestId":
			c.IDRaw = value
		case "reason":
			c.Reason, _ = rawjson.Text(value)
		}
	}
	switch k := rawjson.Kind(c.IDRaw); k {
	case '"', '0':
		c.ID = d.token(c.IDRaw)
		if c.Valid = c.ID.Proper(); !c.Valid {
			c.Why = "requestId is " + rawjson.Excerpt(c.IDRaw) + ", which is no integer"
		}
	default:
		c.Why = "requestId is " + rawjson.KindWord(k)
	}
	return c
}

func (d *Decoder) log(params []byte) LogNote {
	var l LogNote
	if rawjson.Kind(params) != '{' {
		return l
	}
	hasLevel := false
	for m := rawjson.MembersOf(params); ; {
		name, value, ok := m.Next()
		if !ok {
			break
		}
		switch string(name) {
		case "level":
			l.Level, hasLevel = d.short(value)
		case "logger":
			l.Logger, _ = d.short(value)
		case "data":
			l.Data = value
		}
	}
	l.Valid = hasLevel && l.Data != nil
	return l
}

// short is textOf for strings that come again and again.
func (d *Decoder) short(value []byte) (string, bool) {
	if rawjson.Kind(value) != '"' {
		return "", false
	}
	if inner, ok := plainString(value); ok && utf8.Valid(inner) {
		return d.names.get(inner), true
	}
	return rawjson.DecodeText(value), true
}
