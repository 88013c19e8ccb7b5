package secret

import "slices"

// finder finds any of a number of words in a text, however many they are, in a
// time that grows with the text alone, whoever wrote it. As long as no word has
// begun it leaps over the bytes at which none can end (the algorithm of Wu and
// Manber), and from then on it reads byte by byte what has begun (that of Aho and
// Corasick). Upper and lower case of ASCII are the same to it. It is not changed once
// it is made.
type finder struct {
	least int // the length of the shortest word, 2 at least
	leap  [1 << 16]uint8
	begin [1 << 8]uint32 // the state after the first byte of a word

	// The states of the automaton, each a beginning of a word; 0 is that of none.
	edges []edge
	first []uint32 // where the edges of a state begin; they end where those of the next one do
	fail  []uint32 // the longest end of it that is the beginning of a word, too
	ends  []uint32 // the longest word that it ends with, counted from 1; 0: none
	spill []bool   // one of the words that it ends with spills to the right
	deep  []uint32 // how many bytes it is long

	words []word
}

type edge struct {
	by byte
	to uint32
}

// word is what is looked for.
type word struct {
	text        string
	left, right bool // the byte before it, and the one behind it, holds a part of what it stands for
}

// newFinder makes a finder of at least one word, each of at least two bytes.
func newFinder(words ...word) *finder {
	f := &finder{least: 1 << 8, words: words}
	for _, w := range words {
		f.least = min(f.least, len(w.text))
	}
	for i := range f.leap {
		f.leap[i] = uint8(f.least - 1)
	}
	for _, w := range words {
		for at := 0; at+2 <= f.least; at++ {
			for _, p := range pairs(w.text[at : at+2]) {
				f.leap[p] = min(f.leap[p], uint8(f.least-2-at))
			}
		}
	}
	f.build()
	return f
}

// pairs are the ways in which two bytes may be written.
func pairs(two string) [4]uint16 {
	a, b := two[0], two[1]
	return [...]uint16{pair(lower(a), lower(b)), pair(lower(a), upper(b)), pair(upper(a), lower(b)), pair(upper(a), upper(b))}
}

func pair(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// build makes the automaton.
func (f *finder) build() {
	t := f.tree()
	f.first, f.edges = make([]uint32, 0, len(t)+1), make([]edge, 0, len(t))
	for _, n := range t {
		f.first = append(f.first, uint32(len(f.edges)))
		for k := n.kid; k != 0; k = t[k].next {
			f.edges = append(f.edges, edge{t[k].by, k})
		}
	}
	f.first = append(f.first, uint32(len(f.edges)))
	for _, e := range f.edgesOf(0) {
		f.begin[e.by] = e.to
	}
	f.fail = make([]uint32, len(t))
	for queue := slices.Clone(f.edgesOf(0)); len(queue) > 0; queue = queue[1:] { // the shorter first
		s := queue[0].to
		for _, e := range f.edgesOf(s) {
			f.fail[e.to] = f.step(f.fail[s], e.by)
		}
		queue = append(queue, f.edgesOf(s)...)
		shorter := f.fail[s]
		if f.ends[s] == 0 {
			f.ends[s] = f.ends[shorter]
		}
		f.spill[s] = f.spill[s] || f.spill[shorter]
	}
}

// node is a state in the tree of all words. A value may be megabytes, and has a node
// for each byte.
type node struct {
	by   byte   // what leads to it
	kid  uint32 // the one that was added last; 0: none
	next uint32 // of the kids of one node
}

// tree is the tree of all words, whose root is the first node, and notes what ends at
// each of its nodes.
func (f *finder) tree() []node {
	most := 1
	for _, w := range f.words {
		most += len(w.text)
	}
	t := make([]node, 1, most)
	f.ends, f.spill, f.deep = make([]uint32, most), make([]bool, most), make([]uint32, most)
	for i, w := range f.words {
		at := uint32(0)
		for _, c := range []byte(w.text) {
			c = lower(c)
			k := t[at].kid
			for k != 0 && t[k].by != c {
				k = t[k].next
			}
			if k == 0 {
				k = uint32(len(t))
				t = append(t, node{by: c, next: t[at].kid})
				t[at].kid, f.deep[k] = k, f.deep[at]+1
			}
			at = k
		}
		f.ends[at] = uint32(i + 1)
		f.spill[at] = f.spill[at] || w.right
	}
	return t
}

// edgesOf are those of a state.
func (f *finder) edgesOf(s uint32) []edge { return f.edges[f.first[s]:f.first[s+1]] }

// lower is a byte with the case of ASCII taken from it; a byte of another letter is
// no letter by itself.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func upper(c byte) byte {
	if 'a' <= c && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// step is the state after another byte.
func (f *finder) step(s uint32, c byte) uint32 {
	for ; s != 0; s = f.fail[s] {
		for _, e := range f.edgesOf(s) {
			if e.by == c {
				return e.to
			}
		}
	}
	return f.begin[c]
}

// search is a finder on its way through a text.
type search struct {
	f     *finder
	text  []byte
	at    int    // what was read
	state uint32 // of what was read last
}

// found is a word in a text.
type found struct {
	piece
	word  int // its place among the words
	right bool
}

// next is the next place where a word ends, and the longest of those that end
// there.
func (s *search) next() (found, bool) {
	f := s.f
	for s.at < len(s.text) {
		if s.state == 0 {
			i := s.at + f.least - 2
			for i+1 < len(s.text) {
				leap := f.leap[pair(s.text[i], s.text[i+1])]
				if leap == 0 {
					break
				}
				i += int(leap)
			}
			if i+1 >= len(s.text) {
				s.at = len(s.text)
				break
			}
			s.at = i + 2 - f.least
		}
		s.state = f.step(s.state, lower(s.text[s.at]))
		s.at++
		if n := f.ends[s.state]; n != 0 {
			w := &f.words[n-1]
			return found{piece{s.at - len(w.text), s.at}, int(n - 1), f.spill[s.state]}, true
		}
	}
	return found{}, false
}

// isIn reports whether one of the words is in a text.
func (f *finder) isIn(text []byte) bool {
	if f == nil {
		return false
	}
	s := search{f: f, text: text}
	_, ok := s.next()
	return ok
}
