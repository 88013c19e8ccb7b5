package secret

import (
	"bytes"
	"slices"
	"strings"
)

// mayHold reports whether something may be secret in a text. It is quick about
// those in which nothing is, as they come in hundreds of thousands a second.
func (m *Mask) mayHold(text []byte) bool {
	if bytes.Contains(text, defaultMember) {
		return true
	}
	if m.known != nil && len(text) >= CutReason && bytes.Contains(text, reasonMember) {
		return true
	}
	for n := 0; ; n++ {
		if m.known.isIn(text) || m.hasBeginning(text) || m.hasEncoded(text) || m.looksSecret(text) {
			return true
		}
		if n == nestings || !inJSON.isIn(text) {
			return false
		}
		text = inJSON.unescaped(text)
	}
}

// looksSecret reports whether something in a text, or in the addresses and the HTML within it,
// has the name of a secret, or of a known value, or looks like a credential.
func (m *Mask) looksSecret(text []byte) bool {
	for _, e := range markupWays {
		layer := text
		for n := 0; n < e.deepest && e.isIn(layer); n++ {
			if layer = e.unescaped(layer); m.looksLikely(layer) {
				return true
			}
		}
	}
	for n := 0; ; n++ {
		if m.looksLikely(text) {
			return true
		}
		if n == addressings || !inAddress.isIn(text) {
			return false
		}
		text = inAddress.unescaped(text)
	}
}

// looksLikely is looksSecret for a text as it stands.
func (m *Mask) looksLikely(text []byte) bool {
	r := reader{mask: m, text: text}
	var seen shapesSeen
	if !r.eachName(&seen, func(name) bool { return false }) {
		return true
	}
	for i := range shapes {
		if seen[i] && m.shapes[i].is.Match(text) {
			return true
		}
	}
	return false
}

// shapesSeen are the credentials that may be in a text, by what they begin with.
type shapesSeen [len(shapes)]bool

// eachName goes through the names in a text that have a secret behind them, until do
// says that it is enough, and reports whether it came to the end. It notes which
// credentials are to be looked for. It is no iterator: that would be an allocation for
// each message of a flood.
func (r *reader) eachName(seen *shapesSeen, do func(name) bool) bool {
	m := r.mask
	for _, f := range m.finders() {
		r.done = 0
		s := search{f: f, text: r.text}
		for hit, ok := s.next(); ok; hit, ok = s.next() {
			if i, isShape := m.shapeOf[f.words[hit.word].text]; isShape && f == m.likely {
				if seen[i] = true; !slices.Contains(nameHints, f.words[hit.word].text) {
					continue
				}
			}
			if n, ok := r.named(hit.piece); ok && !do(n) {
				return false
			}
		}
	}
	for n := range r.codedNames() {
		if !do(n) {
			return false
		}
	}
	return true
}

// secrets are the pieces of a text that are secret: known values, what stands
// behind a name, and what looks like a credential.
func (m *Mask) secrets(text []byte) []piece {
	r := m.newReader(text)
	r.known()
	r.beginnings()
	r.encoded()
	r.likely()
	r.decoded()
	return r.pieces
}

// likely takes what stands behind a name, and what looks like a credential.
func (r *reader) likely() {
	m, text := r.mask, r.text
	var seen shapesSeen
	r.eachName(&seen, func(n name) bool {
		r.behind(n)
		return true
	})
	for i := range shapes {
		if !seen[i] {
			continue
		}
		for _, at := range m.shapes[i].is.FindAllSubmatchIndex(text, -1) {
			from, to := at[len(at)-2], at[len(at)-1]
			if isNot := m.shapes[i].isNot; isNot == nil || !isNot.Match(text[from:to]) {
				r.take(from, to)
			}
		}
	}
}

// valuesIn are the known values in a text.
func (m *Mask) valuesIn(text []byte) []piece {
	r := reader{mask: m, text: text}
	r.known()
	r.beginnings()
	r.encoded()
	return r.pieces
}

// finders are those of names and credentials.
func (m *Mask) finders() []*finder {
	if m.names == nil {
		return []*finder{m.likely}
	}
	return []*finder{m.likely, m.names}
}

// reader looks for what is secret in a text.
type reader struct {
	mask   *Mask
	text   []byte
	pieces []piece
	done   int   // names before it were looked at
	word   piece // the last one without quotation marks whose end was looked for
	taken  piece // the last value to the end of its line or word, with what looks like names in it
	steps  int   // how many more bytes may be read to see what lists and objects hold
	spent  int   // where a name stands of whose object on all was taken, as there were no steps; 0: none
}

func (m *Mask) newReader(text []byte) reader {
	return reader{mask: m, text: text, steps: 8*len(text) + 1<<16}
}

func (r *reader) take(from, to int) {
	if n := len(r.pieces); n > 0 && r.pieces[n-1].from <= from && from <= r.pieces[n-1].to { // values may overlap many times over
		r.pieces[n-1].to = max(r.pieces[n-1].to, to)
		return
	}
	r.pieces = append(r.pieces, piece{from, to})
}

