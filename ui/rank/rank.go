// Package rank orders what can be called by how well it fits what was typed:
// the exact name or address, then names that begin so, then names that hold the
// text, then names that hold its letters in order; addresses and descriptions
// come after all names.
//
// No library for fuzzy search is used (github.com/sahilm/fuzzy and its like): they give points
// to letters that match, of names alone, and points have no order that can be told in words.
package rank

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

// Text is what is known of a thing that can be found, in lower case. Make one
// with [Of].
type Text struct{ name, title, about, uri string }

// aboutMost bounds how much of a text is looked at, in bytes.
const aboutMost = 2000

// Looked is told how many bytes of the texts of things are looked at. Tests set it, to count the work that
// is done between two keys; it is nil otherwise.
var Looked func(bytes int)

func looks(bytes int) {
	if Looked != nil {
		Looked(bytes)
	}
}

// Of prepares a thing for ranking; uri is the address of what has one.
func Of(name, title, about, uri string) Text {
	looks(Size(name, title, about, uri))
	lower := func(s string) string { return strings.ToLower(head(s)) }
	return Text{lower(name), lower(title), lower(about), lower(uri)}
}

// Size is the number of bytes of a thing that [Of] looks at, and about that of each ranking.
func Size(name, title, about, uri string) int {
	return len(head(name)) + len(head(title)) + len(head(about)) + len(head(uri))
}

func head(s string) string { return s[:min(len(s), aboutMost)] }

// The classes of fit, best first.
const (
	none = iota
	inAbout
	inTitle
	inURI
	fuzzy
	inName
	atWord
	prefix
	exact
)

// Order returns the indexes of the things that fit the query, best first.
// Things that fit equally well keep their order. An empty query fits all.
func Order(query string, things []Text) []int {
	order, _ := Search(context.Background(), query, things)
	return order
}

// atATime is how many things are looked at before it is asked whether anybody still waits.
const atATime = 1000

// Search is [Order] for as long as somebody waits; ok is false when nobody does.
func Search(ctx context.Context, query string, things []Text) (order []int, ok bool) {
	query = strings.ToLower(strings.TrimSpace(query))
	type hit struct{ i, class, cost int }
	hits := make([]hit, 0, len(things))
	for i, t := range things {
		if i%atATime == 0 && ctx.Err() != nil {
			return nil, false
		}
		looks(len(t.name) + len(t.title) + len(t.about) + len(t.uri))
		if class, cost := fit(query, t); class != none {
			hits = append(hits, hit{i, class, cost})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		if a.class != b.class {
			return b.class - a.class
		}
		return a.cost - b.cost
	})
	order = make([]int, len(hits))
	for k, h := range hits {
		order[k] = h.i
	}
	return order, ctx.Err() == nil
}

// fit says how well a thing fits. Less cost is better within a class.
func fit(query string, t Text) (class, cost int) {
	switch {
	case query == "":
		return exact, 0
	case t.name == query, t.uri == query:
		return exact, 0
	case strings.HasPrefix(t.name, query):
		return prefix, len(t.name)
	}
	if at := strings.Index(t.name, query); at >= 0 {
		if wordStart(t.name, at) {
			return atWord, at
		}
		return inName, at
	}
	if gaps, ok := isSubsequence(query, t.name); ok {
		return fuzzy, gaps
	}
	if at := strings.Index(t.uri, query); at >= 0 {
		return inURI, at
	}
	if strings.Contains(t.title, query) {
		return inTitle, 0
	}
	if strings.Contains(t.about, query) {
		return inAbout, 0
	}
	return none, 0
}

func wordStart(s string, at int) bool {
	return at == 0 || strings.IndexByte("_-./: ", s[at-1]) >= 0
}

// isSubsequence reports whether the letters of query occur in s in their order, and
// counts what lies between them. Letters at the beginning of a word are free.
func isSubsequence(query, s string) (gaps int, ok bool) {
	last := -1
	for _, q := range query {
		if unicode.IsSpace(q) {
			continue
		}
		at := strings.IndexRune(s[last+1:], q)
		if at < 0 {
			return 0, false
		}
		if at > 0 && !wordStart(s, last+1+at) {
			gaps += at
		}
		last += 1 + at
	}
	return gaps, true
}
