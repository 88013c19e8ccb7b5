package secret

import (
	"bytes"
	"slices"
	"strings"

	"belay/session/rawjson"
)

// A name and its value may stand in two members: {"name": "API_KEY", "value": "…"}, also as key
// and value, in any order and with others between them. So environments are often listed.

// isPairName reports whether a member is one for the name of another.
func isPairName(member string) bool {
	switch member {
	case "name", "Name", "key", "Key":
		return true
	}
	return false
}

// isPairValue reports whether a member is one for what such a name has.
func isPairValue(member string) bool { return member == "value" || member == "Value" }

// listed is what is known of the pair that an object may be.
type listed struct {
	name  place // of what stands in value, as if it had the name itself
	value piece
}

// pairWith takes a string or a literal of an object that may belong to a pair.
func (r *reading) pairWith(from, to int) {
	n := len(r.open)
	if n == 0 || !r.open[n-1].isObject {
		return
	}
	c := &r.open[n-1]
	switch member := c.of.member; {
	case isPairValue(member):
		c.listed().value = piece{from, to}
	case isPairName(member) && r.text[from-1] == '"':
		name := string(rawjson.Unescaped(r.text[from-1 : to+1]))
		l := c.listed()
		l.name = place{member: name, secret: Named(name), free: true}
		if r.mask.names != nil {
			l.name.beside = r.mask.beside[plainName(name)]
		}
	}
}

// listed is the pair of the container, which few have.
func (c *container) listed() *listed {
	if c.pair == nil {
		c.pair = &listed{}
	}
	return c.pair
}

// hidePair masks the value of a pair, at the end of its object.
func (r *reading) hidePair(p *listed) {
	from, to := p.value.from, p.value.to
	switch {
	case from == 0 || !p.name.secret && p.name.beside == nil:
	case r.text[from-1] == '"':
		if text := rawjson.Unescaped(r.text[from-1 : to+1]); p.name.hidesBeside(text) || p.name.hidesAll(r.mask.patterns, text) {
			r.hide(p.value, false)
		}
	case r.hidesLiteral(p.name, r.text[from:to]):
		r.hideLiteral(from, to)
	}
}

// The most that is read of a text before a name and behind it, in bytes, to find the object of
// a pair and the value in it.
const pairBefore, pairBehind = 1 << 10, 4 << 10

// inPair reports whether a name with this quotation mark stands as the value of a member for
// names.
func (r *reader) inPair(from int, quote string) bool {
	if quote == "" {
		return false
	}
	before, ok := bytes.CutSuffix(r.text[max(0, from-64):from], []byte(quote))
	if ok {
		before, ok = bytes.CutSuffix(bytes.TrimRight(before, space), []byte(":"))
	}
	if ok {
		before, ok = bytes.CutSuffix(bytes.TrimRight(before, space), []byte(quote))
	}
	if !ok {
		return false
	}
	at := bytes.LastIndex(before, []byte(quote))
	return at >= 0 && isPairName(string(before[at+len(quote):]))
}

// space is what may stand between the tokens of JSON.
const space = " \t\r\n"

// pairValue takes what stands in the object of a name as its value.
func (r *reader) pairValue(n name) {
	at := r.objectAround(n.from)
	if at < 0 {
		return
	}
	most := min(len(r.text), n.end+pairBehind)
	for at < most && r.steps > 0 {
		begin := at
		at += len(r.text[at:most]) - len(bytes.TrimLeft(r.text[at:most], space+","))
		from, quote := quoteAt(r.text, at)
		if quote != n.quote {
			return
		}
		to := closing(r.text, from, quote)
		member := string(r.text[from:min(to, from+longestName)])
		if at = min(to+len(quote), most); at < most {
			at += len(r.text[at:most]) - len(bytes.TrimLeft(r.text[at:most], space+":"))
		}
		from, quote = quoteAt(r.text, at)
		switch {
		case quote == n.quote:
			to = closing(r.text, from, quote)
			at = to + len(quote)
		case from < len(r.text) && (r.text[from] == '{' || r.text[from] == '['):
			to = nested(r.text[:most], from)
			at, member = to, "" // what is in it has names of its own
		default:
			to = bareEnd(r.text, from)
			at = to
		}
		if isPairValue(member) && n.hides(r.mask, r.text[from:to], quote != "") {
			r.take(from, to)
		}
		r.steps -= at - begin
	}
}

// hides reports whether the text is masked that the name is that of.
func (n name) hides(m *Mask, text []byte, isString bool) bool {
	switch {
	case n.has(text):
		return true
	case !n.isSecret:
		return false
	case isString:
		return n.plain != "token" || m.looksRandom(text)
	}
	return n.plain != "token" && m.number.Match(text)
}

// objectAround is where the members of the object begin that a place is in; -1: that is too far.
func (r *reader) objectAround(place int) int {
	depth := 0
	for at := place - 1; at >= max(0, place-pairBefore); at-- {
		switch r.text[at] {
		case '}':
			depth++
		case '{':
			if depth--; depth < 0 {
				return at + 1
			}
		}
	}
	return -1
}

// nested is where the object or list ends that begins at a place, or the text.
func nested(text []byte, begin int) int {
	depth := 0
	for at := begin; at < len(text); at++ {
		switch text[at] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return len(text)
}

// isKnown reports whether a number is a known value, whatever its sign and with a fraction of
// zeros or without.
func (m *Mask) isKnown(number []byte) bool {
	if len(m.numbers) == 0 || len(number) < leastSecret {
		return false
	}
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(string(number), "-"), ".")
	return m.numbers[string(number)] || strings.Trim(fraction, "0") == "" && m.numbers[whole]
}

// hidesLiteral reports whether a number, true or false in a place is masked.
func (r *reading) hidesLiteral(p place, text []byte) bool {
	isNumber := rawjson.Kind(text) == '0'
	return slices.Contains(p.beside, string(text)) || isNumber && (p.secret && plainName(p.member) != "token" || r.mask.isKnown(text))
}

// hideLiteral puts a string of asterisks in the place of a number, true or false: a reader sees
// the mask then.
func (r *reading) hideLiteral(from, to int) {
	r.own()
	for at := from; at < to; at++ {
		r.out[at] = '*'
	}
	if r.out[from], r.out[to-1] = '"', '"'; to-from == 1 {
		r.out[from] = '0'
	}
}