// known takes the known values.
func (r *reader) known() {
	if r.mask.known == nil {
		return
	}
	s := search{f: r.mask.known, text: r.text}
	for hit, ok := s.next(); ok; hit, ok = s.next() {
		if r.mask.known.words[hit.word].left && hit.from > 0 && isBase64(r.text[hit.from-1]) {
			hit.from--
		}
		if hit.right && hit.to < len(r.text) && isBase64(r.text[hit.to]) {
			hit.to++
		}
		r.take(hit.from, hit.to)
	}
}

// ways are those in which an address, HTML or a shell may hold a known value. Where no value
// has a blank a plus is never one, and where none has a single quotation mark a shell writes
// none so.
func (m *Mask) ways() []*escaping {
	switch {
	case m.blanks && m.quotes:
		return allWays[:]
	case m.blanks:
		return allWays[:4]
	case m.quotes:
		return quotesWays[:]
	}
	return allWays[:3]
}

var (
	allWays    = [...]*escaping{&inAddress, &inMarkup, &inLooseMarkup, &inQuery, &inQuotes}
	quotesWays = [...]*escaping{&inAddress, &inMarkup, &inLooseMarkup, &inQuotes}
	markupWays = allWays[1:3]
)

// encoded takes the known values that are written as in an address, in HTML or by a shell.
func (r *reader) encoded() {
	if r.mask.known == nil {
		return
	}
	for _, e := range r.mask.ways() {
		if e.isIn(r.text) {
			r.pieces = append(r.pieces, e.layered(r.text, false, func(text []byte) []piece {
				within := reader{mask: r.mask, text: text}
				within.known()
				within.beginnings()
				return within.pieces
			})...)
		}
	}
}

// hasEncoded reports whether a known value is in a text as in an address, in HTML or as a
// shell writes it.
func (m *Mask) hasEncoded(text []byte) bool {
	if m.known == nil {
		return false
	}
	for _, e := range m.ways() {
		layer := text
		for n := 0; n < e.deepest && e.isIn(layer); n++ {
			if layer = e.unescaped(layer); m.known.isIn(layer) || m.hasBeginning(layer) {
				return true
			}
		}
	}
	return false
}

// name is a name in a text, with a value behind it.
type name struct {
	plain     string
	isSecret  bool
	beside    []string // the values that are masked beside it
	from, end int
	quote     string // how the quotation mark is written that ends it; empty: none
	colon     int    // where it is told from its value, …
	sign      string // … and by what
	pair      bool   // it is a value itself, and beside it stands what it is the name of
	value     piece  // what it has as a flag of a command line
}

// named is the name in which a hint stands, if it is that of a secret or of a
// known value, and has a value. Each name is looked at once.
func (r *reader) named(hint piece) (n name, ok bool) {
	from, end := hint.from, hint.to
	if from < r.done {
		return n, false
	}
	for from > r.done && isOfName(r.text[from-1]) && !bytes.HasSuffix(r.text[:from], wideColon) {
		from--
	}
	from = min(unpainted(r.text, from, end), hint.from)
	for end > from && !isOfName(r.text[end-1]) { // the hint of a short name
		end--
	}
	for end < len(r.text) && isOfName(r.text[end]) && !bytes.HasPrefix(r.text[end:], wideColon) {
		end++
	}
	r.done = end
	n.end = end
	var at int
	at, n.quote = quoteAt(r.text, end)
	n.colon = blanks(r.text, r.dressEnd(from, at))
	if n.sign = signAt(r.text, n.colon); n.sign == "" {
		if n.pair = r.isInPair(from, n.quote); !n.pair {
			n.from, n.isSecret = from, r.readFlag(&n, from, at)
			return n, n.isSecret
		}
	}
	if isIn(userFlags, string(r.text[from:min(end, from+longestName)])) && n.colon == end {
		n.from, n.isSecret = from, r.readFlag(&n, from, at)
		return n, n.isSecret
	}
	text := r.text[from:min(end, from+longestName)]
	if string(text) == "progressToken" { // there may be a flood of it
		return n, false
	}
	return r.judged(n, from, string(text))
}

// judged is a name that begins at a place, with what is secret behind it.
func (r *reader) judged(n name, from int, text string) (_ name, ok bool) {
	n.from, n.plain = from, plainName(decodedName(text))
	if r.mask.names != nil {
		n.beside = r.mask.beside[n.plain]
	}
	inQuery := from > 0 && (r.text[from-1] == '?' || r.text[from-1] == '&')
	n.isSecret = IsName(text) || inQuery && IsNameInAddress(text)
	return n, n.isSecret || n.beside != nil
}

