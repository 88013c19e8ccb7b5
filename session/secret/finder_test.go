package secret

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
)

// What a finder finds is what a search for each of its words would.
func TestAFinderFindsWhatIsThere(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	some := func(n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = "abAB\xd0\xbf"[random.IntN(6)]
		}
		return string(b)
	}
	for range 2000 {
		words := make([]word, 1+random.IntN(4))
		for i := range words {
			words[i] = word{text: some(2 + random.IntN(4)), right: random.IntN(4) == 0}
		}
		text := some(random.IntN(40))
		folded := strings.NewReplacer("A", "a", "B", "b").Replace
		same := func(a, b string) bool { return folded(a) == folded(b) }
		s := search{f: newFinder(words...), text: []byte(text)}
		for end := 1; end <= len(text); end++ {
			want := found{piece: piece{end, end}}
			for _, w := range words {
				if from := end - len(w.text); from >= 0 && same(text[from:end], w.text) {
					want.from, want.right = min(want.from, from), want.right || w.right
				}
			}
			if want.from == end {
				continue
			}
			got, ok := s.next()
			if want.word = got.word; !ok || got != want || !same(words[got.word].text, text[got.from:got.to]) {
				t.Fatalf("%+v in %q: %+v, want %+v", words, text, got, want)
			}
		}
		if got, ok := s.next(); ok {
			t.Fatalf("%+v in %q: %+v is too much", words, text, got)
		}
	}
}

// A server that knows the values cannot make the search for them slow: with all
// beginnings compared at all places this would take days.
func TestAFinderIsNotSlowedDown(_ *testing.T) {
	value := strings.Repeat("a", 1<<16)
	m := unkeyed.With(Value{"A", value + "b"}, Value{"B", "a" + value + "c"}, Value{"C", strings.Repeat(`\`, 1000)})
	for _, text := range []string{strings.Repeat("a", 1<<20), strings.Repeat(value+"d", 16), strings.Repeat(`\`, 1<<20), strings.Repeat(`"secret":{`, 1<<17), strings.Repeat("password='", 1<<17)} {
		text := []byte(text)
		m.Redact(text)
		m.Redact(append(append([]byte(`{"a":"`), bytes.ReplaceAll(bytes.ReplaceAll(text, []byte(`\`), []byte(`\\`)), []byte(`"`), []byte(`\"`))...), `"}`...))
	}
	m.Redact([]byte(strings.Repeat(`{"secret":`, 9000) + "1" + strings.Repeat("}", 9000)))
	m.Redact([]byte(strings.Repeat(`{"content":{"type":1,"enum":`, 4000) + `"secret"` + strings.Repeat("}}", 4000)))
}

// A mask of a long value takes memory in proportion to it: who pastes a file into a
// secret field is not to run out of it.
func TestAMaskOfALongValueIsNotMuchLonger(t *testing.T) {
	mask := NewMask("k")
	value := Value{Name: "p", Text: strings.Repeat("lorem ipsum ", 1<<20/12)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	mask = mask.With(value)
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / uint64(len(value.Text)); n > 80 {
		t.Errorf("%d bytes for each of the value", n)
	}
	if got := mask.RedactText("x " + value.Text + " y"); got != "x "+strings.Repeat("*", len(value.Text))+" y" {
		t.Errorf("%.100s", got)
	}
}
