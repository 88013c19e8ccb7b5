package cli

import (
	"strings"
	"testing"
)

// A full disk is told of, and is no fault of the command line.
func TestReportToAFullDisk(t *testing.T) {
	if code, _, told := reports(t, fileWith(t, recordedRun(t)), "-o", "/dev/full", "--format", "md"); code != ExitScreen || !strings.Contains(told, "no space left") {
		t.Errorf("%d %s", code, told)
	}
}
