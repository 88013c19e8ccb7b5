package mcp

import (
	"strconv"

	"belay/session/rawjson"
)

// params are the members by which notifications are read, raw: whatever the method is,
// since it may stand behind them. One that is absent is nil; of several of a name the
// last counts.
type params struct {
	isObject bool

	progressToken, progress, total, message []byte
	requestID, reason                       []byte
	level, logger, data                     []byte
	elicitationID                           []byte
	uri                                     []byte
	subscription                            []byte // in _meta
}

// read passes the value of params.
func (p *params) read(w *rawjson.Walker) {
	if p.isObject = w.Enter(); p.isObject {
		p.rest(w)
	} else {
		w.Value()
	}
}

// members passes all members of the object that w has entered, and notes how it began.
func (p *params) members(w *rawjson.Walker, l *lead) {
	if p.member(w) {
		l.takeFirst(w, p)
		p.rest(w)
	}
}

// rest passes the members that are left.
func (p *params) rest(w *rawjson.Walker) {
	for p.member(w) {
	}
}

// member passes one member, or the end of the object, and reports which.
func (p *params) member(w *rawjson.Walker) bool {
	name, ok := w.Name()
	if !ok {
		return false
	}
	switch string(name) {
	case "progressToken":
		p.progressToken = w.Value()
	case "progress":
		p.progress = w.Value()
	case "total":
		p.total = w.Value()
	case "message":
		p.message = w.Value()
	case "requestId":
		p.requestID = w.Value()
	case "reason":
		p.reason = w.Value()
	case "level":
		p.level = w.Value()
	case "logger":
		p.logger = w.Value()
	case "data":
		p.data = w.Value()
	case "elicitationId":
		p.elicitationID = w.Value()
	case "uri":
		p.uri = w.Value()
	case "_meta":
		p.subscription = passMember(w, metaSubscription)
	default:
		w.Value()
	}
	return true
}

// passMember passes a value, and gives the last member of a name that it has, raw; nil
// when it has none, or is no object.
func passMember(w *rawjson.Walker, wanted string) (found []byte) {
	if !w.Enter() {
		w.Value()
		return nil
	}
	for {
		name, ok := w.Name()
		if !ok {
			return found
		}
		if value := w.Value(); string(name) == wanted {
			found = value
		}
	}
}

// notification reads the parameters of the notifications that the core acts on.
func (d *Decoder) notification(f *Frame, p *params) {
	switch f.Method {
	case "notifications/progress":
		d.progress(&f.Progress, p)
	case "notifications/cancelled":
		f.Cancelled = d.cancelled(rawjson.Kind(f.Params), p)
	case "notifications/message":
		f.Log = d.log(p)
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed",
		"notifications/resources/updated", "notifications/subscriptions/acknowledged":
		f.Sub = d.subNote(f, p)
	case "notifications/tasks/status", "notifications/tasks":
		f.Task = taskNotice(f.Params)
		f.Sub = d.subNote(f, p)
		d.outcome(f)
	case "notifications/elicitation/complete":
		id, ok := rawjson.Text(p.elicitationID)
		f.Complete = &CompleteNote{Valid: ok && id != "", ID: id}
	}
}

func (d *Decoder) progress(p *ProgressNote, in *params) {
	var hasValue bool
	p.Token = d.tokenOf(in.progressToken)
	p.Value, hasValue = rawFloat(in.progress)
	p.Total, p.HasTotal = rawFloat(in.total)
	if rawjson.Kind(in.message) == '"' {
		p.Message = in.message
	}
	p.Valid = hasValue && !p.Token.IsZero()
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

// Cancelled reads the parameters of notifications/cancelled.
func (d *Decoder) Cancelled(raw []byte) *CancelledNote {
	var p params
	w := rawjson.Walk(raw)
	p.read(&w)
	return d.cancelled(rawjson.Kind(raw), &p)
}

// cancelled reads parameters of a kind. Proper are strings and integers, 0 and "" among them
// (CXS-08, SD0-24; basic/utilities/cancellation).
func (d *Decoder) cancelled(kind byte, p *params) *CancelledNote {
	c := new(CancelledNote)
	switch kind {
	case '{':
	case 0:
		c.Why = "it has no params"
		return c
	default:
		c.Why = "params is " + rawjson.KindWord(kind)
		return c
	}
	c.IDRaw = p.requestID
	c.Reason, _ = rawjson.Text(p.reason)
	switch k := rawjson.Kind(c.IDRaw); k {
	case '"', '0':
		c.ID = d.token(c.IDRaw)
		if c.Valid = c.ID.IsProper(); !c.Valid {
			c.Why = "requestId is " + rawjson.Excerpt(c.IDRaw) + ", which is no integer"
		}
	default:
		c.Why = "requestId is " + rawjson.KindWord(k)
	}
	return c
}

func (d *Decoder) log(p *params) (l LogNote) {
	var hasLevel bool
	l.Level, hasLevel = d.short(p.level)
	l.Logger, _ = d.short(p.logger)
	l.Data = p.data
	l.Valid = hasLevel && l.Data != nil
	return l
}

// short is [rawjson.Text] for strings that come again and again.
func (d *Decoder) short(value []byte) (string, bool) {
	if rawjson.Kind(value) != '"' {
		return "", false
	}
	return d.names.string(value), true
}
