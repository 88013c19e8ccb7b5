package requirements

import (
	"strings"
	"testing"
)

// recorder is a test that notes how it was failed, instead of failing.
type recorder struct {
	testing.TB
	fatal string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatal(...any) { r.stop("no row") }

func (r *recorder) Fatalf(format string, _ ...any) { r.stop(format) }

func (r *recorder) stop(how string) {
	r.fatal = how
	panic(r)
}

// outcome returns how Rows fails the test that names rows, "" if it does not.
func outcome(t *testing.T, rows ...string) (fatal string) {
	r := &recorder{TB: t}
	defer func() {
		if p := recover(); p != nil && p != any(r) {
			panic(p)
		}
		fatal = r.fatal
	}()
	Rows(r, rows...)
	return ""
}

func TestRowsTakesNamesOfRows(t *testing.T) {
	for _, name := range []string{"CXL-05", "SD0-31", "BASE-1", "FR-1", "FR-10", "NFR-3", "SC-4", "UT-1", "IT-3", "EDGE-2", "SCENARIO-3"} {
		if got := outcome(t, name); got != "" {
			t.Errorf("%s is refused: %s", name, got)
		}
	}
	for _, name := range []string{"", "CXL", "CXL-", "CXL-005", "cxl-05", "CXL-05 ", "TOOLONG-01", "EDGE-123"} {
		if got := outcome(t, "CXL-05", name); !strings.Contains(got, "not the name") {
			t.Errorf("%q is accepted: %s", name, got)
		}
	}
	if got := outcome(t); got != "no row" {
		t.Errorf("a call that names nothing is accepted: %q", got)
	}
}
