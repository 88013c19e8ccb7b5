package secret

import (
	"maps"
	"regexp"
	"slices"
)

// shape is what a credential looks like. The last group of the expression is the
// secret itself. Hints are words without which the expression cannot match:
// looking for them first makes it cheap to find that there is nothing.
type shape struct {
	hints []string
	is    *regexp.Regexp
}

// shapes are those of well-known credentials.
var shapes = [...]shape{
	{[]string{"sk-"}, regexp.MustCompile(`\b(sk-[A-Za-z0-9_-]{16,})`)},
	{[]string{"ghp_", "gho_", "ghu_", "ghs_", "ghr_"}, regexp.MustCompile(`\b(gh[pousr]_[A-Za-z0-9]{20,})`)},
	{[]string{"github_pat_"}, regexp.MustCompile(`\b(github_pat_[A-Za-z0-9_]{20,})`)},
	{[]string{"glpat-"}, regexp.MustCompile(`\b(glpat-[A-Za-z0-9_-]{16,})`)},
	{[]string{"xox"}, regexp.MustCompile(`\b(xox[abeoprs]-[A-Za-z0-9-]{10,})`)},
	{[]string{"akia", "asia"}, regexp.MustCompile(`\b((?:AKIA|ASIA)[A-Z0-9]{16})\b`)},
	{[]string{"aiza"}, regexp.MustCompile(`\b(AIza[A-Za-z0-9_-]{35})`)},
	{[]string{"eyj"}, regexp.MustCompile(`\b(eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*)`)},
	{[]string{"bearer", "basic"}, regexp.MustCompile(`(?i)\b(?:bearer|basic)\s+([A-Za-z0-9._~+/=-]{8,})`)},
	{[]string{"://", `:\/`}, regexp.MustCompile(`:(?:\\*/){2}[^\s/?#@:"'<>\\]*:([^\s/?#@"'<>\\]+)@`)},
	{[]string{"private key--"}, regexp.MustCompile(`PRIVATE KEY-----([^-"]{16,})-----END`)},
}

// shapeOf is the shape of which something is a hint; a hint of a name has none.
var shapeOf = func() map[string]int {
	of := map[string]int{}
	for i, s := range shapes {
		for _, h := range s.hints {
			of[h] = i
		}
	}
	return of
}()

// likely finds the hints of all shapes and names in one go.
var likely = newFinder(true, slices.AppendSeq(slices.Clone(nameHints), maps.Keys(shapeOf))...)

// hideLikely masks what looks like a secret.
func hideLikely(h *hiding) {
	var seen [len(shapes)]bool
	named := 0 // what comes before was looked at
	for at := 0; ; at++ {
		from, end, hint, ok := likely.next(h.text, at)
		if !ok {
			break
		}
		at = from
		if i, ok := shapeOf[hint]; ok {
			seen[i] = true
		} else if from >= named {
			named = hideNamed(h, from, end)
		}
	}
	for i := range shapes {
		if !seen[i] {
			continue
		}
		for _, m := range shapes[i].is.FindAllSubmatchIndex(h.text, -1) {
			h.hide(m[len(m)-2], m[len(m)-1])
		}
	}
}
