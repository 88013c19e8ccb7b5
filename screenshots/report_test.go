package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The timeline of a report is a picture of its own: with light colours, and no variables.
func TestReportPicture(t *testing.T) {
	path := filepath.Join(t.TempDir(), reportName)
	write := func(page string) {
		if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`<style>:root {
  --card: #fff; --text: #123456;
}
@media (dark) { :root { --card: #000; --text: #abcdef; } }
main { color: var(--text); }
svg { fill: var(--text); }
.lane { stroke: var(--text); }
@media print { .lane { fill: red; } }
</style><svg class="sequence" viewBox="0 0 760 305" width="760"><path d="M1 2"/></svg><svg class="sequence" viewBox="0 0 3 4"></svg>`)
	got, err := reportPicture(path, "a & b")
	const want = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-16 -16 792 337" width="792" height="337" role="img">
<title>a &amp; b</title>
<style>svg { fill: #123456; }
.lane { stroke: #123456; }
</style>
<rect x="-16" y="-16" width="792" height="337" fill="#fff"/><path d="M1 2"/></svg>
`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
	write(strings.Repeat("no timeline", 3))
	if _, err := reportPicture(path, ""); !errors.Is(err, errNoTimeline) {
		t.Errorf("without a timeline: %v", err)
	}
}
