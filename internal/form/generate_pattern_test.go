package form

import (
	"math/rand/v2"
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"
)

// matching is a text that a pattern matches, of a length that is allowed. Of a
// pattern that Go cannot read it is any: belay does not check that either.
func matching(rnd *rand.Rand, pattern string, least int, most *int) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "x"
	}
	re := regexp.MustCompile(pattern)
	for range 10_000 {
		var b strings.Builder
		write(rnd, tree, &b)
		n := len([]rune(b.String()))
		if n >= least && (most == nil || n <= *most) && re.MatchString(b.String()) {
			return b.String()
		}
	}
	panic("nothing was found that matches " + pattern)
}

// write writes what a part of a pattern may match. It gives no thought to what
// stands around it.
func write(rnd *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	times := func(least, most int) {
		if most < 0 || most > least+3 {
			most = least + 3
		}
		for range least + rnd.IntN(most-least+1) {
			write(rnd, re.Sub[0], b)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		at := 2 * rnd.IntN(len(re.Rune)/2)
		first, last := re.Rune[at], re.Rune[at+1]
		if first < ' ' && last >= 'z' { // of all but a few, one that can be read
			first, last = 'a', 'z'
		}
		b.WriteRune(first + rnd.Int32N(min(last-first, 1000)+1))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('x')
	case syntax.OpCapture:
		write(rnd, re.Sub[0], b)
	case syntax.OpStar:
		times(0, -1)
	case syntax.OpPlus:
		times(1, -1)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			write(rnd, sub, b)
		}
	case syntax.OpAlternate:
		write(rnd, re.Sub[rnd.IntN(len(re.Sub))], b)
	default: // the empty text, and where something begins or ends
	}
}

func TestMatching(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	eight := 8
	for _, p := range []string{`^[a-z][a-z0-9-]*[a-z0-9]+$`, `^#[0-9A-Fa-f]{6}$`, `^[^=]+=[^=]+$`, `^(?:[a-z]|x\.)+$`, `^(a:(asc|desc))?$`, `^\S.*$`} {
		for range 50 {
			got := matching(rnd, p, 2, &eight)
			if n := len([]rune(got)); n < 2 || n > 8 || !regexp.MustCompile(p).MatchString(got) {
				t.Errorf("%s: %q", p, got)
			}
		}
	}
}
