package form

import (
	"regexp"
	"regexp/syntax"
)

// compile reads a pattern, and says how many steps it has. One that cannot be
// matched in linear time is nil.
func compile(pattern string) (*regexp.Regexp, int) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, 0
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil, 0
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, 0
	}
	return re, max(1, len(prog.Inst))
}

// matchMost bounds the work of a match: the length of the text times the size of
// the pattern.
const matchMost = 1 << 26

// matches says whether a text is short enough to be matched against the pattern.
func (t *Type) matches(s string) bool { return len(s) < matchMost/t.size }

// TooLong says whether the text in the node is too long for its pattern to be
// checked.
func (n *Node) TooLong() bool {
	if n.Kind != Text || n.json || !n.set || n.re == nil {
		return false
	}
	if !n.judged {
		n.Problem()
	}
	return n.long
}
