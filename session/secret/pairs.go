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
	name   place // of what stands in value, as if it had the name itself
	values []piece
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
		l := c.listed()
		l.values = append(l.values, piece{from, to})
	case isPairName(member) && r.text[from-1] == '"':
		name := string(rawjson.Unescaped(r.text[from-1 : to+1]))
		l := c.listed()
		l.name = place{member: name, secret: IsName(name), free: true}
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

// hidePair masks what a pair has as its value, at the end of its object.
func (r *reading) hidePair(p *listed) {
	if !p.name.secret && p.name.beside == nil {
		return
	}
	for _, v := range p.values {
		switch text := r.text[v.from:v.to]; {
		case r.text[v.from-1] == '"':
			if text := rawjson.Unescaped(r.text[v.from-1 : v.to+1]); p.name.hidesBeside(text) || p.name.hidesAll(r.mask.patterns, text) {
				r.hide(v, false)
			}
		case r.hidesLiteral(p.name, text):
			r.hideLiteral(v.from, v.to)
		}
	}
}

// The most that is read of a text before a name and behind it, in bytes, to find the object of
// a pair and the value in it.
const pairBefore, pairBehind = 1 << 10, 4 << 10

// isInPair reports whether a name with this quotation mark stands as the value of a member for
// names.
func (r *reader) isInPair(from int, quote string) bool {
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

// pairValue takes what stands in the object of a name as its value. The object begins at the
// last brace before the name whose members come to the name: others are those of an object
// beside it, or stand in a string.
func (r *reader) pairValue(n name) {
	if 0 < r.spent && r.spent <= n.from {
		return // it was taken
	}
	least := max(0, n.from-pairBefore)
	for at := n.from; r.steps >= 0; {
		brace := bytes.LastIndexByte(r.text[least:at], '{')
		r.steps -= at - least - max(0, brace)
		if brace < 0 {
			break
		}
		at = least + brace
		if values, found := r.valuesBeside(n, at+1); found {
			for _, v := range values {
				r.take(v.from, v.to)
			}
			break
		}
	}
	if r.steps < 0 { // as within does
		r.spent = max(1, n.from)
		from := n.end
		if brace := bytes.IndexByte(r.text[least:n.from], '{'); brace >= 0 {
			from = least + brace
		}
		r.take(from, len(r.text))
	}
}

// valuesBeside goes through the members of an object that begin at a place, for what they have
// as the value of a name. Found is whether they come to the name.
func (r *reader) valuesBeside(n name, at int) (values []piece, found bool) {
	most, begin := min(len(r.text), n.end+pairBehind), at
	skip := func(what string) { at += len(r.text[at:most]) - len(bytes.TrimLeft(r.text[at:most], what)) }
	defer func() { r.steps -= at - begin }()
	for at < most && at-begin <= r.steps && (found || at < n.from) {
		skip(space + ",")
		from, quote := quoteAt(r.text, at)
		if quote != n.quote {
			break
		}
		to := closing(r.text, from, quote)
		member := string(r.text[from:min(to, from+longestName)])
		if at = min(to+len(quote), most); at < most {
			skip(space)
		}
		if at == most || r.text[at] != ':' {
			break
		}
		skip(space + ":")
		from, quote = quoteAt(r.text, at)
		switch {
		case quote == n.quote:
			to = closing(r.text, from, quote)
			at = to + len(quote)
		case from < len(r.text) && (r.text[from] == '{' || r.text[from] == '['):
			to = nested(r.text[:most], from, n.quote)
			at, member = to, "" // what is in it has names of its own
		default:
			to = bareEnd(r.text, from)
			at = to
		}
		found = found || from == n.from
		if isPairValue(member) && n.hides(r.mask, r.text[from:to], quote != "") {
			values = append(values, piece{from, to})
		}
	}
	return values, found
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

// nested is where the object or list ends that begins at a place, or the text. What stands in
// strings with this quotation mark is none of its braces.
func nested(text []byte, begin int, quote string) int {
	depth := 0
	for at := begin; at < len(text); at++ {
		switch c := text[at]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return at + 1
			}
		case bytes.HasPrefix(text[at:], []byte(quote)):
			at = closing(text, at+len(quote), quote) + len(quote) - 1
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
