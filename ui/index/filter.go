// Package index keeps the calls table in order: which rows match the filter,
// and in which order they stand. Changes are told to the index, and no
// frame walks all rows, so that 10,000 rows cost no more than 10. No library keeps such an
// order of rows that change; those for fuzzy search order a list once.
package index

import "strings"

// Filter is what was typed behind "/": words that all must occur, in any
// case. A word with "!" before it must not occur. The zero Filter matches all.
type Filter struct {
	text  string
	terms []term
}

type term struct {
	word string
	not  bool
}

// ParseFilter reads a filter. Every text is one.
func ParseFilter(s string) Filter {
	f := Filter{text: strings.TrimSpace(s)}
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		word, not := strings.CutPrefix(w, "!")
		if word != "" {
			f.terms = append(f.terms, term{word, not})
		}
	}
	return f
}

// String is the filter as it was typed.
func (f Filter) String() string { return f.text }

// Empty reports whether the filter matches everything.
func (f Filter) Empty() bool { return len(f.terms) == 0 }

// Match reports whether the texts together have the words that the filter wants.
func (f Filter) Match(texts ...string) bool {
	for _, t := range f.terms {
		if containsAny(texts, t.word) == t.not {
			return false
		}
	}
	return true
}

func containsAny(texts []string, word string) bool {
	for _, t := range texts {
		if containsFold(t, word) {
			return true
		}
	}
	return false
}

// containsFold is strings.Contains for a lower-case word, without a copy of
// texts that are ASCII.
func containsFold(text, word string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return strings.Contains(strings.ToLower(text), word)
		}
	}
	for i := 0; i+len(word) <= len(text); i++ {
		j := 0
		for j < len(word) && lower(text[i+j]) == word[j] {
			j++
		}
		if j == len(word) {
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
