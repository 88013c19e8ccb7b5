// Package uritemplate expands URI templates (RFC 6570) whose variables are text,
// which is all that MCP resource templates have.
//
// github.com/yosida95/uritemplate v3.0.2 was tried and fails three of the tests:
// it percent-encodes the bytes of a code point, not those of its UTF-8 form
// ("bücher" becomes b%FCcher), and refuses a template with a blank or an umlaut
// outside of its expressions.
package uritemplate

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Template is a URI template. Make one with [Parse].
type Template struct{ parts []part }

// part is literal text, or an expression when it has variables.
type part struct {
	literal string
	op      operator
	vars    []variable
}

type variable struct {
	name   string
	prefix int // how many characters are taken; 0: all
}

// operator is one row of the table in RFC 6570, appendix A.
type operator struct {
	first, sep string
	named      bool
	ifEmpty    string
	reserved   bool // reserved characters stay as they are
}

var operators = map[byte]operator{
	0:   {sep: ","},
	'+': {sep: ",", reserved: true},
	'#': {first: "#", sep: ",", reserved: true},
	'.': {first: ".", sep: "."},
	'/': {first: "/", sep: "/"},
	';': {first: ";", sep: ";", named: true},
	'?': {first: "?", sep: "&", named: true, ifEmpty: "="},
	'&': {first: "&", sep: "&", named: true, ifEmpty: "="},
}

// Parse reads a template.
func Parse(s string) (Template, error) {
	var t Template
	for s != "" {
		literal, rest, open := strings.Cut(s, "{")
		if strings.Contains(literal, "}") {
			return Template{}, errors.New("a } without a {")
		}
		if literal != "" {
			t.parts = append(t.parts, part{literal: literal})
		}
		if !open {
			return t, nil
		}
		body, after, closed := strings.Cut(rest, "}")
		if !closed {
			return Template{}, errors.New("a { without a }")
		}
		p, err := expression(body)
		if err != nil {
			return Template{}, err
		}
		t.parts = append(t.parts, p)
		s = after
	}
	return t, nil
}

func expression(body string) (part, error) {
	var p part
	if body == "" {
		return p, errors.New("an empty {}")
	}
	p.op = operators[0]
	if op, ok := operators[body[0]]; ok {
		p.op, body = op, body[1:]
	}
	for name := range strings.SplitSeq(body, ",") {
		v := variable{name: strings.TrimSuffix(name, "*")}
		if base, n, ok := strings.Cut(v.name, ":"); ok {
			limit, err := strconv.Atoi(n)
			if err != nil || limit < 1 || limit >= 10000 {
				return p, fmt.Errorf("%q is no length", n)
			}
			v = variable{base, limit}
		}
		if v.name == "" || strings.IndexFunc(v.name, notInName) >= 0 {
			return p, fmt.Errorf("%q is no name of a variable", v.name)
		}
		p.vars = append(p.vars, v)
	}
	return p, nil
}

func notInName(r rune) bool {
	return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_.%", r))
}

// Names are the variables in the order in which they occur, each once.
func (t Template) Names() []string {
	var names []string
	for _, p := range t.parts {
		for _, v := range p.vars {
			if !slices.Contains(names, v.name) {
				names = append(names, v.name)
			}
		}
	}
	return names
}

// Expand fills the template in. A variable that is not in the map is left out.
func (t Template) Expand(values map[string]string) string {
	var b strings.Builder
	for _, p := range t.parts {
		if p.vars == nil {
			escape(&b, p.literal, true)
			continue
		}
		sep := p.op.first
		for _, v := range p.vars {
			value, ok := values[v.name]
			if !ok {
				continue
			}
			b.WriteString(sep)
			sep = p.op.sep
			if p.op.named {
				b.WriteString(v.name)
				if value == "" {
					b.WriteString(p.op.ifEmpty)
					continue
				}
				b.WriteByte('=')
			}
			escape(&b, cut(value, v.prefix), p.op.reserved)
		}
	}
	return b.String()
}

// cut takes the first n characters of s; 0 takes all.
func cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s
		}
		if n--; n == 0 {
			_, size := utf8.DecodeRuneInString(s[i:])
			return s[:i+size]
		}
	}
	return s
}

const (
	unreserved = "-._~"
	reserved   = ":/?#[]@!$&'()*+,;="
	hex        = "0123456789ABCDEF"
)

// escape writes s with everything percent-encoded that may not stand there.
func escape(b *strings.Builder, s string, allowReserved bool) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(unreserved, c) >= 0,
			allowReserved && strings.IndexByte(reserved, c) >= 0,
			allowReserved && isEncoded(s[i:]):
			b.WriteByte(c)
		default:
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
}

// isEncoded reports whether s begins with a character that is percent-encoded.
func isEncoded(s string) bool {
	return len(s) > 2 && s[0] == '%' && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