// behind takes the value behind a name: in JSON, and as name=value, as name: value
// and in the query of an address.
func (r *reader) behind(n name) {
	if n.pair {
		r.pairValue(n)
		return
	}
	if n.value.to > 0 {
		r.take(n.value.from, n.value.to)
		return
	}
	begin := n.colon + len(n.sign)
	if bytes.HasPrefix(r.text[begin:], bold) && r.begins(n) {
		begin += len(bold)
	}
	begin = blanks(r.text, begin)
	value, open := quoteAt(r.text, begin)
	if n.quote == "" && (value == len(r.text) || bytes.IndexByte(shuts, r.text[value]) >= 0) {
		open = "" // it closes the string in which the name stands
	}
	switch {
	case open != "":
		if to := closing(r.text, value, open); n.isSecret && (n.plain != "token" || r.mask.looksRandom(r.text[value:to]) || n.quote == "" && r.begins(n)) || n.has(r.text[value:to]) {
			r.take(value, to)
		}
	case n.quote != "" && begin < len(r.text) && (r.text[begin] == '{' || r.text[begin] == '['):
		r.within(n, begin)
	default:
		r.bare(n, begin)
	}
}

// bare takes a value without quotation marks.
func (r *reader) bare(n name, begin int) {
	if r.taken.from <= n.from && n.from < r.taken.to { // the value around it was taken
		return
	}
	to := r.bareEnd(begin)
	if n.hasEncoded(r.text[begin:to]) {
		r.take(begin, to)
	}
	for _, v := range n.beside {
		if end := begin + len(v); bytes.HasPrefix(r.text[begin:], []byte(v)) && (end == len(r.text) || !isOfName(r.text[end])) {
			r.take(begin, end)
		}
	}
	if !n.isSecret {
		return
	}
	if end := r.cookies(n, begin); end > 0 {
		r.take(begin, end)
		r.taken = piece{begin, end}
		r.steps -= end - begin
		return
	}
	if r.line(n, begin) {
		return
	}
	isNumber := r.mask.number.Match(r.text[begin:to])
	grouped := r.mask.groups.Find(r.text[begin:min(len(r.text), begin+longestGroups)])
	switch {
	case n.quote == "" && n.plain != "token" && len(grouped) > to-begin:
		r.take(begin, begin+len(grouped))
		return
	case n.quote != "": // in JSON
		if isNumber && n.plain != "token" {
			r.take(begin, to)
		}
		return
	case r.isAssigned(n, begin):
		if to = r.assigned(n, begin); len(bytes.Trim(r.text[begin:to], "=.:!?")) > 0 { // no end of base64, or of a sentence
			r.take(begin, to)
			r.taken = piece{begin, to}
		}
		return
	case n.isAuthorization() && schemes[strings.ToLower(string(r.text[begin:min(to, begin+longestName)]))]:
		begin = blanks(r.text, to)
		r.take(begin, bareEnd(r.text, begin))
		return
	}
	if n.isField(r.text) || r.mask.looksRandom(r.text[begin:to]) || isNumber && n.plain != "token" && to-begin >= leastNumber {
		r.take(begin, to)
	}
}

// longestGroups is more than a number takes that is written in groups, in bytes.
const longestGroups = 64

// schemes are what stands in Authorization before what is secret.
var schemes = words("bearer basic token digest negotiate apikey")

// leastNumber is how long a number in a text must be to count as a secret: a cvv.
const leastNumber = 3

// has reports whether a value is masked beside the name.
func (n name) has(text []byte) bool {
	return slices.ContainsFunc(n.beside, func(v string) bool { return v == string(text) || quoted(v) == string(text) })
}

// hasEncoded reports whether a value is masked beside the name, as it stands in an
// address.
func (n name) hasEncoded(text []byte) bool {
	return n.beside != nil && (n.has(inAddress.unescaped(text)) || n.has(inQuery.unescaped(text)))
}

// within takes the strings in the array or object that begins at a place, except
// names, and except all of a JSON Schema: it describes a secret and holds none.
// Of what is too much to look at it takes everything.
func (r *reader) within(n name, begin int) {
	depth := 0
	var found []piece
	for at := begin; at < len(r.text); at++ {
		if r.steps--; r.steps < 0 {
			r.take(begin, len(r.text))
			return
		}
		switch c := r.text[at]; {
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				at = len(r.text)
			}
		case bytes.HasPrefix(r.text[at:], []byte(n.quote)):
			from := at + len(n.quote)
			to := closing(r.text, from, n.quote)
			r.steps -= to - from
			at = to + len(n.quote) - 1
			next := blanks(r.text, min(at+1, len(r.text)))
			text := r.text[from:to]
			switch isName := next < len(r.text) && r.text[next] == ':'; {
			case !isName:
				if n.isSecret || n.has(text) {
					found = append(found, piece{from, to})
				}
			case schemaNames[string(text)] && (string(text) != "type" || r.mask.schemaType.Match(r.text[next:])):
				return
			}
		}
	}
	r.pieces = append(r.pieces, found...)
}
