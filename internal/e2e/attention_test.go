package e2e

import (
	"strings"
	"testing"

	"belay/internal/termtest"
)

// A terminal is asked whether it shows the state of programs. One that says so is told belay's, and
// no other is; when belay ends, what was told is taken back.
func TestATerminalIsToldOfTheState(t *testing.T) {
	t.Parallel()
	const report = "\x1b]7501;state="
	s := play(t, "silent-cancel")
	s.See("ready: ", "tools/list")
	out := func() string { return string(s.RawOutput()) }
	s.Until("the terminal is asked", func(termtest.Screen) bool { return strings.Contains(out(), "\x1b]7501;?") })
	if strings.Contains(out(), report) {
		t.Error("a terminal that has said nothing of itself is told the state")
	}
	s.Type("\x1b]7501;?\x07")
	s.Until("the state is told", func(termtest.Screen) bool { return strings.Contains(out(), report+"idle") })
	s.Press("q").Exit(0)
	if last := strings.LastIndex(out(), report); !strings.HasPrefix(out()[last:], report+"clear") {
		t.Errorf("the last of it is %q", out()[last:min(len(out()), last+60)])
	}
}
