package secret

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// What a finder finds is what a search for each of its words would.
func TestAFinderFindsWhatIsThere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abAB"[random.IntN(4)]
		}
		return string(b)
	}
	for range 2000 {
		fold := random.IntN(2) == 0
		words := make([]string, 1+random.IntN(4))
		for i := range words {
			words[i] = some(2 + random.IntN(4))
		}
		text := some(random.IntN(40))
		f := newFinder(fold, words...)
		same := func(a, b string) bool { return a == b || fold && strings.EqualFold(a, b) }
		for from := 0; from <= len(text); from++ {
			want, long := -1, 0
			for at := from; at < len(text) && want < 0; at++ {
				for _, w := range words {
					if len(w) > long && len(w) <= len(text)-at && same(text[at:at+len(w)], w) {
						want, long = at, len(w)
					}
				}
			}
			at, end, word, ok := f.next([]byte(text), from)
			if ok != (want >= 0) || ok && (at != want || end != at+long || !same(word, text[at:end])) {
				t.Fatalf("%q in %q from %d: at %d … %d, want %d and %d bytes", words, text, from, at, end, want, long)
			}
		}
	}
}
