// Package requirements lets a test name the rows of docs/requirements/catalogue.md that it
// proves. The names are read from the source by the program that writes
// docs/requirements/coverage.md, so that the page can never claim a row no test names.
package requirements

import (
	"regexp"
	"testing"
)

var rowName = regexp.MustCompile(`^[A-Z0-9]{2,4}-[0-9]{1,2}$|^(FR|NFR|SC|UT|IT)-[0-9]$|^(EDGE|SCENARIO)-[0-9]$`)

// Rows records that the calling test proves each of the named rows: it fails
// when the behaviour that the row asks for is gone. A name is a catalogue row
// ("CXL-05") or an item of seed 003 or 000 ("FR-1", "NFR-2", "SC-1", "UT-4",
// "IT-3", "EDGE-2", "SCENARIO-1"). A name of another form fails the test.
func Rows(t testing.TB, rows ...string) {
	t.Helper()
	if len(rows) == 0 {
		t.Fatal("requirements.Rows: no row named")
	}
	for _, r := range rows {
		if !rowName.MatchString(r) {
			t.Fatalf("requirements.Rows: %q is not the name of a requirement row", r)
		}
	}
}
