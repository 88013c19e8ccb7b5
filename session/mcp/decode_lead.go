package mcp

import (
	"bytes"

	"belay/session/rawjson"
)

// lead is how the latest notification began: up to the brace that opens its params, and
// up to the comma behind the first member in them, where that is its token or its level.
// The messages of a flood begin alike, and what was found in some bytes is found in the
// same bytes again: so the walk goes on behind them.
type lead struct {
	text   [leadLimit]byte
	params leadPart
	first  leadPart // of the members of params

	versioned bool // the right version stands in front of params; otherwise none does
	method    []byte
	from      int // where params begin

	isToken bool   // the first member is progressToken; otherwise it is level
	value   []byte // of the first member
}

// leadLimit bounds the bytes of a lead.
const leadLimit = 256

// leadPart is so much of the text, from its front, and a walk that has passed it.
type leadPart struct {
	n    int // bytes; 0: there is no such part
	mark rawjson.Mark
}

// begins reports whether a text begins with a part.
func (l *lead) begins(text []byte, p *leadPart) bool {
	return p.n > 0 && bytes.HasPrefix(text, l.text[:p.n])
}

var rightVersion = []byte(`"2.0"`)

// pass passes a text up to the end of its params, and reports whether it could: only a text
// that begins as the lead does. Otherwise the walk must begin at the front of the text.
func (l *lead) pass(w *rawjson.Walker, text []byte, e *envelope) bool {
	first := l.begins(text, &l.first)
	if !first && !l.begins(text, &l.params) {
		return false
	}
	if l.versioned {
		e.version = rightVersion
	}
	e.method = l.method
	e.in.isObject = true
	switch {
	case !first:
		w.Resume(l.params.mark)
		e.in.members(w, l)
	case l.isToken:
		w.Resume(l.first.mark)
		e.in.progressToken = l.value
		e.in.rest(w)
	default:
		w.Resume(l.first.mark)
		e.in.level = l.value
		e.in.rest(w)
	}
	e.params = w.Since(l.from)
	return true
}

// takeParams makes the text up to where w is the lead: it has entered params, which begin
// at from. What a frame may point to is not taken, as it belongs to its own message.
func (l *lead) takeParams(w *rawjson.Walker, from int, e *envelope) {
	l.params.n, l.first.n = 0, 0
	versioned := string(e.version) == string(rightVersion)
	switch {
	case e.id != nil || e.params != nil || e.result != nil || e.failure != nil || e.again != nil:
	case e.method == nil || e.version != nil && !versioned:
	case l.take(&l.params, w, ""):
		l.versioned, l.from = versioned, from
		l.method = append(l.method[:0], e.method...)
	}
}

// takeFirst adds the first member of the params to the lead, which w has passed. The comma
// belongs to it: a number ends only by what comes behind it.
func (l *lead) takeFirst(w *rawjson.Walker, p *params) {
	l.first.n = 0
	value := p.progressToken
	if l.isToken = value != nil; !l.isToken {
		value = p.level
	}
	if value != nil && l.params.n > 0 && w.IsAt(',') && l.take(&l.first, w, ",") {
		l.value = append(l.value[:0], value...)
	}
}

// take makes a part of what w has passed and of what comes next, and reports whether the
// lead has room for the part.
func (l *lead) take(p *leadPart, w *rawjson.Walker, next string) bool {
	passed := w.Since(0)
	if len(passed)+len(next) > leadLimit {
		return false
	}
	p.n = copy(l.text[:], passed)
	p.n += copy(l.text[p.n:], next)
	p.mark = w.Mark()
	return true
}
