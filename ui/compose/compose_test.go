package compose

import (
	"strings"
	"testing"

	"belay/session"
)

// What is too long to be proposed, or to be filled in, is said to be that.
func TestWhatIsTooLongIsSaid(t *testing.T) {
	long := session.Detail{Result: []byte(`{"completion":{"values":["` + strings.Repeat("a", suggestMost) + `"]}}`)}
	if got := readSuggestions(&long); len(got.values) > 0 || got.why != "the answer of 64.0 kB is too long" && !strings.HasSuffix(string(got.why), "is too long") {
		t.Errorf("%d values, %q", len(got.values), got.why)
	}
	if _, err := expand("a:{"+strings.Repeat("v", templateMost)+"}", []byte(`{}`)); err == nil || !strings.Contains(err.Error(), "longer than 16 kB") {
		t.Errorf("of a long template: %v", err)
	}
}
