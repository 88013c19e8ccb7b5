package e2e

import (
	"os"
	"strings"
	"testing"
)

// A call that is to be cancelled begins when it is known what its server uses idle, also where the
// server was started for it: that it works on after the cancel is seen then. No other test runs beside
// it, see TestAuditsSeeTheWork.
func TestACallThatIsToBeCancelledIsComparedWithAnIdleServer(t *testing.T) {
	for _, flag := range []string{"--cancel-after=300ms", "--cancel-at=message"} {
		args := []string{"call", "slow", "--protocol", "2025-11-25", "--grace", "3s", flag}
		if strings.Contains(flag, "message") {
			args = append(args, "--timeout", "300ms")
		}
		got := without(t, append(args, "--", os.Args[0], "beast", "burns on")...)
		// A server that gets a few hundredths of a processor is told not to be comparable, and one that gets
		// next to none may have been kept from running.
		compared := strings.Contains(got.errOut, "idle before the call they would have used") &&
			(strings.Contains(got.errOut, "still working") || strings.Contains(got.errOut, "cannot be told, as that differs by what else runs on the machine"))
		if got.code != 4 || !compared && !strings.Contains(got.errOut, "and the machine was busy: they may have been kept from running") {
			t.Errorf("%s: %d\n%s", flag, got.code, got.errOut)
		}
	}
}
