package wording

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"belay/session/cancel"
)

// The README lists the verdicts as they are weighed, and each has a sentence here.
func TestTheReadmeListsTheVerdictsInTheirOrder(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, listed []string
	for _, v := range cancel.Verdicts() {
		want = append(want, v.String())
		if Meaning(v) == "" {
			t.Errorf("nothing is said of %v", v)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z ]+)` \\|").FindAllSubmatch(readme, -1) {
		if slices.Contains(want, string(m[1])) {
			listed = append(listed, string(m[1]))
		}
	}
	if !slices.Equal(listed, want) {
		t.Errorf("the README lists\n%q, the verdicts are\n%q", listed, want)
	}
}
