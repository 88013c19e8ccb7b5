package doc

import (
	"bytes"
	"strings"

	"belay/internal/safe"
	"belay/session/rawjson"
	"belay/ui/canvas"
)

// JSONStyles are the looks of JSON.
type JSONStyles struct {
	Key, String, Number, Literal, Punct canvas.Style
}

// maxScalar is how many characters of one string or number are shown.
const maxScalar = 16 << 10

// JSON appends raw as indented JSON. It is a printer and no judge: what is not
// JSON is shown as it is.
func (d *Doc) JSON(raw []byte, s JSONStyles) {
	d.width-- // the comma behind a value is added when its line is done
	defer func() { d.width++ }()
	p := printer{d: d, s: s, rest: bytes.TrimLeft(raw, " \t\r\n")}
	p.value(0, nil, "")
	if len(p.rest) > 0 && !d.IsFull() {
		d.Add(2, Span{Text: safe.BytesN(p.rest, d.scalarMost(len(p.rest))), Style: s.Punct})
	}
	if len(p.rest) > 0 {
		d.cut = true
	}
}

type printer struct {
	d    *Doc
	s    JSONStyles
	rest []byte
}

// scalarMost is how many characters this document takes of a string or a number of n bytes.
func (d *Doc) scalarMost(n int) int {
	if d.IsWhole() {
		return n
	}
	return maxScalar
}

// maxDepth is where nesting is shown on one line instead of being followed.
const maxDepth = 64

// value prints one value behind the spans of its key, and tail behind it.
func (p *printer) value(depth int, before Line, tail safe.Text) {
	if p.d.IsFull() {
		return
	}
	if len(p.rest) == 0 {
		p.line(depth, append(before, Span{Text: tail, Style: p.s.Punct}))
		return
	}
	open := p.rest[0]
	if (open != '{' && open != '[') || depth > maxDepth {
		p.line(depth, append(before, p.scalar(), Span{Text: tail, Style: p.s.Punct}))
		return
	}
	end := byte('}')
	if open == '[' {
		end = ']'
	}
	p.skip(1)
	if p.peek() == end {
		p.skip(1)
		p.line(depth, append(before, Span{Text: safe.Text([]byte{open, end}), Style: p.s.Punct}, Span{Text: tail, Style: p.s.Punct}))
		return
	}
	p.line(depth, append(before, Span{Text: safe.Text([]byte{open}), Style: p.s.Punct}))
	p.members(depth+1, open == '{', end)
	if !p.d.IsFull() {
		p.line(depth, Line{{Text: safe.Text([]byte{end}), Style: p.s.Punct}, {Text: tail, Style: p.s.Punct}})
	}
}

func (p *printer) members(depth int, object bool, end byte) {
	for !p.d.IsFull() && len(p.rest) > 0 {
		var before Line
		if object && p.peek() == '"' {
			key := p.scalar()
			key.Style = p.s.Key
			before = append(before, key)
			if p.peek() == ':' {
				p.skip(1)
				before = append(before, Span{Text: ": ", Style: p.s.Punct})
			}
		}
		at := len(p.rest)
		mark := p.d.count()
		p.value(depth, before, "")
		switch p.peek() {
		case ',':
			p.skip(1)
			p.comma(mark)
		case end:
			p.skip(1)
			return
		default:
			if len(p.rest) == at { // no progress: not JSON
				return
			}
		}
	}
}

// comma appends a comma to the last line, if there is one since mark.
func (p *printer) comma(mark int) {
	if n := len(p.d.Lines); p.d.count() > mark {
		p.d.Lines[n-1] = append(p.d.Lines[n-1], Span{Text: ",", Style: p.s.Punct})
	}
}

func (p *printer) line(depth int, spans Line) {
	indent := safe.Text(strings.Repeat("  ", min(depth, maxDepth)))
	p.d.Add(2*depth+2, append(Line{{Text: indent}}, spans...)...)
}

// scalar takes a string, a number, a literal, or a character that belongs to
// none.
func (p *printer) scalar() Span {
	var n int
	style := p.s.Literal
	switch c := p.rest[0]; {
	case c == '"':
		n, style = rawjson.StringLen(p.rest), p.s.String
	case c == '-' || '0' <= c && c <= '9':
		n, style = wordEnd(p.rest), p.s.Number
	case c == '{' || c == '[':
		n, style = len(p.rest), p.s.Punct
	default:
		n = wordEnd(p.rest)
	}
	text := safe.BytesN(p.rest[:n], p.d.scalarMost(n))
	p.skip(n)
	return Span{Text: text, Style: style}
}

func wordEnd(b []byte) int {
	if n := bytes.IndexAny(b, ",:{}[]\" \t\r\n"); n > 0 {
		return n
	} else if n < 0 {
		return len(b)
	}
	return 1
}

func (p *printer) peek() byte {
	if len(p.rest) == 0 {
		return 0
	}
	return p.rest[0]
}

// skip takes n bytes and the space behind them.
func (p *printer) skip(n int) { p.rest = bytes.TrimLeft(p.rest[n:], " \t\r\n") }
