package beside

import (
	"slices"
	"testing"

	"belay/session/secret"
)

// told are the values that a recording was told of.
type told struct{ values []secret.Value }

func (t *told) Conceal(values ...secret.Value) { t.values = append(t.values, values...) }

func TestWhatIsConcealed(t *testing.T) {
	for content, want := range map[string][]secret.Value{
		`{"a":"x","b":"y"}`:                  {{Name: "a", Text: "x"}},
		`{"a":{"c":"x","d":[1,true,null]}}`:  {{Name: "a", Text: "x"}, {Name: "a", Text: "1"}, {Name: "a", Text: "true"}},
		`{"b":{"a":12.5}}`:                   {{Name: "a", Text: "12.5"}},
		`{"a":123456789012345678901,"b":1}`:  {{Name: "a", Text: "123456789012345678901"}},
		`{"b":"x"}`:                          nil,
		`no JSON`:                            nil,
		`{"by_hand":{"apiKey":"x","n":"y"}}`: {{Name: "apiKey", Text: "x"}},
	} {
		b := &told{}
		conceal(b, []byte(content), []string{"a"})
		if !sameValues(b.values, want) {
			t.Errorf("%s: concealed %q, want %q", content, b.values, want)
		}
	}
}

// sameValues compares without the order, which that of a map's members is.
func sameValues(a, b []secret.Value) bool {
	for _, v := range b {
		if !slices.Contains(a, v) {
			return false
		}
	}
	return len(a) == len(b)
}
