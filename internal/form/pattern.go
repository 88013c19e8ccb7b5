package form

import (
	"regexp"
	"regexp/syntax"
)

// patternMost bounds the size of a pattern, in steps of a match: x{1000} has as many
// as a thousand times x.
const patternMost = 4000

// compile reads a pattern, and says how many steps a match takes for each character.
// One that cannot be matched in linear time, or is too large, is nil.
func (d *document) compile(pattern string) (*regexp.Regexp, int) {
	if len(pattern) > patternMost || !d.effort.take(len(pattern)) {
		return nil, 0
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, 0
	}
	size := patternSize(parsed)
	if size > patternMost || !d.effort.take(3*size) {
		return nil, 0
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, 0
	}
	return re, size
}

// patternSize is how many steps a pattern has, or a little more.
func patternSize(re *syntax.Regexp) int {
	size := 1
	for _, sub := range re.Sub {
		size = min(size+patternSize(sub), 2*patternMost)
	}
	switch re.Op {
	case syntax.OpLiteral:
		size += len(re.Rune)
	case syntax.OpRepeat:
		times := max(re.Min, re.Max, 1)
		if re.Max < 0 {
			times = re.Min + 1
		}
		size = min(size*times, 2*patternMost)
	case syntax.OpCharClass:
		size += len(re.Rune) / 16
	default:
		size++
	}
	return size
}

// matchSteps is how many steps the match of a text takes: a character is compared
// with every part of the pattern.
func (t *Type) matchSteps(s string) int { return 1 + len(s)*t.size/16 }

// IsTooLong reports whether the text in the node is too long for its pattern to be
// checked.
func (n *Node) IsTooLong() bool {
	if n.Kind != Text || n.json || !n.set || n.re == nil {
		return false
	}
	if !n.judged {
		n.Problem()
	}
	return n.long
}
