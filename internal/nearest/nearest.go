// Package nearest finds the names that a mistyped word was meant to be.
package nearest

import (
	"slices"
	"strings"
)

const (
	// most is how many names are proposed.
	most = 3
	// longest is beyond what anybody types, in bytes; longer names are like no other. It bounds the work
	// on names that a server chose.
	longest = 200
)

// Names are at most three of the names, the ones that a word is most like, without regard to case. A name
// that begins with the word is like it, one that contains the word a little less, and any other one with at
// most 2 changes, or one for three characters of the word. An empty word is like none.
func Names(word string, names []string) (near []string) {
	type candidate struct {
		name string
		far  int
	}
	if word == "" {
		return nil
	}
	var all []candidate
	lower := strings.ToLower(word)
	for _, name := range names {
		other := strings.ToLower(name)
		far := Distance(lower, other)
		switch {
		case far == longest:
			continue
		case strings.HasPrefix(other, lower):
			far = 0
		case strings.Contains(other, lower):
			far = min(far, 1)
		}
		if far <= max(2, len(word)/3) {
			all = append(all, candidate{name, far})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return a.far - b.far })
	for _, c := range all[:min(most, len(all))] {
		near = append(near, c.name)
	}
	return near
}

// Distance is how many characters must be put in, left out or changed to make b of a (Levenshtein). Where one
// of them has more than 200 bytes, it is 200.
func Distance(a, b string) int {
	if len(a) > longest || len(b) > longest {
		return longest
	}
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, q := range to {
			change := diagonal
			if r != q {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, diagonal+1, row[j]+1)
		}
	}
	return row[len(to)]
}
