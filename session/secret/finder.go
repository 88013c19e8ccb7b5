package secret

import (
	"bytes"
	"slices"
	"strings"
)

// finder finds any of a number of words in a text, however many they are, and
// looks at few of its bytes: it leaps over those at which none can end (the
// algorithm of Wu and Manber). It is not changed once it is made.
type finder struct {
	fold  bool // upper and lower case are the same
	least int  // the length of the shortest word, 2 at least
	leap  [1 << 16]uint8
	group [1 << 16]uint16 // of the words that have these two bytes where the shortest ends
	words [][]string      // by their group
}

func newFinder(fold bool, words ...string) *finder {
	f := &finder{fold: fold, least: 1 << 8, words: [][]string{nil}}
	for _, w := range words {
		f.least = min(f.least, len(w))
	}
	for i := range f.leap {
		f.leap[i] = uint8(f.least - 1)
	}
	for _, w := range words {
		for at := 0; at+2 <= f.least; at++ {
			for _, p := range f.pairs(w[at : at+2]) {
				f.leap[p] = min(f.leap[p], uint8(f.least-2-at))
				if at+2 == f.least {
					f.put(p, w)
				}
			}
		}
	}
	return f
}

func (f *finder) put(p uint16, w string) {
	if f.group[p] == 0 {
		f.group[p] = uint16(len(f.words))
		f.words = append(f.words, nil)
	}
	g := &f.words[f.group[p]]
	if !slices.Contains(*g, w) {
		*g = append(*g, w)
	}
}

// pairs are the ways in which two bytes may be written.
func (f *finder) pairs(two string) []uint16 {
	if !f.fold {
		return []uint16{pair(two[0], two[1])}
	}
	var all []uint16
	for _, a := range []string{strings.ToLower(two[:1]), strings.ToUpper(two[:1])} {
		for _, b := range []string{strings.ToLower(two[1:]), strings.ToUpper(two[1:])} {
			if p := pair(a[0], b[0]); len(all) == 0 || p != all[len(all)-1] {
				all = append(all, p)
			}
		}
	}
	return all
}

func pair(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// next is where the first word at or after from begins and ends, the longest of
// those that begin there, and the word as it was given.
func (f *finder) next(text []byte, from int) (at, end int, word string, ok bool) {
	for i := from + f.least - 2; i+1 < len(text); {
		p := pair(text[i], text[i+1])
		if leap := f.leap[p]; leap > 0 {
			i += int(leap)
			continue
		}
		at = i + 2 - f.least
		for _, w := range f.words[f.group[p]] {
			if first := w[0] ^ text[at]; (first == 0 || first == 'a'^'A' && f.fold) && len(w) > len(word) && len(w) <= len(text)-at && f.same(text[at:at+len(w)], w) {
				word = w
			}
		}
		if word != "" {
			return at, at + len(word), word, true
		}
		i++
	}
	return 0, 0, "", false
}

func (f *finder) same(text []byte, word string) bool {
	if f.fold {
		return bytes.EqualFold(text, []byte(word))
	}
	return string(text) == word
}
